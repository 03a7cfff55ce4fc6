"""How probable each part of a model is: the weight of all models that have such a part."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.claim import BOUNDS, Claim
from autostatistician.describe.facts.fact import SHARE
from autostatistician.describe.facts.part import Presence
from autostatistician.describe.observe.series.anatomy import anatomy
from autostatistician.describe.observe.series.claims import part_claims, same_claim
from autostatistician.language.kernel import Kernel
from autostatistician.language.rewrite import components

__all__ = ["presence"]


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
    weight_of_part = min(sum(weights), 1.0)
    return (Presence(id=f"{name}/presence", number=weight_of_part, unit=SHARE, evidence=evidence, models=len(weights)),)


def _has(model: Kernel, wanted: tuple[Claim, ...], units: Units) -> bool:
    """Whether one part of a model shows all that is wanted, and begins and ends nowhere else."""
    shown = _claims_of_parts(model, units)
    return any(_shows(made, wanted, units) and _bounds(made) == _bounds(wanted) for made in shown)


@lru_cache(maxsize=256)
def _claims_of_parts(model: Kernel, units: Units) -> tuple[tuple[Claim, ...], ...]:
    """What each part of a model shows; asked anew for every part that is looked for."""
    return tuple(part_claims(anatomy(part), units) for part in components(model))


def _shows(made: tuple[Claim, ...], wanted: tuple[Claim, ...], units: Units) -> bool:
    return all(any(same_claim(claim, other, units) for other in made) for claim in wanted)


def _bounds(claims: tuple[Claim, ...]) -> int:
    """How often a part begins or ends within the data."""
    return sum(claim.kind in BOUNDS for claim in claims)
