"""Docs are true: examples in docstrings and pages run, fences close, links and file names lead somewhere."""

import ast
import doctest
import importlib
import importlib.util
import inspect
import re
import tomllib
from pathlib import Path

import pytest

import s2auc
from s2auc.common.docstrings import parameter_entries
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.ranking.losses import LOSSES

ROOT = Path(__file__).parents[2]
PACKAGE = Path(s2auc.__file__).parent
MODULES = [
    ".".join(("s2auc", *path.relative_to(PACKAGE).with_suffix("").parts)).removesuffix(".__init__")
    for path in sorted(PACKAGE.rglob("*.py"))
    if ">>> " in path.read_text(encoding="utf-8")
]


@pytest.mark.parametrize("name", MODULES)
def test_examples_in_docstrings(name, fast_search):
    module = importlib.import_module(name)
    outcome = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    assert outcome.failed == 0
    assert outcome.attempted > 0


@pytest.mark.parametrize("name", sorted(set(s2auc.__all__) - {"__version__"}))
def test_every_public_name_is_in_the_reference_with_an_example(name):
    listed = re.findall(r"^   (\w+)$", (ROOT / "docs" / "api" / "index.md").read_text(), re.MULTILINE)
    assert listed.count(name) == 1
    assert ">>> " in getattr(s2auc, name).__doc__


@pytest.mark.parametrize("name", sorted(set(s2auc.__all__) - {"__version__"}))
def test_every_parameter_has_one_entry_with_a_type(name):
    public = getattr(s2auc, name)
    entries = parameter_entries(public)
    assert list(entries) == list(inspect.signature(public).parameters)
    assert all(kind and text for kind, text in entries.values())


def test_the_gallery_lists_every_example():
    settings = (ROOT / "docs" / "conf.py").read_text()
    listed = re.search(r"^EXAMPLES = (\[.*?^\])", settings, re.MULTILINE | re.DOTALL)
    assert sorted(ast.literal_eval(listed[1])) == sorted(path.name for path in ROOT.glob("examples/plot_*.py"))


PAGES = [
    "README.md",
    "CONTRIBUTING.md",
    "CHANGELOG.md",
    *sorted(
        str(page.relative_to(ROOT))
        for page in ROOT.glob("docs/**/*.md")
        if not {"_build", "gallery", "generated"} & set(page.parts)
    ),
]
TRUE_TO_THE_DEFAULTS = "README.md", "docs/index.md"
"""Pages that say how good the model of a search with all its defaults is."""


def blocks_of(page):
    """The fenced blocks of a page, (language, text); an error if a fence is not closed."""
    blocks, language, lines = [], None, []
    for number, line in enumerate((ROOT / page).read_text().splitlines(), start=1):
        if not line.lstrip().startswith("```"):
            assert "```" not in line, f"a fence in the middle of line {number} of {page}"
            lines.append(line)
        elif language is None:
            language, lines = line.strip().removeprefix("```"), []
            assert language, f"the fence in line {number} of {page} names no language"
        else:
            assert line.strip() == "```", f"the fence in line {number} of {page} closes nothing"
            blocks.append((language, "\n".join(lines)))
            language = None
    assert language is None, f"the last fence of {page} is not closed"
    return blocks


@pytest.fixture
def tables():
    """Tables that a page may add to, put back afterwards."""
    before = {id(table): (table, dict(table)) for table in (LOSSES, KERNELS)}
    yield
    for table, entries in before.values():
        table.clear()
        table.update(entries)


TOOLS = {"datasets", "fastapi", "mlflow", "optuna", "ray", "shap", "skops", "skrub"}
"""Packages that the page on other tools imports, and that the tests do not require."""


def missing_tools(code):
    """Return the tools that a block imports and that are not installed: its recipe is skipped."""
    imported = set(re.findall(r"^(?:import|from) (\w+)", code, re.MULTILINE))
    return {tool for tool in imported & TOOLS if importlib.util.find_spec(tool) is None}


@pytest.mark.parametrize("page", PAGES)
def test_fences_are_closed_and_python_runs(page, tables, request, few_trees):
    pytest.importorskip("matplotlib").use("Agg")
    if page not in TRUE_TO_THE_DEFAULTS:
        request.getfixturevalue("fast_search")
    names = {"__name__": page}
    for language, code in blocks_of(page):
        if language == "python" and not missing_tools(code):
            exec(compile(code, page, "exec"), names)
    if page == "README.md":
        assert 0.9 < names["auc"] <= 1.0
        assert names["scores"].shape == (529,)


@pytest.mark.parametrize("page", PAGES)
def test_links_between_pages_lead_somewhere(page):
    links = re.findall(r"\]\(([^)]+)\)", (ROOT / page).read_text())
    missing = [
        link for link in links if "://" not in link and not (ROOT / page).parent.joinpath(link.split("#")[0]).exists()
    ]
    assert not missing


@pytest.mark.parametrize("page", PAGES)
def test_files_that_pages_name_are_there(page):
    """`solvers/qsg/qsg.py` and the like, from the root, the page's folder or the package."""
    named = re.findall(r"`((?:[\w-]+/)+[\w-]+\.(?:py|toml|md|c|h|build))`", (ROOT / page).read_text())
    places = ROOT, ROOT / "src" / "s2auc", (ROOT / page).parent
    assert not [name for name in named if not any((place / name).exists() for place in places)]


def test_rooms_are_those_of_the_layers():
    """The architecture page, the contract of import-linter and the folders name the same rooms."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text())
    layers = settings["tool"]["importlinter"]["contracts"][0]["layers"]
    rooms = [room.strip() for layer in layers for room in layer.split("|")]
    (drawn,) = [text for language, text in blocks_of("docs/develop/architecture.md") if language == "text"]
    assert [room.strip() for line in drawn.splitlines() for room in line.split("  ")[0].split("|")] == rooms
    there = {path.stem for path in (ROOT / "src" / "s2auc").iterdir() if path.suffix in ("", ".py")}
    assert there - {"__init__", "__main__", "__pycache__", "py"} == set(rooms)


def test_the_guide_states_the_defaults():
    page = (ROOT / "docs" / "guide" / "single-fit.md").read_text()
    table = dict(re.findall(r"^\| `(\w+)`(?:, `\w+`)? .*\| ([^|]+) \|$", page, re.MULTILINE))
    defaults = s2auc.S2AUCClassifier().get_params()
    assert float(table["labeled_weight"]) == defaults["labeled_weight"]
    assert float(table["alpha"]) == defaults["alpha"]
    assert int(table["max_iter"]) == defaults["max_iter"]
    assert int(table["batch_size"]) == defaults["batch_size"]
    assert table["loss"] == f'`"{defaults["loss"]}"`'
