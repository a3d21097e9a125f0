"""Models drawn at random, on tables with every kind of column, and rows for them."""

import numpy as np
import pandas as pd
from sklearn.ensemble import ExtraTreesClassifier

from read_tables import learn, read
from s2auc.data.features.scaling import SCALINGS, ColumnSample, prepare_columns
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.models.model import Model
from s2auc.models.parts.cosine import CosinePart
from s2auc.models.parts.kernel import KernelPart
from s2auc.models.parts.linear import LinearPart
from s2auc.models.parts.trees.part import TreePart
from s2auc.ranking.calibration import PlattScaling

CITIES = ["Oslo", "Rome", "東京 🦊", "", "São Paulo"]


def draw_table(rng, n_rows=300):
    """Return a data frame with some of all kinds of columns, values missing in some of them."""
    days = pd.Timestamp("1999-12-30") + pd.to_timedelta(rng.integers(0, 9000 * 86_400_000_000, n_rows), unit="us")
    frame = pd.DataFrame(
        {
            "amount": np.exp(3.0 * rng.normal(size=n_rows)),
            "stamp": 1.7e9 + rng.normal(size=n_rows),
            "count": rng.integers(0, 5, n_rows),
            "city": rng.choice(CITIES, n_rows),
            "member": rng.random(n_rows) < 0.3,
            "code": pd.Categorical(rng.choice([3, 11, -7], n_rows), categories=[11, -7, 3]),
            "share": pd.Categorical(rng.choice([0.1, 0.25], n_rows)),
            "filed": days,
            "took": pd.to_timedelta(rng.integers(0, 10**12, n_rows), unit="us"),
        }
    )
    frame = frame[rng.permutation(frame.columns)[: rng.integers(2, 10)]].copy()
    for name in rng.permutation(frame.columns)[: frame.shape[1] // 2]:
        values = frame[name].astype("boolean") if name == "member" else frame[name]
        frame[name] = values.where(rng.random(n_rows) > 0.2)
    return frame


def draw_model(rng, frame):
    """Return a model of a table, with a random subset of parts on random scalings."""
    schema = learn(frame)
    rows = read(schema, frame)
    sample = ColumnSample.of_rows(rows, schema)
    kinds = rng.permutation(list(PART_MAKERS))[: rng.integers(1, 5)]
    parts = []
    for kind in kinds:
        columns = prepare_columns(sample, SCALINGS[rng.choice([name for name in SCALINGS if name != "none"])])
        parts.append(PART_MAKERS[kind](rng, columns, rows))
    probabilities = PlattScaling(1.5, 0.25) if rng.random() < 0.7 else None
    return Model(tuple(parts), float(rng.normal()), np.array(["no", "yes"]), schema, probabilities)


def _cosines(rng, columns, rows):
    coefficients = rng.normal(size=(2, 200)) / 10.0
    return CosinePart(
        columns, rng.choice(list(KERNELS)).item(), _gamma(columns), int(rng.integers(2**62)), *coefficients
    )


def _kernels(rng, columns, rows):
    kernel, centers = rng.choice(list(KERNELS)).item(), columns.apply(rows[:50])
    return KernelPart(columns, kernel, _gamma(columns), centers, rng.normal(size=50))


def _linear(rng, columns, rows):
    return LinearPart(columns, rng.normal(size=len(columns.shift)))


def _trees(rng, columns, rows):
    scaled = columns.apply(rows).astype(np.float32)
    forest = ExtraTreesClassifier(7, random_state=int(rng.integers(2**31)))
    return TreePart.of_forest(columns, forest.fit(scaled, rng.random(len(rows)) < 0.4), share=2.0)


def _gamma(columns):
    return 0.5 / len(columns.shift)


PART_MAKERS = {"cosines": _cosines, "kernels": _kernels, "linear": _linear, "trees": _trees}
