"""Published formats, from small files that the tests write themselves."""

import bz2
import gzip
import lzma
import tracemalloc
import zipfile

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from s2auc.experiments.datasets import formats as formats_module
from s2auc.experiments.datasets.load import load_dataset
from s2auc.experiments.datasets.sampling import RowCollector, RowSampler, sample_rows
from s2auc.experiments.datasets.table import DATASETS

PACK = {"": bytes, ".bz2": bz2.compress, ".xz": lzma.compress, ".gz": gzip.compress}
VARIANTS = [(entry.name, file) for entry in DATASETS.values() for file in entry.files]


def make_rows(name, n_rows=40):
    """Return rows of the right width with zeros among them, as LIBSVM files leave those out."""
    rng = np.random.default_rng(len(name))
    X = rng.integers(-4, 5, (n_rows, DATASETS[name].n_columns)).astype(np.float32) / 4
    return X, np.arange(n_rows) % 3 == 0


def to_text(X, y, file):
    """Return the rows in the format of a published file, with every label value in turn."""
    labels = np.empty(len(y), dtype=int)
    labels[y] = np.resize(file.positive, y.sum())
    labels[~y] = np.resize(file.negative, (~y).sum())
    if file.format == "svmlight":
        lines = [
            " ".join([f"{label:+d}", *(f"{i + 1}:{value:g}" for i, value in enumerate(row) if value)])
            for row, label in zip(X, labels, strict=True)
        ]
    else:
        fields = [[f"{value:.18e}" for value in row] for row in X]
        for row, label in zip(fields, labels, strict=True):
            row.insert(0 if file.label_column == 0 else len(row), str(label))
        lines = [{"csv": ",", "tsv": "\t"}[file.format].join(row) for row in fields]
    return "".join(f"{line}\n" for line in lines).encode()


def publish(folder, file, X, y):
    """Write rows as the publisher would and return the path."""
    path = folder / file.name
    if file.compression == "zip":
        cuts = np.array_split(np.arange(len(y)), len(file.members))
        with zipfile.ZipFile(path, "w") as archive:
            archive.writestr("readme.txt", "nothing to see")
            for member, cut in zip(file.members, cuts, strict=True):
                archive.writestr(f"some folder/{member}", to_text(X[cut], y[cut], file))
    else:
        path.write_bytes(PACK["." + file.compression if file.compression else ""](to_text(X, y, file)))
    return path


@pytest.mark.parametrize(("name", "file"), VARIANTS, ids=lambda value: getattr(value, "name", value))
def test_every_published_format_gives_the_rows_back(name, file, tmp_path):
    X, y = make_rows(name)
    publish(tmp_path, file, X, y)
    dataset = load_dataset(name, folder=tmp_path)
    assert np.array_equal(dataset.X, X)
    assert np.array_equal(dataset.y, y)
    assert dataset.X.dtype == np.float32
    assert dataset.X.flags.c_contiguous
    assert dataset.source == f"{name}: 40 of {DATASETS[name].n_rows:,} published rows, from {file.name}"


@pytest.mark.parametrize(("name", "file"), VARIANTS, ids=lambda value: getattr(value, "name", value))
def test_files_unpacked_by_hand_are_found(name, file, tmp_path):
    X, y = make_rows(name)
    cuts = np.array_split(np.arange(len(y)), len(file.unpacked_names))
    for unpacked, cut in zip(file.unpacked_names, cuts, strict=True):
        (tmp_path / unpacked).write_bytes(to_text(X[cut], y[cut], file))
    dataset = load_dataset(name, folder=tmp_path)
    assert np.array_equal(dataset.X, X)
    assert np.array_equal(dataset.y, y)


LABELS = [
    ("codrna", "cod-rna", "+1 1:5", "-1 1:5"),
    ("codrna_test", "cod-rna.t", "1 1:5", "-1 1:5"),
    ("ijcnn1", "ijcnn1", "1.000000 1:5", "-1.000000 1:5"),
    ("ijcnn1_test", "ijcnn1.t", "1 1:5", "-1 1:5"),
    ("susy", "SUSY", "1.0000 1:5", "0.0000 1:5"),
    ("susy", "SUSY.csv", "1.0e+00" + ",5" * 18, "0.0e+00" + ",5" * 18),
    ("higgs", "HIGGS", "1 1:5", "0 1:5"),
    ("higgs", "HIGGS.csv", "1.0e+00" + ",5" * 28, "0.0e+00" + ",5" * 28),
    ("covtype", "covtype.libsvm.binary", "2 1:5", "1 1:5"),
    ("covtype", "covtype.data", "5," * 54 + "2", "5," * 54 + "7"),
    ("skin", "skin_nonskin", "1 1:5", "2 1:5"),
    ("skin", "Skin_NonSkin.txt", "5\t85\t123\t1", "5\t163\t112\t2"),
    ("dota2", "dota2Train.csv", "1" + ",5" * 116, "-1" + ",5" * 116),
    ("dota2_test", "dota2Test.csv", "1" + ",5" * 116, "-1" + ",5" * 116),
]


