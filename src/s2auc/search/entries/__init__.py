"""Entries of a search: models whose settings are compared."""
