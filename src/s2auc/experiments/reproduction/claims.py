"""The paper's claims, one by one: what it says, what was measured, and whether they agree.

Sentences are made from rows, so that they cannot say anything else.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import numpy as np

from s2auc.experiments.harness.store import Row
from s2auc.experiments.reproduction.figures import title_of
from s2auc.experiments.reproduction.measured import CHANCE, FIRST_ASYMPTOTIC, NAMES, Measured
from s2auc.experiments.reproduction.protocol import LEARNABLE
from s2auc.experiments.reproduction.quantities import (
    last_exponent,
    median_of,
    memory_of,
    range_of,
    seconds_of,
)
from s2auc.experiments.reproduction.stages import EXACT, PNU, PNU_200, SAMULT, SAMULT_500
from s2auc.experiments.reproduction.texts import TEXTS

CLOSE = 0.005
"""Mean AUCs that differ by no more than this are called similar, whatever their standard errors."""

SLACK = 0.25
"""O() is an upper bound: a measured exponent may exceed the stated one by this much, for all methods alike."""


_REASONS: dict[str, str] = TEXTS["reasons"]


class Verdict(StrEnum):
    """Whether what was measured agrees with what the paper says."""

    HOLDS = "holds"
    IN_PART = "holds in part"
    FAILS = "does not hold"
    OPEN = "is not decided"
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
    certainty
        How sure that is: trials, errors, and what the verdict rests on.
    why
        An explanation, where there is one to give.
    """

    statement: str
    measured: str
    verdict: Verdict
    certainty: str = ""
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


def _claim(name: str, verdict: Verdict, measured: Measured, *, explain: bool = True, **facts: object) -> Claim:
    """Return the claim with the words of its name, filled with facts; its explanation may be left out."""
    texts = TEXTS["claims"][name]
    facts |= {"main": NAMES[measured.main], "slack": SLACK}
    was_tried = verdict != Verdict.NOT_RUN or "otherwise" not in texts
    told = texts["measured"].format(**facts) if was_tried else texts["otherwise"]
    certainty = TEXTS["certainty"][texts["certainty"]].format(**_trial_counts(measured)) if was_tried else ""
    return Claim(texts["statement"], told, verdict, certainty, texts.get("why", "").format(**facts) if explain else "")


def _trial_counts(measured: Measured) -> dict[str, object]:
    rows = [row for row in measured.done if row["method"] == measured.main]
    counts = [len(measured.aucs(measured.main, dataset)) for dataset in measured.datasets]
    courses = measured.convergences
    return {
        "n_runs": max((row.get("n_runs", 1) for row in rows), default=1),
        "n_trials": max(counts, default=0),
        "n_seeds": max((course.n_runs for course in courses), default=0),
    }


def _speed(measured: Measured) -> Claim:
    datasets = measured.paper_datasets
    ratios = {dataset: dict(measured.ratios(dataset)) for dataset in datasets}
    cases = [
        (f"{NAMES[method]} at {int(size):,}", ratio)
        for method in EXACT
        for dataset in datasets
        for size, ratio in measured.ratios(dataset, method)
    ]
    slower = [name for name, ratio in cases if ratio < 1]
    shown = ", ".join(f"{name} rows on {count} of {len(datasets)} tables" for name, count in Counter(slower).items())
    return _claim(
        "speed",
        _verdict(len(cases) - len(slower), len(cases)),
        measured,
        explain=bool(slower),
        largest=max((int(size) for found in ratios.values() for size in found), default=0),
        ratios="; ".join(f"{title_of(dataset)} {found[max(found)]:.3g}" for dataset, found in ratios.items() if found),
        n_slower=len(slower),
        n_cases=len(cases),
        slower=f": {shown}" if slower else "",
        search=_with_search(measured),
        few=_few_centers(measured),
    )


def _with_search(measured: Measured) -> str:
    """Return the sentence on search plus fit: where it was measured, SAMULT's seconds by those of the judged method."""
    found = {}
    for dataset in measured.paper_datasets:
        both = []
        for method in (SAMULT, measured.main):
            fit = dict(measured.by_size(method, dataset, seconds_of)).get(float(measured.n_compared), float("nan"))
            both.append(measured.search_seconds(method, dataset) + fit)
        found[dataset] = both[0] / both[1]
    told = {dataset: ratio for dataset, ratio in found.items() if not np.isnan(ratio)}
    facts = {"size": measured.n_compared, "n_tuning": measured.n_tuning, "main": NAMES[measured.main]}
    return _REASONS["search"].format(ratios=_listed(told, ".3g"), **facts) if told else ""


