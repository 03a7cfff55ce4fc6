"""Series with known truth, made by plain numpy that knows nothing of the language of models."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

Array = NDArray[np.float64]
Range = tuple[float, float]

NEAR = 0.3  # relative error up to which a size without a range that holds the truth is right
RATIO = 1.6  # factor up to which ratios of scatter are the same
PERIOD = 0.03  # relative error of a period
SECONDS = {"second": 1.0, "minute": 60.0, "hour": 3600.0, "day": 86400.0, "month": 2629746.0, "year": 31556952.0}
PHASE = 0.13  # of a cycle: so far off may be where it is said to be highest
PROBABILITIES = (0.2, 0.5, 0.8, 0.95)  # between which claims are counted
KINDS = ("rise", "pace", "slope", "run", "season", "swing", "phase", "step", "event", "scatter")


@dataclass(frozen=True)
class Truth:
    """A season, step, event or change of scatter of the data; what is not listed is not there.

    ``number`` is the period of a season in units of the axis, the size of a step, that of an event on average, or the
    ratio of scatters.
    ``at`` is its first row (``until`` the first one after it), of a season the row where it is highest first;
    ``slack``: how many rows a place may be off. ``swing`` is that of a season; what is ``prominent`` is to be told.
    """

    kind: str
    number: float
    at: float | None = None
    until: float | None = None
    slack: float = 1.5
    swing: float | None = None
    prominent: bool = True


@dataclass(frozen=True)
class Claim:
    """What a report tells: as a `Truth`, with the range of its number; a rise or run goes from ``at`` to ``until``.

    A phase that is told as "in May to July" has all of them as ``places``.

    ``ends`` are the last of the first rows that a rise begins with and the first of the last ones. Paces and slopes are
    those per row; ``is_log`` says that a swing is one of the logarithm.
    """

    kind: str
    number: float
    interval: Range | None = None
    at: float | None = None
    until: float | None = None
    period: float | None = None
    places: tuple[float, ...] = ()
    ends: Range | None = None
    is_log: bool = False


@dataclass(frozen=True, eq=False)
class Made:
    """Columns of a table (times first), the level behind its values deseasonalised (n,), noise, and all truths."""

    columns: dict[str, list[Any]]
    level: Array
    noise: float
    truths: tuple[Truth, ...] = ()


# What is told ----------------------------------------------------------------------------------------------


def claims_of(record: dict[str, Any], times: Sequence[Any]) -> list[Claim]:
    """The claims of a record's entries "function" that are told; ``times`` (n,) are those of the data, in order."""
    told = [entry for entry in record["function"] if entry["told"]]
    return [claim for entry in told for claim in _of_entry(entry, times)]


def _of_entry(entry: dict[str, Any], times: Sequence[Any]) -> Iterator[Claim]:
    def row(name: str) -> float | None:
        return _row(entry.get(name), times)

    interval = None if entry["interval"] is None else (entry["interval"][0], entry["interval"][1])
    match entry["kind"]:
        case "rise":
            ends = _ends(row("first_to"), row("last_from"))
            period = entry.get("averaged_over")  # of a season: its levels are averages over whole ones
            yield Claim("rise", entry["number"], interval, row("from"), row("to"), period, ends=ends)
            if "steady" in entry["marks"]:
                yield _per_row("pace", entry["pace"], entry["pace_interval"], entry["pace_unit"], times)
        case "slope":
            yield replace(_per_row("slope", entry["number"], interval, entry["unit"], times), at=row("from"))
        case "run":
            yield Claim("run", entry["number"], interval, row("from"), row("to"))
        case "season":
            yield Claim("season", entry["period"], _span(entry.get("period_interval")), period=entry["period"])
            is_log = entry["swing_unit"] == "1"  # a ratio
            swing, low, high = (np.log(end) if is_log else end for end in (entry["swing"], *entry["swing_interval"]))
            yield Claim("swing", swing, (low, high), period=entry["period"], is_log=is_log)
            places = tuple(row for place in entry.get("tops", ()) if (row := _row(place, times)) is not None)
            if places:
                yield Claim("phase", 0.0, period=entry["period"], places=places)
        case "step" | "event":
            size = entry["after"] - entry["before"]
            yield Claim(entry["kind"], size, interval, row("at"), row("until"))
        case "scatter":
            yield Claim("scatter", entry["number"], interval, row("at") or row("from"))


