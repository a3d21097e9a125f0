"""Sections about columns: their importance, and how the strongest move the score."""

import numpy as np

from s2auc.reports.drawings.charts import bar
from s2auc.reports.drawings.effect_figures import NamedEffect, draw_effect
from s2auc.reports.findings import Findings
from s2auc.reports.markup import Html, Right, joined, note, shown, signed, table, tag, text


def importance_section(found: Findings) -> Html:
    """Return the section about how much columns matter."""
    importance = found.importance
    if importance is None:
        return note(found.judged.why_none)
    drops = [drop for entry in importance.columns for drop in entry.drops]
    domain = min(0.0, *drops), max(1e-6, *drops)
    rows = [
        [
            shown(entry.column.name, 80),
            bar(entry.mean, domain, (min(entry.drops), max(entry.drops))),
            signed(entry.mean),
            f"{signed(min(entry.drops))} to {signed(max(entry.drops))}",
        ]
        for entry in importance.columns
    ]
    first, n_listed = importance.columns[0], len(importance.columns)
    which = "importance.strongest" if first.mean > 0 else "importance.none"
    strongest = text(which, name=shown(first.column.name), auc=importance.auc, rest=importance.auc - first.mean)
    n_positive, n_shuffles = int(found.judged.is_positive.sum()), len(first.drops)
    others = "unlabelled rows that stand in for negatives" if found.judged.has_stand_ins else "negative rows"
    counts = {"n_positive": n_positive, "n_others": importance.n_rows - n_positive, "n_shuffles": n_shuffles}
    notes = [text("importance.how", others=others, **counts)]
    if importance.n_columns > n_listed:
        tried = "all" if importance.n_tried == importance.n_columns else "some"
        notes.append(text(f"importance.{tried}", found=importance, n_listed=n_listed))
    caption = "Drop of the AUC where a column is shuffled: mean, and lowest to highest"
    listed = table(["Column", "", Right("Drop"), Right("Range")], rows, caption=caption, class_="bars")
    return joined([tag("p", strongest), listed, *map(note, notes)])


def effects_section(found: Findings) -> Html:
    """Return the section about how columns move the score."""
    effects = found.effects
    if not effects:
        return note(text("effects.none"))
    scores = np.concatenate([named.effect.all_scores for named in effects])
    spare = 0.06 * float(np.ptp(scores)) or 0.05 * max(1.0, abs(float(scores[0])))
    score_range = float(scores.min()) - spare, float(scores.max()) + spare
    panels = []
    for named in effects:
        drawn = draw_effect(named, score_range, found.mean_score)
        panels.append(text("effects.panel", name=shown(named.name, 60), drawn=drawn, said=_said(named)))
    return joined([tag("div", *panels, class_="panels"), note(text("effects.how", n_sampled=found.n_sampled))])


def _said(named: NamedEffect) -> Html:
    effect = named.effect
    low, high = int(np.argmin(effect.scores)), int(np.argmax(effect.scores))
    if low == high:
        return text("effects.one_value")
    n_seen, n_shown = len(np.unique(effect.seen)), len(effect.values)
    is_cut = named.categories is not None and n_shown < n_seen
    cut = text("effects.cut", n_shown=n_shown, n_seen=n_seen) if is_cut else ""
    highest, lowest = (f"{named.spelled(place)} ({signed(effect.scores[place], 2)})" for place in (high, low))
    return text("effects.extremes", highest=highest, lowest=lowest, cut=cut)
