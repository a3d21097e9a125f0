"""The first section: the purpose and the AUC of the model, the effect of unlabelled rows, and cautions."""

from s2auc.models.labels_of_model import are_those_of_fit
from s2auc.models.record import RecordedEstimate as EstimateEntry
from s2auc.ranking.intervals import Estimate
from s2auc.reports.drawings.score_figures import draw_intervals
from s2auc.reports.findings import Findings
from s2auc.reports.markup import Html, figure, joined, note, sentence, signed, split, tag, text
from s2auc.reports.recorded import RecordedEstimate, recorded_shift

_ANSWERS = {"yes": "Yes", "no": "No", "cannot tell": "Cannot tell"}


def headline(found: Findings) -> Html:
    """Return the section."""
    held_out = RecordedEstimate.of(found.record.get("held_out_auc"))
    lead = tag("p", *_lead(found, held_out), class_="lead")
    tiles = tag("div", *_tiles(found, held_out), class_="tiles")
    return joined([lead, tiles, *_cautions(found), _drawn(found, held_out)])


def _cautions(found: Findings) -> list[Html]:
    """Return a box for each thing that readers must know before they trust the rest."""
    shift = recorded_shift(found.record, found.model.schema)
    boxes = [] if shift is None else [text("summary.shift", column=shift[0], p_value=shift[1])]
    if found.passed.drift is not None:
        boxes.append(text("summary.drift", drift=sentence(found.passed.drift)))
    return boxes


def _lead(found: Findings, held_out: RecordedEstimate | None) -> list[Html]:
    negative, positive = found.classes
    others, other = f"rows of class “{negative}”", f"one of class “{negative}”"
    if found.record.get("rows", {}).get("negative") == 0:
        others, other = "rows that nobody has labelled", "an unlabelled row"
    lead, pairs = (text(f"summary.{name}", positive=positive, others=others, other=other) for name in ("lead", "pairs"))
    if held_out is None:
        parts = [lead, text("summary.unknown")]
        if found.auc is not None and not found.judged.has_stand_ins:
            parts.append(text("summary.here", pairs=pairs, cases=_hundredths(found.auc.value)))
        return parts
    parts = [lead, text("summary.held_out", pairs=pairs, cases=_hundredths(held_out.value))]
    if held_out.low is not None and held_out.high is not None:
        low, high = _hundredths(held_out.low), _hundredths(held_out.high)
        parts.append(text("summary.interval", low=low, high=high, level=held_out.level))
        if held_out.low <= 0.5:
            parts.append(text("summary.chance"))
    return parts


def _hundredths(share: float) -> str:
    """Return a share of 100, which is only 100 if it is all."""
    return f"{100 * share:.1f}" if 0.995 <= share < 1 else f"{100 * share:.0f}"


def _tiles(found: Findings, held_out: RecordedEstimate | None) -> list[Html]:
    labels = found.rows.labels
    among = ", positive against unlabelled rows" if found.judged.has_stand_ins else ""
    held_out_words = ("not known", "its record does not say") if held_out is None else _in_words(held_out)
    here_words = ("–", "too few labels to tell") if found.auc is None else _in_words(found.auc, among)
    counts = text("summary.counts", labels=labels) if found.rows.has_labels else "without labels"
    verdict = found.record.get("unlabeled")
    answer = "Not known" if verdict is None else _ANSWERS.get(verdict["answer"].lower(), "Not known")
    tiles = {
        "AUC on rows held out": held_out_words,
        "AUC on this table": here_words,
        "Rows of this table": (f"{labels.n_rows:,}", counts),
        "Did unlabelled rows help?": (answer, _difference(None if verdict is None else verdict["difference"])),
    }
    return [text("summary.tile", name=name, value=value, more=more) for name, (value, more) in tiles.items()]


def _in_words(auc: Estimate | RecordedEstimate, among: str = "") -> tuple[str, str]:
    if auc.low is None or auc.high is None:
        return f"{auc.value:.3f}", "without an interval"
    return f"{auc.value:.3f}", f"{auc.level:.0%} interval {auc.low:.3f} to {auc.high:.3f}{among}"


def _difference(found: EstimateEntry | None) -> str:
    if found is None:
        return "its record does not say by how much"
    plus = "+" if found["value"] >= 0 else ""
    return f"AUC {plus}{signed(found['value'])} ({signed(found['low'])} to {signed(found['high'])})"


def _drawn(found: Findings, held_out: RecordedEstimate | None) -> Html:
    verdict = found.record.get("unlabeled")
    notes = [] if verdict is None else [note(sentence(verdict["sentence"]))]
    if found.auc is not None:
        is_same = are_those_of_fit(found.record, found.rows.labels)
        notes.insert(0, note(text("summary.same_rows" if is_same else "summary.other_rows")))
    here = "On this table, unlabelled rows as negatives" if found.judged.has_stand_ins else "On this table"
    both = {"On rows held out of the fit": held_out, here: found.auc}
    known = {name: auc for name, auc in both.items() if auc is not None}
    return split(figure(draw_intervals(known), text("summary.caption")), *notes) if known else joined(notes)
