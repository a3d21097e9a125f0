"""What was tried and what was chosen: settings by kind, shares in the average, and how good all of them were."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from s2auc.models.summary import count_parts
from s2auc.reports.drawings.charts import bar
from s2auc.reports.drawings.score_figures import draw_settings
from s2auc.reports.findings import Findings
from s2auc.reports.markup import Html, Right, figure, joined, note, percent, shown, split, table, tag, text
from s2auc.reports.recorded import RecordedSettings, recorded_settings

MAX_KINDS = 8
MAX_CHOSEN = 10

_KINDS = {"member": "Function", "scaling": "Scaling", "kernel": "Kernel"}
_SILENT = {"member", "mean_auc", "share", "max_iter", "n_frequencies"}


def settings_section(found: Findings) -> Html:
    """Return the section."""
    settings = recorded_settings(found.record)
    if settings is None:
        kinds = ", ".join(f"{count:,} of {kind}" for kind, count in count_parts(found.model).items())
        fitted_by = found.record.get("estimator")
        by = f" by {shown(fitted_by, 60)}" if fitted_by else ""
        return note(text("settings.single", by=by, kinds=kinds))
    n_tried, n_chosen = len(settings.settings), int(settings.is_chosen.sum())
    made = {0: "none is named", 1: "one of them is the model"}.get(
        n_chosen, f"the model is the average of {n_chosen:,} of them"
    )
    lead = tag("p", text("settings.lead", n_tried=n_tried, made=made))
    drawn = split(_distribution(settings), *(_kinds(settings, name) for name in _KINDS))
    return joined([lead, drawn, _chosen(settings)])


def _distribution(settings: RecordedSettings) -> Html:
    is_known = np.isfinite(settings.means)
    means = settings.means[is_known]
    if not means.size:
        return note(text("settings.unknown"))
    caption = text("settings.caption", half=float(np.median(means)), best=float(means.max()))
    return figure(draw_settings(means, settings.is_chosen[is_known]), caption)


def _kinds(settings: RecordedSettings, name: str) -> Html:
    """Return how settings and shares are distributed over the values of one of their parameters."""
    counts: dict[str, list[float]] = {}
    for entry, is_chosen, share in zip(settings.settings, settings.is_chosen, settings.shares, strict=True):
        if entry.get(name) is not None:
            row = counts.setdefault(shown(entry[name], 40), [0, 0, 0.0])
            row[0] += 1
            row[1] += int(is_chosen)
            row[2] += float(share) if np.isfinite(share) else 0.0
    if len(counts) < 2:
        return Html("")
    kept = sorted(counts.items(), key=lambda item: (-item[1][2], -item[1][0]))[:MAX_KINDS]
    rows = [
        [kind, bar(share, (0.0, 1.0)), percent(share), f"{chosen:,}", f"{tried:,}"]
        for kind, (tried, chosen, share) in kept
    ]
    caption = f"{_KINDS[name]}: share in the average, settings chosen and tried"
    return table(
        [_KINDS[name], "", Right("Share"), Right("Chosen"), Right("Tried")], rows, caption=caption, class_="bars silent"
    )


def _chosen(settings: RecordedSettings) -> Html:
    places = np.flatnonzero(settings.is_chosen)
    if not places.size:
        return Html("")
    shares = np.nan_to_num(settings.shares[places])
    order = places[np.argsort(-shares, kind="stable")]
    top, varying = max(float(shares.max()), 1e-9), _varying([settings.settings[place] for place in places])
    rows = [
        [
            _setting(settings.settings[place], varying),
            bar(float(np.nan_to_num(settings.shares[place])), (0.0, top)),
            "–" if np.isnan(settings.shares[place]) else percent(settings.shares[place]),
            "–" if np.isnan(settings.means[place]) else f"{settings.means[place]:.3f}",
        ]
        for place in order[:MAX_CHOSEN]
    ]
    whole = table(
        ["Setting", "", Right("Share"), Right("Mean AUC")],
        rows,
        caption="Chosen settings by their share, and how they differ",
        class_="bars wordy",
    )
    rest = order[MAX_CHOSEN:]
    if not rest.size:
        return whole
    together = float(np.nan_to_num(settings.shares[rest]).sum())
    return joined([whole, note(text("settings.more", n_more=len(rest), share=percent(together)))])


def _varying(chosen: Sequence[Mapping[str, Any]]) -> set[str]:
    """Return the names of parameters in which settings differ: what all have in common says nothing of one."""
    values: dict[str, set[str]] = {}
    for entry in chosen:
        for name, value in entry.items():
            values.setdefault(name, set()).add(shown(value))
    return {name for name, found in values.items() if len(found) > 1 or len(chosen) == 1}


def _setting(entry: Mapping[str, Any], varying: set[str]) -> Html:
    member = shown(entry.get("member", "setting"), 30)
    told = [
        f"{shown(name, 30).replace('_', ' ')} {shown(value, 30)}"
        for name, value in entry.items()
        if name not in _SILENT and name in varying
    ]
    return joined([tag("strong", member), f" {', '.join(told[:12])}"])
