"""Classes and parameters of a model that learns call by call: settled by the first call, kept from then on."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from s2auc.common.arrays import AnyArray
from s2auc.data.labels.labels import read_labels


def known_classes(estimator: Any, classes: ArrayLike | None, *, goes_on: bool) -> AnyArray | None:
    """Return the classes (negative, positive) that are settled before y is read; None if none are.

    Parameters
    ----------
    estimator
        A classifier with the parameters `unlabeled` and `pos_label`.
    classes
        What `partial_fit` was called with.
    goes_on
        Whether the classifier has a model that it goes on from.
    """
    given = None
    if classes is not None:
        given = read_labels(classes, unlabeled=estimator.unlabeled, pos_label=estimator.pos_label).classes
    if not goes_on:
        return given
    if given is not None:
        check_same_classes(estimator, given)
    settled: AnyArray = estimator.classes_
    if estimator.pos_label is not None and estimator.pos_label != settled[1]:
        check_same_classes(estimator, settled[::-1])
    return settled


def check_same_classes(estimator: Any, classes: AnyArray) -> None:
    """Raise a ValueError unless the classes are those of the model that goes on."""
    if not np.array_equal(classes, estimator.classes_):
        raise ValueError(
            f"The classes (negative, positive) must stay {estimator.classes_.tolist()} while a model goes on learning. "
            f"Got {classes.tolist()}; {way_to_start_anew(estimator)}."
        )


def check_same_settings(estimator: Any, before: Mapping[str, Any], now: Mapping[str, Any]) -> None:
    """Raise a ValueError unless parameters are those of the model that goes on."""
    for name, value in before.items():
        if now[name] != value:
            raise ValueError(
                f"The {name!r} parameter must stay as it is while a model goes on learning, where it is {value!r}. "
                f"Got {now[name]!r}; {way_to_start_anew(estimator)}."
            )


def way_to_start_anew(estimator: Any) -> str:
    """Return what to do for a model that does not go on from the one that is there."""
    return f"fit {'with warm_start=False ' if hasattr(estimator, 'warm_start') else ''}to start anew"
