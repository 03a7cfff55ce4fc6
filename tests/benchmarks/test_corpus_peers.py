from __future__ import annotations

from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest


@pytest.fixture
def peers(folder: Path) -> Any:
    return import_module("corpus_peers")


def made(values: list[float], horizon: int, period: int) -> Any:
    return SimpleNamespace(values=np.array(values), horizon=horizon, period=period)


def test_the_naive_rule_repeats_the_last_season_with_a_spread_that_grows(peers: Any) -> None:
    found = peers.seasonal_naive(made([1.0, 5.0, 2.0, 8.0], 5, 2))
    middle, high = found[:, 5], found[:, -1]
    assert middle.tolist() == [2.0, 8.0, 2.0, 8.0, 2.0]
    step = 1.959963984540054 * np.sqrt((1.0 + 9.0) / 2.0)
    assert high - middle == pytest.approx(step * np.sqrt([1.0, 1.0, 2.0, 2.0, 3.0]))
    assert (np.diff(found, axis=1) > 0.0).all()


def test_the_median_is_taken_quantile_by_quantile(peers: Any) -> None:
    parts = [np.array([[1.0, 2.0]]), np.array([[0.0, 9.0]]), np.array([[3.0, 4.0]]), np.array([[2.0, 5.0]])]
    assert peers.middle(parts).tolist() == [[1.5, 4.5]]


@pytest.mark.slow
@pytest.mark.parametrize("method", ["AutoETS", "AutoARIMA", "AutoTheta", "AutoCES", "Prophet"])
def test_quantiles_of_a_peer_ascend_about_its_forecast(peers: Any, method: str) -> None:
    pytest.importorskip(peers.METHODS[method][0], reason="the peers are installed by the extra 'bench'")
    series = import_module("corpus_series").Series("M3", "yearly", "x", np.arange(20.0) % 3, np.zeros(4), 1)
    found, fault = peers.forecast(method, series)
    assert (found.shape, fault) == ((4, 11), "")
    assert (np.diff(found, axis=1) >= 0.0).all()


def test_where_a_peer_fails_the_naive_rule_stands_in_and_it_is_said(
    peers: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(_: Any) -> Any:
        raise ValueError("too short")

    series = made([1.0, 2.0, 4.0], 2, 1)
    for method in (failing, lambda one: np.full((one.horizon, 11), np.nan)):
        monkeypatch.setitem(peers.METHODS, "AutoETS", ("", method))
        found, fault = peers.forecast("AutoETS", series)
        assert np.array_equal(found, peers.seasonal_naive(series))
        assert fault.startswith("seasonal-naive: ")
