"""The paper's claims, one by one: what it says, what was measured, and whether they agree.

Sentences are made from rows, so that they cannot say anything else.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from s2auc.experiments.harness.store import Row
from s2auc.experiments.reproduction.figures import title_of
from s2auc.experiments.reproduction.measured import (
    FIRST_ASYMPTOTIC,
    NAMES,
    PNU,
    QSG,
    SAMULT,
    Measured,
    auc_gaps,
    exponent,
    median_of,
    memory_of,
    range_of,
    seconds_of,
)
from s2auc.experiments.reproduction.protocol import N_TUNING, POWERS
from s2auc.experiments.reproduction.stages import WIDE
from s2auc.experiments.results.comparison import with_error
from s2auc.experiments.results.summary import standard_error

CLOSE = 0.005
"""Medians of AUC that differ by no more than this are called similar."""

FLAT = 0.1
"""An exponent up to this is called no growth."""


class Verdict(StrEnum):
    """Whether what was measured agrees with what the paper says."""

    HOLDS = "holds"
    IN_PART = "holds in part"
    FAILS = "does not hold"
    NOT_RUN = "was not tried"


@dataclass(frozen=True)
class Claim:
    """One claim of the paper.

    Attributes
    ----------
    statement
        What the paper says.
    measured
        What was measured.
    verdict
        Whether they agree.
    why
        An explanation, where there is one to give.
    """

    statement: str
    measured: str
    verdict: Verdict
    why: str = ""


_PLURALS = {
    Verdict.HOLDS: "hold",
    Verdict.IN_PART: "hold in part",
    Verdict.FAILS: "do not hold",
    Verdict.NOT_RUN: "were not tried",
}


def count_verdicts(claims: Sequence[Claim]) -> str:
    """Return the sentence that sums up.

    Examples
    --------
    >>> count_verdicts([Claim("", "", Verdict.HOLDS), Claim("", "", Verdict.HOLDS), Claim("", "", Verdict.FAILS)])
    'Of 3 claims of the paper 2 hold, 1 does not hold.'
    """
    counts = [(verdict, sum(claim.verdict == verdict for claim in claims)) for verdict in Verdict]
    told = [f"{count} {verdict if count == 1 else _PLURALS[verdict]}" for verdict, count in counts if count]
    return f"Of {len(claims)} claims of the paper {', '.join(told)}."


def all_claims(measured: Measured) -> list[Claim]:
    """Return all claims, in the order in which a reader of the paper meets them."""
    of_growth = (_speed, _flatness, _cubic_time, _square_memory, _out_of_memory, _steps, _step_memory)
    return [claim(measured) for claim in (*of_growth, _similar, _highest, _theorem, _other_memory)]


def _speed(measured: Measured) -> Claim:
    ratios = {dataset: dict(measured.ratios(dataset)) for dataset in measured.datasets}
    slower = [f"{title_of(name)} at {size:,}" for name, found in ratios.items() for size in found if found[size] < 1]
    sizes = sorted({size for found in ratios.values() for size in found})
    n_cases = sum(map(len, ratios.values()))
    shown = "; ".join(f"{title_of(dataset)} {found[max(found)]:.3g}" for dataset, found in ratios.items() if found)
    against_pnu = [ratio for dataset in measured.datasets for _, ratio in measured.ratios(dataset, PNU)]
    return Claim(
        "QSG-S2AUC is always faster than SAMULT and PNU-AUC (Figure 1).",
        f"SAMULT's seconds divided by those of QSG-S2AUC at the largest size of each table (at most {max(sizes):,} "
        f"unlabelled rows): {shown}. PNU-AUC's, over all sizes: {min(against_pnu):.2g} to {max(against_pnu):.3g}. "
        f"SAMULT is the faster one in {len(slower)} of {n_cases} cases{': ' + ', '.join(slower) if slower else ''}.",
        _verdict(n_cases - len(slower), n_cases),
        "With a thousand unlabelled rows one factorisation takes less time than two hundred steps." if slower else "",
    )


def _flatness(measured: Measured) -> Claim:
    found = {dataset: measured.growth(QSG, dataset, seconds_of) for dataset in measured.datasets}
    steep = [dataset for dataset, value in found.items() if value > FLAT]
    return Claim(
        "A step of QSG-S2AUC takes O(D) operations for new features, whatever the number of unlabelled rows.",
        f"Exponent of the fit's seconds in unlabelled rows: {_listed(found)}.",
        _verdict(len(found) - len(steep), len(found)),
        f"Not flat to within {FLAT:g} on {', '.join(map(title_of, steep))}." if steep else "",
    )


def _cubic_time(measured: Measured) -> Claim:
    found = _exact_growth(measured, seconds_of)
    close = [value for value in found.values() if 2.5 <= value <= 3.5]
    return Claim(
        "SAMULT and PNU-AUC need O(n³) operations.",
        f"Exponents of seconds in unlabelled rows, from {_measured_from(measured):,} rows on: {_ranges(found)}.",
        *_asymptotic(
            measured,
            _verdict(len(close), len(found)),
            "Forming the kernel takes n² operations, slow ones, and factorisations get faster as matrices grow.",
        ),
    )


def _exact_growth(measured: Measured, quantity: Callable[[Row], float]) -> dict[str, float]:
    """Return exponents in unlabelled rows of both exact methods on all tables."""
    return {
        f"{NAMES[method]} on {title_of(dataset)}": measured.growth(method, dataset, quantity)
        for method in (SAMULT, PNU)
        for dataset in measured.datasets
    }


def _measured_from(measured: Measured) -> int:
    """Return from how many unlabelled rows on the exact methods' exponents are fitted."""
    sizes = sorted({int(size) for size, _ in measured.by_size(SAMULT, measured.datasets[0], seconds_of)})
    late = [size for size in sizes if size >= FIRST_ASYMPTOTIC]
    return late[0] if len(late) > 1 else sizes[0]


