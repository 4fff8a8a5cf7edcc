"""The laws as pure functions on values, a file per law."""
