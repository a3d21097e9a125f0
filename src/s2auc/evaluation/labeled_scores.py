"""The scores of labelled rows alone, from which a model is judged."""

import numpy as np

from s2auc.common.arrays import FloatArray
from s2auc.data.labels.labels import Labels
from s2auc.data.sources.combined import SelectedRows
from s2auc.data.sources.source import RowSource
from s2auc.models.model import Model


def score_labeled(model: Model, rows: RowSource, labels: Labels) -> FloatArray:
    """Return the decision function of the labelled rows, positive ones first; others are not scored.

    Parameters
    ----------
    model
        What scores.
    rows
        All rows, opened by the schema of the model.
    labels
        One for each of them; rows without weight count as if they had none.
    """
    labeled = labels.labeled
    scores = model.score_source(SelectedRows(rows, labeled))
    return scores[np.searchsorted(labeled, labels.positive_first())]