def _asymptotic(measured: Measured, verdict: Verdict, why: str) -> tuple[Verdict, str]:
    """Return the verdict on growth with the rows and why it is not better, or why there is none at small sizes."""
    if _measured_from(measured) >= FIRST_ASYMPTOTIC:
        return verdict, "" if verdict == Verdict.HOLDS else why
    return Verdict.NOT_RUN, f"Growth shows from {FIRST_ASYMPTOTIC:,} rows on; these are fewer."


def _square_memory(measured: Measured) -> Claim:
    found = _exact_growth(measured, memory_of)
    close = [value for value in found.values() if 1.6 <= value <= 2.4]
    own = {dataset: measured.growth(QSG, dataset, memory_of) for dataset in measured.datasets}
    return Claim(
        "SAMULT and PNU-AUC need O(n²) memory.",
        f"Exponents of the fit's memory in unlabelled rows: {_ranges(found)}. QSG-S2AUC: {range_of(own.values())}.",
        *_asymptotic(
            measured,
            _verdict(len(close), len(found)),
            "Beside the kernel's 8 n² bytes there are buffers of a fixed size, which weigh most where rows are few.",
        ),
    )


def _out_of_memory(measured: Measured) -> Claim:
    refused = {
        dataset: min(sizes)
        for dataset in measured.datasets
        if (sizes := measured.too_large(SAMULT, dataset)) and measured.too_large(PNU, dataset)
    }
    largest = {dataset: max(size for size, _ in measured.by_size(QSG, dataset, seconds_of)) for dataset in refused}
    shown = ", ".join(f"{title_of(dataset)} {int(size):,}" for dataset, size in largest.items())
    return Claim(
        "QSG-S2AUC trains on large datasets where PNU-AUC and SAMULT are out of memory.",
        f"On the {len(refused)} tables with rows enough both are refused from {min(refused.values()):,} unlabelled "
        f"rows on. QSG-S2AUC trained on: {shown}."
        if refused
        else "No table was large enough.",
        Verdict.HOLDS if refused else Verdict.NOT_RUN,
    )


def _steps(measured: Measured) -> Claim:
    by_steps = measured.step_growth("max_iter", seconds_of)
    by_frequencies = measured.step_growth("n_frequencies", seconds_of)
    below = all(value <= 2.2 for value in by_steps.values()) and all(value <= 1.2 for value in by_frequencies.values())
    return Claim(
        "QSG-S2AUC takes O(D t²) time.",
        f"Exponents of seconds at the three largest values: in steps t {_listed(by_steps)}; in frequencies D "
        f"{_listed(by_frequencies)}.",
        Verdict.HOLDS if below else Verdict.IN_PART,
        "Below the stated exponents, because what grows with t·D alone, and what does not grow, is not negligible yet.",
    )


def _step_memory(measured: Measured) -> Claim:
    found = measured.step_growth("max_iter", memory_of)
    return Claim(
        "QSG-S2AUC needs O(t) memory.",
        f"Exponent of the fit's memory in steps t, at the three largest values: {_listed(found)}.",
        Verdict.HOLDS if all(value <= 1.2 for value in found.values()) else Verdict.FAILS,
        "Strictly it is O(D t) numbers, because every step leaves 2D coefficients.",
    )


def _similar(measured: Measured) -> Claim:
    gaps = auc_gaps(measured)
    short = [dataset for dataset, gap in gaps.items() if gap < -CLOSE]
    return Claim(
        "QSG-S2AUC has AUC results similar to the other methods' on most datasets (Figure 2).",
        f"Median test AUC of QSG-S2AUC minus that of the better of SAMULT and PNU-AUC: {_listed(gaps, '+.4f')}. "
        f"Within {CLOSE:g} on {len(gaps) - len(short)} of {len(gaps)} tables.",
        Verdict.HOLDS if 2 * len(short) < len(gaps) else Verdict.FAILS,
        " ".join(_why_behind(measured, dataset) for dataset in short),
    )


