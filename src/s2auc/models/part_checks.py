"""What the parts of models are checked for alike; every check names the part by its place."""

from reprlib import repr as shown
from sys import float_info
from typing import Any

import numpy as np

from s2auc.kernels.shift_invariant import KERNELS
from s2auc.models.parts.bounds import LARGEST_GAMMA

_SHAPES = {1: "vector", 2: "matrix"}


def check_kernel(kernel: Any, place: int) -> None:
    """Raise a ValueError unless the kernel is a name in `KERNELS`."""
    if not isinstance(kernel, str) or kernel not in KERNELS:
        raise ValueError(f"the kernel of part {place} must be one of {sorted(KERNELS)}, got {shown(kernel)}")


def check_gamma(gamma: Any, place: int) -> None:
    """Raise a ValueError unless gamma is a float that kernels can use."""
    # float32 is refused: it would count in float32 before it is saved, in float64 after.
    if not isinstance(gamma, int | float) or not 0 < gamma <= LARGEST_GAMMA:
        raise ValueError(
            f"gamma of part {place} must be a finite float > 0, {LARGEST_GAMMA:g} at most, got {shown(gamma)}"
        )


def check_finite(value: Any, name: str, place: int) -> None:
    """Raise a ValueError unless this is a finite number of Python's own.

    Examples
    --------
    >>> check_finite(float("inf"), "share", place=0)
    Traceback (most recent call last):
    ...
    ValueError: share of part 0 must be a finite float, got inf
    """
    # float32 is refused: it would count in float32 before it is saved, in float64 after.
    if not isinstance(value, int | float) or not abs(value) <= float_info.max:
        raise ValueError(f"{name} of part {place} must be a finite float, got {shown(value)}")


def check_numbers(array: Any, name: str, place: int, n_dimensions: int = 1) -> None:
    """Raise a ValueError unless this is a vector, or a matrix, of finite float64 numbers.

    Examples
    --------
    >>> check_numbers(np.array([1.0, np.nan]), "cosine", place=0)
    Traceback (most recent call last):
    ...
    ValueError: cosine of part 0 must hold finite numbers, got nan
    """
    if not isinstance(array, np.ndarray) or array.dtype != np.float64 or array.ndim != n_dimensions:
        got = f"shape {array.shape} of {array.dtype}" if isinstance(array, np.ndarray) else shown(array)
        raise ValueError(f"{name} of part {place} must be a float64 {_SHAPES[n_dimensions]}, got {got}")
    if not np.isfinite(array).all():
        strange = array[~np.isfinite(array)][0].item()
        raise ValueError(f"{name} of part {place} must hold finite numbers, got {strange}")
