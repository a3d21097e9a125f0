"""Whatever is wrong, every estimator says so in one sentence, with few kinds of exception, and stays what it was."""

import re
import warnings

import pytest

from bad_inputs import ESTIMATORS, FIT_ARGUMENTS, FITTING, NAMES, SCORING, make_estimator, make_rows

KINDS = {ValueError, TypeError, AttributeError, OSError, MemoryError, ImportError}
"""What is raised is one of these, or a kind of them that scikit-learn or Python has a name for."""


def parameters_of(name, given):
    """Return parameters as an estimator has them: those that it searches are lists with a plural name."""
    known = make_estimator(name).get_params()
    return {key if key in known else f"{key}s": value if key in known else [value] for key, value in given.items()}


def check_sentence(error, pattern):
    text = str(error)
    assert isinstance(error, tuple(KINDS)), type(error)
    assert re.search(pattern, text), text
    assert "\n" not in text, text
    assert text.endswith((".", "estimator")), text
    assert 20 < len(text) < 500, text


def state_of(estimator):
    return {name: id(value) for name, value in vars(estimator).items()}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("case", FITTING)
def test_fits_that_cannot_work(case, name):
    change, pattern = FITTING[case]
    X, y = make_rows()
    given = {"X": X, "y": y} | change(X, y)
    parameters = {key: given.pop(key) for key in list(given) if key not in FIT_ARGUMENTS}
    estimator = make_estimator(name, **parameters_of(name, parameters))
    before = state_of(estimator)
    with pytest.raises(tuple(KINDS)) as caught:
        estimator.fit(**given)
    check_sentence(caught.value, pattern)
    assert state_of(estimator) == before


@pytest.fixture(scope="module")
def fitted():
    X, y = make_rows()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return {name: make_estimator(name).fit(X, y) for name in NAMES}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("case", SCORING)
def test_scoring_that_cannot_work(case, name, fitted, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    method, arguments, pattern = SCORING[case]
    estimator = make_estimator(name) if case == "not fitted" else fitted[name]
    before = state_of(estimator)
    with pytest.raises(tuple(KINDS)) as caught:
        getattr(estimator, method)(*arguments(make_rows()[0]))
    check_sentence(caught.value, pattern)
    assert state_of(estimator) == before
    assert not list(tmp_path.iterdir())


def test_the_table_is_long():
    assert len(FITTING) + len(SCORING) >= 80
    assert len(ESTIMATORS) == len(NAMES) == 6
