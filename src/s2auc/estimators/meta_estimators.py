"""Meta-estimators of scikit-learn that take the marker of unlabelled rows for a class, silently: users are warned."""

from dataclasses import dataclass
from typing import Any

from s2auc.common.callers import frames_of
from s2auc.common.user_warnings import warn_user
from s2auc.data.labels.values import is_missing, labeled_values, present_values

_INSTEAD = "fit this estimator by itself, or give the other one labelled rows only"


@dataclass(frozen=True)
class Misreading:
    """What code of a module makes of rows that y marks as unlabelled.

    Attributes
    ----------
    module
        Where the code is.
    what, instead
        What it makes of them, and what to do.
    owner
        The class whose methods do so; None for all of the module.
    """

    module: str
    what: str
    instead: str
    owner: str | None = None

    def happens(self, unlabeled: Any) -> bool:
        """Return whether such code is on the way here, and was given rows that the marker says are unlabelled."""
        return any(
            _holds_marked(frame.f_locals.get("y"), unlabeled)
            for frame in frames_of(self.module)
            if self.owner in (None, type(frame.f_locals.get("self")).__name__)
        )


MISREADINGS = (
    Misreading(
        "sklearn.calibration",
        "CalibratedClassifierCV takes them for a class of their own, so that its probabilities mean nothing",
        "calibrate on labelled rows that the fit did not use, CalibratedClassifierCV(FrozenEstimator(fitted)).fit(X, "
        "y), or use S2AUCClassifierCV, whose predict_proba is calibrated",
    ),
    Misreading(
        "sklearn.multiclass",
        "classifiers of sklearn.multiclass take them for a class of their own, so that their predictions mean nothing",
        _INSTEAD,
    ),
    Misreading(
        "sklearn.ensemble",
        "ensembles of scikit-learn take them for a class of their own, so that they are learnt as negative rows or as "
        "a third class",
        _INSTEAD,
    ),
    Misreading(
        "sklearn.model_selection._classification_threshold",
        "TunedThresholdClassifierCV takes them for a class of their own, so that they count as negative rows",
        "tune on labelled rows that the fit did not use, with cv='prefit' and refit=False",
        owner="TunedThresholdClassifierCV",
    ),
)
"""Neither those that refuse such rows are here, nor those that leave them to the estimator, as grid searches do."""


def warn_of_meta_estimators(unlabeled: Any) -> None:
    """Warn if a meta-estimator on the way to this fit was given rows marked as unlabelled, and misreads them.

    Parameters
    ----------
    unlabeled
        The marker of unlabelled rows.
    """
    for misreading in MISREADINGS:
        if misreading.happens(unlabeled):
            warn_user(f"y holds rows that are marked as unlabelled: {misreading.what}. Instead, {misreading.instead}.")


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
