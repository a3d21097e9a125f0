"""Choosing settings by cross-validation: whole grids trained as bundles, and what was chosen judged on unseen folds."""
