"""The claims about the function behind a series: a table with both witnesses, and plain values for machines."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from autostatistician.claims.claim import Claim, told
from autostatistician.claims.kinds import Form, Kind
from autostatistician.claims.quantity import Measure
from autostatistician.describe.axis.cycles import phase_kind, phase_name, phases
from autostatistician.describe.axis.units import Units
from autostatistician.describe.document.document import Section, Table
from autostatistician.describe.facts.kinds import Phase
from autostatistician.describe.words.amounts import one_added
from autostatistician.describe.words.function import claim_text
from autostatistician.i18n.messages import message, say, say_as
from autostatistician.i18n.numbers import capital, decimals_for, fixed, in_percent, percent

__all__ = ["claims_table", "season_section"]


def claims_table(claims: Sequence[Claim], units: Units) -> Table | None:
    """What is told of the function, and how sure the models are; of its runs, those in the text and the largest."""
    rows: list[tuple[str, str]] = []
    runs = [claim for claim in claims if claim.kind is Kind.RUN]
    largest = max(runs, key=lambda run: abs(run.number.value), default=None)
    for claim in told(claims, *Kind):
        if claim.kind is Kind.RUN and claim is not largest and "in text" not in claim.marks:
            continue
        if claim.form == Form.APART:  # beside steps, which are the rise
            continue
        text = claim_text(claim, units)
        row = text, percent(claim.probability or 0.0)
        if text and claim.probability is not None and row not in rows:
            rows.append(row)
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
_NOTE_OF_ENDS = message("Compared with its mean, in the last third of the data; at first: in the first third.")


def season_section(claims: Sequence[Claim], units: Units) -> tuple[Section, ...]:
    """What the seasons that are told add in each month, quarter, weekday or hour; none where these have no names."""
    tables = tuple(table for season in told(claims, Kind.SEASON) for table in _season_table(season, units))
    return (Section("seasons", say("Seasonality"), tables),) if tables else ()


def _season_table(season: Claim, units: Units) -> tuple[Table, ...]:
    kind = phase_kind(season["period"], units)
    if not kind:
        return ()
    of_phases, first = season.of(Kind.PHASE), next(iter(season.of(Kind.SEASON)), None)
    places, _ = phases(np.array([part.at[0] for part in of_phases]), kind, units)
    numbers = np.array([(part.number.value, *part.number.interval) for part in of_phases])
    if first is not None:
        numbers = np.column_stack([[part.number.value for part in first.of(Kind.PHASE)], numbers])
    means = {place: numbers[places == place].mean(axis=0).tolist() for place in sorted(set(places.tolist()))}
    rows = tuple((capital(phase_name(kind, place)), *_cells(mean, season, units)) for place, mean in means.items())
    is_share = of_phases[0].number.measure is Measure.LEVEL
    adds = say_as("of a target", "Share") if is_share else say_as("in a table", "Adds")
    at_first = () if first is None else (say("At first"),)
    header = (say(_PHASES[kind]), *at_first, adds, say("Lower 95% limit"), say("Upper 95% limit"))
    note = say(_NOTE_OF_SHARES if is_share else _NOTE if first is None else _NOTE_OF_ENDS, usual=one_added(0.0, units))
    caption = say(_MAKES if is_share else _ADDS, it=units.it)
    name = f"table-season-{_CYCLES[kind]}"
    return (Table(name, caption, header, rows, (False, *(True for _ in header[1:])), note),)


def _cells(numbers: Sequence[float], season: Claim, units: Units) -> list[str]:
    """Amounts as the cells of a table, all as fine as the swing that they are part of."""
    swing, part = season.more["swing"], season.of(Kind.PHASE)[0].number
    is_ratio = part.measure is Measure.RATIO
    turn = 100.0 if is_ratio else units.in_per_cent
    decimals = decimals_for(turn * (swing.value - swing.nothing))
    shown = [fixed(turn * (number - part.nothing), decimals) for number in numbers]
    return [in_percent(text) for text in shown] if is_ratio or units.is_odds else shown
