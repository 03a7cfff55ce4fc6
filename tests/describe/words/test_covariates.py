"""What columns add to a series, word for word."""

from __future__ import annotations

from dataclasses import replace

from tests.describe.covariate_cases import (
    EASTER,
    NOISE,
    PRICE,
    PROMO,
    UNITS,
    WORKING,
    findings,
    said,
)
from tests.describe.factory import DAILY, DAYS, units_on

from autostatistician.describe.words.column_values import usual_text
from autostatistician.describe.words.columns_ahead import ahead_clause
from autostatistician.describe.words.covariates import (
    columns_lead,
    silent_text,
    told_texts,
)
from autostatistician.describe.words.holidays import holiday_texts

DAILY_UNITS = units_on(DAILY, DAYS)


def test_holidays_are_one_thing_beside_the_columns() -> None:
    made = findings(*EASTER, PROMO)
    assert told_texts(made, UNITS) == (said(PROMO), *holiday_texts(made.events, UNITS))
    assert usual_text(made.told) == "without 'promo' or holidays"
    lead = columns_lead(made, DAILY_UNITS)
    assert lead.startswith("Besides time, 'promo' adds 25.0 (95% range: 23.0 to 27.0) to 'sales'. Holidays of DE: ")
    alone = columns_lead(findings(*EASTER), DAILY_UNITS)
    assert alone.startswith("Holidays of DE: around 'Easter' 'sales' is 40.0 higher on the day")
    assert alone.endswith(" The course in time is told without holidays.")
    perhaps = columns_lead(findings(replace(PRICE, probability=0.4), *EASTER), DAILY_UNITS)
    assert "beyond its course in time. Holidays of DE: around" in perhaps
    ahead = findings(*EASTER, WORKING).ahead
    assert ahead is not None
    assert ahead_clause(replace(ahead, unplanned=()), UNITS) == ""
    assert silent_text(findings(replace(NOISE, event="Easter", name="Easter"), NOISE).silent, UNITS).startswith(
        "'noise1'"
    )
