from importlib import import_module
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.special import ndtri

import corpus_scores as scores

Row = dict[str, Any]


def made(values: list[float], future: list[float], period: int = 1) -> Any:
    return SimpleNamespace(values=np.array(values), future=np.array(future), period=period)


def row(series: str, method: str, sql: float, **more: Any) -> Row:
    """A row as it comes from a table: text."""
    given = {"task": "m3-yearly", "series": series, "method": method, "settings": "", "n": 20, "parameters": ""}
    measured = {"mase": sql, "wql": sql, "sql": sql, "msis": sql, "coverage": 0.9, "size": 1.0, "seconds": 1.0}
    return {name: str(value) for name, value in (given | measured | more).items()}


def _text(found: Row) -> Row:
    return {name: str(value) for name, value in found.items()}


def test_errors_are_scaled_by_the_seasonal_naive_rule_within_the_known_values() -> None:
    steps = np.repeat([[4.0] * 11], 2, axis=0)
    one = scores.scored(made([0.0, 9.0, 2.0, 11.0, 2.0, 15.0], [3.0, 7.0], period=2), steps)
    assert one["mase"] == pytest.approx(2.0 / 2.0)  # errors 1 and 3; naive errors 2, 2, 0, 4
    # Every quantile is 4, so the losses over the deciles are on average half of the errors, twice.
    assert one["sql"] == pytest.approx(1.0)
    assert one["wql"] == pytest.approx((1.0 + 3.0) / 10.0)
    assert one["msis"] == pytest.approx((40.0 * 1.0 + 40.0 * 3.0) / 2.0 / 2.0)
    assert (one["coverage"], one["size"]) == (0.0, 10.0)


def test_the_loss_is_least_at_the_true_quantiles() -> None:
    y = np.random.default_rng(0).normal(size=4000)
    law = ndtri(scores.LEVELS)
    series = made([0.0, 1.0], list(y))
    found = {
        factor: scores.scored(series, np.repeat([factor * law], len(y), axis=0)) for factor in (0.7, 0.9, 1.0, 1.1, 1.4)
    }
    for name in ("sql", "msis"):
        assert min(found, key=lambda factor: found[factor][name]) in (0.9, 1.0, 1.1)
        assert found[1.0][name] < min(found[0.7][name], found[1.4][name])
    assert found[1.0]["coverage"] == pytest.approx(0.95, abs=0.01)


def test_measures_are_relative_to_the_naive_rule_on_the_same_series() -> None:
    rows = [row(name, scores.NAIVE, 2.0) for name in "abc"] + [row("a", "ours", 1.0), row("b", "ours", 2.0)]
    rows += [row("d", scores.NAIVE, 4.0, task="m1-yearly"), row("d", "ours", 1.0, task="m1-yearly")]
    one, other, every = scores.standing(rows)[scores.Variant("ours")]
    assert (one.task, one.series, one.relative["mase"]) == ("m3-yearly", 2, 0.75)
    assert (other.task, other.relative["msis"]) == ("m1-yearly", 0.25)
    assert (every.task, every.series) == ("all", 3)
    assert every.relative["sql"] == pytest.approx((0.75 * 0.25) ** 0.5)


def test_the_weighted_loss_is_the_sum_of_the_losses_over_the_sum_of_the_values() -> None:
    rows = [row("a", scores.NAIVE, 1.0, size=1.0), row("b", scores.NAIVE, 1.0, size=9.0)]
    rows += [row("a", "ours", 2.0, size=1.0), row("b", "ours", 1.0, size=9.0)]
    assert scores.standing(rows)[scores.Variant("ours")][0].relative["wql"] == pytest.approx(1.1)


def test_the_weighted_loss_of_the_naive_rule_is_that_of_its_points() -> None:
    series = made([1.0, 5.0, 2.0, 9.0], [3.0, 4.0, 8.0], 2)
    series.horizon = 3
    spread = import_module("corpus").seasonal_naive(series)
    points = np.repeat(spread[:, 5:6], 11, axis=1)
    rows = [row("a", scores.NAIVE, 0.0) | _text(scores.scored(series, spread))]
    rows += [row("a", "points", 0.0) | _text(scores.scored(series, points))]
    found = scores.standing(rows)
    assert found[scores.Variant("points")][0].relative["wql"] == pytest.approx(1.0, rel=1e-3)
    assert found[scores.Variant(scores.NAIVE)][0].relative["wql"] < 1.0
    assert found[scores.Variant(scores.NAIVE)][0].relative["sql"] == 1.0
