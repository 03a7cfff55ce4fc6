"""The words for units of time, cycles and slopes, word for word in both languages."""

import pytest

from autostatistician.i18n.messages import sentence, spoken_in

TIMES = ("year", "quarter", "month", "week", "day", "hour", "minute", "second")
LENGTHS = (*TIMES[:1], "month", "week", "day", "business day", *TIMES[5:])
CYCLES = ("yearly", "half-yearly", "quarterly", "monthly", "weekly", "business week", "daily", "half-daily", "hourly",
          "minutely")  # fmt: skip
STEPS = ("years", "months", "weeks", "days", "hours", "minutes", "seconds", "year", "half-year", "quarter", "month",
         "week", "day", "business day", "hour", "minute", "second")  # fmt: skip


def _each(name: str, by: str, alternatives: tuple[str, ...]) -> str:
    """All alternatives of a sentence in a line."""
    values = {"number": "3", "count": "3", "symbol": "m", "name": "x"}
    return ", ".join(sentence(name, **values | {by: one}) for one in alternatives)


def _said() -> list[str]:
    return [
        _each("rate.per", "unit", (*TIMES, "symbol", "plain")),
        _each("rate.over", "unit", (*TIMES, "symbol", "plain")),
        _each("length.every_one", "unit", TIMES),
        ", ".join(
            sentence("length.every", unit=unit, size=size, number="3", symbol="m", name="x")
            for unit in ("business day", "symbol", "plain") for size in (1, 3)
        ),
        _each("cycle.adjective", "name", CYCLES),
        _each("cycle.period", "name", CYCLES),
        _each("cycle.every", "name", CYCLES),
        _each("cycle.numbered", "unit", LENGTHS),
        _each("axis.steps", "unit", STEPS),
        _each("place.numbered", "unit", ("year", "day", "business day", "hour", "minute", "second")),
        _each("phase.weekdays", "day", tuple("0123456")),
        sentence("phase.from_to", kind="weekday", first="Monday", last="Friday"),
        _each("axis.along", "calendar", ("yes", "no")),
        _each("scale.varying", "of_class", ("yes", "no")),
        ", ".join([sentence("length.unlimited"), sentence("axis.position")]),
    ]  # fmt: skip


SAID = {
    "en": [
        "per year, per quarter, per month, per week, per day, per hour, per minute, per second, per m, per "
        "unit of 'x'",
        "over one year, over one quarter, over one month, over one week, over one day, over one hour, over "
        "one minute, over one second, over one m, over one unit of 'x'",
        "every year, every quarter, every month, every week, every day, every hour, every minute, every "
        "second",
        "every business day, every 3 business days, every m, every 3 m, every unit of 'x', every 3 units of "
        "'x'",
        "yearly, half-yearly, quarterly, monthly, weekly, weekly, daily, half-daily, hourly, minutely",
        "year, half year, quarter of a year, month, week, week of five business days, day, half day, hour, "
        "minute",
        "every year, every half year, every quarter of a year, every month, every week, every week of five "
        "business days, every day, every half day, every hour, every minute",
        "3-year, 3-month, 3-week, 3-day, 3-business-day, 3-hour, 3-minute, 3-second",
        "3-year, 3-month, 3-week, 3-day, 3-hour, 3-minute, 3-second, yearly, half-year, quarterly, monthly, "
        "weekly, daily, business-day, hourly, per-minute, per-second",
        "year 3, day 3, business day 3, hour 3, minute 3, second 3",
        "Mondays, Tuesdays, Wednesdays, Thursdays, Fridays, Saturdays, Sundays",
        "from Mondays to Fridays",
        "over time, as 'x' increases",
        "what decides on x, the variation in x",
        "an unlimited length, position",
    ],
    "de": [
        "pro Jahr, pro Quartal, pro Monat, pro Woche, pro Tag, pro Stunde, pro Minute, pro Sekunde, pro m, "
        "pro Einheit von 'x'",
        "über ein Jahr, über ein Quartal, über einen Monat, über eine Woche, über einen Tag, über eine "
        "Stunde, über eine Minute, über eine Sekunde, über ein m, über eine Einheit von 'x'",
        "jedes Jahr, jedes Quartal, jeden Monat, jede Woche, jeden Tag, jede Stunde, jede Minute, jede "
        "Sekunde",
        "jeden Arbeitstag, alle 3 Arbeitstage, je m, alle 3 m, je Einheit von 'x', alle 3 Einheiten von 'x'",
        "jährlicher, halbjährlicher, vierteljährlicher, monatlicher, wöchentlicher, wöchentlicher, täglicher,"
        " halbtäglicher, stündlicher, minütlicher",
        "Jahr, halbes Jahr, Vierteljahr, Monat, Woche, Woche von fünf Arbeitstagen, Tag, halber Tag, Stunde, "
        "Minute",
        "jedes Jahr, jedes halbe Jahr, jedes Vierteljahr, jeden Monat, jede Woche, jede Woche von fünf "
        "Arbeitstagen, jeden Tag, jeden halben Tag, jede Stunde, jede Minute",
        "3-jähriger, 3-monatiger, 3-wöchiger, 3-tägiger, 3-werktägiger, 3-stündiger, 3-minütiger, "
        "3-sekündiger",
        "3-jährliche, 3-monatliche, 3-wöchentliche, 3-tägliche, 3-stündliche, 3-minütliche, 3-sekündliche, "
        "jährliche, halbjährliche, vierteljährliche, monatliche, wöchentliche, tägliche, werktägliche, "
        "stündliche, minütliche, sekündliche",
        "Jahr 3, Tag 3, Arbeitstag 3, Stunde 3, Minute 3, Sekunde 3",
        "montags, dienstags, mittwochs, donnerstags, freitags, samstags, sonntags",
        "von Monday bis Friday",
        "mit der Zeit, mit wachsendem 'x'",
        "dessen, was über x entscheidet,, der Schwankung von x",
        "unbegrenzte Zeit, Position",
    ],
}  # fmt: skip


@pytest.mark.parametrize("name", SAID)
def test_units_have_their_words(name: str) -> None:
    with spoken_in(name):
        assert _said() == SAID[name]
