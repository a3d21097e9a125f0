"""Scores of whole tables: written to files, or the highest of them."""
