"""Small models that the tests of models and of their files share, and what it means that two are equal."""

from dataclasses import replace

import numpy as np
import pandas as pd

from s2auc.data.features.encoding import Encoding, Kind
from s2auc.data.features.projection import Projection
from s2auc.data.features.scaling import ColumnScaling
from s2auc.data.schema.schema import Schema
from s2auc.models.files.file import load_model, save_model
from s2auc.models.model import Model
from s2auc.models.parts.cosine import CosinePart
from s2auc.models.parts.kernel import KernelPart
from s2auc.models.parts.kinds import ProjectedPart
from s2auc.models.parts.linear import LinearPart
from s2auc.models.parts.trees.part import TreePart
from s2auc.ranking.calibration import PlattScaling

CLASSES = {
    "bool": np.array([False, True]),
    "int": np.array([0, 1]),
    "int_reversed": np.array([7, -3], dtype=np.int8),
    "int_big_endian": np.array([1, 2], dtype=">i4"),
    "unsigned": np.array([0, 2**64 - 1], dtype=np.uint64),
    "float": np.array([0.1, 1e300]),
    "float32": np.array([-0.0, 0.1], dtype=np.float32),
    "text": np.array(["ham", "spam"]),
    "text_wide": np.array(["ham", "spam"], dtype="<U40"),
    "text_unicode": np.array(['naïve\n"\\', "陽性 🦊"]),
    "bytes": np.array([b"a\xff", b"b"]),
}
ENCODING_ARRAYS = "source", "kind", "number", "bounds", "knots", "ranks"
LEVELS = {1: ("Oslo", "Rome", "東京 🦊"), 2: (False, True), 3: (-(2**70), 5), 4: (-0.5, 0.1), 5: None, 6: ()}
RECORD = {
    "estimator": "S2AUCClassifierCV",
    "settings_tried": [{"alpha": 0.1, "kernel": "gaussian", "mean_auc": 0.93}, {"alpha": 1e-300, "mean_auc": None}],
    "settings_chosen": [0],
    "held_out_auc": {"value": 0.9375, "low": 0.9, "high": 0.96875, "level": 0.95},
    "unlabeled": {"answer": "yes", "sentence": "Unlabelled rows helped <b>a lot</b>.", "difference": None},
    "shift": {"column": 1, "p_value": 0.25, "class_prior": 1 / 3},
    "columns": [{"name": "a", "kind": "number", "n_missing": 0, "mean": 0.1, "deviation": 5e-324, "low": 0, "high": 1}],
    "rows": {"positive": 20, "negative": 30, "unlabeled": 1234567},
    "seed": 2**64 - 1,
    "versions": {"s2auc": "0.1.0", "numpy": "2.0.0"},
}


def make_columns(n_columns=3):
    rng = np.random.default_rng(n_columns)
    return ColumnScaling(rng.normal(size=n_columns), rng.random(n_columns) + 0.5)


def make_part(kernel="gaussian", n_columns=3, n_frequencies=5, seed=2**64 - 1, gamma=0.1):
    rng = np.random.default_rng(n_frequencies)
    return CosinePart(make_columns(n_columns), kernel, gamma, seed, *rng.normal(size=(2, n_frequencies)))


def make_kernel_part(kernel="gaussian", n_columns=3, n_centers=4, gamma=0.1):
    rng = np.random.default_rng(n_centers)
    centers, coefficients = rng.normal(size=(n_centers, n_columns)), rng.normal(size=n_centers)
    return KernelPart(make_columns(n_columns), kernel, gamma, centers, coefficients)


def make_linear_part(kernel=None, n_columns=3):
    return LinearPart(make_columns(n_columns), np.random.default_rng(n_columns).normal(size=n_columns))


def make_tree_part(kernel=None, n_columns=3, n_trees=4, n_splits=6, share=0.7):
    """Return a forest whose trees have any shape; leaves follow where the number of splits is used up."""
    rng = np.random.default_rng([n_columns, n_trees])
    column = np.concatenate([random_tree(rng, n_columns, n_splits) for _ in range(n_trees)])
    return TreePart(make_columns(n_columns), column, rng.normal(size=len(column)), share)


