"""Lone surrogates, which no encoding carries: shown and not saved in classes, refused in tables."""

import numpy as np
import pandas as pd
import pytest

from s2auc import S2AUCClassifier

LONE = "\ud800"
rng = np.random.default_rng(0)
NUMBERS = rng.normal(size=(60, 2))
TRUTH = np.where(np.arange(60) < 30, (NUMBERS[:, 0] > 0).astype(int), -1)
FRAME = pd.DataFrame(NUMBERS, columns=["a", "b"])
# As objects: Arrow, which holds the text of newer pandas, does not take them at all.
CITIES = FRAME.assign(city=pd.Series(np.array(["Rome", LONE], dtype=object)[rng.integers(2, size=60)], dtype=object))
WORDS = np.where(TRUTH == 1, LONE, np.where(TRUTH == 0, "no", "?"))
CASES = {
    "class": (FRAME, WORDS, "?", "its classes must be two different values, .* text that UTF-8 can carry"),
}


@pytest.mark.parametrize("case", CASES)
def test_they_are_shown_but_not_saved(case, tmp_path):
    X, y, marker, sentence = CASES[case]
    model = S2AUCClassifier(max_iter=2, unlabeled=marker, random_state=0).fit(X, y)
    assert np.isfinite(model.decision_function(X)).all()
    assert model.predict(X).shape == (60,)
    for text in (repr(model), repr(model.model_), model._repr_html_(), model.model_._repr_html_()):
        assert text.encode("utf-8")
    path = tmp_path / "model"
    path.write_bytes(b"before")
    with pytest.raises(ValueError, match=rf"^Cannot save the model to .*: {sentence}.*\.$") as caught:
        model.save(path)
    assert str(caught.value).encode("utf-8")
    assert [file.name for file in tmp_path.iterdir()] == ["model"]
    assert path.read_bytes() == b"before"


def named(numbers, names=("a", LONE)):
    return pd.DataFrame(numbers, columns=pd.Index(names, dtype=object))


def test_errors_and_warnings_spell_them_out():
    model = S2AUCClassifier(max_iter=2, random_state=0)
    lone = CITIES.assign(city=pd.Series([LONE] * 60, dtype=object))
    cases = [
        lambda: model.fit(named(NUMBERS), TRUTH),
        lambda: model.fit(FRAME, TRUTH).predict(named(np.hstack([NUMBERS, NUMBERS[:, :1]]), ["a", "b", LONE])),
        lambda: S2AUCClassifier(categorical_features=[LONE]).fit(FRAME, TRUTH),
        lambda: S2AUCClassifier(categorical_features=None).fit(lone, TRUTH),
        lambda: model.fit(NUMBERS, TRUTH).predict(LONE),
    ]
    for case in cases:
        with pytest.raises((ValueError, FileNotFoundError)) as caught:
            case()
        assert str(caught.value).encode("utf-8")
    with pytest.raises(ValueError, match=r"^Column 'city' must hold text that UTF-8 can carry\. Got '\\ud800' in row "):
        model.fit(CITIES, TRUTH)
    with pytest.raises(ValueError, match=r"^Columns of X must have names that UTF-8 can carry\. Got '\\ud800'; rename"):
        model.fit(named(NUMBERS), TRUTH)
