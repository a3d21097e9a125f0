"""Whether another library's code is on the way from the outermost call."""

import types

from joblib import Parallel, delayed

from s2auc.common.user_warnings import is_called_from


def call_from(name):
    """Return the answer to a call that goes through a module of this name."""
    module = types.ModuleType(name)
    exec("def through(work, *args):\n    return work(*args)", module.__dict__)
    return module.through


def test_modules_on_the_way_are_found():
    through = call_from("other.calibration")
    assert through(is_called_from, "other.calibration")
    assert through(is_called_from, "other")
    assert through(lambda: call_from("third")(is_called_from, "other.calibration"))
    assert not is_called_from("other.calibration")
    assert not through(is_called_from, "other.cal")
    assert not through(is_called_from, "other.calibration.inner")


def test_work_in_another_process_knows_the_library_it_runs_in():
    def answer(name):  # which is sent as it is: workers cannot import this file
        import types

        from s2auc.common.user_warnings import is_called_from

        module = types.ModuleType(name)
        exec("def through(work, *args):\n    return work(*args)", module.__dict__)
        return module.through(is_called_from, name)

    assert Parallel(n_jobs=2)(delayed(answer)("other.calibration") for _ in range(2)) == [True, True]
