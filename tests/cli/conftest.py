"""What tests of the command line share: plain surroundings, a table, and models fitted to it once."""

from types import SimpleNamespace

import pytest

from command_runs import CHANGED, surroundings, write_table


@pytest.fixture(autouse=True)
def plain_surroundings(monkeypatch, tmp_path):
    for name in CHANGED:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture(scope="session")
def small(tmp_path_factory):
    """A table with few labels, another with all, and two models: one by a small search, one by a single fit."""
    from s2auc import S2AUCClassifier, S2AUCClassifierCV, open_table

    folder = tmp_path_factory.mktemp("small")
    table, test = write_table(folder / "claims.csv"), write_table(folder / "checked.csv", n_labels=300)
    opened = open_table(table, label="fraud").dropping([], {"id": "id"})
    search = S2AUCClassifierCV(
        kernels=["gaussian"], scalings=["standard"], members=["kernels"], cv=3, random_state=0
    ).fit(opened.X, opened.y)
    search.save(folder / "model.safetensors")
    S2AUCClassifier(max_iter=20, random_state=0).fit(opened.X, opened.y).save(folder / "single.safetensors")
    return SimpleNamespace(
        folder=folder,
        table=table,
        test=test,
        model=folder / "model.safetensors",
        single=folder / "single.safetensors",
    )


@pytest.fixture(scope="session")
def long_table(tmp_path_factory):
    """A table that takes a moment to read."""
    return write_table(tmp_path_factory.mktemp("long") / "long.csv", n_rows=20_000)


@pytest.fixture(scope="session")
def whole_fit(small, tmp_path_factory):
    """A fit in a terminal of 60 columns that nobody disturbs: what was shown, its model, what it left behind."""
    from terminals import Terminal

    scratch, model = tmp_path_factory.mktemp("scratch"), tmp_path_factory.mktemp("fit") / "model"
    arguments = "fit", small.table, "--label", "fraud", "--id", "id", "-o", model
    with Terminal(*arguments, environment=surroundings(TMPDIR=str(scratch)), columns=60) as terminal:
        assert terminal.end() == 0
    return SimpleNamespace(lines=terminal.lines, model=model.read_bytes(), left_behind=list(scratch.iterdir()))
