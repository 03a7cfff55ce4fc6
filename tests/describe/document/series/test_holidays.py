"""Holidays on the page of a series: one table, one picture, plain values."""

from __future__ import annotations

import json
from dataclasses import replace

from tests.describe.covariate_cases import EASTER, FEASTS, findings, holiday, with_columns
from tests.describe.spoken.columns import DAY_UNITS

from autostatistician.decompose.records.function import Witness
from autostatistician.describe.document.document import Bullets, Figure
from autostatistician.describe.document.panels import BarPanel
from autostatistician.describe.document.series.holidays import holidays_record, holidays_section
from autostatistician.describe.tell import result


def test_all_events_share_bars_for_each_day() -> None:
    (section,) = holidays_section(findings(*FEASTS).events, DAY_UNITS)
    (figure,) = (block for block in section.blocks if isinstance(block, Figure))
    bars = [panel for panel in figure.panels if isinstance(panel, BarPanel)]
    assert [panel.title for panel in bars] == ["On the day", "The day before", "The day after"]
    assert bars[0].names == ("Christmas", "Labor Day", "Good Friday", "New Year")
    assert bars[0].values.tolist() == [-51.0, -30.0, -29.0, -27.0]


def test_events_that_disagree_are_named_once() -> None:
    other = Witness("least squares", -3.0, -8.0, 2.0, agrees=False)
    (section,) = holidays_section(findings(replace(EASTER[0], witness=other), *EASTER[1:]).events, DAY_UNITS)
    (bullets,) = (block for block in section.blocks if isinstance(block, Bullets))
    assert len(bullets.items) == 1


def test_machines_get_events_with_their_days() -> None:
    (easter,) = holidays_record(findings(*EASTER).events, DAY_UNITS)
    assert (easter["event"], easter["calendar"], easter["standing"], easter["seen"]) == ("Easter", "DE", "matters", 3)
    assert easter["total"] == {"number": 47.0, "lower": 43.0, "upper": 51.0}
    assert easter["days"][1] == {"days": -1, "number": 12.0, "lower": 10.0, "upper": 14.0}  # type: ignore[index]
    perhaps = (*holiday("fair", probability=0.4)(8.0), *holiday("feast", probability=0.1)(8.0))
    assert [event["standing"] for event in holidays_record(findings(*perhaps).events, DAY_UNITS)] == ["open", "nothing"]
    record = result(with_columns(*EASTER))
    json.dumps(record)
    assert record["columns"] == []
    assert len(record["holidays"]) == 1  # type: ignore[arg-type]
