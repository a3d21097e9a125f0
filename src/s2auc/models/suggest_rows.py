"""The rows of a table whose labels would teach a model most."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

import numpy as np

from s2auc.common.arrays import FloatArray, IndexArray
from s2auc.common.parameters import Number, Rule, Seed, check_parameters
from s2auc.common.randomness import SEED_LIMIT
from s2auc.data.column_scaling import SCALINGS, ColumnSample, prepare_columns
from s2auc.data.combined import FiniteRows
from s2auc.data.frames import is_frame
from s2auc.data.labeled_rows import find_labeled_rows
from s2auc.data.lazy_table import LabelColumn
from s2auc.data.rows import Rows, dense_rows
from s2auc.data.source import RowSource
from s2auc.data.table import Table
from s2auc.data.table_files import is_path
from s2auc.data.training_rows import most_sample_rows
from s2auc.models.bounds import finite_components
from s2auc.models.dictionary_columns import with_wide_codes
from s2auc.models.fitted_model import fitted_model
from s2auc.models.kept_columns import check_kept, checked_keep, chosen_rows, open_beside
from s2auc.models.labels_of_model import unlabeled_marker
from s2auc.models.model import Model
from s2auc.models.projected_part import ProjectedPart
from s2auc.models.record import recorded_roles
from s2auc.models.suggested_rows import MADE_COLUMNS, SuggestedRows
from s2auc.models.table_scores import BLOCK_ROWS
from s2auc.models.uncertain_rows import choose_uncertain
from s2auc.models.unlabeled_numbers import UnlabeledNumbers

_SEED = Seed(SEED_LIMIT)
_RULES: dict[str, tuple[Rule, ...]] = {"n": (Number(1, integer=True),), "random_state": (_SEED,)}


def suggest_rows(
    model: Any, X: Any, n: int = 50, *, keep: Sequence[str] | None = None, random_state: Any = 0
) -> SuggestedRows:
    """Return the rows of a table whose labels would teach a model most: look at these next, and fit again.

    They are rows whose class the model doubts, far from one another in the columns of the table. Rows that have a label
    are passed over if the table has the column of labels that the model was fitted with. Of many unlabelled rows
    20,000 are looked at, drawn at random, fewer where there are very many columns; memory does not grow with the table.

    Parameters
    ----------
    model
        A fitted classifier of this library, a `Model`, or the path of a model file.
    X
        The table: what `s2auc.open_table` gives or takes, with labels or without; or whatever rows estimators take,
        all of them unlabelled.
    n
        How many rows to suggest; all unlabelled ones if they are fewer.
    keep
        Names of columns of the table that come with the rows, such as an identifier.
    random_state
        The same seed gives the same rows.

    Returns
    -------
    SuggestedRows
        The numbers of the rows, best first, their scores and kept columns; its `write` makes a file of them.

    Raises
    ------
    ValueError, TypeError
        If something is not as said above, the columns are not those of the model, or all rows have labels.
    ImportError
        If X is a table and pyarrow is not installed: `pip install 's2auc[tables]'`.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> from s2auc import S2AUCClassifier, suggest_rows
    >>> X, truth = make_moons(500, noise=0.2, random_state=0)
    >>> ranker = S2AUCClassifier(random_state=0, max_iter=20).fit(X[:20], truth[:20], X[20:])
    >>> found = suggest_rows(ranker, X[20:], n=10)
    >>> found
    <10 rows to label of 480>
    >>> more = 20 + found.rows  # to be labelled, then fitted together with the first rows
    """
    check_parameters("suggest_rows", {"n": n, "random_state": random_state}, _RULES)
    names = checked_keep(keep, MADE_COLUMNS, "suggest_rows")
    fitted, seed = fitted_model(model, "suggest_rows"), _SEED.read(random_state)
    table = open_beside(X, fitted, names) if _is_table(X) else None
    check_kept(names, [] if table is None else table.names)
    if table is None:
        source, labels = fitted.open_rows(X), None
    else:
        source = FiniteRows(table.X.open(fitted.schema, "X"), "X", allows_missing=fitted.takes_missing)
        labels = _labels(table, fitted)
    numbers = _unlabeled(source, labels, fitted)
    drawn = numbers.drawn(max(int(n), _most_rows(fitted, source)), seed)
    source.announce(drawn)
    rows = source.gather(drawn)
    scores = fitted.score_rows(rows)
    chosen = choose_uncertain(scores, _places(rows, source, fitted), int(n))
    return SuggestedRows(
        rows=drawn[chosen],
        scores=scores[chosen],
        kept=None if table is None or not names else _kept(table, names, drawn[chosen]),
        n_rows=source.n_rows,
        n_labeled=len(numbers.labeled),
        n_looked_at=len(drawn),
        paths=() if table is None else table.paths,
    )


def _is_table(X: Any) -> bool:
    return isinstance(X, Table) or is_path(X) or is_frame(X) or hasattr(X, "__arrow_c_stream__")


def _labels(table: Table, model: Model) -> LabelColumn | None:
    """Return the labels that a table has: those it was opened with, or those of the column that the fit had them in."""
    if table.y is not None:
        return table.y
    name = recorded_roles(model.record).get("label")
    return table.column(name) if name in table.names and name not in (model.schema.source_names or ()) else None


def _unlabeled(source: RowSource, labels: LabelColumn | None, model: Model) -> UnlabeledNumbers:
    """Return the rows without a label; a ValueError if there are none."""
    labeled = np.zeros(0, dtype=np.intp)
    if labels is not None:
        labeled = find_labeled_rows(labels, unlabeled_marker(model)).numbers
    numbers = UnlabeledNumbers(source.n_rows, labeled)
    if not len(numbers):
        raise ValueError(
            f"X must have rows without a label to suggest. Got {source.n_rows:,} rows, all with labels; pass rows that "
            "nobody has looked at."
        )
    return numbers


def _projection(model: Model) -> ProjectedPart | None:
    return next((part for part in model.parts if isinstance(part, ProjectedPart)), None)


def _most_rows(model: Model, source: RowSource) -> int:
    """Return how many rows may be looked at, whose values or components are held at once."""
    projected = _projection(model)
    return most_sample_rows(source.n_columns if projected is None else projected.projection.n_components)


def _places(rows: Rows, source: RowSource, model: Model) -> FloatArray:
    """Return where rows lie: standardised columns, or components of them where the model sees components."""
    projected = _projection(model)
    if projected is not None:
        return finite_components(projected.projection, rows)
    values = dense_rows(rows)
    return prepare_columns(ColumnSample.of_rows(values, source.schema), SCALINGS["standard"]).apply(values)


def _kept(table: Table, names: list[str], numbers: IndexArray) -> Any:
    """Return kept columns of some rows, in their order, as a table of pyarrow."""
    batches = map(with_wide_codes, table.batches(names, BLOCK_ROWS))
    first = next(batches)
    rows, _ = chosen_rows(chain([first], batches), np.sort(numbers), first.schema)
    return rows.take(np.argsort(np.argsort(numbers)))
