"""Small made-up tables with text columns: what they say depends on topics, which few labels know."""

import numpy as np
import pandas as pd

TOPICS = {
    1: ["prize", "winner", "cash", "claim", "urgent", "free", "reward", "voucher", "bonus", "lottery", "selected"],
    0: ["meeting", "lunch", "report", "tomorrow", "office", "project", "review", "schedule", "team", "agenda", "notes"],
}
FILLERS = ["the", "is", "to", "you", "we", "for", "and", "please", "with", "this", "your", "from", "now", "call", "see"]


def make_texts(truth, seed=0, n_topic=3, n_filler=6):
    """Return a message per row: some words of its topic, one of the other topic at times, and words of all."""
    rng = np.random.default_rng(seed)
    texts = []
    for positive in truth:
        words = [*rng.choice(TOPICS[int(positive)], n_topic), *rng.choice(FILLERS, n_filler)]
        words += [rng.choice(TOPICS[1 - int(positive)])] * bool(rng.random() < 0.7)
        texts.append(" ".join(rng.permutation(words)).capitalize() + rng.choice([".", "!", " 😀", " <br>"]))
    return texts


def make_text_table(n_rows=600, n_labeled=60, seed=0):
    """Return a frame with a text column and a number, labels of which most are -1, and the truth."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(0, 2, n_rows)
    frame = pd.DataFrame({"note": make_texts(truth, seed), "amount": rng.normal(size=n_rows) + 0.5 * truth})
    return frame, np.where(np.arange(n_rows) < n_labeled, truth, -1), truth


SMALL_SEARCH = {
    "kernels": ["gaussian"],
    "kernel_gammas": ["median"],
    "alphas": [1e-2],
    "labeled_weights": [1.0],
    "neighbor_weights": [0.0],
    "column_weightings": ["none"],
    "n_frequencies": 32,
    "members": ["kernels", "linear"],
    "cv": 3,
    "judge": False,
    "random_state": 0,
}
"""Parameters of a quick search."""
