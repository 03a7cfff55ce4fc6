"""A target that is a formula of columns, and columns that are sums of others, are told for what they are."""

import re

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from tests.there import there

from autostatistician.data import formulas
from autostatistician.data.exact_fits import ExactFit
from autostatistician.data.formulas import formula_of, formulas_of, relations_among, sums_among
from autostatistician.data.load import load
from autostatistician.i18n.messages import again, spoken_in

Floats = NDArray[np.float64]


def _formula_tables(seed: int, n: int) -> dict[str, tuple[Floats, dict[str, Floats], str]]:
    """Targets that are formulas of columns but for rounding, with the formula in words."""
    rng = np.random.default_rng(seed)
    a, b, price = rng.gamma(4.0, 30.0, n).round(2), rng.gamma(3.0, 12.0, n).round(2), rng.gamma(5.0, 4.0, n).round(2)
    pieces, celsius = rng.integers(1, 40, n).astype(float), rng.normal(12.0, 9.0, n)
    slips, holes = np.where(np.arange(n) % 100 == 50, 10.8 * a, 1.08 * a), np.where(np.arange(n) % 10 == 3, np.nan, a)
    per_piece = np.array([float(f"{value:.7g}") for value in 1e5 * pieces / b])
    parts = {"pieces": pieces, "price": price}
    return {
        "other units": ((1.08 * a).round(1), {"a": a}, "1.08 times 'a' in all"),
        "finer than its column": (a, {"b": (a / 0.5).round(1)}, "0.5 times 'b' in all"),
        "degrees": ((32.0 + 1.8 * celsius.round(1)).round(1), {"c": celsius.round(1)}, "1.8 times 'c' + 32 in all"),
        "both rounded": ((32.0 + 1.8 * celsius).round(1), {"c": celsius.round(1)}, "times 'c' + "),
        "net": ((a - 0.37 * b).round(2), {"gross": a, "tax": (0.37 * b).round(2)}, "'gross' - 'tax' in all"),
        "total": ((a + b).round(), {"a": a, "b": b}, "'a' + 'b' in all"),
        "revenue": ((1.19 * price * pieces).round(2), parts, "1.19 times 'pieces' times 'price' in all"),
        "density": ((a / b).round(3), {"mass": a, "volume": b}, "'mass' divided by 'volume' in all"),
        "seven digits": (per_piece, {"all": 1e5 * pieces, "b": b}, "'all' divided by 'b' in all"),
        "slips": (slips.round(2), {"a": a}, f"1.08 times 'a' in {n - n // 100} of {n} rows"),
        "holes": ((1.08 * a).round(2), {"a": holes}, f"1.08 times 'a' in {n - n // 10} of {n} rows"),
        "single precision": ((a / b).astype(np.float32), {"a": a, "b": b}, "'a' divided by 'b' in all"),
        "body mass": ((1e4 * a / (b + 9.0) ** 2).round(2), {"a": a, "b": b + 9.0}, "divided by 'b' to the power 2 in"),
    }  # fmt: skip


@pytest.mark.parametrize("kind", _formula_tables(0, 100))
@pytest.mark.parametrize("n", [100, 1500])
def test_a_formula_of_columns_is_seen_through_rounding(kind: str, n: int) -> None:
    y, columns, text = _formula_tables(n, n)[kind]
    rng, rows = np.random.default_rng(3), np.arange(float(n))
    others = {"promo": (rng.random(n) < 0.2) * 1.0, "noise": rng.normal(size=n), "row": rows}
    others["other"] = 200.0 + 10.0 * np.sin(2.0 * np.pi * rows / 12.0) + np.cumsum(rng.normal(size=n))
    order = np.argsort(y)
    said = formula_of("y", y[order].astype(float), {name: x[order] for name, x in (others | columns).items()})
    assert said.startswith("Column 'y' is ")
    assert text in said


