"""Routes that write: form and authority are checked, then the log has the record, then the answer is 202."""
