"""Baselines that solve for coefficients of kernels at rows."""
