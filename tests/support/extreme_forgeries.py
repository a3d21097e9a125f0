"""Model files with a correct digest whose numbers are changed to extreme ones, from a seed; and what becomes of them.

As a tool, `PYTHONPATH=src:tests:tests/support python tests/support/extreme_forgeries.py 2000` forges that many and
counts the outcomes.
"""

import struct
import sys
import tempfile
import warnings
from collections import Counter
from pathlib import Path
from random import Random

import numpy as np
from scipy.sparse import csr_array

from forged_files import KEPT, pack, places, unpack
from model_samples import (
    PART_SAMPLES,
    load_bytes,
    make_golden_committee,
    make_golden_model,
    make_golden_projection,
    make_model,
    make_part,
    save_and_read,
)
from s2auc.data.sources.matrix_rows import open_source
from s2auc.kernels.shift_invariant import KERNELS
from s2auc.models.files.file import ModelFileError
from s2auc.ranking.calibration import PlattScaling

NUMBERS = [0.0, -0.0, 5e-324, 1e-308, 1e-100, 1.0, 1e16, 1e38, 1e39, 1e100, 1e154, 1e155, 1e200, 1e300, 1.7e308]
VALUES = [0.0, 1.0, -1.0, 1e-308, 1e8, -1e30, 3e38, 1e100, -1e155, 1e300, 1.7e308, -1.7e308]
"""What extreme rows hold."""


def base_models():
    """Return models of all kinds of parts."""
    probabilities = PlattScaling(slope=1.5, intercept=-0.25)
    plain = [make_model(parts=(make(),), probabilities=probabilities) for make in PART_SAMPLES.values()]
    kernels = [make_model(parts=(make_part(kernel),)) for kernel in KERNELS]
    return [make_golden_model(), make_golden_committee(), make_golden_projection(), *plain, *kernels]


def forge(data, random):
    """Return a file with one to three numbers changed, in its arrays or in its description."""
    header, payload = unpack(data)
    changed = bytearray(payload)
    for _ in range(random.randint(1, 3)):
        number = random.choice(NUMBERS) * random.choice([1.0, -1.0])
        if random.random() < 0.6:
            start = 8 * random.randrange(len(changed) // 8)
            stop = len(changed) if random.random() < 0.2 else start + 8
            changed[start:stop] = struct.pack("<d", number) * ((stop - start) // 8)
        else:
            options = [place for place in places(header) if place not in KEPT and place[1:2] == ("model",)]
            *outer, key = random.choice(options)
            inside = header
            for step in outer:
                inside = inside[step]
            is_float = isinstance(inside[key], str) and inside[key].lstrip("-").startswith("0x")
            if is_float:
                inside[key] = number.hex()
            elif isinstance(inside[key], int) and not isinstance(inside[key], bool):
                inside[key] = random.choice([0, 1, 2, 2**63, 2**64 - 1])
    return pack(header, bytes(changed))


def extreme_rows(model):
    """Return rows whose columns hold extreme values, alike and side by side."""
    n_columns = model.n_columns
    alike = np.tile(np.array(VALUES)[:, None], n_columns)
    mixed = np.array([[VALUES[(row + column) % len(VALUES)] for column in range(n_columns)] for row in range(24)])
    signs = 1.7e308 * (-1.0) ** np.add.outer(np.arange(2), np.arange(n_columns))
    return np.concatenate([alike, mixed, signs])


def fate(data, path):
    """Return "refused" or "finite", or raise what should not happen; scores of some rows are looked at."""
    try:
        model = load_bytes(data, path)
    except ModelFileError as error:
        return "refused" if "\n" not in str(error) else "refused in many lines"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tables = [
            extreme_rows(model),
            csr_array(extreme_rows(model)),
            np.arange(6.0 * model.n_columns).reshape(6, -1) % 5 - 2,
        ]
        if model.takes_missing:
            tables.append(np.full((2, model.n_columns), np.nan))
        for rows in tables:
            # Past scikit-learn's search for infinities, which adds the rows up and warns where their sum overflows.
            scores = model.score_source(open_source(rows))
            assert np.isfinite(scores).all(), "scores must be finite"
            if model.probabilities is not None:
                assert np.isfinite(model.probabilities_of(scores)).all(), "probabilities must be finite"
    return "finite"


def count_fates(n_files, seed=0):
    """Return how many forged files have which fate, and the numbers of those that have none."""
    random, fates, failed = Random(seed), Counter(), []
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.safetensors")
        bases = [save_and_read(model, path) for model in base_models()]
        for number in range(n_files):
            data = forge(bases[number % len(bases)], random)
            try:
                fates[fate(data, path)] += 1
            except (AssertionError, Warning) as error:
                fates[f"{type(error).__name__}: {str(error)[:60]}"] += 1
                failed.append(number)
    return fates, failed


if __name__ == "__main__":
    found, wrong = count_fates(int(sys.argv[1]) if len(sys.argv) > 1 else 2000)
    for name, count in found.most_common():
        print(f"{count:6d}  {name}")  # noqa: T201
    sys.exit(bool(wrong))
