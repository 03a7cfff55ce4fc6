"""What models of a series claim: cycles of some period, changes at some place, trends, growing noise.

A model claims what one of its parts shows. Periods and places that lie close together count as one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from autostatistician.claims.claim import Claim, shown
from autostatistician.claims.kinds import Kind
from autostatistician.decompose.records.function import SAME_PERIOD
from autostatistician.describe.axis.cycles import calendar_cycle, cycle
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.judgement import MAJORITY, OFTEN
from autostatistician.describe.observe.search import weighed_claims
from autostatistician.describe.observe.series.anatomy import Anatomy, anatomy, smooth_length
from autostatistician.describe.observe.series.heads import SLOW_SHARE
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.leaf_row import LeafKind
from autostatistician.kernels.rewrite import components

__all__ = ["series_claims"]

SAME_PLACE = 0.03  # of the span of the data, the same for changes

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
