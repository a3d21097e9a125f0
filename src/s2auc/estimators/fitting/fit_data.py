"""The rows of a fit, opened once for all classifiers and baselines, and the rows to score."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from sklearn.utils.validation import validate_data

from s2auc.common.arrays import AnyArray, BoolArray, FloatArray, is_missing
from s2auc.common.errors import InputTypeError
from s2auc.common.user_warnings import frames_of, warn_user
from s2auc.data.features.projection import Projection
from s2auc.data.features.scaling import ColumnSample
from s2auc.data.features.summary import check_varying
from s2auc.data.inputs import as_rows, learn_schema, mark_texts, open_rows, open_terms
from s2auc.data.labels.checks import check_lengths
from s2auc.data.labels.label_facts import read_random_labels, read_time
from s2auc.data.labels.labeled_rows import KnownLabels
from s2auc.data.labels.labels import Labels, read_known_labels, read_labels
from s2auc.data.labels.rules import LabelRule
from s2auc.data.labels.values import labeled_values, present_values
from s2auc.data.labels.weights import weigh_labels
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.combined import ChainedRows, ExcludedRows
from s2auc.data.sources.rows import dense_rows
from s2auc.data.sources.source import RowSource
from s2auc.data.tables.engines import open_labels
from s2auc.data.tables.frames import is_table
from s2auc.data.tables.lazy_table import LazyRows
from s2auc.data.tables.paths import is_path
from s2auc.data.tables.table import Table, open_table
from s2auc.data.training_rows import TrainingRows
from s2auc.estimators.fitting.rules import SEED
from s2auc.models.parts.kinds import ProjectedPart
from s2auc.models.parts.part import Part
from s2auc.search.folds import read_groups

_INSTEAD = "fit this estimator by itself, or give the other one labelled rows only"


MISREADINGS = (
    (
        "sklearn.calibration",
        None,
        "CalibratedClassifierCV takes them for a class of their own, so that its probabilities mean nothing",
        "calibrate on labelled rows that the fit did not use, CalibratedClassifierCV(FrozenEstimator(fitted)).fit(X, "
        "y), or use S2AUCClassifierCV, whose predict_proba is calibrated",
    ),
    (
        "sklearn.multiclass",
        None,
        "classifiers of sklearn.multiclass take them for a class of their own, so that their predictions mean nothing",
        _INSTEAD,
    ),
    (
        "sklearn.ensemble",
        None,
        "ensembles of scikit-learn take them for a class of their own, so that they are learnt as negative rows or as "
        "a third class",
        _INSTEAD,
    ),
    (
        "sklearn.model_selection._classification_threshold",
        "TunedThresholdClassifierCV",
        "TunedThresholdClassifierCV takes them for a class of their own, so that they count as negative rows",
        "tune on labelled rows that the fit did not use, with cv='prefit' and refit=False",
    ),
)
"""Code that misreads unlabelled rows: its module, its class (None for all), what it makes of them, and what to do.

Neither those that refuse such rows are here, nor those that leave them to the estimator, as grid searches do.
"""


def warn_of_meta_estimators(unlabeled: Any) -> None:
    """Warn if a meta-estimator on the way to this fit was given rows marked as unlabelled, and misreads them.

    Parameters
    ----------
    unlabeled
        The marker of unlabelled rows.
    """
    for module, owner, what, instead in MISREADINGS:
        scopes = [frame.f_locals for frame in frames_of(module)]
        given = [scope.get("y") for scope in scopes if owner in (None, type(scope.get("self")).__name__)]
        if any(_holds_marked(y, unlabeled) for y in given):
            warn_user(f"y holds rows that are marked as unlabelled: {what}. Instead, {instead}.")


def _holds_marked(y: Any, unlabeled: Any) -> bool:
    """Return whether labels that others were given hold the marker, or are missing; False if they are no labels."""
    if y is None:
        return False
    try:
        values, is_unlabeled = present_values(y)
        _, missing, marked = labeled_values(values, None if is_missing(unlabeled) else unlabeled)
    except (TypeError, ValueError):
        return False
    return bool(is_unlabeled.any() or missing.any() or marked.any())


POOL = "X_unlabeled"
"""The name of the parameter with more unlabelled rows."""


def open_labeled(X: Any, y: Any) -> tuple[Any, Any]:
    """Return rows and their labels; the name of a column, as y, stands for the labels of a table.

    Examples
    --------
    >>> rows, labels = open_labeled({"age": [31, 45], "fraud": ["1", ""]}, "fraud")
    >>> rows.names, labels.n_rows
    (['age'], 2)
    """
    if not isinstance(y, str):
        return X, open_labels(y)
    if not (isinstance(X, Table) or is_path(X) or is_table(X)):
        raise InputTypeError(
            "be a table where y is the name of one of its columns",
            parameter="X",
            found=f"{type(X).__name__} and y={y!r}",
            fix="pass one label per row",
        )
    table = X.dropping([], {"label": y}) if isinstance(X, Table) else open_table(X, label=y)
    return table.X, table.column(y)


def open_scored(ranker: Any, X: Any) -> RowSource:
    """Open rows to score by the schema of a fitted classifier, with scikit-learn's own checks of their columns."""
    rows, schema = as_rows(X), ranker.model_.schema
    _check_columns(type(ranker), rows, schema)
    return open_rows(rows, schema, allows_missing=ranker._allows_missing, min_rows=1)


