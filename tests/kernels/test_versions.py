"""What an installation consists of, in lists and in lines."""

import platform
from importlib.metadata import version

import numpy as np
import scipy
import sklearn

from s2auc.common.threads import n_threads
from s2auc.kernels.instruction_sets import choose_instruction_set
from s2auc.kernels.versions import FIT_PACKAGES, collect_versions, package_versions, versions_line, versions_text


def test_versions_of_what_takes_part_in_a_fit():
    assert package_versions() == {
        "python": platform.python_version(),
        "s2auc": version("s2auc"),
        "numpy": np.__version__,
        "scipy": scipy.__version__,
        "scikit-learn": sklearn.__version__,
    }
    assert set(FIT_PACKAGES) == set(package_versions()) - {"python"}


def test_everything_has_a_line():
    pairs = collect_versions()
    lines = versions_text().splitlines()
    assert len(lines) == len(pairs)
    for (name, value), line in zip(pairs, lines, strict=True):
        assert line.startswith(name)
        assert line.endswith(value)
    # Values stand below each other.
    assert len({line.index(value, len(name)) for (name, value), line in zip(pairs, lines, strict=True)}) == 1
    assert {"s2auc", "frequency stream", "Python", "kernel", "numpy", "typer", "BLAS"} <= dict(pairs).keys()


def test_one_line_says_what_a_result_depends_on():
    line = versions_line()
    assert "\n" not in line
    for name in FIT_PACKAGES:
        assert f"{name} {version(name)}" in line
    assert f"{n_threads()} threads, {choose_instruction_set().name} kernel" in line
