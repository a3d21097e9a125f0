"""How figures look: colours that all readers tell apart, and axes without what says nothing."""

from io import BytesIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's colours, which colour-blind readers tell apart; markers and dashes help in black and white.
COLOURS = "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"
BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, BLACK = COLOURS

IMAGE_FORMATS = ("png", "svg")
"""Formats that figures are written in."""

_DOTS_PER_INCH = 150


def new_figure(**options: Any) -> "Figure":
    """Return an empty figure that no window belongs to, and whose layout leaves room for its words.

    Raises
    ------
    ModuleNotFoundError
        Without the extra `plot`.
    """
    try:
        from matplotlib.figure import Figure
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError("Figures need matplotlib: pip install 's2auc[plot]' adds it.") from error
    return Figure(layout="constrained", **options)


def clean(axes: "Axes") -> None:
    """Take the frame away where it says nothing, and put a faint grid behind what is drawn."""
    axes.spines[["top", "right"]].set_visible(False)
    axes.grid(color="0.93")
    axes.set_axisbelow(True)


def figure_bytes(figure: "Figure", format: str = "png") -> bytes:  # noqa: A002 matplotlib's own word
    """Return a figure as an image, of the same bytes each time; no window system is touched.

    Parameters
    ----------
    figure
        The figure.
    format
        One of `IMAGE_FORMATS`.
    """
    from matplotlib import rc_context

    buffer = BytesIO()
    # The identifiers in a drawing would be drawn at random, and its date written down.
    with rc_context({"svg.hashsalt": "s2auc"}):
        metadata = {"Date": None} if format == "svg" else None
        figure.savefig(buffer, format=format, dpi=_DOTS_PER_INCH, metadata=metadata)
    return buffer.getvalue()