def _few_centers(measured: Measured) -> str:
    """Return the sentence on the methods with few centres, which take no cubic time."""
    own: dict[str, list[float]] = {}
    for method in (measured.main, PNU_200, SAMULT_500):
        for dataset in measured.paper_datasets:
            seconds = dict(measured.by_size(method, dataset, seconds_of)).get(float(measured.n_compared))
            own.setdefault(method, []).extend([] if seconds is None else [seconds])
    if not own[PNU_200] or not own[SAMULT_500]:
        return _REASONS["few_centers_not_run"]
    seconds_by_name = {NAMES[method]: median_of(values) for method, values in own.items()}
    return _REASONS["few_centers"].format(
        size=measured.n_compared, seconds=_listed(seconds_by_name, ".3g"), main=NAMES[measured.main]
    )


def _flatness(measured: Measured) -> Claim:
    growth = {dataset: measured.growth(measured.main, dataset, seconds_of) for dataset in measured.paper_datasets}
    found = {dataset: value for dataset, value in growth.items() if not np.isnan(value)}
    steep = [title_of(dataset) for dataset, value in found.items() if value > SLACK]
    facts = {"exponents": _listed(found), "steep": ", ".join(steep)}
    return _claim("flatness", _verdict(len(found) - len(steep), len(found)), measured, explain=bool(steep), **facts)


def _cubic_time(measured: Measured) -> Claim:
    return _exact_growth("cubic_time", measured, seconds_of, 3.0)


def _square_memory(measured: Measured) -> Claim:
    own = range_of(measured.growth(measured.main, dataset, memory_of) for dataset in measured.paper_datasets)
    shares = []
    for dataset in measured.paper_datasets:
        rows = measured.of(SAMULT, dataset=dataset, n_labeled=measured.n_labeled)
        used = [row for row in rows if row["parameters"].get("labeled_weight") != 1.0]
        if used:
            largest = max(used, key=lambda row: row["n_unlabeled"])
            n_rows = largest["n_unlabeled"] + largest["n_labeled"]
            shares.append(8.0 * n_rows**2 / memory_of(largest))
    share = f"{100 * median_of(shares):.0f} %"
    return _exact_growth("square_memory", measured, memory_of, 2.0, own=own, share=share)


def _exact_growth(
    name: str, measured: Measured, quantity: Callable[[Row], float], stated: float, **facts: Any
) -> Claim:
    """Return the claim on the growth of both exact methods with unlabelled rows: O() bounds exponents from above."""
    found = {
        method: [measured.growth(method, dataset, quantity) for dataset in measured.paper_datasets] for method in EXACT
    }
    known = [value for values in found.values() for value in values if not np.isnan(value)]
    verdict = _verdict(sum(value <= stated + SLACK for value in known), len(known))
    exponents = "; ".join(f"{NAMES[method]} {range_of(values)}" for method, values in found.items())
    sizes = [int(size) for size, _ in measured.by_size(SAMULT, measured.datasets[0], seconds_of)]
    claim = _claim(name, verdict, measured, exponents=exponents, **facts)
    if len(sizes) > 1 and sizes[-2] >= FIRST_ASYMPTOTIC:
        return claim
    told = _REASONS["few_rows"].format(first=FIRST_ASYMPTOTIC)
    return replace(claim, verdict=Verdict.NOT_RUN, measured=told, certainty="", why="")


def _out_of_memory(measured: Measured) -> Claim:
    refused = {
        dataset: min(sizes)
        for dataset in measured.paper_datasets
        if (sizes := measured.too_large(SAMULT, dataset)) and measured.too_large(PNU, dataset)
    }
    largest = {
        dataset: max(size for size, _ in measured.by_size(measured.main, dataset, seconds_of)) for dataset in refused
    }
    return _claim(
        "out_of_memory",
        Verdict.HOLDS if refused else Verdict.NOT_RUN,
        measured,
        n_tables=len(refused),
        smallest=min(refused.values(), default=0),
        largest=", ".join(f"{title_of(dataset)} {int(size):,}" for dataset, size in largest.items()),
    )


def _steps(measured: Measured) -> Claim:
    by_steps = measured.step_growth("max_iter", seconds_of)
    by_frequencies = measured.step_growth("n_frequencies", seconds_of)
    within = [value <= 2.0 + SLACK for value in by_steps.values()]
    within += [value <= 1.0 + SLACK for value in by_frequencies.values()]
    verdict = _verdict(sum(within), len(within))
    return _claim("steps", verdict, measured, by_steps=_listed(by_steps), by_frequencies=_listed(by_frequencies))


