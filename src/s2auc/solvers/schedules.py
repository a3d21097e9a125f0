"""Step sizes η_t: functions of the iteration t = 1, 2, …, of 1/θ, θ being the step constant, and of the curvature L."""

from collections.abc import Callable, Mapping
from types import MappingProxyType

from s2auc.common.arrays import FloatArray

Schedule = Callable[[FloatArray, FloatArray, FloatArray], FloatArray]


def _shifted(t: FloatArray, rate: FloatArray, curvature: FloatArray) -> FloatArray:
    return 1.0 / (rate * t + curvature)


def _printed(t: FloatArray, rate: FloatArray, curvature: FloatArray) -> FloatArray:  # noqa: ARG001 one signature for all
    return 1.0 / (rate * t)


SCHEDULES: Mapping[str, Schedule] = MappingProxyType({"shifted": _shifted, "printed": _printed})
"""`shifted` is θ/(t + θL): it starts just below 1/L, the largest step that the risk allows, and tends to θ/t, for which
the paper proves convergence. `printed` is the paper's θ/t from the start; it diverges where θ is large against 1/L."""