@pytest.mark.parametrize(("name", "file_name", "positive", "negative"), LABELS)
def test_which_label_is_positive(name, file_name, positive, negative, tmp_path):
    (tmp_path / file_name).write_text(f"{negative}\n{positive}\n")
    dataset = load_dataset(name, folder=tmp_path)
    assert dataset.y.tolist() == [False, True]
    assert dataset.X[:, 0].tolist() == [5.0, 5.0]


@pytest.mark.parametrize("n_bytes", [1, 7, 64, 1000])
@pytest.mark.parametrize("name", ["codrna", "susy"])
def test_block_size_does_not_matter(name, n_bytes, tmp_path, monkeypatch):
    monkeypatch.setattr(formats_module, "BLOCK_BYTES", n_bytes)
    X, y = make_rows(name)
    path = publish(tmp_path, DATASETS[name].files[0], X, y)
    dataset = load_dataset(name, folder=tmp_path)
    assert np.array_equal(dataset.X, X)
    assert np.array_equal(dataset.y, y)
    if path.suffix == "":  # a last line without a newline, and blank lines between
        path.write_bytes(path.read_bytes().replace(b"\n", b"\n\n").rstrip())
        assert np.array_equal(load_dataset(name, folder=tmp_path).X, X)


@pytest.mark.parametrize("n_bytes", [64, 8 * 2**20])
def test_a_subset_is_the_same_from_text_and_from_npz(n_bytes, tmp_path, monkeypatch):
    monkeypatch.setattr(formats_module, "BLOCK_BYTES", n_bytes)
    X, y = make_rows("skin", n_rows=300)
    for folder in ("text", "npz"):
        (tmp_path / folder).mkdir()
    publish(tmp_path / "text", DATASETS["skin"].files[0], X, y)
    np.savez(tmp_path / "npz" / "skin.npz", X=X, y=y)
    subsets = [load_dataset("skin", folder=tmp_path / f, n_rows=50, seed=5) for f in ("text", "npz")]
    assert np.array_equal(subsets[0].X, subsets[1].X)
    assert np.array_equal(subsets[0].y, subsets[1].y)
    assert "50 random rows (seed 5) of 300 of 245,057 published rows" in subsets[0].source


@given(st.lists(st.integers(1, 30), min_size=1, max_size=8), st.integers(1, 120), st.integers(0, 9))
def test_streamed_and_known_subsets_agree(sizes, n_rows, seed):
    total = sum(sizes)
    X, y = np.arange(2 * total, dtype=np.float32).reshape(total, 2), np.arange(total) % 2 == 0
    sampler, collector = RowSampler(2, n_rows, seed), RowCollector(2, expected=5)
    for stop, size in zip(np.cumsum(sizes), sizes, strict=True):
        for sink in (sampler, collector):
            sink.add(X[stop - size : stop], y[stop - size : stop])
    chosen = sample_rows(total, n_rows, seed)
    assert len(chosen) == min(n_rows, total) == len(np.unique(chosen))
    assert np.array_equal(sampler.rows()[0], X[chosen])
    assert np.array_equal(sampler.rows()[1], y[chosen])
    assert np.array_equal(collector.rows()[0], X)
    assert sampler.n_seen == collector.n_seen == total


def test_every_row_is_equally_likely_in_a_subset():
    counts = np.zeros(10)
    for seed in range(2_000):
        counts[sample_rows(10, 3, seed)] += 1
    assert np.allclose(counts / 2_000, 0.3, atol=0.05)


PACKED = [file for _, file in VARIANTS if file.compression]


@pytest.mark.parametrize("file", PACKED, ids=lambda file: f"{file.name}-{'-'.join(file.members)}")
@pytest.mark.parametrize("damage", ["cut", "web page"])
def test_damaged_archives_are_named(file, damage, tmp_path):
    name = next(name for name, other in VARIANTS if other is file)
    path = publish(tmp_path, file, *make_rows(name))
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2] if damage == "cut" else b"<html>not found</html>" * 20)
    with pytest.raises(ValueError, match=f"{path.name} must be a whole {file.compression} file .* delete it"):
        load_dataset(name, folder=tmp_path)


