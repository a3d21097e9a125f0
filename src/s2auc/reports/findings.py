"""Everything that a report tells, found out before a word of it is written."""

from dataclasses import dataclass, replace

from s2auc.common.arrays import BoolArray, FloatArray
from s2auc.common.progress import Progress, tell_progress
from s2auc.data.sources.rows import Rows
from s2auc.models.model import Model
from s2auc.models.record import Record
from s2auc.ranking.intervals import Estimate, delong_interval
from s2auc.reports.drawings.effect_figures import NamedEffect, categories_of
from s2auc.reports.markup import shown
from s2auc.reports.measures import importance as measured
from s2auc.reports.measures.judged_rows import MIN_SHUFFLED, JudgedRows, affordable_rows, choose_judged, draw_sample
from s2auc.reports.measures.partial_effects import N_POINTS, partial_effect
from s2auc.reports.measures.source_columns import SourceColumn, source_columns
from s2auc.reports.measures.table_pass import TableFindings, pass_over
from s2auc.reports.measures.word_effects import WordEffects, word_effects
from s2auc.reports.reported_rows import ReportedRows

MAX_EFFECTS = 6
SAMPLED_ROWS, MIN_SAMPLED = 500, 100
"""Rows that effects of columns are averaged over, and as few as need be of a model that takes long to score."""


@dataclass(frozen=True, eq=False)
class Findings:
    """What is known of a model and a table.

    Attributes
    ----------
    model, rows
        The model, and the rows that it was shown.
    passed
        What one pass over them found.
    judged
        Rows that the ranking was judged by.
    is_positive, scores
        Which of all judged rows are positive, and their scores.
    auc
        The AUC on them; None if there are none.
    importance
        How much columns matter to it; None if there are none.
    effects
        How the strongest columns move the score.
    mean_score, n_sampled
        That of the rows that effects were averaged over, and how many they are.
    words
        Words that speak for and against, for each text column.
    """

    model: Model
    rows: ReportedRows
    passed: TableFindings
    judged: JudgedRows
    is_positive: BoolArray
    scores: FloatArray
    auc: Estimate | None
    importance: measured.Importance | None
    effects: tuple[NamedEffect, ...]
    mean_score: float
    n_sampled: int
    words: tuple[WordEffects, ...] = ()

    @property
    def record(self) -> Record:
        """The record of the model."""
        return self.model.record

    @property
    def classes(self) -> tuple[str, str]:
        """What the negative and the positive class are called."""
        negative, positive = self.model.classes.tolist()
        return shown(negative, 60), shown(positive, 60)

    @property
    def group_names(self) -> dict[str, str]:
        """What groups of rows are called, by the names of `table_pass.GROUPS`."""
        negative, positive = self.classes
        named = {"positive": f"positive: “{positive}”", "negative": f"negative: “{negative}”"}
        return named | {"unlabeled": "without a label"}


def find_out(model: Model, rows: ReportedRows, *, top: int, seed: int) -> Findings:
    """Return everything that a report tells, from one pass over the rows and a closer look at some of them."""
    most = affordable_rows(model, measured.count_shuffles(model), MIN_SHUFFLED)
    judged = choose_judged(rows.labels, most, seed, has_labels=rows.has_labels)
    most = min(SAMPLED_ROWS, affordable_rows(model, MAX_EFFECTS * N_POINTS, MIN_SAMPLED))
    wanted = {"judged": judged.numbers, "sample": draw_sample(rows.source.n_rows, most, seed)}
    passed = pass_over(model, rows.source, rows.labels, most_top=top, wanted=wanted)
    tell_progress(Progress("columns"))
    is_positive, scores = rows.labels.order.is_positive, passed.scores
    if judged.has_stand_ins:
        is_positive, scores = judged.is_positive, model.score_rows(passed.picked["judged"])
    auc = importance = None
    if not judged.why_none:
        auc = delong_interval(is_positive, scores)
        importance = measured.measure_importance(model, passed.picked["judged"], judged.is_positive, seed=seed)
    sample, n_sampled = passed.picked["sample"], len(wanted["sample"])
    effects = _effects(model, sample, importance, seed)
    mean_score = float(model.score_rows(sample).mean()) if n_sampled else 0.0
    words = tuple(word_effects(model, sample))
    return Findings(
        model, rows, passed, judged, is_positive, scores, auc, importance, effects, mean_score, n_sampled, words
    )


def _effects(model: Model, sample: Rows, importance: measured.Importance | None, seed: int) -> tuple[NamedEffect, ...]:
    """Return the effects of the strongest columns: those that matter most to the AUC, or that move scores most."""
    if not sample.shape[0]:
        return ()
    if importance is not None:
        strongest = [entry.column for entry in importance.columns if entry.mean > 0 and not entry.column.is_text]
        strongest = strongest[:MAX_EFFECTS]
    else:
        plain = [column for column in source_columns(model.schema) if not column.is_text]
        tried = measured.likely_columns(model, sample, plain)
        strongest = measured.strongest_columns(model, sample, tried, MAX_EFFECTS, seed=seed)
    found = [_effect_of(model, sample, column, seed) for column in strongest]
    return tuple(effect for effect in found if effect.effect.values.size > 1)


def _effect_of(model: Model, sample: Rows, column: SourceColumn, seed: int) -> NamedEffect:
    """Return the effect of a column, of one that holds dates that of its strongest part."""
    parts = [
        replace(column, first=number, last=number + 1, parts=column.parts[place : place + 1])
        for place, number in enumerate(range(column.first, column.last))
    ]
    (one,) = parts if len(parts) == 1 else measured.strongest_columns(model, sample, parts, 1, seed=seed)
    part = one.parts[0] if one.parts else None
    has_words = column.is_categorical or part in ("month", "weekday")
    effect = partial_effect(model, sample, one.first, by_category=has_words)
    name = column.name if part is None or len(column.parts) == 1 else f"{column.name} ({part})"
    return NamedEffect(name, effect, categories_of(part, column.levels, effect.values) if has_words else None, part)
