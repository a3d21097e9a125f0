"""Whatever is wrong, every estimator says so in one sentence, with few kinds of exception, and stays what it was."""

import re
import warnings

import pytest
from bad_inputs import (
    ESTIMATORS,
    FILES,
    FIT_ARGUMENTS,
    FITTING,
    NAMES,
    SCORING,
    SPECIAL,
    make_estimator,
    make_rows,
)
from sklearn.exceptions import NotFittedError

from s2auc import load_model
from s2auc.common.errors import InputError, InputTypeError
from s2auc.models import ModelFileError

KINDS = (
    InputError,
    InputTypeError,
    ValueError,
    TypeError,
    NotFittedError,
    MemoryError,
    ModelFileError,
    FileNotFoundError,
    IsADirectoryError,
)
"""All that is ever raised here."""


def parameters_of(name, given):
    """Return parameters as an estimator has them: those that it searches are lists with a plural name."""
    known = make_estimator(name).get_params()
    return {key if key in known else f"{key}s": value if key in known else [value] for key, value in given.items()}


def check_sentence(error, pattern):
    text = str(error)
    assert type(error) in KINDS
    assert re.search(pattern, text), text
    assert "\n" not in text, text
    assert text.endswith((".", "estimator")), text
    assert 20 < len(text) < 500, text


def state_of(estimator):
    return {name: id(value) for name, value in vars(estimator).items()}


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("case", FITTING)
def test_fits_that_cannot_work(case, name):
    check_fit(name, *FITTING[case])


@pytest.mark.parametrize(("case", "name"), [(case, name) for case, (names, *_) in SPECIAL.items() for name in names])
def test_fits_that_some_are_asked_for_and_cannot_work(case, name):
    check_fit(name, *SPECIAL[case][1:])


def check_fit(name, change, pattern):
    X, y = make_rows()
    given = {"X": X, "y": y} | change(X, y)
    parameters = {key: given.pop(key) for key in list(given) if key not in FIT_ARGUMENTS}
    estimator = make_estimator(name, **parameters_of(name, parameters))
    before = state_of(estimator)
    with pytest.raises(KINDS) as caught:
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
    with pytest.raises(KINDS) as caught:
        getattr(estimator, method)(*arguments(make_rows()[0]))
    check_sentence(caught.value, pattern)
    assert state_of(estimator) == before
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("case", FILES)
def test_files_that_are_no_models(case, fitted, tmp_path):
    content, pattern = FILES[case]
    path = tmp_path / "model"
    if content == "folder":
        path.mkdir()
    elif content is not None:
        fitted["S2AUCClassifier"].save(path)
        path.write_bytes(content(path.read_bytes()))
    with pytest.raises(KINDS) as caught:
        load_model(path)
    check_sentence(caught.value, pattern)


def test_the_table_is_long_and_kinds_are_few():
    assert len(FITTING) + len(SPECIAL) + len(SCORING) + len(FILES) >= 120
    assert len(ESTIMATORS) == len(NAMES) == 13
    assert len(KINDS) <= 10
