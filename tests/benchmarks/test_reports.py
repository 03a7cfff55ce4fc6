"""Whether a report says what is known: found in facts, and not found where they say otherwise."""

from pathlib import Path
from typing import Any

import pytest

import reports
from autostatistician.data.times.axes import Axis

MONTHS = Axis("month", "year", "month", 1 / 12)
DAYS = Axis("day", "day", "day", 1.0, "2000-01-01")
YEARLY = {"fact": "Periodicity", "id": "part-2/cycle", "number": 1.0}


def claim(kind: str, low: float | str = "", high: float | str = "") -> dict[str, Any]:
    return {"kind": kind, "low": str(low), "high": str(high)}


def test_a_cycle_is_looked_for_in_years_whatever_the_axis() -> None:
    weekly = [{"fact": "Periodicity", "id": "part-1/cycle", "number": 7.0}]
    known = claim("cycle", 0.0188, 0.0195)
    assert reports.said(known, weekly, DAYS, 0.0, logarithm=False) == "part-1/cycle"
    assert reports.said(known, [YEARLY], MONTHS, 1949.0, logarithm=False) is None


def test_cycles_multiplied_with_each_other_count_each() -> None:
    both = [{"fact": "CombinedCycles", "id": "part-1/cycles", "cycles": [{"number": 1.0}, {"number": 11.0}]}]
    assert reports.said(claim("cycle", 10, 12), both, MONTHS, 1700.0, logarithm=False) == "part-1/cycles"


def test_a_multiple_of_a_cycle_is_an_error() -> None:
    double = [{"fact": "Periodicity", "id": "part-1/cycle", "number": 2.0}]
    assert reports.said(claim("no cycle", 1.9, 2.1), double, MONTHS, 1949.0, logarithm=False) is None
    assert reports.said(claim("no cycle", 1.9, 2.1), [YEARLY], MONTHS, 1949.0, logarithm=False) == "no such cycle"


def test_swings_grow_by_a_factor_of_the_cycle_or_with_the_level_of_a_logarithm() -> None:
    grown = {"fact": "AmplitudeChange", "id": "part-2/amplitude-change", "number": 3.0}
    of_noise = grown | {"id": "part-3/amplitude-change"}
    said = reports.said
    assert said(claim("growing"), [YEARLY, grown], MONTHS, 0.0, logarithm=False) == "part-2/amplitude-change"
    assert said(claim("growing"), [YEARLY, of_noise], MONTHS, 0.0, logarithm=False) is None
    assert said(claim("growing"), [YEARLY], MONTHS, 0.0, logarithm=True) == "in proportion to the level"


def test_a_window_may_be_where_a_part_applies_or_where_it_does_not() -> None:
    plain = Axis("x", "", "", 1.0)
    inside = [{"fact": "ActiveInterval", "id": "part-1/interval", "shown": [[1640.0, 1715.0]]}]
    outside = [{"fact": "ActiveInterval", "id": "part-2/interval", "shown": [[1610.0, 1645.0], [1712.0, 2011.0]]}]
    elsewhere = [{"fact": "ActiveInterval", "id": "part-3/interval", "shown": [[1800.0, 1850.0]]}]
    known = claim("window", 1643, 1716)
    assert reports.said(known, inside, plain, 1610.0, logarithm=False) == "part-1/interval"
    assert reports.said(known, outside, plain, 1610.0, logarithm=False) == "part-2/interval"
    assert reports.said(known, elsewhere, plain, 1610.0, logarithm=False) is None


def test_a_change_is_placed_by_its_date() -> None:
    change = [{"fact": "ChangeSteepness", "id": "part-1/change-1", "location": 1974.25}]
    assert reports.in_years(MONTHS, 1974.25) == pytest.approx(1974.25, abs=0.01)
    assert reports.said(claim("change", 1973.7, 1974.7), change, MONTHS, 1962.0, logarithm=False) == "part-1/change-1"
    assert reports.said(claim("change", 1980, 1981), change, MONTHS, 1962.0, logarithm=False) is None


def test_every_known_fact_is_of_a_kind_that_can_be_looked_for(root: Path) -> None:
    rows = reports.read_rows(root / "benchmarks" / "reference" / "known_facts.csv")
    assert len({row["series"] for row in rows}) == 13
    for row in rows:
        reports.said(row, [], MONTHS, 1949.0, logarithm=False)
        assert row["source"]
        assert not row["low"] or float(row["low"]) < float(row["high"])


def test_the_page_counts_what_is_said() -> None:
    rows = [
        {"series": "02-solar", "claim": "a cycle", "said": "yes", "source": "Schwabe"},
        {"series": "01-airline", "claim": "a yearly cycle", "said": "yes", "source": "the seasons"},
        {"series": "a", "claim": "a change", "said": "no", "source": "a law"},
    ]
    page = reports.index(rows)
    assert page.index("| [01-airline](01-airline.html) | a yearly cycle") < page.index("| [02-solar]")
    assert "2 of 3 known facts are reported." in page
    assert "Not reported: a: a change (a law)." in page
