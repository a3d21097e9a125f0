"""The same rows, search and scores on machines that Dask runs: what is distributed, and nothing of the method.

In the order data flows:

- `clients`: the client whose workers take tasks, started for the command line; whether these can do them.
- `worker_setup`: what local workers do first.
- `tasks`: how work and its results travel, and what holds inside a worker.
- `crew`: tasks that need no partition, such as the entries of a search.
- `parts`: the partitions of a collection, and work mapped over them.
- `frame_parts`, `columns`: partitions of frames and files as columns of a table.
- `matrices`: partitions of arrays as matrices and labels.
- `rows`: the source of rows that both open.
- `engine`: the front door, which lower rooms find by its name (`s2auc.data.tables.engines`).

Nothing below this room imports it or Dask. A result never depends on which worker made it: tasks are functions of
partitions, results are merged in the order of partitions, and what a worker lost is made again.
"""
