"""What the ranking owes to columns: how much each matters, and how the strongest move the score."""

import numpy as np

from s2auc.reports.drawings.charts import bar
from s2auc.reports.drawings.effect_figures import NamedEffect, draw_effect
from s2auc.reports.findings import Findings
from s2auc.reports.markup import Html, Right, joined, note, shown, signed, table, tag
from s2auc.reports.measures.importance import Importance


def importance_section(found: Findings) -> Html:
    """Return the section about how much columns matter."""
    importance = found.importance
    if importance is None:
        return note(found.judged.why_none)
    entries = importance.columns
    drops = [drop for entry in entries for drop in entry.drops]
    domain = min(0.0, *drops), max(1e-6, *drops)
    rows = [
        [
            shown(entry.column.name, 80),
            bar(entry.mean, min(entry.drops), max(entry.drops), domain),
            signed(entry.mean),
            f"{signed(min(entry.drops))} to {signed(max(entry.drops))}",
        ]
        for entry in entries
    ]
    caption = "Drop of the AUC where a column is shuffled: mean, and lowest to highest"
    return joined(
        [
            tag("p", _strongest(importance)),
            table(["Column", "", Right("Drop"), Right("Range")], rows, caption=caption, class_="bars"),
            *map(note, _how(found, importance)),
        ]
    )


def _strongest(importance: Importance) -> str:
    first = importance.columns[0]
    if first.mean <= 0:
        return (
            f"No column matters by itself: shuffling any one leaves the AUC of {importance.auc:.3f} as it is. Columns "
            "that tell the same may stand in for one another."
        )
    return (
        f"“{shown(first.column.name)}” matters most: without what it tells, the AUC falls from {importance.auc:.3f} to "
        f"{importance.auc - first.mean:.3f}."
    )


def _how(found: Findings, importance: Importance) -> list[str]:
    n_shuffles = len(importance.columns[0].drops)
    others = "unlabelled rows that stand in for negatives" if found.judged.has_stand_ins else "negative rows"
    n_positive = int(found.judged.is_positive.sum())
    notes = [
        f"The values of one column are shuffled among {n_positive:,} positive rows and "
        f"{importance.n_rows - n_positive:,} {others}, {n_shuffles} times; the thin line reaches from the smallest to "
        "the largest drop. A date is shuffled as a whole. Columns that tell the same share their worth: each alone may "
        "seem to matter little. Where a line reaches zero, the column may not matter."
    ]
    if importance.n_columns > len(importance.columns):
        tried = (
            f"Of {importance.n_columns:,} columns the {importance.n_tried:,} that go along with the score were tried "
            if importance.n_tried < importance.n_columns
            else f"All {importance.n_columns:,} columns were tried "
        )
        notes.append(f"{tried}once; the {len(importance.columns)} that move the score most are listed.")
    return notes


def effects_section(found: Findings) -> Html:
    """Return the section about how columns move the score."""
    effects = found.effects
    if not effects:
        return note("No column moves the ranking enough to show how.")
    scores = np.concatenate([_all_scores(effect) for effect in effects])
    spare = 0.06 * float(np.ptp(scores)) or 0.05 * max(1.0, abs(float(scores[0])))
    score_range = float(scores.min()) - spare, float(scores.max()) + spare
    panels = [
        tag(
            "figure",
            tag("h3", shown(effect.name, 60)),
            draw_effect(effect, score_range, found.mean_score),
            tag("figcaption", _said(effect)),
        )
        for effect in effects
    ]
    how = (
        f"The mean score of {found.n_sampled:,} rows, were all of them to hold the same value, everything else as it "
        "is: columns that go together in life are taken apart here. All panels have one scale of scores; the dashed "
        "line is the mean score as it is. Grey bars, or percentages, show how often values occur."
    )
    return joined([tag("div", *panels, class_="panels"), note(how)])


def _all_scores(found: NamedEffect) -> np.ndarray:
    missing = found.effect.missing_score
    return found.effect.scores if missing is None else np.append(found.effect.scores, missing)


def _said(found: NamedEffect) -> str:
    low, high = int(np.argmin(found.effect.scores)), int(np.argmax(found.effect.scores))
    if low == high:
        return "The column holds one value in these rows."
    n_seen, n_shown = len(np.unique(found.effect.seen)), len(found.effect.values)
    is_cut = found.categories is not None and n_shown < n_seen
    some = f" The {n_shown} most frequent of {n_seen} are shown." if is_cut else ""
    return (
        f"Highest at {found.spelled(high)} ({signed(found.effect.scores[high], 2)}), lowest at {found.spelled(low)} "
        f"({signed(found.effect.scores[low], 2)}).{some}"
    )
