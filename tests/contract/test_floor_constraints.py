"""The constraints that pin requirements to their lowest versions."""

import importlib.util
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def tool():
    spec = importlib.util.spec_from_file_location("floor_constraints", ROOT / "tools" / "floor_constraints.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def project(core, **extras):
    return {"name": "ours", "dependencies": core, "optional-dependencies": extras}


def test_extras_are_followed_and_others_left_out(tool):
    extras = {
        "test": ["ours[all, files]", "checks>=8.2"],
        "all": ["ours[files]", "far[near,wide]>=2025.1"],
        "files": ["tensors>=0.5", "core>=2.0"],
        "docs": ["pages>=1"],
    }
    found = tool.floors(project(["core>=2.0", "some-name>=1.13"], **extras))
    assert found == {"core": "2.0", "some-name": "1.13", "checks": "8.2", "far": "2025.1", "tensors": "0.5"}


@pytest.mark.parametrize("requirement", ["bare", "pinned==1.0", "capped>=1.0,<2", "marked>=1; python_version<'3.12'"])
def test_a_requirement_without_a_plain_floor_is_refused(tool, requirement):
    with pytest.raises(ValueError, match="must have the form 'name>=version'"):
        tool.floors(project([requirement], test=[]))


def test_two_floors_of_one_requirement_are_refused(tool):
    with pytest.raises(ValueError, match="core must have one floor"):
        tool.floors(project(["core>=2.0"], test=["core>=2.1"]))


def test_the_package_itself(tool):
    found = tool.floors(tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"])
    assert {"numpy", "typer", "onnxruntime", "dask", "pytest"} <= set(found)
    assert not {"s2auc", "sphinx", "ruff", "torch"} & set(found)
