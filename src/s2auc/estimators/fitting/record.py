"""What a model's file says of how it came about: numbers and short texts, from which a report can be written."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator

from s2auc.data.features.scaling import ColumnSample
from s2auc.data.features.shift import Shift
from s2auc.data.schema.schema import Schema
from s2auc.estimators.fitting.fit_data import FitData
from s2auc.estimators.fitting.leakage import NamedColumn
from s2auc.kernels.versions import package_versions
from s2auc.models.record import (
    Record,
    RecordedColumn,
    RecordedColumnLeak,
    RecordedEstimate,
)
from s2auc.ranking.intervals import Estimate
from s2auc.search.label_sampling import SamplingVerdict
from s2auc.search.learning_curve import LearningCurve
from s2auc.search.verdict import UnlabeledVerdict

MAX_CHARACTERS = 1000
"""Longer texts among parameters are cut."""

MAX_TELLING = 20
"""Columns that alone tell the label, of which a record tells."""

SILENT_PARAMETERS = frozenset({"checkpoint", "n_jobs", "random_state", "verbose"})
"""Parameters that a model does not depend on; the seed that comes from `random_state` is told apart."""


def describe_fit(estimator: BaseEstimator, data: FitData, sample: ColumnSample) -> Record:
    """Return what every fit can tell: who made the model, how, from which rows and columns, with which versions.

    "table" names the columns that were not learnt from because they are labels, or something else that is known.

    Of columns that were projected the sample has components: it tells how many there are, and nothing of each.
    """
    n_components = None if data.projection is None else data.projection.n_components
    rule: Record = {} if data.label_rule is None else {"label_rule": data.label_rule.as_dict()}
    return {
        "estimator": type(estimator).__name__,
        "settings": describe_parameters(estimator),
        "rows": data.rows.sizes,
        "table": dict(data.roles),
        **rule,
        "columns": [] if n_components else describe_statistics(sample, data.schema),
        "n_sampled": sample.n_rows,
        "n_components": n_components,
        "seed": data.seed,
        "versions": package_versions(),
    }


def describe_parameters(estimator: BaseEstimator) -> dict[str, Any]:
    """Return the parameters of an estimator as numbers and short texts; objects by their name and parameters.

    Examples
    --------
    >>> from s2auc.solvers.qsg.qsg import QSG
    >>> describe_parameters(QSG(step_scale=0.5))
    {'average': True, 'pairing': 'all', 'schedule': 'shifted', 'step_scale': 0.5}
    """
    given = estimator.get_params(deep=False)
    return {name: _plain(value) for name, value in given.items() if name not in SILENT_PARAMETERS}


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int | str) or (isinstance(value, float) and isfinite(value)):
        return value[:MAX_CHARACTERS] if isinstance(value, str) else value
    if _is_list(value) and not any(map(_is_list, value)):
        return [_plain(entry) for entry in value]
    if isinstance(value, BaseEstimator):
        return {"name": type(value).__name__, **describe_parameters(value)}
    text = repr(value)
    # The usual text of an object holds its place in memory, which is another one in every run.
    return f"{type(value).__name__}(...)" if text.startswith("<") else text[:MAX_CHARACTERS]


def _is_list(value: Any) -> bool:
    return isinstance(value, list | tuple | np.ndarray)


def describe_settings(results: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the settings of a search, from its `cv_results_`, each with its mean score; None where it is not known."""
    means = results["mean_test_score"]
    members = [{"member": str(member)} for member in results["member"]] if "member" in results else [{}] * len(means)
    return [
        member
        | {name: _plain(value) for name, value in parameters.items()}
        | {"mean_auc": float(mean) if np.isfinite(mean) else None}
        for member, parameters, mean in zip(members, results["params"], means, strict=True)
    ]


def describe_statistics(sample: ColumnSample, schema: Schema) -> list[RecordedColumn]:
    """Return name, kind and statistics of every column, in the sample that settled them."""
    found = sample.statistics
    return [
        {
            "name": name,
            "kind": "categories" if sample.schema.is_categorical[place] else "numbers",
            "n_missing": int(found.n_missing[place]),
            "mean": float(found.mean[place]),
            "deviation": float(found.deviation[place]),
            "low": float(found.low[place]),
            "high": float(found.high[place]),
        }
        for place, name in enumerate(schema.column_labels)
    ]


def describe_estimate(estimate: Estimate) -> RecordedEstimate:
    """Return an estimate with its interval."""
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high, "level": estimate.level}


def describe_findings(
    held_out_auc: Estimate | None,
    verdict: UnlabeledVerdict,
    curve: LearningCurve | None,
    shift: Shift | None,
) -> Record:
    """Return how good a search found its choice, whether unlabelled rows and more labels help, and how rows differ."""
    points = () if curve is None else curve.points
    return {
        "held_out_auc": None if held_out_auc is None else describe_estimate(held_out_auc),
        "unlabeled": {
            "answer": str(verdict.answer),
            "sentence": verdict.sentence,
            "difference": None if verdict.difference is None else describe_estimate(verdict.difference),
        },
        "learning_curve": [{"n_labels": point.n_labels, **describe_estimate(point.auc)} for point in points],
        "learning_curve_sentence": None if curve is None else curve.sentence,
        "shift": None
        if shift is None
        else {"column": shift.column, "p_value": shift.p_value, "class_prior": shift.class_prior},
    }


def describe_labels(sampling: SamplingVerdict, telling: Sequence[NamedColumn], repeated: str) -> Record:
    """Return what a search found out about labels: how rows were chosen, what gives them away, what repeats."""
    unweighted = sampling.unweighted_auc
    columns: list[RecordedColumnLeak] = [
        {"name": each.name, "auc": each.auc, "sentence": each.sentence} for each in telling[:MAX_TELLING]
    ]
    return {
        "label_sampling": {
            "answer": str(sampling.answer),
            "sentence": sampling.sentence,
            "top_share": sampling.top_share,
            "unweighted_auc": None if unweighted is None else describe_estimate(unweighted),
        },
        "telling_columns": columns,
        "repeated_rows": repeated,
    }