TEXT_FAULTS = [
    (
        "codrna",
        "cod-rna",
        b"<!DOCTYPE html>\n<html></html>\n",
        "'<!DOCTYPE html>', a web page instead of data",
    ),
    ("codrna", "cod-rna", b"+1 1:2 9:4\n", "8 columns, but after row 0: .*9 features"),
    ("codrna", "cod-rna", b"+1 0:2 1:4\n", "Invalid index 0"),
    ("codrna", "cod-rna", b"+1 1:2 2:many\n", "could not convert string to float"),
    ("codrna", "cod-rna", b"+1 1:2\n3 1:4\n", "labels in .* among -1, 1. Got 3 instead"),
    ("codrna", "cod-rna", b"+1 1:nan\n", "must be finite numbers, but row 0 .* holds nan"),
    ("codrna", "cod-rna", b"", "must hold rows of data but is empty"),
    ("codrna", "cod-rna", b"\n \n", "must hold rows of data but is empty"),
    ("skin", "Skin_NonSkin.txt", b"<html>\n", "'<html>', a web page instead of data"),
    (
        "skin",
        "Skin_NonSkin.txt",
        b"1\t2\t1\n",
        "one label and 3 columns, but after row 0: rows have 3 fields",
    ),
    ("skin", "Skin_NonSkin.txt", b"1\t2\t3\t1\n1\t2\t3\n", "number of columns changed from 4 to 3"),
    ("skin", "Skin_NonSkin.txt", b"1\t2\t3\t4\n", "among 1, 2. Got 4 instead"),
    ("skin", "Skin_NonSkin.txt", b"1\t2\t3\t1\n1\tinf\t3\t1\n", "but row 1 .* holds inf"),
    ("susy", "SUSY.csv", b"1," + b",".join([b"2"] * 17) + b",\n", "could not convert string ''"),
    ("covtype", "covtype.data", b"1," * 54 + b"8\n", "among 1, 2, 3, 4, 5, 6, 7. Got 8 instead"),
]


@pytest.mark.parametrize(("name", "file_name", "content", "message"), TEXT_FAULTS)
def test_faulty_text_is_named(name, file_name, content, message, tmp_path):
    (tmp_path / file_name).write_bytes(content)
    with pytest.raises(ValueError, match=message) as raised:
        load_dataset(name, folder=tmp_path)
    assert str(tmp_path / file_name) in str(raised.value)
    assert "\n" not in str(raised.value)


def test_a_fault_deep_in_a_file_says_where(tmp_path, monkeypatch):
    monkeypatch.setattr(formats_module, "BLOCK_BYTES", 100)
    (tmp_path / "Skin_NonSkin.txt").write_bytes(b"1\t2\t3\t1\n" * 507 + b"oops\n")
    with pytest.raises(ValueError, match=r"after row 507: could not convert string 'oops' to float32; delete"):
        load_dataset("skin", folder=tmp_path)


def test_an_archive_without_the_member_is_named(tmp_path):
    with zipfile.ZipFile(tmp_path / "dota2Dataset.zip", "w") as archive:
        archive.writestr("dota2Test.csv", "")
    with pytest.raises(ValueError, match=r"must contain dota2Train.csv, but holds dota2Test.csv"):
        load_dataset("dota2", folder=tmp_path)


def test_errors_of_the_operating_system_pass(tmp_path, monkeypatch):
    path = publish(tmp_path, DATASETS["ijcnn1"].files[0], *make_rows("ijcnn1"))

    def refuse(self, *args, **kwargs):
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(type(path), "open", refuse)
    with pytest.raises(PermissionError):
        load_dataset("ijcnn1", folder=tmp_path)


def test_a_subset_of_a_large_file_takes_little_memory(tmp_path, monkeypatch):
    monkeypatch.setattr(formats_module, "BLOCK_BYTES", 2**14)
    (tmp_path / "Skin_NonSkin.txt").write_bytes(b"1\t2\t3\t1\n4\t5\t6\t2\n" * 50_000)
    tracemalloc.start()
    try:
        dataset = load_dataset("skin", folder=tmp_path, n_rows=10)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert dataset.X.shape == (10, 3)
    assert peak < 500_000  # all rows are 1,200,000 bytes as float32
