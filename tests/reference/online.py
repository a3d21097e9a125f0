"""Algorithms that learn one row after the other, as they are written down."""

from math import floor, inf, log, log2, sqrt

import numpy as np


def saddle_objective(w, a, b, alpha, X, is_positive, p):
    """Mean over rows of F, term by term."""
    total = 0.0
    for x, positive in zip(X, is_positive, strict=True):
        score = sum(float(w[j]) * float(x[j]) for j in range(len(w)))
        if positive:
            total += (1 - p) * (score - a) ** 2 - 2 * (1 + alpha) * (1 - p) * score
        else:
            total += p * (score - b) ** 2 + 2 * (1 + alpha) * p * score
        total -= p * (1 - p) * alpha**2
    return total / len(X)


def pair_loss(w, X, is_positive):
    """Mean over pairs of (1 - w·(x - x'))²."""
    losses = [
        (1 - float(np.dot(w, X[i] - X[j]))) ** 2
        for i in range(len(X))
        for j in range(len(X))
        if is_positive[i] and not is_positive[j]
    ]
    return sum(losses) / len(losses)


def _derivatives(w, a, b, alpha, x, positive, p):
    score = float(np.dot(w, x))
    if positive:
        by_w = 2 * (1 - p) * (score - a) * x - 2 * (1 + alpha) * (1 - p) * x
        return by_w, -2 * (1 - p) * (score - a), 0.0, -2 * (1 - p) * score - 2 * p * (1 - p) * alpha
    by_w = 2 * p * (score - b) * x + 2 * (1 + alpha) * p * x
    return by_w, 0.0, -2 * p * (score - b), 2 * p * score - 2 * p * (1 - p) * alpha


def _cut(value, bound):
    return max(-bound, min(bound, value))


def solam(X, is_positive, c, R):
    """Every iterate (w, a, b, alpha), the first of which is zero, and the average that the authors return."""
    w, a, b, alpha = np.zeros(X.shape[1]), 0.0, 0.0, 0.0
    iterates = [(w, a, b, alpha)]
    p, gamma_bar, w_bar, kappa = 0.0, 0.0, np.zeros(X.shape[1]), 0.0
    for t, (x, positive) in enumerate(zip(X, is_positive, strict=True), start=1):
        gamma = c / sqrt(t)
        p = ((t - 1) * p + bool(positive)) / t
        kappa = max(kappa, float(np.linalg.norm(x)))
        by_w, by_a, by_b, by_alpha = _derivatives(w, a, b, alpha, x, positive, p)
        w_bar = (gamma_bar * w_bar + gamma * w) / (gamma_bar + gamma)
        gamma_bar += gamma
        w, a, b, alpha = w - gamma * by_w, a - gamma * by_a, b - gamma * by_b, alpha + gamma * by_alpha
        norm = float(np.linalg.norm(w))
        if norm > R:
            w = w / norm * R
        a, b, alpha = _cut(a, R * kappa), _cut(b, R * kappa), _cut(alpha, 2 * R * kappa)
        iterates.append((w, a, b, alpha))
    return iterates, w_bar


def project_both(v, center, r, R, bound):
    """Nearest point of {‖w‖ <= R, |a|, |b| <= bound} within r of the centre, by Dykstra's alternating projections."""

    def onto_set(u):
        u = u.copy()
        norm = float(np.linalg.norm(u[:-2]))
        if norm > R:
            u[:-2] *= R / norm
        u[-2], u[-1] = _cut(u[-2], bound), _cut(u[-1], bound)
        return u

    def onto_ball(u):
        norm = float(np.linalg.norm(u - center))
        return center + (u - center) * (r / norm) if norm > r else u

    point, first, second = v.copy(), np.zeros_like(v), np.zeros_like(v)
    for _ in range(100_000):
        middle = onto_set(point + first)
        first = point + first - middle
        moved = onto_ball(middle + second)
        second = middle + second - moved
        if np.abs(moved - point).max() < 1e-15 and np.abs(moved - middle).max() < 1e-12:
            return moved
        point = moved
    return point


def fsauc_stages(n):
    """How many stages there are for n rows."""
    return max(1, floor(0.5 * log2(2 * n / log2(n))) - 1) if n > 2 else 1