@pytest.mark.parametrize("kind", ["noise", "few digits", "zeros", "many columns"])
def test_what_noise_is_left_of_is_no_formula(kind: str) -> None:
    for seed in range(15):
        rng = np.random.default_rng(seed)
        columns = {name: rng.gamma(4.0, 20.0, 60).round() for name in "abcd"}
        exact = 2.0 * columns["a"] + columns["b"]
        if kind == "noise":  # whole numbers are counts: what is left is more than the digits of the target
            y = (2.0 * columns["a"] + rng.normal(0.0, 0.3, 60)).round(3)
        elif kind == "few digits":
            y = (rng.integers(0, 12, 60) + 0.1 * columns["a"] / 20.0).round()
        elif kind == "zeros":
            y = np.where(rng.random(60) < 0.9, 0.0, exact + rng.normal(0.0, 9.0, 60).round(1))
        else:
            columns |= {f"x{k}": rng.normal(size=60).round(1) for k in range(16)}
            y = exact + rng.normal(0.0, 2.0, 60).round()
        assert formula_of("y", y, columns) == ""


def test_all_formulas_of_a_target_are_said_at_once() -> None:
    rng = np.random.default_rng(5)
    area, per_metre, listed = rng.uniform(40, 200, 90).round(1), rng.uniform(900, 4000, 90), rng.uniform(1.0, 1.2, 90)
    price = (area * per_metre).round()
    columns = {"area": area, "by_metre": (price / area).round(2), "list": (price * listed).round(-2)}
    columns |= {"percent": (100 * price / columns["list"]).round(3), "rooms": rng.integers(1, 7, 90).astype(float)}
    said = formula_of("price", price, columns)
    assert "is 'area' times 'by_metre' in all 90 rows and 0.01 times 'list' times 'percent' in all 90 rows" in said
    assert "without one of 'area' and 'by_metre' and one of 'list' and 'percent', or another target" in said


def test_a_table_opens_with_the_formula_of_its_target() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"eur": rng.gamma(4.0, 30.0, 80).round(2), "day": rng.choice(list("abc"), 80)})
    frame["usd"] = (1.08 * frame["eur"]).round(1)
    opening = "Column 'usd' is 1.08 times 'eur' in all 80 rows, but for rounding: whatever else is said of it"
    for inputs in (None, ["*"], ["eur", "day"]):
        data = load(frame, target="usd", inputs=inputs)
        assert data.choice.startswith(opening)
        assert data.choice == data.warnings[0]
    assert data.columns == ("eur", "day")
    with spoken_in("de"):
        assert "ist bis auf Rundung 1,08 mal 'eur' in allen 80 Zeilen" in again(data.choice)
    assert not load(frame, target="usd", inputs=["day"]).choice


