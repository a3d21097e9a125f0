"""The PNU risk, which takes the rows of one's own class off again."""

from reference.pairs import Pair, Term, all_pairs


def pnu_terms(eta: float, prior: float, sizes: dict[str, int]) -> list[Term]:
    """(1-|eta|)·PN + |eta|·PU, or with NU for eta < 0; rows of one's own class are taken off by their share."""

    def every(higher: str, lower: str) -> list[Pair]:
        return all_pairs(higher, lower, sizes[higher], sizes[lower])

    terms: list[Term] = []
    if abs(eta) < 1:
        terms.append((1 - abs(eta), "square", every("positive", "negative")))
    if eta > 0:
        terms.append((eta / (1 - prior), "square", every("positive", "unlabeled")))
        terms.append((-eta * prior / (1 - prior), "square", every("positive", "positive")))
    if eta < 0:
        terms.append((-eta / prior, "square", every("unlabeled", "negative")))
        terms.append((eta * (1 - prior) / prior, "square", every("negative", "negative")))
    return terms


def zero_one_pnu_risk(positive, negative, unlabeled, weight: float, prior: float) -> float:
    """The PNU risk with 0-1 loss as the authors' code counts it: ties one half, no row with itself."""

    def mean(higher, lower, same: bool = False) -> float:
        losses = [
            0.5 if a == b else float(a < b)
            for i, a in enumerate(higher)
            for j, b in enumerate(lower)
            if not (same and i == j)
        ]
        return sum(losses) / len(losses)

    labeled = mean(positive, negative)
    if weight >= 0:
        other = (mean(positive, unlabeled) - prior * mean(positive, positive, same=True)) / (1 - prior)
    else:
        other = (mean(unlabeled, negative) - (1 - prior) * mean(negative, negative, same=True)) / prior
    return (1 - abs(weight)) * labeled + abs(weight) * other
