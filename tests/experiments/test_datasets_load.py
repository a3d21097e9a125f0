import logging
from pathlib import Path

import numpy as np
import pytest

from s2auc.experiments.datasets.load import available_datasets, load_dataset
from s2auc.experiments.datasets.table import DATASETS


@pytest.fixture(autouse=True)
def empty_home(tmp_path, monkeypatch):
    """Keep the data of whoever runs the tests out of them."""
    monkeypatch.setenv("SCIKIT_LEARN_DATA", str(tmp_path / "home"))
    monkeypatch.delenv("S2AUC_DATA", raising=False)
    return tmp_path / "home"


def save(folder: Path, name: str, value: float = 1.0, n_rows: int = 6, **changes):
    folder.mkdir(parents=True, exist_ok=True)
    arrays = {"X": np.full((n_rows, 3), value, np.float32), "y": (np.arange(n_rows) % 2).astype(np.int8)}
    np.savez(folder / name, **(arrays | changes))
    return folder


@pytest.mark.parametrize("name", [entry.name for entry in DATASETS.values() if entry.kind == "published"])
def test_every_archive_name_is_found(name, tmp_path):
    for archive in DATASETS[name].archives:
        folder = tmp_path / archive
        save(folder, archive, X=np.ones((6, DATASETS[name].n_columns), np.int16))
        dataset = load_dataset(name, folder=folder)
        assert dataset.X.dtype == np.float32
        assert dataset.y.tolist() == [False, True] * 3
        assert dataset.source == f"{name}: 6 of {DATASETS[name].n_rows:,} published rows, from {archive}"


def test_order_of_places(tmp_path, empty_home, monkeypatch):
    save(empty_home / "s2auc", "skin.npz", 1)
    assert load_dataset("skin").X[0, 0] == 1
    save(tmp_path / "other home" / "s2auc", "skin.npz", 2)
    assert load_dataset("skin", data_home=tmp_path / "other home").X[0, 0] == 2
    monkeypatch.setenv("S2AUC_DATA", str(save(tmp_path / "variable", "skin.npz", 3)))
    assert load_dataset("skin").X[0, 0] == 3
    folder = save(tmp_path / "argument", "skin.npz", 4)
    assert load_dataset("skin", folder=folder).X[0, 0] == 4
    assert load_dataset("skin", folder=str(folder)).X[0, 0] == 4


def test_the_cache_is_used_when_the_folder_lacks_the_dataset(tmp_path, empty_home):
    save(empty_home / "s2auc", "skin.npz", 1)
    assert load_dataset("skin", folder=tmp_path).X[0, 0] == 1


def test_an_archive_comes_before_a_published_file(tmp_path):
    (tmp_path / "Skin_NonSkin.txt").write_text("7\t7\t7\t1\n")
    assert load_dataset("skin", folder=tmp_path).X[0, 0] == 7
    save(tmp_path, "skin_nonskin.npz", 5)
    assert load_dataset("skin", folder=tmp_path).X[0, 0] == 5
    save(tmp_path, "skin.npz", 6)
    assert load_dataset("skin", folder=tmp_path).X[0, 0] == 6


def test_missing_data_tell_places_and_ways_out(tmp_path, empty_home):
    with pytest.raises(FileNotFoundError) as raised:
        load_dataset("susy", folder=tmp_path)
    message = str(raised.value)
    for part in ("susy30k.npz", "SUSY.csv.gz", str(tmp_path), str(empty_home), "S2AUC_DATA", "download=True"):
        assert part in message
    assert not empty_home.exists()


def test_folders_that_do_not_exist(tmp_path, monkeypatch):
    with pytest.raises(ValueError, match=r"'folder' parameter must name an existing folder. Got .*nowhere"):
        load_dataset("skin", folder=tmp_path / "nowhere")
    monkeypatch.setenv("S2AUC_DATA", str(tmp_path / "gone"))
    with pytest.raises(ValueError, match=r"variable S2AUC_DATA must name an existing folder. Got .*gone"):
        load_dataset("skin")
    assert len(load_dataset("moons", n_rows=5).y) == 5


def test_an_empty_variable_counts_as_unset(monkeypatch):
    monkeypatch.setenv("S2AUC_DATA", "")
    with pytest.raises(FileNotFoundError):
        load_dataset("skin")


def test_subsets_are_seeded_and_without_repetition(tmp_path):
    X = np.arange(300, dtype=np.float64).reshape(100, 3)
    save(tmp_path, "skin.npz", X=X, y=np.arange(100) % 2 == 0)
    first, again, other = (load_dataset("skin", folder=tmp_path, n_rows=30, seed=s) for s in (1, 1, 2))
    assert first.X.tobytes() == again.X.tobytes()
    assert not np.array_equal(first.X, other.X)
    numbers = first.X[:, 0] / 3
    assert len(set(numbers)) == 30
    assert np.array_equal(first.y, numbers % 2 == 0)
    assert np.array_equal(first.X, X[numbers.astype(int)])
    assert np.array_equal(load_dataset("skin", folder=tmp_path, n_rows=100).X, X)


@pytest.mark.parametrize("n_rows", [0, -1, 2.0, "3", True])
def test_n_rows_must_be_a_count(n_rows):
    with pytest.raises(ValueError, match=r"'n_rows' parameter of load_dataset must be an int >= [12]"):
        load_dataset("digits", n_rows=n_rows)