def test_of_many_columns_pairs_are_tried_of_those_that_go_with_the_target(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    columns = {f"c{place}": rng.gamma(3.0, size=200).round(3) for place in range(200)}
    tried = []

    def counted(*cells: NDArray[np.float64], slips: float) -> tuple[ExactFit, int] | None:
        tried.append(cells)
        return fit(*cells, slips=slips)

    fit = formulas._rounded_fit
    monkeypatch.setattr(formulas, "_rounded_fit", counted)
    assert "is 'c1' divided by 'c107' in all" in formula_of("z", (columns["c1"] / columns["c107"]).round(4), columns)
    assert formula_of("z", rng.normal(size=200).round(3), columns) == ""
    assert len(tried) < 4000  # of three looks; all pairs are 20,000 on each scale


@pytest.mark.parametrize("digits", [3, 9])
@pytest.mark.parametrize("kind", ["log", "log10", "exp"])
def test_a_logarithm_or_an_exponential_is_seen_through_rounding(kind: str, digits: int) -> None:
    rng = np.random.default_rng(3)
    pay, years = rng.lognormal(3.0, 0.7, 90).round(2), rng.integers(0, 30, 90).astype(float)
    logs = np.log(pay).round(digits)
    y, x, text = {
        "log": (logs, pay, "the logarithm of 'x' in all"),
        "log10": (np.log10(pay).round(digits), pay, "0.434"),
        "exp": (pay, np.log(pay).astype(np.float32).astype(float), "the exponential of 'x' in all"),
    }[kind]
    ((found, names),) = formulas_of(y, {"years": years, "x": x}, rescaled=True)
    assert found.startswith(text)
    assert names == ["x"]


def test_a_product_of_columns_that_are_often_zero_is_seen() -> None:
    rng = np.random.default_rng(5)
    married, old, pay = *rng.integers(0, 2, (2, 120)).astype(float), rng.gamma(9.0, size=120)
    columns = {"married": married, "old": old, "pay": pay}
    assert "'married' times 'old' in all 120 rows" in formula_of("both", married * old, columns)
    assert "'married' times 'pay' in all 120 rows" in formula_of("both", married * pay, columns)
    assert formula_of("either", np.maximum(married, old), columns) == ""
    parts = {name: rng.integers(0, 20, 120).astype(float) for name in "abcd"}
    assert "'a' + 'b' + 'c' in all 120 rows" in formula_of("all", sum(parts[name] for name in "abc"), parts)
    assert formula_of("all", sum(parts.values()) + rng.normal(size=120).round(2), parts) == ""
    slip = married * old
    slip[0] = 1.0 - slip[0]
    assert formula_of("both", slip, columns) == ""


def test_the_target_on_another_scale_is_no_input_unless_it_is_named() -> None:
    rng = np.random.default_rng(6)
    pay, years, age = rng.lognormal(3.0, 0.7, 90).round(2), rng.integers(0, 30, 90), rng.integers(18, 65, 90)
    frame = pd.DataFrame({"years": years, "lpay": np.log(pay), "age": age, "pay": pay})
    data = load(frame, target="pay")
    assert data.columns == ("years", "age")
    assert "Column 'pay' is the exponential of 'lpay' in all 90 rows, so 'lpay' is left out" in there(data.choice)
    assert load(frame, target="pay", inputs=["lpay", "age"]).columns == ("lpay", "age")
    assert load(frame.assign(lpay=2 * pay + 1), target="pay").columns == ("years", "lpay", "age")  # a law, it may be
    assert load(frame[["lpay", "pay"]], target="pay").columns == ("lpay",)


def test_a_sum_among_many_columns_is_found_whatever_lacks() -> None:
    rng = np.random.default_rng(3)
    columns = dict(zip(map(str, range(80)), rng.normal(size=(80, 400)).round(3), strict=True))
    columns["all"] = columns["3"] + columns["50"] - columns["71"]
    assert [(name, others) for name, others, _ in relations_among(columns)] == [("all", ["3", "50", "71"])]
    columns["5"], columns["7"] = np.where(rng.random(400) < 0.1, np.nan, columns["5"]), np.ones(400)
    assert [name for name, *_ in relations_among(columns)] == ["all"]


def test_columns_that_are_sums_of_others_are_said_as_the_sum_that_they_are() -> None:
    rng = np.random.default_rng(8)
    nurses, doctors, beds = (rng.integers(1, 20, 70).astype(float) for _ in range(3))
    for order in (("staff", "nurses", "doctors"), ("doctors", "staff", "nurses"), ("nurses", "doctors", "staff")):
        every = {"nurses": nurses, "doctors": doctors, "staff": nurses + doctors}
        said = sums_among({"beds": beds, **{name: every[name] for name in order}})
        assert re.search("Mind that '(nurses|doctors)' [+] '(nurses|doctors)' is 'staff' in all rows", said)
    kind = rng.integers(0, 3, 70)
    dummies = {f"kind{k}": (kind == k).astype(float) for k in range(3)}
    assert "'kind0' + 'kind1' + 'kind2' is 1 in all rows" in sums_among({"beds": beds, **dummies})
    mean = {"low": nurses, "high": nurses + doctors, "mid": nurses + 0.5 * doctors}
    assert "0.5 times 'low' + 0.5 times 'high' is 'mid'" in sums_among(mean)
    assert sums_among({"beds": beds, "nurses": nurses, "twice": 2.0 * nurses}) == ""  # one says the same as the other
    near = {"nurses": nurses, "doctors": doctors, "staff": nurses + doctors + 0.02 * rng.normal(size=70)}
    assert sums_among(near) == ""
    frame = pd.DataFrame({"beds": beds, **every, "wait": rng.gamma(9.0, size=70) + nurses})
    assert "is 'staff' in all rows" in there(load(frame, target="wait").choice)
