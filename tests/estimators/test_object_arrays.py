"""Arrays of objects whose listed columns hold text are read as data frames without names are."""

import numpy as np
import pandas as pd
import pytest

from s2auc import S2AUCClassifier, SAMULTClassifier, load_model

rng = np.random.default_rng(0)
NUMBERS = rng.normal(size=(120, 2))
CITIES = np.array(["Oslo", "Rome", "Lima"])[rng.integers(3, size=120)]
Y = np.where(np.arange(120) < 40, (NUMBERS[:, 0] + (CITIES == "Rome") > 0.5).astype(int), -1)
X = np.column_stack([NUMBERS.astype(object), CITIES.astype(object)])


def fast(**changes):
    return S2AUCClassifier(**{"max_iter": 4, "random_state": 0, "categorical_features": [2]} | changes)


def test_they_score_as_frames_do(tmp_path):
    model, frame = fast().fit(X, Y), pd.DataFrame(NUMBERS).assign(city=CITIES)
    frame.columns = ["a", "b", "city"]
    assert model.model_.schema.levels == {2: ("Lima", "Oslo", "Rome")}
    scores = fast().fit(frame, Y).decision_function(frame)
    np.testing.assert_array_equal(model.decision_function(X), scores)
    np.testing.assert_array_equal(model.decision_function(X.tolist()), scores)
    np.testing.assert_array_equal(model.model_.decision_function(X), scores)
    model.save(tmp_path / "model")
    np.testing.assert_array_equal(load_model(tmp_path / "model").decision_function(X), scores)


def test_unlabelled_rows_bring_categories():
    pool = X[40:].copy()
    pool[:5, 2] = "Kyiv"
    pool[7, 0] = None
    model = fast().fit(X[:40], Y[:40], pool)
    assert set(model.model_.schema.levels[2]) == {"Kyiv", "Lima", "Oslo", "Rome"}
    stranger, gone = X[:3].copy(), X[:3].copy()
    stranger[:, 2], gone[:, 2] = "Bonn", None
    np.testing.assert_array_equal(model.decision_function(stranger), model.decision_function(gone))


def test_numbers_that_are_listed_stay_what_they_are():
    held = np.column_stack([NUMBERS, rng.integers(3, size=120)])
    plain = fast().fit(held, Y)
    model = fast().fit(held.astype(object), Y)
    assert model.model_.schema.levels == plain.model_.schema.levels == {2: None}
    np.testing.assert_array_equal(model.decision_function(held), plain.decision_function(held))


def test_digits_as_categories_stay_text():
    coded = X.copy()
    coded[:, 2] = np.where(CITIES == "Rome", "1", "2")
    coded[0, 2] = "A"
    model = fast().fit(coded, Y)
    assert model.decision_function(coded[1:5]).tolist() == model.decision_function(coded)[1:5].tolist()


def test_other_columns_and_other_arrays():
    with pytest.raises(ValueError, match=r"^Column 2 of X must hold numbers\. Got text such as '.*'; convert"):
        fast(categorical_features="from_dtype").fit(X, Y)
    with pytest.raises(ValueError, match=r"^Column 2 of X must hold numbers\. Got text such as '.*'; convert"):
        fast(categorical_features=[0]).fit(X, Y)
    with pytest.raises(ValueError, match=r"^X must be a data frame .* columns 2 held categories\. Got ndarray;"):
        fast().fit(X, Y).decision_function(np.ones((4, 3)))


@pytest.mark.parametrize("gone", [np.nan, None, pd.NA, np.ma.masked])
def test_baselines_name_missing_values_and_who_takes_them(gone):
    rows = np.ma.array(NUMBERS) if gone is np.ma.masked else NUMBERS.astype(object)
    rows[50, 1] = gone
    model = SAMULTClassifier(n_centers=10, random_state=0)
    sentence = (
        r"Input {} contains NaN: column 1 must hold a number in every row\. Got none in row {}; fill missing values "
        r"in, such as with sklearn\.impute\.SimpleImputer, or use S2AUCClassifier, which takes NaN\.$"
    )
    with pytest.raises(ValueError, match="^" + sentence.format("X", 50)):
        model.fit(rows, Y)
    with pytest.raises(ValueError, match="^" + sentence.format("X_unlabeled", 10)):
        model.fit(NUMBERS[:40], Y[:40], rows[40:])
    with pytest.raises(ValueError, match="^" + sentence.format("X", 50)):
        model.fit(NUMBERS, Y).predict(rows)
    named = pd.DataFrame(NUMBERS, columns=["a", "b"])
    with pytest.raises(ValueError, match="column 'b' must hold a number"):
        model.fit(named.assign(b=named.b.mask(named.b > 1)), Y)
