"""What runs the core: one process over an embedded log, or many over a broker."""
