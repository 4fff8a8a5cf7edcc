"""An event as a pure function of the set of its records."""
