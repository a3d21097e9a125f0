"""Arbiter PUFs with 128 stages, simulated: five XORed as in the paper, and a single one that can be learnt."""

from functools import partial

import numpy as np

from s2auc.common.arrays import BoolArray, FloatArray
from s2auc.experiments.datasets.entries import DatasetEntry, DatasetRows, Float32Array

N_STAGES = 128
N_ARBITERS = 5
#: DatasetRows simulated at a time, so that temporary arrays stay near 100 MB.
_BLOCK = 65_536


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


def _simulate(n_rows: int, seed: int, *, n_arbiters: int) -> DatasetRows:
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


_CITATION = (
    "Additive delay model of U. Rührmair et al. (2010), Modeling attacks on physical unclonable "
    "functions, CCS; after the dataset 463 of the UCI Machine Learning Repository."
)
_HOMEPAGE = "https://archive.ics.uci.edu/dataset/463/physical+unclonable+functions"

UNCLONABLE = DatasetEntry(
    name="unclonable",
    title="5-XOR arbiter PUF with 128 stages, simulated here",
    kind="generated",
    n_rows=10_000,
    n_columns=N_STAGES,
    positive="response 1: an odd number of the five arbiters say 1",
    citation=_CITATION,
    licence="BSD-3-Clause",
    homepage=_HOMEPAGE,
    notes=(
        "Not the rows of the UCI file (see unclonable_uci), which is a simulation too: a new PUF for every "
        "seed, weights standard normal, no noise. The 128 columns are parity features of +1 and -1, as many "
        "as the UCI file has beside the response; the paper of QSG-S2AUC counts the response too (129) and "
        "has 6,000,000 rows. The first rows are the same for every n_rows."
    ),
    in_paper=True,
    generate=partial(_simulate, n_arbiters=N_ARBITERS),
)

UNCLONABLE_SINGLE = DatasetEntry(
    name="unclonable_single",
    title="single arbiter PUF with 128 stages, simulated here",
    kind="generated",
    n_rows=10_000,
    n_columns=N_STAGES,
    positive="response 1",
    citation=_CITATION,
    licence="BSD-3-Clause",
    homepage=_HOMEPAGE,
    notes=(
        "As unclonable, without the XOR of several arbiters: linear in its columns, so that a few hundred rows "
        "teach something, where five XORed arbiters take many thousands."
    ),
    generate=partial(_simulate, n_arbiters=1),
)
