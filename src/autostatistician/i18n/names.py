"""Names of columns in words, and names that users write."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from functools import reduce

from autostatistician.i18n.messages import note, say

__all__ = [
    "all_of", "clean", "clean_name", "counted", "did_you_mean", "in_turn", "listed", "measured", "one_after_another",
    "quoted",
]  # fmt: skip


MOST_NAMES = 8  # the others are counted

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


# --- Numbers with their nouns, and names in a row, for sentences about what was done to the data --------------------


def counted(number: int, noun: str) -> str:
    """A number with its noun in the right form.

    >>> counted(1, "row"), counted(3, "row")
    ('1 row', '3 rows')
    """
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def listed(names: Sequence[str]) -> str:
    """At most eight names, quoted.

    >>> listed(["a", "b"])
    "'a', 'b'"
    """
    shown = ", ".join(repr(name) for name in names[:MOST_NAMES])
    return shown if len(names) <= MOST_NAMES else note("{names} and {n} more", names=shown, n=len(names) - MOST_NAMES)


def all_of(texts: Iterable[str]) -> str:
    """Texts with "and" between all of them, as a note.

    >>> all_of(["'year'", "'month'", "'day'"])
    "'year' and 'month' and 'day'"
    """
    return reduce(lambda first, second: note("{first} and {second}", first=first, second=second), texts)


def one_after_another(sentences: Iterable[str]) -> str:
    """Sentences with spaces between them, as a note; "" of none.

    >>> one_after_another(["It rises.", "It falls."]), one_after_another([])
    ('It rises. It falls.', '')
    """
    return reduce(lambda said, more: note("{first} {second}", first=said, second=more) if said else more, sentences, "")


def in_turn(texts: Iterable[str]) -> str:
    """Clauses one after the other, with the semicolons of the language; those that are empty are left out.

    >>> in_turn(["it rises", "", "then it falls", "it ends lower"])
    'it rises; then it falls; it ends lower'
    """
    return say("; ").join(filter(None, texts))
