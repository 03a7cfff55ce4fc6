"""Facts on the effects of a table's columns, as no model has made them."""

from __future__ import annotations

from dataclasses import replace

from autostatistician.describe.axis.units import Scale
from autostatistician.describe.facts.effect import ColumnRelevance, Dependence, EffectCourse, EffectShare
from autostatistician.describe.facts.fact import SHARE
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
COLUMN = ColumnRelevance(
    id="column/age", number=0.4, unit=SHARE, evidence="e", interval=(0.35, 0.46), column="age", used=True,
    partners=(), scatter=False, left=False, probability=1.0, p=1e-9, p_beside_all=1e-9,
)  # fmt: skip
LEGS = (RunOfEffect(30.0, (26.0, 34.0)), RunOfEffect(-9.0, (-16.0, -2.0)))
WATER = replace(BASE, id="effect-1/water", column="water", kind=CourseKind.FALLING, low=100.0, high=250.0, lowest=250.0,
                highest=100.0)  # fmt: skip
PAIR = replace(EFFECT, columns=("age", "water"), beyond=0.09)
