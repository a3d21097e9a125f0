"""Slow and obvious references, float64 throughout, sharing no code with what they check.

Everything here is written from the formulas, one pair, one row or one iteration at a time. Fast code must match it.
"""

import math
import statistics
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import pairwise, product

import numpy as np
from scipy.optimize import minimize, root

# --------------------------------------------------------------------------------------------------------- philox

PHILOX_MULTIPLIERS = 0xD2E7470EE14C6C93, 0xCA5A826395121157
PHILOX_WEYL = 0x9E3779B97F4A7C15, 0xBB67AE8584CAA73B
WORD = 2**64


def philox4x64(counter: int, key: int, rounds: int = 10) -> list[int]:
    """The four words of philox4x64 at a 256-bit counter, by Salmon et al. (2011)."""
    c = [(counter >> (64 * i)) % WORD for i in range(4)]
    k = [key % WORD, (key >> 64) % WORD]
    for _ in range(rounds):
        first, second = PHILOX_MULTIPLIERS[0] * c[0], PHILOX_MULTIPLIERS[1] * c[2]
        c = [
            (second >> 64) ^ c[1] ^ k[0],
            second % WORD,
            (first >> 64) ^ c[3] ^ k[1],
            first % WORD,
        ]
        k = [(k[0] + PHILOX_WEYL[0]) % WORD, (k[1] + PHILOX_WEYL[1]) % WORD]
    return c


# --------------------------------------------------------------------------------------------------------- losses

LOSS: dict[str, tuple[Callable[[float], float], Callable[[float], float]]] = {
    "square": (lambda z: (1 - z) ** 2, lambda z: -2 * (1 - z)),
    "squared_hinge": (lambda z: max(0.0, 1 - z) ** 2, lambda z: -2 * max(0.0, 1 - z)),
    "logistic": (lambda z: math.log(1 + math.exp(-z)), lambda z: -1 / (1 + math.exp(z))),
    "sigmoid": (lambda z: 1 / (1 + math.exp(z)), lambda z: -math.exp(z) / (1 + math.exp(z)) ** 2),
    "squared_difference": (lambda z: z**2, lambda z: 2 * z),
}


# -------------------------------------------------------------------------------------------------------- kernels


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


# ----------------------------------------------------------------------------------------------------------- risk
# A term is (weight, loss name, pairs); pairs is a list of (higher group, row, lower group, row).

Pair = tuple[str, int, str, int]
Term = tuple[float, str, Sequence[Pair]]


def all_pairs(higher: str, lower: str, n_higher: int, n_lower: int) -> list[Pair]:
    return [(higher, i, lower, j) for i, j in product(range(n_higher), range(n_lower))]


def row_pairs(higher: str, lower: str, n_rows: int) -> list[Pair]:
    return [(higher, i, lower, i) for i in range(n_rows)]


def semi_supervised_terms(loss: str, labeled_weight: float, sizes: dict[str, int], pairing: str) -> list[Term]:
    """gamma·PN + (1-gamma)·(PU + NU) over batches of the given sizes."""
    terms: list[Term] = []
    for weight, higher, lower in (
        (labeled_weight, "positive", "negative"),
        (1 - labeled_weight, "positive", "unlabeled"),
        (1 - labeled_weight, "unlabeled", "negative"),
    ):
        if not sizes.get(higher) or not sizes.get(lower):
            continue
        if pairing == "all":
            pairs = all_pairs(higher, lower, sizes[higher], sizes[lower])
        else:
            pairs = row_pairs(higher, lower, sizes[higher])
        terms.append((weight, loss, pairs))
    return terms


def risk(terms: Sequence[Term], scores: dict[str, np.ndarray], weights: dict[str, np.ndarray] | None = None):
    """Value and gradient of a risk, one pair at a time."""
    value = 0.0
    gradient = {group: np.zeros(len(score)) for group, score in scores.items()}
    for weight, name, pairs in terms:
        loss, slope = LOSS[name]
        pair_weights = [1.0 if weights is None else weights[g][i] * weights[h][j] for g, i, h, j in pairs]
        total = sum(pair_weights)
        if total == 0:
            continue
        for (g, i, h, j), pair_weight in zip(pairs, pair_weights, strict=True):
            gap = float(scores[g][i] - scores[h][j])
            value += weight * pair_weight / total * loss(gap)
            gradient[g][i] += weight * pair_weight / total * slope(gap)
            gradient[h][j] -= weight * pair_weight / total * slope(gap)
    return value, gradient


