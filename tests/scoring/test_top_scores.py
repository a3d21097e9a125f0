"""The highest scores, picked out as they come, are those that sorting all of them gives."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from reference.top_scores import top_rows
from s2auc.scoring.top_scores import TopScores


@given(st.lists(st.lists(st.sampled_from([-1.0, 0.0, 0.5, 2.0]), max_size=6), max_size=12), st.integers(1, 9))
def test_ties_and_chunks_of_any_size(chunks, most):
    top = TopScores(most, spare=3)
    for chunk in chunks:
        top.add(np.array(chunk))
    scores = [score for chunk in chunks for score in chunk]
    ranked = top.ranked()
    assert ranked.rows.tolist() == top_rows(scores, most)
    assert ranked.scores.tolist() == [scores[row] for row in ranked.rows]


def test_what_is_held_does_not_grow():
    top, random = TopScores(5, spare=3), np.random.default_rng(0)
    for _ in range(100):
        top.add(random.normal(size=10))
        assert sum(map(len, top._scores)) < 2 * 5 + 3
