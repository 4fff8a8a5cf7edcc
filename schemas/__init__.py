"""The choices and records that travel on the wire and are stored."""
