"""Progress is told to who listens, in the thread that listens, while it listens."""

from threading import Thread

import pytest

from s2auc.common.progress import Progress, has_listener, listening, tell_progress


def test_nobody_needs_to_listen():
    assert not has_listener()
    tell_progress(Progress("rows"))


def test_who_listens_is_told_until_the_block_ends():
    told = []
    with listening(told.append):
        assert has_listener()
        tell_progress(Progress("rows", n_done=1, n_all=3))
    tell_progress(Progress("columns"))
    assert told == [Progress("rows", "", 1, 3, None, None)]


def test_the_innermost_listener_is_told_and_the_outer_one_again_after_it():
    outer, inner = [], []
    with listening(outer.append):
        with listening(inner.append):
            tell_progress(Progress("inner"))
        tell_progress(Progress("outer"))
    assert [progress.stage for progress in inner] == ["inner"]
    assert [progress.stage for progress in outer] == ["outer"]
    assert not has_listener()


def test_what_a_listener_raises_passes_through():
    def stop(progress):
        raise KeyboardInterrupt(progress.stage)

    with pytest.raises(KeyboardInterrupt, match="rows"), listening(stop):
        tell_progress(Progress("rows"))
    assert not has_listener()


def test_other_threads_are_not_listened_to():
    told = []
    with listening(told.append):
        other = Thread(target=lambda: tell_progress(Progress("elsewhere")))
        other.start()
        other.join()
    assert told == []
