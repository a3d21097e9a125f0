"""The AUC, by counting pairs."""


def auc(higher, lower, higher_weight=None, lower_weight=None) -> float:
    """P(higher > lower) + P(tie)/2 by counting pairs."""
    higher_weight = [1.0] * len(higher) if higher_weight is None else higher_weight
    lower_weight = [1.0] * len(lower) if lower_weight is None else lower_weight
    won = total = 0.0
    for a, v in zip(higher, higher_weight, strict=True):
        for b, w in zip(lower, lower_weight, strict=True):
            won += v * w * (1.0 if a > b else 0.5 if a == b else 0.0)
            total += v * w
    return won / total
