"""The search as a picture: held-out AUC of every setting of kernels against one parameter."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from s2auc.common.arrays import AnyArray, FloatArray
from s2auc.common.figure_style import BLUE, VERMILION
from s2auc.ranking.intervals import Estimate
from s2auc.search.grids.grid import KERNEL_FUNCTIONS
from s2auc.search.grids.spaces import PARAMETERS

_GREY = "0.55"


@dataclass(kw_only=True, eq=False, repr=False)
class SearchDisplay:
    """Held-out AUC of all settings of a search against one of their parameters.

    Parameters
    ----------
    parameter
        Name of the parameter.
    values
        Its value in every setting.
    mean, error
        Mean held-out AUC of every setting over the folds, and its standard error.
    held_out_auc
        AUC of the whole procedure on folds that took no part in choosing; None if unknown.

    Attributes
    ----------
    ax_, figure_
        Where it was drawn.
    """

    parameter: str
    values: AnyArray
    mean: FloatArray
    error: FloatArray
    held_out_auc: Estimate | None
    ax_: Any = field(init=False)
    figure_: Any = field(init=False)

    @classmethod
    def from_estimator(cls, estimator: Any, parameter: str = "alpha", *, ax: Any = None) -> "SearchDisplay":
        """Draw the search of a fitted `S2AUCClassifierCV`."""
        check_is_fitted(estimator)
        if parameter not in PARAMETERS:
            raise ValueError(
                f"The parameter to draw must be one of {', '.join(PARAMETERS)}. Got {parameter!r}; choose one of these."
            )
        results = estimator.cv_results_
        n_folds = sum(name.startswith("split") for name in results)
        drawn = results["member"] == KERNEL_FUNCTIONS
        if not drawn.any():
            raise ValueError(
                f"Only settings of {KERNEL_FUNCTIONS!r} have parameters to draw. Got a search among "
                f"{sorted(set(results['member'].tolist()))}; fit with {KERNEL_FUNCTIONS!r} among its members."
            )
        display = cls(
            parameter=parameter,
            values=np.asarray(results[f"param_{parameter}"])[drawn],
            mean=results["mean_test_score"][drawn],
            error=results["std_test_score"][drawn] / np.sqrt(n_folds),
            held_out_auc=estimator.held_out_auc_,
        )
        return display.plot(ax=ax)

    def plot(self, *, ax: Any = None) -> "SearchDisplay":
        """Draw on given axes, or on new ones."""
        try:
            from matplotlib import pyplot as plt
        except ImportError as error:
            raise ImportError("Drawing needs matplotlib, which is not installed: pip install 's2auc[plot]'") from error
        if ax is None:
            ax = plt.subplots(figsize=(6.4, 4.2), layout="constrained")[1]
        values = self.values.tolist()
        levels = list(dict.fromkeys(values))
        if not any(isinstance(level, str) for level in levels):
            levels.sort()
        places = np.array([levels.index(value) for value in values])
        jitter = np.linspace(-0.12, 0.12, len(places))
        ax.scatter(places + jitter, self.mean, s=9, color=_GREY, alpha=0.5, linewidths=0, label="each setting")
        best = [
            int(np.flatnonzero(places == level)[np.argmax(self.mean[places == level])]) for level in range(len(levels))
        ]
        ax.errorbar(
            range(len(levels)),
            self.mean[best],
            yerr=self.error[best],
            color=BLUE,
            marker="o",
            capsize=3,
            label="best of each value (flatters), ± standard error",
        )
        if self.held_out_auc is not None:
            ax.axhline(self.held_out_auc.value, color=VERMILION, linestyle="--", label="the choice, on unseen folds")
            ax.axhspan(self.held_out_auc.low, self.held_out_auc.high, color=VERMILION, alpha=0.08, linewidth=0)
        names = [f"{level:g}" if isinstance(level, float) else str(level) for level in levels]
        ax.set_xticks(range(len(levels)), names)
        ax.set(xlabel=self.parameter, ylabel="Held-out AUC", xlim=(-0.5, len(levels) - 0.5))
        # Above the axes: settings may lie anywhere in them.
        ax.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), frameon=False, fontsize=9)
        self.ax_, self.figure_ = ax, ax.figure
        return self
