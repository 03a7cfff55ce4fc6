"""The truths of made series against plain statistics of their data."""

from typing import Any

import numpy as np
import pytest

import truth_series as compare
import truth_series as series


def test_there_are_thirty_kinds_of_series() -> None:
    assert len(series.SERIES) >= 30


def test_truths_agree_with_the_data() -> None:
    for name, make in series.SERIES.items():
        data = make(np.random.default_rng(1))
        times, y = data.columns.values()
        y = np.array(y, dtype=float)
        assert len(times) == len(y) == len(data.level), name
        for truth in data.truths:
            place = None if truth.at is None else round(truth.at)
            if truth.kind in ("step", "event"):
                end = place + 12 if truth.until is None else round(truth.until)
                seen = np.median(y[place:end]) - np.median(y[place - 12 : place])
                assert seen == pytest.approx(truth.number, rel=0.5), name
            elif truth.kind == "scatter":
                before, after = (float(np.diff(part).std()) for part in np.split(y, [place]))
                assert truth.number / 1.5 < after / before < truth.number * 1.5, name
            elif name != "gaps":
                rows = np.arange(len(y))
                wave = np.cos(2.0 * np.pi * (rows - truth.at) / (truth.until - truth.at))
                line = np.polynomial.Polynomial.fit(rows, y, 3)(rows)
                size = 2.0 * float(np.mean((y - line) * wave))
                assert size > 0.0, name
                if truth.swing is not None and name not in ("lockdown", "counts"):
                    assert size == pytest.approx(0.5 * truth.swing, rel=0.35), name


def test_a_draw_is_the_same_for_the_same_seed() -> None:
    first, again, other = (series.SERIES["arma"](np.random.default_rng(seed)).columns for seed in (3, 3, 4))
    assert first == again != other


def test_a_value_that_stands_alone_may_be_told_as_an_event() -> None:
    import truth_series as truth_compare

    claims = {row: truth_compare.Claim("event", -60.0, at=float(row), until=row + 1.0) for row in (35, 30)}
    data = series.SERIES["last outlier"](np.random.default_rng(1))
    assert [truth_compare.judged(claim, data) for claim in claims.values()] == [True, False]


@pytest.fixture
def data() -> Any:
    """A line of 2 a row with a step at row 60, a year from its top at row 6, and a scatter that quadruples."""
    level = 2.0 * np.arange(96.0) + 50.0 * (np.arange(96) >= 60)
    truths = (
        compare.Truth("season", 1.0, at=6.0, until=18.0, swing=24.0),
        compare.Truth("step", 50.0, at=60.0),
        compare.Truth("scatter", 4.0, at=48.0, slack=9.0),
    )
    return compare.Made({}, level, 3.0, truths)


def test_claims_hold_by_their_place_and_size(data: Any) -> None:
    claims = {
        compare.Claim("step", 45.0, at=61.0): True,
        compare.Claim("step", 45.0, at=65.0): False,
        compare.Claim("step", -45.0, at=60.0): False,
        compare.Claim("step", 20.0, (10.0, 55.0), at=60.0): True,
        compare.Claim("event", 45.0, at=60.0): False,
        compare.Claim("scatter", 3.0, at=52.0): True,
        compare.Claim("scatter", 1.5, at=52.0): False,
        compare.Claim("season", 1.0, period=1.01): True,
        compare.Claim("season", 1.0, period=0.9): False,
        compare.Claim("swing", 20.0, period=1.0): True,
        compare.Claim("swing", 60.0, (50.0, 70.0), period=1.0): False,
        compare.Claim("phase", 0.0, places=(31.0,), period=1.0): True,
        compare.Claim("phase", 0.0, places=(36.0,), period=1.0): False,
        compare.Claim("phase", 0.0, places=(36.0, 31.0), period=1.0): True,
        compare.Claim("rise", 230.0, at=0.0, until=95.0): True,
        compare.Claim("rise", -230.0, at=0.0, until=95.0): False,
        compare.Claim("run", 100.0, at=0.0, until=50.0): True,
        compare.Claim("run", 10.0, at=0.0, until=50.0): False,
    }
    assert [compare.judged(claim, data) for claim in claims] == list(claims.values())


