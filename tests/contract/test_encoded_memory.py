"""Memory goes with the columns of a table, not with the encoded columns that categories become."""

import tracemalloc

import numpy as np
import pandas as pd
import pytest

from s2auc import S2AUCClassifier

N_ROWS, N_COLUMNS, N_LEVELS = 6_000, 20, 100
SINGLE = {"steps": {"max_iter": 4}, "closed form": {"solver": "exact"}}


def make(share_labeled):
    rng = np.random.default_rng(0)
    levels = [f"level {number}" for number in range(N_LEVELS)]
    codes = rng.integers(0, N_LEVELS, (N_COLUMNS, N_ROWS))
    X = pd.DataFrame({f"c{place}": pd.Categorical.from_codes(row, levels) for place, row in enumerate(codes)})
    return X, np.where(rng.random(N_ROWS) < share_labeled, codes[0] % 2, -1)


def traced_peak(work):
    tracemalloc.start()
    try:
        result = work()
        return result, tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize("case", SINGLE)
def test_a_single_fit_never_holds_all_encoded_rows(case):
    X, y = make(share_labeled=0.9)
    ranker = S2AUCClassifier(random_state=0, n_frequencies=8, n_jobs=1, **SINGLE[case])
    fitted, peak = traced_peak(lambda: ranker.fit(X, y))
    # All rows, encoded, would take 96 MB, and as much again for each of the steps on the way.
    assert len(fitted.model_.parts[0].columns.shift) == N_COLUMNS * N_LEVELS
    assert peak < 125e6, f"the fit took {peak / 1e6:.0f} MB"


def test_scoring_never_holds_all_encoded_rows():
    X, y = make(share_labeled=0.02)
    ranker = S2AUCClassifier(random_state=0, n_frequencies=8, n_jobs=1, max_iter=2).fit(X, y)
    scores, peak = traced_peak(lambda: ranker.decision_function(X))
    assert len(scores) == N_ROWS
    assert peak < 125e6, f"scoring took {peak / 1e6:.0f} MB"
