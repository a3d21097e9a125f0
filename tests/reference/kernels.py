"""Kernels, one pair of rows at a time."""

import math

import numpy as np


def kernel(name: str, x: np.ndarray, z: np.ndarray, gamma: float) -> float:
    difference = [float(a) - float(b) for a, b in zip(x, z, strict=True)]
    distance = math.sqrt(sum(v * v for v in difference))
    if name == "gaussian":
        return math.exp(-gamma * distance**2)
    if name == "laplacian":
        return math.exp(-gamma * sum(abs(v) for v in difference))
    if name == "matern32":
        a = math.sqrt(6 * gamma) * distance
        return (1 + a) * math.exp(-a)
    if name == "matern52":
        a = math.sqrt(10 * gamma) * distance
        return (1 + a + a * a / 3) * math.exp(-a)
    raise KeyError(name)


def kernel_matrix(name: str, X: np.ndarray, Z: np.ndarray, gamma: float) -> np.ndarray:
    return np.array([[kernel(name, x, z, gamma) for z in Z] for x in X])
