"""LibAUC's AUC margin loss on a small network, as a classifier of scikit-learn's kind.

LibAUC and PyTorch are the extra `libauc`. They are imported where they are used: nothing else needs them.
"""

from collections.abc import Iterator, Sequence
from importlib import import_module
from itertools import islice, pairwise
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin

from s2auc.common.arrays import AnyArray
from s2auc.common.threads import n_threads

#: Standardised values are cut here, as LibAUC's tutorial on tables does.
_LARGEST = 5.0

#: From these shares of the way on steps are ten times shorter and the proximal term starts anew, as in its examples.
_DECAYS = (0.5, 0.75)


class MarginNetwork(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A network with ReLU units that minimises LibAUC's `AUCMLoss` by its `PESG`.

    Batches come from its `DualSampler`: half of their rows are positive, which the loss without class prior (`v2`)
    asks for. Whatever is not listed here has LibAUC's default: margin 1, weight decay 1e-5, epoch decay 0.002.

    Parameters
    ----------
    learning_rate
        Length of the first steps.
    version
        Form of the loss, ``"v1"`` (LibAUC's default) or ``"v2"`` (recommended by its documentation).
    n_steps
        Number of steps, a batch each.
    batch_size
        Rows of a batch.
    hidden
        Units of each hidden layer.
    seed
        Seed of the first weights and of the batches.
    """

    def __init__(
        self,
        learning_rate: float = 0.1,
        version: str = "v2",
        n_steps: int = 1_000,
        batch_size: int = 32,
        hidden: Sequence[int] = (64, 64),
        seed: int = 0,
    ) -> None:
        self.learning_rate = learning_rate
        self.version = version
        self.n_steps = n_steps
        self.batch_size = batch_size
        self.hidden = hidden
        self.seed = seed

    def fit(self, X: AnyArray, y: AnyArray) -> Self:
        """Train the network on standardised columns and labels 0 and 1."""
        import torch
        from libauc.losses import AUCMLoss
        from libauc.optimizers import PESG
        from libauc.sampler import DualSampler

        torch.set_num_threads(n_threads())
        torch.manual_seed(self.seed)
        device = torch.device("cpu")
        self.classes_ = np.unique(y)
        # The sampler takes a negative row once a batch at most, and needs one more than a batch has.
        n_copies = 1 + self.batch_size // (2 * int(np.sum(np.asarray(y) == 0)))
        target = np.tile(np.asarray(y, dtype=np.float32), n_copies)
        rows, labels = _tensor(np.tile(X, (n_copies, 1))), torch.as_tensor(target).reshape(-1, 1)
        self.network_ = self._network(rows.shape[1])
        loss = AUCMLoss(version=self.version, device=device)
        optimizer = PESG(self.network_.parameters(), loss_fn=loss, lr=self.learning_rate, verbose=False, device=device)
        sampler = DualSampler(None, self.batch_size, labels=target, random_seed=self.seed)
        decays = {int(share * self.n_steps) for share in _DECAYS}
        for step, batch in enumerate(islice(_batches(sampler, self.batch_size), self.n_steps)):
            if step in decays:
                optimizer.update_regularizer(decay_factor=10)
            optimizer.zero_grad()
            loss(torch.sigmoid(self.network_(rows[batch])), labels[batch]).backward()
            optimizer.step()
        return self

    def decision_function(self, X: AnyArray) -> AnyArray:
        """Return the network's output before the logistic function."""
        import torch

        with torch.no_grad():
            return np.asarray(self.network_(_tensor(X)).numpy().ravel())

    def _network(self, n_columns: int) -> Any:
        import torch

        layers: list[Any] = []
        for n_inputs, n_outputs in pairwise([n_columns, *self.hidden]):
            layers += [torch.nn.Linear(n_inputs, n_outputs), torch.nn.ReLU()]
        return torch.nn.Sequential(*layers, torch.nn.Linear(self.hidden[-1], 1))


def import_libraries() -> None:
    """Import what the network needs, so that it is no part of fitting; an error names the extra that brings it."""
    for name in ("libauc.losses", "libauc.optimizers", "libauc.sampler"):
        try:
            import_module(name)
        except ModuleNotFoundError as error:
            raise ModuleNotFoundError(
                f"The method libauc needs LibAUC and PyTorch ({error}): pip install 's2auc[libauc]' adds them."
            ) from error


def _batches(sampler: Any, batch_size: int) -> Iterator[Any]:
    """Yield the numbers of the rows of every batch, epoch after epoch."""
    import torch

    while True:
        yield from torch.as_tensor(np.fromiter(sampler, dtype=np.int64)).split(batch_size)


def _tensor(X: AnyArray) -> Any:
    import torch

    return torch.as_tensor(np.clip(X, -_LARGEST, _LARGEST).astype(np.float32))