def _positions(times: Sequence[Any]) -> Array:
    """The places of rows in mean steps from the first one: not whole numbers where rows are missing."""
    text = isinstance(times[0], str)
    places = np.array(times, dtype="datetime64[s]" if text else float).astype(float)
    return np.asarray((places - places[0]) / (places[-1] - places[0]) * (len(places) - 1))


def _places(data: Made) -> Array:
    """Those of the rows of a table."""
    return _positions(next(iter(data.columns.values()), range(len(data.level))))


def _span(ends: Sequence[float] | None) -> Range | None:
    """A range, None of a number that has none, as the periods of the calendar."""
    return None if ends is None or ends[0] == ends[1] else (ends[0], ends[1])


def _ends(first: float | None, last: float | None) -> Range | None:
    return None if first is None or last is None else (first, last)


def _per_row(kind: str, number: float, interval: Sequence[float] | None, unit: str, times: Sequence[Any]) -> Claim:
    """A pace or slope in a unit of the axis ("target per year") by row."""
    rows = 1.0
    if isinstance(times[0], str):
        seconds = np.diff(np.array([times[0], times[-1]], dtype="datetime64[s]").astype(float))[0] / (len(times) - 1)
        rows = SECONDS[unit.split()[-1]] / seconds
    ends = None if interval is None else (interval[0] / rows, interval[1] / rows)
    return Claim(kind, number / rows, ends)


def _row(place: Any, times: Sequence[Any]) -> float | None:
    """The row of a time, between rows where it lies between them."""
    if place is None:
        return None
    if isinstance(place, str):
        known = np.array(times, dtype="datetime64[s]").astype(float)
        return float(np.interp(np.datetime64(place, "s").astype(float), known, np.arange(len(known))))
    return float(np.interp(place, np.asarray(times, dtype=float), np.arange(len(times))))


# Whether it is true ----------------------------------------------------------------------------------------


def judged(claim: Claim, data: Made) -> bool:
    """Whether a claim is true of the data.

    Examples
    --------
    >>> data = Made({}, np.zeros(60), 1.0, (Truth("step", 20.0, at=30.0),))
    >>> [judged(Claim("step", 21.0, at=at), data) for at in (30.0, 40.0)]
    [True, False]
    """
    if claim.kind in COURSE:
        return _rises(claim, data)
    return any(_holds(claim, truth, data) for truth in data.truths)


def true_number(claim: Claim, data: Made) -> float | None:
    """What the number of a claim is in truth, None where there is no such thing."""
    if claim.kind in COURSE:
        return _TRUE[claim.kind](claim, data)
    for truth in data.truths:
        if claim.kind in ("season", "swing") and truth.kind == "season" and _is_period(claim, truth):
            return truth.number if claim.kind == "season" else _true_swing(claim, truth, data)
        sized = claim.kind == truth.kind and claim.kind in ("step", "event", "scatter")
        if sized and _is_near(claim.at, truth.at, truth.slack):
            return truth.number
    return None


def _true_rise(claim: Claim, data: Made) -> float:
    """The level at the last row less that at the first one; beside a season that of the stretches at both ends."""
    if claim.period is None or claim.ends is None:
        return float(data.level[-1] - data.level[0])
    first, last = map(round, claim.ends)
    return float(data.level[last:].mean() - data.level[: first + 1].mean())


def _true_run(claim: Claim, data: Made) -> float:
    """The level where a run ends less that where it begins, beside lasting steps."""
    level = _beside_steps(data)
    first, last = round(claim.at or 0), round(len(level) - 1 if claim.until is None else claim.until)
    return float(level[last] - level[first])


