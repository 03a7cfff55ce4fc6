"""The truths of made series against plain statistics of their data."""

from __future__ import annotations

import numpy as np
import pytest

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
