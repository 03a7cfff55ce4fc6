"""Columns that give the target away are named with their reason; strong honest effects are not."""

import re

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from tests.there import there

from autostatistician.data.covariates import Covariate
from autostatistician.data.exact_fits import ExactFit, exact_fit, fewest_columns
from autostatistician.data.leakage import EARLIER, dependent, equation, leaks, product, relative
from autostatistician.data.load import load
from autostatistician.i18n.messages import again, note, spoken_in

RNG = np.random.default_rng(7)
T = np.arange(60.0)
A, B = RNG.gamma(4.0, size=60) * 10, RNG.gamma(4.0, size=60) * 7


def test_coefficients_are_those_of_the_relation() -> None:
    fit = there(exact_fit(5.0 - 2.5 * A + 0.25 * B, np.column_stack([A, B])))
    np.testing.assert_allclose([*fit.slopes, fit.constant], [-2.5, 0.25, 5.0], rtol=1e-9)


def test_whole_coefficients_come_back_through_rounding() -> None:
    fit = there(exact_fit(np.round(A + B), np.column_stack([np.round(A), np.round(B)])))
    assert [*fit.slopes, fit.constant] == [1.0, 1.0, 0.0]


@pytest.mark.parametrize("noise", [0.03, 0.1])
def test_a_strong_effect_with_noise_is_not_exact(noise: float) -> None:
    for seed in range(100):
        rng = np.random.default_rng(seed)
        x = np.round(rng.normal(size=40) * 20)
        y = np.round(2 * x + rng.normal(size=40) * 40 * noise)
        assert exact_fit(y, x[:, None]) is None


def test_a_shared_trend_is_not_enough() -> None:
    first, second = 5 * T + RNG.normal(size=60) * 0.1, 3 * T + RNG.normal(size=60) * 0.1
    assert np.corrcoef(first, second)[0, 1] > 0.99999
    assert exact_fit(first, second[:, None]) is None
    assert exact_fit(2 * T, T[:, None]) is None
    assert exact_fit(2 * T, T[:, None], steady=True) is not None


def test_rows_with_holes_are_left_out_and_few_rows_say_nothing() -> None:
    holes = A.copy()
    holes[::4] = np.nan
    assert exact_fit(3 * A, holes[:, None]) is not None
    assert exact_fit(3 * A[:10], A[:10, None]) is None
    assert exact_fit(3 * A, np.full((60, 1), np.nan)) is None
    assert exact_fit(3 * A, np.ones((60, 1))) is None
    assert exact_fit(np.ones(60), A[:, None]) is None


def test_columns_that_can_be_spared_are_left_out() -> None:
    X = np.column_stack([T, A, RNG.normal(size=60), B, RNG.normal(size=60)])
    places, fit = fewest_columns(A - B, X) or ([], None)
    assert places == [1, 3]
    assert fit is not None
    np.testing.assert_allclose(fit.slopes, [1.0, -1.0])
    assert fewest_columns(A + RNG.normal(size=60), X) is None


def test_of_more_columns_than_rows_allow_the_likeliest_are_tried() -> None:
    X = np.column_stack([*RNG.normal(size=(30, 60)), A, B])
    places, _ = fewest_columns(A + B, X) or ([], None)
    assert places == [30, 31]


def test_equations_in_words() -> None:
    assert equation(ExactFit(np.array([-1.0, 1.0]), 0.0), ["'b'", "'a'"], 1.0) == "'a' - 'b'"
    assert equation(ExactFit(np.array([-1.0]), -2.0), ["'b'"], 1.0) == "minus 'b' - 2"
    assert equation(ExactFit(np.array([0.5, 1.0]), 1e-9), ["'a'", "'b'"], 1.0) == "0.5 times 'a' + 'b'"


def test_products_in_words() -> None:
    assert (
        product(ExactFit(np.array([1.0, 1.0, -1.0]), np.log(2.0)), ["a", "b", "c"])
        == "2 times 'a' times 'b' divided by 'c'"
    )
    assert product(ExactFit(np.array([-1.0, -0.5]), 0.0), ["a", "b"]) == "1 divided by 'a' and 'b' to the power 0.5"


