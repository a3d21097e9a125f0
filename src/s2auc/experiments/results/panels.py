"""Figures of several panels with one legend."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from s2auc.common.figure_style import new_figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


def make_panels(
    n_panels: int, n_columns: int, size: tuple[float, float], *, sharey: bool = False
) -> tuple[Figure, list[Axes]]:
    """Return a figure and its panels, line by line; those that fill up the last line are hidden."""
    figure = new_figure(figsize=size)
    panels = list(figure.subplots(-(-n_panels // n_columns), n_columns, sharey=sharey, squeeze=False).flat)
    for axes in panels:
        axes.spines[["top", "right"]].set_visible(False)
        axes.tick_params(which="both", labelsize=8)
    for axes in panels[n_panels:]:
        axes.set_visible(False)
    return figure, panels


def shared_legend(figure: Figure, panels: Sequence[Axes], **options: Any) -> None:
    """Put one legend above all panels, with every label of theirs once."""
    handles = {
        label: handle for axes in panels for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    figure.legend(handles.values(), handles.keys(), loc="outside upper center", frameon=False, **options)
