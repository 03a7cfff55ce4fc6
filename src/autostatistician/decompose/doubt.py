"""What the data leave open about a model: each part given the numbers of the fit, and what the numbers leave open.

Given the numbers, the posterior of a part is normal; but the numbers are known no better than the data allow. A line
that is known to cross zero at one place is known almost exactly, however short and noisy the data are. What is stated
therefore has the variance about the fit over draws of the numbers from their posterior (`inference.sampling`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from autostatistician.decompose.rows import evenly
from autostatistician.inference.engines.choice import condition
from autostatistician.inference.factor import NotPositiveDefinite
from autostatistician.inference.posterior import Posterior
from autostatistician.inference.projection import draw
from autostatistician.inference.sampling import walk
from autostatistician.inference.scales import measure
from autostatistician.language.kernel import Kernel, parameters
from autostatistician.language.rewrite import components

__all__ = ["Doubt", "Member", "about", "doubt_of", "known"]

Array = NDArray[np.float64]

MOST_ROWS = 2000  # with more data the walk would take longer than all the rest
MOST_NUMBERS_KEPT = 24_000_000  # numbers in the factors of all members that are kept
FEWEST_MEMBERS = 8  # members, of any data


@dataclass(frozen=True, eq=False)
class Member:
    """A model conditioned on the data, and its additive parts."""

    posterior: Posterior
    parts: tuple[Kernel, ...]

    def component(self, indices: Sequence[int], Xs: Array) -> tuple[Array, Array]:
        """Posterior mean (m,) and covariance (m, m) of the sum of some parts."""
        known = self.posterior.project(Kernel.sum(tuple(self.parts[index] for index in indices)), Xs)
        return known.mean, known.covariance()


@dataclass(frozen=True, eq=False)
class Doubt:
    """The model with the numbers of the fit, and with others that the data leave open (none: all are held)."""

    fit: Member
    others: tuple[Member, ...] = ()
    numbers: tuple[Array | None, ...] = ()  # for every part (k, p) draws of its numbers; None where they are not known

    def few(self, most: int) -> Doubt:
        """The same with at most so many others."""
        return replace(self, others=tuple(self.others[row] for row in evenly(len(self.others), most)))

    def reordered(self, indices: Sequence[int]) -> Doubt:
        """The same with the parts in another order."""

        def moved(member: Member) -> Member:
            return replace(member, parts=tuple(member.parts[index] for index in indices))

        others = tuple(moved(member) for member in self.others)
        return Doubt(moved(self.fit), others, tuple(self.numbers[index] for index in indices))

    def component(self, indices: Sequence[int], Xs: Array) -> tuple[Array, Array]:
        """Mean (m,) of the sum of some parts under the fit, and its covariance (m, m) about that."""
        found = [one.component(indices, Xs) for one in (self.fit, *self.others)]
        return found[0][0], about(found)

    def curves(self, indices: Sequence[int], Xs: Array, rng: np.random.Generator, *, scale: float, count: int) -> Array:
        """Joint draws (count, m) of the sum of some parts, from as many members as there are."""
        members = self.others or (self.fit,)
        shares = np.bincount(np.arange(count) % len(members), minlength=len(members)).tolist()
        drawn = [
            draw(*one.component(indices, Xs), rng, scale=scale, count=share)
            for one, share in zip(members, shares, strict=True)
            if share
        ]
        return np.concatenate(drawn)


def about(found: Sequence[tuple[Array, Array]]) -> Array:
    """The (co)variance about the first mean, of means (m,) each with a variance (m,) or a covariance (m, m).

    The first counts only where it is alone.

    >>> one, zero = np.ones(1), np.zeros(1)
    >>> about([(zero, one)]).tolist(), about([(zero, one), (zero, 3.0 * one), (2.0 * one, one)]).tolist()
    ([1.0], [4.0])
    """
    mean, own = found[0]
    if len(found) == 1:
        return own
    apart = np.array([other - mean for other, _ in found[1:]])
    inner = np.mean([variance for _, variance in found[1:]], axis=0)
    between = np.mean(apart**2, axis=0) if own.ndim == 1 else apart.T @ apart / len(apart)
    return np.asarray(inner + between)


def known(posterior: Posterior) -> Doubt:
    """The model with all its numbers held."""
    parts = components(posterior.kernel)
    return Doubt(Member(posterior, parts), (), (None,) * len(parts))


def doubt_of(
    posterior: Posterior, rng: np.random.Generator, natural_periods: tuple[float, ...] = (), most: int | None = None
) -> Doubt:
    """The model with what the data leave open about its numbers; these are held with more than `MOST_ROWS` data.

    They are held, too, where some part has the size zero, which no fit leaves. ``natural_periods`` are those of the
    calendar in units of the axis; ``most`` limits the others.
    """
    held = known(posterior)
    kernel, X, y = posterior.kernel, posterior.X, posterior.y
    pairs = zip(parameters(kernel.expr), kernel.values, strict=True)
    if len(y) > MOST_ROWS or any(one.role.positive and not value > 0.0 for one, value in pairs):
        return held
    drawn = walk(kernel, posterior.problem, measure(X, y, posterior.columns, natural_periods), rng)
    forms = [part.expr for part in held.fit.parts]
    apart = [(one, components(one)) for one in drawn]
    alike = [(one, parts) for one, parts in apart if [part.expr for part in parts] == forms]
    if 2 * len(alike) < len(drawn):
        return held
    rows = evenly(len(alike), max(FEWEST_MEMBERS, MOST_NUMBERS_KEPT // len(y) ** 2))
    rows = rows if most is None else rows[evenly(len(rows), most)]
    members = [_member(posterior, *alike[row]) for row in rows]
    numbers = tuple(np.array([parts[index].values for _, parts in alike]) for index in range(len(forms)))
    return Doubt(held.fit, tuple(one for one in members if one is not None), numbers)


def _member(posterior: Posterior, kernel: Kernel, parts: tuple[Kernel, ...]) -> Member | None:
    try:
        return Member(condition(kernel, posterior.problem), parts)
    except NotPositiveDefinite:
        return None