def test_reasons_are_said_again_in_another_language() -> None:
    text = equation(ExactFit(np.array([0.5]), 0.0), [note("the target")], 1.0)
    with spoken_in("de"):
        assert again(text) == "0,5 mal die Zielgröße"
        said = again(relative(EARLIER, "last", 1))
        assert said.startswith("Spalte 'last' ist die Zielgröße, wie sie 1 Zeile zuvor war")


Floats = NDArray[np.float64]


def _series(rng: np.random.Generator, n: int) -> Floats:
    """A trend, a season and a random walk: positive."""
    t = np.arange(n)
    season = 10 * np.sin(2 * np.pi * t / 12 + rng.uniform(0, 6))
    return 200 + 0.3 * rng.normal() * t + season + np.cumsum(rng.normal(size=n))


def _columns(**columns: Floats) -> list[Covariate]:
    return [Covariate(name, np.asarray(values, dtype=np.float64)) for name, values in columns.items()]


def _beside(rng: np.random.Generator, n: int) -> list[Covariate]:
    """Columns that have nothing to do with it."""
    return _columns(promo=rng.random(n) < 0.2, noise=rng.normal(size=n), row=np.arange(n), other=_series(rng, n))


def _later(y: Floats, lag: int) -> Floats:
    return np.concatenate([np.full(lag, np.nan), y[:-lag]])


N = 120
Y = np.round(_series(np.random.default_rng(1), N), 2)

ONE_COLUMN = {
    "copy": (Y, "is the target itself"),
    "thousands": (Y / 1000, "is the target in other units: 0.001 times the target"),
    "rounded": (np.round(Y, 1), "is the target itself, but for rounding"),
    "share": (Y / Y.sum(), "is the target in other units"),
    "negative": (7 - 2 * Y, "is the target in other units: minus 2 times the target + 7"),
    "log": (np.log10(Y), "is the target on another scale: its power, logarithm or exponential"),
    "root": (np.sqrt(Y), "is the target on another scale: its power, logarithm or exponential"),
    "exponential": (np.exp(Y / 40), "is the target on another scale: its power, logarithm or exponential"),
    "ranks": (np.argsort(np.argsort(Y)), "rises and falls exactly as the target does"),
    "last": (_later(Y, 1), "is the target as it was 1 row before, which is not known ahead of time"),
    "last year": (3 * _later(Y, 12), "is the target as it was 12 rows before"),
    "next": (np.append(Y[2:], [np.nan] * 2), "is the target as it will be 2 rows later"),
    "change": (Y - _later(Y, 1), "is the change of the target from 1 row before"),
    "year on year": (100 * (Y / _later(Y, 12) - 1), "is the growth of the target from 12 rows before"),
    "growth": (np.log(Y) - np.log(_later(Y, 1)), "is the growth of the target from 1 row before"),
    "so far": (np.cumsum(Y), "is a running sum of the target"),
    "year to date": (np.concatenate([np.cumsum(Y[k : k + 12]) for k in range(0, N, 12)]), "is a running sum"),
    "smoothed": (np.convolve(Y, np.full(5, 0.2), "same"), "is a moving mean of the target over 5 rows"),
}  # fmt: skip


@pytest.mark.parametrize("kind", ONE_COLUMN)
def test_a_column_made_of_the_target_is_named_with_its_reason(kind: str) -> None:
    values, reason = ONE_COLUMN[kind]
    values = np.asarray(values, dtype=np.float64)
    if kind == "smoothed":
        values = np.where((np.arange(N) < 2) | (np.arange(N) >= N - 2), np.nan, values)
    reasons = leaks(Y, [*_beside(np.random.default_rng(3), N), Covariate(kind, values)])
    assert list(reasons) == [kind]
    assert reasons[kind].startswith(f"Column {kind!r} {reason}")
    assert re.fullmatch(r"Column '.*' [^.]*(\.\d[^.]*)*\.", reasons[kind])