# ----------------------------------------------------------------------------------------------------- algorithm 1


def features(X: np.ndarray, frequencies: np.ndarray) -> np.ndarray:
    """One row of sqrt(1/m)·[cos ω_1ᵀx … cos ω_mᵀx, sin ω_1ᵀx … sin ω_mᵀx] for every row x."""
    angles = X @ frequencies.T
    return np.hstack([np.cos(angles), np.sin(angles)]) / math.sqrt(len(frequencies))


def predict(X: np.ndarray, coefficients: np.ndarray, draw: Callable[[int, int], np.ndarray]) -> np.ndarray:
    """Algorithm 2 for every row of X; coefficients are (blocks, 2m), and all frequencies are drawn again."""
    blocks, m = len(coefficients), coefficients.shape[1] // 2
    angles = (X @ draw(0, blocks * m).T).reshape(len(X), blocks, m)
    waves = coefficients[:, :m] * np.cos(angles) + coefficients[:, m:] * np.sin(angles)
    return waves.sum(axis=(1, 2)) / math.sqrt(m)


def algorithm_1(
    groups: dict[str, np.ndarray],
    draws: Sequence[dict[str, np.ndarray]],
    *,
    loss: str,
    labeled_weight: float,
    alpha: float,
    steps: Sequence[float],
    draw: Callable[[int, int], np.ndarray],
    n_frequencies: int,
    pairing: str = "triplet",
    weights: dict[str, np.ndarray] | None = None,
) -> Iterator[np.ndarray]:
    """The iterates of Algorithm 1, errata applied: coefficients (t, 2m) after iterations t = 1, 2, …

    `draws[t]` names the rows of each group that an iteration uses, `steps[t]` is its step, `draw(first, last)` returns
    frequencies. Old coefficients decay with the current step.
    """
    m = n_frequencies
    coefficients = np.zeros((0, 2 * m))
    for t, (rows, step) in enumerate(zip(draws, steps, strict=True)):
        batch = {group: groups[group][index] for group, index in rows.items()}
        scores = {group: predict(X, coefficients, draw) for group, X in batch.items()}
        terms = semi_supervised_terms(loss, labeled_weight, {group: len(X) for group, X in batch.items()}, pairing)
        row_weights = None if weights is None else {group: weights[group][index] for group, index in rows.items()}
        _, gradient = risk(terms, scores, row_weights)
        new = np.zeros(2 * m)
        for group, X in batch.items():
            for phi, slope in zip(features(X, draw(m * t, m * (t + 1))), gradient[group], strict=True):
                new -= step * slope * phi
        coefficients = np.vstack([(1 - step * alpha) * coefficients, new])
        yield coefficients


def average(iterates: Sequence[np.ndarray]) -> np.ndarray:
    """The t-weighted average of iterates 1..T, directly: Σ t·f_t / (T(T+1)/2)."""
    total = np.zeros_like(iterates[-1])
    for t, coefficients in enumerate(iterates, start=1):
        total[: len(coefficients)] += t * coefficients
    return total / (len(iterates) * (len(iterates) + 1) / 2)


# ------------------------------------------------------------------------------------------------------ minimisers


def quadratic_risk(terms: Sequence[Term], sizes: dict[str, int]):
    """Gradient at zero and matrix of second derivatives of a square-loss risk, over the rows of all groups in order."""
    offset, total = {}, 0
    for group, size in sizes.items():
        offset[group], total = total, total + size
    slope, curvature = np.zeros(total), np.zeros((total, total))
    for weight, name, pairs in terms:
        assert name == "square"
        for g, i, h, j in pairs:
            a, b = offset[g] + i, offset[h] + j
            share = weight / len(pairs)
            slope[a] -= 2 * share
            slope[b] += 2 * share
            curvature[a, a] += 2 * share
            curvature[b, b] += 2 * share
            curvature[a, b] -= 2 * share
            curvature[b, a] -= 2 * share
    return slope, curvature


