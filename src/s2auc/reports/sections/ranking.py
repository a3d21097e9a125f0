"""Sections about the ranking: the ROC curve with its band, histograms of scores, and the learning curve."""

from s2auc.models.labels_of_model import are_those_of_fit
from s2auc.ranking.roc_band import roc_band
from s2auc.reports.drawings.score_figures import draw_histograms, draw_learning_curve, draw_roc
from s2auc.reports.findings import Findings
from s2auc.reports.markup import Html, figure, note, sentence, signed, split, text
from s2auc.reports.recorded import recorded_curve

_SHOWN_RATE = 0.1


def roc_section(found: Findings) -> Html:
    """Return the section about the ROC curve."""
    if found.auc is None:
        return note(found.judged.why_none)
    band = roc_band(found.is_positive, found.scores)
    n_positive = int(found.is_positive.sum())
    others = "unlabelled" if found.judged.has_stand_ins else "negative"
    share, low, high = (100 * rate for rate in band.at(_SHOWN_RATE))
    caption = text("roc.caption", rate=100 * _SHOWN_RATE, others=others, share=share, low=low, high=high)
    n_others = len(found.scores) - n_positive
    notes = [
        text("roc.rows", n_positive=n_positive, n_others=n_others, others=others, auc=found.auc),
        text("roc.how", level=band.level),
        *([text("roc.stand_ins")] if found.judged.has_stand_ins else []),
        *([text("roc.same_rows")] if are_those_of_fit(found.record, found.rows.labels) else []),
    ]
    return split(figure(draw_roc(band, others), caption), *map(note, notes))


def score_section(found: Findings) -> Html:
    """Return the section about where scores lie."""
    groups = []
    for group, histogram in found.passed.histograms.items():
        if histogram.n_scores:
            name = found.group_names[group]
            rows = f"{histogram.n_scores:,} row{'' if histogram.n_scores == 1 else 's'}"
            groups.append((group, f"{name[0].upper()}{name[1:]}, {rows}", histogram))
    if not groups:
        return note(text("scores.empty"))
    notes = text("scores.how"), text("scores.cut", positive=found.classes[1])
    return split(figure(draw_histograms(groups), _spread(found)), *map(note, notes))


def _spread(found: Findings) -> Html:
    histograms = found.passed.histograms
    rest = {"unlabeled": "without a label", "negative": "that are negative"}
    rest = {group: words for group, words in rest.items() if histograms[group].n_scores}
    if histograms["positive"].n_scores < 2 or not rest:
        whole = next(histogram for histogram in histograms.values() if histogram.n_scores)
        return text("scores.half", middle=signed(whole.quantile(0.5), 2))
    middle = histograms["positive"].quantile(0.5)
    others = [f"{100 * histograms[group].share_above(middle):.2g} % of those {words}" for group, words in rest.items()]
    return text("scores.spread", middle=signed(middle, 2), others=" and ".join(others))


def learning_curve_section(found: Findings) -> Html:
    """Return the section about what more labels would bring."""
    points = recorded_curve(found.record)
    told = found.record.get("learning_curve_sentence")
    if not points:
        return note(sentence(told) if told else text("labels.unknown"))
    (n_first, first), (n_last, last) = points[0], points[-1]
    which = "labels.one" if len(points) == 1 else "labels.several"
    caption = text(which, n_first=n_first, first=first, n_last=n_last, last=last)
    notes = [note(sentence(told))] if told else []
    return split(figure(draw_learning_curve(points), caption), *notes, note(text("labels.how", level=last.level)))
