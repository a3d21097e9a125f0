"""What README and docs say about accuracy: every number, and every sentence that depends on one, from results alone.

`make_blocks` gives the texts by name.
"""

from collections.abc import Mapping, Sequence

from text_blocks import bold_if, listed, tables_of, winners, word

from s2auc.experiments.datasets.groups import CHOSEN_ON, DIGITS, FILES, HELD_BACK
from s2auc.experiments.methods.table import METHODS
from s2auc.experiments.results.comparison import Comparison, Standing, compare, with_error
from s2auc.experiments.results.summary import Summary
from s2auc.experiments.results.tables import Table

REFERENCE, LABELED_ONLY = "s2auc_cv", "s2auc_cv_labeled"
SIZES = (200, 40)
ALL_TABLES = (*CHOSEN_ON, *HELD_BACK)
_UNTUNED = ", defaults"
NAMES = {
    "s2auc_cv": "s2auc, tuned",
    "s2auc_cv_labeled": "s2auc, tuned, labelled rows only",
    "qsg": "s2auc, untuned",
    "random_forest": "random forest",
    "extra_trees": "extra trees",
    "rbf_svm": "RBF-SVM",
    "logistic_regression": "logistic regression",
    "hist_gradient_boosting": "gradient boosting (scikit-learn)",
    "catboost": f"CatBoost{_UNTUNED}",
    "lightgbm": f"LightGBM{_UNTUNED}",
    "xgboost": f"XGBoost{_UNTUNED}",
    "self_training": "self-training",
    "label_spreading": "label spreading",
}


def make_blocks(summary: Summary) -> dict[str, str]:
    """Return every block by its name."""
    files, held_back, chosen_on, everything = (
        [comparison for n in SIZES if (comparison := compare(summary, group, n, REFERENCE)) is not None]
        for group in (FILES, HELD_BACK, CHOSEN_ON, ALL_TABLES)
    )
    if min(map(len, (files, held_back, chosen_on))) < len(SIZES):
        raise ValueError(
            "In every group of tables, with 200 and with 40 labels, there must be a trial that all methods have a "
            f"result for, {REFERENCE} among them. Got rows without; go on with the benchmark first."
        )
    return {
        **_pictures(files, everything),
        "claim": _claim(files, held_back),
        "tables": tables_of(files, ALL_TABLES),
        "short table": _short_table(files, held_back),
        "main table": _main_table(files),
        "held back": tables_of(held_back, ALL_TABLES),
        "held back table": _main_table(held_back),
        "leaders": _leaders(files, held_back),
        "winners": winners(everything, NAMES),
        "unlabeled": _unlabeled(summary),
        "summary": _summary(files),
        "differences": _differences(
            {"files": files, "not used for choosing": held_back, "used for choosing": chosen_on}
        ),
        "by labels": _by_labels(summary),
    }


def _pictures(files: Sequence[Comparison], everything: Sequence[Comparison]) -> dict[str, str]:
    """Return the pictures with their words: the standings for the README, the differences for the page of results."""
    n_others = word(len(everything[0].standings) - 1)
    return {
        "picture": (
            f"![Mean test AUC of s2auc and of {n_others} other methods over {word(len(files[0].datasets))} tables, "
            "with 200 and with 40 labels](docs/images/standings.png)"
        ),
        "by table": (
            f"![Test AUC of {n_others} other methods minus that of s2auc, on {word(len(everything[0].datasets))} "
            "tables, with 200 and with 40 labels](../images/accuracy.png)"
        ),
    }


def _claim(files: Sequence[Comparison], held_back: Sequence[Comparison]) -> str:
    """Return what the first lines of the README promise: no more than the numbers hold."""
    start = "it tunes itself and averages its best settings, and ranks"
    compared = [(c, "all files") for c in files] + [(c, "tables not used for choosing") for c in held_back]
    lost = [(comparison, where) for comparison, where in compared if _is_behind(comparison)]
    if not lost:
        n_others = word(len(_others(files[0])))
        return f"{start} better on average than all {n_others} methods of other libraries that it is compared with"
    ahead: dict[str, dict[str, list[str]]] = {}
    for comparison, where in lost:
        ahead.setdefault(_short(_best(comparison)), {}).setdefault(where, []).append(str(comparison.n_labeled))
    told = listed(
        [
            f"{name} ({'; '.join(f'{listed(sizes)} labels, {where}' for where, sizes in places.items())})"
            for name, places in ahead.items()
        ]
    )
    if len(lost) == len(compared):
        return f"{start} well, if not best on average: ahead of it come {told}"
    return f"{start} best on average, but behind {told}"


