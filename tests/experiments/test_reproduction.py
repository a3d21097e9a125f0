"""The paper's experiments in miniature: what is run with what, what is measured, and what is told of it."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from report_pages import Page
from reproductions import TINY, run_tiny
from s2auc.experiments.datasets.load import load_dataset
from s2auc.experiments.datasets.table import DATASETS
from s2auc.experiments.harness.store import RowStore
from s2auc.experiments.methods.table import METHODS, Sizes
from s2auc.experiments.reproduction import reproduce as door
from s2auc.experiments.reproduction.claims import Verdict, all_claims
from s2auc.experiments.reproduction.figures import FIGURES
from s2auc.experiments.reproduction.measured import NAMES, Measured
from s2auc.experiments.reproduction.page import write_markdown
from s2auc.experiments.reproduction.protocol import FULL, LIMITS, PAPER_DATASETS, QUICK_DATASETS, WITHOUT_FILES
from s2auc.experiments.reproduction.quantities import Difference, exponent, last_exponent, seconds_of
from s2auc.experiments.reproduction.report_tables import all_tables
from s2auc.experiments.reproduction.stages import COMPARED, EXACT, PUBLISHED, SEARCH_OF, SECOND_RULE
from s2auc.experiments.reproduction.theorem import run_theorem
from s2auc.solvers.qsg.qsg import QSG as QSG_OPTIONS


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    path = tmp_path_factory.mktemp("tiny") / "rows.jsonl"
    found = run_tiny(path)
    with RowStore(path) as store:
        return [*found, *run_theorem(TINY, store)]


@pytest.fixture(scope="module")
def measured(rows):
    return Measured(rows)


def test_the_paper_has_eight_tables_and_all_are_run():
    assert {name for name, entry in DATASETS.items() if entry.in_paper} - {"unclonable_uci"} == set(PAPER_DATASETS)
    assert set(PAPER_DATASETS) < set(FULL.datasets)
    assert max(FULL.large_sizes) >= 1_000_000
    assert set(QUICK_DATASETS) < set(PAPER_DATASETS)
    assert all(DATASETS[name].kind == "generated" for name in WITHOUT_FILES.datasets)


def test_kernels_of_exact_methods_fit_20000_rows_and_no_more():
    from s2auc.experiments.memory import read_bytes

    limit = read_bytes(LIMITS["memory_limit"])
    assert METHODS["samult"].obstacle(Sizes(200, 20_000, 128), limit) == ""
    assert METHODS["samult"].obstacle(Sizes(200, 50_000, 3), limit).startswith("needs 20 GB")


def test_settings_of_a_search_are_those_of_the_fits(rows):
    found = {
        (row["trial"], row["method"]): row["details"]["best_params"] for row in rows if row["experiment"] == "search"
    }
    fits = [row for row in rows if row["experiment"] == "paper"]
    assert len(fits) == len(COMPARED) * TINY.few_trials + (len(COMPARED) - 1) * TINY.trials + TINY.few_trials
    for row in fits:
        settings = found[row["trial"], SEARCH_OF[row["method"]]]
        chosen = {name for name in ("alpha", "kernel_gamma", "labeled_weight", "eta") if name in row["parameters"]}
        assert len(chosen) == 3
        assert {name: settings[name] for name in chosen} == {name: row["parameters"][name] for name in chosen}
        if "pnu_auc" in row["method"]:
            share = load_dataset("moons", seed=row["seed"]).y.mean()
            assert row["parameters"]["class_prior"] == pytest.approx(share)
    assert {row["parameters"]["scaling"] for row in fits} == {"none"}
    # One scaling for search and fit.
    assert {row["scaling"] for row in rows if row["experiment"] != "theorem"} == {"minmax_of_table"}


def test_methods_are_tuned_with_the_centers_that_they_fit_with():
    assert set(COMPARED) == set(SEARCH_OF)
    for method, search in SEARCH_OF.items():
        if method != SECOND_RULE:
            centers = [METHODS[name].parameters.get("n_centers") for name in (method, search)]
            # The search of PNU-AUC has the 200 centres of its authors' program as its default.
            assert centers[0] == (200 if search == "pnu_auc_search" else centers[1])


def test_what_is_published_has_the_options_of_the_paper():
    options = QSG_OPTIONS.as_published().get_params()
    for name in (PUBLISHED, "qsg_published_search", SECOND_RULE):
        learner = METHODS[name].build(0, **METHODS[name].parameters)
        found = learner._estimator.solver.get_params()
        assert {option: found[option] for option in options} == options


def test_a_run_goes_on_where_it_was_stopped(tmp_path):
    path, calls = tmp_path / "rows.jsonl", []
    small = replace(TINY, trials=1, sizes=(60,), label_counts=(20,), step_counts=(5,), frequency_counts=(4,))
    first = run_tiny(path, small, calls)
    n_first = len(calls)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join(lines[:-5]))
    again = run_tiny(path, small, calls)
    assert len(calls) == n_first + 5
    assert [row["test_auc"] for row in again if row["status"] == "ok"] == [
        row["test_auc"] for row in first if row["status"] == "ok"
    ]


def test_exact_methods_are_out_of_memory_where_the_other_goes_on(measured):
    assert measured.too_large("paper_samult", "moons") == measured.too_large("paper_pnu_auc", "moons") == [400]
    assert [size for size, _ in measured.by_size("paper_qsg", "moons", seconds_of)] == [60, 120, 200, 400]


def test_exponents():
    sizes = [1_000, 3_000, 10_000]
    assert exponent([(n, 2e-9 * n**3) for n in sizes]) == pytest.approx(3)
    assert exponent([(n, 0.2) for n in sizes]) == pytest.approx(0)
    assert np.isnan(exponent([(1, 1)]))


def test_local_exponents_and_paired_differences():
    points = [(1_000, 5e7 + 8 * 1_000**2), (10_000, 5e7 + 8 * 10_000**2), (20_000, 5e7 + 8 * 20_000**2)]
    assert exponent(points) < 1.4 < 1.9 < last_exponent(points) < 2
    assert last_exponent([*points, (20_500, 1e12)]) == pytest.approx(exponent([points[1], (20_500, 1e12)]))
    assert np.isnan(last_exponent(points[:1]))
    lead = Difference.of([0.02, 0.03, 0.04])
    assert (lead.sign, str(lead), lead.n_trials) == (1, "+0.0300 ± 0.0058", 3)
    assert Difference.of([-0.02, 0.03, 0.04]).sign == 0


def made_up(rows, seconds):
    """Return rows of several sizes whose seconds follow a rule: method, unlabelled rows -> seconds."""
    samples = {row["method"]: row for row in rows if row["experiment"] == "paper"}
    return [
        {
            **sample,
            "cell": f"{method} {size} {trial}",
            "n_unlabeled": size,
            "max_unlabeled": size,
            "trial": trial,
            "processor_seconds": seconds(method, size),
            "fit_memory_bytes": 8 * size**2 if method in EXACT else 10**7,
            "test_auc": (0.92 if "pnu_auc" in method else 0.9) + 0.001 * trial,
        }
        for method, sample in samples.items()
        for size in (1_000, 3_000, 10_000)
        for trial in range(3)
    ]


def test_verdicts_follow_the_rows(rows):
    def verdicts(seconds, changes=None):
        others = [row for row in rows if row["experiment"] not in ("paper", "single", "beyond", "pool")]
        made = made_up(rows, seconds)
        for row in made:
            row.update(changes(row) if changes else {})
        claims = all_claims(Measured([*made, *others]))
        assert all(claim.certainty or claim.verdict == Verdict.NOT_RUN for claim in claims)
        return {claim.statement.split(".")[0]: claim.verdict for claim in claims}

    usual = verdicts(lambda method, size: 1e-9 * size**3 if method in EXACT else 2.0)
    faster, cubic, square, similar = (
        "QSG-S2AUC is always faster than SAMULT and PNU-AUC (Figure 1)",
        "SAMULT and PNU-AUC need O(n³) operations",
        "SAMULT and PNU-AUC need O(n²) memory",
        "QSG-S2AUC has AUC results similar to the other methods' on most datasets (Figure 2)",
    )
    assert usual[faster] == Verdict.IN_PART  # the exact methods need a second at 1,000 rows
    assert verdicts(lambda method, size: 1e-9 * size**3 if method in EXACT else 1e-6)[faster] == Verdict.HOLDS
    assert usual[cubic] == usual[square] == Verdict.HOLDS
    assert usual[similar] == Verdict.FAILS
    slow = verdicts(lambda method, size: 1e-3 * size if method in EXACT else 100.0)
    assert slow[faster] == Verdict.FAILS
    assert slow[cubic] == Verdict.HOLDS  # O() is an upper bound
    steep = verdicts(lambda method, size: 1e-13 * size**4 if method in EXACT else 0.2)
    assert steep[cubic] == Verdict.FAILS
    close = verdicts(lambda method, size: 1.0, lambda row: {"test_auc": 0.9})
    assert close[similar] == Verdict.HOLDS
    # A lead of the rival that trials do not agree on is none.
    unsure = verdicts(
        lambda method, size: 1.0,
        lambda row: {"test_auc": 0.9 + ("pnu_auc" in row["method"]) * (0.2, -0.1, -0.05)[row["trial"]] / 2},
    )
    assert unsure[similar] == Verdict.HOLDS
    chance = verdicts(lambda method, size: 1.0, lambda row: {"test_auc": 0.51})
    assert chance[similar] == Verdict.NOT_RUN


def test_the_highest_auc_is_decided_by_paired_trials(rows):
    def verdict(lead):
        made = [
            {**row, "dataset": dataset, "cell": f"{row['cell']} {dataset}"}
            for row in made_up(rows, lambda method, size: 1.0)
            for dataset in ("covtype", "ijcnn1")
        ]
        for row in made:
            row["test_auc"] = 0.8 + 0.01 * row["trial"] + lead(row["trial"]) * (row["method"] == PUBLISHED)
        return next(c.verdict for c in all_claims(Measured(made)) if "Covtype" in c.statement)

    assert verdict(lambda trial: 0.02 + 0.001 * trial) == Verdict.HOLDS
    assert verdict(lambda trial: 0.02 - 0.02 * trial) == Verdict.OPEN
    assert verdict(lambda trial: -0.02 - 0.001 * trial) == Verdict.FAILS


def test_rows_of_an_older_protocol_are_judged_alone_or_left_out(rows):
    older = [
        {**row, "scaling": "minmax", "cell": f"old {row['cell']}", "test_auc": 0.1}
        for row in rows
        if row["experiment"] == "paper" and row["method"] in ("paper_qsg", "paper_samult", "paper_pnu_auc")
    ]
    both, alone = Measured([*older, *rows]), Measured(older)
    assert (both.protocol, both.main, len(both.rows)) == (2, PUBLISHED, len(Measured(rows).rows))
    assert (alone.protocol, alone.main) == (1, "paper_qsg")
    assert "version 1 of the protocol" in write_markdown(alone, 0)
    assert "version 1 of the protocol" not in write_markdown(both, 0)


def test_tables_have_a_line_a_table_of_data(measured):
    tables = {table.title.split(":")[0].split(" with ")[0]: table for table in all_tables(measured)}
    for table in tables.values():
        assert all(len(line) == len(table.header) for line in table.lines)
    assert len(tables["Growth"].lines) == 5
    auc = tables["Median test AUC"]
    assert [line[0] for line in auc.lines] == ["moons"]
    assert float(auc.lines[0][1]) == pytest.approx(np.median(measured.aucs(PUBLISHED, "moons")), abs=1e-4)
    (seconds,) = (table for title, table in tables.items() if "search and fit" in title)
    assert [line[0] for line in seconds.lines] == [NAMES[name] for name in COMPARED]
    assert all(float(both) >= float(fit) > 0 for _, _, fit, both in seconds.lines)
    (grid,) = (table for title, table in tables.items() if "grid costs" in title)
    assert [line[:2] for line in grid.lines] == [["moons", "the paper's"], ["moons", "wider"]]


def test_everything_is_written_and_the_page_needs_nothing_else(rows, tmp_path):
    done = door.tell(rows, tmp_path, seed=0)
    names = {f"{name}.{form}" for name in FIGURES for form in ("png", "svg")} | {"report.html", "report.md"}
    assert {path.name for path in done.files} == {path.name for path in tmp_path.iterdir()} == names
    page = Page((tmp_path / "report.html").read_text(encoding="utf-8"))
    assert not {"script", "link", "iframe", "object"} & {tag for tag, _ in page.elements}
    images = [attributes for tag, attributes in page.elements if tag == "img"]
    assert len(images) == len(FIGURES)
    assert all(image["src"].startswith("data:image/svg+xml;base64,") and image["alt"] for image in images)
    links = [attributes["href"] for tag, attributes in page.elements if tag == "a"]
    assert links
    assert {link.removeprefix("#") for link in links} <= set(page.ids)
    markdown = (tmp_path / "report.md").read_text(encoding="utf-8")
    for number, claim in enumerate(done.claims, start=1):
        assert claim.statement in markdown
        # Notes belong to the items of the list: they start below its text.
        for text in filter(None, (claim.certainty, claim.why)):
            assert f"\n\n{' ' * len(f'{number}. ')}{text}\n" in markdown
    assert "This is a quick run" in markdown
    assert "This is a quick run" in page.text
    assert str(Path.home()) not in markdown


def test_a_full_run_names_the_tables_that_are_missing(tmp_path):
    with pytest.raises(
        FileNotFoundError, match=r"codrna, ijcnn1, .* cannot be found; name the folder .* or run --quick"
    ):
        door.reproduce(tmp_path / "out", folder=str(tmp_path))
    assert not (tmp_path / "out").exists()
    assert door.choose_extent(True, str(tmp_path)) is WITHOUT_FILES


def test_the_command_tells(rows, tmp_path, monkeypatch, capsys):
    from s2auc.cli.app import run

    monkeypatch.setattr(door, "choose_extent", lambda quick, folder: TINY)
    monkeypatch.setattr(door, "run_stages", lambda *_, **__: rows)
    monkeypatch.setattr(door, "run_theorem", lambda *_, **__: [])
    assert run(["reproduce", "--quick", "--json", "-o", str(tmp_path / "out")]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["n_trials"] > 20
    assert {claim["verdict"] for claim in told["claims"]} <= {str(verdict) for verdict in Verdict}
    assert Path(told["page"]).is_file()
