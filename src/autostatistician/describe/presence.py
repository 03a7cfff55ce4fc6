"""How probable each part of a model is: the weight of all models that have such a part."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.describe.anatomy import anatomy
from autostatistician.describe.facts import Presence
from autostatistician.describe.numbers import percent
from autostatistician.describe.statements import BOUNDS, Claim, part_claims, same_claim
from autostatistician.describe.units import Units
from autostatistician.language.kernel import Kernel
from autostatistician.language.rewrite import components

__all__ = ["presence", "presence_mark", "presence_text"]


def presence(name: str, kernel: Kernel, models: Sequence[tuple[Kernel, float]], units: Units) -> tuple[Presence, ...]:
    """The weight of the models with a part of the same kind and periods that begins and ends at the same places.

    Directions and sizes are not compared.
    Nothing where there are fewer than two models: there is no doubt to tell then.

    Parameters
    ----------
    name : str
        Of the part, for the id of the fact.
    kernel : Kernel
        Of the part, in the units of the model.
    models : sequence of (Kernel, weight)
        The weights add up to one.
    units : Units
        Of the data.
    """
    if len(models) < 2:
        return ()
    wanted = part_claims(anatomy(kernel), units)
    weights = [weight for model, weight in models if _has(model, wanted, units)]
    evidence = f"posterior weights of {len(models)} models, {len(weights)} of which have such a part"
    number = min(100.0 * sum(weights), 100.0)
    return (Presence(id=f"{name}/presence", number=number, unit="%", evidence=evidence, models=len(weights)),)


def _has(model: Kernel, wanted: tuple[Claim, ...], units: Units) -> bool:
    """Whether one part of a model shows all that is wanted, and begins and ends nowhere else."""
    shown = (part_claims(anatomy(part), units) for part in components(model))
    return any(_shows(made, wanted, units) and _bounds(made) == _bounds(wanted) for made in shown)


def _shows(made: tuple[Claim, ...], wanted: tuple[Claim, ...], units: Units) -> bool:
    return all(any(same_claim(one, other, units) for other in made) for one in wanted)


def _bounds(claims: tuple[Claim, ...]) -> int:
    """How often a part begins or ends within the data."""
    return sum(one.kind in BOUNDS for one in claims)


def presence_text(fact: Presence | None) -> str:
    """The probability of a part as a sentence; "" where it is unknown.

    >>> presence_text(Presence(id="part-1/presence", number=93.0, unit="%", evidence="weights", models=4))
    'Together, the models with a part of this kind have a probability of 93%.'
    """
    return (
        f"Together, the models with a part of this kind have a probability of {percent(fact.number)}." if fact else ""
    )


def presence_mark(fact: Presence | None) -> str:
    """The same beside the part in a list, after a space; "" where it is unknown.

    >>> presence_mark(Presence(id="part-1/presence", number=93.0, unit="%", evidence="weights", models=4))
    ' (P = 93%)'
    """
    return f" (P = {percent(fact.number)})" if fact else ""
