"""The examples in docstrings run, in the package as it is installed."""

import doctest
import importlib
import pkgutil

import pytest

import s2auc

MODULES = ["s2auc", *(module.name for module in pkgutil.walk_packages(s2auc.__path__, "s2auc."))]


@pytest.mark.parametrize("name", [name for name in MODULES if not name.endswith("__main__")])
def test_examples_in_docstrings(name):
    module = importlib.import_module(name)
    outcome = doctest.testmod(module, optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    assert outcome.failed == 0


def test_examples_are_found_at_all():
    finder = doctest.DocTestFinder()
    found = sum(len(test.examples) for name in MODULES[:12] for test in finder.find(importlib.import_module(name)))
    assert found > 20
