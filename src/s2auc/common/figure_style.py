"""How figures look: colours that all readers tell apart, and axes without what says nothing."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Okabe and Ito's colours, which colour-blind readers tell apart; markers and dashes help in black and white.
BLUE, VERMILION, GREEN, PURPLE, ORANGE, SKY, BLACK = COLOURS = (
    "#0072B2",
    "#D55E00",
    "#009E73",
    "#CC79A7",
    "#E69F00",
    "#56B4E9",
    "#000000",
)


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
