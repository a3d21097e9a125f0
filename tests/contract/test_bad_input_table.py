"""Whatever is wrong, estimators say so in one sentence, with few kinds of exception, and stay what they were."""

import re

import pytest
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import has_fit_parameter

from bad_inputs import (
    FILES,
    FIT_ARGUMENTS,
    FITTING,
    NAMES,
    SCORING,
    SPECIAL,
    make_estimator,
    make_rows,
)
from s2auc import load_model
from s2auc.common.errors import InputError, InputTypeError
from s2auc.models.files.file import ModelFileError

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

WITHOUT_RULE = {"unlabeled", "pos_label", "categorical_features", "text_features"}
"""Parameters that are checked against the rows, not by a rule."""


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


@pytest.mark.parametrize("case", FITTING)
def test_fits_that_cannot_work(case):
    check_fit("S2AUCClassifier", *FITTING[case])


@pytest.mark.parametrize("case", SPECIAL)
def test_fits_that_some_are_asked_for_and_cannot_work(case):
    check_fit(*SPECIAL[case])


@pytest.mark.parametrize("name", NAMES)
def test_every_estimator_checks_rows_labels_and_weights(name):
    for case in ("infinity", "X and y differ", "more columns in X_unlabeled"):
        check_fit(name, *FITTING[case])
    if has_fit_parameter(make_estimator(name), "sample_weight"):
        check_fit(name, *SPECIAL["too few weights"][1:])


@pytest.mark.parametrize("name", NAMES)
def test_every_estimator_checks_every_parameter(name):
    X, y = make_rows()
    for parameter in make_estimator(name).get_params(deep=False).keys() - WITHOUT_RULE:
        estimator = make_estimator(name, **{parameter: object()})
        before = state_of(estimator)
        with pytest.raises(KINDS) as caught:
            estimator.fit(X, y)
        check_sentence(caught.value, f"^The '{parameter}' parameter of {name} must be .* Got <object .* instead")
        assert state_of(estimator) == before


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
    return make_estimator("S2AUCClassifier").fit(*make_rows())


@pytest.mark.parametrize("case", SCORING)
def test_scoring_that_cannot_work(case, fitted, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    check_scoring(fitted, *SCORING[case])
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", NAMES)
def test_every_estimator_refuses_to_score_before_it_is_fitted(name):
    check_scoring(make_estimator(name), "decision_function", lambda X: (X,), "not fitted yet. Call 'fit'")


def check_scoring(estimator, method, arguments, pattern):
    before = state_of(estimator)
    with pytest.raises(KINDS) as caught:
        getattr(estimator, method)(*arguments(make_rows()[0]))
    check_sentence(caught.value, pattern)
    assert state_of(estimator) == before


@pytest.mark.parametrize("case", FILES)
def test_files_that_are_no_models(case, fitted, tmp_path):
    content, pattern = FILES[case]
    path = tmp_path / "model"
    if content == "folder":
        path.mkdir()
    elif content is not None:
        fitted.save(path)
        path.write_bytes(content(path.read_bytes()))
    with pytest.raises(KINDS) as caught:
        load_model(path)
    check_sentence(caught.value, pattern)