def fsauc_radii(k, n_before, p, kappa, R, delta=0.1):
    """r, D and beta of stage k, after one of so many rows; None where beta is not defined."""
    r = 2 * sqrt(1 + 2 * kappa**2) * R
    for _ in range(k - 1):
        r = r / 2
    if k == 1:
        return r, 2 * sqrt(2) * kappa * r, 1 + 8 * kappa**2
    q = min(p, 1 - p)
    root = q * n_before - sqrt(2 * n_before * log(12 / delta))
    if root <= 0:
        return r, inf, None
    D = 2 * sqrt(2) * kappa * r + 4 * sqrt(2) * kappa * (2 + sqrt(2 * log(12 / delta))) * (1 + 2 * kappa) * R / sqrt(
        root
    )
    share = q - sqrt(2 * log(12 / delta) / n_before)
    beta = (1 + 8 * kappa**2) + 32 * kappa**2 * (1 + 2 * kappa) ** 2 * (2 + sqrt(2 * log(12 / delta))) ** 2 / share
    return r, D, beta


def fsauc(X, is_positive, eta, R, starts):
    """Every iterate (w, a, b, alpha) before its step, the average of the last stage, and how often r and D held.

    `starts` says how many rows come before each stage; the first is 0.
    """
    d = X.shape[1]
    v, alpha, k, beta = np.zeros(d + 2), 0.0, 0, None
    n_positive, kappa, total, count = 0, 0.0, np.zeros(d + 2), 0
    iterates, n_held, n_before, p_start = [], 0, 0, 0.0
    for t, (x, positive) in enumerate(zip(X, is_positive, strict=True)):
        if t in starts:
            k += 1
            if k > 1:
                v = total / count
                n_before, p_start = t - starts[k - 2], n_positive / t
                mean_p = np.mean([X[i] for i in range(t) if is_positive[i]], axis=0)
                mean_n = np.mean([X[i] for i in range(t) if not is_positive[i]], axis=0)
                alpha = float(np.dot(v[:d], mean_n - mean_p))
                old = 1 + 8 * kappa**2 if k == 2 else beta
                beta = fsauc_radii(k, n_before, p_start, kappa, R)[2]
                ratio = 1.0 if beta is None or old is None else sqrt(beta / old)
                eta = min(eta, max(eta / 2, eta * ratio / 2))
            v_start, alpha_start, total, count = v, alpha, np.zeros(d + 2), 0
        iterates.append((v[:d], v[d], v[d + 1], alpha))
        total, count = total + v, count + 1
        n_positive += bool(positive)
        p = n_positive / (t + 1)
        kappa = max(kappa, float(np.linalg.norm(x)))
        by_w, by_a, by_b, by_alpha = _derivatives(v[:d], v[d], v[d + 1], alpha, x, positive, p)
        moved = v - eta * np.concatenate([by_w, [by_a, by_b]])
        r, D, _ = fsauc_radii(k, n_before, p_start, kappa, R)
        v = project_both(moved, v_start, r, R, R * kappa)
        n_held += bool(np.linalg.norm(project_both(moved, v_start, inf, R, R * kappa) - v_start) > r)
        alpha = _cut(alpha + eta * by_alpha, 2 * R * kappa)
        alpha = alpha_start + _cut(alpha - alpha_start, D)
    return iterates, (total / count)[:d], n_held


def one_pass_loss(w, z, positive, others, lam):
    """Mean over the rows of the other class of (1 - y·w·(z - z'))²/2, and lam/2·‖w‖²."""
    y = 1.0 if positive else -1.0
    losses = [(1 - y * float(np.dot(w, z - other))) ** 2 / 2 for other in others]
    return lam / 2 * float(np.dot(w, w)) + sum(losses) / len(losses)


def one_pass(Z, is_positive, lam, eta):
    """Weights after every row: each steps against the mean derivative of its pairs with earlier rows, pair by pair."""
    w, history = np.zeros(Z.shape[1]), []
    for t, (z, positive) in enumerate(zip(Z, is_positive, strict=True)):
        y = 1.0 if positive else -1.0
        others = [Z[i] for i in range(t) if bool(is_positive[i]) != bool(positive)]
        if others:
            gradient = lam * w
            for other in others:
                gap = z - other
                gradient = gradient - (1 - y * float(np.dot(w, gap))) * y * gap / len(others)
            w = w - eta * gradient
        history.append(w)
    return history


def kernel_one_pass(K, is_positive, lam, eta):
    """Coefficients of f = Σ β_i k(x_i, ·) after one pass over rows whose kernel is K, pair by pair."""
    beta = np.zeros(len(K))
    for t, positive in enumerate(is_positive):
        y = 1.0 if positive else -1.0
        others = [i for i in range(t) if bool(is_positive[i]) != bool(positive)]
        if not others:
            continue
        scores = K @ beta
        gradient = lam * beta
        for i in others:
            pull = (1 - y * (scores[t] - scores[i])) * y / len(others)
            gradient[t] -= pull
            gradient[i] += pull
        beta = beta - eta * gradient
    return beta
