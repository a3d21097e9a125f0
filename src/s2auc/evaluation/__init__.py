"""Evaluation of a model on rows with labels."""
