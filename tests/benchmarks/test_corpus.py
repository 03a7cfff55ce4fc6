from importlib import import_module
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

CASE = {"task": "m3-quarterly", "series": "made", "method": "ours", "settings": ""}


@pytest.fixture
def made() -> Any:
    """A quarterly series of six years whose fourth quarters are high."""
    y = 10.0 + 5.0 * (np.arange(32) % 4 == 3) + np.random.default_rng(0).normal(scale=0.2, size=32)
    return import_module("corpus_series").Series("M3", "quarterly", "made", y[:24], y[24:], 4)


@pytest.fixture
def corpus(made: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """The module with this one series."""
    module = import_module("corpus")
    monkeypatch.setattr(module, "every_series", lambda: {("m3-quarterly", "made"): made})
    module.timed.cache_clear()
    yield module
    module.timed.cache_clear()


def test_ours_finds_the_season_from_the_dates_alone(corpus: Any) -> None:
    row = corpus.run(CASE | {"settings": "max_depth=2 n_restarts=2"}, None)
    assert "Per" in row["expression"]
    assert (row["n"], row["parameters"] > 2, row["mase"] < 3.0, row["coverage"] > 0.5) == (24, True, True, True)
    assert {*row, *CASE, "code"} == {*corpus.bench().case, *corpus.bench().columns}


def test_ours_is_told_the_positions_of_the_forecast_but_no_values(corpus: Any, made: Any) -> None:
    other = type(made)("M3", "quarterly", "made", made.values, np.full(8, 1e9), 4)
    one, two = (corpus.ours(series, {"max_depth": 1, "n_restarts": 1})[0] for series in (made, other))
    assert one.shape == (8, 11)
    assert np.array_equal(one, two)


def test_a_forecast_of_a_peer_is_made_once(corpus: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = []
    monkeypatch.setattr(corpus, "forecast", lambda method, one: (calls.append(method) or np.ones((8, 11)), ""))
    for method in (*corpus.FOUR, corpus.MEDIAN):
        assert corpus.run(CASE | {"method": method}, None)["n"] == 24
    assert calls == list(corpus.FOUR)


# Peers -----------------------------------------------------------------------------------------------------


def series(values: list[float], horizon: int, period: int) -> Any:
    return SimpleNamespace(values=np.array(values), horizon=horizon, period=period)


def test_the_naive_rule_repeats_the_last_season_with_a_spread_that_grows(corpus: Any) -> None:
    found = corpus.seasonal_naive(series([1.0, 5.0, 2.0, 8.0], 5, 2))
    middle, high = found[:, 5], found[:, -1]
    assert middle.tolist() == [2.0, 8.0, 2.0, 8.0, 2.0]
    step = 1.959963984540054 * np.sqrt((1.0 + 9.0) / 2.0)
    assert high - middle == pytest.approx(step * np.sqrt([1.0, 1.0, 2.0, 2.0, 3.0]))
    assert (np.diff(found, axis=1) > 0.0).all()


def test_the_median_is_taken_quantile_by_quantile(corpus: Any) -> None:
    parts = [np.array([[1.0, 2.0]]), np.array([[0.0, 9.0]]), np.array([[3.0, 4.0]]), np.array([[2.0, 5.0]])]
    assert corpus.middle(parts).tolist() == [[1.5, 4.5]]


@pytest.mark.parametrize("method", ["AutoETS", "AutoARIMA", "AutoTheta", "AutoCES", "Prophet"])
def test_quantiles_of_a_peer_ascend_about_its_forecast(corpus: Any, method: str) -> None:
    pytest.importorskip(corpus.METHODS[method][0], reason="the peers are installed by the extra 'bench'")
    known = import_module("corpus_series").Series("M3", "yearly", "x", np.arange(20.0) % 3, np.zeros(4), 1)
    found, fault = corpus.forecast(method, known)
    assert (found.shape, fault) == ((4, 11), "")
    assert (np.diff(found, axis=1) >= 0.0).all()


def test_where_a_peer_fails_the_naive_rule_stands_in_and_it_is_said(
    corpus: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(_: Any) -> Any:
        raise ValueError("too short")

    known = series([1.0, 2.0, 4.0], 2, 1)
    for method in (failing, lambda one: np.full((one.horizon, 11), np.nan)):
        monkeypatch.setitem(corpus.METHODS, "AutoETS", ("", method))
        found, fault = corpus.forecast("AutoETS", known)
        assert np.array_equal(found, corpus.seasonal_naive(known))
        assert fault.startswith("seasonal-naive: ")
