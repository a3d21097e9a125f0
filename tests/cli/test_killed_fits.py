"""A fit that is killed goes on where it was, and ends with the same bytes as one that nobody killed."""

import os

import pytest

from kill_fits import Fit, Tally, to_the_end, when

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kills of POSIX")


def test_two_kills_leave_no_trace(whole_fit, tmp_path):
    fit, tally, n_all = Fit(tmp_path), Tally(), 0
    # With the first item, and in the middle of the search.
    for n_more in (1, 12):
        n_wanted = n_all + n_more
        if tally.run(fit, when(lambda n_wanted=n_wanted: len(fit.items()) >= n_wanted)):
            break  # the machine makes items faster than they are counted
        n_all = len(fit.items())
        assert n_all >= n_wanted
        assert not fit.model.exists()
    assert tally.run(fit, to_the_end)
    assert tally.n_kills >= 1
    assert fit.model.read_bytes() == whole_fit.model
