"""The parts that read the columns of rows as they are: a new kind is one class and one entry here."""

from collections.abc import Mapping
from types import MappingProxyType

from s2auc.models.parts.cosine import CosinePart
from s2auc.models.parts.kernel import KernelPart
from s2auc.models.parts.linear import LinearPart
from s2auc.models.parts.part import Part
from s2auc.models.parts.trees.part import TreePart

PLAIN_PARTS: Mapping[str, type[Part]] = MappingProxyType(
    {"cosines": CosinePart, "kernels": KernelPart, "linear": LinearPart, "trees": TreePart}
)
"""`cosines`: random Fourier features, from a seed; `kernels`: kernels at rows that are kept; `linear`: columns by their
weights; `trees`: the mean over a forest."""