def kernel_minimiser(K: np.ndarray, slope: np.ndarray, curvature: np.ndarray, alpha: float) -> np.ndarray:
    """β of f* = Σ β_i k(x_i, ·), the minimiser of risk + alpha/2·‖f‖²: (C·K + alpha·I) β = -slope."""
    return np.linalg.solve(curvature @ K + alpha * np.eye(len(K)), -slope)


def linear_minimiser(Phi: np.ndarray, slope: np.ndarray, curvature: np.ndarray, alpha: float) -> np.ndarray:
    """w of f = wᵀφ for explicit features: (ΦᵀCΦ + alpha·I) w = -Φᵀ·slope."""
    return np.linalg.solve(Phi.T @ curvature @ Phi + alpha * np.eye(Phi.shape[1]), -Phi.T @ slope)


def pnu_terms(eta: float, prior: float, sizes: dict[str, int]) -> list[Term]:
    """(1-|eta|)·PN + |eta|·PU, or with NU for eta < 0; rows of one's own class are taken off by their share."""

    def every(higher: str, lower: str) -> list[Pair]:
        return all_pairs(higher, lower, sizes[higher], sizes[lower])

    terms: list[Term] = []
    if abs(eta) < 1:
        terms.append((1 - abs(eta), "square", every("positive", "negative")))
    if eta > 0:
        terms.append((eta / (1 - prior), "square", every("positive", "unlabeled")))
        terms.append((-eta * prior / (1 - prior), "square", every("positive", "positive")))
    if eta < 0:
        terms.append((-eta / prior, "square", every("unlabeled", "negative")))
        terms.append((eta * (1 - prior) / prior, "square", every("negative", "negative")))
    return terms


def objective(w: np.ndarray, features: dict[str, np.ndarray], terms: Sequence[Term], penalty: float):
    """Value and gradient of risk + penalty·‖w‖² for scores that are linear in w, one pair at a time."""
    value, slopes = risk(terms, {group: Phi @ w for group, Phi in features.items()})
    gradient = sum(features[group].T @ slope for group, slope in slopes.items())
    return value + penalty * float(w @ w), gradient + 2 * penalty * w


def brute_force(features: dict[str, np.ndarray], terms: Sequence[Term], penalty: float) -> np.ndarray:
    """w that minimises the objective, by a generic optimiser."""
    start = np.zeros(next(iter(features.values())).shape[1])
    found = minimize(objective, start, (features, terms, penalty), "BFGS", jac=True)
    # Values of the objective cannot tell points apart that differ by the root of the precision; its gradient can.
    polished = root(lambda w: objective(w, features, terms, penalty)[1], found.x, tol=1e-14).x
    assert np.abs(objective(polished, features, terms, penalty)[1]).max() < 1e-10
    return polished


def symmetric_root(K: np.ndarray, inverse: bool = False) -> np.ndarray:
    """K^(1/2) or K^(-1/2) of a positive definite matrix."""
    values, vectors = np.linalg.eigh(K)
    powers = np.maximum(values, 1e-300) ** (-0.5 if inverse else 0.5)
    return (vectors * powers) @ vectors.T


def zero_one_pnu_risk(positive, negative, unlabeled, weight: float, prior: float) -> float:
    """The PNU risk with 0-1 loss as the authors' code counts it: ties one half, no row with itself."""

    def mean(higher, lower, same: bool = False) -> float:
        losses = [
            0.5 if a == b else float(a < b)
            for i, a in enumerate(higher)
            for j, b in enumerate(lower)
            if not (same and i == j)
        ]
        return sum(losses) / len(losses)

    labeled = mean(positive, negative)
    if weight >= 0:
        other = (mean(positive, unlabeled) - prior * mean(positive, positive, same=True)) / (1 - prior)
    else:
        other = (mean(unlabeled, negative) - (1 - prior) * mean(negative, negative, same=True)) / prior
    return (1 - abs(weight)) * labeled + abs(weight) * other


