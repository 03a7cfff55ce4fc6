"""Tables and classes with known truth, made by plain numpy that knows nothing of the language of models."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Values = dict[str, NDArray[Any]]
Rng = np.random.Generator
Signal = Callable[[Values], Array]
HEIGHTS = {"north": 0.0, "east": 4.0, "south": 9.0}
TARGET = "y"


@dataclass(frozen=True, eq=False)
class MadeTable:
    """Columns (n,), the signal as a function of them (of classes the log odds of "yes"), target and noise sd.

    ``pairs`` act together, which others do not; of ``copies`` the data do not tell which acts. ``carried``: the row,
    from 1, to which all belongs that a column tells.
    """

    columns: Values
    signal: Callable[[Values], Array]
    target: list[Any]
    noise: float | None  # None of classes
    pairs: Sequence[tuple[str, str]] = ()
    copies: Sequence[tuple[str, str]] = ()
    carried: Mapping[str, int] = field(default_factory=dict)

    @property
    def is_class(self) -> bool:
        """Whether the target is "yes" or "no"."""
        return self.noise is None

    @property
    def table(self) -> dict[str, list[Any]]:
        """The columns and the target as a file holds them."""
        return {name: values.tolist() for name, values in self.columns.items()} | {TARGET: self.target}


def _numbers(rng: Rng, signal: Signal, columns: Values, sd: float, **more: Sequence[tuple[str, str]]) -> MadeTable:
    """A table of a signal and normal noise."""
    values = signal(columns)
    return MadeTable(columns, signal, np.round(values + rng.normal(0.0, sd, len(values)), 4).tolist(), sd, **more)


def _classes(rng: Rng, signal: Signal, columns: Values, **more: Sequence[tuple[str, str]]) -> MadeTable:
    """A table where the odds of "yes" are the exponential of a signal."""
    chance = 1.0 / (1.0 + np.exp(-signal(columns)))
    came = rng.uniform(size=len(chance)) < chance
    return MadeTable(columns, signal, np.where(came, "yes", "no").tolist(), None, **more)


def _uniform(rng: Rng, n: int, names: str, low: float = 0.0, high: float = 10.0) -> Values:
    return {name: np.round(rng.uniform(low, high, n), 4) for name in names}


def _heights(names: NDArray[np.str_]) -> Array:
    return np.array([HEIGHTS[name] for name in names.tolist()])


def _line(rng: Rng) -> MadeTable:
    return _numbers(rng, lambda v: 20.0 + 3.0 * v["a"], _uniform(rng, 100, "abc"), 4.0)


def _weak_line(rng: Rng) -> MadeTable:
    """A line that least squares see at four standard errors."""
    return _numbers(rng, lambda v: v["a"], _uniform(rng, 100, "abcd"), 7.2)


def _two_lines(rng: Rng) -> MadeTable:
    return _numbers(rng, lambda v: 2.0 * v["a"] - 3.0 * v["b"], _uniform(rng, 120, "abcd"), 4.0)


def _peak(rng: Rng) -> MadeTable:
    return _numbers(rng, lambda v: 50.0 - 0.8 * (v["a"] - 6.0) ** 2, _uniform(rng, 120, "ab"), 2.0)


def _saturating(rng: Rng) -> MadeTable:
    return _numbers(rng, lambda v: 30.0 * v["a"] / (1.0 + v["a"]), _uniform(rng, 120, "ab"), 2.0)


def _category(rng: Rng) -> MadeTable:
    columns = _uniform(rng, 120, "a") | {"region": rng.choice(list(HEIGHTS), 120)}
    return _numbers(rng, lambda v: 1.5 * v["a"] + _heights(v["region"]), columns, 2.5)


def _on_off(rng: Rng) -> MadeTable:
    columns = _uniform(rng, 100, "ab") | {"switch": rng.integers(0, 2, 100)}
    return _numbers(rng, lambda v: 2.0 * v["a"] + 8.0 * v["switch"], columns, 3.0)


def _pair(rng: Rng) -> MadeTable:
    columns = _uniform(rng, 150, "abc", -3.0, 3.0)
    return _numbers(rng, lambda v: v["a"] + 2.0 * v["a"] * v["b"], columns, 2.5, pairs=[("a", "b")])


def _switched_line(rng: Rng) -> MadeTable:
    columns = _uniform(rng, 140, "ab") | {"switch": rng.integers(0, 2, 140)}
    return _numbers(rng, lambda v: (1.0 + 2.0 * v["switch"]) * v["a"], columns, 3.0, pairs=[("a", "switch")])


def _curves(rng: Rng) -> MadeTable:
    """Two curved effects that add up."""

    def signal(v: Values) -> Array:
        return 20.0 * np.exp(-((v["a"] - 4.0) ** 2) / 4.0) + 25.0 * v["b"] / (2.0 + v["b"])

    return _numbers(rng, signal, _uniform(rng, 150, "abc"), 2.5)


def _correlated(rng: Rng) -> MadeTable:
    """Three columns that go together, of which one acts."""
    shared = rng.normal(size=150)
    columns = {name: np.round(0.85 * shared + np.sqrt(1.0 - 0.85**2) * rng.normal(size=150), 4) for name in "abc"}
    return _numbers(rng, lambda v: 5.0 * v["a"], columns, 4.0)


def _noise(rng: Rng) -> MadeTable:
    return _numbers(rng, lambda v: 50.0 + 0.0 * v["a"], _uniform(rng, 80, "abcd"), 5.0)


def _heavy_noise(rng: Rng) -> MadeTable:
    return _numbers(rng, lambda v: 2.0 * v["a"], _uniform(rng, 150, "abc"), 8.8)


def _twenty(rng: Rng) -> MadeTable:
    return _numbers(rng, lambda v: 4.0 * v["a"], _uniform(rng, 20, "abc"), 4.0)


def _thousand(rng: Rng) -> MadeTable:
    def signal(v: Values) -> Array:
        return 3.0 * v["a"] + 10.0 * np.sin(0.5 * v["b"])

    return _numbers(rng, signal, _uniform(rng, 1000, "abc"), 5.0)


def _carried(rng: Rng) -> MadeTable:
    """A column that tells nothing but for a row far off in both."""
    columns = {name: np.round(rng.normal(size=40), 4) for name in "abc"}
    columns["c"][17] = 12.0
    table = _numbers(rng, lambda v: 5.0 * v["a"], columns, 2.0)
    table.target[17] = float(table.target[17]) + 30.0
    return MadeTable(columns, table.signal, table.target, table.noise, carried={"c": 18})


def _near_copies(rng: Rng) -> MadeTable:
    """Two columns that are all but one, of which one acts."""
    columns = _uniform(rng, 120, "ac")
    columns["b"] = np.round(columns["a"] / 1.6 + rng.normal(0.0, 0.12, 120), 4)
    return _numbers(rng, lambda v: 2.5 * v["a"] + v["c"], columns, 4.0, copies=[("a", "b")])


def _shared_and_own(rng: Rng) -> MadeTable:
    """Two columns that go together and one of its own: each of the two adds little to the other."""
    shared = rng.normal(size=200)
    columns = {name: np.round(shared + 0.15 * rng.normal(size=200), 4) for name in "ab"}
    columns["c"] = np.round(rng.normal(size=200), 4)
    return _numbers(rng, lambda v: 2.0 * v["a"] + 2.0 * v["b"] + 2.5 * v["c"], columns, 4.0, copies=[("a", "b")])


def _interaction(rng: Rng) -> MadeTable:
    columns = _uniform(rng, 200, "abc")
    return _numbers(rng, lambda v: v["a"] + v["b"] + 0.4 * v["a"] * v["b"], columns, 4.0, pairs=[("a", "b")])


def _wide_noise(rng: Rng) -> MadeTable:
    return _numbers(rng, lambda v: 3.0 * v["a"] - 2.0 * v["b"], _uniform(rng, 100, "abcdefghijklmnopqrst"), 4.0)


def _wide_nothing(rng: Rng) -> MadeTable:
    return _numbers(rng, lambda v: 10.0 + 0.0 * v["a"], _uniform(rng, 90, "abcdefghijklmnopqrst"), 4.0)


def _rank_deficient(rng: Rng) -> MadeTable:
    """A column that is the sum of two others."""
    columns = _uniform(rng, 140, "abd")
    columns["c"] = np.round(columns["a"] + columns["b"], 4)
    return _numbers(rng, lambda v: 2.0 * v["a"], columns, 4.0)


def _rare_levels(rng: Rng) -> MadeTable:
    """A category of twelve levels, seven of them with a handful of rows, that tells of its common ones."""
    names = np.array([*"ABCDE", *(f"r{k}" for k in range(7))])
    rates = np.array([0.18] * 5 + [0.1 / 7.0] * 7)
    columns = _uniform(rng, 200, "a") | {"kind": rng.choice(names, 200, p=rates)}
    heights = dict(zip(names.tolist(), [0.0, 6.0, 3.0, 9.0, -3.0, *[3.0] * 7], strict=True))
    return _numbers(
        rng, lambda v: v["a"] + np.array([heights[name] for name in v["kind"].tolist()]), columns, 3.0
    )  # fmt: skip


def _spreading(rng: Rng) -> MadeTable:
    """A line about which values scatter the more, the higher it is."""
    columns = _uniform(rng, 160, "abc")
    signal = 5.0 + 2.0 * columns["a"]
    y = signal * (1.0 + 0.25 * rng.normal(size=160))
    return MadeTable(columns, lambda v: 5.0 + 2.0 * v["a"], np.round(y, 4).tolist(), float(np.std(y - signal)))


def _counts(rng: Rng) -> MadeTable:
    columns = _uniform(rng, 160, "abc")
    rate = np.exp(0.5 + 0.2 * columns["a"])
    y = rng.poisson(rate).astype(float)
    return MadeTable(columns, lambda v: np.exp(0.5 + 0.2 * v["a"]), y.tolist(), float(np.std(y - rate)))


def _ranks(rng: Rng) -> MadeTable:
    """A category, what it goes along with, and a flag: as with salaries of ranks."""
    level = rng.integers(0, 3, 240)
    columns: Values = {"rank": np.array(["junior", "senior", "lead"])[level]}
    columns["years"] = np.round(3.0 + 7.0 * level + rng.normal(0.0, 2.5, 240).clip(-3.0), 1)
    columns["service"] = np.round(columns["years"] * rng.uniform(0.7, 1.0, 240), 1)
    columns["field"] = rng.choice(["x", "z"], 240)

    def signal(v: Values) -> Array:
        heights = {"junior": 80.0, "senior": 95.0, "lead": 125.0}
        return np.array([heights[name] for name in v["rank"].tolist()]) + 14.0 * (v["field"] == "z")

    return _numbers(rng, signal, columns, 20.0)


def _class_of_one(rng: Rng) -> MadeTable:
    return _classes(rng, lambda v: 0.7 * (v["a"] - 5.0), _uniform(rng, 160, "ab"))


def _class_of_two(rng: Rng) -> MadeTable:
    return _classes(rng, lambda v: 0.8 * (v["a"] - 5.0) - 0.8 * (v["b"] - 5.0), _uniform(rng, 200, "abc"))


def _class_of_none(rng: Rng) -> MadeTable:
    return _classes(rng, lambda v: -0.4 + 0.0 * v["a"], _uniform(rng, 120, "abc"))


def _middle_class(rng: Rng) -> MadeTable:
    """The middle one of three classes against the two others."""
    return _classes(rng, lambda v: 3.0 - 0.6 * (v["a"] - 5.0) ** 2, _uniform(rng, 180, "ab"))


def _class_of_groups(rng: Rng) -> MadeTable:
    """A rate of 26 % at none and of 67 % at one."""
    columns = _uniform(rng, 220, "ab") | {"treated": rng.integers(0, 2, 220)}
    return _classes(rng, lambda v: -1.05 + 1.76 * v["treated"], columns)


def _rare_class(rng: Rng) -> MadeTable:
    return _classes(rng, lambda v: -4.5 + 0.5 * v["a"], _uniform(rng, 300, "abc"))


def _class_of_category(rng: Rng) -> MadeTable:
    columns = _uniform(rng, 240, "a") | {"region": rng.choice(list(HEIGHTS), 240)}
    return _classes(rng, lambda v: -2.0 + 0.4 * _heights(v["region"]), columns)


def _class_of_copies(rng: Rng) -> MadeTable:
    columns = _uniform(rng, 220, "ac")
    columns["b"] = np.round(columns["a"] / 1.6 + rng.normal(0.0, 0.12, 220), 4)
    return _classes(rng, lambda v: 0.7 * (v["a"] - 5.0), columns, copies=[("a", "b")])


def _class_of_pair(rng: Rng) -> MadeTable:
    columns = _uniform(rng, 260, "abc", -3.0, 3.0)
    return _classes(rng, lambda v: 1.0 * v["a"] * v["b"], columns, pairs=[("a", "b")])


def _wide_class(rng: Rng) -> MadeTable:
    return _classes(rng, lambda v: 0.8 * (v["a"] - 5.0), _uniform(rng, 160, "abcdefghijkl"))


def _saturating_class(rng: Rng) -> MadeTable:
    return _classes(rng, lambda v: 5.0 * v["a"] / (1.0 + v["a"]) - 2.5, _uniform(rng, 240, "ab"))


def _class_of_few(rng: Rng) -> MadeTable:
    return _classes(rng, lambda v: 0.8 * (v["a"] - 5.0), _uniform(rng, 40, "ab"))


def _weak_class(rng: Rng) -> MadeTable:
    return _classes(rng, lambda v: 0.3 * (v["a"] - 5.0), _uniform(rng, 250, "abc"))


TABLES: dict[str, Callable[[Rng], MadeTable]] = {
    "table: line": _line,
    "table: two lines": _two_lines,
    "table: peak": _peak,
    "table: saturating": _saturating,
    "table: category": _category,
    "table: on and off": _on_off,
    "table: pair": _pair,
    "table: switched line": _switched_line,
    "table: sum of curves": _curves,
    "table: correlated": _correlated,
    "table: noise": _noise,
    "table: heavy noise": _heavy_noise,
    "table: twenty rows": _twenty,
    "table: thousand rows": _thousand,
    "table: carried by a row": _carried,
    "table: near copies": _near_copies,
    "table: shared and own": _shared_and_own,
    "table: interaction": _interaction,
    "table: wide": _wide_noise,
    "table: wide, nothing": _wide_nothing,
    "table: rank-deficient": _rank_deficient,
    "table: rare levels": _rare_levels,
    "table: spreading": _spreading,
    "table: counts": _counts,
    "table: ranks": _ranks,
    "classes: one column": _class_of_one,
    "classes: two columns": _class_of_two,
    "classes: nothing": _class_of_none,
    "classes: the middle one of three": _middle_class,
    "classes: groups": _class_of_groups,
    "classes: a rare one": _rare_class,
    "classes: a category": _class_of_category,
    "classes: near copies": _class_of_copies,
    "classes: pair": _class_of_pair,
    "classes: wide": _wide_class,
    "classes: saturating": _saturating_class,
    "classes: forty rows": _class_of_few,
    "classes: weak": _weak_class,
    "table: weak": _weak_line,  # at the end, as draws go by the place of their generator
}
