"""Rows of datasets without files: generated at any size, or shipped with scikit-learn."""

from collections.abc import Callable, Mapping
from functools import partial

import numpy as np
from sklearn.datasets import load_breast_cancer, load_digits

from s2auc.common.arrays import AnyArray, BoolArray, FloatArray
from s2auc.experiments.datasets.entries import DatasetRows, Float32Array, RawRows

#: Irrelevant standard normal columns beside the two that matter.
N_IRRELEVANT = 8
#: Distance of the two means of `blobs` in standard deviations.
BLOB_DISTANCE = 1.5
#: Bits of a challenge of a simulated arbiter PUF.
N_STAGES = 128
#: Rows simulated at a time, so that temporary arrays stay near 100 MB.
_BLOCK = 65_536


def _planar(
    points: Callable[[BoolArray, np.random.Generator], FloatArray], number: int, share: float, n_rows: int, seed: int
) -> DatasetRows:
    """Return points of the plane with irrelevant columns; a fixed share of the rows, at least one, is positive."""
    rng = np.random.default_rng([seed, number])
    y = np.asarray(rng.permutation(n_rows) < max(round(share * n_rows), 1))
    columns = points(y, rng), rng.standard_normal((n_rows, N_IRRELEVANT))
    return np.ascontiguousarray(np.hstack(columns), dtype=np.float32), y


def _moons(y: BoolArray, rng: np.random.Generator) -> FloatArray:
    angle = rng.uniform(0, np.pi, len(y))
    upper = np.column_stack([np.cos(angle), np.sin(angle)])
    lower = np.column_stack([1 - np.cos(angle), 0.5 - np.sin(angle)])
    return np.asarray(np.where(y[:, None], lower, upper) + rng.normal(0, 0.2, (len(y), 2)))


def _rings(y: BoolArray, rng: np.random.Generator) -> FloatArray:
    angle = rng.uniform(0, 2 * np.pi, len(y))
    radius = np.where(y, 1.0, 2.0) + rng.normal(0, 0.3, len(y))
    return np.asarray(radius[:, None] * np.column_stack([np.cos(angle), np.sin(angle)]))


def _blobs(y: BoolArray, rng: np.random.Generator) -> FloatArray:
    points = rng.standard_normal((len(y), 2))
    points[:, 0] += np.where(y, BLOB_DISTANCE / 2, -BLOB_DISTANCE / 2)
    return points


def parity_features(challenges: BoolArray) -> Float32Array:
    """Return ``phi[:, i] = prod_{j >= i} (1 - 2 c_j)``, the columns in which an arbiter is linear.

    Parameters
    ----------
    challenges
        One challenge a row, one bit a stage.
    """
    # The product of signs is the parity of the bits, which stays exact in integers.
    parity = np.cumsum(challenges[:, ::-1], axis=1, dtype=np.int32)[:, ::-1] & 1
    return (1 - 2 * parity).astype(np.float32)


def respond(features: Float32Array, weights: FloatArray) -> BoolArray:
    """Return the XOR of the arbiters' responses.

    Parameters
    ----------
    features
        Parity features, one row a challenge.
    weights
        One row an arbiter: a weight a stage, then the constant.
    """
    delays = features.astype(np.float64) @ weights[:, :-1].T + weights[:, -1]
    return np.asarray((delays > 0).sum(axis=1) % 2 == 1)


def _unclonable(n_rows: int, seed: int, *, n_arbiters: int) -> DatasetRows:
    """Return challenges and responses of simulated arbiter PUFs, XORed if there are several."""
    rng = np.random.default_rng([seed, 4])
    weights = rng.standard_normal((n_arbiters, N_STAGES + 1))
    X = np.empty((n_rows, N_STAGES), dtype=np.float32)
    y = np.empty(n_rows, dtype=np.bool_)
    for start in range(0, n_rows, _BLOCK):
        block = slice(start, min(start + _BLOCK, n_rows))
        packed = np.frombuffer(rng.bytes((block.stop - start) * N_STAGES // 8), dtype=np.uint8)
        X[block] = parity_features(np.unpackbits(packed).reshape(-1, N_STAGES).astype(np.bool_))
        y[block] = respond(X[block], weights)
    return X, y


def _digits(is_positive: Callable[[AnyArray], AnyArray]) -> RawRows:
    X, digit = load_digits(return_X_y=True)
    return X, is_positive(digit)


def _breast_cancer() -> RawRows:
    X, benign = load_breast_cancer(return_X_y=True)
    return X, benign == 0


#: What makes ``(X, y)`` of a number of rows and a seed, by dataset.
GENERATORS: Mapping[str, Callable[[int, int], DatasetRows]] = {
    "moons": partial(_planar, _moons, 1, 0.5),
    "rings": partial(_planar, _rings, 2, 0.25),
    "blobs": partial(_planar, _blobs, 3, 0.5),
    "unclonable": partial(_unclonable, n_arbiters=5),
    "unclonable_single": partial(_unclonable, n_arbiters=1),
}

#: What reads the whole ``(X, y)`` that ships with scikit-learn, by dataset.
READERS: Mapping[str, Callable[[], RawRows]] = {
    "digits": partial(_digits, lambda digit: digit >= 5),
    "digits_odd": partial(_digits, lambda digit: digit % 2 == 1),
    "digits_eight": partial(_digits, lambda digit: digit == 8),
    "breast_cancer": _breast_cancer,
}