def energy_distance(share: float, positive: np.ndarray, negative: np.ndarray, unlabeled: np.ndarray) -> float:
    """Energy distance, but for a constant, of a mixture to the unlabelled rows; no row meets itself."""

    def mean(left, right) -> float:
        pairs = [(i, j) for i in range(len(left)) for j in range(len(right)) if left is not right or i != j]
        return sum(math.dist(left[i], right[j]) for i, j in pairs) / len(pairs)

    across = 2 * (share * mean(positive, unlabeled) + (1 - share) * mean(negative, unlabeled))
    within = share**2 * mean(positive, positive) + (1 - share) ** 2 * mean(negative, negative)
    return across - within - 2 * share * (1 - share) * mean(positive, negative)


# ------------------------------------------------------------------------------------------------------------ AUC


def auc(higher, lower, higher_weight=None, lower_weight=None) -> float:
    """P(higher > lower) + P(tie)/2 by counting pairs."""
    higher_weight = [1.0] * len(higher) if higher_weight is None else higher_weight
    lower_weight = [1.0] * len(lower) if lower_weight is None else lower_weight
    won = total = 0.0
    for a, v in zip(higher, higher_weight, strict=True):
        for b, w in zip(lower, lower_weight, strict=True):
            won += v * w * (1.0 if a > b else 0.5 if a == b else 0.0)
            total += v * w
    return won / total


# -------------------------------------------------------------------------------------------------------- columns


def rank(value: float, values: Sequence[float]) -> float:
    """The share of values below, those equal counting half, one value at a time."""
    return sum(1.0 if other < value else 0.5 if other == value else 0.0 for other in values) / len(values)


def moments(column: Sequence[float]) -> tuple[float, float, float, float, int]:
    """Mean, deviation, smallest, largest of the values that are no NaN, and the number of NaN; zeros if all are."""
    values = [float(value) for value in column if value == value]
    if not values:
        return 0.0, 0.0, 0.0, 0.0, len(column)
    # Integers as they are, and no rounding before the end.
    exact = [Fraction(value) for value in values]
    mean = sum(exact) / len(exact)
    variance = sum((value - mean) ** 2 for value in exact) / len(exact)
    size = max(map(abs, exact)) or Fraction(1)
    deviation = math.sqrt(variance / size**2) * float(size)
    return float(mean), deviation, min(values), max(values), len(column) - len(values)


def encode(
    row: Sequence[float],
    columns: Sequence[tuple[int, str, float]],
    knots: Sequence[Sequence[tuple[float, float]]],
) -> list[float]:
    """One encoded row; columns are (source, what, number), knots are (value, rank) for each column of ranks in turn."""
    encoded, remaining = [], list(knots)
    for source, what, number in columns:
        value = float(row[source])
        is_missing = value != value
        filled = number if is_missing else value
        if what == "value":
            encoded.append(filled)
        elif what == "level":
            encoded.append(1.0 if value == number else 0.0)
        elif what == "missing":
            encoded.append(1.0 if is_missing else 0.0)
        else:
            encoded.append(interpolate(filled, remaining.pop(0)))
    return encoded


def interpolate(value: float, points: Sequence[tuple[float, float]]) -> float:
    """The height at a value of the line through points, flat beyond its ends."""
    if value <= points[0][0]:
        return points[0][1]
    for (left, low), (right, high) in pairwise(points):
        if value <= right:
            return low + (high - low) * (value - left) / (right - left)
    return points[-1][1]


def auc_weights(positive: np.ndarray, negative: np.ndarray) -> list[float]:
    """Weights of columns by how far their AUC, or that of the distance from the median, is from chance."""
    n_positive, n_negative = len(positive), len(negative)
    chance = (n_positive + n_negative + 1) / (3 * n_positive * n_negative)
    telling = []
    for column in range(positive.shape[1]):
        higher, lower = positive[:, column].tolist(), negative[:, column].tolist()
        middle = statistics.median(higher + lower)
        slope = (2 * auc(higher, lower) - 1) ** 2 - chance
        distances = [abs(v - middle) for v in higher], [abs(v - middle) for v in lower]
        hump = (2 * auc(*distances) - 1) ** 2 - 2 * chance
        telling.append(math.sqrt(max(0.0, slope, hump)) + math.sqrt(chance) / 2)
    mean_square = sum(t * t for t in telling) / len(telling)
    return [t / math.sqrt(mean_square) for t in telling]
