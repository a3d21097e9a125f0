"""Pairwise losses: functions of the gap f(higher) - f(lower) between two scores.

Every loss is an entry of `LOSSES`; nothing elsewhere branches on a loss's name. A loss that is a polynomial of degree
two says so in `quadratic`, which lets the risk sum over all pairs without visiting them.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from scipy.special import expit

from s2auc.common.arrays import FloatArray


@dataclass(frozen=True)
class Loss:
    """A loss l(z) of the gap z = f(higher) - f(lower).

    Attributes
    ----------
    name
        The key in `LOSSES`.
    value, derivative
        l(z) and l'(z), elementwise; finite for every finite gap up to ±1e150.
    curvature_bound
        The largest |l''(z)|: no step along the risk meets more curvature than this times the pair weights.
    quadratic
        Coefficients (c0, c1, c2) if l(z) = c0 + c1·z + c2·z², else None.

    Examples
    --------
    >>> import numpy as np
    >>> square = LOSSES["square"]
    >>> square.value(np.array([0.0, 1.0, 3.0])).tolist()
    [1.0, 0.0, 4.0]
    """

    name: str
    value: Callable[[FloatArray], FloatArray]
    derivative: Callable[[FloatArray], FloatArray]
    curvature_bound: float
    quadratic: tuple[float, float, float] | None = None

    @property
    def ranks(self) -> bool:
        """Whether the loss drives the two scores of a pair apart where they are equal."""
        return bool(self.derivative(np.zeros(1))[0] < 0.0)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle by name, or by coefficients, so that no function has to travel."""
        if LOSSES.get(self.name) is self:
            return loss_named, (self.name,)
        if self.quadratic is not None:
            return quadratic_loss, (self.name, *self.quadratic)
        return Loss, (self.name, self.value, self.derivative, self.curvature_bound)


def loss_named(name: str) -> Loss:
    """Return the entry of `LOSSES` with this name."""
    return LOSSES[name]


def quadratic_loss(name: str, c0: float, c1: float, c2: float) -> Loss:
    """Return the loss c0 + c1·z + c2·z²."""
    return Loss(
        name=name,
        value=lambda gap: c0 + gap * (c1 + gap * c2),
        derivative=lambda gap: c1 + (2.0 * c2) * gap,
        curvature_bound=2.0 * abs(c2),
        quadratic=(c0, c1, c2),
    )


_TABLE = (
    quadratic_loss("square", 1.0, -2.0, 1.0),
    Loss(
        "squared_hinge",
        lambda gap: np.square(np.maximum(1.0 - gap, 0.0)),
        lambda gap: -2.0 * np.maximum(1.0 - gap, 0.0),
        2.0,
    ),
    Loss("logistic", lambda gap: np.logaddexp(0.0, -gap), lambda gap: -expit(-gap), 0.25),
    # |l''| = s(1-s)|1-2s| with s the sigmoid is largest at s = (1 ± 1/√3)/2.
    Loss("sigmoid", lambda gap: expit(-gap), lambda gap: -expit(gap) * expit(-gap), 1.0 / (6.0 * sqrt(3.0))),
    # Asks two scores to agree: for pairs of neighbours, not for pairs of classes.
    quadratic_loss("squared_difference", 0.0, 0.0, 1.0),
)

LOSSES: dict[str, Loss] = {loss.name: loss for loss in _TABLE}
"""Every loss by its name. An entry that is added is there for all: estimators, rules, messages."""


class RankingLosses:
    """The names of the losses that drive the scores of a pair apart, as the table has them when they are asked for."""

    def __iter__(self) -> Iterator[str]:
        return (name for name, loss in LOSSES.items() if loss.ranks)
