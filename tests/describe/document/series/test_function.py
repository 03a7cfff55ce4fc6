"""The table of claims, and claims as plain values."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
from tests.describe.factory import airline
from tests.describe.function_cases import COURSE, ROOF, SEASON, STEP, UNITS, seen, sure

from autostatistician.decompose.records.function import Standstill
from autostatistician.describe.document.document import Table
from autostatistician.describe.document.series.function import claims_table, function_record, season_section
from autostatistician.describe.observe.series.function import function_facts

FACTS = function_facts(replace(airline(), function=COURSE), UNITS)


def test_the_table_tells_what_each_witness_says() -> None:
    course = replace(COURSE, seasons=(replace(SEASON, witness=seen(1.0, agrees=False)),))
    table = claims_table(function_facts(replace(airline(), function=course), UNITS), UNITS)
    assert table is not None
    assert ("Repeats every year", "99%", "something else", "no") in table.rows
    assert (
        "Changes suddenly in February 1954 (by 150; 95% range: 149 to 151)",
        "100%",
        "the same",
        "yes",
    ) in table.rows
    assert claims_table((), UNITS) is None


def test_what_hardly_any_model_says_is_no_row() -> None:
    course = replace(COURSE, sudden=(replace(COURSE.sudden[0], probability=0.01),))
    table = claims_table(function_facts(replace(airline(), function=course), UNITS), UNITS)
    assert table is not None
    assert not any("suddenly" in row[0] for row in table.rows)


def test_the_table_says_which_runs_are_told_here_only_and_what_they_leave_out() -> None:
    course = replace(COURSE, sudden=(STEP,), stretches=ROOF, wander=0.02)
    table = claims_table(function_facts(replace(airline(), function=course), UNITS), UNITS)
    assert table is not None
    assert (
        "Rises from January 1949 to January 1956, apart from a sudden change", "100%", "the same", "only here",
    ) in table.rows  # fmt: skip
    still = replace(ROOF[1], still=Standstill(1956.0, 1959.0, 300.0, 299.0))
    facts = function_facts(replace(airline(), function=replace(COURSE, stretches=(ROOF[0], still), sudden=())), UNITS)
    told = claims_table(facts, UNITS)
    assert told is not None
    assert (
        "Falls from January 1956 to December 1960, but hardly from January 1956 to January 1959",
        "100%", "the same", "yes",
    ) in told.rows  # fmt: skip
    record = next(record for fact in facts if (record := function_record(fact, UNITS))["id"] == "function/run-2")
    assert record["still"] == {
        "from": "1956-01-01T00:00:00", "to": "1959-01-01T00:00:00", "first": 300.0, "last": 299.0,
    }  # fmt: skip


def test_each_month_has_a_number_and_a_range() -> None:
    swings = tuple(value - 5.0 for value in SEASON.course)
    course = replace(COURSE, seasons=(replace(SEASON, low=swings),))
    (section,) = season_section(function_facts(replace(airline(), function=course), UNITS), UNITS)
    (table,) = section.blocks
    assert isinstance(table, Table)
    assert table.rows[0] == ("January", "−100", "−105", "−100")
    assert table.rows[6] == ("July", "100", "95", "100")
    assert len(table.rows) == 12
    assert season_section(function_facts(replace(airline(), function=replace(COURSE, seasons=())), UNITS), UNITS) == ()


def test_fine_phases_of_a_log_are_told_by_month_in_per_cent() -> None:
    phases = tuple(np.arange(24) / 24.0)
    swings = tuple(0.1 * np.cos(2.0 * np.pi * (np.arange(24) - 12) / 24.0))
    season = replace(SEASON, phases=phases, course=swings, low=swings, high=swings, swing=sure(0.2, 0.01))
    units = replace(UNITS, level=300.0)
    course = replace(COURSE, seasons=(season,))
    (section,) = season_section(function_facts(replace(airline(), function=course), UNITS), units)
    (table,) = section.blocks
    assert isinstance(table, Table)
    assert len(table.rows) == 12
    factors = np.exp(swings) / np.mean(np.exp(swings))  # about the mean over the year
    assert table.rows[6][1] == f"{100.0 * np.expm1(np.mean(np.log(factors[12:14]))):.1f}%"
    assert abs(sum(float(row[1].removesuffix("%").replace("\N{MINUS SIGN}", "-")) for row in table.rows)) < 1.0


def test_records_hold_dates_numbers_and_both_witnesses() -> None:
    records = {str(record["kind"]): record for record in (function_record(fact, UNITS) for fact in FACTS)}
    json.dumps(list(records.values()), allow_nan=False)
    event = records["event"]
    assert (event["at"], event["until"]) == ("1954-02-01T00:00:00", "1955-01-01T00:00:00")
    assert (event["number"], event["share"], event["told"]) == (-150.0, -50.0, True)
    assert records["season"]["number"] == 20.0
    assert records["season"]["high"] == "1949-07-01T00:00:00"
    assert records["slope"]["unit"] == "target per year"
    rise = records["rise"]
    assert str(rise["from"]) < str(rise["first_to"]) < str(rise["last_from"]) < str(rise["to"])
    assert (rise["pace_unit"], rise["steady"]) == ("target per year", True)
    assert records["season"]["swing_unit"] == "target"
    assert records["rise"]["witness"] == {
        "statistic": "medians", "number": 349.0, "interval": [348.0, 350.0], "agrees": True,
    }  # fmt: skip
