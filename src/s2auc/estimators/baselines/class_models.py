"""Generative models of two classes: in each of them the columns are independent normal variables (naive Bayes)."""

from dataclasses import dataclass

import numpy as np

from s2auc.common.arrays import FloatArray

NARROWEST = 0.1
"""Variance of a column in a class, at least, as a share of that over all rows: few rows must not make a needle."""


@dataclass(frozen=True, eq=False)
class ClassModels:
    """Prior, means and variances of the positive class, then of the negative one.

    Attributes
    ----------
    log_prior
        Logarithm of the share of each class, (2,).
    mean, variance
        Of each column in each class, (2, columns).
    """

    log_prior: FloatArray
    mean: FloatArray
    variance: FloatArray

    @classmethod
    def of_rows(cls, X: FloatArray, weights: FloatArray, narrowest: FloatArray) -> "ClassModels":
        """Return the models under which weighted rows are most likely.

        They maximise Σ weight·log_joint over all models whose variances are not below given ones: where the variance
        of the rows is, the bound is best, as the likelihood falls from its maximum on.

        Parameters
        ----------
        X
            Rows.
        weights
            How much each row counts as positive, and as negative, (rows, 2); both classes have some weight.
        narrowest
            The least variance of every column.

        Examples
        --------
        >>> X, weights = np.array([[0.0], [2.0], [5.0]]), np.array([[1.0, 0.0], [1.0, 0.0], [0.0, 2.0]])
        >>> models = ClassModels.of_rows(X, weights, np.array([0.5]))
        >>> np.exp(models.log_prior).tolist(), models.mean.tolist(), models.variance.tolist()
        ([0.5, 0.5], [[1.0], [5.0]], [[1.0], [0.5]])
        """
        mass = weights.sum(axis=0)
        share = weights / mass
        mean = share.T @ X
        variance = np.stack([of_class @ np.square(X - centre) for of_class, centre in zip(share.T, mean, strict=True)])
        return cls(np.log(mass / mass.sum()), mean, np.maximum(variance, narrowest))

    def log_joint(self, X: FloatArray) -> FloatArray:
        """Return log(prior · density) of every row in each class, (rows, 2)."""
        columns = [
            -0.5 * np.sum(np.square(X - mean) / variance + np.log(2.0 * np.pi * variance), axis=1)
            for mean, variance in zip(self.mean, self.variance, strict=True)
        ]
        joint: FloatArray = np.stack(columns, axis=1) + self.log_prior
        return joint


def narrowest_variances(X: FloatArray, share: FloatArray) -> FloatArray:
    """Return the least variance that each column may have in a class, given how much of all each row is.

    One where all rows are alike.
    """
    variance = share @ np.square(X - share @ X)
    bound: FloatArray = np.where(variance > 0.0, NARROWEST * variance, 1.0)
    return bound
