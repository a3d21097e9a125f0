"""Sparse rows of very many columns are learnt from, and scored, without their dense form."""

import tracemalloc

import numpy as np
import pytest
from scipy.sparse import csr_array

from s2auc import S2AUCClassifier, S2AUCClassifierCV
from text_rows import SMALL

N_COLUMNS, N_TEXTS, N_WORDS = 20_000, 3_000, 20
WIDE = {
    "single fit": S2AUCClassifier(max_iter=20, random_state=0),
    "search": S2AUCClassifierCV(**SMALL),
}


@pytest.mark.parametrize("name", WIDE)
def test_sparse_rows_of_very_many_columns(name):
    rng = np.random.default_rng(0)
    # Some columns are frequent, most are rare.
    words = (N_COLUMNS * rng.random((N_TEXTS, N_WORDS)) ** 3).astype(np.int32)
    bounds = np.arange(0, words.size + 1, N_WORDS)
    X = csr_array((np.ones(words.size), words.ravel(), bounds), shape=(N_TEXTS, N_COLUMNS))
    y = np.where(np.arange(N_TEXTS) < 100, np.arange(N_TEXTS) % 2, -1)
    tracemalloc.start()
    try:
        ranker = WIDE[name].fit(X, y)
        ranker.decision_function(X)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 150e6, f"the fit took {peak / 1e6:.0f} MB"
    # In dense form the rows alone would take 480 MB.
    assert ranker.model_.n_columns == N_COLUMNS