def random_tree(rng, n_columns, n_splits):
    """Return the columns of a tree's nodes in preorder, -1 for leaves."""
    column, n_missing = [], 1
    while n_missing:
        # A leaf must not end the tree before all splits are made.
        is_split = n_splits > 0 and (n_missing == 1 or rng.random() < 0.5)
        column.append(rng.integers(n_columns) if is_split else -1)
        n_splits -= is_split
        n_missing += 1 if is_split else -1
    return np.array(column, dtype=np.int32)


def make_projected_part(kernel="gaussian", n_columns=3, n_components=4):
    """Return parts of every plain kind that see components."""
    matrix = np.random.default_rng([n_columns, n_components]).normal(size=(n_columns, n_components))
    parts = [make(kernel, n_columns=n_components) for make in (make_part, make_kernel_part, make_linear_part)]
    return ProjectedPart(Projection(matrix), (*parts, make_tree_part(n_columns=n_components, n_trees=1, n_splits=2)))


PART_SAMPLES = {
    "cosines": make_part,
    "kernels": make_kernel_part,
    "linear": make_linear_part,
    "projected": make_projected_part,
    "trees": make_tree_part,
}
"""A part of each kind in `PARTS`, given a kernel, where the kind has one, and a number of columns."""


def make_model(**changes):
    """Return a model of rows without names, as wide as its first part unless a schema says otherwise."""
    parts = changes.get("parts") or (make_part(),)
    first = parts[0].projection if isinstance(parts[0], ProjectedPart) else parts[0].columns
    model = Model(parts, offset=1 / 3, classes=CLASSES["int"], schema=Schema(first.n_columns, {}))
    return replace(model, **changes)


def plain_parts(model):
    """Return the parts that read columns as they are, and those that see components."""
    return [plain for part in model.parts for plain in (part.parts if isinstance(part, ProjectedPart) else (part,))]


def make_encoding():
    """Return an encoding of every kind, two ranks among them, in fractions that every processor computes alike."""
    return Encoding(
        n_columns=7,
        source=np.array([0, 0, 1, 1, 2, 3, 4, 5, 6, 0]),
        kind=np.array([Kind.RANK, Kind.MISSING, *[Kind.LEVEL] * 5, Kind.RANK, Kind.MISSING, Kind.VALUE]),
        number=np.array([0.5, 0.0, 0.0, 2.0, 1.0, 1.0, 0.0, 2.0, 0.0, -1 / 3]),
        bounds=np.array([0, 3, 5]),
        knots=np.array([-1.0, 0.5, 4.0, 0.1, 9.0]),
        ranks=np.array([0.25, 0.5, 0.75, 1 / 8, 7 / 8]),
    )


def make_table_model(encoding=None, **changes):
    """Return a model of a table with names and categories, whose first part encodes columns in every way."""
    count = np.arange(1.0, 11.0)
    columns = ColumnScaling(1 / count, count / 7, make_encoding() if encoding is None else encoding)
    part = CosinePart(columns, "gaussian", 0.1, 5, 1 / count[:4], -1 / count[1:5])
    # Values as they come, with no rank at all.
    nothing = {"bounds": np.zeros(1, np.intp), "knots": np.zeros(0), "ranks": np.zeros(0)}
    values = Encoding(7, np.arange(7), np.zeros(7, np.intp), np.zeros(7), **nothing)
    other = replace(part, columns=ColumnScaling(np.zeros(7), np.full(7, 0.25), values), kernel="laplacian", seed=2**63)
    schema = Schema(7, LEVELS, names=tuple("abcdefg"))
    return replace(Model((part, other), -1 / 3, np.array(["no", "yes"]), schema), **changes)


def make_golden_model():
    """Return the model of the golden file: all kinds of parts, names, categories, probabilities and a record."""
    model = make_table_model(probabilities=PlattScaling(slope=1.5, intercept=-1 / 7), record=RECORD)
    count = np.arange(1.0, 11.0)
    centers = np.stack([1 / count, count / 16 - 0.5, np.zeros(10)])
    kernels = KernelPart(model.parts[0].columns, "matern52", 1 / 64, centers, np.array([1.0, -2.0, 1 / 3]))
    return replace(model, parts=(*model.parts, kernels))


