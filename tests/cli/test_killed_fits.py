"""A fit that is killed goes on where it was, and ends with the same bytes as one that nobody killed."""

import os

import pytest

from kill_fits import Fit, Tally, to_the_end, when

N_ITEMS = 3
"""Of more than twenty that are kept: the fit goes on long after the moment of the kill."""

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kills of POSIX")


def test_a_kill_in_the_middle_of_the_search_leaves_no_trace(whole_fit, tmp_path):
    fit, tally = Fit(tmp_path), Tally()
    assert not tally.run(fit, when(lambda: len(fit.items()) >= N_ITEMS))
    assert len(fit.items()) >= N_ITEMS
    assert not fit.model.exists()
    assert tally.run(fit, to_the_end)
    assert tally.n_kills == 1
    assert fit.model.read_bytes() == whole_fit.model
