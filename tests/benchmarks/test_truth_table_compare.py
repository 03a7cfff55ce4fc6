"""The comparison of what is told of columns with the truth, on claims made by hand."""

from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

AXIS = np.linspace(0.0, 10.0, 41)


@pytest.fixture
def compare(folder: Path) -> ModuleType:
    import truth_tables

    return truth_tables


@pytest.fixture
def data(compare: ModuleType) -> Any:
    """a has its top at 6, b and c act together, d does nothing; noise of 1."""
    rng = np.random.default_rng(0)
    columns = {"a": AXIS, "b": rng.permutation(AXIS), "c": rng.permutation(AXIS), "d": rng.permutation(AXIS)}

    def signal(v: dict[str, Any]) -> Any:
        return 50.0 - (v["a"] - 6.0) ** 2 + v["b"] * v["c"]

    target = signal(columns) + np.tile([1.0, -1.0], 21)[:41]
    return compare.MadeTable(columns, signal, target.tolist(), 1.0, pairs=[("b", "c")])


@pytest.fixture
def classes(compare: ModuleType) -> Any:
    """The log odds of "yes" rise by 1 with a."""
    return compare.MadeTable({"a": AXIS, "b": AXIS[::-1]}, lambda v: v["a"] - 5.0, ["no"] * 20 + ["yes"] * 21, None)


def test_claims_on_numbers_hold_by_columns_places_and_sizes(compare: ModuleType, data: Any) -> None:
    claims = {
        compare.TableClaim("matters", ("a",), 1.0): True,
        compare.TableClaim("matters", ("d",), 1.0): False,
        compare.TableClaim("denied", ("d",), 0.0): True,
        compare.TableClaim("denied", ("b",), 0.0): False,
        compare.TableClaim("direction", ("b",), 1.0, places=(0.0, 10.0)): True,
        compare.TableClaim("direction", ("b",), 1.0, places=(10.0, 0.0)): False,
        compare.TableClaim("size", ("a",), 30.0, (25.0, 37.0), (0.0, 10.0)): True,
        compare.TableClaim("size", ("a",), 70.0, (60.0, 80.0), (0.0, 10.0)): False,
        compare.TableClaim("turn", ("a",), 5.5, (5.4, 5.6), (1.0,)): True,
        compare.TableClaim("turn", ("a",), 3.0, (2.0, 4.0), (1.0,)): False,
        compare.TableClaim("turn", ("a",), 6.0, (5.0, 7.0), (-1.0,)): False,
        compare.TableClaim("together", ("b", "c"), 1.0): True,
        compare.TableClaim("together", ("a", "b"), 1.0): False,
        compare.TableClaim("together", ("a", "b", "c"), 1.0): False,
        compare.TableClaim("difference", ("b", "c"), 64.0, (60.0, 70.0), (1.0, 9.0, 1.0, 9.0)): True,
        compare.TableClaim("difference", ("b", "c"), -64.0, (-70.0, -60.0), (1.0, 9.0, 1.0, 9.0)): False,
        compare.TableClaim("accuracy", (), 0.98): True,
        compare.TableClaim("accuracy", (), 0.5): False,
        compare.TableClaim("noise", (), 1.2): True,
        compare.TableClaim("noise", (), 3.0): False,
        compare.TableClaim("carried", ("d",), 4): False,
    }
    assert [compare.table_judged(claim, data) for claim in claims] == list(claims.values())


def test_of_near_copies_one_is_told_to_act_and_both_move_together(compare: ModuleType) -> None:
    copy = AXIS / 2.0
    table = compare.MadeTable(
        {"a": AXIS, "b": copy, "c": AXIS[::-1] ** 2}, lambda v: 3.0 * v["a"], (3.0 * AXIS).tolist(), 1.0,
        copies=[("a", "b")],
    )  # fmt: skip
    assert compare.table_judged(compare.TableClaim("either", ("a", "b"), 1.0), table)
    assert not compare.table_judged(compare.TableClaim("either", ("b", "c"), 1.0), table)
    assert compare.table_judged(compare.TableClaim("first", ("a",), 1.0), table)
    assert compare.table_judged(compare.TableClaim("size", ("b",), 30.0, None, (0.0, 5.0)), table)
    assert compare.table_counts([], table, "either")["truths"] == 1
    assert compare.table_counts([], table, "matters")["truths"] == 0


