"""The section about settings: those that were tried and chosen, their shares in the average, and their AUC."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import numpy as np

from s2auc.models.summary import count_parts
from s2auc.reports.drawings.charts import bar
from s2auc.reports.drawings.score_figures import draw_settings
from s2auc.reports.findings import Findings
from s2auc.reports.markup import Html, Right, figure, joined, note, percent, shown, split, table, tag, text
from s2auc.reports.recorded import RecordedSetting, recorded_settings

MAX_KINDS = 8
MAX_CHOSEN = 10

_KINDS = {"member": "Function", "scaling": "Scaling", "kernel": "Kernel"}
_SILENT = {"member", "mean_auc", "share", "max_iter", "n_frequencies"}


def settings_section(found: Findings) -> Html:
    """Return the section."""
    settings = recorded_settings(found.record)
    if not settings:
        kinds = ", ".join(f"{count:,} of {kind}" for kind, count in count_parts(found.model).items())
        fitted_by = found.record.get("estimator")
        by = f" by {shown(fitted_by, 60)}" if fitted_by else ""
        return note(text("settings.single", by=by, kinds=kinds))
    n_chosen = sum(setting.is_chosen for setting in settings)
    made = f"the model is the average of {n_chosen:,} of them"
    made = {0: "none is named", 1: "one of them is the model"}.get(n_chosen, made)
    lead = tag("p", text("settings.lead", n_tried=len(settings), made=made))
    drawn = split(_distribution(settings), *(_kinds(settings, name) for name in _KINDS))
    return joined([lead, drawn, _chosen(settings)])


def _distribution(settings: list[RecordedSetting]) -> Html:
    means = np.array([setting.mean_auc for setting in settings if setting.mean_auc is not None])
    if not means.size:
        return note(text("settings.unknown"))
    is_chosen = np.array([setting.is_chosen for setting in settings if setting.mean_auc is not None])
    caption = text("settings.caption", half=float(np.median(means)), best=float(means.max()))
    return figure(draw_settings(means, is_chosen), caption)


def _kinds(settings: list[RecordedSetting], name: str) -> Html:
    """Return how settings and shares are distributed over the values of one of their parameters."""
    kinds: dict[str, list[RecordedSetting]] = {}
    for setting in settings:
        if setting.parameters.get(name) is not None:
            kinds.setdefault(shown(setting.parameters[name], 40), []).append(setting)
    if len(kinds) < 2:
        return Html("")
    shares = {kind: sum(setting.share or 0.0 for setting in some) for kind, some in kinds.items()}
    rows = []
    for kind in sorted(kinds, key=lambda kind: (-shares[kind], -len(kinds[kind])))[:MAX_KINDS]:
        n_chosen = sum(setting.is_chosen for setting in kinds[kind])
        bar_of_share = bar(shares[kind], (0.0, 1.0))
        rows.append([kind, bar_of_share, percent(shares[kind]), f"{n_chosen:,}", f"{len(kinds[kind]):,}"])
    caption = f"{_KINDS[name]}: share in the average, settings chosen and tried"
    headings = [_KINDS[name], "", *map(Right, ("Share", "Chosen", "Tried"))]
    return table(headings, rows, caption=caption, class_="bars silent")


def _chosen(settings: list[RecordedSetting]) -> Html:
    chosen = sorted((setting for setting in settings if setting.is_chosen), key=lambda setting: -(setting.share or 0.0))
    if not chosen:
        return Html("")
    top, varying = max(chosen[0].share or 0.0, 1e-9), _varying([setting.parameters for setting in chosen])
    rows = [
        [
            _setting(setting.parameters, varying),
            bar(setting.share or 0.0, (0.0, top)),
            "–" if setting.share is None else percent(setting.share),
            "–" if setting.mean_auc is None else f"{setting.mean_auc:.3f}",
        ]
        for setting in chosen[:MAX_CHOSEN]
    ]
    headings = ["Setting", "", *map(Right, ("Share", "Mean AUC"))]
    whole = table(headings, rows, caption="Chosen settings by their share, and how they differ", class_="bars wordy")
    rest = chosen[MAX_CHOSEN:]
    if not rest:
        return whole
    together = float(np.sum([setting.share or 0.0 for setting in rest]))
    return joined([whole, note(text("settings.more", n_more=len(rest), share=percent(together)))])


def _varying(chosen: list[Mapping[Any, Any]]) -> set[Any]:
    """Return the names of parameters in which settings differ: what all have in common says nothing of one."""
    if len(chosen) == 1:
        return set(chosen[0])
    values = {(name, shown(value)) for entry in chosen for name, value in entry.items()}
    return {name for name, count in Counter(name for name, _ in values).items() if count > 1}


def _setting(entry: Mapping[Any, Any], varying: set[Any]) -> Html:
    member = shown(entry.get("member", "setting"), 30)
    told = [
        f"{shown(name, 30).replace('_', ' ')} {shown(value, 30)}"
        for name, value in entry.items()
        if name not in _SILENT and name in varying
    ]
    return joined([tag("strong", member), f" {', '.join(told[:12])}"])