@pytest.mark.parametrize("n", [40, 150, 800])
def test_parts_and_factors_of_the_target_are_named_together(n: int) -> None:
    rng = np.random.default_rng(n)
    shop, online = rng.gamma(5.0, size=n) * 10, rng.gamma(5.0, size=n) * 6
    price, pieces = rng.choice([4.5, 5.0, 5.5, 6.0], n), rng.poisson(40.0, n).astype(float)
    pieces[0] = 0.0
    cases = (
        (shop + online, _columns(shop=shop, online=online), "which is 'shop' + 'online'."),
        (
            np.round(shop + online),
            _columns(shop=np.round(shop), online=np.round(online)),
            "which is 'shop' + 'online'.",
        ),
        (shop - online, _columns(sales=shop, returns=online), "which is 'sales' - 'returns'."),
        (price * pieces, _columns(price=price, pieces=pieces), "which is 'price' times 'pieces'."),
        (1.19 * price * pieces, _columns(net=price, pieces=pieces), "which is 1.19 times 'net' times 'pieces'."),
        (shop / online, _columns(shop=shop, online=online), "which is 'shop' divided by 'online'."),
        (shop, _columns(percent=100 * shop / (shop + online), all=shop + online), "0.01 times 'percent' times 'all'."),
    )
    for y, columns, reason in cases:
        reasons = leaks(y, [*_beside(rng, n), *columns])
        assert list(reasons) == [column.name for column in columns if column.name not in ("price", "net")]
        for name, sentence in reasons.items():
            assert sentence.startswith(f"Column {name!r} gives the target away, which is ")
            assert sentence.endswith(reason)


def test_a_price_stays_where_revenue_and_pieces_go() -> None:
    rng = np.random.default_rng(11)
    n = 120
    price = rng.choice([4.5, 5.0, 5.5], n)
    sales = 100 - 6 * price + 3 * rng.normal(size=n)
    assert leaks(sales, _columns(revenue=sales * price, price=price)) == {
        "revenue": "Column 'revenue' gives the target away, which is 'revenue' divided by 'price'."
    }


def _honest(seed: int) -> tuple[Floats, list[Covariate]]:
    """A target that columns explain to 99 percent, with noise that none of them knows."""
    rng = np.random.default_rng(seed)
    n = int(rng.choice([25, 40, 60, 120, 300]))
    t = np.arange(n)
    cause = (
        50 + 20 * rng.normal(size=n),
        np.cumsum(rng.normal(size=n)) * 5,
        np.round(50 + 20 * rng.normal(size=n)),
        (rng.random(n) < 0.3) * 40.0,
        np.exp(rng.normal(size=n) * 0.5),
        t + 0.01 * rng.normal(size=n),
    )[seed % 6]
    price, weather = rng.choice([4.5, 5.0, 5.5, 6.0], n), 15 - 12 * np.cos(2 * np.pi * t / 12) + 2 * rng.normal(size=n)
    effect = 2 * cause + 3 * price + (weather if seed % 2 else 0.0)
    y = effect + 0.1 * effect.std() * rng.normal(size=n) + (0.05 * t if seed % 3 else 0.0)
    if seed % 6 == 4 and seed % 4 == 0:
        y = cause**1.5 * np.exp(0.05 * rng.normal(size=n))
    y = np.round(y) if seed % 4 == 1 else y
    return y, _columns(cause=cause, price=price, weather=weather, row=t, series=_series(rng, n))


@pytest.mark.slow
def test_strong_honest_effects_are_no_leaks() -> None:
    honest = [_honest(seed) for seed in range(200)]
    assert sum(bool(leaks(*one)) for one in honest) <= 2
    assert sum(bool(dependent(columns)) for _, columns in honest) <= 2


def test_a_column_that_is_a_function_of_another_is_left_out_of_a_table_and_said() -> None:
    rng = np.random.default_rng(0)
    income, z = rng.gamma(5.0, 10.0, 60).round(2), rng.normal(size=60)
    frame = pd.DataFrame(
        {"INCOME": income, "INCOMESQ": income**2, "LOGINC": np.log(income).round(5), "Z": z, "ZSQ": z**2}
    )
    frame["spend"] = 0.3 * income + rng.normal(size=60)
    data = load(frame, target="spend")
    assert data.columns == ("INCOME", "Z")
    reason = "Column 'ZSQ' is 'Z' on another scale: its power, logarithm or exponential."
    assert f"{reason} It is left out unless it is named as an input." in data.warnings
    assert load(frame, target="spend", inputs=["Z", "ZSQ"]).columns == ("Z", "ZSQ")


