"""The same rows give the same model, whatever table holds them."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from sklearn.datasets import dump_svmlight_file, load_svmlight_file

from s2auc import S2AUCClassifier, S2AUCClassifierCV, load_model, open_table
from table_sources import SOURCES, make_frame

FRAME = make_frame()
FEATURES = FRAME.drop(columns="fraud")


def fitted(X, y, **parameters):
    return S2AUCClassifier(max_iter=5, random_state=0, **parameters).fit(X, y)


@pytest.fixture(scope="module")
def known():
    return fitted(FEATURES, FRAME["fraud"])


@pytest.mark.parametrize("kind", SOURCES)
def test_every_source_gives_the_model_of_the_data_frame(kind, known, tmp_path):
    table = open_table(SOURCES[kind](FRAME, tmp_path), label="fraud")
    model = fitted(table.X, table.y)
    scores = known.decision_function(FEATURES)
    np.testing.assert_array_equal(model.decision_function(FEATURES), scores)
    np.testing.assert_array_equal(model.decision_function(table.X), scores)
    np.testing.assert_array_equal(known.decision_function(table.X), scores)
    assert model.score(table.X, table.y) == known.score(FEATURES, FRAME["fraud"])
    assert model.feature_names_in_.tolist() == known.feature_names_in_.tolist() == list(FEATURES.columns)
    assert model.n_features_in_ == known.n_features_in_


def test_files_keep_the_dates_of_a_table(known, tmp_path):
    known.save(tmp_path / "model.safetensors")
    loaded = load_model(tmp_path / "model.safetensors")
    np.testing.assert_array_equal(loaded.decision_function(FEATURES), known.decision_function(FEATURES))
    assert loaded.schema == known.model_.schema
    assert "signed (month)" in loaded.schema.names


def test_memory_maps_give_the_model_of_the_array(tmp_path):
    X = FRAME[["height", "age"]].fillna(0).to_numpy()
    y = FRAME["fraud"].to_numpy()
    np.save(tmp_path / "rows.npy", np.column_stack([X, y]))
    table = open_table(tmp_path / "rows.npy", label=2)
    np.testing.assert_array_equal(fitted(table.X, table.y).decision_function(X), fitted(X, y).decision_function(X))


@pytest.mark.parametrize("n_columns", [8, 300])
def test_sparse_files_give_the_model_of_the_sparse_matrix(n_columns, tmp_path):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, n_columns)) * (rng.random((200, n_columns)) < 0.2)
    y = np.where(rng.random(200) < 0.3, X[:, 0] > 0, -1)
    dump_svmlight_file(csr_array(X), y, str(tmp_path / "rows.svm"))
    matrix, labels = load_svmlight_file(str(tmp_path / "rows.svm"))
    table = open_table(tmp_path / "rows.svm")
    known, found = fitted(matrix, labels), fitted(table.X, table.y)
    np.testing.assert_array_equal(found.decision_function(matrix), known.decision_function(matrix))
    np.testing.assert_array_equal(found.decision_function(table.X), known.decision_function(matrix))


def test_pools_may_be_tables(tmp_path):
    labeled = FRAME[FRAME["fraud"].notna()]
    pool = FEATURES[FRAME["fraud"].isna()]
    known = S2AUCClassifier(max_iter=5, random_state=0).fit(labeled[FEATURES.columns], labeled["fraud"], pool)
    table = open_table(SOURCES["parquet"](labeled, tmp_path), label="fraud")
    more = open_table(pool)
    scores = known.decision_function(FEATURES)
    for X in (table.X, labeled[FEATURES.columns]):
        found = S2AUCClassifier(max_iter=5, random_state=0).fit(X, labeled["fraud"], more.X)
        np.testing.assert_array_equal(found.decision_function(FEATURES), scores)


def test_columns_at_scoring(known):
    turned = FEATURES[FEATURES.columns[::-1]]
    scores = known.decision_function(FEATURES)
    np.testing.assert_array_equal(known.decision_function(open_table(turned).X), scores)
    with pytest.warns(UserWarning, match="not fitted on, and that are ignored: 'note'") as caught:
        more = known.decision_function(open_table(turned.assign(note="new")).X)
    assert len(caught) == 1
    np.testing.assert_array_equal(more, scores)
    strange = FEATURES.assign(city="Atlantis")
    missing = FEATURES.assign(city=None)
    np.testing.assert_array_equal(
        known.decision_function(open_table(strange).X), known.decision_function(open_table(missing).X)
    )
    np.testing.assert_array_equal(
        known.decision_function(FEATURES.assign(city=1)), known.decision_function(open_table(missing).X)
    )
    for frame, sentence in [
        (FEATURES.drop(columns="age"), "X must have the columns that the model was fitted on. Missing: 'age'; add"),
        (FEATURES.assign(age="old"), "Column 'age' of X must hold numbers, as it did .* Got 'old' in row 0; correct"),
        (FEATURES.assign(signed=1.5), "Column 'signed' of X must hold dates, as it did .* Got numbers; convert it"),
        (
            FEATURES.assign(city=FEATURES["signed"]),
            "Column 'city' of X must hold text, as it did .* Got dates; convert",
        ),
        (FEATURES.assign(height=FEATURES["signed"]), "Column 'height' of X must hold numbers, as it did .* Got dates"),
    ]:
        with pytest.raises(ValueError, match=sentence):
            known.decision_function(open_table(frame).X)


@pytest.mark.parametrize("classifier", [S2AUCClassifier, S2AUCClassifierCV])
def test_rows_are_read_in_one_pass(classifier, tmp_path, monkeypatch):
    table = open_table(SOURCES["parquet"](FRAME, tmp_path), label="fraud")
    pieces, read = table.columns.pieces, []
    kind = type(pieces[0])
    batches = kind.batches

    def counted(piece, names, batch_rows):
        read.append((piece.number, *names))
        return batches(piece, names, batch_rows)

    monkeypatch.setattr(kind, "batches", counted)
    options = {"max_iter": 2} if classifier is S2AUCClassifier else {"members": ["linear"], "judge": False, "cv": 2}
    classifier(random_state=0, **options).fit(table.X, table.y)
    whole = [entry[0] for entry in read if entry[1:] == tuple(FEATURES.columns)]
    assert whole[0] == 0, "what columns mean, from the first rows"
    assert sorted(whole[1:]) == list(range(len(pieces))), "rows are gathered in one pass"
    labels = [entry[0] for entry in read if entry[1:] == ("fraud",)]
    assert labels == list(range(len(pieces)))
    learnt = {entry[1:] for entry in read} - {tuple(FEATURES.columns), ("fraud",)}
    assert learnt == {("city",)}, "text to the end"
