"""A fit that is killed goes on where it was, and ends with the same bytes as one that nobody killed."""

import os

import pytest

from kill_fits import Fit, Tally, to_the_end, when, whole_run

pytestmark = pytest.mark.skipif(os.name != "posix", reason="kills of POSIX")


def test_three_kills_leave_no_trace(tmp_path):
    expected, _ = whole_run(tmp_path / "whole")
    (tmp_path / "killed").mkdir()
    fit, tally = Fit(tmp_path / "killed"), Tally()
    n_all = 0
    # With the first piece, in the middle of the search, and when it is over but for its last entries.
    for n_more in (1, 12, 12):
        n_wanted = n_all + n_more
        has_ended = tally.run(fit, when(lambda n_wanted=n_wanted: len(fit.pieces()) >= n_wanted))
        n_all = len(fit.pieces())
        assert has_ended or n_all >= n_wanted
        if has_ended:  # on a machine that makes pieces faster than they are counted
            break
        assert not fit.model.exists()
    assert tally.run(fit, to_the_end)
    assert tally.n_kills >= 1
    assert fit.model.read_bytes() == expected
