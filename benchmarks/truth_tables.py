"""Tables and classes with known truth, made by plain numpy that knows nothing of the language of models."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from truth_table_compare import MadeTable, Values

__all__ = ["TABLES"]

Array = NDArray[np.float64]
Rng = np.random.Generator
Signal = Callable[[Values], Array]
HEIGHTS = {"north": 0.0, "east": 4.0, "south": 9.0}


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


def _class_of_one(rng: Rng) -> MadeTable:
    return _classes(rng, lambda v: 0.7 * (v["a"] - 5.0), _uniform(rng, 160, "ab"))


def _class_of_two(rng: Rng) -> MadeTable:
    return _classes(rng, lambda v: 0.8 * (v["a"] - 5.0) - 0.8 * (v["b"] - 5.0), _uniform(rng, 200, "abc"))


def _class_of_none(rng: Rng) -> MadeTable:
    return _classes(rng, lambda v: -0.4 + 0.0 * v["a"], _uniform(rng, 120, "abc"))


def _middle_class(rng: Rng) -> MadeTable:
    """The middle one of three classes against the two others."""
    return _classes(rng, lambda v: 3.0 - 0.6 * (v["a"] - 5.0) ** 2, _uniform(rng, 180, "ab"))


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
    "classes: one column": _class_of_one,
    "classes: two columns": _class_of_two,
    "classes: nothing": _class_of_none,
    "classes: the middle one of three": _middle_class,
}
