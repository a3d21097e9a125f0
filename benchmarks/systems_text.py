"""Text of docs/results/baselines.md on the systems of the literature: every number from results alone.

`make_blocks` gives the texts by name. A system has a block of its own, under its name in the table of methods.
"""

from collections.abc import Sequence

from text_blocks import bold_if, listed, tables_of, winners, word

from s2auc.experiments.datasets.groups import FILES
from s2auc.experiments.results.comparison import Comparison, Standing, compare, with_error
from s2auc.experiments.results.results_file import origin_of, results_of
from s2auc.experiments.results.summary import Summary
from s2auc.experiments.results.tables import Table

TUNED, UNTUNED = "s2auc_cv", "qsg"
SIZES = (200, 40)
NAMES = {
    "s2auc_cv": "s2auc, tuned",
    "qsg": "s2auc, untuned",
    "exact": "s2auc, untuned, closed form",
    "samult_centers": "SAMULT, 500 centres",
    "pnu_auc": "PNU-AUC",
    "dsg": "DSG",
    "ssrankboost": "SSRankBoost",
    "optag": "OptAG",
    "solam": "SOLAM",
    "fsauc": "FSAUC",
    "foam": "FOAM",
    "noam": "NOAM",
    "libauc": "LibAUC, tuned",
    "logistic_regression": "logistic regression, tuned",
}
#: Methods that are not systems to compare with but this library's own, and the plain baseline.
_NO_BASELINES = ("s2auc_cv", "qsg", "exact", "logistic_regression")
_TUNED = ("s2auc_cv", "libauc", "logistic_regression")


def make_blocks(results: str) -> dict[str, str]:
    """Return every block by its name.

    Parameters
    ----------
    results
        The text of the results file.
    """
    summary = Summary(results_of(results))
    by_reference = {
        reference: [found for n in SIZES if (found := compare(summary, FILES, n, reference)) is not None]
        for reference in (TUNED, UNTUNED)
    }
    if min(map(len, by_reference.values())) < len(SIZES):
        raise ValueError(
            f"With 200 and with 40 labels there must be a trial that all methods have a result for, {TUNED} and "
            f"{UNTUNED} among them. Got rows without; go on with the benchmark first."
        )
    comparisons = by_reference[TUNED]
    systems = [standing.method for standing in comparisons[0].standings if standing.method not in _NO_BASELINES]
    return {
        "tables": tables_of(comparisons, FILES),
        "main table": _main_table(comparisons),
        "by table": _by_table(summary, comparisons[0]),
        "leaders": _leaders(comparisons),
        "winners": winners(comparisons, NAMES),
        "origin": "\n".join(f"- {line}" for line in origin_of(results)),
        **{method: _standing_of(method, by_reference) for method in systems},
    }


def _main_table(comparisons: Sequence[Comparison]) -> str:
    """Return one line a method: AUC and rank by number of labels, seconds and memory of a fit."""
    header = ["method"]
    for comparison in comparisons:
        header += [f"AUC, {comparison.n_labeled} labels", "rank"]
    n_labeled = comparisons[0].n_labeled
    table = Table("", [*header, f"seconds, {n_labeled} labels", f"MB of the fit, {n_labeled} labels"])
    for method in dict.fromkeys(s.method for comparison in comparisons for s in comparison.standings):
        line = [f"**{NAMES[method]}**" if method == TUNED else NAMES[method]]
        for comparison in comparisons:
            standing = comparison.of(method)
            highest = f"{comparison.standings[0].mean_auc:.3f}"
            line += (
                [bold_if(f"{standing.mean_auc:.3f}", highest), f"{standing.mean_rank:.1f}"] if standing else ["-", "-"]
            )
        table.lines.append([*line, *_costs(comparisons[0].of(method))])
    return table.as_markdown()


def _costs(standing: Standing | None) -> list[str]:
    if standing is None:
        return ["-", "-"]
    memory = "-" if standing.median_bytes is None else f"{standing.median_bytes / 1e6:.0f}"
    return [f"{standing.median_seconds:.2g}", memory]


def _by_table(summary: Summary, comparison: Comparison) -> str:
    """Return the mean AUC of every method on every table that counts, the highest of a table in bold."""
    settings = [
        setting
        for dataset in comparison.datasets
        for setting in summary.settings
        if (setting.dataset, setting.n_labeled) == (dataset, comparison.n_labeled)
    ]
    common = summary.common(settings)
    table = Table("", ["method", *comparison.datasets])
    best = {setting: max(common.mean(setting, method).value for method in common.methods) for setting in settings}
    for standing in comparison.standings:
        means = {setting: common.mean(setting, standing.method).value for setting in settings}
        cells = [bold_if(f"{means[setting]:.3f}", f"{best[setting]:.3f}") for setting in settings]
        table.lines.append([NAMES[standing.method], *cells])
    return table.as_markdown()


def _leaders(comparisons: Sequence[Comparison]) -> str:
    """Return who has the highest mean AUC of all, and of those that run with their defaults."""
    sentences = []
    for comparison in comparisons:
        baselines = [standing for standing in comparison.standings if standing.method not in _NO_BASELINES]
        untuned = [standing for standing in baselines if standing.method not in _TUNED]
        first, plain = comparison.standings[0], comparison.of(UNTUNED)
        if plain is None or not untuned:
            continue
        sentences.append(
            f"**With {comparison.n_labeled} labels** the highest mean AUC is that of {NAMES[first.method]}: "
            f"{first.mean_auc:.3f}. The best of the {word(len(baselines))} systems is {_short(baselines[0])} with "
            f"{baselines[0].mean_auc:.3f}, {_gap(baselines[0])} s2auc, tuned. Of those that run with their defaults "
            f"{_short(untuned[0])} leads with {untuned[0].mean_auc:.3f}; s2auc, untuned, has {plain.mean_auc:.3f}."
        )
    return " ".join(sentences) + " (± is the standard error over tables.)"


def _standing_of(method: str, by_reference: dict[str, list[Comparison]]) -> str:
    """Return how a system stands against both forms of s2auc, and where it is ahead of them."""
    sentences = []
    for against_tuned, against_untuned in zip(by_reference[TUNED], by_reference[UNTUNED], strict=True):
        standing, other = against_tuned.of(method), against_untuned.of(method)
        if standing is None or other is None:
            continue
        won = [dataset for dataset, winner in against_tuned.winners.items() if winner == method]
        best = f" It is the best of all methods on {listed(won)}." if won else ""
        sentences.append(
            f"With {against_tuned.n_labeled} labels its mean AUC is {standing.mean_auc:.3f}: {_gap(standing)} s2auc, "
            f"tuned ({_where(standing)}), and {_gap(other)} s2auc, untuned ({_where(other)}).{best}"
        )
    return " ".join(sentences)


def _short(standing: Standing) -> str:
    return NAMES[standing.method].partition(",")[0]


def _gap(standing: Standing) -> str:
    side = "ahead of" if standing.difference > 0 else "behind"
    return f"{with_error(abs(standing.difference), standing.error, '.3f')} {side}"


def _where(standing: Standing) -> str:
    ahead = [dataset for dataset, difference in standing.differences.items() if difference > 0]
    if not ahead:
        return "ahead on no table"
    return f"ahead on {listed(ahead)}" if len(ahead) < len(standing.differences) else "ahead on all tables"