def _true_pace(_: Claim, data: Made) -> float:
    """The slope by row of a straight line through the level beside lasting steps."""
    return float(np.polyfit(_places(data), _beside_steps(data), 1)[0])


def _true_slope(claim: Claim, data: Made) -> float:
    """The slope by row from the stretch of rows before the last one to that."""
    level, places = _beside_steps(data), _places(data)
    late = round(claim.at or 0.0)
    before = np.arange(len(level)) < late
    before &= places >= 2.0 * places[late] - places[-1] - 1.0
    apart = places[late:].mean() - places[before].mean()
    return float((level[late:].mean() - level[before].mean()) / apart)


def _beside_steps(data: Made) -> Array:
    rows = np.arange(len(data.level))
    steps = [t.number * (rows >= t.at) for t in data.truths if t.kind == "step" and t.at is not None]
    return np.asarray(data.level - sum(steps, np.zeros(len(rows))))


_TRUE = {"rise": _true_rise, "pace": _true_pace, "slope": _true_slope, "run": _true_run}
COURSE = tuple(_TRUE)


def _true_swing(claim: Claim, truth: Truth, data: Made) -> float | None:
    """The swing of a season; of the logarithm at the typical level."""
    if truth.swing is None or not claim.is_log:
        return truth.swing
    return float(2.0 * np.arctanh(truth.swing / 2.0 / np.median(data.level)))


def _rises(claim: Claim, data: Made) -> bool:
    true = _TRUE[claim.kind](claim, data)
    if np.sign(true) != np.sign(claim.number):
        return False
    inside = claim.interval is not None and claim.interval[0] <= true <= claim.interval[1]
    return bool(inside or _is_size(claim.number, true, data.noise if claim.kind in ("rise", "run") else 0.0))


def _is_size(told: float, true: float, small: float = 0.0) -> bool:
    return abs(told - true) <= max(NEAR * abs(true), small)


def _is_period(claim: Claim, truth: Truth) -> bool:
    return claim.period is not None and abs(claim.period - truth.number) <= PERIOD * truth.number


def _is_near(told: float | None, true: float | None, slack: float) -> bool:
    return told is None or true is None or abs(told - true) <= slack


def _holds(claim: Claim, truth: Truth, data: Made) -> bool:
    inside = claim.interval is not None and claim.interval[0] <= truth.number <= claim.interval[1]
    match claim.kind:
        case "season":
            return truth.kind == "season" and _is_period(claim, truth)
        case "swing":
            return truth.kind == "season" and _is_period(claim, truth) and _swing_holds(claim, truth, data)
        case "phase":
            return truth.kind == "season" and _is_period(claim, truth) and _phase_holds(claim, truth)
        case "scatter":
            close = truth.number / RATIO <= claim.number <= truth.number * RATIO
            return truth.kind == "scatter" and (inside or close) and _is_near(claim.at, truth.at, truth.slack)
        case _:
            places = _is_near(claim.at, truth.at, truth.slack) and _is_near(claim.until, truth.until, truth.slack)
            return truth.kind == claim.kind and places and (inside or _is_size(claim.number, truth.number))


def _swing_holds(claim: Claim, truth: Truth, data: Made) -> bool:
    true = _true_swing(claim, truth, data)
    if true is None or (claim.interval and claim.interval[0] <= true <= claim.interval[1]):
        return True
    return _is_size(claim.number, true)


def _phase_holds(claim: Claim, truth: Truth) -> bool:
    """Whether the top is where it is said to be."""
    if truth.at is None or truth.until is None:
        return True
    cycle = truth.until - truth.at
    off = (np.array(claim.places) - truth.at) / cycle
    return bool(np.min(np.abs(off - np.round(off))) <= max(PHASE, 1.01 / cycle))


