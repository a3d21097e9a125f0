"""Experiments that the command line runs: each module returns data, and prints nothing."""