def make_golden_committee():
    """Return the model of the second golden file, of the kinds of parts that came later."""
    model = make_table_model(probabilities=PlattScaling(slope=0.5, intercept=1 / 7), record=RECORD)
    columns, count = model.parts[0].columns, np.arange(1.0, 11.0)
    column = np.array([3, 0, -1, -1, 9, -1, 7, -1, -1, -1, 2, -1, -1], dtype=np.int32)
    trees = TreePart(columns, column, np.arange(-6.0, 7.0) / 7, share=1.25)
    return replace(model, parts=(trees, LinearPart(columns, 1 / count - 0.25), model.parts[1]))


def make_golden_projection():
    """Return the model of the third golden file, which sees components of columns, and all of them."""
    count = np.arange(1.0, 7.0)
    components = ColumnScaling(np.array([1 / 7, -0.5]), np.array([0.25, 1 / 3]))
    cosines = CosinePart(components, "laplacian", 0.5, 11, 1 / count[:3], -1 / count[1:4])
    kernels = KernelPart(components, "gaussian", 1 / 8, np.array([[0.25, 1.0], [-1.0, 1 / 3]]), np.array([1.0, -0.75]))
    column = np.array([1, -1, 0, -1, -1, -1], dtype=np.int32)
    trees = TreePart(components, column, np.array([0.125, -1.0, -0.25, 0.5, 1.0, 1 / 9]), share=-0.5)
    encoded = ColumnScaling(np.zeros(2), np.ones(2), Encoding.plain(np.array([1.0, 1 / 3])))
    inside = cosines, kernels, trees, LinearPart(encoded, np.array([0.1, -1 / 6]))
    projected = ProjectedPart(Projection(np.column_stack([1 / count - 0.3, (-1) ** count / count])), inside)
    linear = LinearPart(ColumnScaling(np.zeros(6), 1 / count, Encoding.plain(np.zeros(6))), count / 5 - 0.5)
    schema = Schema(6, {}, names=tuple("abcdef"))
    probabilities = PlattScaling(slope=0.75, intercept=1 / 9)
    return Model((projected, linear), 0.2, np.array(["no", "yes"]), schema, probabilities, RECORD | {"n_components": 2})


def frame_of(model):
    """Return rows that a model can read, whatever its schema says."""
    frame = pd.DataFrame(np.arange(6.0 * model.n_columns).reshape(6, -1) % 11 - 2.25)
    for column, levels in model.schema.levels.items():
        if levels:
            # A list of objects: levels beyond 64 bits have no other type.
            frame[column] = pd.Series([levels[i % len(levels)] for i in range(6)], dtype=object)
    if model.schema.names is not None:
        frame.columns = list(model.schema.names)
    return frame


def same(model, other):
    """Return whether two models are equal bit by bit."""
    return pieces_of(model) == pieces_of(other)


def pieces_of(model):
    """Return all that a model is made of, with types and signs of zero."""
    parts = [
        (type(part), part.description(), {name: exact(array) for name, array in part.arrays().items()})
        for part in model.parts
    ]
    whole = [
        exact(getattr(part.columns.encoding, name))
        for part in plain_parts(model)
        if part.columns.encoding is not None
        for name in ENCODING_ARRAYS
    ]
    levels = [(c, vs and [(type(v), v) for v in vs]) for c, vs in sorted(model.schema.levels.items())]
    scalars = float(model.offset).hex(), model.frequency_version, model.schema, levels
    return parts, whole, scalars, exact(model.classes), repr(model.probabilities), exact_record(model.record)


def exact(array):
    return array.dtype.str, array.shape, array.tobytes()


def exact_record(value):
    """Return a record as something that tells 1 from True and 0.0 from -0.0, whatever the order of names."""
    if isinstance(value, dict):
        return {name: exact_record(item) for name, item in value.items()}
    if isinstance(value, list):
        return [exact_record(item) for item in value]
    return type(value).__name__, repr(value)


def save_and_read(model, path):
    save_model(model, path)
    return path.read_bytes()


def load_bytes(data, path):
    # A new file: where one is written over, some file systems wait for the disk.
    path.unlink(missing_ok=True)
    path.write_bytes(data)
    return load_model(path)


def check_round_trip(model, path):
    """Save a model, load it, and look for any difference."""
    data = save_and_read(model, path)
    loaded = load_model(path)
    assert same(model, loaded)
    rows = frame_of(model)
    assert loaded.decision_function(rows).tobytes() == model.decision_function(rows).tobytes()
    assert save_and_read(model, path) == data
    assert save_and_read(loaded, path) == data