def _main_table(comparisons: Sequence[Comparison]) -> str:
    """Return one line a method: AUC, rank and worst deficit by number of labels, and the seconds of the first."""
    header = ["method"]
    for comparison in comparisons:
        header += [f"AUC, {comparison.n_labeled} labels", "rank", "worst deficit"]
    table = Table("", [*header, f"seconds, {comparisons[0].n_labeled} labels"])
    highest = [f"{comparison.standings[0].mean_auc:.3f}" for comparison in comparisons]
    for method in dict.fromkeys(s.method for comparison in comparisons for s in comparison.standings):
        standings = [comparison.of(method) for comparison in comparisons]
        line = [f"**{NAMES[method]}**" if method == REFERENCE else NAMES[method]]
        for standing, best in zip(standings, highest, strict=True):
            line += _cells(standing, best)
        table.lines.append([*line, f"{standings[0].mean_seconds:.2g}" if standings[0] else "-"])
    return table.as_markdown()


def _short_table(files: Sequence[Comparison], held_back: Sequence[Comparison]) -> str:
    """Return one line a method: its AUC over all files and over those not used for choosing, and its seconds."""
    groups = [(comparison, "all") for comparison in files] + [(comparison, "held back") for comparison in held_back]
    table = Table("", ["method", *(f"{c.n_labeled} labels, {tables}" for c, tables in groups), "seconds"])
    for standing in files[0].standings:
        found = [(comparison.of(standing.method), comparison.standings[0].mean_auc) for comparison, _ in groups]
        aucs = [bold_if(f"{own.mean_auc:.3f}", f"{best:.3f}") if own else "-" for own, best in found]
        name = NAMES[standing.method]
        table.lines.append(
            [f"**{name}**" if standing.method == REFERENCE else name, *aucs, f"{standing.mean_seconds:.2g}"]
        )
    return table.as_markdown()


def _cells(standing: Standing | None, highest: str) -> list[str]:
    if standing is None:
        return ["-", "-", "-"]
    auc = f"{standing.mean_auc:.3f}"
    where = f" ({standing.worst_dataset})" if standing.worst_dataset else ""
    return [
        bold_if(auc, highest),
        f"{standing.mean_rank:.1f}",
        f"{standing.worst_deficit:.3f}{where}",
    ]


def _leaders(files: Sequence[Comparison], held_back: Sequence[Comparison]) -> str:
    """Return who leads over which tables, methods of other libraries against the tuned classifier."""
    sentences = []
    for over_files, apart in zip(files, held_back, strict=True):
        over_both = f"over the {word(len(over_files.datasets))} tables that come as files, {_leader(over_files)}"
        over_apart = f"over the {word(len(apart.datasets))} not used for choosing, {_leader(apart)}"
        sentences.append(f"**With {over_files.n_labeled} labels**, {over_both}; {over_apart}.")
    return " ".join(sentences) + " (± is the standard error over tables.)"


def _leader(comparison: Comparison) -> str:
    best, own = _best(comparison), _own(comparison)
    gap = with_error(abs(best.difference), best.error, ".3f")
    if _is_behind(comparison):
        return f"{_short(best)} leads with {best.mean_auc:.3f}, {gap} ahead of s2auc, tuned, with {own.mean_auc:.3f}"
    return f"s2auc, tuned, leads with {own.mean_auc:.3f}, {gap} ahead of {_short(best)} with {best.mean_auc:.3f}"


