"""The objective of OptAG and its alternation, one row and one pair at a time."""

import math
from dataclasses import dataclass

import numpy as np
from scipy.optimize import minimize, root


@dataclass
class Data:
    """Rows of each group, how much positive and negative ones count, and the numbers in front of the terms."""

    positive: np.ndarray
    negative: np.ndarray
    unlabeled: np.ndarray
    positive_weight: np.ndarray
    negative_weight: np.ndarray
    alpha: float
    beta: float
    tau: float


def log_sigmoid(z: float) -> float:
    return -math.log(1 + math.exp(-z))


def order_terms(data: Data, w: np.ndarray, q: np.ndarray):
    """The terms of J that know w, and their derivative by it."""
    value, slope = -data.alpha / 2 * float(w @ w), -data.alpha * w
    pairs = []
    a, b = data.positive_weight / sum(data.positive_weight), data.negative_weight / sum(data.negative_weight)
    for p, share in zip(data.positive, a, strict=True):
        pairs += [(p, n, share * other) for n, other in zip(data.negative, b, strict=True)]
    for u, likely in zip(data.unlabeled, q, strict=True):
        each = data.beta / len(data.unlabeled)
        pairs += [(u, n, each * likely * other) for n, other in zip(data.negative, b, strict=True)]
        pairs += [(p, u, each * (1 - likely) * share) for p, share in zip(data.positive, a, strict=True)]
    for high, low, weight in pairs:
        gap = float(w @ (high - low))
        value += weight * log_sigmoid(gap)
        slope = slope + weight / (1 + math.exp(gap)) * (high - low)
    return value, slope


def log_joint(models, row: np.ndarray, label: int) -> float:
    prior, mean, variance = models[label]
    total = math.log(prior)
    for x, m, v in zip(row, mean, variance, strict=True):
        total += -((x - m) ** 2) / (2 * v) - math.log(2 * math.pi * v) / 2
    return total


def labelled_shares(data: Data):
    """Every labelled row with its label and its share of all labelled rows."""
    total = sum(data.positive_weight) + sum(data.negative_weight)
    rows = [(row, 1, weight / total) for row, weight in zip(data.positive, data.positive_weight, strict=True)]
    return rows + [(row, 0, weight / total) for row, weight in zip(data.negative, data.negative_weight, strict=True)]


def optag_value(data: Data, w: np.ndarray, q: np.ndarray, models) -> float:
    """J."""
    value, _ = order_terms(data, w, q)
    for row, label, share in labelled_shares(data):
        value += data.tau * share * log_joint(models, row, label)
    for row, likely in zip(data.unlabeled, q, strict=True):
        each = data.beta / len(data.unlabeled)
        for label, chance in ((1, likely), (0, 1 - likely)):
            if chance > 0:
                value += each * chance * (data.tau * log_joint(models, row, label) - math.log(chance))
    return value


def best_labels(data: Data, w: np.ndarray, models) -> np.ndarray:
    labels = []
    for u in data.unlabeled:
        up, down = data.tau * log_joint(models, u, 1), data.tau * log_joint(models, u, 0)
        for n, count in zip(data.negative, data.negative_weight, strict=True):
            up += count / sum(data.negative_weight) * log_sigmoid(float(w @ (u - n)))
        for p, count in zip(data.positive, data.positive_weight, strict=True):
            down += count / sum(data.positive_weight) * log_sigmoid(float(w @ (p - u)))
        labels.append(1 / (1 + math.exp(down - up)))
    return np.array(labels)


def best_models(data: Data, q: np.ndarray | None):
    """Weighted means and variances of each class; of labelled rows alone where there is no q."""
    everything = [(row, share) for row, _, share in labelled_shares(data)]
    everything += [(row, data.beta / len(data.unlabeled)) for row in data.unlabeled]
    total = sum(c for _, c in everything)
    centre = sum(c * row for row, c in everything) / total
    floor = 0.1 * sum(c * (row - centre) ** 2 for row, c in everything) / total
    models = {}
    weighted = {0: [], 1: []}
    for row, label, share in labelled_shares(data):
        weighted[label].append((row, share))
    for row, likely in zip(data.unlabeled, q, strict=True) if q is not None else ():
        weighted[1].append((row, data.beta * likely / len(data.unlabeled)))
        weighted[0].append((row, data.beta * (1 - likely) / len(data.unlabeled)))
    total = sum(c for listed in weighted.values() for _, c in listed)
    for label, listed in weighted.items():
        mass = sum(c for _, c in listed)
        mean = sum(c * row for row, c in listed) / mass
        variance = sum(c * (row - mean) ** 2 for row, c in listed) / mass
        models[label] = (mass / total, mean, np.maximum(variance, floor))
    return models


def best_weights(data: Data, q: np.ndarray) -> np.ndarray:
    start = np.zeros(data.positive.shape[1])
    found = minimize(lambda w: tuple(-part for part in order_terms(data, w, q)), start, jac=True, method="BFGS")
    polished = root(lambda w: order_terms(data, w, q)[1], found.x, tol=1e-14).x
    assert np.abs(order_terms(data, polished, q)[1]).max() < 1e-10
    return polished


def optag(data: Data, n_alternations: int):
    """w after every alternation, from the supervised start on, and J there."""
    none = Data(**{**vars(data), "unlabeled": data.unlabeled[:0]})
    w, models = best_weights(none, np.zeros(0)), best_models(data, None)
    q = best_labels(data, w, models)
    weights, values = [w], [optag_value(data, w, q, models)]
    for _ in range(n_alternations):
        w, models = best_weights(data, q), best_models(data, q)
        q = best_labels(data, w, models)
        weights.append(w)
        values.append(optag_value(data, w, q, models))
    return weights, values
