"""What models of a series claim: cycles of some period, changes at some place, stretches apart, trends, growing noise.

A model claims what one of its parts shows. Periods and places that lie close together count as one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from math import exp, hypot, sqrt

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from autostatistician.claims.claim import Claim, Witness, shown, told
from autostatistician.claims.kinds import KINDS, LIMITS, Kind, Standing
from autostatistician.claims.quantity import Measure, Quantity
from autostatistician.decompose.records.function import SAME_PERIOD
from autostatistician.decompose.records.series import Decomposition
from autostatistician.describe.axis.cycles import calendar_cycle, cycle
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.judgement import MAJORITY, OFTEN
from autostatistician.describe.observe.search import weighed_claims
from autostatistician.describe.observe.series.anatomy import Anatomy, anatomy, smooth_length
from autostatistician.describe.observe.series.course import level
from autostatistician.describe.observe.series.function import is_other_scatter
from autostatistician.describe.observe.series.heads import SLOW_SHARE
from autostatistician.forms import BAND_SDS
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.leaf_row import LeafKind
from autostatistician.kernels.rewrite import components

__all__ = ["series_claims", "stretch_claims"]

SAME_PLACE = 0.03  # of the span of the data, the same for changes
FEWEST_OTHERS = 2  # as long as a stretch, side by side, from which that is known to be apart
LEAST_SPREAD = 1e-3  # of the usual one: values that are the same scatter as far

CYCLES = (Kind.CYCLE, Kind.GROWING_CYCLE)


def series_claims(models: Sequence[tuple[Kernel, float]], units: Units) -> tuple[Claim, ...]:
    """What most of weighted models (the best first) claim, with the weight of all that claim it."""
    every = weighed_claims(
        models, lambda kernel: _claims(kernel, units), lambda claim, other: _same_claim(claim, other, units)
    )
    return tuple(
        replace(claim, marks=claim.marks | {"doubtful"}) if _is_doubtful(claim, units) else claim
        for claim in every
        if (claim.probability or 0.0) >= MAJORITY
    )


def _is_doubtful(claim: Claim, units: Units) -> bool:
    """Whether it is on a cycle that is seen so rarely that it may be none; those of the calendar are believed."""
    cyclic = claim.kind in CYCLES
    return cyclic and units.span + units.gap < OFTEN * claim.number.value and not cycle(claim.number.value, units).named


def _same_claim(claim: Claim, other: Claim, units: Units) -> bool:
    """Whether two claims are of one kind and their numbers lie close together."""
    if claim.kind is not other.kind:
        return False
    apart = abs(claim.number.value - other.number.value)
    match claim.kind:
        case Kind.CYCLE | Kind.GROWING_CYCLE:
            return apart <= SAME_PERIOD * other.number.value
        case Kind.CHANGE:
            return apart <= SAME_PLACE * units.span
        case _:
            return True


def _claims(kernel: Kernel, units: Units) -> Iterator[Claim]:
    for part in map(anatomy, components(kernel)):
        if not part.of(LeafKind.NOISE):  # draws of it and the data say how noise scatters
            yield from _changes(part, units)
            yield from _kinds(part, units)


def _changes(part: Anatomy, units: Units) -> Iterator[Claim]:
    for gate in part.switches:
        for edge in gate.edges:
            if units.first < edge < units.last:
                yield shown(Kind.CHANGE, edge)


def _kinds(part: Anatomy, units: Units) -> Iterator[Claim]:
    lines, drift = part.of(LeafKind.LINE), smooth_length(part)
    cycles = part.of(LeafKind.CYCLIC)
    if part.of(LeafKind.NOISE):
        yield shown(Kind.NOISE)
        return
    for parameters in cycles:
        period, _ = calendar_cycle(parameters["period"], units)
        yield shown(Kind.CYCLE, period)
        if lines:
            yield shown(Kind.GROWING_CYCLE, period)
    if cycles:
        return
    walks = part.of(LeafKind.UNBOUNDED)
    if (part.walks and drift is None) or (part.of(LeafKind.WANDERING) and drift is not None and drift > units.span):
        yield shown(Kind.WANDERING)
    elif lines or (walks and drift is None) or (drift is not None and drift > SLOW_SHARE * units.span):
        yield shown(Kind.TREND)
    elif drift is not None:
        yield shown(Kind.IRREGULAR)


# --- Stretches that stand apart ---------------------------------------------------------------------------------------


def stretch_claims(d: Decomposition, function: Sequence[Claim], units: Units) -> tuple[Claim, ...]:
    """The claims on a function, and stretches for which most models switch parts and in which the data are apart.

    A sudden event that is told says as much as such a stretch. A step, or a change of scatter, that may be an end of
    one does not last: the stretch says more.
    """
    near = SAME_PLACE * units.span

    def same_ends(*two: Claim) -> bool:
        return bool(np.ptp([claim.at for claim in two], axis=0).max() <= near)

    models = weighed_claims(d.alternatives, lambda kernel: _switched(kernel, units), same_ends)
    events = told(function, Kind.EVENT)
    apart = [
        claim
        for place, model in enumerate(models, 1)
        for claim in _stretch(d, model, place)
        if claim.told and not any(claim.kind is event.kind and event.happens(*claim.at[-2:]) for event in events)
    ]
    ends = [(_OF_ENDS[claim.kind], end) for claim in apart for end in claim.at[-2:]]
    passed = [any(one.kind is kind and one.happens(at - near, at + near) for kind, at in ends) for one in function]
    kept = (replace(one, standing=Standing.DENIED) if gone else one for one, gone in zip(function, passed, strict=True))
    return (*kept, *apart)


_OF_ENDS = {Kind.EVENT: Kind.STEP, Kind.SCATTER: Kind.SCATTER}  # what each end of a stretch may be taken for


def _switched(kernel: Kernel, units: Units) -> Iterator[Claim]:
    """The stretches between neighbouring changes of each part, those with the quickest changes first."""
    found = []
    for part in map(anatomy, components(kernel)):
        edges = sorted((edge, gate.duration) for gate in part.switches for edge in gate.edges)
        within = [(edge, lasts) for edge, lasts in edges if units.first < edge < units.last]
        found += [(max(a[1], b[1]), (a[0], b[0])) for a, b in pairwise(within)]
    yield from (replace(shown(Kind.EVENT), at=ends) for _, ends in sorted(found))


def _stretch(d: Decomposition, model: Claim, number: int) -> Iterator[Claim]:
    """How far the rows of a stretch lie from those of all others as long, and how much further they scatter."""
    first, stop = np.searchsorted(d.x, model.at).tolist()
    length, x = stop - first, d.x.tolist()
    if length < LIMITS["dated rows"] or first // length + (len(x) - stop) // length < FEWEST_OTHERS:
        return
    means, weight = sliding_window_view(d.y, length).mean(axis=1), model.probability or 0.0
    size = _against_others(means, first, length, BAND_SDS * float(d.y[first:stop].std()) / sqrt(length))
    spreads = sliding_window_view(d.transform.unshifted.forward(d.y - d.offset), length).std(axis=1)
    logs = np.log(spreads + (LEAST_SPREAD * float(np.median(spreads)) or 1.0))
    ratio = _against_others(logs, first, length).map(exp, Measure.RATIO)
    last, mean = {"last": Quantity.plain(x[stop - 1], Measure.PLACE)}, float(means[first])
    levels = {"mean": level(mean), "usual": level(mean - size.value)}
    for kind, at, amount, more, clear in (
        (Kind.EVENT, (x[first - 1], x[first], x[stop]), size, levels | last, size.is_clear),
        (Kind.SCATTER, (x[first], x[stop]), ratio, last, is_other_scatter(ratio)),
    ):
        seen = Witness("the rows of the stretch, against those of all others as long", amount, clear)
        told_of = weight >= KINDS[Kind.EVENT].told and clear
        yield Claim(
            id=f"function/{kind}-of-{number}", kind=kind, form="stretch", at=at, number=amount, more=more, witness=seen,
            probability=weight, standing=Standing.TOLD if told_of else Standing.DENIED,
        )  # fmt: skip


def _against_others(every: NDArray[np.float64], first: int, length: int, chance: float = 0.0) -> Quantity:
    """How far one of ``every`` stretch lies from the middle of those without a row of it.

    The range is what these differ by, and what comes by ``chance``.
    """
    others = every[np.abs(np.arange(len(every)) - first) >= length]
    middle = float(np.median(others))
    size, reach = float(every[first]) - middle, hypot(float(np.abs(others - middle).max()), chance)
    return Quantity(size, size - reach, size + reach)
