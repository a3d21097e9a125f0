"""Datasets that ship with scikit-learn, as two-class problems."""

from sklearn.datasets import load_breast_cancer, load_digits

from s2auc.experiments.datasets.entries import DatasetEntry, RawRows


def _read_digits() -> RawRows:
    X, digit = load_digits(return_X_y=True)
    return X, digit >= 5


def _read_breast_cancer() -> RawRows:
    X, benign = load_breast_cancer(return_X_y=True)
    return X, benign == 0


BUNDLED = (
    DatasetEntry(
        name="digits",
        title="8 x 8 images of digits, five or above against below",
        kind="bundled",
        n_rows=1_797,
        n_columns=64,
        positive="digits 5 to 9",
        citation=(
            "E. Alpaydin, C. Kaynak (1998). Optical Recognition of Handwritten Digits. UCI Machine Learning "
            "Repository. https://doi.org/10.24432/C50P49"
        ),
        licence="CC BY 4.0",
        homepage="https://scikit-learn.org/stable/modules/generated/sklearn.datasets.load_digits.html",
        notes="Each class is a mixture of five digits, so a linear ranking falls short.",
        read=_read_digits,
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
