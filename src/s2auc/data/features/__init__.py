"""Columns as numbers that a kernel can compare: encoding, scaling, projection."""
