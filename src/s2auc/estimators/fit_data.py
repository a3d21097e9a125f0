"""The rows of a fit, opened once for all classifiers and baselines, and the rows to score.

All calls that learn what columns are, or open rows, are in three functions: `normalise_rows` takes what users pass,
`learn_columns` learns a schema, and `open_rows` opens rows by a schema.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.utils.validation import validate_data

from s2auc.common.arrays import AnyArray
from s2auc.data.column_scaling import ColumnSample
from s2auc.data.combined import ChainedRows, FiniteRows
from s2auc.data.engines import open_elsewhere, open_rows_elsewhere
from s2auc.data.frames import is_frame
from s2auc.data.label_checks import check_lengths
from s2auc.data.label_weights import weigh_labels
from s2auc.data.labels import Labels, read_known_labels, read_labels
from s2auc.data.lazy_table import LazyRows
from s2auc.data.learning import learn_lazy_tables, learn_tables
from s2auc.data.matching import check_source
from s2auc.data.opening import open_table
from s2auc.data.other_rows import OtherRows
from s2auc.data.projection import Projection
from s2auc.data.rows import dense_rows
from s2auc.data.scanned_once import ScannedOnce
from s2auc.data.schema import Schema
from s2auc.data.source import RowSource
from s2auc.data.sparse_structure import checked_structure
from s2auc.data.tables import as_table
from s2auc.data.training_rows import TrainingRows
from s2auc.estimators.meta_estimators import warn_of_meta_estimators
from s2auc.estimators.rules import SEED
from s2auc.models import Part, ProjectedPart
from s2auc.models.record import recorded_roles
from s2auc.search.splitting import read_groups

POOL = "X_unlabeled"
"""The name of the parameter with more unlabelled rows."""


def normalise_rows(X: Any, called: str = "X") -> Any:
    """Return rows as users pass them in one of three forms: lazy rows, a source of rows, or a table.

    A table is a data frame, an array or a sparse matrix in canonical CSR form.
    """
    X = open_rows_elsewhere(X)
    return X if isinstance(X, LazyRows | RowSource) else checked_structure(as_table(X, called), called)


def normalise_labels(y: Any) -> Any:
    """Return labels as users pass them, with collections opened whose rows are on other machines."""
    return open_elsewhere(None, y)[1]


def learn_columns(
    X: Any, X_unlabeled: Any, categorical_features: str | Sequence[str | int] | None
) -> tuple[Schema, Any]:
    """Learn what the columns of normalised rows are; return the schema, and the unlabelled rows to open by it."""
    if isinstance(X, LazyRows) or isinstance(X_unlabeled, LazyRows):
        return learn_lazy_tables(X, X_unlabeled, categorical_features), X_unlabeled
    if not isinstance(X, RowSource):
        return learn_tables(X, X_unlabeled, categorical_features)
    if not isinstance(categorical_features, str | None):
        raise ValueError(
            "categorical_features must be left alone where X is a source of rows, whose schema names its "
            f"categories. Got {categorical_features!r}; mark the columns in the schema."
        )
    return X.schema, X_unlabeled


def open_rows(X: Any, schema: Schema, called: str = "X", *, allows_missing: bool) -> RowSource:
    """Open normalised rows by a schema, as a source of numbers that are checked when they are read at the latest."""
    if isinstance(X, LazyRows):
        X = ScannedOnce(X.open(schema, called), X.origin)
    if isinstance(X, RowSource):
        check_source(X, schema, called)
        return FiniteRows(X, called, allows_missing=allows_missing)
    return open_table(X, schema, called, allows_missing=allows_missing, fewest_rows=0 if called == POOL else 1)


def open_scored(ranker: Any, X: Any) -> RowSource:
    """Open rows to score by the schema of a fitted classifier."""
    return _open_later(ranker, normalise_rows(X))


def _open_later(ranker: Any, X: Any) -> RowSource:
    """Open normalised rows by the schema of a fitted classifier, with scikit-learn's own checks of their columns."""
    schema: Schema = ranker.model_.schema
    if is_frame(X):
        X = schema.align(X)
    # A schema with names has just found the columns of a data frame.
    if schema.names is None or not is_frame(X):
        _check_columns(type(ranker), X, schema)
    return open_rows(X, schema, allows_missing=ranker._allows_missing)


def passed_columns(schema: Schema) -> dict[str, Any]:
    """Return what scikit-learn wants to know of columns: `n_features_in_`, and `feature_names_in_` if they have any."""
    columns: dict[str, Any] = {"n_features_in_": schema.n_passed}
    # Names are all text or all whole numbers, which scikit-learn takes for none.
    if schema.names is not None and isinstance(schema.names[0], str):
        columns["feature_names_in_"] = np.array(schema.passed_names, dtype=object)
    return columns


def _check_columns(kind: type, X: Any, schema: Schema) -> None:
    """Raise scikit-learn's error, or give its warning, if a table has other columns than a schema."""
    if isinstance(X, LazyRows | RowSource):
        return
    expecting: Any = object.__new__(kind)
    vars(expecting).update(passed_columns(schema))
    validate_data(expecting, X, reset=False, skip_check_array=True)


def _open_pool(ranker: Any, X_unlabeled: Any, schema: Schema) -> RowSource | None:
    """Open more unlabelled rows; None if there are none."""
    if X_unlabeled is None:
        return None
    if not is_frame(X_unlabeled):
        try:
            _check_columns(type(ranker), X_unlabeled, schema)
        except ValueError as error:  # which calls them X
            raise ValueError(f"X_unlabeled cannot be used: {error}") from error
    pool = open_rows(X_unlabeled, schema, POOL, allows_missing=ranker._allows_missing)
    return pool if pool.n_rows else None


