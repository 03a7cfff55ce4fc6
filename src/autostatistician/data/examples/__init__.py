"""Bundled example series: small CSV files, with source and licence in ``examples.toml``."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from autostatistician.errors import InputError
from autostatistician.i18n.names import did_you_mean

__all__ = ["Example", "example", "example_bytes", "example_names", "unknown_example"]


@dataclass(frozen=True)
class Example:
    """What is known about a bundled series."""

    name: str
    title: str
    time: str
    target: str
    unit: str
    source: str
    licence: str
    note: str


@cache
def _examples() -> dict[str, Example]:
    table = tomllib.loads((files(__name__) / "examples.toml").read_text(encoding="utf-8"))
    return {name: Example(name, **entry) for name, entry in table.items()}


def example_names() -> tuple[str, ...]:
    """The names of all bundled series.

    >>> example_names()
    ('airline', 'mauna-loa', 'sunspots', 'nile', 'el-nino')
    """
    return tuple(_examples())


def example(name: str) -> Example:
    """Title, unit, source and licence of a bundled series.

    >>> example("nile").unit
    '10^8 m^3'
    """
    if name not in _examples():
        raise unknown_example(name)
    return _examples()[name]


def unknown_example(name: str) -> InputError:
    """The error for a name that is neither a file nor an example, with the nearest name.

    >>> str(unknown_example("airlines"))
    "expected a file or an example; found the name 'airlines'; did you mean 'airline'?"
    """
    remedy = did_you_mean(name, example_names(), f"the examples are {', '.join(example_names())}")
    return InputError.of("a file or an example", f"the name {name!r}", remedy)


def example_bytes(name: str) -> bytes:
    r"""The CSV file of a bundled series, as it is.

    >>> example_bytes("nile")[:20]
    b'year,flow\n1871,1120\n'
    """
    return (files(__name__) / f"{example(name).name}.csv").read_bytes()
