"""Classifiers whose models see components of the columns where these are very many."""

from reprlib import repr as shown

from s2auc.common.host_memory import check_fits
from s2auc.data.projection import Projection, components_wanted, learn_projection
from s2auc.data.schema import Schema
from s2auc.data.training_rows import TrainingRows
from s2auc.estimators.base import Ranker
from s2auc.models import Part, ProjectedPart

PROJECTION_ROWS = 10_000
"""Unlabelled rows that, with the labelled ones, settle the components."""


class ProjectingRanker(Ranker):
    """Base of classifiers with the parameter `sparse_components`: what their models see, they call *seen*."""

    sparse_components: int | str | None
    seed_: int
    _projection: Projection | None

    def _learn_projection(self, rows: TrainingRows) -> None:
        """Settle whether models see the columns of rows, or components of them."""
        wanted = components_wanted(self.sparse_components, rows.labeled, self._schema)
        self._projection = None
        if wanted is not None:
            sample = rows.sparse_sample(self.seed_, PROJECTION_ROWS)
            n_components = min(wanted, *sample.shape)
            check_fits(
                # Both sides of the decomposition, and what power iterations make of them.
                2 * 8 * n_components * sum(sample.shape),
                f"The 'sparse_components' parameter of {type(self).__name__}, {shown(self.sparse_components)},",
                "use fewer, such as 100",
            )
            self._projection = learn_projection(sample, wanted, self.seed_)

    def _settle_seen(self, rows: TrainingRows, *, is_first: bool) -> TrainingRows:
        """Return rows as models see them, which the first rows settle: later ones must be seen alike."""
        if is_first:
            self._learn_projection(rows)
            self._asked_components = self.sparse_components
        elif self.sparse_components != self._asked_components:
            raise ValueError(
                "The 'sparse_components' parameter must stay as it is while a model goes on learning (partial_fit, "
                f"warm_start), where it is {self._asked_components!r}. Got {self.sparse_components!r}; fit with "
                "warm_start=False to start anew."
            )
        return self._seen(rows)

    def _seen(self, rows: TrainingRows) -> TrainingRows:
        """Return rows as models see them."""
        return rows if self._projection is None else rows.projected(self._projection)

    @property
    def _seen_schema(self) -> Schema:
        """What the columns are that models see."""
        return self._schema if self._projection is None else Schema(self._projection.n_components, {})

    def _parts_of_rows(self, parts: tuple[Part, ...]) -> tuple[Part, ...]:
        """Return parts that score rows as they come, given parts that score what models see."""
        return parts if self._projection is None or not parts else (ProjectedPart(self._projection, parts),)
