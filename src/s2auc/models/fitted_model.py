"""The model that users mean: that of a fitted classifier, itself, or that of a file."""

import os
from typing import Any

from sklearn.base import BaseEstimator
from sklearn.utils.validation import check_is_fitted

from s2auc.models.files.file import load_model
from s2auc.models.model import Model


def fitted_model(model: Any, asked_by: str) -> Model:
    """Return the model of a fitted classifier, a model itself, or that of a file.

    Parameters
    ----------
    model
        One of these.
    asked_by
        The function that takes it, which an error names.

    Raises
    ------
    TypeError
        If it is something else.
    sklearn.exceptions.NotFittedError
        If a classifier was not fitted.
    """
    if isinstance(model, str | os.PathLike):
        return load_model(model)
    if isinstance(model, BaseEstimator) and not isinstance(model, type):
        check_is_fitted(model)
    found = model if isinstance(model, Model) else getattr(model, "model_", None)
    if not isinstance(found, Model):
        raise TypeError(
            f"The 'model' parameter of {asked_by} must be a fitted classifier of s2auc, a model or the path of a model "
            f"file. Got {type(model).__name__}; fit S2AUCClassifier, or name a saved model."
        )
    return found
