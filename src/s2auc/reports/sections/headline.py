"""The first section: what the model ranks, how well, whether unlabelled rows helped, and what to beware of."""

from s2auc.models.labels_of_model import are_those_of_fit
from s2auc.models.record import RecordedEstimate as EstimateEntry
from s2auc.reports.drawings.score_figures import NamedAuc, draw_intervals
from s2auc.reports.findings import Findings
from s2auc.reports.markup import Html, caution, figure, joined, note, sentence, signed, tag
from s2auc.reports.recorded import RecordedEstimate, recorded_shift

_ANSWERS = {"yes": "Yes", "no": "No", "cannot tell": "Cannot tell"}


def headline(found: Findings) -> Html:
    """Return the section."""
    held_out = RecordedEstimate.of(found.record.get("held_out_auc"))
    return joined(
        [
            tag("p", _what_it_is_worth(found, held_out), class_="lead"),
            _tiles(found, held_out),
            *cautions(found),
            _drawn(found, held_out),
        ]
    )


def cautions(found: Findings) -> list[Html]:
    """Return a box for each thing that readers must know before they trust the rest."""
    boxes = []
    shift = recorded_shift(found.record, found.model.schema)
    if shift is not None:
        column, p_value = shift
        boxes.append(
            caution(
                "Labelled and unlabelled rows differ.",
                f"When the model was fitted, they differed in {column} more than any mixture of the two classes "
                f"explains (p = {p_value:.1g}). Check how rows were picked for labelling: the AUC on held-out rows is "
                "that of rows picked in this way.",
            )
        )
    if found.passed.drift is not None:
        boxes.append(caution("The columns of this table are not where they were.", sentence(found.passed.drift)))
    return boxes


def _what_it_is_worth(found: Findings, held_out: RecordedEstimate | None) -> Html:
    negative, positive = found.classes
    is_open = found.record.get("rows", {}).get("negative") == 0
    others = "rows that nobody has labelled" if is_open else f"rows of class “{negative}”"
    parts = ["The model sorts rows so that those of class ", tag("strong", f"“{positive}”"), f" stand above {others}. "]
    other = "an unlabelled row" if is_open else f"one of class “{negative}”"
    pairs = f"Show it a row of class “{positive}” and {other}"
    if held_out is None:
        parts.append("How good it is on rows that it has not seen, its record does not say.")
        if found.auc is not None and not found.judged.has_stand_ins:
            parts.append(f" {pairs}, both from this table: it puts the right one higher {_times(found.auc.value)}.")
        return joined(parts)
    parts += [
        f"{pairs}, neither of which it has seen: it puts the right one higher ",
        tag("strong", _times(held_out.value)),
        "; a coin would in 50.",
    ]
    if held_out.low is not None and held_out.high is not None:
        parts.append(
            f" The labels that there are pin this figure down to between {_hundredths(held_out.low)} and "
            f"{_hundredths(held_out.high)} ({held_out.level:.0%} interval)."
        )
        if held_out.low <= 0.5:
            parts.append(" That includes 50, no better than chance.")
    return joined(parts)


def _times(auc: float) -> str:
    return f"in {_hundredths(auc)} of 100 cases"


def _hundredths(share: float) -> str:
    """Return a share of 100, which is only 100 if it is all."""
    return f"{100 * share:.1f}" if 0.995 <= share < 1 else f"{100 * share:.0f}"


def _tiles(found: Findings, held_out: RecordedEstimate | None) -> Html:
    labels, tiles = found.rows.labels, []
    value = "not known" if held_out is None else f"{held_out.value:.3f}"
    more = "its record does not say" if held_out is None else _interval(held_out.low, held_out.high, held_out.level)
    tiles.append(_tile("AUC on rows held out", value, more))
    if found.auc is None:
        tiles.append(_tile("AUC on this table", "–", "too few labels to tell"))
    else:
        reach = _interval(found.auc.low, found.auc.high, found.auc.level)
        among = ", positive against unlabelled rows" if found.judged.has_stand_ins else ""
        tiles.append(_tile("AUC on this table", f"{found.auc.value:.3f}", f"{reach}{among}"))
    counts = (
        f"{labels.n_positive:,} positive, {labels.n_negative:,} negative, {labels.n_unlabeled:,} without a label"
        if found.rows.has_labels
        else "without labels"
    )
    tiles.append(_tile("Rows of this table", f"{labels.n_rows:,}", counts))
    verdict = found.record.get("unlabeled")
    answer = "Not known" if verdict is None else _ANSWERS.get(verdict["answer"].lower(), "Not known")
    difference = None if verdict is None else verdict["difference"]
    tiles.append(_tile("Did unlabelled rows help?", answer, _difference(difference)))
    return tag("div", *tiles, class_="tiles")


def _tile(name: str, value: str, more: str) -> Html:
    texts = {"name": name, "value": value, "more": more}
    return tag("div", *(tag("p", text, class_=class_) for class_, text in texts.items()), class_="tile")


def _interval(low: float | None, high: float | None, level: float) -> str:
    return "without an interval" if low is None or high is None else f"{level:.0%} interval {low:.3f} to {high:.3f}"


def _difference(found: EstimateEntry | None) -> str:
    if found is None:
        return "its record does not say by how much"
    plus = "+" if found["value"] >= 0 else ""
    return f"AUC {plus}{signed(found['value'])} ({signed(found['low'])} to {signed(found['high'])})"


def _drawn(found: Findings, held_out: RecordedEstimate | None) -> Html:
    entries = []
    if held_out is not None:
        entries.append(NamedAuc("On rows held out of the fit", held_out.value, held_out.low, held_out.high))
    if found.auc is not None:
        name = "On this table, unlabelled rows as negatives" if found.judged.has_stand_ins else "On this table"
        entries.append(NamedAuc(name, found.auc.value, found.auc.low, found.auc.high))
    if not entries:
        return _unlabeled_rows(found)
    warning = ""
    if found.auc is not None and are_those_of_fit(found.record, found.rows.labels):
        warning = (
            "This table has just as many labels as the model was fitted on: if they are the same rows, they flatter "
            "it, and the AUC on rows held out is the one to go by."
        )
    elif found.auc is not None:
        warning = (
            "Rows that the model was fitted on would flatter it: the AUC on this table is fair if it has seen none."
        )
    caption = "The shorter the line, the more surely the AUC is known."
    told = [note(warning), _unlabeled_rows(found)] if warning else [_unlabeled_rows(found)]
    return tag("div", figure(draw_intervals(entries), caption), tag("div", *told), class_="split")


def _unlabeled_rows(found: Findings) -> Html:
    verdict = found.record.get("unlabeled")
    return Html("") if verdict is None else note(sentence(verdict["sentence"]))
