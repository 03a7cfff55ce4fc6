"""The table of claims, and claims as plain values."""

from __future__ import annotations

import json
from dataclasses import replace

from tests.describe.factory import airline
from tests.describe.function_cases import COURSE, SEASON, UNITS, seen

from autostatistician.describe.document.series.function import claims_table, function_record
from autostatistician.describe.observe.series.function import function_facts

FACTS = function_facts(replace(airline(), function=COURSE), UNITS)


def test_the_table_tells_what_each_witness_says() -> None:
    course = replace(COURSE, seasons=(replace(SEASON, witness=seen(1.0, agrees=False)),))
    table = claims_table(function_facts(replace(airline(), function=course), UNITS), UNITS)
    assert table is not None
    assert ("Repeats every year", "99%", "something else", "no") in table.rows
    assert ("Changes suddenly in February 1954", "100%", "the same", "yes") in table.rows
    assert claims_table((), UNITS) is None


def test_records_hold_dates_numbers_and_both_witnesses() -> None:
    records = {str(record["kind"]): record for record in (function_record(fact, UNITS) for fact in FACTS)}
    json.dumps(list(records.values()), allow_nan=False)
    event = records["event"]
    assert (event["at"], event["until"]) == ("1954-02-01T00:00:00", "1955-01-01T00:00:00")
    assert (event["number"], event["share"], event["told"]) == (-150.0, -50.0, True)
    assert records["season"]["number"] == 20.0
    assert records["season"]["high"] == "1949-07-01T00:00:00"
    assert records["slope"]["unit"] == "target per year"
    assert records["rise"]["witness"] == {
        "statistic": "medians", "number": 349.0, "interval": [348.0, 350.0], "agrees": True,
    }  # fmt: skip