def test_claims_truths_and_ranges_are_counted(data: Any) -> None:
    claims = [compare.Claim("step", 45.0, (40.0, 49.0), 60.0), compare.Claim("step", 9.0, (8.0, 10.0), 20.0)]
    assert compare.counts(claims, data, "step") == {
        "claims": 2, "true": 1, "truths": 1, "told": 1, "ranges": 1, "hold": 0,
    }  # fmt: skip
    assert compare.counts([], data, "rise") == {
        "claims": 0, "true": 0, "truths": 1, "told": 0, "ranges": 0, "hold": 0,
    }  # fmt: skip


def test_the_range_of_a_second_step_is_compared_with_that_step() -> None:
    steps = (compare.Truth("step", 30.0, at=30.0), compare.Truth("step", -40.0, at=70.0))
    claims = [compare.Claim("step", -42.0, (-45.0, -38.0), 70.0), compare.Claim("step", 20.0, (18.0, 22.0), 30.0)]
    found = compare.counts(claims, compare.Made({}, np.zeros(100), 1.0, steps), "step")
    assert (found["ranges"], found["hold"]) == (2, 1)


def test_told_entries_become_claims_in_rows() -> None:
    times = ["2018-06-01", "2018-07-01", "2018-08-01"]
    step = {
        "kind": "step", "number": 5.0, "unit": "target", "interval": [4.0, 6.0], "at": "2018-07-01T00:00:00",
        "before": 10.0, "after": 15.0, "told": True,
    }  # fmt: skip
    (claim,) = compare.claims_of({"function": [step, step | {"told": False}]}, times)
    assert (claim.kind, claim.number, claim.at, claim.until) == ("step", 5.0, 1.0, None)
    season = {
        "kind": "season", "number": 60.0, "interval": [50.0, 70.0], "period": 1.0, "swing": 9.0,
        "swing_interval": [8.0, 10.0], "swing_unit": "target", "tops": [], "told": True,
    }  # fmt: skip
    assert [one.kind for one in compare.claims_of({"function": [season]}, times)] == ["season", "swing"]
    top = season | {"tops": ["2018-08-01T00:00:00"]}
    assert [one.places for one in compare.claims_of({"function": [top]}, times)] == [(), (), (2.0,)]


def test_the_ends_of_few_rows_are_those_of_the_report() -> None:
    data = compare.Made({}, 6.0 * np.arange(8.0), 2.0)
    assert compare.judged(compare.Claim("rise", 36.1, (35.578, 42.29), 0.0, 7.0, ends=(1.0, 6.0)), data)


def test_paces_and_slopes_are_those_of_rows_beside_lasting_steps(data: Any) -> None:
    times = [f"2015-{month:02d}-01" for month in range(1, 13)]
    rise = {
        "kind": "rise", "number": 200.0, "unit": "target", "interval": [190.0, 210.0], "from": times[0],
        "to": times[-1], "first_to": times[1], "last_from": times[-2], "marks": ["steady"], "pace": 24.0,
        "pace_interval": [22.0, 25.0], "pace_unit": "target per year", "told": True,
    }  # fmt: skip
    slope = {"kind": "slope", "number": 2.1, "unit": "target per month", "interval": None, "told": True}
    slope |= {"from": times[6]}
    claims = compare.claims_of({"function": [rise, slope]}, times)
    assert [claim.kind for claim in claims] == ["rise", "pace", "slope"]
    assert claims[0].ends == (1.0, 10.0)
    assert claims[1].number == pytest.approx(2.0, rel=0.01)
    assert claims[2].number == pytest.approx(2.1, rel=0.01)
    assert claims[2].at == 6.0
    assert [compare.judged(compare.Claim("pace", pace), data) for pace in (2.1, 4.0, -2.0)] == [True, False, False]
    assert [compare.judged(compare.Claim("slope", pace, at=70.0), data) for pace in (2.1, 4.0)] == [True, False]


def test_the_swing_of_a_logarithm_is_compared_at_the_typical_level() -> None:
    data = compare.Made({}, np.full(72, 100.0), 3.0, (compare.Truth("season", 1.0, swing=30.0),))
    swings = [
        compare.Claim("swing", number, period=1.0, is_log=is_log) for number, is_log in ((0.3, True), (0.3, False))
    ]
    assert [compare.judged(swing, data) for swing in swings] == [True, False]
