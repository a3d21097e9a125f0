"""Readers of file formats: each returns columns that Arrow reads."""
