"""Pair losses and their slopes."""

import math
from collections.abc import Callable

LOSS: dict[str, tuple[Callable[[float], float], Callable[[float], float]]] = {
    "square": (lambda z: (1 - z) ** 2, lambda z: -2 * (1 - z)),
    "squared_hinge": (lambda z: max(0.0, 1 - z) ** 2, lambda z: -2 * max(0.0, 1 - z)),
    "logistic": (lambda z: math.log(1 + math.exp(-z)), lambda z: -1 / (1 + math.exp(z))),
    "sigmoid": (lambda z: 1 / (1 + math.exp(z)), lambda z: -math.exp(z) / (1 + math.exp(z)) ** 2),
    "squared_difference": (lambda z: z**2, lambda z: 2 * z),
}
