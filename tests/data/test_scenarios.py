"""Changes of plans: how they are written, what they do, and what is refused."""

import numpy as np
import pytest

from autostatistician.data.covariates import Covariate, Covariates
from autostatistician.data.holidays import CalendarDays
from autostatistician.data.scenarios import Change, changed, plan_of
from autostatistician.data.times.axes import Axis
from autostatistician.errors import InputError

MONTH = Axis("month", "year", "month", 1 / 12)
X = 2024 + np.arange(5) / 12
COLUMNS = Covariates(
    X,
    (
        Covariate("price", np.array([4.0, 5.0, 6.0, np.nan, 8.0])),
        Covariate("shop", np.array([0.0, 1.0, 0.0, 1.0, np.nan]), ("A", "B")),
    ),
    (CalendarDays(MONTH),),
)


def test_the_ways_to_write_a_change() -> None:
    assert plan_of(" promo = 0 , price=+10% ") == (Change("promo", "set", 0.0), Change("price", "scale", 1.1))
    assert plan_of("price=-25%")[0].value == 0.75
    assert plan_of("price=-1.5") == (Change("price", "add", -1.5),)
    assert plan_of("frost==-5") == (Change("frost", "set", -5.0),)
    assert plan_of("shop=B") == (Change("shop", "set", "B"),)


def test_changes_in_words() -> None:
    texts = [change.text for change in plan_of("a=0,b=+10%,c=-2.5%,d=+3,e=-1,f=low")]
    assert texts == ["'a' at 0", "'b' 10 % higher", "'c' 2.5 % lower", "'d' 3 higher", "'e' 1 lower", "'f' at low"]


def test_rows_change_from_the_position_on_and_nothing_else_does() -> None:
    other = changed(COLUMNS, plan_of("price=+10%,SHOP=b"), float(X[2]))
    np.testing.assert_allclose(other.table[0].values, [4.0, 5.0, 6.6, np.nan, 8.8])
    np.testing.assert_array_equal(other.table[1].values, [0.0, 1.0, 1.0, 1.0, 1.0])
    np.testing.assert_array_equal(COLUMNS.table[0].values, [4.0, 5.0, 6.0, np.nan, 8.0])
    assert other.names == COLUMNS.names
    np.testing.assert_array_equal(changed(COLUMNS, plan_of("price=3"), float(X[3])).table[0].values[3:], [3.0, 3.0])
    np.testing.assert_array_equal(changed(COLUMNS, plan_of("price=-1"), float(X[4])).table[0].values[3:], [np.nan, 7.0])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "changes such as promo=0,price=.*; found ''; name each column once"),
        ("price=1,price=2", "found 'price' twice; name each column once"),
        ("price", "found 'price' in 'price'; write each as column=value"),
        ("price=4,5", "found '5' in 'price=4,5'; .* with a point in numbers such as 4.5"),
        ("price=10%", r"a change of 'price' with a sign; found '10%'; write \+10% or -10%"),
        ("price=nan", "a number or category for 'price'; found 'nan'; write one"),
        ("=3", "found '=3'"),
    ],
)
def test_other_texts_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        plan_of(text)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("prise=1", "a column 'prise' to change; found only 'price', 'shop'; did you mean 'price'"),
        ("zzz=1", "change one of these"),
        ("working days=20", "found 'working days', which follows from the calendar; change 'price', 'shop'"),
        ("price=high", "a number for column 'price'; found 'high'; write one such as 4.5"),
        ("shop=C", r"a category of column 'shop' \('A', 'B'\); found 'C'; choose one of these"),
        ("shop=+1", r"a category of column 'shop' \('A', 'B'\); found a change 'shop' 1 higher; choose one of these"),
    ],
)
def test_columns_and_categories_that_there_are_are_named(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        changed(COLUMNS, plan_of(text), float(X[0]))


def test_without_rows_to_come_nothing_can_be_changed() -> None:
    with pytest.raises(InputError, match="rows of a plan that can be changed; found none"):
        changed(COLUMNS, plan_of("price=1"), 2030.0)


def test_categories_that_are_numbers_are_set_by_number() -> None:
    columns = Covariates(X, (Covariate("size", np.zeros(5), ("10", "20")),))
    assert changed(columns, plan_of("size=20"), float(X[0])).table[0].values.tolist() == [1.0] * 5
