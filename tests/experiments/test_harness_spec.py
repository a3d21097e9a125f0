"""Specifications: what is refused and how, which cells come out, and what their keys depend on."""

from dataclasses import asdict, replace
from pathlib import Path

import pytest

from s2auc.common.memory import show_bytes
from s2auc.experiments.datasets.table import DATASETS
from s2auc.experiments.harness.cells import Cell
from s2auc.experiments.harness.spec import SPECS, make_spec, read_spec, spec_names
from s2auc.experiments.memory import read_bytes
from s2auc.experiments.methods.table import METHODS

VALUES = {
    "name": "test",
    "datasets": ["moons", "blobs"],
    "methods": ["qsg", "rbf_svm"],
    "n_labeled": [20, 40],
    "n_unlabeled": [100, "all"],
    "trials": 3,
}


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"trails": 3}, r"The key 'trails' of spec.toml is not known; did you mean 'trials'\?"),
        ({"zzz": 3}, "The key 'zzz' of spec.toml is not known; known keys are datasets, "),
        ({"trials": 0}, r"The 'trials' parameter of spec.toml must be an int >= 1. Got 0 instead."),
        ({"trials": "3"}, "'trials' parameter .* Got '3' instead"),
        ({"methods": ["qgs"]}, r"'methods' .* each a str among \{'qsg', .*\}. Got \['qgs'\] instead"),
        ({"methods": []}, r"'methods' parameter .* a list, not empty, .* Got \[\] instead"),
        ({"n_labeled": [20, 20]}, r"'n_labeled' .* different values, each an int >= 2. Got \[20, 20\] instead"),
        ({"n_labeled": [1]}, "'n_labeled' parameter"),
        ({"n_unlabeled": ["most"]}, r"an int >= 0 or a str among \{'all'\}"),
        (
            {"scaling": "robust"},
            r"'scaling' .* among \{'standard', .*'none', 'minmax_of_table'\}. Got 'robust' instead",
        ),
        ({"memory_limit": "4 gigs"}, "must be a number and one of the units B, kB, MB, GB, .* Got '4 gigs' instead"),
        ({"memory_limit": 4}, "'memory_limit' parameter .* must be a str"),
        ({"time_limit_seconds": -1}, "'time_limit_seconds' .* must be a float > 0"),
        ({"reference": "exact"}, "'reference' parameter of spec.toml must be one of its methods"),
        ({"plugins": ["no_such_module"]}, "A plugin must name a module"),
        ({"plugins": 3}, "'plugins' parameter"),
        ({"seed": True}, "'seed' parameter"),
    ],
)
def test_what_is_wrong_is_said_in_one_sentence(changes, message):
    with pytest.raises(ValueError, match=message) as caught:
        make_spec({**VALUES, **changes}, "spec.toml")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("key", ["datasets", "methods", "n_labeled", "n_unlabeled"])
def test_missing_key(key):
    values = {name: value for name, value in VALUES.items() if name != key}
    with pytest.raises(ValueError, match=f"The key '{key}' must be in the specification"):
        make_spec(values)


def test_unknown_and_absent_datasets(tmp_path):
    with pytest.raises(ValueError, match=r"The dataset name must be one of .* Got 'mons' instead"):
        make_spec({**VALUES, "datasets": ["mons"]}).cells()
    if not (Path.home() / "scikit_learn_data" / "s2auc").exists():
        with pytest.raises(FileNotFoundError, match="The dataset codrna needs one of the files"):
            make_spec({**VALUES, "datasets": ["codrna"]}).cells(str(tmp_path))


def test_files(tmp_path):
    path = tmp_path / "spec.toml"
    path.write_text("datasets = ")
    with pytest.raises(ValueError, match=r"The specification .*spec.toml must be a TOML file"):
        read_spec(path)
    path.write_text('datasets = "moons"\nmethods = "qsg"\nn_labeled = 20\nn_unlabeled = "all"')
    read = read_spec(path, {"trials": 4, "seed": None})
    assert (read.name, read.datasets, read.n_labeled, read.trials, read.seed) == ("spec", ("moons",), (20,), 4, 0)


@pytest.mark.parametrize("path", sorted(SPECS.glob("*.toml")), ids=lambda path: path.stem)
def test_specifications_of_the_project(path):
    read = read_spec(path)
    assert read.name == path.stem
    assert set(read.datasets) <= set(DATASETS)
    assert read.protocol


