"""What a model is and how it came about, as values that JSON can carry."""

from collections.abc import Mapping, Sequence
from math import isfinite
from typing import Any

from s2auc.models.fitted_model import fitted_model
from s2auc.models.record import DEEPEST, MAX_INTEGER, recorded_roles
from s2auc.models.record_entries import find_entry, number_entry, text_entry
from s2auc.models.summary import count_parts


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
    tried, chosen = find_entry(record, "settings_tried"), find_entry(record, "settings_chosen")
    found = {
        "fitted_by": text_entry(record, "estimator") or None,
        "classes": fitted.classes.tolist(),
        "n_columns": fitted.n_columns,
        "columns": schema.names,
        "n_categorical": len(schema.levels),
        "left_out": list(schema.left_out.values()),
        "parts": count_parts(fitted),
        "n_numbers": fitted.n_numbers,
        "has_probabilities": fitted.probabilities is not None,
        "threshold": float(fitted.offset),
        "held_out_auc": _numbers(record, "held_out_auc", ("value", "low", "high", "level")),
        "table": recorded_roles(record),
        "rows": _numbers(record, "rows", ("positive", "negative", "unlabeled")),
        "n_settings_tried": len(tried) if isinstance(tried, list) else None,
        "n_settings_chosen": len(chosen) if isinstance(chosen, list) else None,
        "chosen": _chosen(tried, chosen, find_entry(record, "shares")),
        "learning_curve": _curve(record),
        "learning_curve_sentence": text_entry(record, "learning_curve_sentence") or None,
        **{name: _mapping(record, name) for name in ("unlabeled", "shift", "settings", "versions")},
        "seed": find_entry(record, "seed"),
    }
    return {name: _plain(value) for name, value in found.items()}


def _numbers(record: Any, group: str, names: Sequence[str]) -> dict[str, Any] | None:
    """Return the numbers of a group that are there; None if its first is not."""
    numbers = {name: number_entry(record, group, name) for name in names}
    return None if numbers[names[0]] is None else numbers


def _chosen(tried: Any, chosen: Any, shares: Any) -> list[dict[str, Any]]:
    """Return the settings that were chosen, each with its share if that is known, the largest first."""
    if not isinstance(tried, list) or not isinstance(chosen, list):
        return []
    known = shares if isinstance(shares, list) and len(shares) == len(chosen) else [None] * len(chosen)
    settings = [
        {**tried[place], "share": number_entry({"share": share}, "share")}
        for place, share in zip(chosen, known, strict=True)
        if type(place) is int and 0 <= place < len(tried) and isinstance(tried[place], Mapping)
    ]
    return sorted(settings, key=lambda setting: -(setting["share"] or 0.0))


def _curve(record: Any) -> list[dict[str, Any]]:
    """Return the points of a learning curve that hold numbers."""
    found = find_entry(record, "learning_curve")
    names = ("n_labels", "value", "low", "high", "level")
    points = [
        {name: number_entry(point, name) for name in names} for point in (found if isinstance(found, list) else ())
    ]
    return [point for point in points if None not in point.values()]


def _mapping(record: Any, name: str) -> Any:
    value = find_entry(record, name)
    return value if isinstance(value, Mapping) else None


def _plain(value: Any, depth: int = 0) -> Any:
    """Return a value as JSON can carry it: None in place of numbers that no record holds, text in place of others."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, int):
        return int(value) if abs(value) < MAX_INTEGER else None
    if isinstance(value, float):
        return float(value) if isfinite(value) else None
    if isinstance(value, bytes):
        return value.decode("utf-8", "backslashreplace")
    if depth > DEEPEST:
        return None
    if isinstance(value, Mapping):
        return {str(name): _plain(entry, depth + 1) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(entry, depth + 1) for entry in value]
    return type(value).__name__
