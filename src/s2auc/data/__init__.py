"""Rows, columns and labels as numbers.

In the order data flows:

- `labels`, `label_values`, `labeled_rows`, `label_weights`, `label_checks`: which rows are positive, negative or
  unlabelled, how much each counts, and whether there are enough.
- `inputs`: the one way in. Tables of any kind become lazy rows, all else a matrix (`matrix_inputs`, `opening`); what
  the columns mean is learnt, and rows are opened by it.
- `table`, `asked_columns`, `table_description`, `lazy_table`: the handle that users hold of a table.
- `table_files`, `arrow_files`, `csv_files`, `libsvm_files`, `matrix_table`, `arrow_frames`, `engines`: files, frames
  and collections on other machines as columns (`arrow_pieces`).
- `text_readings`, `arrow_columns`: cells as numbers, codes of categories and parts of dates (`date_parts`).
- `learning`, `column_studies`, `identifiers`, `categorical_choice`, `learnt_columns`, `column_matching`, `schema`: the
  one learner, and the schema that it gives.
- `arrow_table`, `arrow_rows`: the features and labels of a table, and their rows.
- `rows`, `source`, `dense`, `sparse_structure`, `sparse`, `combined`, `other_rows`, `scanned_once`, `finite`,
  `matching`: where rows come from.
- `projection`: very many columns brought down to some components.
- `training_rows`: the rows of a fit.
- `column_summary`, `encoding`, `column_scaling`: what happens to columns before a kernel sees them.
- `shift`: whether labelled and unlabelled rows can come from one place.

A new kind of source derives from `RowSource`; nothing else needs to know of it.
"""

from s2auc.data.features.scaling import SCALINGS, ColumnScaling, prepare_columns
from s2auc.data.labels.labels import Labels, read_known_labels, read_labels
from s2auc.data.opening import open_source
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.combined import ChainedRows, FiniteRows, SelectedRows
from s2auc.data.sources.matrix_rows import DenseRows
from s2auc.data.sources.rows import Rows, dense_rows, stack_rows
from s2auc.data.sources.source import RowSource
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
    "open_source",
    "prepare_columns",
    "read_known_labels",
    "read_labels",
    "stack_rows",
]
