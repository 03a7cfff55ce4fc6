"""The kernels of categories, written out."""

from itertools import product

__all__ = ["SHARES", "orthogonal", "plain"]
SHARES = (0.2, 0.5, 0.3)


def plain(one: float, other: float, contrast: float) -> float:
    """Of two categories."""
    return 1.0 if one == other else 1.0 / (1.0 + contrast)


def orthogonal(one: float, other: float, contrast: float) -> float:
    """With averages over the categories, one after the other (Lu et al. 2022, equation 9)."""
    mean = [sum(share * plain(x, s, contrast) for s, share in enumerate(SHARES)) for x in (one, other)]
    both = sum(p * q * plain(s, t, contrast) for (s, p), (t, q) in product(enumerate(SHARES), repeat=2))
    return plain(one, other, contrast) - mean[0] * mean[1] / both
