"""Groups of datasets that accuracy is reported over: those that defaults were chosen on, and those they were not."""

_PAPER = ("codrna", "ijcnn1", "susy", "covtype", "higgs", "skin", "dota2")

#: Three tasks on the same images.
DIGITS = ("digits", "digits_odd", "digits_eight")

#: Datasets whose test AUC was in view when the classifiers' defaults were chosen.
CHOSEN_ON = (*_PAPER, *DIGITS, "breast_cancer")

#: Datasets that had no part in choosing anything.
HELD_BACK = ("satellite", "fault", "cardiotocography", "optdigits", "yeast", "celeba", "cifar10_airplane")

#: Datasets that come as files; the bundled ones are small, and three of them share their rows.
FILES = (*_PAPER, *HELD_BACK)

#: Every group by the words that tell which tables it holds.
GROUPS: dict[str, tuple[str, ...]] = {
    "that come as files": FILES,
    "not used for choosing": HELD_BACK,
    "used for choosing": CHOSEN_ON,
}
