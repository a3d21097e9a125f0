"""The experiments of the paper, run again: what it says, what is measured, and whether they agree.

- `protocol`: what the paper fixes, what it leaves open and how that is settled here; how much a run covers.
- `paper_methods`: the paper's methods with its grids, for the harness.
- `stages`: which trials are run, in which order, and with which settings.
- `theorem`: the distance to the minimiser, step by step, and the two parts of it.
- `measured`: what figures and claims ask of rows.
- `figures`, `claims`, `page`: what is told.
- `reproduce`: all of it, from a folder of data to a folder of results.
"""