def by_probability(record: dict[str, Any], data: Made) -> dict[str, dict[str, int]]:
    """How many claims of a kind and of about one probability there are, told or not, and how many of them are true."""
    found: dict[str, dict[str, int]] = {}
    for entry in record["function"]:
        claims = claims_of({"function": [entry | {"told": True}]}, next(iter(data.columns.values())))
        if not claims or entry["probability"] is None or not entry["witness"]["agrees"]:
            continue
        band = np.searchsorted(PROBABILITIES, entry["probability"])
        low, high = (0.0, *PROBABILITIES, 1.0)[band : band + 2]
        count = found.setdefault(f"{claims[0].kind}, P {low:g}-{high:g}", {"claims": 0, "true": 0})
        count["claims"] += 1
        count["true"] += judged(claims[0], data)
    return found


def counts(claims: Sequence[Claim], data: Made, kind: str) -> dict[str, int]:
    """Of one kind: claims told and true; prominent truths and those told; ranges that were told and hold the truth."""
    mine = [claim for claim in claims if claim.kind == kind]
    prominent = [truth for truth in data.truths if truth.kind == kind and truth.prominent]
    told = sum(any(_holds(claim, truth, data) for claim in mine) for truth in prominent)
    rise = Claim("rise", 0.0)
    if kind == "rise" and abs(_true_rise(rise, data)) > 3.0 * data.noise:
        prominent, told = [Truth("rise", 0.0)], int(any(judged(claim, data) for claim in mine))
    numbers = [(claim.interval, true_number(claim, data)) for claim in mine]
    ranges = [(span, true) for span, true in numbers if span is not None and true is not None]
    return {
        "claims": len(mine),
        "true": sum(judged(claim, data) for claim in mine),
        "truths": len(prominent),
        "told": told,
        "ranges": len(ranges),
        "hold": sum(span[0] <= true <= span[1] for span, true in ranges),
    }


Array = NDArray[np.float64]
Rng = np.random.Generator
# Rows in a unit of the axis: years of months and quarters, days, rows.
PER_UNIT = {"MS": 12.0, "QS": 4.0, "YS": 1.0, "D": 1.0, "rows": 1.0}


@dataclass(frozen=True)
class Wave:
    """A season of ``rows``, ``swing`` from its lowest to its highest, which is at row ``top`` first."""

    rows: float
    swing: float
    top: float
    growth: float = 0.0  # of the swing, by the end

    def seen(self, count: int) -> float:
        """From its lowest to its highest at rows 0 to count - 1."""
        return float(np.ptp(self.values(count)))

    def values(self, count: int) -> Array:
        """The season at rows 0 to count - 1."""
        row = np.arange(count)
        size = 0.5 * self.swing * (1.0 + self.growth * row / count)
        return np.asarray(size * np.cos(2.0 * np.pi * (row - self.top) / self.rows))


def _made(
    rng: Rng,
    level: Array,
    sd: float | Array,
    *,
    freq: str = "MS",
    waves: tuple[Wave, ...] = (),
    told: tuple[Truth, ...] = (),
    events: Array | float = 0.0,
    values: Callable[[Array], Array] = np.asarray,
    gaps: float = 0.0,
) -> Made:
    """Rows with a level (n,), seasons, events and noise, as tables have them; a share of rows may be missing."""
    n = len(level)
    sds = np.broadcast_to(np.asarray(sd, dtype=float), n)
    y = values(level + sum(wave.values(n) for wave in waves) + events + rng.normal(0.0, 1.0, n) * sds)
    seasons = tuple(
        Truth("season", w.rows / PER_UNIT[freq], at=w.top, until=w.top + w.rows, swing=None if w.growth else w.seen(n))
        for w in waves
    )
    whole = min(n, 2 * max((w.rows for w in waves), default=0))  # rows of the first cycles, where tops are told, stay
    kept = np.append(np.arange(whole), whole + np.sort(rng.permutation(n - whole)[: round((1.0 - gaps) * n) - whole]))
    dated = freq != "rows"
    times = np.array(pd.date_range("2015-01-01", periods=n, freq=freq).strftime("%Y-%m-%d")) if dated else np.arange(n)
    columns = {"date" if dated else "row": times[kept].tolist(), "value": np.round(y, 3)[kept].tolist()}
    return Made(columns, level[kept] + np.zeros(len(kept)), float(np.median(sds)), (*seasons, *told))


