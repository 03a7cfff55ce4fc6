"""The claims about the function behind a series: a table with both witnesses, and plain values for machines."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autostatistician.describe.axis.cycles import phase_kind, phase_name, phases
from autostatistician.describe.axis.lengths import rate
from autostatistician.describe.axis.units import Units
from autostatistician.describe.claims.claim import Claim, told
from autostatistician.describe.claims.kinds import Kind
from autostatistician.describe.claims.quantity import Measure, Quantity
from autostatistician.describe.document.document import Section, Table
from autostatistician.describe.document.record import recorded_place, stored
from autostatistician.describe.facts.kinds import Phase
from autostatistician.describe.words.amounts import one_added
from autostatistician.describe.words.function import claim_text
from autostatistician.describe.words.seasons import swing_text
from autostatistician.wording.messages import ENGLISH, message, say, say_as, spoken_in
from autostatistician.wording.numbers import amount, capital, decimals_for, fixed, in_percent, percent

__all__ = ["claim_record", "claims_table", "season_section"]


def claims_table(claims: Sequence[Claim], units: Units) -> Table | None:
    """What is told of the function, and how sure the models are; of its runs, those in the text and the largest."""
    rows, steps = [], [claim.at[1] for claim in told(claims, Kind.STEP)]
    runs = [claim for claim in claims if claim.kind is Kind.RUN]
    largest = max(runs, key=lambda run: abs(run.number.value), default=None)
    for claim in told(claims, *Kind):
        if claim.kind is Kind.RUN and claim is not largest and "in text" not in claim.marks:
            continue
        text = claim_text(claim, units)
        if text and claim.kind is Kind.RUN and any(claim.at[0] < step <= claim.at[1] for step in steps):
            text = say("{claim}, apart from a sudden change", claim=text)
        if text and claim.probability is not None:
            rows.append((text, percent(claim.probability)))
    if not rows:
        return None
    note = say("Probability: over all models of the search. A plain statistic of the data alone says the same of each.")
    header = (say("Claim"), say("Probability"))
    return Table("table-claims", say("What was asked of the course."), header, tuple(rows), (False, True), note)


# --- What a season adds where its places have names -------------------------------------------------------------------

# The cycles whose turns have places with names, as ids, and what these places are.
_CYCLES = {Phase.MONTH: "yearly", Phase.QUARTER: "yearly", Phase.WEEKDAY: "weekly", Phase.HOUR: "daily"}
_PHASES = {
    Phase.MONTH: message("Month"), Phase.QUARTER: message("Quarter"), Phase.WEEKDAY: message("Weekday"),
    Phase.HOUR: message("Hour"),
}  # fmt: skip
_MAKES = message("What the pattern makes of {it} where it is otherwise as usual.")
_ADDS = message("What the pattern adds to {it}.")
_NOTE_OF_SHARES = message("Where it is typically at {usual}, without what chance adds.")
_NOTE = message("Compared with its mean, on average over all of the data.")
# By whether it has grown.
_SWUNG = {
    True: message(
        "The pattern has grown: {swing}. For the last third of the data, take about {times} times the amounts of the "
        "table."
    ),
    False: message(
        "The pattern has shrunk: {swing}. For the last third of the data, take about {times} times the amounts of the "
        "table."
    ),
}


def season_section(claims: Sequence[Claim], units: Units) -> tuple[Section, ...]:
    """What the seasons that are told add in each month, quarter, weekday or hour; none where these have no names."""
    tables = tuple(table for season in told(claims, Kind.SEASON) for table in _season_table(season, units))
    return (Section("seasons", say("Seasonality"), tables),) if tables else ()


def _season_table(season: Claim, units: Units) -> tuple[Table, ...]:
    kind = phase_kind(season["period"], units)
    if not kind:
        return ()
    places, _ = phases(np.array([part.at[0] for part in season.parts]), kind, units)
    numbers = np.array([(part.number.value, *part.number.interval) for part in season.parts])
    means = {place: numbers[places == place].mean(axis=0).tolist() for place in sorted(set(places.tolist()))}
    rows = tuple((capital(phase_name(kind, place)), *_cells(mean, season, units)) for place, mean in means.items())
    is_share = season.parts[0].number.measure is Measure.LEVEL
    adds = say_as("of a target", "Share") if is_share else say_as("in a table", "Adds")
    header = (say(_PHASES[kind]), adds, say("Lower 95% limit"), say("Upper 95% limit"))
    note = say(_NOTE_OF_SHARES if is_share else _NOTE, usual=one_added(0.0, units))
    notes = [note] if is_share else [note, *_latest(season, numbers, units)]
    caption = say(_MAKES if is_share else _ADDS, it=units.it)
    name = f"table-season-{_CYCLES[kind]}"
    return (
        Table(
            name,
            caption,
            header,
            rows,
            (False, True, True, True),
            " ".join(notes),
        ),
    )


def _latest(season: Claim, numbers: np.ndarray, units: Units) -> tuple[str, ...]:
    """How much larger or smaller a swing is of late than in the table; nothing where it is not."""
    if "late" not in season.more:
        return ()
    of_table = float(np.ptp(numbers[:, 0]))
    times = (season["late"] - season.more["late"].nothing) / of_table
    grown = season["late"] > season["early"]
    return (say(_SWUNG[grown], swing=swing_text(season, units), times=amount(times, 2)),)


def _cells(numbers: Sequence[float], season: Claim, units: Units) -> list[str]:
    """Amounts as the cells of a table, all as fine as the swing that they are part of."""
    swing, part = season.more["swing"], season.parts[0].number
    is_ratio = part.measure is Measure.RATIO
    turn = 100.0 if is_ratio else units.in_per_cent
    decimals = decimals_for(turn * (swing.value - swing.nothing))
    shown = [fixed(turn * (number - part.nothing), decimals) for number in numbers]
    return [in_percent(text) for text in shown] if is_ratio or units.is_odds else shown


# --- Plain values -----------------------------------------------------------------------------------------------------

_UNITS = {
    Measure.LEVEL: "target", Measure.DIFFERENCE: "target", Measure.RATIO: "1", Measure.SHARE: "%", Measure.COUNT: "1",
    Measure.SPAN: "axis", Measure.PLACE: "axis", Measure.GROWTH: "share per axis",
}  # fmt: skip
_PLACES = {
    Kind.RISE: ("from", "first_to", "last_from", "to"), Kind.RUN: ("from", "to"), Kind.STILL: ("from", "to"),
    Kind.SLOPE: ("from",), Kind.STEP: ("", "at"), Kind.EVENT: ("", "at", "until"), Kind.PHASE: ("at",),
    Kind.SEASON: ("absent_from", "absent_to"),
}  # fmt: skip


def claim_record(claim: Claim, units: Units) -> dict[str, object]:
    """A claim as plain JSON values: numbers in the units of the data, places as dates where there are such."""
    number, interval, unit = _plain(claim.number, units)
    record: dict[str, object] = {
        "id": claim.id, "kind": claim.kind.value, "form": claim.form, "number": number, "unit": unit,
        "interval": interval, "probability": None if claim.probability is None else stored(claim.probability),
        "told": claim.told, "standing": claim.standing.value, "marks": sorted(claim.marks), **_body(claim, units),
    }  # fmt: skip
    if claim.witness is not None:
        number, interval, _ = _plain(claim.witness.number, units)
        record["witness"] = {
            "statistic": claim.witness.statistic, "number": number, "interval": interval, "agrees": claim.witness.agrees
        }  # fmt: skip
    return record


def _body(claim: Claim, units: Units) -> dict[str, object]:
    """Where it is so, with more numbers, and the claims that are parts of it."""
    names = _PLACES.get(claim.kind, ("at",) if len(claim.at) == 1 else ("from", "to"))
    body: dict[str, object] = {
        name.replace(" ", "_"): recorded_place(place, units)
        for name, place in zip(names, claim.at, strict=False)
        if name
    }
    for name, quantity in claim.more.items():
        number, interval, unit = _plain(quantity, units)
        body |= {name.replace(" ", "_"): number, f"{name}_unit".replace(" ", "_"): unit}
        body |= {f"{name}_interval".replace(" ", "_"): interval} if quantity.low < quantity.high else {}
    for name, places in (("tops", claim.tops), ("bottoms", claim.bottoms)):
        body |= {name: [recorded_place(place, units) for place in places]} if claim.kind is Kind.SEASON else {}
    parts = [
        {"kind": part.kind.value, "number": _plain(part.number, units)[0], **_body(part, units)} for part in claim.parts
    ]
    return body | ({"parts": parts} if parts else {})


def _plain(quantity: Quantity, units: Units) -> tuple[object, Sequence[object], str]:
    """A number, the ends of its range and its unit; slopes per unit of time, for machines, so in English."""
    every, unit = np.array([quantity.value, *quantity.interval]), _UNITS.get(quantity.measure, "target")
    if quantity.measure is Measure.PLACE:
        places = [recorded_place(place, units) for place in every.tolist()]
        return places[0], places[1:], unit
    if quantity.measure is Measure.SLOPE:
        with spoken_in(ENGLISH):
            turn, per = rate(1.0, units)
        every, unit = turn * every, f"target {per}"
    number, *ends = map(stored, (every * (100.0 if quantity.measure is Measure.SHARE else 1.0)).tolist())
    return number, ends, unit
