"""A description of a model and of how it was fitted, as values that JSON can carry."""

from collections.abc import Mapping
from copy import deepcopy
from typing import Any

from s2auc.common.docstrings import describes_parameters_like
from s2auc.models.fitted_model import fitted_model
from s2auc.models.record import Record
from s2auc.models.summary import count_parts

_ESTIMATE = "value", "low", "high", "level"


@describes_parameters_like()
def inspect_model(model: Any) -> dict[str, Any]:
    """Return what a model is and how it came about, as texts, numbers, booleans, None, lists and dicts of these.

    What the record of the model does not tell is None, or an empty list.

    Parameters
    ----------
    model
        A fitted classifier of this library, a `Model`, or the path of a model file.

    Returns
    -------
    dict
        "fitted_by", the name of the classifier; "classes", the negative one first; "n_columns", "columns" (names, None
        if they have none), "n_categorical" and "left_out"; "parts", how many there are of each kind; "n_numbers", which
        they keep; "has_probabilities"; "threshold", above which rows are predicted positive; "held_out_auc" with
        "value", "low", "high" and "level"; "table", which columns held labels, or named rows and groups of rows;
        "rows", how many of each group it was fitted on; "n_settings_tried", "n_settings_chosen" and "chosen", the
        settings with their "share", the largest first; "unlabeled", whether unlabelled rows helped;
        "learning_curve", the held-out AUC by the number of labels, and "learning_curve_sentence"; "shift", the column
        in which labelled and unlabelled rows differ most; "seed"; "settings", the parameters of the classifier; and
        "versions".

    Raises
    ------
    TypeError
        If it is no model.

    Examples
    --------
    >>> from s2auc import S2AUCClassifier, inspect_model
    >>> ranker = S2AUCClassifier(random_state=0, max_iter=5).fit([[0.0], [1.0], [2.0]], [0, 1, -1])
    >>> found = inspect_model(ranker)
    >>> found["fitted_by"], found["classes"], found["parts"], found["rows"]
    ('S2AUCClassifier', [0, 1], {'cosines': 1}, {'positive': 1, 'negative': 1, 'unlabeled': 1})
    """
    fitted = fitted_model(model, "inspect_model")
    record, schema = fitted.record, fitted.schema
    tried, chosen = record.get("settings_tried"), record.get("settings_chosen")
    found = {
        "fitted_by": record.get("estimator"),
        "classes": [_as_text(name) for name in fitted.classes.tolist()],
        "n_columns": len(schema.displayed_names),
        "columns": None if schema.names is None else schema.displayed_names,
        "n_categorical": len(schema.levels),
        "texts": {str(source): encoding.vocabulary.n_terms for source, encoding in schema.texts.values()},
        "left_out": list(schema.left_out.values()),
        "parts": dict(count_parts(fitted)),
        "n_numbers": fitted.n_numbers,
        "has_probabilities": fitted.probabilities is not None,
        "threshold": float(fitted.offset),
        "held_out_auc": _picked(record.get("held_out_auc"), *_ESTIMATE),
        "table": record.get("table", {}),
        "rows": _picked(record.get("rows"), "positive", "negative", "unlabeled"),
        "n_settings_tried": None if tried is None else len(tried),
        "n_settings_chosen": None if chosen is None else len(chosen),
        "chosen": _chosen(record),
        "learning_curve": [_picked(point, "n_labels", *_ESTIMATE) for point in record.get("learning_curve", [])],
        "learning_curve_sentence": record.get("learning_curve_sentence"),
        **{name: record.get(name) for name in ("unlabeled", "shift", "settings", "versions", "seed")},
    }
    return deepcopy(found)


def _picked(entry: Mapping[str, Any] | None, *names: str) -> dict[str, Any] | None:
    """Return these items of an entry, in this order, None where one is not there."""
    return None if entry is None else {name: entry.get(name) for name in names}


def _chosen(record: Record) -> list[dict[str, Any]]:
    """Return the settings that were chosen, each with its share if that is known, the largest first."""
    chosen = record.get("settings_chosen", [])
    shares = record.get("shares", [None] * len(chosen))
    settings = [
        {**record["settings_tried"][place], "share": share} for place, share in zip(chosen, shares, strict=True)
    ]
    return sorted(settings, key=lambda setting: -(setting["share"] or 0.0))


def _as_text(name: Any) -> Any:
    return name.decode("utf-8", "backslashreplace") if isinstance(name, bytes) else name
