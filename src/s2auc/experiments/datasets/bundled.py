"""Datasets that ship with scikit-learn, as two-class problems."""

from collections.abc import Callable

from sklearn.datasets import load_breast_cancer, load_digits

from s2auc.common.arrays import AnyArray
from s2auc.experiments.datasets.entries import DatasetEntry, RawRows


def _digits(is_positive: Callable[[AnyArray], AnyArray]) -> Callable[[], RawRows]:
    """Return what reads the images of digits, some of the digits being positive."""

    def read() -> RawRows:
        X, digit = load_digits(return_X_y=True)
        return X, is_positive(digit)

    return read


def _read_breast_cancer() -> RawRows:
    X, benign = load_breast_cancer(return_X_y=True)
    return X, benign == 0


def _digits_entry(
    name: str, title: str, positive: str, notes: str, is_positive: Callable[[AnyArray], AnyArray]
) -> DatasetEntry:
    return DatasetEntry(
        name=name,
        title=f"8 x 8 images of digits, {title}",
        kind="bundled",
        n_rows=1_797,
        n_columns=64,
        positive=positive,
        citation=(
            "E. Alpaydin, C. Kaynak (1998). Optical Recognition of Handwritten Digits. UCI Machine Learning "
            "Repository. https://doi.org/10.24432/C50P49"
        ),
        licence="CC BY 4.0",
        homepage="https://scikit-learn.org/stable/modules/generated/sklearn.datasets.load_digits.html",
        notes=notes,
        read=_digits(is_positive),
    )


_MIXTURE = "Each class is a mixture of five digits, so a linear ranking falls short."

BUNDLED = (
    _digits_entry("digits", "five or above against below", "digits 5 to 9", _MIXTURE, lambda digit: digit >= 5),
    _digits_entry("digits_odd", "odd against even", "odd digits", _MIXTURE, lambda digit: digit % 2 == 1),
    _digits_entry(
        "digits_eight", "eight against the rest", "digit 8", "One row in ten is positive.", lambda digit: digit == 8
    ),
    DatasetEntry(
        name="breast_cancer",
        title="breast tumours by cell nuclei, malignant against benign",
        kind="bundled",
        n_rows=569,
        n_columns=30,
        positive="malignant",
        citation=(
            "W. Wolberg, O. Mangasarian, N. Street, W. Street (1995). Breast Cancer Wisconsin (Diagnostic). "
            "UCI Machine Learning Repository. https://doi.org/10.24432/C5DW2B"
        ),
        licence="CC BY 4.0",
        homepage="https://scikit-learn.org/stable/modules/generated/sklearn.datasets.load_breast_cancer.html",
        notes="Columns differ in scale by five orders of magnitude: scale before using a kernel.",
        read=_read_breast_cancer,
    ),
)
