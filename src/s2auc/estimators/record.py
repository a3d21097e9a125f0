"""What a model's file says of how it came about: numbers and short texts, from which a report can be written."""

from typing import Any

from s2auc.data.column_scaling import ColumnSample
from s2auc.data.schema import Schema
from s2auc.data.shift import Shift
from s2auc.data.training_rows import TrainingRows
from s2auc.kernels.versions import package_versions
from s2auc.ranking.intervals import Estimate
from s2auc.search.verdict import UnlabeledVerdict


def describe_fit(estimator: str, rows: TrainingRows, sample: ColumnSample, schema: Schema, seed: int) -> dict[str, Any]:
    """Return what every fit can tell: who made the model, from which rows and columns, with which seed and versions."""
    return {
        "estimator": estimator,
        "rows": rows.sizes,
        "columns": describe_statistics(sample, schema),
        "seed": seed,
        "versions": package_versions(),
    }


def describe_statistics(sample: ColumnSample, schema: Schema) -> list[dict[str, Any]]:
    """Return name, kind and statistics of every column, in the sample that settled them."""
    found = sample.statistics
    return [
        {
            "name": name,
            "kind": "categories" if sample.is_categorical[place] else "numbers",
            "n_missing": int(found.n_missing[place]),
            "mean": float(found.mean[place]),
            "deviation": float(found.deviation[place]),
            "low": float(found.low[place]),
            "high": float(found.high[place]),
        }
        for place, name in enumerate(schema.column_labels)
    ]


def describe_estimate(estimate: Estimate | None) -> dict[str, float] | None:
    """Return an estimate with its interval, None where there is none."""
    if estimate is None:
        return None
    return {"value": estimate.value, "low": estimate.low, "high": estimate.high, "level": estimate.level}


def describe_verdict(verdict: UnlabeledVerdict) -> dict[str, Any]:
    """Return whether the unlabelled rows helped."""
    return {
        "answer": str(verdict.answer),
        "sentence": verdict.sentence,
        "difference": describe_estimate(verdict.difference),
    }


def describe_shift(shift: Shift | None) -> dict[str, Any] | None:
    """Return where labelled and unlabelled rows differ most, None where that is not known."""
    if shift is None:
        return None
    return {"column": shift.column, "p_value": shift.p_value, "class_prior": shift.class_prior}
