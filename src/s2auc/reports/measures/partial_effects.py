"""How a column moves the score: the mean score of rows, were the column to hold this value or that in all of them."""

from dataclasses import dataclass

import numpy as np

from s2auc.common.arrays import FloatArray
from s2auc.data.sources.rows import Rows, count_rows, dense_rows
from s2auc.models.model import Model
from s2auc.reports.measures.source_columns import repeated

N_POINTS = 20
"""Values of a column of numbers."""

MAX_CATEGORIES = 12
"""Values of a column of categories: the most frequent ones."""


@dataclass(frozen=True, eq=False)
class PartialEffect:
    """The mean score by the value of a column.

    Attributes
    ----------
    values, scores
        Values that the column holds, rising, and the mean score of rows that all hold it. Of categories, codes.
    shares
        The share of rows that hold each value, if all that the column holds are among the values; else None.
    seen
        All values that rows hold, without missing ones.
    missing_share, missing_score
        The share of rows without a value, and the mean score if none had one; None if all have.
    """

    values: FloatArray
    scores: FloatArray
    shares: FloatArray | None
    seen: FloatArray
    missing_share: float
    missing_score: float | None

    @property
    def all_scores(self) -> FloatArray:
        """The scores, with that of rows without a value if there are any."""
        return self.scores if self.missing_score is None else np.append(self.scores, self.missing_score)


def partial_effect(model: Model, rows: Rows, number: int, *, by_category: bool = False) -> PartialEffect:
    """Return the mean score of rows by the value of one column, all others as they are.

    Parameters
    ----------
    model
        What scores.
    rows
        Some rows by the columns of the model, dense or sparse.
    number
        The column.
    by_category
        Whether values are categories: the most frequent ones are taken, else values at equal shares of rows.

    Examples
    --------
    >>> from s2auc import S2AUCClassifier
    >>> rows = np.random.default_rng(0).normal(size=(80, 2))
    >>> ranker = S2AUCClassifier(random_state=0, max_iter=50).fit(rows, rows[:, 1] > 0, rows)
    >>> found = partial_effect(ranker.model_, rows, 1)
    >>> bool(found.scores[-1] > found.scores[0]), len(found.values)
    (True, 20)
    """
    column = dense_rows(rows[:, number : number + 1])[:, 0]
    seen = column[~np.isnan(column)]
    distinct, counts = np.unique(seen, return_counts=True)
    if by_category or len(distinct) <= N_POINTS:
        kept = np.sort(np.argsort(-counts, kind="stable")[: MAX_CATEGORIES if by_category else None])
        values, shares = distinct[kept], counts[kept] / max(1, len(column))
    else:
        values, shares = np.unique(np.quantile(seen, np.linspace(0.01, 0.99, N_POINTS), method="inverted_cdf")), None
    has_missing = len(seen) < len(column)
    asked = np.append(values, np.nan) if has_missing else values
    scores = np.zeros(0)
    if len(asked):
        scores = model.score_rows(repeated(rows, number, asked)).reshape(len(asked), count_rows(rows)).mean(axis=1)
    missing_share = 1.0 - len(seen) / max(1, len(column))
    missing_score = float(scores[-1]) if has_missing else None
    return PartialEffect(values, scores[: len(values)], shares, seen, missing_share, missing_score)
