"""The paper's claims, one by one: what it says, what was measured, and whether they agree.

Sentences are made from rows, so that they cannot say anything else.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np

from s2auc.experiments.harness.store import Row
from s2auc.experiments.reproduction.figures import title_of
from s2auc.experiments.reproduction.measured import FIRST_ASYMPTOTIC, NAMES, PNU, QSG, SAMULT, Measured
from s2auc.experiments.reproduction.protocol import N_TUNING, POWERS
from s2auc.experiments.reproduction.quantities import exponent, median_of, memory_of, range_of, seconds_of
from s2auc.experiments.reproduction.stages import WIDE
from s2auc.experiments.reproduction.texts import TEXTS
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


def count_verdicts(claims: Sequence[Claim]) -> str:
    """Return the sentence that sums up.

    Examples
    --------
    >>> count_verdicts([Claim("", "", Verdict.HOLDS), Claim("", "", Verdict.HOLDS), Claim("", "", Verdict.FAILS)])
    'Of 3 claims of the paper 2 hold, 1 does not hold.'
    """
    counts = [(verdict, sum(claim.verdict == verdict for claim in claims)) for verdict in Verdict]
    told = [f"{count} {verdict if count == 1 else TEXTS['plurals'][verdict]}" for verdict, count in counts if count]
    return f"Of {len(claims)} claims of the paper {', '.join(told)}."


def all_claims(measured: Measured) -> list[Claim]:
    """Return all claims, in the order in which a reader of the paper meets them."""
    of_growth = (_speed, _flatness, _cubic_time, _square_memory, _out_of_memory, _steps, _step_memory)
    return [claim(measured) for claim in (*of_growth, _similar, _highest, _theorem, _other_memory)]


def _claim(name: str, verdict: Verdict, *, explain: bool = True, **facts: object) -> Claim:
    """Return the claim with the words of its name, filled with facts; its explanation may be left out."""
    texts = TEXTS["claims"][name]
    was_tried = verdict != Verdict.NOT_RUN or "otherwise" not in texts
    measured = texts["measured"].format(**facts) if was_tried else texts["otherwise"]
    return Claim(texts["statement"], measured, verdict, texts.get("why", "").format(**facts) if explain else "")


def _speed(measured: Measured) -> Claim:
    ratios = {dataset: dict(measured.ratios(dataset)) for dataset in measured.datasets}
    slower = [f"{title_of(name)} at {size:,}" for name, found in ratios.items() for size in found if found[size] < 1]
    n_cases = sum(map(len, ratios.values()))
    against_pnu = [ratio for dataset in measured.datasets for _, ratio in measured.ratios(dataset, PNU)]
    return _claim(
        "speed",
        _verdict(n_cases - len(slower), n_cases),
        explain=bool(slower),
        largest=max(size for found in ratios.values() for size in found),
        ratios="; ".join(f"{title_of(dataset)} {found[max(found)]:.3g}" for dataset, found in ratios.items() if found),
        low=min(against_pnu),
        high=max(against_pnu),
        n_slower=len(slower),
        n_cases=n_cases,
        slower=f": {', '.join(slower)}" if slower else "",
    )


def _flatness(measured: Measured) -> Claim:
    found = {dataset: measured.growth(QSG, dataset, seconds_of) for dataset in measured.datasets}
    steep = [title_of(dataset) for dataset, value in found.items() if value > FLAT]
    facts = {"exponents": _listed(found), "flat": FLAT, "steep": ", ".join(steep)}
    return _claim("flatness", _verdict(len(found) - len(steep), len(found)), explain=bool(steep), **facts)


def _cubic_time(measured: Measured) -> Claim:
    return _exact_growth("cubic_time", measured, seconds_of, 2.5, 3.5)


def _square_memory(measured: Measured) -> Claim:
    own = range_of(measured.growth(QSG, dataset, memory_of) for dataset in measured.datasets)
    return _exact_growth("square_memory", measured, memory_of, 1.6, 2.4, own=own)


def _exact_growth(
    name: str, measured: Measured, quantity: Callable[[Row], float], low: float, high: float, **facts: str
) -> Claim:
    """Return the claim on the growth of both exact methods with unlabelled rows: exponents are in a range."""
    found = {
        method: [measured.growth(method, dataset, quantity) for dataset in measured.datasets]
        for method in (SAMULT, PNU)
    }
    close = [low <= value <= high for values in found.values() for value in values]
    verdict = _verdict(sum(close), len(close))
    exponents = "; ".join(f"{NAMES[method]} {range_of(values)}" for method, values in found.items())
    sizes = sorted({int(size) for size, _ in measured.by_size(SAMULT, measured.datasets[0], seconds_of)})
    late = [size for size in sizes if size >= FIRST_ASYMPTOTIC]
    first = late[0] if len(late) > 1 else sizes[0]
    claim = _claim(name, verdict, explain=verdict != Verdict.HOLDS, exponents=exponents, first=first, **facts)
    if first >= FIRST_ASYMPTOTIC:
        return claim
    return replace(claim, verdict=Verdict.NOT_RUN, why=TEXTS["reasons"]["few_rows"].format(first=FIRST_ASYMPTOTIC))


def _out_of_memory(measured: Measured) -> Claim:
    refused = {
        dataset: min(sizes)
        for dataset in measured.datasets
        if (sizes := measured.too_large(SAMULT, dataset)) and measured.too_large(PNU, dataset)
    }
    largest = {dataset: max(size for size, _ in measured.by_size(QSG, dataset, seconds_of)) for dataset in refused}
    return _claim(
        "out_of_memory",
        Verdict.HOLDS if refused else Verdict.NOT_RUN,
        n_tables=len(refused),
        smallest=min(refused.values(), default=0),
        largest=", ".join(f"{title_of(dataset)} {int(size):,}" for dataset, size in largest.items()),
    )


def _steps(measured: Measured) -> Claim:
    by_steps = measured.step_growth("max_iter", seconds_of)
    by_frequencies = measured.step_growth("n_frequencies", seconds_of)
    below = all(value <= 2.2 for value in by_steps.values()) and all(value <= 1.2 for value in by_frequencies.values())
    verdict = Verdict.HOLDS if below else Verdict.IN_PART
    return _claim("steps", verdict, by_steps=_listed(by_steps), by_frequencies=_listed(by_frequencies))


def _step_memory(measured: Measured) -> Claim:
    found = measured.step_growth("max_iter", memory_of)
    verdict = Verdict.HOLDS if all(value <= 1.2 for value in found.values()) else Verdict.FAILS
    return _claim("step_memory", verdict, exponents=_listed(found))


def _similar(measured: Measured) -> Claim:
    gaps = measured.auc_gaps()
    short = [dataset for dataset, gap in gaps.items() if gap < -CLOSE]
    return _claim(
        "similar",
        Verdict.HOLDS if 2 * len(short) < len(gaps) else Verdict.FAILS,
        gaps=_listed(gaps, "+.4f"),
        close=CLOSE,
        n_close=len(gaps) - len(short),
        n_tables=len(gaps),
        reasons=" ".join(_why_behind(measured, dataset) for dataset in short),
    )


def _why_behind(measured: Measured, dataset: str) -> str:
    """Return why QSG-S2AUC falls short of a baseline on a dataset, as far as rows tell."""
    reasons: dict[str, str] = TEXTS["reasons"]
    aucs = {method: measured.aucs(method, dataset) for method in (QSG, SAMULT, PNU)}
    medians = {NAMES[method]: median_of(values) for method, values in aucs.items()}
    # Trials are paired: methods have the same rows, and so differ by less than trials do.
    differences = [own - other for own, other in zip(aucs[QSG], aucs[SAMULT], strict=False)]
    mean = float(np.mean(differences))
    difference = with_error(mean, standard_error(differences), "+.4f")
    told = [reasons["behind"].format(table=title_of(dataset), medians=_listed(medians, ".4f"), difference=difference)]
    parameters = [row["parameters"] for row in measured.of(QSG, dataset=dataset, max_unlabeled=measured.n_compared)]
    if mean >= -CLOSE:
        n_least = sum(chosen["alpha"] == min(POWERS) for chosen in parameters)
        return " ".join([*told, reasons["level"].format(n_least=n_least, n_trials=len(parameters))])
    n_features = parameters[0]["max_iter"] * parameters[0]["n_frequencies"]
    told.append(reasons["noise"].format(n_features=n_features, noise=n_features**-0.5))
    size = min(N_TUNING, measured.n_compared)
    wider = {NAMES[method]: measured.aucs(method, dataset, max_unlabeled=size) for method in WIDE}
    if all(wider.values()):
        means = {name: float(np.mean(values)) for name, values in wider.items()}
        told.append(reasons["wide"].format(size=size, means=_listed(means, ".4f")))
    return " ".join(told)


def _highest(measured: Measured) -> Claim:
    gaps = {dataset: gap for dataset, gap in measured.auc_gaps().items() if dataset in ("covtype", "ijcnn1")}
    n_won = sum(gap > 0 for gap in gaps.values())
    return _claim("highest", _verdict(n_won, len(gaps)), explain=n_won < len(gaps), gaps=_listed(gaps, "+.4f"))


def _theorem(measured: Measured) -> Claim:
    courses = measured.convergences
    slopes = {course.dataset: course.slopes["total"] for course in courses}
    n_close = sum(abs(slope + 1) <= 0.25 for slope in slopes.values())
    parts = [
        f"{title_of(course.dataset)} {course.slopes['features']:.2f} and {course.slopes['data']:.2f}"
        for course in courses
    ]
    return _claim("theorem", _verdict(n_close, len(slopes)), slopes=_listed(slopes), parts="; ".join(parts))


def _other_memory(measured: Measured) -> Claim:
    datasets = list(dict.fromkeys(row["dataset"] for row in measured.done if row["experiment"] == "growth"))
    found = {
        f"{NAMES[method]} on {title_of(dataset)}": exponent(measured.by_size(method, dataset, memory_of))
        for method in ("ssrankboost", "optag_all")
        for dataset in datasets
    }
    n_square = sum(value > 1.6 for value in found.values())
    return _claim("other_memory", _verdict(n_square, len(found)), exponents=_listed(found))


def _verdict(n_close: int, n_all: int) -> Verdict:
    if not n_all:
        return Verdict.NOT_RUN
    return Verdict.HOLDS if n_close == n_all else Verdict.IN_PART if n_close else Verdict.FAILS


def _listed(found: Mapping[str, float], form: str = ".2f") -> str:
    """Return numbers by the names of datasets or methods in words."""
    return ", ".join(f"{title_of(name)} {value:{form}}" for name, value in found.items())