def _read_labels(ranker: Any, y: Any, classes: AnyArray | None) -> Labels:
    """Return what normalised labels mean, given the negative and the positive class if these are known."""
    if classes is None:
        return read_labels(y, unlabeled=ranker.unlabeled, pos_label=ranker.pos_label)
    return read_known_labels(y, classes, unlabeled=ranker.unlabeled)


def _training_rows(source: RowSource, labels: Labels, pool: RowSource | None) -> TrainingRows:
    """Return labelled rows, gathered when they are first asked for, and the sources of unlabelled ones."""
    unlabeled = pool
    if labels.n_unlabeled:
        marked = OtherRows(source, labels.not_unlabeled)
        unlabeled = marked if pool is None else ChainedRows(marked, pool)
    numbers = labels.positive_first()
    source.announce(numbers)
    return TrainingRows(lambda: source.gather(numbers), labels.order, unlabeled)


@dataclass(frozen=True, eq=False)
class FitData:
    """Everything that a fit is given, opened and checked.

    Attributes
    ----------
    schema
        What the columns are.
    source
        The rows of X.
    labels
        What y means, and how much each labelled row counts.
    rows
        Labelled rows, and the source of unlabelled ones.
    seed
        The seed of all draws.
    roles
        Columns of the table that are labels, row IDs or groups, by role.
    is_positive_unlabeled
        Whether there are no negative rows, so that the negative class has a made-up name.
    groups
        The group of every labelled row, positive ones first; None where no groups were given.
    has_pool
        Whether unlabelled rows were passed next to X.
    projection
        The components that models see in the place of very many columns; None where they see the columns.
    """

    schema: Schema
    source: RowSource
    labels: Labels
    rows: TrainingRows
    seed: int
    roles: Mapping[str, str]
    is_positive_unlabeled: bool
    groups: AnyArray | None = None
    has_pool: bool = False
    projection: Projection | None = None

    @classmethod
    def open(
        cls,
        ranker: Any,
        X: Any,
        y: Any,
        X_unlabeled: Any = None,
        *,
        sample_weight: Any = None,
        groups: Any = None,
        classes: AnyArray | None = None,
        goes_on: bool = False,
    ) -> "FitData":
        """Open what a fit is given.

        Parameters
        ----------
        ranker
            The classifier, of which parameters are read; nothing is set.
        X, y, X_unlabeled, sample_weight, groups
            What `fit` was called with.
        classes
            The negative and the positive class, where they are known before y is read.
        goes_on
            Whether the classifier goes on from its model, whose schema and seed then stay.
        """
        if y is None:
            raise ValueError(f"{type(ranker).__name__} requires y to be passed, but the target y is None.")
        X, y = normalise_rows(X), normalise_labels(y)
        pool = None if X_unlabeled is None else normalise_rows(X_unlabeled, POOL)
        if goes_on:
            schema, roles = ranker.model_.schema, recorded_roles(ranker.model_.record)
        else:
            schema, pool = learn_columns(X, pool, getattr(ranker, "categorical_features", None))
            roles = dict(X.roles) if isinstance(X, LazyRows) else {}
        warn_of_meta_estimators(ranker.unlabeled)
        source = _open_later(ranker, X) if goes_on else open_rows(X, schema, allows_missing=ranker._allows_missing)
        labels = _read_labels(ranker, y, classes)
        check_lengths(source, labels)
        labels = weigh_labels(labels, sample_weight)
        # Known classes have names of their own, unless the first rows of the model had no negative ones.
        has_no_negative = not labels.n_negative if classes is None else goes_on and ranker._is_positive_unlabeled_
        return cls(
            schema=schema,
            source=source,
            labels=labels,
            groups=read_groups(groups, labels),
            rows=_training_rows(source, labels, _open_pool(ranker, pool, schema)),
            seed=ranker.seed_ if goes_on else SEED.read(ranker.random_state),
            roles=roles,
            is_positive_unlabeled=has_no_negative,
            has_pool=pool is not None,
        )

    def attributes(self) -> dict[str, Any]:
        """Return the fitted attributes that follow from the rows alone."""
        return {
            "classes_": self.labels.classes,
            "seed_": self.seed,
            "_is_positive_unlabeled_": self.is_positive_unlabeled,
            **passed_columns(self.schema),
        }

    @cached_property
    def model_rows(self) -> TrainingRows:
        """The rows as models see them: by their columns, or by their components."""
        return self.rows if self.projection is None else self.rows.projected(self.projection)

    @property
    def model_schema(self) -> Schema:
        """What the columns are that models see."""
        return self.schema if self.projection is None else Schema(self.projection.n_components, {})

    def sample_columns(self) -> ColumnSample:
        """Return a sample of all rows as models see them, which settles what happens to columns."""
        rows = self.model_rows
        rows.announce(rows.sample_numbers(self.seed))
        return ColumnSample.of_rows(dense_rows(rows.sample(self.seed)), self.model_schema)

    def parts_of_rows(self, parts: tuple[Part, ...]) -> tuple[Part, ...]:
        """Return parts that score rows as they come, given parts that score what models see."""
        return parts if self.projection is None or not parts else (ProjectedPart(self.projection, parts),)
