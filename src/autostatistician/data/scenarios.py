"""What if: other values of the columns beside a series, as a command line writes them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from autostatistician.data.arrays import Floats
from autostatistician.data.columns import place_of
from autostatistician.data.covariates import Covariate, Covariates
from autostatistician.errors import InputError
from autostatistician.i18n.messages import say
from autostatistician.i18n.names import did_you_mean, listed
from autostatistician.i18n.numbers import as_written

__all__ = ["Change", "changed", "plan_of"]

SAME_PLACE = 1e-3  # of the distance between rows
SIGNED = re.compile(r"([+-])\s*(\d+(?:\.\d*)?|\.\d+)\s*(%?)")


@dataclass(frozen=True)
class Change:
    """Another value of a column: ``value`` itself ("set"), or what there is plus it ("add") or times it ("scale").

    >>> [change.text for change in plan_of("price=+10%,promo=0")]
    ["'price' 10 % higher", "'promo' at 0"]
    """

    column: str
    how: str
    value: float | str

    @property
    def text(self) -> str:
        """The change in words, as they follow on "with"."""
        if self.how == "set" or isinstance(self.value, str):
            value = self.value if isinstance(self.value, str) else as_written(self.value)
            return say("{column} at {value}", column=repr(self.column), value=value)
        amount = self.value if self.how == "add" else (self.value - 1.0) * 100
        told = {"column": repr(self.column), "amount": as_written(abs(amount)) + " %" * (self.how == "scale")}
        return say("{column} {amount} lower", **told) if amount < 0 else say("{column} {amount} higher", **told)


def plan_of(text: str) -> tuple[Change, ...]:
    """The changes that a text asks for, with commas between.

    "promo=0" and "shop=B" set a column; "price=+10%", "price=-1" change it by that; "price==-1" sets a negative number.

    >>> plan_of("price=-1, shop=B")
    (Change(column='price', how='add', value=-1.0), Change(column='shop', how='set', value='B'))
    """
    parts = [part.strip() for part in text.split(",") if part.strip()]
    changes = [_change(part, text) for part in parts]
    names = [change.column for change in changes]
    if not changes or any(names.count(name) > 1 for name in names):
        what = f"{text!r}" if not changes else f"{max(names, key=names.count)!r} twice"
        raise InputError.of("changes such as promo=0,price=+10%", what, "name each column once")
    return tuple(changes)


def _change(part: str, text: str) -> Change:
    name, sign, value = part.partition("=")
    name, value = name.strip(), value.strip()
    if not (sign and name and value):
        remedy = "write each as column=value, with a point in numbers such as 4.5"
        raise InputError.of("changes such as promo=0,price=+10%", f"{part!r} in {text!r}", remedy)
    signed = SIGNED.fullmatch(value)
    if signed:
        amount = float(signed[1] + signed[2])
        return Change(name, "scale", 1.0 + amount / 100) if signed[3] else Change(name, "add", amount)
    if value.endswith("%"):
        raise InputError.of(f"a change of {name!r} with a sign", repr(value), f"write +{value} or -{value}")
    value = value.removeprefix("=").strip()
    try:
        number = float(value)
    except ValueError:
        return Change(name, "set", value)
    if not np.isfinite(number):
        raise InputError.of(f"a number or category for {name!r}", repr(value), "write one")
    return Change(name, "set", number)


def changed(covariates: Covariates, changes: Sequence[Change], since: float) -> Covariates:
    """The columns with changes in their rows from a position on.

    >>> columns = Covariates(np.arange(3.0), (Covariate("price", np.array([4.0, 5.0, 6.0])),))
    >>> changed(columns, plan_of("price=+10%"), 1.0).table[0].values.round(6).tolist()
    [4.0, 5.5, 6.6]
    """
    rows = covariates.x >= since - SAME_PLACE * covariates.gap
    if not rows.any():
        raise InputError.of("rows of a plan that can be changed", "none", "give a plan of the time to come")
    table = {column.name: column for column in covariates.table}
    for change in changes:
        column = _column(change.column, covariates)
        values = column.values.copy()
        values[rows] = _value(column, change, values[rows])
        table[column.name] = replace(column, values=values)
    return replace(covariates, table=tuple(table.values()))


def _column(name: str, covariates: Covariates) -> Covariate:
    """A column of the table by its name."""
    names = [column.name for column in covariates.table]
    place = place_of(name, names)
    if place is not None:
        return covariates.table[place]
    if name in covariates.names:
        what = f"{name!r}, which follows from the calendar"
        raise InputError.of("a column that can be changed", what, f"change {listed(names)}")
    found = f"only {listed(names)}" if names else "none"
    raise InputError.of(f"a column {name!r} to change", found, did_you_mean(name, names, "change one of these"))


def _value(column: Covariate, change: Change, before: Floats) -> Floats | float:
    """What a change makes of values of a column: of categories the code of another."""
    value = change.value
    if column.levels:
        text = value if isinstance(value, str) else as_written(value)
        code = place_of(text, column.levels) if change.how == "set" else None
        if code is not None:
            return float(code)
        found = repr(text) if change.how == "set" else f"a change {change.text}"
        remedy = did_you_mean(text, column.levels, "choose one of these")
        raise InputError.of(f"a category of column {column.name!r} ({listed(column.levels)})", found, remedy)
    if isinstance(value, str):
        raise InputError.of(f"a number for column {column.name!r}", repr(value), "write one such as 4.5")
    return value if change.how == "set" else before + value if change.how == "add" else before * value
