import numpy as np
import pytest

import calibration


@pytest.mark.parametrize("season", [False, True])
def test_a_series_has_the_units_that_its_numbers_were_drawn_for(season: bool) -> None:
    kernel, values = calibration.drawn(40, season, np.random.default_rng(3))
    _, spread, _ = calibration.TOLERANCES
    assert len(values) == 40
    assert abs(np.log(values.std() / calibration.SPREAD)) <= spread
    assert str(kernel.expr.terms[-1].symbol) == "WN"


def test_what_is_true_as_often_as_told_is_calibrated() -> None:
    names = calibration.STATEMENTS
    always, never = dict.fromkeys(names, 0.0) | {"structure": 0.75, "line": 0.75}, "C + WN"
    rows = [always | {"truth": truth} for truth in (["Lin + C + WN"] * 3 + [never])]
    (row,) = calibration.reliability(rows, ("structure", "line"))
    assert (row["statements"], row["told"], row["true"]) == (8, "0.750", "0.750")


@pytest.mark.parametrize(
    ("kind", "told", "trend", "found"),
    [
        ("noise", "C + WN", 0.0, []),
        ("noise", "Wiener + C + WN", 0.0, ["structure"]),
        ("walk", "Wiener + C + WN", 0.9, []),
        ("walk", "Wiener + Lin + C + WN", 0.4, []),
        ("walk", "Wiener + Lin + C + WN", 0.6, ["trend"]),
        ("walk", "CP(Wiener, Per * SE) + Lin * SE + WN", 0.1, ["cycle", "change", "product"]),
    ],
)
def test_what_is_claimed_beyond_what_is_there(kind: str, told: str, trend: float, found: list[str]) -> None:
    assert calibration.claimed({"kind": kind, "told": told, "trend": trend}) == found
