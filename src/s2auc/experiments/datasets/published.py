"""Datasets that are read from files their publishers offer."""

from s2auc.experiments.datasets.entries import DatasetEntry, PublishedFile

_LIBSVM = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary"
_LIBSVM_PAGE = "https://www.csie.ntu.edu.tw/~cjlin/libsvmtools/datasets/binary.html"
_UCI = "https://archive.ics.uci.edu/ml/machine-learning-databases"
_UCI_PAGE = "https://archive.ics.uci.edu/dataset"

_NO_LICENCE = "none stated; offered on the LIBSVM data page"
_CC_BY = "CC BY 4.0"

_CODRNA = (
    "A. V. Uzilov, J. M. Keegan, D. H. Mathews (2006). Detection of non-coding RNAs on the basis of "
    "predicted secondary structure formation free energy change. BMC Bioinformatics 7:173."
)
_IJCNN1 = "D. Prokhorov (2001). IJCNN 2001 neural network competition. Slide presentation, IJCNN'01."
_PHYSICS = (
    "P. Baldi, P. Sadowski, D. Whiteson (2014). Searching for exotic particles in high-energy physics with "
    "deep learning. Nature Communications 5:4308. https://doi.org/10.24432/"
)
_DOTA2 = "S. Tridgell (2016). Dota2 Games Results. UCI. https://doi.org/10.24432/C5W593"


def _libsvm(name: str, positive: int, negative: int) -> PublishedFile:
    return PublishedFile(
        name=name, url=f"{_LIBSVM}/{name}", format="svmlight", positive=(positive,), negative=(negative,)
    )


def _physics(folder: str, name: str) -> PublishedFile:
    return PublishedFile(name=name, url=f"{_UCI}/{folder}/{name}", format="csv", positive=(1,), negative=(0,))


def _dota2(member: str) -> PublishedFile:
    return PublishedFile(
        name="dota2Dataset.zip",
        url=f"{_UCI}/00367/dota2Dataset.zip",
        format="csv",
        positive=(1,),
        negative=(-1,),
        members=(member,),
    )


