"""Names of columns in words, and names that users write."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches

from autostatistician.wording.messages import note

__all__ = ["clean", "clean_name", "did_you_mean", "measured", "quoted"]

# Units of measurement as they stand in brackets behind the name of a column.
_SYMBOLS = frozenset((
    "m", "cm", "mm", "km", "nm", "µm", "Å", "in", "ft", "mi", "au", "pc", "ly", "s", "ms", "µs", "ns", "min", "h", "g",
    "kg", "mg", "t", "K", "°C", "°F", "Hz", "kHz", "MHz", "GHz", "Pa", "hPa", "kPa", "MPa", "bar", "mbar", "V", "mV",
    "kV", "A", "mA", "Ω", "W", "kW", "MW", "J", "kJ", "eV", "keV", "MeV", "GeV", "N", "mol", "l", "L", "ml", "mL", "ha",
    "°", "rad", "deg", "%", "ppm", "dB", "m/s", "km/h", "mph",
))  # fmt: skip


def clean_name(name: str, most: int = 60) -> str:
    r"""A column name on one line and not too long.

    >>> clean_name("number  of\npassengers")
    'number of passengers'
    """
    line = " ".join(str(name).split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def quoted(name: str) -> str:
    """A column's name on one line, in quotes, not too long."""
    return f"'{clean_name(name)}'"


def measured(column: str) -> tuple[str, str]:
    """A column name without the unit of measurement that it ends with, and that unit; "" where it has none.

    >>> measured("depth (m)"), measured("speed [km/h]"), measured("score (mean)")
    (('depth', 'm'), ('speed', 'km/h'), ('score (mean)', ''))
    """
    name = clean_name(column)
    matched = re.fullmatch(r"(.*\S)\s*[(\[]\s*(\S+)\s*[)\]]", name)
    return (matched[1], matched[2]) if matched and matched[2] in _SYMBOLS else (name, "")


def did_you_mean(name: str, among: Iterable[str], otherwise: str = "") -> str:
    """What to do about a name that is not among those there are: take the nearest, else what is said, or any of them.

    >>> did_you_mean("prise", ["Price", "day"]), did_you_mean("cost", ["price"], "name another")
    ("did you mean 'Price'?", 'name another')
    >>> did_you_mean("xyz", ["SE", "Lin"])
    "use one of 'SE', 'Lin'"
    """
    names = list(among)
    by_lower = {other.lower(): other for other in reversed(names)}
    if near := get_close_matches(name.lower(), by_lower, n=1):
        return note("did you mean {value}?", value=repr(by_lower[near[0]]))
    return otherwise or f"use one of {', '.join(map(repr, names))}"


def clean(text: object) -> str:
    r"""One line without control characters: names of files and columns are hostile text on a terminal.

    >>> clean("sales\x1b[2J\n2020")
    'sales [2J 2020'
    """
    return "".join(character if character.isprintable() else " " for character in str(text))
