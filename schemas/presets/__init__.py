"""Conditions of contest by name, a file each; a released one never changes, a new edition gets a new name."""
