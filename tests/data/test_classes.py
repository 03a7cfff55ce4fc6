"""Targets that are one of two classes: found out, told, coded, named and refused."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from autostatistician.data.classes import class_codes, class_names, is_class
from autostatistician.data.columns import DataColumn
from autostatistician.data.dataset import Dataset
from autostatistician.data.load import load
from autostatistician.errors import InputError

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
    assert any("--task number" in one for one in found.warnings)
    assert not any("modelled as numbers" in one for one in found.warnings)
    told = load(frame, target="kind", task="class")
    assert told.classes == names
    assert not any("--task" in one for one in told.warnings)


def test_numbers_stay_numbers_unless_someone_asks() -> None:
    frame = pd.DataFrame({"age": AGES[::-1] ** 2 % 7, "size": AGES % 5, "kind": [0, 1] * 6})
    assert load(frame, target="kind").classes == ()
    assert load(frame, target="kind", task="number").classes == ()
    assert load(frame, target="size", task="auto").classes == ()
    assert not is_class(DataColumn("y", np.array([1.0, 2.0, 3.0])), "auto")
    with pytest.raises(InputError, match="a task among"):
        load(frame, task="kind")  # type: ignore[arg-type]


def test_a_class_over_time() -> None:
    days = pd.date_range("2024-01-01", periods=12)
    found = load(pd.DataFrame({"day": days, "rain": ["yes", "no", None] * 4}), target="rain", task="auto")
    assert found.axis is not None
    assert found.classes == ("no", "yes")
    np.testing.assert_array_equal(found.y, [1.0, -1.0] * 4)
    twin = Dataset.from_json(found.to_json())
    assert twin.classes == found.classes
    with pytest.raises(InputError, match="classes that are not two"):
        Dataset.from_json(found.to_json() | {"classes": ["no"]})


@pytest.mark.parametrize(
    ("cells", "message"), [(["a"] * 12, "one class only, 'a'"), (["a", "b", "c"] * 4, "GPClassifier")]
)
def test_one_class_or_three_are_refused(cells: list[str], message: str) -> None:
    with pytest.raises(InputError, match=message):
        load(pd.DataFrame({"age": AGES, "size": AGES % 5, "kind": cells}), target="kind", inputs=["*"], task="auto")


def test_the_class_that_is_affirmed_is_told() -> None:
    assert class_names(("not ill", "ill")) == ("not ill", "ill")
    assert class_names(("ill", "not ill")) == ("not ill", "ill")
    coded, names = class_codes(DataColumn("y", ("no", "yes", None)))
    assert names == ("no", "yes")
    np.testing.assert_array_equal(coded.values, [-1.0, 1.0, np.nan])