def _unlabeled(summary: Summary) -> str:
    """Return what unlabelled rows bring at every number of labels, and whether that is more than chance."""
    found = _with_and_without(summary, FILES)
    if not found:
        return "What unlabelled rows bring to the tuned classifier is not among these results."
    told = listed([f"{with_error(own.difference, own.error, '+.4f')} with {n} labels" for n, own, _ in found])
    digits = listed([f"{own.difference:+.3f} with {n}" for n, own, _ in _with_and_without(summary, DIGITS)])
    on_digits = f" On handwritten digits, where neighbours are of one class, they bring {digits}." if digits else ""
    verdicts = {
        "They help": [n for n, own, _ in found if own.difference > 2 * own.error],
        "They harm": [n for n, own, _ in found if own.difference < -2 * own.error],
        "No more than chance can be told": [n for n, own, _ in found if abs(own.difference) <= 2 * own.error],
    }
    verdict = " ".join(
        f"{text} with {listed(list(map(str, sizes)))} labels." for text, sizes in verdicts.items() if sizes
    )
    return (
        f"Against the same search on labelled rows only, over the {word(len(found[0][1].differences))} tables that "
        f"come as files, unlabelled rows bring a mean AUC of {told} (± is the standard error over tables). {verdict}"
        f"{on_digits}"
    )


def _by_labels(summary: Summary) -> str:
    table = Table("", ["labels", "mean AUC", "labelled rows only", "difference"])
    for n, own, other in _with_and_without(summary, FILES):
        means = [f"{standing.mean_auc:.4f}" for standing in (own, other)]
        table.lines.append([str(n), *means, with_error(own.difference, own.error, "+.4f")])
    return table.as_markdown()


def _with_and_without(summary: Summary, tables: Sequence[str]) -> list[tuple[int, Standing, Standing]]:
    """Return number of labels and standings of the tuned classifier with unlabelled rows and without, paired."""
    found = []
    for n in sorted({setting.n_labeled for setting in summary.settings}):
        comparison = compare(summary, tables, n, LABELED_ONLY, methods=(REFERENCE, LABELED_ONLY))
        own = comparison and comparison.of(REFERENCE)
        other = comparison and comparison.of(LABELED_ONLY)
        if own and other:
            found.append((n, own, other))
    return found


def _summary(comparisons: Sequence[Comparison]) -> str:
    own = listed([f"{_own(c).mean_auc:.3f} with {c.n_labeled} labels" for c in comparisons])
    best = listed([f"{_best(c).mean_auc:.3f} ({_short(_best(c))}, {c.n_labeled} labels)" for c in comparisons])
    return (
        f"`benchmarks/accuracy.py`, {word(len(comparisons[0].datasets))} tables that come as files, all defaults: "
        f"mean AUC {own}; the best of {word(len(_others(comparisons[0])))} methods of other libraries had {best}."
    )


def _differences(groups: Mapping[str, Sequence[Comparison]]) -> str:
    """Return the paired differences of every method to the tuned classifier, by group of tables."""
    header, columns = ["method"], []
    for name, comparisons in groups.items():
        for comparison in comparisons:
            header.append(f"{name} ({len(comparison.datasets)}), {comparison.n_labeled} labels")
            columns.append({standing.method: standing for standing in comparison.standings})
    table = Table("", header)
    for method in dict.fromkeys(method for column in columns for method in column):
        if method != REFERENCE:
            table.lines.append([NAMES[method], *(_difference(column.get(method)) for column in columns)])
    return table.as_markdown()


def _difference(standing: Standing | None) -> str:
    return "-" if standing is None else with_error(standing.difference, standing.error, "+.3f")


def _own(comparison: Comparison) -> Standing:
    (own,) = [standing for standing in comparison.standings if standing.method == REFERENCE]
    return own


def _others(comparison: Comparison) -> list[Standing]:
    """Return the standings of methods of other libraries, the best first."""
    return [standing for standing in comparison.standings if METHODS[standing.method].library != "s2auc"]


def _best(comparison: Comparison) -> Standing:
    return _others(comparison)[0]


def _is_behind(comparison: Comparison) -> bool:
    """Return whether a method of another library has the higher mean AUC."""
    return _best(comparison).mean_auc > _own(comparison).mean_auc


def _short(standing: Standing) -> str:
    return NAMES[standing.method].removesuffix(_UNTUNED)
