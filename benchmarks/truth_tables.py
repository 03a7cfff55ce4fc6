"""What is told of made tables and classes, compared with what is true of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from truth_makers import MadeTable

Array = NDArray[np.float64]
Range = tuple[float, float]

NEAR = 0.3  # relative error up to which a size whose range does not hold the truth is right
PLACE = 0.08  # of the range of a column: so far off may be where a curve is said to turn
CHANCE = 0.1  # error of a chance, or of an accuracy
PROMINENT = 0.1  # share of the variance from which a column has to be told
LEAST_LEGS = 2.0  # noise sds (of classes: of the log odds) on both sides of a turn that has to be told
NOTHING = 1e-6  # of a loss
FIRST = 0.7  # of the loss of the column without which most is lost
LEAST_SHARE = 0.01  # what adds less is rightly said to add nothing
DECIDING = np.pi**2 / 3.0  # variance of the logistic distribution
MOST_OTHERS = 200
GRID = 200
TABLE_KINDS = (
    "matters", "denied", "either", "first", "direction", "size", "turn", "together", "difference", "carried", "chance",
    "accuracy", "noise",
)  # fmt: skip


@dataclass(frozen=True)
class TableClaim:
    """What a report tells of some columns: a number with its range, at places of a column; 1 or -1 for a direction."""

    kind: str
    columns: tuple[str, ...]
    number: float
    interval: Range | None = None
    places: tuple[Any, ...] = ()
    is_log: bool = False
    sign: float = 1.0  # -1 where chances are those of "no"


# What is told ----------------------------------------------------------------------------------------------


def table_claims(record: dict[str, Any]) -> list[TableClaim]:
    """All claims of a record."""
    told = {column["name"]: column["told"] for column in record["columns"]}
    sign = -1.0 if record.get("classes", ["no", "yes"])[1] == "no" else 1.0
    claims = [claim for fact in record["facts"] for claim in _of_fact(fact, told, sign)]
    together = [TableClaim("together", tuple(part["together"]), 1.0) for part in record["components"]]
    pairs = {claim.columns for claim in together if claim.columns}
    acting = {column["name"] for column in record["columns"] if column["told"] in ("matters", "either")}
    missed = {tuple(sorted(pair)) for fact in record["facts"] for pair in _missed(fact) if {*pair} <= acting}
    together += [TableClaim("together", pair, 1.0) for pair in sorted(missed)]
    kept = [claim for claim in claims if claim.kind != "difference" or claim.columns in pairs]
    either = {tuple(sorted(names)) for names in map(_one_of, record["facts"]) if names}
    kept += [TableClaim("either", names, 1.0) for names in sorted(either)]
    first = next((column["name"] for column in record["columns"] if column["told"] in ("matters", "either")), None)
    kept += [] if first is None else [TableClaim("first", (first,), 1.0)]
    return kept + [claim for claim in together if claim.columns]


def _one_of(fact: dict[str, Any]) -> tuple[str, ...]:
    """The columns of which one acts, as a fact tells it; none of others."""
    return (*fact["columns"], *fact["instead"]) if fact["fact"] == "matters" and "instead" in fact else ()


def _missed(fact: dict[str, Any]) -> list[tuple[str, str]]:
    """The pairs that act together though they do not in the model, as a fact tells them."""
    return [(*fact["columns"], other) for other in fact["missed"]] if fact["fact"] == "matters" else []


def _of_fact(fact: dict[str, Any], told: dict[str, str], sign: float) -> Iterator[TableClaim]:
    match fact["fact"]:
        case "matters":
            yield from _relevance(fact, told[fact["columns"][0]])
        case "course" if fact["form"] != "unclear":
            yield from _course(fact, sign)
        case "act together":
            levels = {"low": "along", "high": "along", "by_low": "by", "by_high": "by"}
            places = tuple(_level(fact[name], fact[names]) for name, names in levels.items())
            yield TableClaim("difference", tuple(fact["columns"]), fact["number"], _range(fact), places, _is_log(fact))
        case "explained":
            yield TableClaim("accuracy", (), fact["left_out"] / 100.0)
        case "foreseen":
            yield TableClaim("accuracy", (), 1.0 - fact["wrong"] / 100.0)
        case "noise" if "parts" not in fact and not _is_log(fact):
            yield TableClaim("noise", (), fact["number"])


def _relevance(fact: dict[str, Any], told: str) -> Iterator[TableClaim]:
    columns = tuple(fact["columns"])
    if told == "matters":
        yield TableClaim("matters", columns, 1.0)
    if fact.get("carried") is not None:
        yield TableClaim("carried", columns, fact["carried"])
    if told in ("nothing", "next to nothing") and "left" not in fact["marks"]:
        yield TableClaim("denied", columns, 0.0)


def _course(fact: dict[str, Any], sign: float) -> Iterator[TableClaim]:
    columns, is_log = tuple(fact["columns"]), _is_log(fact)
    turns, chances = ([part for part in fact.get("parts", ()) if part["kind"] == kind] for kind in ("turn", "chance"))
    lowest, highest = (_level(fact[name], fact["levels"]) for name in ("lowest", "highest"))
    ends = tuple(fact["levels"]) or (fact["low"], fact["high"])
    if fact["form"] != "turning" or fact["levels"]:
        yield TableClaim("direction", columns, 1.0, places=(lowest, highest), sign=sign)
    elif len(turns) <= 4:
        for turn in turns:
            side = 1.0 if "top" in turn.get("marks", ()) else -1.0
            yield TableClaim("turn", columns, turn["number"], _range(turn), (side,), sign=sign)
    for one in chances:
        number, low, high = (value / 100.0 for value in (one["number"], *one["interval"]))
        yield TableClaim("chance", columns, number, (low, high), (_level(one["at"], fact["levels"]),), sign=sign)
    if not chances:
        yield TableClaim("size", columns, fact["number"], _range(fact), ends, is_log)


def _range(fact: dict[str, Any]) -> Range | None:
    return None if fact["interval"] is None else (fact["interval"][0], fact["interval"][1])


def _is_log(fact: dict[str, Any]) -> bool:
    return str(fact["unit"]).startswith("log")


def _level(place: float, levels: Sequence[str]) -> Any:
    return levels[round(place)] if levels else place


# Whether it is true ----------------------------------------------------------------------------------------


def table_judged(claim: TableClaim, data: MadeTable, claims: Sequence[TableClaim] = ()) -> bool:
    """Whether a claim is true of the data; what else is told says whether a row is named that carries an effect.

    Examples
    --------
    >>> data = MadeTable({"a": np.arange(9.0), "b": np.arange(9.0)}, lambda v: 2.0 * v["a"], [0.0] * 9, 1.0)
    >>> [table_judged(TableClaim("matters", (name,), 1.0), data) for name in "ab"]
    [True, False]
    """
    if claim.kind != "carried" and data.carried.keys() & {*claim.columns}:
        return any(other.kind == "carried" and other.columns == claim.columns for other in claims)
    match claim.kind:
        case "matters":
            return _share(claim.columns[0], data) > 0.0
        case "denied":
            return _share(claim.columns[0], data) < LEAST_SHARE
        case "either":
            return any(_share(name, data) > 0.0 for name in claim.columns)
        case "first":
            losses = {name: _loss(name, data) for name in data.columns}
            return losses[claim.columns[0]] >= FIRST * max(losses.values()) - NOTHING
        case "direction":
            return _is_direction(claim, data)
        case "together":
            return _act_together(claim.columns, data)
        case "carried":
            return data.carried.get(claim.columns[0]) == claim.number
        case "difference" if not _act_together(claim.columns, data):
            return False
    true = true_number(claim, data)
    inside = true is not None and claim.interval is not None and claim.interval[0] <= true <= claim.interval[1]
    return inside or (true is not None and abs(claim.number - true) <= _slack(claim, true, data))


def _slack(claim: TableClaim, true: float, data: MadeTable) -> float:
    rows = len(data.target)
    match claim.kind:
        case "turn":
            return PLACE * float(np.ptp(data.columns[claim.columns[0]]))
        case "chance":
            return CHANCE
        case "accuracy":
            return CHANCE + (1.0 - true) / np.sqrt(rows)
        case "noise":
            return true * (0.2 + 1.0 / np.sqrt(rows))
    return NEAR * abs(true)


def true_number(claim: TableClaim, data: MadeTable) -> float | None:
    """What the number of a claim is in truth, None where there is no such thing."""
    match claim.kind:
        case "size":
            return float(np.ptp(_along(claim.columns[0], _places(claim.places), data, claim.is_log)))
        case "turn":
            tops = _turns(claim.columns[0], data, claim.sign * claim.places[0])
            return min(tops, key=lambda at: abs(at - claim.number), default=None)
        case "chance":
            return float(_chance(claim.sign * _along(claim.columns[0], claim.places, data, False)[0]))
        case "difference":
            return _difference(claim, data)
        case "accuracy":
            return _accuracy(data)
        case "noise":
            return data.noise
    return None


def _places(ends: tuple[Any, ...]) -> Sequence[Any]:
    """All levels, or places from end to end."""
    return ends if isinstance(ends[0], str) else np.linspace(ends[0], ends[-1], GRID).tolist()


def _along(column: str, places: Sequence[Any], data: MadeTable, is_log: bool = False) -> Array:
    """The mean signal over the rows with a column at some places."""
    return np.array([_signal(data, {column: place}, is_log).mean() for place in places])


def _signal(data: MadeTable, fixed: dict[str, Any], is_log: bool) -> Array:
    n = len(data.target)
    moved = {name: np.full(n, value) for name, value in fixed.items()}
    for pair in data.copies:  # of which the data do not tell one from the other, so both move
        for name, other in (pair, pair[::-1]):
            if name in fixed and other not in fixed:
                line = np.polyfit(data.columns[name], data.columns[other], 1)
                moved[other] = np.full(n, np.polyval(line, fixed[name]))
    values = data.signal(data.columns | moved)
    return np.asarray(np.log(np.maximum(values, 1e-3)) if is_log else values)


def _share(column: str, data: MadeTable) -> float:
    """The total index of Sobol': half the mean square of the change with the column's value in another row."""
    values, here = data.columns[column], data.signal(data.columns)
    others = values[np.linspace(0, len(values) - 1, min(MOST_OTHERS, len(values))).astype(int)]
    n = len(values)
    changes = [data.signal(data.columns | {column: np.full(n, other)}) - here for other in others.tolist()]
    spread = np.var(here) + DECIDING if data.is_class else np.var(np.array(data.target, dtype=float))
    return float(0.5 * np.mean(np.square(changes)) / spread)


def _loss(column: str, data: MadeTable) -> float:
    """What of the true signal no curves of the other columns, copies apart, nor their products, make up for."""
    out = {column, *(name for pair in data.copies if column in pair for name in pair)}
    others = [_terms(values) for name, values in data.columns.items() if name not in out]
    products = [(one[:, :1] * two[:, :1]) for k, one in enumerate(others) for two in others[:k]]
    design = np.column_stack([np.ones(len(data.target)), *others, *(products if len(others) < 6 else [])])
    signal = data.signal(data.columns)
    return float(np.mean((signal - design @ np.linalg.lstsq(design, signal, rcond=None)[0]) ** 2))


def _terms(values: NDArray[Any]) -> Array:
    if values.dtype.kind == "U":
        return np.asarray(values[:, None] == np.unique(values)[1:], dtype=float)
    unit = (values - values.mean()) / values.std()
    return np.column_stack([unit, unit**2, unit**3])


def _is_direction(claim: TableClaim, data: MadeTable) -> bool:
    column = claim.columns[0]
    low, high = claim.sign * _along(column, claim.places, data)
    if not isinstance(claim.places[0], str):
        return bool(high > low)
    every = claim.sign * _along(column, np.unique(data.columns[column]).tolist(), data)
    return bool(high > low and high == every.max() and low == every.min())


def _turns(column: str, data: MadeTable, sign: float, legs: float = 0.0) -> list[float]:
    """The places of the inner tops (sign 1) or bottoms (-1) of the true curve with such legs on both sides."""
    if data.columns[column].dtype.kind == "U":
        return []
    places = np.linspace(data.columns[column].min(), data.columns[column].max(), GRID)
    curve = sign * _along(column, places.tolist(), data)
    inner = np.flatnonzero((curve[1:-1] > curve[:-2]) & (curve[1:-1] >= curve[2:])) + 1
    high = [at for at in inner if min(curve[at] - curve[:at].min(), curve[at] - curve[at:].min()) > max(legs, 1e-9)]
    return [float(places[at]) for at in high]


def _act_together(columns: tuple[str, ...], data: MadeTable) -> bool:
    """Whether every column acts with another of them."""
    pairs = [pair for pair in data.pairs if {*pair} <= {*columns}]
    return bool(columns) and all(any(name in pair for pair in pairs) for name in columns)


def _difference(claim: TableClaim, data: MadeTable) -> float:
    (along, by), (low, high, first, last) = claim.columns, claim.places
    corner = {(x, z): _signal(data, {along: x, by: z}, claim.is_log).mean() for x in (low, high) for z in (first, last)}
    return float(corner[high, last] - corner[low, last] - corner[high, first] + corner[low, first])


def _accuracy(data: MadeTable) -> float:
    """What the signal itself would reach: the share of the variance explained, or of the rows foreseen."""
    signal = data.signal(data.columns)
    if data.is_class:
        chance = _chance(signal)
        return float(np.maximum(chance, 1.0 - chance).mean())
    y = np.array(data.target, dtype=float)
    return float(1.0 - np.mean((y - signal) ** 2) / np.var(y))


def _chance(odds: Any) -> Any:
    return 1.0 / (1.0 + np.exp(-odds))


# Counts ----------------------------------------------------------------------------------------------------


def _prominent(kind: str, data: MadeTable) -> list[tuple[tuple[str, ...], float]]:
    """The truths of a kind that have to be told: their columns and, of turns, which way."""
    legs = LEAST_LEGS * (data.noise or 1.0)
    match kind:
        case "matters":
            copied = {name for pair in data.copies for name in pair}
            return [((n,), 0.0) for n in data.columns if n not in copied and _share(n, data) >= PROMINENT]
        case "either":
            return [(tuple(pair), 0.0) for pair in data.copies]
        case "direction":
            every = [name for (name,), _ in _prominent("matters", data)]
            turning = [name for name in every for sign in (1.0, -1.0) if _turns(name, data, sign)]
            joint = [name for pair in data.pairs for name in pair]  # whose direction hangs on the other column
            return [((name,), 0.0) for name in every if name not in (*turning, *joint)]
        case "turn":
            return [((name,), sign) for name in data.columns for sign in (1.0, -1.0) if _turns(name, data, sign, legs)]
        case "together":
            return [(tuple(pair), 0.0) for pair in data.pairs]
        case "carried":
            return [((name,), 0.0) for name in data.carried]
    return []


def _tells(claim: TableClaim, columns: tuple[str, ...], way: float) -> bool:
    same = {*columns} <= {*claim.columns}
    return same and (claim.kind != "turn" or claim.sign * claim.places[0] == way)


def table_counts(claims: Sequence[TableClaim], data: MadeTable, kind: str) -> dict[str, int]:
    """Of one kind: claims told and true; prominent truths and those told; ranges that were told and hold the truth."""
    mine = [claim for claim in claims if claim.kind == kind]
    right = [claim for claim in mine if table_judged(claim, data, claims)]
    truths = _prominent(kind, data)
    ranges = [
        (claim.interval, true_number(claim, data)) for claim in mine if not data.carried.keys() & {*claim.columns}
    ]
    held = [span[0] <= true <= span[1] for span, true in ranges if span is not None and true is not None]
    return {
        "claims": len(mine),
        "true": len(right),
        "truths": len(truths),
        "told": sum(any(_tells(claim, *truth) for claim in right) for truth in truths),
        "ranges": len(held),
        "hold": sum(held),
    }