def test_specifications_of_the_project_have_names():
    assert spec_names() == ["accuracy", "alternatives", "smoke", "systems"]
    for name in spec_names():
        assert read_spec(name) == read_spec(Path(name)) == read_spec(SPECS / f"{name}.toml")
    assert read_spec("smoke", {"trials": 7}).trials == 7


def test_a_file_comes_before_a_name(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("accuracy").mkdir()
    assert read_spec("accuracy") == read_spec(SPECS / "accuracy.toml")
    Path("smoke").write_text('datasets = "moons"\nmethods = "qsg"\nn_labeled = 20\nn_unlabeled = "all"')
    assert read_spec("smoke").methods == ("qsg",)
    assert read_spec("smoke").name == "smoke"


@pytest.mark.parametrize("name", ["acuracy", "smoke.toml", "deep/smoke", "../smoke", "smoke.json"])  # codespell:ignore
def test_an_unknown_name_lists_the_known_ones(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(
        FileNotFoundError, match=r"check the path, .* package: accuracy, alternatives, smoke, systems\."
    ) as caught:
        read_spec(name)
    assert "\n" not in str(caught.value)


def test_help_lists_the_names(capsys):
    from s2auc.experiments.__main__ import _parser

    with pytest.raises(SystemExit):
        _parser().parse_args(["--help"])
    assert "that comes with the package (accuracy, alternatives, smoke, systems)" in " ".join(
        capsys.readouterr().out.split()
    )


def test_cells():
    cells = make_spec(VALUES).cells()
    assert len(cells) == 3 * 2 * 2 * 2 * 2 == len({cell.key for cell in cells})
    assert {cell.max_unlabeled for cell in cells} == {100, None}
    # Methods and sizes share the seed of a trial, datasets and trials do not.
    assert len({(cell.dataset, cell.trial) for cell in cells}) == len({cell.seed for cell in cells}) == 6
    assert [cell.key for cell in make_spec(VALUES).cells()] == [cell.key for cell in cells]
    assert Cell(**asdict(cells[0])) == cells[0]


def test_limits_and_other_cells_do_not_change_a_key():
    keys = {cell.key for cell in make_spec(VALUES).cells()}
    other = {"time_limit_seconds": 1, "memory_limit": "1 MB", "threads": 2, "protocol": "other", "name": "other"}
    assert {cell.key for cell in make_spec({**VALUES, **other}).cells()} == keys
    assert {cell.key for cell in make_spec({**VALUES, "trials": 4, "n_labeled": [20, 40, 60]}).cells()} > keys


@pytest.mark.parametrize("changes", [{"seed": 1}, {"scaling": "minmax"}, {"n_test": 50}, {"n_labeled": 30}])
def test_what_changes_a_result_changes_the_key(changes):
    keys = {cell.key for cell in make_spec({**VALUES, "n_labeled": 20}).cells()}
    assert keys.isdisjoint(cell.key for cell in make_spec({**VALUES, "n_labeled": 20, **changes}).cells())


def test_parameters_and_the_version_of_results_change_the_key(monkeypatch):
    before = make_spec(VALUES).cells()
    with monkeypatch.context() as patch:
        patch.setitem(METHODS, "qsg", replace(METHODS["qsg"], parameters={"alpha": 0.1}))
        after = make_spec(VALUES).cells()
    assert [a.key == b.key for a, b in zip(before[:2], after[:2], strict=True)] == [False, True]
    with monkeypatch.context() as patch:
        patch.setitem(METHODS, "qsg", replace(METHODS["qsg"], version=2))
        after = make_spec(VALUES).cells()
    assert [a.key == b.key for a, b in zip(before[:2], after[:2], strict=True)] == [False, True]


def test_files_of_a_dataset_are_part_of_the_key(tmp_path):
    values = {**VALUES, "datasets": ["skin"]}
    keys = []
    for size in (10, 20):
        (tmp_path / "skin.npz").write_bytes(bytes(size))
        keys.append({cell.key for cell in make_spec(values).cells(str(tmp_path))})
    assert keys[0].isdisjoint(keys[1])


def test_amounts_of_memory():
    assert [read_bytes(text) for text in ("4 GB", "512MB", "2 GiB", "0.5 kB")] == [4 * 10**9, 512 * 10**6, 2**31, 500]
    shown = {0: "0 B", 999: "999 B", 1_500: "1.5 kB", 12_345_678: "12 MB", 4 * 10**9: "4 GB"}
    assert {size: show_bytes(size) for size in shown} == shown
    for text in ("", "4", "GB", "-4 GB", "4 gb"):
        with pytest.raises(ValueError, match="An amount of memory"):
            read_bytes(text)
