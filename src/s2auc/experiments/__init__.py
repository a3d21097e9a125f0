"""Experiments: methods on datasets, trial by trial, each in a process of its own, and reports of them.

- `datasets`: rows, read from files or generated, and their splits.
- `methods`: what is compared.
- `harness`: specifications, trials, and rows of results on disk.
- `results`: summaries, tables and figures of rows.
- `reproduction`: the experiments of the paper; `demo`: the demonstration of the command line.
"""
