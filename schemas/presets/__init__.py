"""Conditions of contest by name, a file each; a released preset never changes, a new edition gets a new name."""
