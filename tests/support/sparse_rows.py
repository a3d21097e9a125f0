"""Random sparse rows: SciPy's own function for them changed the name of its generator in version 1.15."""

import numpy as np
from scipy.sparse import coo_array


def random_rows(shape, *, density, rng, sampler=None):
    """Return a CSR array with this share of its cells filled, by numbers in [0, 1) or those of a sampler."""
    n_cells = shape[0] * shape[1]
    n_filled = round(density * n_cells)
    places = np.unravel_index(rng.choice(n_cells, n_filled, replace=False), shape)
    return coo_array(((sampler or rng.random)(n_filled), places), shape=shape).tocsr()
