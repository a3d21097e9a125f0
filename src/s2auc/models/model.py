"""A fitted model: parts whose scores add up, the columns they read, and what their sum means."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
from scipy.sparse import csr_array

from s2auc.common.arrays import AnyArray, FloatArray
from s2auc.common.errors import InputError, InputTypeError
from s2auc.data.inputs import open_rows
from s2auc.data.schema.schema import Schema
from s2auc.data.sources.rows import Rows
from s2auc.data.sources.source import RowSource
from s2auc.kernels.frequencies import FREQUENCY_VERSION
from s2auc.models.parts.part import Part, sum_scores
from s2auc.models.record import Record
from s2auc.models.scoring_chunks import map_scores
from s2auc.models.summary import html_table, one_line
from s2auc.ranking.calibration import PlattScaling


@dataclass(frozen=True, eq=False, repr=False)
class Model:
    """What a fit leaves behind: everything that scoring needs, and a record of how it came about.

    Attributes
    ----------
    parts
        Terms of the score, of the kinds in `PARTS`; a single fit has one.
    offset
        Rows that score above it are predicted positive.
    classes
        The negative class, then the positive one.
    schema
        What the columns mean: their number, their names if they had any, their categories.
    probabilities
        What makes probabilities of the decision function, if scores of held-out rows were there to learn it from.
    record
        How it was fitted and what was found (`s2auc.models.record`).
    frequency_version
        How seeds become frequencies (`s2auc.kernels.frequencies`).

    Examples
    --------
    >>> import numpy as np
    >>> from s2auc.data.features.scaling import ColumnScaling
    >>> from s2auc.models.parts.cosine import CosinePart
    >>> columns = ColumnScaling(np.zeros(2), np.ones(2))
    >>> part = CosinePart(columns, "gaussian", gamma=0.5, seed=0, cosine=np.array([1.0]), sine=np.array([0.0]))
    >>> model = Model((part,), offset=0.25, classes=np.array(["ham", "spam"]), schema=Schema(2, {}))
    >>> model
    <Model: 1 part (cosines) over 2 columns, 'ham' against 'spam'>
    >>> model.decision_function([[0.0, 0.0]]).tolist()
    [0.75]
    """

    parts: tuple[Part, ...]
    offset: float
    classes: AnyArray
    schema: Schema
    probabilities: PlattScaling | None = None
    record: Record = field(default_factory=Record)
    frequency_version: str = FREQUENCY_VERSION

    def __repr__(self) -> str:
        return one_line(self)

    def _repr_html_(self) -> str:
        """Return a small table for notebooks."""
        return html_table(self)

    @property
    def n_columns(self) -> int:
        """How many columns a row has."""
        return self.schema.n_columns

    @property
    def n_numbers(self) -> int:
        """How many numbers the parts keep: what the size of a file, and the time to score, go with."""
        return sum(array.size for part in self.parts for array in part.arrays().values())

    @property
    def takes_missing(self) -> bool:
        """Whether every part knows what stands in for a missing value."""
        return all(part.takes_missing for part in self.parts)

    def decision_function(self, X: Any) -> FloatArray:
        """Return the score of every row: the higher, the more likely positive; above zero means predicted positive.

        Parameters
        ----------
        X
            Rows, (n, n_columns): array, sparse matrix, data frame or another table, path, list or source of rows. The
            columns of a table are found by their names, if those of the model have names, in whichever order they come.
            Missing values are an error unless `takes_missing`. Of a collection of Dask, scores are a lazy array with
            its partitions.

        Raises
        ------
        ValueError
            If columns are missing or hold what the model cannot read, or the structure of a sparse matrix is broken.
        TypeError
            If X is no table.
        """
        return self.score_source(self.open_rows(X))

    def predict(self, X: Any) -> AnyArray:
        """Return the predicted class of every row."""
        return self.predict_source(self.open_rows(X))

    def predict_proba(self, X: Any) -> FloatArray:
        """Return the probability of each class, (n, 2), the negative one first.

        Raises
        ------
        ValueError
            If the model has none to give.
        """
        return self.probabilities_of_source(self.open_rows(X))

    def probabilities_of(self, scores: FloatArray) -> FloatArray:
        """Return the probabilities that scores of the decision function stand for."""
        if self.probabilities is None:
            raise InputError(
                "have calibrated probabilities, which are learnt from held-out rows",
                subject="The model",
                found="one without them",
                fix="fit it {with S2AUCClassifierCV} on labelled rows of both classes",
            )
        positive = self.probabilities.apply(scores)
        return np.column_stack([1.0 - positive, positive])

    def open_rows(self, X: Any) -> RowSource:
        """Return rows, as `decision_function` takes them, as a source of numbers by the columns of the model."""
        return open_rows(X, self.schema, allows_missing=self.takes_missing)

    def score_source(self, source: RowSource) -> FloatArray:
        """Return the decision function of the rows of a source, some at a time; a lazy array if they are elsewhere."""
        scores: FloatArray = self._made_of_scores(source, np.asarray)
        return scores

    def predict_source(self, source: RowSource) -> AnyArray:
        """Return the predicted class of every row of a source."""
        predicted: AnyArray = self._made_of_scores(source, self.classes_of, dtype=self.classes.dtype)
        return predicted

    def probabilities_of_source(self, source: RowSource) -> FloatArray:
        """Return the probability of each class for every row of a source."""
        self.probabilities_of(np.zeros(0))  # an error where there are none
        probabilities: FloatArray = self._made_of_scores(source, self.probabilities_of, (2,))
        return probabilities

    def _made_of_scores(
        self,
        source: RowSource,
        make: Callable[[FloatArray], AnyArray],
        shape: tuple[int, ...] = (),
        dtype: Any = np.float64,
    ) -> Any:
        """Return what a function makes of the scores of a source's rows, given shape and type of what it makes of one.

        It is a lazy array where the rows are on other machines.
        """
        lazy = source.mapped(partial(_made_of_rows, self, make), shape, dtype)
        return make(np.concatenate([np.zeros(0), *map_scores(self.score_rows, source)])) if lazy is None else lazy

    def score_rows(self, rows: Rows) -> FloatArray:
        """Return the decision function of rows of numbers, as sources give them, all at once.

        Raises
        ------
        TypeError
            If they are anything else, such as a data frame.
        """
        if not isinstance(rows, np.ndarray | csr_array) or rows.ndim != 2 or rows.shape[1] != self.n_columns:
            raise InputTypeError(
                "be an array or a CSR array with {n_columns} columns of numbers",
                parameter="rows",
                found=f"{type(rows).__name__} of shape {np.shape(rows)}",
                fix="call decision_function, which accepts data frames and other tables",
                n_columns=self.n_columns,
            )
        return sum_scores(self.parts, rows) - self.offset

    def classes_of(self, scores: FloatArray) -> AnyArray:
        """Return the classes that scores of the decision function stand for."""
        predicted: AnyArray = self.classes[(scores > 0).astype(np.intp)]
        return predicted


def _made_of_rows(model: Model, make: Callable[[FloatArray], AnyArray], rows: Rows, first: int) -> AnyArray:  # noqa: ARG001 as all work on rows
    return make(model.score_rows(rows))