def _flat(n: int, level: float = 100.0) -> Array:
    return np.full(n, level)


def _line(n: int, slope: float, level: float = 100.0) -> Array:
    return level + slope * np.arange(n)


def _step(rng: Rng) -> Made:
    return _made(rng, 100.0 + 25.0 * (np.arange(60) >= 35), 4.0, told=(Truth("step", 25.0, at=35.0),))


def _down_season(rng: Rng) -> Made:
    level = 100.0 - 30.0 * (np.arange(72) >= 40)
    return _made(rng, level, 4.0, waves=(Wave(12, 24.0, 6),), told=(Truth("step", -30.0, at=40.0),))


def _two_steps(rng: Rng) -> Made:
    row = np.arange(100)
    told = Truth("step", 30.0, at=30.0), Truth("step", -40.0, at=70.0)
    return _made(rng, 200.0 + 30.0 * (row >= 30) - 40.0 * (row >= 70), 5.0, told=told)


def _lockdown(rng: Rng) -> Made:
    row = np.arange(96)
    level = 900.0 + 4.0 * row
    events = np.where((row >= 62) & (row < 77), -0.75 * level, 0.0)
    told = (Truth("event", float(events[62:77].mean()), at=62.0, until=77.0),)
    return _made(rng, level, 25.0, waves=(Wave(12, 60.0, 6),), events=events, told=told)


def _scatter(rng: Rng) -> Made:
    sds = np.where(np.arange(96) < 48, 2.0, 8.0)
    return _made(rng, _flat(96, 60.0), sds, told=(Truth("scatter", 4.0, at=48.0, slack=9.0),))


def _days_of_scatter(rng: Rng) -> Made:
    sds = np.where(np.arange(200) < 110, 2.0, 8.0)
    return _made(rng, _flat(200, 60.0), sds, freq="D", told=(Truth("scatter", 4.0, at=110.0, slack=15.0),))


def _walk(rng: Rng) -> Made:
    return _made(rng, 100.0 + np.cumsum(rng.normal(2.0, 2.0, 60)), 0.5)


def _still_walk(rng: Rng) -> Made:
    return _made(rng, 100.0 + np.cumsum(rng.normal(0.0, 2.0, 120)), 0.5)


def _arma(rng: Rng) -> Made:
    noise, level = rng.normal(0.0, 3.0, 160), np.zeros(160)
    for row in range(1, 160):
        level[row] = 0.7 * level[row - 1] + noise[row] + 0.3 * noise[row - 1]
    return _made(rng, 50.0 + level, 0.3)


def _single(row: int, size: float) -> Truth:
    """A value that stands alone: a report may say it as an event, or only among the values set aside."""
    return Truth("event", size, at=float(row), until=row + 1.0, slack=0.5, prominent=False)


def _outliers(rng: Rng) -> Made:
    sizes = {12: -40.0, 25: 50.0, 41: -60.0}
    events = np.zeros(60)
    events[list(sizes)] = list(sizes.values())
    return _made(rng, _flat(60), 4.0, events=events, told=tuple(_single(row, size) for row, size in sizes.items()))


def _last_outlier(rng: Rng) -> Made:
    return _made(rng, _flat(36), 5.0, events=-60.0 * (np.arange(36) == 35), told=(_single(35, -60.0),))


def _kink(rng: Rng) -> Made:
    return _made(rng, 100.0 + np.maximum(np.arange(60) - 30, 0) * 2.0, 3.0)


def _roof(rng: Rng) -> Made:
    row = np.arange(80)
    return _made(rng, 100.0 + np.where(row < 45, 1.2 * row, 54.0 - 0.9 * (row - 45)), 4.0)


def _s_shape(rng: Rng) -> Made:
    return _made(rng, 100.0 + 60.0 / (1.0 + np.exp(-(np.arange(72) - 36) / 5.0)), 4.0)


