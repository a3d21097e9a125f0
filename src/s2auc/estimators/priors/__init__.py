"""Estimates of the share of positive rows among unlabelled ones."""
