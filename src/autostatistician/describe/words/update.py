"""What is said of new rows: whether they came as a model expected, and whether to search again."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.claims.kinds import SEVERAL
from autostatistician.describe.axis.places import stamp
from autostatistician.describe.axis.units import Units
from autostatistician.describe.words import amounts
from autostatistician.describe.words.ranges import told_for
from autostatistician.forms import BAND_SDS
from autostatistician.i18n.messages import message, say, say_count
from autostatistician.i18n.names import in_turn, listed
from autostatistician.i18n.numbers import amount, fixed, in_percent, p_text

__all__ = ["advice_text", "lacking_text", "missed_text", "moved_text", "rows_texts", "surprise_text"]


# Position, value, the range of 95 % that was forecast, and what has moved most to that side ("": nothing).
MissedForecast = tuple[float, float, float, float, str]

MovedPart = tuple[str, float, float, float]  # name, position, change and its standard deviation


def surprise_text(rows: int, inside: int, p: float, surprising: bool, drift: float | None, size: float) -> str:
    """How new rows compare with what was expected; ``drift`` is None where they are off on both sides.

    >>> surprise_text(12, 11, 0.43, False, None, 1.1).split(". ")[1]
    'Together they are no surprise (p = 0.43).'
    """
    within, together = _within(rows, inside), rows > 1
    told = {"p": p_text(p), "deviations": amount(abs(drift or 0.0), 2), "times": amount(size, 2)}
    if not surprising:
        text = (
            say("Together they are no surprise ({p}).", **told) if together else say("It is no surprise ({p}).", **told)
        )
    elif drift is None:
        text = (
            say("Together they are a surprise ({p}): the errors are {times} times as large as expected.", **told)
            if together
            else say("It is a surprise ({p}): the errors are {times} times as large as expected.", **told)
        )
    else:
        text = say(_DRIFTS[together, drift > 0.0], **told)
    return f"{within} {text}"


def _within(rows: int, inside: int) -> str:
    """How many new rows lie within their ranges."""
    if rows == 1:
        return (
            say("The new row lies within its range of 95%.")
            if inside
            else say("The new row lies outside its range of 95%.")
        )
    every, some = fixed(rows, 0), fixed(inside, 0)
    if inside == rows:
        return say("All {n} new rows lie within their 95% ranges, each given the rows before.", n=every)
    return say(
        "{some} of the {n} new rows lie within their 95% ranges, each given the rows before.", some=some, n=every
    )


_DRIFTS = {  # by whether there are several rows, and whether they lie above
    (True, True): message(
        "Together they are a surprise ({p}): they lie on average {deviations} standard deviations above what the model "
        "expected."
    ),
    (True, False): message(
        "Together they are a surprise ({p}): they lie on average {deviations} standard deviations below what the model "
        "expected."
    ),
    (False, True): message(
        "It is a surprise ({p}): it lies {deviations} standard deviations above what the model expected."
    ),
    (False, False): message(
        "It is a surprise ({p}): it lies {deviations} standard deviations below what the model expected."
    ),
}


def advice_text(surprising: bool, searched: int, rows: int, grown: bool) -> str:
    """Whether to search again."""
    if surprising:
        return say("Search again: what the model says may not hold any more.")
    if grown:
        return say(
            "Search again: the model was found on {searched} rows, and {rows} may show more.",
            searched=fixed(searched, 0), rows=fixed(rows, 0),
        )  # fmt: skip
    return say("Nothing speaks for a new search: the model keeps its expression and its numbers.")


def lacking_text(names: Sequence[str]) -> str:
    """That new rows came without values of columns that act.

    >>> lacking_text(["promo"])
    "New rows have no value of 'promo': they are judged as if it were as usual."
    """
    return say_count(
        len(names), "New rows have no value of {columns}: they are judged as if it were as usual.",
        "New rows have no value of {columns}: they are judged as if they were as usual.", columns=listed(list(names)),
    )  # fmt: skip


def rows_texts(repeated: int, empty: int, between: int) -> tuple[str, ...]:
    """What became of rows that were not simply added.

    >>> rows_texts(60, 1, 0)
    ('60 rows were there already.', '1 row has no value that can be read, and was left out.')
    """
    texts: list[str] = []
    if repeated:
        texts.append(say_count(repeated, "{n} row was there already.", "{n} rows were there already.", n=repeated))
    if empty:
        texts.append(
            say_count(
                empty,
                "{n} row has no value that can be read, and was left out.",
                "{n} rows have no value that can be read, and were left out.",
                n=empty,
            )
        )
    if between:
        texts.append(
            say_count(
                between,
                "{n} row lies between the steps of the dates of the model: are they of its series?",
                "{n} rows lie between the steps of the dates of the model: are they of its series?",
                n=between,
            )
        )
    return tuple(texts)


# --- What new rows say of a model, in words: forecasts that were missed, and parts that moved -----------------------


def missed_text(rows: int, missed: Sequence[MissedForecast], units: Units) -> str:
    """Which forecasts were missed, and how many are by chance."""
    every = fixed(rows, 0)
    if not missed:
        return say_count(
            rows, "The new row lies within the 95% ranges that were forecast.",
            "All {n} new rows lie within the 95% ranges that were forecast.", n=every,
        )  # fmt: skip
    named = [_missed(row, units) for row in missed[:SEVERAL]]
    more = [say("and {n} more", n=len(missed) - SEVERAL)] if len(missed) > SEVERAL else []
    return say_count(
        len(missed), "{n} row lies outside the 95% range that was forecast (about {expected} of {rows} would by "
        "chance): {missed}.", "{n} rows lie outside the 95% range that was forecast (about {expected} of {rows} would "
        "by chance): {missed}.", n=len(missed), expected=amount(0.05 * rows, 1), rows=every,
        missed=in_turn([*named, *more]),
    )  # fmt: skip


def _missed(row: MissedForecast, units: Units) -> str:
    position, value, low, high, by = row
    ends = amounts.values(low, high, units)
    told = {
        "when": stamp(position, units),
        "value": amounts.value(value, units, 4, high - low),
        "low": ends[0],
        "high": ends[1],
    }
    if by:
        return say("{when} {value} (forecast {low} to {high}; most moved: {part})", part=by, **told)
    return say("{when} {value} (forecast {low} to {high})", **told)


def moved_text(moved: Sequence[MovedPart], units: Units) -> str:
    """Which parts moved, and where by how much."""
    if not moved:
        return say("No part of the model and no effect of a column moved beyond its error.")
    texts: list[str] = []
    for name, position, change, sd in moved:
        told = {
            "name": name, "size": _size(abs(change), units), "when": told_for(position, units),
            "error": _size(BAND_SDS * sd, units),
        }  # fmt: skip
        texts.append(
            say("{name} is {size} above what was forecast of it {when} (give or take {error})", **told)
            if change > 0.0
            else say("{name} is {size} below what was forecast of it {when} (give or take {error})", **told)
        )
    return say("Moved: {parts}.", parts=in_turn(texts))


def _size(value: float, units: Units) -> str:
    if units.is_odds:
        return amounts.size(value, units, 2)
    return in_percent(fixed(amounts.per_cent(value), 1, trim=True)) if units.is_log else amount(value, 2)
