"""How well this table is ranked: the ROC curve with its band, where scores lie, and what more labels would bring."""

import numpy as np

from s2auc.models.labels_of_model import are_those_of_fit
from s2auc.ranking.roc_band import roc_band
from s2auc.reports.drawings.score_figures import draw_histograms, draw_learning_curve, draw_roc
from s2auc.reports.findings import Findings
from s2auc.reports.markup import Html, figure, joined, note, sentence, signed, tag
from s2auc.reports.recorded import recorded_curve

_SHOWN_RATE = 0.1


def roc_section(found: Findings) -> Html:
    """Return the section about the ROC curve."""
    if found.auc is None:
        return note(found.judged.why_none)
    band = roc_band(found.is_positive, found.scores)
    n_positive = int(found.is_positive.sum())
    others = "unlabelled" if found.judged.has_stand_ins else "negative"
    share, low, high = band.at(_SHOWN_RATE)
    caption = (
        f"Where the cut lets {100 * _SHOWN_RATE:.0f} % of the {others} rows pass, {100 * share:.0f} % of the positive "
        f"rows are above it ({100 * low:.0f} to {100 * high:.0f} %)."
    )
    notes = [
        f"{n_positive:,} positive and {len(found.scores) - n_positive:,} {others} rows; AUC {found.auc}.",
        "The line is what these rows show, the dashed one is a random order. The band is where the line of all rows "
        f"like these lies, at each point with {band.level:.0%} confidence: Wilson intervals of both shares at every "
        "cut, each wide enough for both to hold.",
    ]
    if found.judged.has_stand_ins:
        notes.append(
            "There are no negative rows: unlabelled ones stand in for them, some of which are positive. Against true "
            "negatives the curve would lie higher."
        )
    if are_those_of_fit(found.record, found.rows.labels):
        notes.append(
            "This table has as many labelled rows as the model was fitted on. If they are the same, the curve flatters "
            "the model: go by the AUC on rows held out."
        )
    return tag("div", figure(draw_roc(band, others), caption), tag("div", *map(note, notes)), class_="split")


def score_section(found: Findings) -> Html:
    """Return the section about where scores lie."""
    negative, positive = found.classes
    words = {
        "positive": f"Positive: “{positive}”",
        "negative": f"Negative: “{negative}”",
        "unlabeled": "Without a label",
    }
    groups = [
        (group, f"{words[group]}, {histogram.n_scores:,} row{'' if histogram.n_scores == 1 else 's'}", histogram)
        for group, histogram in found.passed.histograms.items()
        if histogram.n_scores
    ]
    if not groups:
        return note("The table has no rows.")
    notes = [
        "Each histogram is as high as its own group: it shows shares, not counts. Scores beyond the ends count in the "
        "outermost bars.",
        f"Above zero, at the dashed line, the model would predict “{positive}”. The order of the list does not depend "
        "on where that line is.",
    ]
    return tag("div", figure(draw_histograms(groups), _spread(found)), tag("div", *map(note, notes)), class_="split")


def _spread(found: Findings) -> str:
    histograms = found.passed.histograms
    rest = [group for group in ("unlabeled", "negative") if histograms[group].n_scores]
    if histograms["positive"].n_scores < 2 or not rest:
        whole = next(histogram for histogram in histograms.values() if histogram.n_scores)
        return f"Half of the rows score above {signed(whole.quantile(0.5), 2)}."
    middle = histograms["positive"].quantile(0.5)
    others = [
        f"{100 * histograms[group].share_above(middle):.2g} % of those "
        + ("without a label" if group == "unlabeled" else "that are negative")
        for group in rest
    ]
    return f"Half of the positive rows score above {signed(middle, 2)}; so do {' and '.join(others)}."


def learning_curve_section(found: Findings) -> Html:
    """Return the section about what more labels would bring."""
    points = recorded_curve(found.record)
    told = found.record.get("learning_curve_sentence")
    if not points:
        return note(sentence(told) if told else "Not known: the record of this model holds no learning curve.")
    n_labels = np.array([count for count, _ in points], dtype=np.float64)
    values = np.array([point.value for _, point in points])
    low = np.array([point.value if point.low is None else point.low for _, point in points])
    high = np.array([point.value if point.high is None else point.high for _, point in points])
    first, last = points[0], points[-1]
    caption = f"With {first[0]:,} labelled rows the AUC on rows held out is {first[1].value:.3f}"
    caption += "." if len(points) == 1 else f", with {last[0]:,} it is {last[1].value:.3f}."
    level = last[1].level
    notes = [
        note(sentence(told)) if told else Html(""),
        note(f"Lines are {level:.0%} intervals, of each AUC by itself."),
    ]
    drawn = figure(draw_learning_curve(n_labels, values, low, high), caption)
    return tag("div", drawn, tag("div", joined(notes)), class_="split")
