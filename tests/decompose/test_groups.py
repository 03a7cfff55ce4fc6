"""Rows of one person are no rows of persons that nobody has seen, and rows next to each other may be alike."""

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.there import there

from autostatistician.data.dataset import Dataset
from autostatistician.data.transform import Transform
from autostatistician.decompose.records.table import LeftOutGroups
from autostatistician.decompose.table.leave_one_out import leave_one_out, left_out_groups, repeated
from autostatistician.decompose.table.plain_regressions import PlainTable
from autostatistician.gp.engines.choice import condition
from autostatistician.gp.posterior.posterior import Posterior
from autostatistician.gp.problem import Problem
from autostatistician.kernels.kernel import leaf

Array = NDArray[np.float64]


def _known(groups: int, rows: int, effect: float, slope: float) -> Posterior:
    """Rows of ``groups`` with a fine number each, a height of their own, and a line along the number."""
    rng = np.random.default_rng([groups, rows])
    fine = np.repeat(rng.normal(size=groups), rows)
    y = np.repeat(effect * rng.normal(size=groups), rows) + slope * fine + 0.3 * rng.normal(size=groups * rows)
    kernel = leaf("SE", "fine", sd=1.0, lengthscale=0.01) + leaf("SE", "fine", sd=2.0, lengthscale=4.0)
    problem = Problem(np.column_stack([fine, rng.normal(size=len(y))]), y, ("fine", "other"))
    return condition(kernel + leaf("WN", sd=0.3), problem)


def _left_out(known: Posterior) -> LeftOutGroups | None:
    return left_out_groups(known, known.y, lambda mean, _: mean)


def test_what_is_known_of_groups_is_not_foreseen_of_others() -> None:
    known = _known(40, 6, 1.0, 0.0)
    found = there(_left_out(known))
    assert (found.column, found.count) == ("fine", 40)
    assert leave_one_out(known, Transform(), 0.0, np.random.default_rng(0)).r2 > 0.8
    assert found.r2 < 0.1
    groups = there(repeated(known.X[:, 0]))
    rows = [np.flatnonzero(groups == group) for group in range(40)]
    apart = [known.y[each] - known.without(each).observations(known.X[each])[0] for each in rows]
    assert found.r2 == pytest.approx(1.0 - np.sum(np.square(apart)) / np.sum((known.y - known.y.mean()) ** 2))
    told, missed = np.exp(known.y), np.empty(240)
    missed[np.concatenate(rows)] = np.concatenate(apart)
    in_units = there(left_out_groups(known, told, lambda mean, _: np.exp(mean)))
    off = told - np.exp(known.y - missed)
    assert in_units.r2 == pytest.approx(1.0 - np.sum(off**2) / np.sum((told - told.mean()) ** 2))


def test_what_goes_along_a_column_is_foreseen_of_groups() -> None:
    known = _known(40, 6, 0.0, 2.0)
    assert there(_left_out(known)).r2 > 0.9


def test_a_trait_of_a_person_is_seen_once_for_each_person() -> None:
    by_rows, by_groups = [], []
    for seed in range(20):
        rng = np.random.default_rng(seed)
        fine, trait, person = (np.repeat(rng.normal(size=50), 6) for _ in range(3))
        dose = rng.integers(0, 4, 300).astype(float)
        y = 3.0 * fine + 2.0 * person + dose + rng.normal(size=300)
        data = Dataset(np.column_stack([fine, trait, dose]), y, ("fine", "trait", "dose"), "y", None)
        said = PlainTable(data, data.columns, groups="fine").columns()
        assert there(said["fine"]).beside_model.p < 1e-4
        assert there(said["dose"]).wider == 1.0  # it differs in a group, and is seen in every row
        by_groups.append(there(said["trait"]).slope.single < 0.05)
        order = rng.permutation(300)  # or rows next to each other are seen to be alike
        mixed = Dataset(data.X[order], y[order], data.columns, "y", None)
        by_rows.append(there(PlainTable(mixed, data.columns).columns()["trait"]).slope.single < 0.05)
    assert sum(by_groups) <= 3
    assert sum(by_rows) >= 8


def test_how_categories_differ_is_told_by_rows_though_they_are_groups() -> None:
    rng, owners = np.random.default_rng(0), []
    clinic = np.repeat(np.arange(30.0), 8)
    levels = {"clinic": tuple(f"clinic {k}" for k in range(30))}
    for _ in range(20):
        X = np.column_stack([clinic, np.repeat(rng.normal(size=30), 8)])
        y = np.repeat(9.0 * rng.normal(size=30), 8) + rng.normal(size=240)
        data = Dataset(X, y, ("clinic", "owner"), "y", None, levels=levels)
        said = PlainTable(data, ("clinic",), groups="clinic").columns()
        assert there(said["clinic"]).slope.p < 1e-9
        owners.append(there(said["owner"]).slope.single < 0.05)
    assert sum(owners) <= 3
    alone = Dataset(X[:, :1], data.y, ("clinic",), "y", None, levels=levels)
    assert there(PlainTable(alone, ("clinic",), groups="clinic").columns()["clinic"]).slope.p < 1e-9


