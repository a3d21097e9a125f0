"""The examples in docstrings run, in the package as it is installed."""

import doctest
import importlib
import pkgutil
import re
from pathlib import Path

import pytest

import s2auc

ROOT = Path(__file__).parents[2]
MODULES = ["s2auc", *(module.name for module in pkgutil.walk_packages(s2auc.__path__, "s2auc."))]


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("__main__")])
def test_examples_in_docstrings(name):
    module = importlib.import_module(name)
    outcome = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    assert outcome.failed == 0


def test_examples_are_found_at_all():
    finder = doctest.DocTestFinder()
    found = sum(len(test.examples) for name in MODULES[:20] for test in finder.find(importlib.import_module(name)))
    assert found > 20


def test_the_example_of_the_readme_runs():
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), flags=re.DOTALL)
    names = {}
    exec(compile(code, "README.md", "exec"), names)
    assert 0.9 < names["auc"] <= 1.0
    assert names["scores"].shape == (529,)


@pytest.mark.parametrize(
    "page", ["README.md", "CONTRIBUTING.md", *sorted(f"docs/{page.name}" for page in ROOT.glob("docs/*.md"))]
)
def test_links_between_pages_lead_somewhere(page):
    links = re.findall(r"\]\(([^)]+)\)", (ROOT / page).read_text())
    missing = [link for link in links if "://" not in link and not (ROOT / page).parent.joinpath(link).exists()]
    assert not missing


def test_the_readme_states_the_defaults():
    table = dict(
        re.findall(r"^\| `(\w+)`(?:, `\w+`)? .*\| ([^|]+) \|$", (ROOT / "README.md").read_text(), re.MULTILINE)
    )
    defaults = s2auc.S2AUCClassifier().get_params()
    assert float(table["labeled_weight"]) == defaults["labeled_weight"]
    assert float(table["alpha"]) == defaults["alpha"]
    assert int(table["max_iter"]) == defaults["max_iter"]
    assert int(table["batch_size"]) == defaults["batch_size"]
    assert table["loss"] == f'`"{defaults["loss"]}"`'
