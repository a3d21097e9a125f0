"""Rows of very many columns beside their components: what linear functions of all columns learn from."""

from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_array

from s2auc.common.arrays import FloatArray
from s2auc.data.features.co_occurrence import MAX_ROWS, have_common_components
from s2auc.data.features.encoding import Encoding
from s2auc.data.features.projection import column_units, in_units, stored_numbers
from s2auc.data.features.scaling import ColumnScaling
from s2auc.data.sources.rows import stack_rows
from s2auc.data.training_rows import TrainingRows
from s2auc.solvers.work_rows import reference_numbers


@dataclass(frozen=True, eq=False)
class WideRows:
    """Sparse rows in the units of their columns.

    Attributes
    ----------
    rows
        Labelled rows, positive first, then the reference rows: those that `WorkRows` begins with.
    units
        What each column was multiplied by.
    has_components
        Whether columns have to do with each other, so that components say something.
    """

    rows: csr_array
    units: FloatArray
    has_components: bool = True

    @classmethod
    def of_training(cls, rows: TrainingRows, seed: int) -> "WideRows":
        """Return the labelled and the reference rows of a fit, in units that these settle."""
        blocks = [rows.labeled]
        if rows.unlabeled is not None:
            blocks.append(rows.unlabeled.gather(reference_numbers(rows, seed)))
        stacked = stack_rows([stored_numbers(block) for block in blocks])
        units = column_units(csr_array(stacked))
        some = in_units(rows.sparse_sample(seed, MAX_ROWS), units)
        return cls(in_units(stacked, units), units, have_common_components(some, seed))

    @property
    def columns(self) -> ColumnScaling:
        """The same as a map of columns: it moves none of them, so that sparse rows stay sparse."""
        n_columns = len(self.units)
        return ColumnScaling(np.zeros(n_columns), self.units, Encoding.plain(np.zeros(n_columns)))