def _damped(rng: Rng) -> Made:
    return _made(rng, 100.0 + 80.0 * (1.0 - np.exp(-np.arange(60) / 12.0)), 4.0)


def _exponential(rng: Rng) -> Made:
    level = 100.0 * np.exp(0.03 * np.arange(72))
    return _made(rng, level, 0.05 * level)


def _ramp(rng: Rng) -> Made:
    return _made(rng, 100.0 + np.clip(np.arange(90) - 40, 0, 12) * 3.0, 3.0)


def _counts(rng: Rng) -> Made:
    level = 4.0 + 3.0 * np.cos(2.0 * np.pi * (np.arange(96) - 6) / 12.0)
    table = _made(rng, _flat(96, 4.0), 0.0, waves=(Wave(12, 6.0, 6),))
    return Made(table.columns | {"value": rng.poisson(level).tolist()}, _flat(96, 4.0), 2.0, table.truths)


def _percentages(rng: Rng) -> Made:
    return _made(rng, _flat(80, 98.5), 1.2, values=lambda y: np.minimum(y, 100.0))


def _rounded(rng: Rng) -> Made:
    return _made(rng, _line(70, 0.15, 20.0), 1.0, values=np.round)


def _week(rng: Rng) -> Made:
    return _made(rng, _line(200, 0.05, 80.0), 4.0, freq="D", waves=(Wave(7, 24.0, 4),))


def _two_waves(rng: Rng) -> Made:
    return _made(rng, _flat(240, 50.0), 2.0, freq="rows", waves=(Wave(12, 16.0, 3), Wave(41, 10.0, 10.25)))


def _year_and_long(rng: Rng) -> Made:
    return _made(rng, _flat(240, 50.0), 2.0, waves=(Wave(12, 16.0, 3), Wave(41, 10.0, 10.25)))


def _two_thousand(rng: Rng) -> Made:
    return _made(rng, _line(2000, 0.01), 5.0, freq="D", waves=(Wave(7, 20.0, 4),))


SERIES: dict[str, Callable[[Rng], Made]] = {
    "noise": lambda rng: _made(rng, _flat(60), 5.0),
    "line": lambda rng: _made(rng, _line(60, 1.0), 4.0),
    "falling line": lambda rng: _made(rng, _line(48, -1.5, 200.0), 6.0),
    "season": lambda rng: _made(rng, _flat(72), 3.0, waves=(Wave(12, 30.0, 6),)),
    "line and season": lambda rng: _made(rng, _line(72, 0.8), 3.0, waves=(Wave(12, 24.0, 6),)),
    "quarters": lambda rng: _made(rng, _line(48, 1.0, 300.0), 4.0, freq="QS", waves=(Wave(4, 40.0, 1),)),
    "growing swings": lambda rng: _made(rng, _line(96, 1.0), 3.0, waves=(Wave(12, 12.0, 6, 2.0),)),
    "gaps": lambda rng: _made(rng, _line(96, 0.8), 3.0, waves=(Wave(12, 24.0, 6),), gaps=0.15),
    "eight rows": lambda rng: _made(rng, _line(8, 6.0), 2.0, freq="YS"),
    "step up": _step,
    "step down and season": _down_season,
    "two steps": _two_steps,
    "lockdown": _lockdown,
    "kink": _kink,
    "roof": _roof,
    "ramp": _ramp,
    "s-shape": _s_shape,
    "damped trend": _damped,
    "exponential": _exponential,
    "walk with drift": _walk,
    "walk": _still_walk,
    "arma": _arma,
    "scatter quadruples": _scatter,
    "scatter by days": _days_of_scatter,
    "outliers": _outliers,
    "last outlier": _last_outlier,
    "counts": _counts,
    "percentages": _percentages,
    "rounded": _rounded,
    "week": _week,
    "two waves": _two_waves,
    "year and long wave": _year_and_long,
    "two thousand rows": _two_thousand,
}
