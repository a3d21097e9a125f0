"""What this installation consists of: versions, extras, threads, kernel, linear algebra."""

import os
import platform
import re
from collections.abc import Callable
from functools import cache
from importlib.metadata import PackageNotFoundError, requires, version

from threadpoolctl import threadpool_info

from s2auc.common.threads import n_threads
from s2auc.kernels.frequencies import FREQUENCY_VERSION
from s2auc.kernels.instruction_sets import choose_instruction_set

FIT_PACKAGES = ("s2auc", "numpy", "scipy", "scikit-learn")
"""Packages that what a fit returns depends on."""

DEVELOPER_EXTRAS = "test", "dev"
"""Extras whose packages only developers need."""

_REQUIREMENT = re.compile(r"""([A-Za-z0-9._-]+)(?:.*extra\s*==\s*["']([^"']+)["'])?""")


def collect_versions() -> list[tuple[str, str]]:
    """Return (name, value) pairs that describe the library, its dependencies and the machine.

    Examples
    --------
    >>> dict(collect_versions())["frequency stream"]
    'philox4x64-10/ndtri/1'
    """
    packages = [(name, _version_of(name, extra)) for name, extra in _requirements()]
    return [
        ("s2auc", version("s2auc")),
        ("frequency stream", FREQUENCY_VERSION),
        ("Python", platform.python_version()),
        ("platform", platform.platform()),
        ("processors", str(os.cpu_count() or "unknown")),
        ("threads used", _or_error(lambda: str(n_threads()))),
        ("kernel", _or_error(lambda: str(choose_instruction_set()))),
        *packages,
        ("BLAS", _blas()),
    ]


def package_versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that take part in a fit.

    Examples
    --------
    >>> sorted(package_versions())
    ['numpy', 'python', 's2auc', 'scikit-learn', 'scipy']
    """
    return {"python": platform.python_version(), **{name: _known_version(name) for name in FIT_PACKAGES}}


def versions_text() -> str:
    """Return the pairs of `collect_versions` as aligned lines."""
    pairs = collect_versions()
    width = max(len(name) for name, _ in pairs)
    return "\n".join(f"{name:<{width}}  {value}" for name, value in pairs)


def versions_line() -> str:
    """Return what a result depends on, in one line: versions, platform and threads."""
    packages = [f"{name} {version(name)}" for name in FIT_PACKAGES]
    python = f"Python {platform.python_version()}"
    used = f"{n_threads()} threads, {choose_instruction_set().name} kernel"
    return f"{', '.join([*packages, python])}; {platform.system()} {platform.machine()}, {used}"


def show_versions() -> None:
    """Print versions, extras, threads and platform: the text to put into a bug report.

    Examples
    --------
    >>> from s2auc import show_versions
    >>> show_versions()
    s2auc ...
    frequency stream ...
    """
    print(versions_text())  # noqa: T201 - the purpose of this function, as of scikit-learn's


@cache
def _known_version(package: str) -> str:
    """Return the version of a package; its metadata are parsed once, not in every fit."""
    return version(package)


def _requirements() -> list[tuple[str, str | None]]:
    """Return the packages that users may miss, as the metadata of the library names them, each with its extra."""
    listed = [found.group(1, 2) for found in map(_REQUIREMENT.match, requires("s2auc") or []) if found]
    return [(name, extra) for name, extra in listed if name != "s2auc" and extra not in DEVELOPER_EXTRAS]


def _version_of(package: str, extra: str | None) -> str:
    try:
        return version(package)
    except PackageNotFoundError:
        return f"not installed: pip install 's2auc{f'[{extra}]' if extra else ''}' adds it"


def _or_error(describe: Callable[[], str]) -> str:
    """Return the description, or what is wrong about the environment: the text is for those who look for it."""
    try:
        return describe()
    except ValueError as error:
        return f"error: {error}"


def _blas() -> str:
    """Return the linear algebra libraries in use; NumPy has loaded its own by now."""
    found = {
        f"{library['internal_api']} {library['version'] or 'of unknown version'}, {library['num_threads']} threads"
        for library in threadpool_info()
        if library["user_api"] == "blas"
    }
    return "; ".join(sorted(found)) or "not recognised"