def test_shared_trends_and_steady_targets_are_no_copies() -> None:
    t = np.arange(100.0)
    rng = np.random.default_rng(5)
    assert (
        leaks(1000 + 5 * t + rng.normal(size=100), _columns(year=2000 + t / 12, people=3 * t + rng.normal(size=100)))
        == {}
    )
    assert leaks(3 * t + 1, _columns(row=t)) == {}
    assert leaks(np.full(50, 3.0), _columns(row=t[:50])) == {}


def test_two_values_are_copied_or_not() -> None:
    rng = np.random.default_rng(6)
    flag = (rng.random(80) < 0.4).astype(float)
    assert list(leaks(flag, _columns(same=flag, other=1 - flag))) == ["same"]
    assert leaks(20 + 30 * flag, _columns(promo=flag)) == {}


def test_holes_constants_categories_and_few_rows() -> None:
    rng = np.random.default_rng(8)
    y = _series(rng, 90)
    holes = np.where(rng.random(90) < 0.3, np.nan, y * 2)
    target = np.where(rng.random(90) < 0.1, np.nan, y)
    reasons = leaks(target, [*_columns(holes=holes, flat=np.ones(90), empty=np.full(90, np.nan)),
                             Covariate("codes", np.arange(90.0) % 3, ("a", "b", "c"))])  # fmt: skip
    assert list(reasons) == ["holes"]
    assert leaks(y[:6], _columns(x=rng.normal(size=6))) == {}
    assert leaks(y, []) == {}
    assert leaks(np.zeros(0), []) == {}


def test_copies_and_sums_among_columns_keep_the_first() -> None:
    rng = np.random.default_rng(9)
    n = 80
    a, b, c = rng.normal(size=(3, n)) * 10
    flag = (rng.random(n) < 0.4).astype(float)
    kind, shop = rng.integers(0, 3, n).astype(float), rng.integers(0, 2, n).astype(float)
    columns = [
        *_columns(a=a, b=b, copy=a, feet=3.28 * b, sum=a + b, c=c, flag=flag, rest=1 - flag, row=np.arange(n)),
        *_columns(month=1 + np.arange(n) / 12),
        Covariate("kind", kind, ("x", "y", "z")),
        Covariate("named", 2 - kind, ("p", "q", "r")),
        Covariate("price", np.array([4.0, 5.0, 6.5])[kind.astype(int)]),
        Covariate("shop", shop, ("A", "B")),
    ]
    assert dependent(columns) == {
        "copy": "Column 'copy' is a copy of 'a'.",
        "feet": "Column 'feet' says the same as 'b': it is 3.28 times 'b'.",
        "sum": "Column 'sum' follows from other columns: it is 'a' + 'b'.",
        "rest": "Column 'rest' says the same as 'flag': it is minus 'flag' + 1.",
        "month": "Column 'month' says the same as 'row': it is 0.08333 times 'row' + 1.",
        "named": "Column 'named' has the categories of 'kind' under other names.",
        "price": "Column 'price' follows from the category in 'kind'.",
    }


PARTS = {
    "men and women": ((530, 20), (510, 18)), "three kinds": ((900, 40), (870, 30), (885, 35)),
    "large": ((2e6, 3e4), (1.9e6, 2e4)), "small": ((60, 3), (55, 3)), "alike": ((1000, 9), (1000, 8)),
}  # fmt: skip


@pytest.mark.parametrize("parts", PARTS.values(), ids=PARTS)
def test_a_sum_is_told_before_a_product_of_powers_that_fits_within_rounding(
    parts: tuple[tuple[float, float], ...],
) -> None:
    rng = np.random.default_rng(5)
    columns = {f"part{k}": np.round(rng.normal(mean, spread, 108)) for k, (mean, spread) in enumerate(parts)}
    reasons = leaks(np.sum(list(columns.values()), axis=0), _columns(**columns))
    text = " + ".join(map(repr, columns))
    assert reasons == {name: f"Column {name!r} gives the target away, which is {text}." for name in columns}
