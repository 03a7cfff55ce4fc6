"""How sure the statements of a report are: the weight of all models that make them.

A model makes a statement when one of its parts shows it: a cycle of some period, a change at some place, a trend,
growing noise. Periods and places that lie close together count as one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from autostatistician.describe.axis import Units, calendar_cycle, cycle, place
from autostatistician.describe.facts.claim import BOUNDS, LEAST, TOLD, Claim, Statement
from autostatistician.describe.observe.anatomy import Anatomy, anatomy, noise_sd, smooth_length, spans
from autostatistician.describe.words.nouns import OFTEN
from autostatistician.language.kernel import Kernel
from autostatistician.language.leaf_row import LeafKind
from autostatistician.language.rewrite import components
from autostatistician.wording.numbers import article, capital, percent

__all__ = ["averaged_text", "further", "is_change", "part_claims", "same_claim", "statements", "sureness_text"]

SAME_PERIOD = 0.05  # relative difference up to which two periods count as one
SAME_PLACE = 0.03  # of the span of the data, the same for changes
SLOW = 0.5  # of the span: a curve that changes over more is a trend


def statements(models: Sequence[tuple[Kernel, float]], units: Units) -> tuple[Statement, ...]:
    """The statements of weighted models (the best first), those of the best model first, then by probability.

    Parameters
    ----------
    models : sequence of (Kernel, weight)
        In the units of the model; the weights add up to one.
    units : Units
        Of the data.
    """
    known: list[Claim] = []
    weights: list[float] = []
    best = 0
    for kernel, weight in models:
        made = {_index(claim, known, weights, units) for claim in _claims(kernel, units)}
        for index in made:
            weights[index] += weight
        best = best or len(known)
    found = [
        Statement(_text(claim, units), min(weight, 1.0), index < best, _is_doubtful(claim, units))
        for index, (claim, weight) in enumerate(zip(known, weights, strict=True))
        if weight >= LEAST
    ]
    return tuple(sorted(found, key=lambda one: (not one.in_best, -one.probability)))


def further(said: Sequence[Statement], covered: Callable[[str], bool]) -> tuple[Statement, ...]:
    """What is listed beside the parts: nothing that they are ``covered`` by, and only what most of the weight says.

    >>> said = [Statement("A yearly cycle", 1.0, True), Statement("A change around 1948", 0.3, True)]
    >>> further([*said, Statement("A trend", 0.8, False)], lambda text: text == "A yearly cycle")
    (Statement(text='A trend', probability=0.8, in_best=False, doubtful=False),)
    """
    return tuple(one for one in said if one.probability >= TOLD and not (one.in_best and covered(one.text)))


def is_change(text: str) -> bool:
    """Whether a statement is on a change, which no part is."""
    return text.startswith(_CHANGE)


def averaged_text(count: int) -> str:
    """That a forecast averages over several models.

    >>> averaged_text(3)[:35]
    'The forecast averages over 3 models'
    """
    return (
        f"The forecast averages over {count} models, weighted by how probable each is, so its range includes the doubt "
        "about the model."
    )


def sureness_text(weight: float, among: str) -> str:
    """How the probabilities of statements are to be read; ``among`` says of which models.

    >>> sureness_text(0.3, "that the search looked at")[:72]
    'No model among those that the search looked at has half of the probabili'
    """
    if weight >= TOLD:
        lead = (
            f"This report describes the most probable model, which has a probability of {percent(100.0 * weight)} "
            f"among those {among}."
        )
    else:
        lead = f"No model among those {among} has half of the probability; this report describes the likeliest."
    return f"{lead} What it says is the surer, the more of the others say the same."


def _index(claim: Claim, known: list[Claim], weights: list[float], units: Units) -> int:
    """The place of a claim in the list, which grows where it is new."""
    for index, other in enumerate(known):
        if same_claim(claim, other, units):
            return index
    known.append(claim)
    weights.append(0.0)
    return len(known) - 1


def same_claim(one: Claim, other: Claim, units: Units) -> bool:
    """Whether two claims are of one kind and their numbers lie close together."""
    if one.kind != other.kind:
        return False
    apart = abs(one.number - other.number)
    match one.kind:
        case "cycle" | "growing cycle":
            return apart <= SAME_PERIOD * other.number
        case "change" | "beginning" | "end":
            return apart <= SAME_PLACE * units.span
        case _:
            return True


def part_claims(part: Anatomy, units: Units) -> tuple[Claim, ...]:
    """All that one part shows; a part without any curve shows a level, which is no statement of its own."""
    kinds = tuple(_kinds(part, units)) or (Claim("level"),)
    return (*_ends(part, units), *kinds)


def _ends(part: Anatomy, units: Units) -> Iterator[Claim]:
    """Where a part begins and where it ends, however changes and windows bring that about."""
    for low, high in spans(part.gates):
        for kind, edge in zip(BOUNDS, (low, high), strict=True):
            if units.first < edge < units.last:
                yield Claim(kind, edge)


def _claims(kernel: Kernel, units: Units) -> Iterator[Claim]:
    for part in components(kernel):
        shown = anatomy(part)
        yield from _changes(shown, units)
        yield from _kinds(shown, units)


def _changes(part: Anatomy, units: Units) -> Iterator[Claim]:
    for gate in part.gates:
        for edge in gate.edges:
            if units.first < edge < units.last:
                yield Claim("change", edge)


def _kinds(part: Anatomy, units: Units) -> Iterator[Claim]:
    lines, drift = part.of(LeafKind.LINE), smooth_length(part)
    cycles = part.of(LeafKind.CYCLIC)
    if part.of(LeafKind.NOISE):
        if not (lines or part.gates or units.shows_noise(noise_sd(part, units.first))):
            yield Claim("no noise")
            return
        yield Claim("noise that grows or shrinks" if lines else "noise of a stretch" if part.gates else "noise")
        return
    for one in cycles:
        period, _ = calendar_cycle(one["period"], units)
        yield Claim("cycle", period)
        if lines:
            yield Claim("growing cycle", period)
    if cycles:
        return
    if part.of(LeafKind.WANDERING) and drift is not None and drift > units.span:
        yield Claim("wandering")
    elif lines or (drift is not None and drift > SLOW * units.span):
        yield Claim("trend")
    elif drift is not None:
        yield Claim("irregular")


_CHANGE = "A change around"
_TEXTS = {
    "no noise": "no noise that can be seen",
    "noise": "random noise of the same size throughout",
    "noise of a stretch": "random noise whose size differs from stretch to stretch",
    "noise that grows or shrinks": "random noise whose size changes along the data",
    "wandering": "a level or a slope that wanders freely",
    "trend": "a trend",
    "irregular": "an irregular variation",
}


def _is_doubtful(claim: Claim, units: Units) -> bool:
    """Whether it is on a cycle that is seen so rarely that it may be none; those of the calendar are believed."""
    rarely = claim.kind in ("cycle", "growing cycle") and units.span + units.gap < OFTEN * claim.number
    return rarely and not cycle(claim.number, units).named


def _text(claim: Claim, units: Units) -> str:
    match claim.kind:
        case "cycle" | "growing cycle":
            words = cycle(claim.number, units)
            noun = f"{words.adjective} cycle" if words.adjective else f"cycle with a period of {words.every}"
            return capital(article(noun) + (" whose swings grow or shrink" if claim.kind != "cycle" else ""))
        case "change":
            return f"{_CHANGE} {place(claim.number, units)}"
        case _:
            return capital(_TEXTS[claim.kind])
