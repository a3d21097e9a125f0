"""Baselines that take one row per step."""
