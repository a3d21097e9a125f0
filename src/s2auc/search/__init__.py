"""Settings chosen by cross-validation: whole grids trained together, and the choice judged on unseen folds.

`procedure.search_settings` is the search as a whole. A new way to select is an entry of `selection.SELECTIONS`; a new
member of averages is a class as `grids.grid.Entry` describes, and a line in `grids.make_grid`.
"""
