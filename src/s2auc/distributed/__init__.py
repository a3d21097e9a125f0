"""The same rows, search and scores on machines that Dask runs: nothing of the method.

Nothing below imports this package or Dask; lower packages find `engine` by its name (`s2auc.data.tables.engines`). A
result never depends on the worker that made it: tasks are functions of partitions, results are merged in the order of
partitions, and results of a lost worker are made again.
"""
