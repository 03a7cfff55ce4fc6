"""Targets that are one of some classes: found out, told, coded, named and refused."""

import json

import numpy as np
import pandas as pd
import pytest

from autostatistician.data.classes import against_rest, class_codes, class_names, is_class
from autostatistician.data.columns import DataColumn
from autostatistician.data.dataset import Dataset
from autostatistician.data.load import load
from autostatistician.errors import InputError
from autostatistician.i18n.messages import again, spoken_in

AGES = np.arange(12.0)


@pytest.mark.parametrize(
    ("cells", "names"),
    [
        (["yes", "no"] * 6, ("no", "yes")),
        (["True", "False"] * 6, ("False", "True")),
        ([1, 0] * 6, ("0", "1")),
        ([2, 1] * 6, ("1", "2")),
        ([10, 9] * 6, ("9", "10")),
        ([True, False] * 6, ("False", "True")),
        (["spam", "ham"] * 6, ("ham", "spam")),
    ],
)
def test_two_values_of_any_kind_are_a_class(cells: list[object], names: tuple[str, str]) -> None:
    frame = pd.DataFrame({"age": AGES[::-1] ** 2 % 7, "size": AGES % 5, "kind": cells})
    found = load(frame, target="kind", task="auto")
    assert found.classes == names
    np.testing.assert_array_equal(found.y, [1.0, -1.0] * 6)
    assert any("modelled as a number instead" in one for one in found.warnings)
    assert not any("modelled as numbers" in one for one in found.warnings)
    told = load(frame, target="kind", task="class")
    assert told.classes == names
    assert not any("instead" in one for one in told.warnings)


def test_long_numbers_are_classes_of_their_own() -> None:
    frame = pd.DataFrame({"age": AGES, "size": AGES % 5, "shop": [1234567, 1234568] * 6})
    assert load(frame, target="shop", task="class").classes == ("1234567", "1234568")


def test_numbers_stay_numbers_unless_someone_asks() -> None:
    frame = pd.DataFrame({"age": AGES[::-1] ** 2 % 7, "size": AGES % 5, "kind": [0, 1] * 6})
    assert load(frame, target="kind").classes == ()
    assert load(frame, target="kind", task="number").classes == ()
    assert load(frame, target="size", task="auto").classes == ()
    assert not is_class(DataColumn("y", np.array([1.0, 2.0, 3.0])), "auto")
    with pytest.raises(InputError, match="or task='number'"):
        load(frame, task="kind")  # type: ignore[arg-type]


def test_a_class_over_time() -> None:
    days = pd.date_range("2024-01-01", periods=12)
    found = load(pd.DataFrame({"day": days, "rain": ["yes", "no", None] * 4}), target="rain", task="auto")
    assert found.axis is not None
    assert found.classes == ("no", "yes")
    np.testing.assert_array_equal(found.y, [1.0, -1.0] * 4)
    twin = Dataset.from_json(found.to_json())
    assert twin.classes == found.classes
    with pytest.raises(InputError, match="classes that are not those of their codes"):
        Dataset.from_json(found.to_json() | {"classes": ["no"]})


@pytest.mark.parametrize(
    ("cells", "message"), [(["a"] * 24, "one class only, 'a'"), ([*"abcdefghijklmnopqrstuvwx"], "at most 20 classes")]
)
def test_one_class_or_very_many_are_refused(cells: list[str], message: str) -> None:
    ages = np.arange(24) % 7
    with pytest.raises(InputError, match=message):
        load(pd.DataFrame({"age": ages, "size": ages % 5, "kind": cells}), target="kind", inputs=["*"], task="auto")


def test_three_classes_are_coded_in_their_order_and_set_against_the_rest() -> None:
    table = pd.DataFrame({"age": AGES, "size": AGES % 5, "kind": ["b", "c", "a"] * 4})
    data = load(table, target="kind", inputs=["*"], task="auto")
    assert data.classes == ("a", "b", "c")
    assert data.y.tolist() == [1.0, 2.0, 0.0] * 4
    assert data.warnings[0].startswith("Column 'kind' holds 3 classes")
    assert Dataset.from_json(data.to_json()).classes == data.classes
    one = against_rest(data, 2)
    assert (one.classes, one.y.tolist()) == (("not c", "c"), [-1.0, 1.0, -1.0] * 4)
    with spoken_in("de"):
        assert again(Dataset.from_json(json.loads(json.dumps(one.to_json()))).classes[0]) == "nicht c"
    assert Dataset.from_json(one.to_json() | {"classes": ["not c", "c"]}).classes == one.classes  # of before messages


def test_a_class_whose_rows_were_left_out_is_none() -> None:
    table = pd.DataFrame({"age": [np.inf, *AGES[1:]], "size": AGES % 5, "kind": ["x", *["b", "c"] * 5, "b"]})
    data = load(table, target="kind", inputs=["*"], task="class")
    assert data.classes == ("b", "c")
    assert set(data.y.tolist()) == {-1.0, 1.0}


def test_classes_are_modelled_where_nothing_else_can_be() -> None:
    days = pd.date_range("2024-01-01", periods=12)
    found = load(pd.DataFrame({"day": days, "rain": ["yes", "no", "no"] * 4}), task="auto")
    assert (found.target, found.classes) == ("rain", ("no", "yes"))


def test_the_class_that_is_affirmed_is_told() -> None:
    assert class_names(("not ill", "ill")) == ("not ill", "ill")
    assert class_names(("ill", "not ill")) == ("not ill", "ill")
    coded, names = class_codes(DataColumn("y", ("no", "yes", None)))
    assert names == ("no", "yes")
    np.testing.assert_array_equal(coded.values, [-1.0, 1.0, np.nan])
