"""Which kernel computes the cosines, and why: the compiled one for the best instruction set here, or NumPy."""

import os
from dataclasses import dataclass

try:
    import s2auc.kernels._cosines as _cosines
except ImportError as error:
    _compiled: tuple[str, ...] = ()
    _absence = f"no compiled extension ({error})"
else:
    _compiled = _cosines.instruction_sets()
    _absence = ""

VARIABLE = "S2AUC_KERNEL"
"""Environment variable that forces a kernel."""

NUMPY = "numpy"


@dataclass(frozen=True)
class InstructionSet:
    """A kernel, and why it is the active one."""

    name: str
    reason: str

    def __str__(self) -> str:
        return f"{self.name}: {self.reason}"

    @property
    def is_native(self) -> bool:
        """Whether the compiled extension does the work."""
        return self.name != NUMPY


def available_instruction_sets() -> tuple[str, ...]:
    """Return the kernels that this installation has and this processor can run, the fastest last.

    Examples
    --------
    >>> available_instruction_sets()[0]
    'numpy'
    """
    return (NUMPY, *_compiled)


def choose_instruction_set() -> InstructionSet:
    """Return the kernel that `S2AUC_KERNEL` names, or else the fastest.

    Examples
    --------
    >>> choose_instruction_set().name in available_instruction_sets()
    True
    """
    available = available_instruction_sets()
    given = os.environ.get(VARIABLE, "")
    wanted = given.strip().lower()
    if not wanted:
        if not _compiled:
            return InstructionSet(NUMPY, _absence)
        return InstructionSet(available[-1], f"chosen among {', '.join(available)}")
    if wanted not in available:
        absence = f"; {_absence}" if _absence else ""
        raise ValueError(
            f"The environment variable {VARIABLE} must name a kernel that this build and this processor have: "
            f"{', '.join(available)}. Got {given!r}; unset it to use {available[-1]}{absence}."
        )
    return InstructionSet(wanted, f"forced by {VARIABLE}")
