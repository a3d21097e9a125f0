"""Grids of settings, and the spaces that they share."""
