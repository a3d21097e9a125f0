"""Labelled rows of both classes, which an AUC needs: where one is missing, why, and what to do."""

from typing import Any

from s2auc.common.callers import is_called_from
from s2auc.data.label_values import is_missing
from s2auc.data.labels import Labels


def check_both_classes(labels: Labels, unlabeled: Any, *, is_positive_unlabeled: bool) -> None:
    """Raise a ValueError unless there are labelled rows of both classes to score.

    Parameters
    ----------
    labels
        What y means.
    unlabeled
        The marker of unlabelled rows.
    is_positive_unlabeled
        Whether the fit had no negative rows, so that what marked its unlabelled rows may be a class now.

    Examples
    --------
    >>> import numpy as np
    >>> from s2auc.data.labels import read_known_labels
    >>> labels = read_known_labels([1, 1, 0], np.array([0, 1]), unlabeled=0)
    >>> check_both_classes(labels, 0, is_positive_unlabeled=True)
    Traceback (most recent call last):
    ...
    ValueError: The AUC needs labelled rows of both classes. Got 2 positive and 0 negative rows, and 1 that ...
    """
    if labels.n_positive and labels.n_negative:
        return
    got = f"{labels.n_positive} positive and {labels.n_negative} negative rows"
    advice = "add rows of the missing class"
    if labels.n_unlabeled:
        has_marker = not is_missing(unlabeled)
        marked = f"missing or hold the marker unlabeled={unlabeled!r}" if has_marker else "missing"
        got += f", and {labels.n_unlabeled} that are {marked}"
        if has_marker and is_positive_unlabeled and labels.n_positive:
            advice = f"where the marker means the negative class, {_without_marker(labels)}"
    if is_called_from("sklearn.model_selection"):
        advice = "use cv=LabeledKFold(), which tests labelled rows of both classes in every fold"
    raise ValueError(f"The AUC needs labelled rows of both classes. Got {got}; {advice}.")


def _without_marker(labels: Labels) -> str:
    """Return how to write the labels such that no row holds the marker."""
    if labels.classes.tolist() == [0, 1]:
        # A boolean is never taken for a number.
        return "pass booleans, score(X, y == 1)"
    return "put another label in its place"
