"""Tables of the ADBench collection: read from npz files that its authors offer, never downloaded from here."""

from s2auc.experiments.datasets.entries import DatasetEntry

_COLLECTION = (
    "S. Han, X. Hu, H. Huang, M. Jiang, Y. Zhao (2022). ADBench: Anomaly Detection Benchmark. NeurIPS 35, Datasets and "
    "Benchmarks."
)


def _entry(
    name: str, title: str, size: tuple[int, int], positive: str, published_name: str, notes: str = ""
) -> DatasetEntry:
    n_rows, n_columns = size
    return DatasetEntry(
        name=name,
        title=title,
        kind="published",
        n_rows=n_rows,
        n_columns=n_columns,
        positive=positive,
        citation=_COLLECTION,
        licence="that of the original; the collection is offered under the BSD 2-clause licence",
        homepage="https://github.com/Minqi824/ADBench",
        notes=notes,
        archives=(f"{name}.npz", published_name),
    )


ADBENCH = (
    _entry(
        "satellite",
        "soil in satellite images (Statlog Landsat)",
        (6_435, 36),
        "the three smallest classes",
        "30_satellite.npz",
    ),
    _entry("fault", "faults of steel plates", (1_941, 27), "the rarer class", "12_fault.npz"),
    _entry("cardiotocography", "foetal heart rate", (2_114, 21), "suspect or pathologic", "7_Cardiotocography.npz"),
    _entry(
        "optdigits",
        "8 x 8 images of digits, zero against the rest",
        (5_216, 64),
        "digit 0, subsampled",
        "26_optdigits.npz",
        "About three rows in a hundred are positive.",
    ),
    _entry("yeast", "where proteins are in yeast cells", (1_484, 8), "the rarer class", "47_yeast.npz"),
    _entry(
        "celeba",
        "attributes of faces, all binary",
        (202_599, 39),
        "bald",
        "8_celeba.npz",
        "About two rows in a hundred are positive.",
    ),
    _entry(
        "cifar10_airplane",
        "ResNet-18 embeddings of images, airplanes among others",
        (5_263, 512),
        "airplanes, subsampled",
        "CIFAR10_0.npz",
        "Five rows in a hundred are positive.",
    ),
)
