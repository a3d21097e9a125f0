"""Stored results hold as long as the code that made them does the same."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import s2auc
from s2auc.experiments.code_identity import code_digest, reachable_modules

SAMULT = "s2auc.estimators.baselines.kernel.samult"
PRINT_DIGEST = f"from s2auc.experiments.code_identity import code_digest; print(code_digest(['{SAMULT}']))"


def test_what_a_fit_imports_is_reached_and_nothing_else():
    found = reachable_modules([SAMULT])
    assert {SAMULT, "s2auc.estimators.baselines.kernel.full_kernel", "s2auc.kernels.shift_invariant"} <= found
    assert not [name for name in found if name.startswith(("s2auc.cli", "s2auc.reports", "s2auc.experiments"))]
    assert "s2auc.estimators.baselines.kernel.pnuauc" not in found
    assert "s2auc.models.files.file" not in found


def test_modules_of_others_do_not_count():
    assert reachable_modules(["numpy", "no_such_module"]) == set()
    assert code_digest([SAMULT, "numpy"]) == code_digest([SAMULT]) != code_digest(["s2auc.ranking.metrics"])


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """The package in a folder of its own, to be changed at will."""
    target = tmp_path_factory.mktemp("copied") / "s2auc"
    shutil.copytree(Path(s2auc.__file__).parent, target, ignore=shutil.ignore_patterns("__pycache__"))
    return target


def digest_with(copy, name, change):
    """Return SAMULT's digest after a file was changed, and put the file back."""
    path = copy / name
    before = path.read_text(encoding="utf-8")
    path.write_text(change(before), encoding="utf-8")
    try:
        command = [sys.executable, "-c", PRINT_DIGEST]
        return subprocess.run(
            command, cwd=copy.parent, env={"PYTHONPATH": str(copy.parent)}, check=True, capture_output=True, text=True
        ).stdout
    finally:
        path.write_text(before, encoding="utf-8")


def test_only_statements_of_reached_files_change_the_digest(copy):
    solver = "estimators/rivals/full_kernel.py"
    unchanged = digest_with(copy, solver, lambda text: text)
    commented = digest_with(copy, solver, lambda text: text.replace('"""', '"""Other words. ', 1) + "\n# A remark.\n")
    elsewhere = digest_with(copy, "cli/fit.py", lambda text: text + "\nN = 1\n")
    changed = digest_with(copy, solver, lambda text: text.replace("U / root", "U * root"))
    assert unchanged == commented == elsewhere
    assert changed != unchanged
