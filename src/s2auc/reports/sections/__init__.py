"""Sections of the page about a model."""
