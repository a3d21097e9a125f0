import dataclasses
import re

import numpy as np
import pytest
from scipy.stats import norm
from sklearn.datasets import load_digits
from sklearn.metrics import roc_auc_score
from sklearn.svm import SVC

from s2auc.experiments.datasets.generated import BLOB_DISTANCE, parity_features, respond
from s2auc.experiments.datasets.load import load_dataset
from s2auc.experiments.datasets.table import DATASETS

PAPER_SIZES = {  # rows and columns in the paper's table of datasets
    "codrna": (59_535, 8),
    "ijcnn1": (49_990, 22),
    "susy": (5_000_000, 18),
    "covtype": (581_012, 54),
    "higgs": (1_100_000, 28),
    "skin": (245_057, 3),
    "dota2": (92_650, 116),
    "unclonable": (6_000_000, 129),
}
GENERATED = [name for name, entry in DATASETS.items() if entry.kind == "generated"]


def test_the_table_has_the_datasets_of_the_paper():
    assert {name for name, entry in DATASETS.items() if entry.in_paper} == set(PAPER_SIZES)


@pytest.mark.parametrize("name", sorted(set(PAPER_SIZES) - {"higgs", "unclonable"}))
def test_published_sizes_agree_with_the_paper(name):
    assert (DATASETS[name].n_rows, DATASETS[name].n_columns) == PAPER_SIZES[name]


@pytest.mark.parametrize("name", ["higgs", "unclonable"])
def test_notes_tell_where_the_paper_differs(name):
    assert any(f"{number:,}" in DATASETS[name].notes for number in PAPER_SIZES[name])


@pytest.mark.parametrize("entry", DATASETS.values(), ids=lambda entry: entry.name)
def test_every_entry_is_complete(entry):
    assert DATASETS[entry.name] is entry
    assert all((entry.title, entry.positive, entry.citation, entry.licence, entry.homepage))
    parts = {"published": entry.archives, "bundled": entry.read, "generated": entry.generate}
    assert [kind for kind, part in parts.items() if part] == [entry.kind]
    for file in entry.files:
        assert file.url.startswith(("https://www.csie.ntu.edu.tw/", "https://archive.ics.uci.edu/"))
        assert file.url.endswith(f"/{file.name}")
        assert not set(file.positive) & set(file.negative)
        assert bool(file.members) == (file.compression == "zip")
        assert file.sha256 is None or re.fullmatch("[0-9a-f]{64}", file.sha256)


def test_entries_cannot_be_changed():
    with pytest.raises(dataclasses.FrozenInstanceError):
        DATASETS["skin"].n_rows = 1
    with pytest.raises(TypeError):
        DATASETS["mine"] = DATASETS["skin"]


@pytest.mark.parametrize("name", GENERATED)
@pytest.mark.parametrize("n_rows", [2, 3, 257])
def test_generated_sets_have_the_size_asked_for(name, n_rows):
    dataset = load_dataset(name, n_rows=n_rows)
    assert dataset.X.shape == (n_rows, DATASETS[name].n_columns)
    assert dataset.X.dtype == np.float32
    assert dataset.X.flags.c_contiguous
    assert dataset.y.shape == (n_rows,)
    assert dataset.y.dtype == np.bool_


@pytest.mark.parametrize("name", GENERATED)
def test_the_seed_makes_the_rows(name):
    first, again, other = (load_dataset(name, n_rows=100, seed=seed) for seed in (7, 7, 8))
    assert first.X.tobytes() == again.X.tobytes()
    assert first.y.tobytes() == again.y.tobytes()
    assert not np.array_equal(first.X, other.X)
    assert f"{name}: 100 generated rows (seed 7)" in first.source


@pytest.mark.parametrize("name", ["moons", "rings", "blobs"])
def test_generated_classes_are_never_empty(name):
    assert sorted(load_dataset(name, n_rows=2).y) == [False, True]


@pytest.mark.parametrize(("name", "share"), [("moons", 0.5), ("rings", 0.25), ("blobs", 0.5)])
def test_generated_class_shares(name, share):
    assert load_dataset(name).y.mean() == share


@pytest.mark.parametrize("name", ["moons", "rings", "blobs"])
def test_only_the_first_two_columns_matter(name):
    dataset = load_dataset(name, n_rows=4_000)
    aucs = [roc_auc_score(dataset.y, column) for column in dataset.X[:, 2:].T]
    assert np.allclose(aucs, 0.5, atol=0.05)
    scores = SVC().fit(dataset.X[:2_000, :2], dataset.y[:2_000]).decision_function(dataset.X[2_000:, :2])
    assert roc_auc_score(dataset.y[2_000:], scores) > {"moons": 0.97, "rings": 0.95, "blobs": 0.82}[name]


def test_blobs_have_the_auc_they_promise():
    dataset = load_dataset("blobs", n_rows=100_000)
    expected = norm.cdf(BLOB_DISTANCE / np.sqrt(2))
    assert roc_auc_score(dataset.y, dataset.X[:, 0]) == pytest.approx(expected, abs=0.005)
    assert f"{expected:.3f}" in DATASETS["blobs"].notes


def test_rings_defeat_linear_scores():
    dataset = load_dataset("rings", n_rows=20_000)
    assert np.allclose([roc_auc_score(dataset.y, column) for column in dataset.X.T], 0.5, atol=0.02)


def test_parity_features_against_the_product():
    challenges = np.random.default_rng(0).random((20, 9)) < 0.5
    expected = [[np.prod([1 - 2 * int(bit) for bit in row[i:]]) for i in range(9)] for row in challenges]
    assert np.array_equal(parity_features(challenges), expected)


def test_response_against_the_delay_model():
    rng = np.random.default_rng(1)
    features = parity_features(rng.random((50, 6)) < 0.5)
    weights = rng.standard_normal((3, 7))
    for row, response in zip(features, respond(features, weights), strict=True):
        bits = [sum(w * f for w, f in zip(arbiter, [*row, 1.0], strict=True)) > 0 for arbiter in weights]
        assert response == bits[0] ^ bits[1] ^ bits[2]


def test_unclonable_is_one_device_a_seed():
    few, many = load_dataset("unclonable", n_rows=10), load_dataset("unclonable", n_rows=70_000)
    assert np.array_equal(few.X, many.X[:10])
    assert np.array_equal(few.y, many.y[:10])
    assert set(np.unique(many.X)) == {-1.0, 1.0}
    assert many.y.mean() == pytest.approx(0.5, abs=0.05)
    assert len(np.unique(many.X, axis=0)) == 70_000


def test_bundled_labels():
    digits, cancer = load_dataset("digits"), load_dataset("breast_cancer")
    X, digit = load_digits(return_X_y=True)
    assert np.array_equal(digits.X, X.astype(np.float32))
    assert np.array_equal(digits.y, digit >= 5)
    assert (cancer.y.sum(), (~cancer.y).sum()) == (212, 357)
    assert digits.source == "digits: all 1,797 rows that ship with scikit-learn"