def _step_memory(measured: Measured) -> Claim:
    found = measured.step_growth("max_iter", memory_of)
    verdict = _verdict(sum(value <= 1.0 + SLACK for value in found.values()), len(found))
    return _claim("step_memory", verdict, measured, exponents=_listed(found))


def _similar(measured: Measured) -> Claim:
    """Judge by paired differences from the better rival, on tables of the paper that tell methods apart."""
    chance = [dataset for dataset in measured.paper_datasets if measured.at_chance(dataset)]
    told, short, n_judged = [], [], 0
    for dataset in measured.datasets:
        rival = measured.best_rival(dataset)
        if rival is None or dataset in chance:
            continue
        lead = measured.difference(dataset, rival)
        is_behind = lead.mean < -CLOSE and lead.sign < 0
        words = _REASONS["behind" if is_behind else "ahead" if lead.mean > CLOSE and lead.sign > 0 else "like"]
        told.append(words.format(table=title_of(dataset), rival=NAMES[rival], lead=lead))
        if dataset != LEARNABLE:
            n_judged += 1
            short += [dataset] * is_behind
    return _claim(
        "similar",
        Verdict.NOT_RUN if not n_judged else Verdict.HOLDS if 2 * len(short) < n_judged else Verdict.FAILS,
        measured,
        explain=bool(short),
        leads="; ".join(told),
        close=CLOSE,
        n_similar=n_judged - len(short),
        n_judged=n_judged,
        chance=_REASONS["chance"].format(limit=CHANCE, tables=", ".join(map(title_of, chance))) if chance else "",
        single=_REASONS["single"] if LEARNABLE in measured.datasets else "",
    )


def _highest(measured: Measured) -> Claim:
    leads = {}
    for dataset in ("ijcnn1", "covtype"):
        rival = measured.best_rival(dataset) if dataset in measured.datasets else None
        if rival is not None:
            leads[dataset] = (rival, measured.difference(dataset, rival))
    signs = {lead.sign for _, lead in leads.values()}
    verdict = Verdict.OPEN if signs else Verdict.NOT_RUN
    if signs and signs <= {1}:
        verdict = Verdict.HOLDS
    elif -1 in signs:
        verdict = Verdict.IN_PART if 1 in signs else Verdict.FAILS
    told = "; ".join(f"{title_of(dataset)} {lead} against {NAMES[rival]}" for dataset, (rival, lead) in leads.items())
    return _claim("highest", verdict, measured, explain=verdict != Verdict.HOLDS, leads=told)


def _theorem(measured: Measured) -> Claim:
    courses, told, judged = measured.convergences, [], []
    for part in ("total", "features", "data", "data_norm", "second_rule", "second_rule_norm"):
        slopes = {course.dataset: course.slopes[part] for course in courses if part in course.slopes}
        if not slopes:
            continue
        told.append(_REASONS[f"slope_{part}"].format(slopes=_listed(slopes)))
        if part in ("total", "data_norm"):
            judged += [slope <= -1.0 + SLACK for slope in slopes.values()]
    steps = _REASONS["printed_steps" if measured.protocol > 1 else "shifted_steps"]
    return _claim("theorem", _verdict(sum(judged), len(judged)), measured, slopes=" ".join(told), steps=steps)


def _other_memory(measured: Measured) -> Claim:
    datasets = list(dict.fromkeys(row["dataset"] for row in measured.done if row["experiment"] == "growth"))
    found = {
        f"{NAMES[method]} on {title_of(dataset)}": last_exponent(measured.by_size(method, dataset, memory_of))
        for method in ("ssrankboost", "optag_all")
        for dataset in datasets
    }
    n_within = sum(value <= 2.0 + SLACK for value in found.values())
    return _claim("other_memory", _verdict(n_within, len(found)), measured, exponents=_listed(found))


def _verdict(n_close: int, n_all: int) -> Verdict:
    if not n_all:
        return Verdict.NOT_RUN
    return Verdict.HOLDS if n_close == n_all else Verdict.IN_PART if n_close else Verdict.FAILS


def _listed(found: Mapping[str, float], form: str = ".2f") -> str:
    """Return numbers by the names of datasets or methods in words."""
    return ", ".join(f"{title_of(name)} {value:{form}}" for name, value in found.items())