def test_n_rows_is_at_most_what_is_there(tmp_path):
    save(tmp_path, "skin.npz")
    with pytest.raises(ValueError, match=r"at most 6 for skin \(6 of 245,057 .*skin.npz\). Got 7 instead"):
        load_dataset("skin", folder=tmp_path, n_rows=7)
    (tmp_path / "skin.npz").unlink()
    (tmp_path / "Skin_NonSkin.txt").write_text("7\t7\t7\t1\n")
    with pytest.raises(ValueError, match="at most 1 for skin"):
        load_dataset("skin", folder=tmp_path, n_rows=2)
    with pytest.raises(ValueError, match="at most 1,797 for digits"):
        load_dataset("digits", n_rows=1798)


@pytest.mark.parametrize("seed", [-1, 0.5, None])
def test_seed_must_be_a_count(seed):
    with pytest.raises(ValueError, match="'seed' parameter of load_dataset must be an int >= 0"):
        load_dataset("moons", seed=seed)


def test_unknown_names_get_the_known_ones():
    with pytest.raises(ValueError, match=r"must be one of codrna, .*moons.* Got 'mnist' instead"):
        load_dataset("mnist")


ARCHIVE_FAULTS = [
    ({"X": np.ones((6, 4))}, r"X in .* rows of 3 real numbers. Got shape \(6, 4\)"),
    ({"X": np.ones(6)}, r"Got shape \(6,\)"),
    ({"X": np.empty((0, 3)), "y": np.empty(0)}, r"Got shape \(0, 3\)"),
    ({"X": np.full((6, 3), "a")}, "type <U1 instead"),
    ({"X": np.full((6, 3), np.nan)}, "must be finite in float32 but holds NaN"),
    ({"X": np.full((6, 3), 1e300)}, "must be finite in float32"),
    ({"y": np.ones(5)}, r"one label for each of the 6 rows of X. Got shape \(5,\)"),
    ({"y": np.array([1, 2] * 3)}, "1 for positive rows .* Got 1, 2 instead"),
    ({"y": np.array(["a", "b"] * 3)}, "1 for positive rows .* Got <U1 instead"),
    ({"X": np.full((6, 3), None)}, "Object arrays cannot be loaded"),
]


@pytest.mark.parametrize(("changes", "message"), ARCHIVE_FAULTS)
def test_wrong_archives_are_named(changes, message, tmp_path):
    save(tmp_path, "skin.npz", **changes)
    with pytest.raises(ValueError, match=message) as raised:
        load_dataset("skin", folder=tmp_path)
    assert str(tmp_path / "skin.npz") in str(raised.value)


@pytest.mark.parametrize("fault", ["cut", "empty", "text", "npy", "no y", "flipped"])
def test_broken_archives_are_named(fault, tmp_path):
    path = save(tmp_path, "skin.npz", n_rows=500) / "skin.npz"
    whole = path.read_bytes()
    if fault == "npy":
        with path.open("wb") as stream:
            np.save(stream, np.ones((6, 3)))
    elif fault == "no y":
        np.savez(path, X=np.ones((6, 3)))
    else:
        middle = len(whole) // 2
        flipped = whole[:middle] + bytes([whole[middle] ^ 255]) + whole[middle + 1 :]
        path.write_bytes({"cut": whole[:middle], "empty": b"", "text": b"hello", "flipped": flipped}[fault])
    with pytest.raises(ValueError, match=r"skin.npz must be an npz file with arrays X and y, but .*savez"):
        load_dataset("skin", folder=tmp_path)


@pytest.mark.parametrize("labels", [[True, False], [1, 0], [1, -1], [1.0, -1.0]])
def test_label_values_of_archives(labels, tmp_path):
    save(tmp_path, "skin.npz", y=np.array(labels * 3))
    assert load_dataset("skin", folder=tmp_path).y.tolist() == [True, False] * 3


def test_available_datasets(tmp_path, empty_home):
    offline = available_datasets()
    assert offline == {n: e.kind for n, e in DATASETS.items() if e.kind != "published"}
    save(tmp_path / "data", "skin_nonskin.npz")
    save(empty_home / "s2auc", "higgs26k.npz")
    (tmp_path / "data" / "dota2Dataset.zip").touch()
    (tmp_path / "data" / "train_5xor_128dim.csv").touch()
    more = available_datasets(tmp_path / "data")
    assert set(more) - set(offline) == {"skin", "higgs", "dota2", "dota2_test"}
    assert more["skin"] == f"skin_nonskin.npz in {tmp_path / 'data'}"
    assert more["higgs"] == f"higgs26k.npz in {empty_home / 's2auc'}"


def test_a_file_of_another_length_is_logged(tmp_path, caplog):
    (tmp_path / "Skin_NonSkin.txt").write_text("7\t7\t7\t1\n")
    with caplog.at_level(logging.WARNING, logger="s2auc.experiments.datasets"):
        load_dataset("skin", folder=tmp_path)
    assert "Skin_NonSkin.txt holds 1 rows, 245057 were published" in caplog.text


def test_a_dataset_shows_its_source_not_its_rows():
    assert repr(load_dataset("breast_cancer", n_rows=9)) == (
        "Dataset(name='breast_cancer', source='breast_cancer: 9 random rows (seed 0) of all 569 rows that "
        "ship with scikit-learn')"
    )
