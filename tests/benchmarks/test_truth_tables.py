"""The truths of made tables and classes against plain statistics of their data."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import truth_tables as compare
import truth_tables as tables


def test_there_are_tables_and_classes() -> None:
    assert sum(name.startswith("table:") for name in tables.TABLES) >= 12
    assert sum(name.startswith("classes:") for name in tables.TABLES) >= 4


def test_the_target_is_the_signal_and_noise() -> None:
    for name, make in tables.TABLES.items():
        data = make(np.random.default_rng(1))
        signal = data.signal(data.columns)
        assert len({len(values) for values in data.table.values()}) == 1, name
        if data.is_class:
            chance = 1.0 / (1.0 + np.exp(-signal))
            came = np.array(data.target) == "yes"
            reach = 4.0 * float(np.sqrt((chance * (1.0 - chance)).sum()))
            assert abs(came.sum() - chance.sum()) < reach, name
        elif not data.carried:
            left = np.array(data.target) - signal
            assert left.std() == pytest.approx(data.noise, rel=0.4), name
            assert abs(left.mean()) < 4.0 * data.noise / np.sqrt(len(left)), name


def test_pairs_act_together_and_no_others_do() -> None:
    for name, make in tables.TABLES.items():
        data = make(np.random.default_rng(1))
        numeric = [one for one, values in data.columns.items() if values.dtype.kind != "U"]
        places = {one: np.unique(data.columns[one])[[0, -1]].tolist() for one in numeric}
        for at, first in enumerate(numeric):
            for second in numeric[at + 1 :]:
                low, high, below, above = (
                    data.signal(
                        data.columns | {first: np.full(len(data.target), x), second: np.full(len(data.target), z)}
                    )
                    for z in places[second]
                    for x in places[first]
                )
                apart = np.abs(above - below - high + low).max() > 1e-6
                assert apart == ((first, second) in data.pairs), (name, first, second)


def test_a_draw_is_the_same_for_the_same_seed() -> None:
    first, again, other = (tables.TABLES["table: category"](np.random.default_rng(seed)).table for seed in (3, 3, 4))
    assert first == again != other


AXIS = np.linspace(0.0, 10.0, 41)


@pytest.fixture
def data() -> Any:
    """a has its top at 6, b and c act together, d does nothing; noise of 1."""
    rng = np.random.default_rng(0)
    columns = {"a": AXIS, "b": rng.permutation(AXIS), "c": rng.permutation(AXIS), "d": rng.permutation(AXIS)}

    def signal(v: dict[str, Any]) -> Any:
        return 50.0 - (v["a"] - 6.0) ** 2 + v["b"] * v["c"]

    target = signal(columns) + np.tile([1.0, -1.0], 21)[:41]
    return compare.MadeTable(columns, signal, target.tolist(), 1.0, pairs=[("b", "c")])


@pytest.fixture
def classes() -> Any:
    """The log odds of "yes" rise by 1 with a."""
    return compare.MadeTable({"a": AXIS, "b": AXIS[::-1]}, lambda v: v["a"] - 5.0, ["no"] * 20 + ["yes"] * 21, None)


def test_claims_on_numbers_hold_by_columns_places_and_sizes(data: Any) -> None:
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


def test_claims_on_classes_are_those_of_the_class_that_is_told(classes: Any) -> None:
    rise = compare.TableClaim("direction", ("a",), 1.0, places=(0.0, 10.0))
    fall = compare.TableClaim("direction", ("a",), 1.0, places=(0.0, 10.0), sign=-1.0)
    claims = {
        rise: True,
        fall: False,
        compare.TableClaim("chance", ("a",), 0.9, (0.8, 0.95), (7.0,)): True,
        compare.TableClaim("chance", ("a",), 0.9, (0.8, 0.95), (7.0,), sign=-1.0): False,
    }
    assert [compare.table_judged(claim, classes) for claim in claims] == list(claims.values())


def test_shares_are_those_of_the_variance(data: Any, classes: Any) -> None:
    share = compare.true_number(compare.TableClaim("share", ("a",), 0.0), data)
    assert share == pytest.approx(np.var((AXIS - 6.0) ** 2) / np.var(data.target))
    spread = np.var(AXIS)
    of_class = compare.true_number(compare.TableClaim("share", ("a",), 0.0), classes)
    assert of_class == pytest.approx(spread / (spread + np.pi**2 / 3.0))


def test_what_a_row_carries_is_told_with_that_row() -> None:
    table = compare.MadeTable({"a": AXIS}, lambda v: 0.0 * v["a"], AXIS.tolist(), 1.0, carried={"a": 3})
    matters, carried = compare.TableClaim("matters", ("a",), 1.0), compare.TableClaim("carried", ("a",), 3)
    assert not compare.table_judged(matters, table, [matters])
    assert compare.table_judged(matters, table, [matters, carried])
    assert compare.table_counts([matters, carried], table, "carried")["told"] == 1


def test_claims_truths_and_ranges_are_counted(data: Any) -> None:
    shares = [compare.TableClaim("share", ("a",), 0.5, span) for span in ((0.0, 1.0), (0.9, 1.0))]
    found = compare.table_counts(shares, data, "share")
    assert (found["claims"], found["ranges"], found["hold"]) == (2, 2, 1)
    turn = compare.table_counts([], data, "turn")
    assert (turn["truths"], turn["told"]) == (1, 0)
    told = compare.table_counts([compare.TableClaim("together", ("c", "b"), 1.0)], data, "together")
    assert (told["claims"], told["true"], told["truths"], told["told"]) == (1, 1, 1, 1)


def test_told_facts_become_claims() -> None:
    course = {
        "fact": "Course", "column": "a", "kind": "turning", "number": 9.0, "unit": "y", "interval": [8.0, 10.0],
        "low": 0.0, "high": 10.0, "lowest": 0.0, "highest": 6.0, "levels": [],
        "turns": [{"at": 6.0, "span": [5.0, 7.0], "top": True}],
    }  # fmt: skip
    matters = {"fact": "ColumnRelevance", "column": "a", "number": 40.0, "interval": [30.0, 50.0], "left": False}
    record = {
        "columns": [{"name": "a", "told": "matters"}, {"name": "b", "told": "nothing"}, {"name": "c", "told": "open"}],
        "components": [{"together": []}],
        "facts": [course, course | {"kind": "unclear"}, *(matters | {"column": name} for name in "abc")],
    }
    claims = compare.table_claims(record)
    assert [claim.kind for claim in claims] == ["turn", "size", "matters", "share", "denied"]
    assert claims[0].interval == (5.0, 7.0)
    assert claims[3].number == pytest.approx(0.4)
    levels = course | {"kind": "rising", "levels": ["x", "y"], "lowest": 1.0, "highest": 0.0, "turns": []}
    assert compare.table_claims(record | {"facts": [levels]})[0].places == ("y", "x")
    turning = compare.table_claims(record | {"facts": [levels | {"kind": "turning"}]})
    assert [claim.kind for claim in turning] == ["direction", "size"]