def _why_behind(measured: Measured, dataset: str) -> str:
    """Return why QSG-S2AUC falls short of a rival on a dataset, as far as rows tell."""
    aucs = {method: measured.aucs(method, dataset) for method in (QSG, SAMULT, PNU)}
    medians = {NAMES[method]: median_of(values) for method, values in aucs.items()}
    # Trials are paired: methods have the same rows, and so differ by less than trials do.
    differences = [own - other for own, other in zip(aucs[QSG], aucs[SAMULT], strict=False)]
    mean = float(np.mean(differences))
    told = (
        f"{title_of(dataset)}: {_listed(medians, '.4f')}; QSG-S2AUC minus SAMULT in the mean over trials "
        f"{with_error(mean, standard_error(differences), '+.4f')}."
    )
    parameters = [row["parameters"] for row in measured.of(QSG, dataset=dataset, max_unlabeled=measured.n_compared)]
    if mean < -CLOSE:
        n_features = parameters[0]["max_iter"] * parameters[0]["n_frequencies"]
        told += (
            f" SAMULT has the kernel itself, QSG-S2AUC {n_features:,} random frequencies, in whose noise kernel values "
            f"below about {n_features**-0.5:.2g} are lost; a narrow kernel in many columns has no larger ones."
        )
        return told + _with_wider_kernels(measured, dataset)
    n_least = sum(chosen["alpha"] == min(POWERS) for chosen in parameters)
    return (
        f"{told} So it is level with SAMULT, whose minimiser it goes to. PNU-AUC penalises coefficients and not the "
        f"norm of f, so that the same λ weighs less there; QSG-S2AUC chose the least λ of the grid in {n_least} of "
        f"{len(parameters)} trials, and the table of grids shows what less brings."
    )


def _with_wider_kernels(measured: Measured, dataset: str) -> str:
    """Return the sentence on the wider grid, if all of its searches were run."""
    size = min(N_TUNING, measured.n_compared)
    found = {NAMES[method]: measured.aucs(method, dataset, max_unlabeled=size) for method in WIDE}
    if not all(found.values()):
        return ""
    means = {name: float(np.mean(values)) for name, values in found.items()}
    shown = _listed(means, ".4f")
    return f" With kernels that are wide enough, from σ = 2⁻⁹ on, and {size:,} unlabelled rows: {shown}."


def _highest(measured: Measured) -> Claim:
    gaps = {dataset: gap for dataset, gap in auc_gaps(measured).items() if dataset in ("covtype", "ijcnn1")}
    won = [dataset for dataset, gap in gaps.items() if gap > 0]
    return Claim(
        "QSG-S2AUC has the highest AUC on Covtype and Ijcnn1.",
        f"Its lead: {_listed(gaps, '+.4f')}." if gaps else "Neither table was run.",
        _verdict(len(won), len(gaps)),
        "" if len(won) == len(gaps) else "It tends to SAMULT's minimiser, and is no better than that by design.",
    )


def _theorem(measured: Measured) -> Claim:
    courses = measured.convergences
    slopes = {course.dataset: course.slopes["total"] for course in courses}
    close = [dataset for dataset, slope in slopes.items() if abs(slope + 1) <= 0.25]
    parts = "; ".join(
        f"{title_of(course.dataset)} {course.slopes['features']:.2f} and {course.slopes['data']:.2f}"
        for course in courses
    )
    return Claim(
        "The iterates converge to the optimal solution at the rate O(1/t).",
        f"Slope of the logarithm of the squared distance against that of the steps: {_listed(slopes)}. Its parts, due "
        f"to random features and to random rows: {parts}.",
        _verdict(len(close), len(slopes)),
        "The square loss has an unbounded derivative, so that the paper's proof does not cover it; the rate is seen "
        "all the same. Steps are θ/(t + θL): with the printed θ/t they diverge where θλ ≥ 1 and λ is small.",
    )


def _other_memory(measured: Measured) -> Claim:
    datasets = list(dict.fromkeys(row["dataset"] for row in measured.done if row["experiment"] == "growth"))
    found = {
        f"{NAMES[method]} on {title_of(dataset)}": exponent(measured.by_size(method, dataset, memory_of))
        for method in ("ssrankboost", "optag_all")
        for dataset in datasets
    }
    square = [value for value in found.values() if value > 1.6]
    return Claim(
        "SSRankBoost and OptAG need O(n²) memory (Table 1).",
        f"Exponent of memory in unlabelled rows, in the versions of this library: {_listed(found)}.",
        _verdict(len(square), len(found)),
        "Neither needs a table of all pairs: weights of pairs factorise into weights of rows, and unlabelled rows are "
        "paired with labelled ones only.",
    )


def _verdict(n_close: int, n_all: int) -> Verdict:
    if not n_all:
        return Verdict.NOT_RUN
    return Verdict.HOLDS if n_close == n_all else Verdict.IN_PART if n_close else Verdict.FAILS


def _listed(found: Mapping[str, float], form: str = ".2f") -> str:
    """Return numbers by the names of datasets or methods in words."""
    return ", ".join(f"{title_of(name)} {value:{form}}" for name, value in found.items())


def _ranges(found: Mapping[str, float]) -> str:
    """Return the range of numbers for each of the methods that names begin with."""
    by_method: dict[str, list[float]] = {}
    for name, value in found.items():
        by_method.setdefault(name.split(" on ")[0], []).append(value)
    return "; ".join(f"{method} {range_of(values)}" for method, values in by_method.items())
