"""Facts on the effects of a table's columns, as no model has made them."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from autostatistician.describe.axis.units import Scale
from autostatistician.describe.claims.claim import Claim
from autostatistician.describe.claims.kinds import Form, Kind
from autostatistician.describe.claims.quantity import Measure, Quantity
from autostatistician.describe.facts.effect import Dependence, EffectCourse, EffectShare
from autostatistician.describe.facts.fact import SHARE
from autostatistician.describe.observe.table.effects import column_form
from autostatistician.forms import CourseKind, RunOfEffect, TurnAt

SCALE = Scale(target="strength")
BASE = EffectCourse(
    id="effect-1/age", number=30.0, unit="strength", evidence="e", interval=(26.0, 34.0), column="age",
    kind=CourseKind.RISING, change=29.0, change_interval=(25.0, 33.0), low=1.0, high=365.0, lowest=1.0, highest=365.0,
    turns=(), legs=(), flat_from=None, flat_until=None, bend=0, open_from=None, open_until=None, period=None,
    averaged=False, places=(), levels=(),
)  # fmt: skip
TOP = TurnAt(90.0, (81.0, 104.0), True)
DIP = TurnAt(200.0, (190.0, 210.0), False)
EFFECT = EffectShare(id="effect-1/share", number=0.6, unit=SHARE, evidence="e", interval=(0.5, 0.7), columns=("age",))
TOGETHER = Dependence(
    id="effect-1/together", number=6.0, unit="strength", evidence="e", interval=(4.0, 8.0), along="age", by="water",
    along_places=(3.0, 90.0), by_places=(150.0, 200.0), first=12.0, first_interval=(11.0, 13.0), last=18.0,
    last_interval=(16.0, 20.0), share=0.09, share_interval=(0.06, 0.12), others=False,
    plain_p=1e-6,
)  # fmt: skip


def changed(
    claim: Claim, *marks: str, used: bool | None = None, name: str = "", number: tuple[float, ...] = (),
    probability: float | None = None, others: Mapping[str, tuple[str, ...]] | None = None, **more: float,
) -> Claim:  # fmt: skip
    """What is known of a column, with something else, and told by that."""
    columns, known = (name,) if name else claim.columns, {**claim.others, **(others or {})}
    kept = claim.marks if used is None else claim.marks - {"used"}
    found = replace(
        claim, id=f"column/{columns[0]}", columns=columns, others=known,
        number=Quantity(*number, Measure.SHARE) if number else claim.number,
        probability=claim.probability if probability is None else probability,
        marks=kept | {*marks, *(("used",) if used else ())},
        more={**claim.more, **{key: Quantity.plain(value, Measure.NUMBER) for key, value in more.items()}},
    )  # fmt: skip
    return replace(found, form=Form.EITHER if "instead" in known else column_form(found))


COLUMN = changed(
    Claim(id="", kind=Kind.MATTERS, number=Quantity(0.4, 0.35, 0.46, Measure.SHARE)), used=True, name="age",
    probability=1.0, others={"partners": (), "missed": ()}, p=1e-9, p_beside_all=1e-9, correlation_p=1.0,
)  # fmt: skip


def column(*marks: str, **changes: Any) -> Claim:
    """A column that acts, with something else."""
    return changed(COLUMN, *marks, **changes)


LEGS = (RunOfEffect(30.0, (26.0, 34.0)), RunOfEffect(-9.0, (-16.0, -2.0)))
WATER = replace(BASE, id="effect-1/water", column="water", kind=CourseKind.FALLING, low=100.0, high=250.0, lowest=250.0,
                highest=100.0)  # fmt: skip
PAIR = replace(EFFECT, columns=("age", "water"), beyond=0.09)