def passed_columns(schema: Schema) -> dict[str, Any]:
    """Return what scikit-learn wants to know of columns: `n_features_in_`, and `feature_names_in_` if they have any."""
    columns: dict[str, Any] = {"n_features_in_": schema.n_passed}
    # Numbers are no names to scikit-learn.
    if schema.names is not None and not all(str(name).isdecimal() for name in schema.passed_names):
        columns["feature_names_in_"] = np.array(schema.passed_names, dtype=object)
    return columns


def _check_columns(kind: type, X: Any, schema: Schema) -> None:
    """Raise scikit-learn's error, or give its warning, if a matrix has other columns than a schema."""
    if isinstance(X, LazyRows | RowSource):
        return
    expecting: Any = object.__new__(kind)
    vars(expecting).update(passed_columns(schema))
    validate_data(expecting, X, reset=False, skip_check_array=True)


def _open_pool(ranker: Any, X_unlabeled: Any, schema: Schema) -> RowSource | None:
    """Open more unlabelled rows; None if there are none."""
    if X_unlabeled is None:
        return None
    try:
        _check_columns(type(ranker), X_unlabeled, schema)
    except ValueError as error:  # which calls them X
        raise ValueError(f"X_unlabeled cannot be used: {error}") from error
    pool = open_rows(X_unlabeled, schema, POOL, allows_missing=ranker._allows_missing)
    return pool if pool.n_rows else None


def _training_rows(source: RowSource, labels: Labels, pool: RowSource | None) -> TrainingRows:
    """Return labelled rows, gathered when they are first asked for, and the sources of unlabelled ones."""
    unlabeled = pool
    if labels.n_unlabeled:
        marked = ExcludedRows(source, labels.not_unlabeled)
        unlabeled = marked if pool is None else ChainedRows(marked, pool)
    numbers = labels.positive_first()
    source.announce(numbers)
    return TrainingRows(lambda: source.gather(numbers), labels.order, unlabeled)


def _open_terms(rows: Any, pool: Any, schema: Schema, labels: Labels) -> TrainingRows | None:
    """Return the terms of the text columns of labelled and unlabelled rows; None if there are no such columns."""
    source = open_terms(rows, schema)
    more = None if pool is None else open_terms(pool, schema, POOL)
    return (
        None if source is None else _training_rows(source, labels, more if more is not None and more.n_rows else None)
    )


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
    is_random
        Which labelled rows were drawn at random, positive ones first; None if nobody said so.
    time
        The time of every labelled row, positive ones first; None where no times were given.
    label_rule
        The rule that made two classes of the labels; None where there are just two.
    terms
        The terms of the text columns of the same rows; None where there are no such columns.
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
    label_rule: LabelRule | None = None
    terms: TrainingRows | None = None
    is_random: BoolArray | None = None
    time: FloatArray | None = None

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
        random_labels: Any = None,
        time: Any = None,
        classes: AnyArray | None = None,
        goes_on: bool = False,
    ) -> "FitData":
        """Open what a fit is given.

        Parameters
        ----------
        ranker
            The classifier, of which parameters are read; nothing is set.
        X, y, X_unlabeled, sample_weight, groups, random_labels, time
            What `fit` was called with.
        classes
            The negative and the positive class, where they are known before y is read.
        goes_on
            Whether the classifier goes on from its model, whose schema and seed then stay.
        """
        if y is None:
            raise ValueError(f"{type(ranker).__name__} requires y to be passed, but the target y is None.")
        X, y = open_labeled(X, y)
        rows, pool = as_rows(X), None if X_unlabeled is None else as_rows(X_unlabeled, POOL)
        if goes_on:
            schema, roles = ranker.model_.schema, ranker.model_.record.get("table", {})
            _check_columns(type(ranker), rows, schema)
        else:
            rows = mark_texts(rows, getattr(ranker, "text_features", None))
            schema = learn_schema(rows, getattr(ranker, "categorical_features", None), pool)
            roles = dict(rows.roles) if isinstance(rows, LazyRows) else {}
        warn_of_meta_estimators(ranker.unlabeled)
        source = open_rows(rows, schema, allows_missing=ranker._allows_missing, min_rows=1)
        if classes is None:
            labels = read_labels(y, unlabeled=ranker.unlabeled, pos_label=ranker.pos_label)
        else:
            labels = read_known_labels(y, classes, unlabeled=ranker.unlabeled)
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
            is_random=read_random_labels(random_labels, labels),
            time=read_time(time, labels),
            label_rule=y.rule if isinstance(y, KnownLabels) else None,
            terms=_open_terms(rows, pool, schema, labels),
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
        """The schema of the columns that models see."""
        return self.schema if self.projection is None else Schema(self.projection.n_components, {})

    def sample_columns(self) -> ColumnSample:
        """Return a sample of all rows as models see them, which settles what happens to columns."""
        rows = self.model_rows
        rows.announce(rows.sample_numbers(self.seed))
        sample = ColumnSample.of_rows(dense_rows(rows.sample(self.seed)), self.model_schema)
        check_varying(sample.statistics, sample.n_rows, self.model_schema.called_columns)
        return sample

    def parts_of_rows(self, parts: tuple[Part, ...]) -> tuple[Part, ...]:
        """Return parts that score rows as they come, given parts that score what models see."""
        return parts if self.projection is None or not parts else (ProjectedPart(self.projection, parts),)