@pytest.mark.parametrize("groups", [25, 80])
def test_groups_share_fine_numbers_or_rows_are_sorted_by_them(groups: int) -> None:
    rng = np.random.default_rng(groups)
    fine = rng.normal(size=groups)
    shuffled = rng.permutation(np.repeat(fine, 4))
    assert len(set(zip(shuffled.tolist(), there(repeated(shuffled)).tolist(), strict=True))) == groups
    assert there(repeated(np.repeat(500.0 + np.cumsum(rng.integers(1, 3, groups)), 3))).max() == groups - 1
    assert repeated(rng.integers(1, groups + 1, 4 * groups).astype(float)) is None  # whole numbers, as ages are
    assert repeated(np.repeat(fine[:5], 20)) is None  # of an experiment with few levels
    assert repeated(fine) is None
    ages = rng.integers(1, groups + 1, 4 * groups).astype(float)
    assert repeated(np.append(ages, 20.5 + 0.001 * rng.integers(0, 99, 4))) is None  # with what stands for empty cells


def _remembering(rng: np.random.Generator, rows: int, memory: float, columns: int = 1) -> Array:
    """Columns (rows, columns) of variance one in which neighbours are alike."""
    steps = rng.normal(size=(rows + 50, columns))
    for row in range(1, len(steps)):
        steps[row] += memory * steps[row - 1]
    return steps[50:] * np.sqrt(1.0 - memory**2)


@pytest.mark.parametrize(("memory", "alike", "false"), [(0.0, 0, 6), (0.8, 40, 8)])
def test_columns_that_remember_do_not_act_by_errors_that_remember(memory: float, alike: int, false: int) -> None:
    seen, acting = 0, 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        X = np.column_stack([rng.normal(size=200), _remembering(rng, 200, 0.8)])
        data = Dataset(X, X[:, 0] + _remembering(rng, 200, memory)[:, 0], ("x", "z"), "y", None)
        plain = PlainTable(data, ("x",))
        seen += plain.alike is not None
        found = plain.columns()
        acting += there(found["z"]).slope.single < 0.05
        assert there(found["x"]).slope.p < 1e-9
        assert there(found["x"]).wider < 1.2
        if plain.alike is not None:
            assert there(found["z"]).wider > 1.3
            assert plain.alike.lag == 1
    assert abs(seen - alike) <= 1
    assert acting <= false


def test_errors_with_a_season_remember_and_a_sorted_table_does_not() -> None:
    rng = np.random.default_rng(1)
    X, rows = rng.normal(size=(240, 2)), np.arange(240)
    seasonal = PlainTable(Dataset(X, X[:, 0] + np.sin(np.pi * rows / 6.0), ("x", "z"), "y", None), ("x",))
    assert there(seasonal.alike).correlations[0, 12] > 0.5
    noise = X[:, 0] + rng.normal(size=240)
    order = noise.argsort()
    for sorting in (order, X[:, 1].argsort(), rows):
        data = Dataset(X[sorting], noise[sorting], ("x", "z"), "y", None)
        assert PlainTable(data, ("x",)).alike is None
    bent = np.sin(4.0 * X[:, 0]) + 0.3 * rng.normal(size=240)
    order, left = X[:, 0].argsort(), bent - np.sin(4.0 * X[:, 0])
    data = Dataset(X[order], bent[order], ("x", "z"), "y", None)
    assert PlainTable(data, ("x",), left=left[order]).alike is None  # its curve is that of the column


def test_groups_of_a_number_are_nearly_a_copy_of_it_and_other_categories_are_not() -> None:
    rng = np.random.default_rng(0)
    age = rng.uniform(18.0, 80.0, 200)
    codes = np.column_stack([age, np.digitize(age, [30.0, 40.0, 50.0, 60.0]), rng.integers(0, 5, 200)])
    levels = {"group": tuple("abcde"), "other": tuple("vwxyz")}
    data = Dataset(codes, 0.1 * age + rng.normal(size=200), ("age", "group", "other"), "y", None, levels=levels)
    found = PlainTable(data, ("age",)).columns()
    assert list(there(found["age"]).alike) == ["group"]
    assert there(found["group"]).alike["age"] > 0.9
    assert there(found["other"]).alike == {}