PUBLISHED = (
    DatasetEntry(
        name="codrna",
        title="non-coding RNA detection",
        kind="published",
        n_rows=59_535,
        n_columns=8,
        positive="label +1: non-coding RNA",
        citation=_CODRNA,
        licence=_NO_LICENCE,
        homepage=_LIBSVM_PAGE,
        in_paper=True,
        files=(_libsvm("cod-rna", 1, -1),),
        archives=("codrna.npz", "cod-rna.npz"),
    ),
    DatasetEntry(
        name="codrna_test",
        title="non-coding RNA detection, test part",
        kind="published",
        n_rows=271_617,
        n_columns=8,
        positive="label +1: non-coding RNA",
        citation=_CODRNA,
        licence=_NO_LICENCE,
        homepage=_LIBSVM_PAGE,
        files=(_libsvm("cod-rna.t", 1, -1),),
        archives=("codrna_test.npz", "cod-rna_test.npz"),
    ),
    DatasetEntry(
        name="ijcnn1",
        title="engine misfires, IJCNN 2001 competition",
        kind="published",
        n_rows=49_990,
        n_columns=22,
        positive="label +1: misfire",
        citation=_IJCNN1,
        licence=_NO_LICENCE,
        homepage=_LIBSVM_PAGE,
        notes="A time series: neighbouring rows are related. About one row in ten is positive.",
        in_paper=True,
        files=(_libsvm("ijcnn1.bz2", 1, -1),),
        archives=("ijcnn1.npz",),
    ),
    DatasetEntry(
        name="ijcnn1_test",
        title="engine misfires, IJCNN 2001 competition, test part",
        kind="published",
        n_rows=91_701,
        n_columns=22,
        positive="label +1: misfire",
        citation=_IJCNN1,
        licence=_NO_LICENCE,
        homepage=_LIBSVM_PAGE,
        files=(_libsvm("ijcnn1.t.bz2", 1, -1),),
        archives=("ijcnn1_test.npz",),
    ),
    DatasetEntry(
        name="susy",
        title="supersymmetric particles in simulated collisions",
        kind="published",
        n_rows=5_000_000,
        n_columns=18,
        positive="label 1: signal process",
        citation=f"{_PHYSICS}C54606",
        licence=_CC_BY,
        homepage=f"{_UCI_PAGE}/279/susy",
        notes="The last 500,000 rows are the test set of Baldi et al.",
        in_paper=True,
        files=(_physics("00279", "SUSY.csv.gz"), _libsvm("SUSY.xz", 1, 0)),
        archives=("susy.npz", "susy30k.npz"),
    ),
    DatasetEntry(
        name="covtype",
        title="forest cover type 2 (lodgepole pine) against the six others",
        kind="published",
        n_rows=581_012,
        n_columns=54,
        positive="cover type 2, as in LIBSVM covtype.binary",
        citation=(
            "J. A. Blackard, D. J. Dean (1999). Comparative accuracies of artificial neural networks and "
            "discriminant analysis in predicting forest cover types from cartographic variables. Computers "
            "and Electronics in Agriculture 24(3):131-151. https://doi.org/10.24432/C50K5N"
        ),
        licence=_CC_BY,
        homepage=f"{_UCI_PAGE}/31/covertype",
        in_paper=True,
        files=(
            PublishedFile(
                name="covtype.data.gz",
                url=f"{_UCI}/covtype/covtype.data.gz",
                format="csv",
                positive=(2,),
                negative=(1, 3, 4, 5, 6, 7),
                label_column=-1,
                sha256="614360d0257557dd1792834a85a1cdebfadc3c4f30b011d56afee7ffb5b15771",
            ),
            _libsvm("covtype.libsvm.binary.bz2", 2, 1),
        ),
        archives=("covtype.npz",),
    ),
    DatasetEntry(
        name="higgs",
        title="Higgs bosons in simulated collisions",
        kind="published",
        n_rows=11_000_000,
        n_columns=28,
        positive="label 1: signal process",
        citation=f"{_PHYSICS}C5V312",
        licence=_CC_BY,
        homepage=f"{_UCI_PAGE}/280/higgs",
        notes=(
            "The paper of QSG-S2AUC prints 1,100,000 rows; the published set has 11,000,000. The last "
            "500,000 rows are the test set of Baldi et al."
        ),
        in_paper=True,
        files=(_physics("00280", "HIGGS.csv.gz"), _libsvm("HIGGS.xz", 1, 0)),
        archives=("higgs.npz", "higgs26k.npz"),
    ),
    DatasetEntry(
        name="skin",
        title="skin pixels by colour (blue, green, red)",
        kind="published",
        n_rows=245_057,
        n_columns=3,
        positive="class 1: skin (50,859 rows)",
        citation=(
            "R. Bhatt, A. Dhall (2009). Skin Segmentation. UCI Machine Learning Repository. "
            "https://doi.org/10.24432/C5T30C"
        ),
        licence=_CC_BY,
        homepage=f"{_UCI_PAGE}/229/skin+segmentation",
        notes="Many rows are exact duplicates, so random test rows often also occur in training.",
        in_paper=True,
        files=(
            PublishedFile(
                name="Skin_NonSkin.txt",
                url=f"{_UCI}/00229/Skin_NonSkin.txt",
                format="tsv",
                positive=(1,),
                negative=(2,),
                label_column=-1,
            ),
            _libsvm("skin_nonskin", 1, 2),
        ),
        archives=("skin.npz", "skin_nonskin.npz"),
    ),
    DatasetEntry(
        name="dota2",
        title="winners of Dota 2 games by chosen heroes, training part",
        kind="published",
        n_rows=92_650,
        n_columns=116,
        positive="label 1: the first team won",
        citation=_DOTA2,
        licence=_CC_BY,
        homepage=f"{_UCI_PAGE}/367/dota2+games+results",
        notes="Hard: an AUC near 0.63 is about the most that models reach.",
        in_paper=True,
        files=(_dota2("dota2Train.csv"),),
        archives=("dota2.npz",),
    ),
    DatasetEntry(
        name="dota2_test",
        title="winners of Dota 2 games by chosen heroes, test part",
        kind="published",
        n_rows=10_294,
        n_columns=116,
        positive="label 1: the first team won",
        citation=_DOTA2,
        licence=_CC_BY,
        homepage=f"{_UCI_PAGE}/367/dota2+games+results",
        files=(_dota2("dota2Test.csv"),),
        archives=("dota2_test.npz",),
    ),
    DatasetEntry(
        name="unclonable_uci",
        title="5-XOR 128-bit arbiter PUF as simulated by its publishers",
        kind="published",
        n_rows=6_000_000,
        n_columns=128,
        positive="response 1",
        citation="Physical Unclonable Functions (2018). UCI Machine Learning Repository, dataset 463.",
        licence=_CC_BY,
        homepage=f"{_UCI_PAGE}/463/physical+unclonable+functions",
        notes=(
            "5,000,000 training rows, then 1,000,000 test rows; 3 GB in memory unless n_rows is given. The "
            "129 columns of the paper of QSG-S2AUC count the response."
        ),
        files=(
            PublishedFile(
                name="XOR_Arbiter_PUFs.zip",
                url=f"{_UCI}/00463/XOR_Arbiter_PUFs.zip",
                format="csv",
                positive=(1,),
                negative=(-1,),
                label_column=-1,
                members=("train_5xor_128dim.csv", "test_5xor_128dim.csv"),
            ),
        ),
        archives=("unclonable_uci.npz",),
    ),
)
