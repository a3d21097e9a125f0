"""Rows, columns and labels as numbers.

In the order data flows:

- `labels`, `label_values`, `labeled_rows`, `label_weights`, `label_checks`: what y means; which rows are positive,
  negative or unlabelled, how much each counts, and whether there are enough.
- `tables`: what counts as a table, and what everything else is told.
- `date_parts`, `frames`, `column_matching`, `learnt_columns`, `schema`: what the columns of a table are, and how a data
  frame becomes numbers.
- `categorical_choice`, `identifiers`, `learning`: which columns hold categories, which name rows, what all mean.
- `lazy_table`: what a table offers whose rows are read when they are needed.
- `table_files`, `arrow_pieces`, `arrow_files`, `arrow_frames`, `text_types`, `csv_files`, `libsvm_files`: from files
  and frames to columns that are read piece by piece.
- `arrow_columns`, `column_studies`, `arrow_learning`, `arrow_rows`, `arrow_table`, `matrix_table`: what these columns
  mean, and their rows.
- `engines`: who opens collections whose rows are on other machines.
- `asked_columns`, `table_description`, `table`: the handle that users hold.
- `rows`, `source`, `dense`, `sparse_structure`, `sparse`, `combined`, `other_rows`, `scanned_once`, `finite`,
  `opening`, `matching`: where rows come from.
- `projection`: very many columns brought down to some components.
- `training_rows`: the rows of a fit.
- `column_summary`, `encoding`, `column_scaling`: what happens to columns before a kernel sees them.
- `shift`: whether labelled and unlabelled rows can come from one place.

A new kind of source derives from `RowSource`; nothing else needs to know of it.
"""

from s2auc.data.column_scaling import SCALINGS, ColumnScaling, prepare_columns
from s2auc.data.combined import ChainedRows, FiniteRows, SelectedRows
from s2auc.data.dense import DenseRows
from s2auc.data.labels import Labels, read_known_labels, read_labels
from s2auc.data.learning import learn_schema
from s2auc.data.opening import open_source
from s2auc.data.rows import Rows, dense_rows, stack_rows
from s2auc.data.schema import Schema
from s2auc.data.source import RowSource
from s2auc.data.sparse import SparseRows
from s2auc.data.training_rows import TrainingRows

__all__ = [
    "SCALINGS",
    "ChainedRows",
    "ColumnScaling",
    "DenseRows",
    "FiniteRows",
    "Labels",
    "RowSource",
    "Rows",
    "Schema",
    "SelectedRows",
    "SparseRows",
    "TrainingRows",
    "dense_rows",
    "learn_schema",
    "open_source",
    "prepare_columns",
    "read_known_labels",
    "read_labels",
    "stack_rows",
]
