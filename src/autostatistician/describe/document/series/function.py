"""The claims about the function behind a series: a table with both witnesses, and plain values for machines."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from autostatistician.describe.axis.cycles import phase_kind, phase_name, phases
from autostatistician.describe.axis.lengths import rate
from autostatistician.describe.axis.units import Units
from autostatistician.describe.document.document import Section, Table
from autostatistician.describe.document.record import recorded_place, stored
from autostatistician.describe.facts.fact import SHARE
from autostatistician.describe.facts.function import (
    FunctionFact,
    NoiseThroughout,
    Rise,
    RunOfCourse,
    ScatterStep,
    SeasonSwing,
    SlopeOfLate,
    Still,
    SuddenChange,
)
from autostatistician.describe.facts.judgement import KNOWN
from autostatistician.describe.facts.kinds import Phase
from autostatistician.describe.words.amounts import one_added, per_cent
from autostatistician.describe.words.course import is_steady, told_runs
from autostatistician.describe.words.function import claim_text
from autostatistician.describe.words.seasons import swing_text
from autostatistician.wording.messages import ENGLISH, message, say, say_as, spoken_in
from autostatistician.wording.numbers import (
    amount,
    capital,
    decimals_between,
    decimals_for,
    fixed,
    in_percent,
    percent,
)

__all__ = ["claims_table", "function_record", "season_section"]

Array = NDArray[np.float64]

_KINDS = {
    Rise: "rise", RunOfCourse: "run", SlopeOfLate: "slope", SeasonSwing: "season", ScatterStep: "scatter",
    NoiseThroughout: "noise",
}  # fmt: skip


def claims_table(facts: Sequence[FunctionFact], units: Units, scale: tuple[str, float] | None = None) -> Table | None:
    """What was asked of the function, how sure the models are, and whether the data alone say the same.

    ``scale`` is what the data leave open about it, with its probability.
    """
    rows, in_text = [], told_runs(facts)
    for fact in facts:
        text = claim_text(fact, units)
        if text and _leaves_out_step(fact, facts):
            text = say("{claim}, apart from a sudden change", claim=text)
        if text and fact.probability is not None and (fact.told or fact.probability >= KNOWN):
            here_only = isinstance(fact, RunOfCourse) and fact not in in_text
            rows.append((text, percent(fact.probability), _seen(fact), _said(fact, here_only=here_only)))
    rows += [] if scale is None else [(scale[0], percent(scale[1]), "–", say_as("a claim", "open"))]
    if not rows:
        return None
    note = say(
        "Probability: over all models of the search and what they leave open, that it is so. The data alone: a plain "
        "statistic (medians, least squares) that no model has a part in. Only what both say is said in this report."
    )
    header = (say("Claim"), say("Probability"), say("The data alone say"), say("Said in this report"))
    return Table(
        "table-claims", say("What was asked of the course."), header, tuple(rows), (False, True, False, False), note
    )


def _seen(fact: FunctionFact) -> str:
    """Whether the data alone say the same."""
    if fact.witness is None:
        return "–"
    return say("the same") if fact.witness.agrees else say("something else")


def _said(fact: FunctionFact, *, here_only: bool) -> str:
    """Whether the report says it."""
    if not fact.told:
        return say_as("answer", "no")
    return say("only here") if here_only else say_as("answer", "yes")


def _leaves_out_step(fact: FunctionFact, facts: Sequence[FunctionFact]) -> bool:
    """Whether a rise or fall leaves out a sudden change within it."""
    if not isinstance(fact, RunOfCourse) or fact.of < 2:
        return False
    lasting = (step for step in facts if isinstance(step, SuddenChange) and step.told and step.until is None)
    return any(fact.start < step.at <= fact.stop for step in lasting)


# The cycles whose turns have places with names, as ids; those places; and what is said of each cycle.
_CYCLES = {Phase.MONTH: "yearly", Phase.QUARTER: "yearly", Phase.WEEKDAY: "weekly", Phase.HOUR: "daily"}
_PHASES = {
    Phase.MONTH: message("Month"), Phase.QUARTER: message("Quarter"), Phase.WEEKDAY: message("Weekday"),
    Phase.HOUR: message("Hour"),
}  # fmt: skip
_MAKES = {
    "yearly": message("What the yearly pattern makes of {it} where it is otherwise as usual."),
    "weekly": message("What the weekly pattern makes of {it} where it is otherwise as usual."),
    "daily": message("What the daily pattern makes of {it} where it is otherwise as usual."),
}
_ADDS = {
    "yearly": message("What the yearly pattern adds to {it}."),
    "weekly": message("What the weekly pattern adds to {it}."),
    "daily": message("What the daily pattern adds to {it}."),
}
_NOTES = {
    "yearly": message("Compared with the mean over the year, on average over all years of the data."),
    "weekly": message("Compared with the mean over the week, on average over all weeks of the data."),
    "daily": message("Compared with the mean over the day, on average over all days of the data."),
}
_NOTES_OF_SHARES = {
    "yearly": message("For a year that is typically at {usual}, without what chance adds."),
    "weekly": message("For a week that is typically at {usual}, without what chance adds."),
    "daily": message("For a day that is typically at {usual}, without what chance adds."),
}


_GROWN = message(
    "The pattern has grown: {swing}. For the last third of the data, take about {times} times the amounts of the table."
)
_SHRUNK = message(
    "The pattern has shrunk: {swing}. For the last third of the data, take about {times} times the amounts of the "
    "table."
)


def season_section(facts: Sequence[FunctionFact], units: Units) -> tuple[Section, ...]:
    """What the seasons that are told add in each month, quarter, weekday or hour; none where these have no names."""
    seasons = [fact for fact in facts if isinstance(fact, SeasonSwing) and fact.told]
    tables = tuple(filter(None, (_season_table(fact, units) for fact in seasons)))
    return (Section("seasons", say("Seasonality"), tables),) if tables else ()


def _season_table(fact: SeasonSwing, units: Units) -> Table | None:
    kind = phase_kind(fact.period, units)
    if not kind:
        return None
    places, _ = phases(np.array([phase.at for phase in fact.phases]), kind, units)
    numbers = _about_mean(np.array([(phase.value, *phase.interval) for phase in fact.phases]), units)
    rows = tuple(
        (capital(phase_name(kind, place)), *_added(numbers[places == place].mean(axis=0).tolist(), fact.swing, units))
        for place in sorted(set(places.tolist()))
    )
    cycle_id = _CYCLES[kind]
    name, numeric = f"table-season-{cycle_id}", (False, True, True, True)
    first, ends = say(_PHASES[kind]), (say("Lower 95% limit"), say("Upper 95% limit"))
    if units.is_odds:
        header = (first, say_as("of a target", "Share"), *ends)
        note: str = say(_NOTES_OF_SHARES[cycle_id], usual=one_added(0.0, units))
        return Table(name, say(_MAKES[cycle_id], it=units.it), header, rows, numeric, note)
    note = " ".join((say(_NOTES[cycle_id]), *_latest(fact, numbers[:, 0], units)))
    header = (first, say_as("in a table", "Adds"), *ends)
    return Table(name, say(_ADDS[cycle_id], it=units.it), header, rows, numeric, note)


def _about_mean(numbers: Array, units: Units) -> Array:
    """Values with their limits (m, 3) about the mean of a cycle: logarithms about that of the mean of what they are of.

    >>> from autostatistician.data.times.axes import plain_axis
    >>> from autostatistician.describe.axis.units import units_of
    >>> x = np.arange(9.0)
    >>> rates = units_of(plain_axis("x", x), x, x, "y", level=2.0)
    >>> np.exp(_about_mean(np.log([[0.5] * 3, [1.0] * 3, [3.0] * 3]), rates))[:, 0].round(2).tolist()
    [0.33, 0.67, 2.0]
    """
    if not units.is_log or units.is_odds:
        return numbers
    return np.asarray(numbers - np.log(np.exp(numbers[:, 0]).mean()))


def _latest(fact: SeasonSwing, adds: Array, units: Units) -> tuple[str, ...]:
    """How much larger or smaller a swing is of late than in the table; nothing where it is not."""
    if fact.swing_ends is None:
        return ()
    told = {"swing": swing_text(fact, units), "times": amount(fact.swing_ends[1] / float(np.ptp(adds)), 2)}
    if fact.swing_ends[1] > fact.swing_ends[0]:
        return (say(_GROWN, **told),)
    return (say(_SHRUNK, **told),)


def _added(numbers: Sequence[float], swing: float, units: Units) -> list[str]:
    """Amounts as the cells of a table, all as fine as the swing that they are part of."""
    if units.is_odds:
        low, high = (units.in_per_cent * float(units.level_at(np.array(side * swing))) for side in (-0.5, 0.5))
        shown = (units.in_per_cent * float(units.level_at(np.array(number))) for number in numbers)
        return [in_percent(fixed(number, decimals_between(low, high))) for number in shown]
    if units.is_log:
        return [in_percent(fixed(per_cent(number), decimals_for(per_cent(swing)))) for number in numbers]
    return [fixed(number, decimals_for(swing)) for number in numbers]


def function_record(fact: FunctionFact, units: Units) -> dict[str, object]:
    """A claim as plain JSON values: numbers in the units of the data, places as dates where there are such."""
    low, high = fact.interval or (None, None)
    times = 100.0 if fact.unit == SHARE else 1.0
    unit, turn = "%" if fact.unit == SHARE else fact.unit, 1.0
    if isinstance(fact, SlopeOfLate):
        turn, unit = _slope_unit(units)
    record: dict[str, object] = {
        "id": fact.id,
        "kind": _kind(fact),
        "number": stored(times * turn * fact.number),
        "unit": unit,
        "interval": None if low is None or high is None else [stored(times * turn * low), stored(times * turn * high)],
        "probability": None if fact.probability is None else stored(fact.probability),
        "told": fact.told,
        **_places(fact, units),
    }
    if fact.witness is not None:
        seen = fact.witness
        record["witness"] = {
            "statistic": seen.statistic, "number": stored(seen.number),
            "interval": [stored(end) for end in seen.interval], "agrees": seen.agrees,
        }  # fmt: skip
    return record


def _slope_unit(units: Units) -> tuple[float, str]:
    """What slopes per unit of the axis are multiplied by, and what they are then in; for machines, so in English."""
    with spoken_in(ENGLISH):
        turn, per = rate(1.0, units)
    return turn, f"target {per}"


def _kind(fact: FunctionFact) -> str:
    if isinstance(fact, SuddenChange):
        return "step" if fact.until is None else "event"
    return _KINDS[type(fact)]


def _places(fact: FunctionFact, units: Units) -> dict[str, object]:
    match fact:
        case Rise() | RunOfCourse():
            return {
                "from": recorded_place(fact.start, units), "to": recorded_place(fact.stop, units),
                "first": stored(fact.first), "last": stored(fact.last), "still": _still(fact.still, units),
                **(_pace(fact, units) if isinstance(fact, Rise) else _turn(fact, units)),
            }  # fmt: skip
        case SlopeOfLate():
            return {"from": recorded_place(fact.start, units)}
        case SeasonSwing():
            return {
                "period": stored(fact.period), "period_interval": [stored(end) for end in fact.period_interval],
                "swing": stored(fact.swing),
                "swing_interval": [stored(end) for end in fact.swing_interval],
                "swing_ends": None if fact.swing_ends is None else [stored(end) for end in fact.swing_ends],
                "p_value": stored(fact.p_value), "swing_unit": "log target" if units.is_log else "target",
                "high": recorded_place(fact.top, units), "low": recorded_place(fact.bottom, units),
                "tops": [recorded_place(place, units) for place in fact.tops],
                "bottoms": [recorded_place(place, units) for place in fact.bottoms],
                "phases": [[recorded_place(phase.at, units), stored(phase.value)] for phase in fact.phases],
            }  # fmt: skip
        case SuddenChange():
            share = None if fact.share is None else stored(100.0 * fact.share)
            until = None if fact.until is None else recorded_place(fact.until, units)
            return {
                "at": recorded_place(fact.at, units), "until": until, "before": stored(fact.level),
                "after": stored(fact.after), "share": share,
            }  # fmt: skip
        case ScatterStep():
            between = None if fact.between is None else [recorded_place(end, units) for end in fact.between]
            return {
                "at": recorded_place(fact.at, units), "between": between, "before": stored(fact.before),
                "after": stored(fact.after),
            }  # fmt: skip
        case _:
            return {}


def _still(still: Still | None, units: Units) -> object:
    """Where a rise or fall stands still, with the levels there."""
    if still is None:
        return None
    places = {"from": recorded_place(still.start, units), "to": recorded_place(still.stop, units)}
    return {**places, "first": stored(still.first), "last": stored(still.last)}


def _pace(fact: Rise, units: Units) -> dict[str, object]:
    """Over which rows the levels at the ends are taken, and how fast it goes beside lasting steps."""
    turn, unit = _slope_unit(units)
    return {
        "first_to": recorded_place(fact.ends[0], units), "last_from": recorded_place(fact.ends[1], units),
        "pace": stored(turn * fact.pace), "pace_interval": [stored(turn * end) for end in fact.pace_interval],
        "pace_unit": unit, "steady": is_steady(fact, units),
    }  # fmt: skip


def _turn(fact: RunOfCourse, units: Units) -> dict[str, object]:
    if fact.place == 1:
        return {}
    return {"from_interval": [recorded_place(end, units) for end in fact.start_interval]}
