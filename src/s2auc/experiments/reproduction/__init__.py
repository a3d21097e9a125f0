"""The experiments of the paper, run again: what it says, what is measured, and whether they agree.

- `protocol`: the datasets and the grid of the paper, and how much a run covers.
- `paper_methods`: the paper's methods with its grids, for the harness.
- `stages`: which trials are run, in which order, and with which settings.
- `theorem`: the distance to the minimiser, step by step, and the two parts of it.
- `measured`, `quantities`: what figures, tables and claims ask of rows.
- `figures`, `report_tables`, `claims`, `page`: the report; `texts`: its words.
- `reproduce`: all of it, from a folder of data to a folder of results.
"""
