"""Rows of numbers from wherever they are, gathered by number or passed over in chunks."""
