"""From records to standings: rules, scoring, runtimes, and the ways in and out."""