def test_claims_on_classes_are_those_of_the_class_that_is_told(compare: ModuleType, classes: Any) -> None:
    rise = compare.TableClaim("direction", ("a",), 1.0, places=(0.0, 10.0))
    fall = compare.TableClaim("direction", ("a",), 1.0, places=(0.0, 10.0), sign=-1.0)
    claims = {
        rise: True,
        fall: False,
        compare.TableClaim("chance", ("a",), 0.9, (0.8, 0.95), (7.0,)): True,
        compare.TableClaim("chance", ("a",), 0.9, (0.8, 0.95), (7.0,), sign=-1.0): False,
    }
    assert [compare.table_judged(claim, classes) for claim in claims] == list(claims.values())


def test_shares_are_those_of_the_variance(compare: ModuleType, data: Any, classes: Any) -> None:
    share = compare._share("a", data)
    assert share == pytest.approx(np.var((AXIS - 6.0) ** 2) / np.var(data.target))
    spread = np.var(AXIS)
    of_class = compare._share("a", classes)
    assert of_class == pytest.approx(spread / (spread + np.pi**2 / 3.0))


def test_what_a_row_carries_is_told_with_that_row(compare: ModuleType) -> None:
    table = compare.MadeTable({"a": AXIS}, lambda v: 0.0 * v["a"], AXIS.tolist(), 1.0, carried={"a": 3})
    matters, carried = compare.TableClaim("matters", ("a",), 1.0), compare.TableClaim("carried", ("a",), 3)
    assert not compare.table_judged(matters, table, [matters])
    assert compare.table_judged(matters, table, [matters, carried])
    assert compare.table_counts([matters, carried], table, "carried")["told"] == 1


def test_claims_truths_and_ranges_are_counted(compare: ModuleType, data: Any) -> None:
    noises = [compare.TableClaim("noise", (), 1.1, span) for span in ((0.5, 1.5), (1.1, 1.2))]
    found = compare.table_counts(noises, data, "noise")
    assert (found["claims"], found["ranges"], found["hold"]) == (2, 2, 1)
    turn = compare.table_counts([], data, "turn")
    assert (turn["truths"], turn["told"]) == (1, 0)
    told = compare.table_counts([compare.TableClaim("together", ("c", "b"), 1.0)], data, "together")
    assert (told["claims"], told["true"], told["truths"], told["told"]) == (1, 1, 1, 1)


def test_told_facts_become_claims(compare: ModuleType) -> None:
    course = {
        "fact": "course", "columns": ["a"], "form": "turning", "number": 9.0, "unit": "target", "interval": [8.0, 10.0],
        "low": 0.0, "high": 10.0, "lowest": 0.0, "highest": 6.0, "levels": [],
        "parts": [{"kind": "turn", "number": 6.0, "interval": [5.0, 7.0], "marks": ["top"]}],
    }  # fmt: skip
    matters = {
        "fact": "matters", "columns": ["a"], "number": 40.0, "interval": [30.0, 50.0], "marks": [], "missed": [],
    }  # fmt: skip
    record = {
        "columns": [{"name": "a", "told": "matters"}, {"name": "b", "told": "nothing"}, {"name": "c", "told": "open"}],
        "components": [{"together": []}],
        "facts": [course, course | {"form": "unclear"}, *(matters | {"columns": [name]} for name in "abc")],
    }
    claims = compare.table_claims(record)
    assert [claim.kind for claim in claims] == ["turn", "size", "matters", "denied", "first"]
    assert claims[0].interval == (5.0, 7.0)
    either = compare.table_claims(record | {"facts": [matters | {"instead": ["b"]}]})
    assert ("either", ("a", "b")) in [(claim.kind, claim.columns) for claim in either]
    levels = course | {"form": "rising", "levels": ["x", "y"], "lowest": 1.0, "highest": 0.0, "parts": []}
    assert compare.table_claims(record | {"facts": [levels]})[0].places == ("y", "x")
    turning = compare.table_claims(record | {"facts": [levels | {"form": "turning"}]})
    assert [claim.kind for claim in turning] == ["direction", "size", "first"]
