"""What the parameters of fitted models say of the priors of others: sums over them, from which priors follow.

A parameter counts with the weight of its model, and with its own uncertainty: what data do not know is no evidence of a
narrow prior. Sums add up over series.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass

from autostatistician.inference.parameters.learned import LearnedPrior

__all__ = ["NO_MOMENTS", "Moments"]

NARROWEST = 0.35  # other series of a kind differ more than this
LEAST_WEIGHT = 1e-6  # of all that was seen: below, it says nothing
SETS_OF_NO_SHARE = 10.0  # that a share of zero counts as much as


@dataclass(frozen=True, slots=True)
class Moments:
    """Sums over parameters of one kind, with their weights.

    With r the logarithm of a parameter in units of a step, v its variance, and u the logarithm of the unit of the whole
    in that of a step (see `learned`): the sums of 1, u, r, u^2, u r, and r^2 + v.

    >>> one = Moments.of(of_step=0.0, of_whole=2.0, mean=1.0, variance=0.5, weight=1.0)
    >>> one.added(one, 2.0).weight
    3.0
    """

    weight: float = 0.0
    u: float = 0.0
    r: float = 0.0
    uu: float = 0.0
    ur: float = 0.0
    rr: float = 0.0

    @classmethod
    def of(cls, *, of_step: float, of_whole: float, mean: float, variance: float, weight: float) -> Moments:
        """Those of one parameter: the logarithms of its units, its posterior mean and variance as a logarithm."""
        u, r = of_whole - of_step, mean - of_step
        return cls(*(weight * each for each in (1.0, u, r, u * u, u * r, r * r + variance)))

    def added(self, other: Moments, times: float = 1.0) -> Moments:
        """With those of others, so many times."""
        return Moments(*(mine + times * its for mine, its in zip(astuple(self), astuple(other), strict=True)))

    def prior(self, before: LearnedPrior, sets: float) -> LearnedPrior:
        """Mean, share and width by weighted regression, drawn to the prior before, which counts as so many ``sets``.

        >>> NO_MOMENTS.prior(LearnedPrior(1.0, 0.25, 0.5), 5.0)
        LearnedPrior(mean=1.0, share=0.25, width=0.5)
        """
        total = self.weight
        if total < LEAST_WEIGHT:
            return before
        centre = self.u / total
        share = before.share
        if total > 1.0:
            share = (self.ur - self.u * self.r / total) / (self.uu - self.u * centre + SETS_OF_NO_SHARE)
            share = min(max(share, 0.0), 1.0)
        guess = before.mean + (before.share - share) * centre
        mean = (self.r - share * self.u + sets * guess) / (total + sets)
        apart = self.rr + total * mean**2 + share**2 * self.uu
        apart += 2.0 * (mean * share * self.u - mean * self.r - share * self.ur)
        square = (max(apart, 0.0) + sets * before.width**2) / (total + sets)
        return LearnedPrior(mean, share, max(square**0.5, NARROWEST))


NO_MOMENTS = Moments()
