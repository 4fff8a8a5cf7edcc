"""Files in and out, a file each: bytes to records, and results to bytes. No scoring, no I/O."""
