"""scikit-learn's callbacks, where the installed version has them (1.9 and later), and their absence elsewhere."""

from collections.abc import Callable
from typing import Any, TypeVar, cast

try:
    from sklearn import callback as _callback
except ImportError:
    _callback = None

__all__ = ["CallbackSupportMixin", "FitTask", "with_callbacks"]

Method = TypeVar("Method", bound=Callable[..., Any])


class _NoCallbacks:
    """Replace scikit-learn's mixin before version 1.9. An own class, as `object` cannot precede other base classes."""


CallbackSupportMixin: type = _NoCallbacks if _callback is None else _callback.CallbackSupportMixin


def with_callbacks(method: Method) -> Method:
    """Return the method such that callbacks are torn down after it, however it ends."""
    return method if _callback is None else cast(Method, _callback.with_callbacks(method))


class FitTask:
    """A fit as callbacks see it: one task that consists of `n_subtasks` others.

    Parameters
    ----------
    estimator
        The estimator that is being fitted.
    n_subtasks
        How many times `subtask_done` will be called, at most.
    X, y
        What it is fitted on.
    subtask_name
        What each of them is.
    """

    def __init__(self, estimator: Any, n_subtasks: int, X: Any, y: Any, subtask_name: str = "panel") -> None:
        self._estimator, self._data, self._subtask_name = estimator, {"X": X, "y": y}, subtask_name
        self._context = estimator._init_callback_context(max_subtasks=n_subtasks) if _callback else None
        if self._context is not None:
            self._context.call_on_fit_task_begin(estimator=estimator, **self._data)

    def subtask_done(self, fitted_attributes: Callable[[], dict[str, Any]] | None = None) -> bool:
        """Tell the callbacks that a subtask is over; return whether one of them wants the fit to stop.

        Without fitted attributes there is no model to show them yet.
        """
        if self._context is None:
            return False
        subtask = self._context.subcontext(task_name=self._subtask_name)
        subtask.call_on_fit_task_begin(estimator=self._estimator, **self._data)
        return bool(
            subtask.call_on_fit_task_end(
                estimator=self._estimator, reconstruction_attributes=fitted_attributes, **self._data
            )
        )

    def done(self, fitted_attributes: Callable[[], dict[str, Any]]) -> None:
        """Tell the callbacks that the fit is over."""
        if self._context is not None:
            self._context.call_on_fit_task_end(
                estimator=self._estimator, reconstruction_attributes=fitted_attributes, **self._data
            )
