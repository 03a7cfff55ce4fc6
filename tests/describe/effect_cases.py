"""Facts on the effects of a table's columns, as no model has made them."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from autostatistician.claims.claim import Claim, plain_numbers
from autostatistician.claims.kinds import Form, Kind
from autostatistician.claims.quantity import Measure, Quantity
from autostatistician.decompose.records.table import ColumnRecord
from autostatistician.describe.axis.units import Scale
from autostatistician.describe.facts.findings import ColumnFindings
from autostatistician.describe.observe.table.effects import column_form
from autostatistician.forms import CourseKind

SCALE = Scale(target="strength")


def scaled(number: float, low: float, high: float) -> Quantity:
    """A difference on the scale of the model."""
    return Quantity(number, low, high, Measure.SCALED)


def but(claim: Claim, *marks: str, levels: tuple[str, ...] = (), change: Quantity | None = None, **more: Any) -> Claim:
    """A claim with something else: marks, fields by their names, numbers by other names; parts for those of a kind."""
    own = {name: more.pop(name) for name in [*more] if name in Claim.__dataclass_fields__}
    parts = own.pop("parts", ())
    kept = [part for part in claim.parts if part.kind not in {part.kind for part in parts}]
    numbers = plain_numbers(**more) | ({} if change is None else {"change": change})
    return replace(
        claim, parts=(*kept, *parts), more={**claim.more, **numbers}, marks=own.pop("marks", claim.marks) | {*marks},
        others={**claim.others, "levels": levels} if levels else claim.others, **own,
    )  # fmt: skip


BASE = Claim(
    id="effect-1/age", kind=Kind.COURSE, columns=("age",), form=CourseKind.RISING, number=scaled(30.0, 26.0, 34.0),
    more={"change": scaled(29.0, 25.0, 33.0), **plain_numbers(low=1.0, high=365.0, lowest=1.0, highest=365.0, bend=0)},
)  # fmt: skip
TOP, DIP = (
    Claim(id="", kind=Kind.TURN, number=Quantity(*at, Measure.NUMBER), marks=frozenset(marks))
    for at, marks in (((90.0, 81.0, 104.0), ["top"]), ((200.0, 190.0, 210.0), []))
)
EFFECT = Claim(
    id="effect-1/share", kind=Kind.EFFECT, number=Quantity(0.6, 0.5, 0.7, Measure.SHARE), columns=("age",),
    more=plain_numbers(beyond=0.0),
)  # fmt: skip
TOGETHER = Claim(
    id="effect-1/together", kind=Kind.TOGETHER, number=scaled(6.0, 4.0, 8.0), columns=("age", "water"),
    at=(3.0, 90.0, 150.0, 200.0), others={"along": (), "by": ()}, probability=1.0,
    more={
        "first": scaled(12.0, 11.0, 13.0), "last": scaled(18.0, 16.0, 20.0),
        "share": Quantity(0.09, 0.06, 0.12, Measure.SHARE), **plain_numbers(plain_p=1e-6),
    },
)  # fmt: skip


def changed(
    claim: Claim, *marks: str, used: bool | None = None, name: str = "", number: tuple[float, ...] = (),
    probability: float | None = None, others: Mapping[str, tuple[str, ...]] | None = None, **more: float,
) -> Claim:  # fmt: skip
    """What is known of a column, with something else, and told by that."""
    columns, known = (name,) if name else claim.columns, {**claim.others, **(others or {})}
    kept = claim.marks if used is None else claim.marks - {"in best"}
    more = ({} if probability is None else {"modelled": probability}) | more
    more |= {"p_single": more["p_beside_all"]} if "p_beside_all" in more and "p_single" not in more else {}
    found = replace(
        claim, id=f"column/{columns[0]}", columns=columns, others=known,
        number=Quantity(*number, Measure.SHARE) if number else claim.number,
        probability=claim.probability if probability is None else probability,
        marks=kept | {*marks, *(("in best",) if used else ())},
        more={**claim.more, **{key: Quantity.plain(value, Measure.NUMBER) for key, value in more.items()}},
    )  # fmt: skip
    copies = tuple(copy_of(other) for other in known.get("instead", ()))
    form = Form.EITHER if "instead" in known else column_form(found)
    return replace(found, form=form, parts=(*claim.of(Kind.COURSE), *copies))


def copy_of(name: str, size: float = 0.99) -> Claim:
    """How closely a column goes with another."""
    return Claim(id="", kind=Kind.COPY, columns=(name,), number=Quantity.plain(size, Measure.NUMBER))


Found = TypeVar("Found", bound=ColumnFindings)


def with_columns(found: Found, columns: Iterable[Claim]) -> Found:
    """What is known of columns, with other claims on each of them."""
    return replace(found, claims=(*columns, *(one for one in found.claims if one.kind is not Kind.MATTERS)))


def input_column(name: str, levels: tuple[str, ...] = ()) -> ColumnRecord:
    """A column of the data, from 0 to 1, or with names of categories."""
    return ColumnRecord(name, 0.0, 1.0, 9, used=False, scatter=False, probability=0.0, levels=levels)


COLUMN = changed(
    Claim(id="", kind=Kind.MATTERS, number=Quantity(0.4, 0.35, 0.46, Measure.SHARE)), used=True, name="age",
    probability=1.0, others={"partners": (), "missed": ()}, p=1e-9, p_beside_all=1e-9, p_single=1e-9, correlation_p=1.0,
)  # fmt: skip


def column(*marks: str, **changes: Any) -> Claim:
    """A column that acts, with something else."""
    return changed(COLUMN, *marks, **changes)


def check(kind: str, *columns: str, p: float = 0.01, adjusted: float = 0.02, **more: float) -> Claim:
    """A check of errors."""
    return Claim(
        id="c", kind=Kind.CHECK, form=kind, columns=columns, number=Quantity.plain(p, Measure.NUMBER),
        more=plain_numbers(**({"adjusted": adjusted, "side": 1} | more)),
    )  # fmt: skip


LEGS = tuple(
    Claim(id="", kind=Kind.RUN, number=number) for number in (scaled(30.0, 26.0, 34.0), scaled(-9.0, -16.0, -2.0))
)
WATER = but(BASE, id="effect-1/water", columns=("water",), form=CourseKind.FALLING, low=100.0, high=250.0,
            lowest=250.0, highest=100.0)  # fmt: skip
PAIR = but(EFFECT, columns=("age", "water"), beyond=0.09)
