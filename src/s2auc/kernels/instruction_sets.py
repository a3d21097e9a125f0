"""Which kernel computes the cosines, and why: the compiled one for the best instruction set here, or NumPy."""

import os
from dataclasses import dataclass

try:
    import s2auc.kernels._cosines as _kernel
except ImportError as error:
    _compiled: tuple[str, ...] = ()
    _absence = f"no compiled extension ({error})"
else:
    _compiled = _kernel.instruction_sets()
    _absence = ""

VARIABLE = "S2AUC_KERNEL"
"""Environment variable that forces a kernel."""

NUMPY = "numpy"


@dataclass(frozen=True)
class Choice:
    """A kernel, and why it is the active one."""

    name: str
    reason: str

    @property
    def is_native(self) -> bool:
        """Whether the compiled extension does the work."""
        return self.name != NUMPY


def available_kernels() -> tuple[str, ...]:
    """Return the kernels that this installation has and this processor can run, the fastest last.

    Examples
    --------
    >>> available_kernels()[0]
    'numpy'
    """
    return (NUMPY, *_compiled)


def choose_kernel() -> Choice:
    """Return the kernel that `S2AUC_KERNEL` names, or else the fastest.

    Examples
    --------
    >>> choose_kernel().name in available_kernels()
    True
    """
    available = available_kernels()
    wanted = os.environ.get(VARIABLE)
    if wanted is None:
        if not _compiled:
            return Choice(NUMPY, _absence)
        return Choice(available[-1], f"chosen among {', '.join(available)}")
    if wanted not in available:
        absence = f"; {_absence}" if _absence else ""
        raise ValueError(
            f"The environment variable {VARIABLE} must name a kernel that this build and this processor have: "
            f"{', '.join(available)}. Got {wanted!r}; unset it to use {available[-1]}{absence}."
        )
    return Choice(wanted, f"forced by {VARIABLE}")
