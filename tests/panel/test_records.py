"""Records of series as lines of JSON."""

from __future__ import annotations

import pytest

from autostatistician.panel.records import DONE, PanelClaim, PanelForecast, SeriesRecord

FORECAST = PanelForecast(
    ("2024-01", "2024-02"), (1.0, 2.0), (80, 95), ((0.5, 1.0), (0.0, 0.5)), ((1.5, 3.0), (2.0, 4.0))
)
RECORD = SeriesRecord(
    'a "quoted"\nid/ü',
    ('a "quoted"\nid', "ü"),
    DONE,
    rows=20,
    structures=(("SE + WN", 0.75), ("WN", 0.25)),
    score=12.5,
    claims=(PanelClaim("season", 4.0, 3.0, 5.0, period=1.0),),
    times=("2023-12",),
    values=(1.5,),
    forecast=FORECAST,
    errors=(0.1, -0.2),
)


def test_a_line_holds_all_of_a_record() -> None:
    line = RECORD.line()
    assert "\n" not in line
    assert SeriesRecord.from_line(line) == RECORD


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"name": "a"}', RECORD.line()[:-20]])
def test_what_is_no_record_is_refused(text: str) -> None:
    with pytest.raises((ValueError, TypeError, KeyError, AttributeError)):
        SeriesRecord.from_line(text)
