"""One process that is all of Barometer: a log in one SQLite file, and what follows it."""
