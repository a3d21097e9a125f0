"""Components in the place of very many columns: learnt where rows are sparse, before a fit is planned."""

from dataclasses import replace
from reprlib import repr as shown

import numpy as np

from s2auc.common.memory import check_fits
from s2auc.data.features.projection import MANY_COLUMNS, components_wanted, learn_projection
from s2auc.estimators.fitting.fit_data import FitData

PROJECTION_ROWS = 10_000
"""Unlabelled rows that, with the labelled ones, settle the components."""


def project(data: FitData, asked: int | str | None, owner: str) -> FitData:
    """Return the data of a fit with its projection, which is learnt if rows are sparse and have very many columns.

    Rows are read only if there is one to learn.

    Parameters
    ----------
    data
        The rows of the fit.
    asked
        The parameter `sparse_components`.
    owner
        The name of the classifier.

    Raises
    ------
    ValueError
        If what is asked for cannot be had.
    MemoryError
        If the components do not fit in memory.
    """
    # Few columns are never projected unless asked for, and on other machines it takes a task to see if rows are sparse.
    if data.schema.n_columns <= MANY_COLUMNS and isinstance(asked, str | None):
        return data
    no_rows = data.source.gather(np.zeros(0, dtype=np.intp))
    wanted = components_wanted(asked, no_rows, data.schema)
    if wanted is None:
        return data
    sample = data.rows.sparse_sample(data.seed, PROJECTION_ROWS)
    check_fits(
        # Both sides of the decomposition, and what power iterations make of them.
        2 * 8 * min(wanted, *sample.shape) * sum(sample.shape),
        f"The 'sparse_components' parameter of {owner}, {shown(asked)},",
        "use fewer, such as 100",
    )
    return replace(data, projection=learn_projection(sample, wanted, data.seed))
