"""Small models, and their files read and written by the letter of the format."""

import hashlib
import json
from dataclasses import replace

import numpy as np

from s2auc.data.column_scaling import ColumnScaling
from s2auc.models.file import load_model, save_model
from s2auc.models.model import Model, Part

GOLDEN_VERSION = "0.1.0"

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


def make_part(kernel="gaussian", n_columns=3, n_frequencies=5, seed=2**64 - 1, gamma=0.1):
    rng = np.random.default_rng(n_frequencies)
    columns = ColumnScaling(rng.normal(size=n_columns), rng.random(n_columns) + 0.5)
    return Part(columns, kernel, gamma, seed, *rng.normal(size=(2, n_frequencies)))


def make_model(**changes):
    return replace(Model((make_part(),), offset=1 / 3, classes=CLASSES["int"]), **changes)


def read_by_hand(data):
    """Return header and arrays of a model file, by the letter of the format."""
    length = int.from_bytes(data[:8], "little")
    header = json.loads(data[8 : 8 + length])
    return header, data[8 + length :]


def write_by_hand(header, payload=b""):
    """Return a file with this header (JSON text or a value) and a correct digest, so that later checks are reached."""
    text = header if isinstance(header, str) else json.dumps(header, separators=(",", ":"))
    return sign(len(text.encode()).to_bytes(8, "little") + text.encode() + payload)


def sign(data):
    start = data.index(b'"sha256":"') + 10
    unsigned = data[:start] + b"0" * 64 + data[start + 64 :]
    return data[:start] + hashlib.sha256(unsigned).hexdigest().encode() + data[start + 64 :]


def same(model, other):
    """Return whether two models are equal bit by bit."""

    def pieces(m):
        arrays = [a for p in m.parts for a in (p.columns.shift, p.columns.scale, p.cosine, p.sine)]
        scalars = [(p.kernel, float(p.gamma).hex(), p.seed) for p in m.parts]
        exact = [(a.dtype.str, a.shape, a.tobytes()) for a in [*arrays, m.classes]]
        return exact, scalars, float(m.offset).hex(), m.feature_names, m.frequency_version

    return pieces(model) == pieces(other)


def save_and_read(model, path):
    save_model(model, path)
    return path.read_bytes()


def load_bytes(data, path):
    path.write_bytes(data)
    return load_model(path)
