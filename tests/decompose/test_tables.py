"""A table taken apart: effects, interactions, relevance and what is left out."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import spearmanr
from tests.decompose.table.tables import COLUMNS, bump, dataset, decomposition, model, posterior
from tests.there import there

from autostatistician.data.dataset import Dataset
from autostatistician.data.transform import Transform
from autostatistician.decompose.records.series import Fitted
from autostatistician.decompose.records.table import Interaction, LeaveOneOut, Plain, TableDecomposition, TableEffect
from autostatistician.decompose.table.centred import CentredEffect
from autostatistician.decompose.table.decomposition import decompose_table
from autostatistician.decompose.table.effects import effects
from autostatistician.decompose.table.interactions import interaction, strongest_pair
from autostatistician.decompose.table.leave_one_out import TESTED_LEVELS, leave_one_out
from autostatistician.decompose.table.plain_regressions import PlainTable, products_p, terms
from autostatistician.decompose.uncertainty import fixed_parameters
from autostatistician.gp.engines.choice import condition
from autostatistician.gp.likelihoods import Bernoulli
from autostatistician.gp.posterior.posterior import Posterior
from autostatistician.gp.problem import Problem
from autostatistician.kernels.kernel import Kernel, leaf

Array = NDArray[np.float64]


@pytest.fixture(scope="module")
def found() -> TableDecomposition:
    return decomposition(model(), dataset())


def test_columns_that_the_model_does_not_hold_are_not_used(found: TableDecomposition) -> None:
    assert [column.name for column in found.columns if not column.used] == ["d"]
    assert [column.used for column in found.columns] == [True, True, True, False]
    assert [column.probability for column in found.columns] == [1.0, 0.96, 0.96, 0.0]


def test_noise_has_a_size_and_may_depend_on_columns(found: TableDecomposition) -> None:
    assert found.noise is not None
    assert found.noise.sd == pytest.approx(0.1)
    assert found.noise.scatters == ()
    growing = bump("a") + leaf("Lin", "b", sd=0.1, location=-3.0) * leaf("WN", sd=1.0)
    noise = decomposition(growing, dataset(40)).noise
    assert noise is not None
    (scatter,) = noise.scatters
    b = dataset(40).X[:, 1]
    assert scatter.column == "b"
    assert scatter.sds == pytest.approx((0.1 * (b.min() + 3.0), 0.1 * (b.max() + 3.0)))


@pytest.mark.parametrize("count", [4, 40])
def test_all_categories_have_their_heights_however_many_they_are(count: int) -> None:
    rng = np.random.default_rng(count)
    heights, kind = rng.normal(size=count), np.tile(np.arange(float(count)), 6)
    x = rng.uniform(0.0, 1.0, kind.size)
    y = heights[kind.astype(int)] * (1.0 + 2.0 * x) + 0.05 * rng.normal(size=kind.size)
    levels = {"kind": tuple(map(str, range(count)))}
    data = Dataset(np.column_stack([kind, x]), y, ("kind", "x"), "y", None, levels=levels)
    kernel = leaf("Cat", "kind", contrast=1.0, sd=1.0) * leaf("SE", "x", lengthscale=2.0, sd=3.0) + leaf("WN", sd=0.05)
    (effect,) = decomposition(kernel, data).effects
    along = effect.by_column["kind"]
    assert along.few
    assert along.x.tolist() == list(range(count))
    assert np.corrcoef(along.mean, heights)[0, 1] > 0.99
    together, surface = there(effect.interaction), there(effect.surface)
    drawn = together.x if together.along == "kind" else np.array(together.by_places)
    assert np.all(drawn % 1.0 == 0.0)
    assert surface.axes[surface.columns.index("kind")].tolist() == list(range(count))


def test_a_model_of_noise_alone_has_no_effects() -> None:
    found = decomposition(leaf("WN", sd=1.0), dataset(30))
    assert found.effects == ()
    assert found.signal_r2 == pytest.approx(0.0, abs=1e-9)
    assert not any(column.used for column in found.columns)


def test_categories_and_a_single_column_are_tables_too() -> None:
    codes = np.tile([0.0, 1.0, 2.0], 12)
    y = np.array([1.0, 5.0, 2.0])[codes.astype(int)] + 0.01 * np.sin(np.arange(36.0))
    data = Dataset(codes[:, None], y, ("kind",), "y", None, levels={"kind": ("x", "y", "z")})
    kernel = leaf("Cat", "kind", contrast=1.0, sd=3.0) + leaf("WN", sd=0.05)
    found = decomposition(kernel, data)
    (effect,) = found.effects
    assert effect.columns == ("kind",)
    assert effect.along[0].few
    np.testing.assert_allclose(np.diff(effect.along[0].mean), [4.0, -3.0], atol=0.1)
    assert found.columns[0].levels == ("x", "y", "z")


def test_the_same_table_and_seed_give_the_same_numbers() -> None:
    one, other = (decomposition(model(), replace(dataset(30), name=name)) for name in ("one", "other"))
    assert one.columns == other.columns
    assert one.left_out.checks == other.left_out.checks


@pytest.mark.slow
def test_a_model_of_many_rows_stands_on_some_of_them() -> None:
    data = dataset(2500)
    inducing = decomposition(model(), data)
    few = inducing.by_points
    assert few is not None
    assert few.rows == 1000
    assert 50 <= few.points <= 600
    assert 0.0 <= few.gap < 0.5
    assert {effect.columns for effect in inducing.effects} == {("a",), ("b", "c")}
    (curve,) = (effect.along[0] for effect in inducing.effects if effect.columns == ("a",))
    truth = np.sin(curve.x) - np.sin(data.X[:, 0]).mean()
    np.testing.assert_allclose(curve.mean, truth, atol=0.05)
    assert (curve.sd < 0.05).all()
    out = inducing.left_out
    assert out is not None
    assert out.held[-1] == pytest.approx(0.95, abs=0.02)
    assert decomposition(model(), dataset(60)).by_points is None


@pytest.fixture(scope="module")
def found_of_effects() -> tuple[TableEffect, ...]:
    return effects(fixed_parameters(posterior()), np.random.default_rng(0))


def test_parts_are_gathered_by_their_columns_the_largest_first(found_of_effects: tuple[TableEffect, ...]) -> None:
    assert [effect.columns for effect in found_of_effects] == [("b", "c"), ("a",)]
    assert found_of_effects[0].share > found_of_effects[1].share > 0.1
    for effect in found_of_effects:
        assert effect.share_span[0] < effect.share < effect.share_span[1]


def test_a_curve_is_the_function_less_its_mean_over_the_data(found_of_effects: tuple[TableEffect, ...]) -> None:
    (along,) = found_of_effects[1].along
    truth = np.sin(along.x) - np.sin(dataset().X[:, 0]).mean()
    inside = np.abs(along.x) < 1.8
    assert np.abs(along.mean - truth)[inside].max() < 0.15
    assert np.all(np.abs(along.mean - truth) < 4.0 * along.sd)


def test_a_surface_has_its_first_column_along_the_rows(found_of_effects: tuple[TableEffect, ...]) -> None:
    surface = found_of_effects[0].surface
    assert surface is not None
    places = [COLUMNS.index(name) for name in surface.columns]
    X = dataset().X
    truth = np.outer(*surface.axes) - (X[:, 1] * X[:, 2]).mean()
    assert sorted(places) == [1, 2]
    assert np.abs(surface.mean - truth).mean() < 0.15
    assert surface.sd.shape == truth.shape


def test_effects_of_several_columns_alone_have_an_interaction(found_of_effects: tuple[TableEffect, ...]) -> None:
    assert found_of_effects[0].interaction is not None
    assert {found_of_effects[0].interaction.along, found_of_effects[0].interaction.by} == {"b", "c"}
    assert found_of_effects[0].beyond > 0.8
    assert found_of_effects[1].interaction is None


def test_an_effect_of_several_columns_is_averaged_over_the_others() -> None:
    X = np.random.default_rng(2).uniform(-2.0, 2.0, (80, 2))
    kernel = bump("a", 2.0) * bump("b") + leaf("WN", sd=0.05)
    y = np.sin(X[:, 0]) * (1.0 + 0.0 * X[:, 1])
    (effect,) = effects(fixed_parameters(condition(kernel, Problem(X, y, ("a", "b")))), np.random.default_rng(0))
    by_column = {along.column: along for along in effect.along}
    assert np.abs(by_column["a"].mean - (np.sin(by_column["a"].x) - y.mean())).max() < 0.2
    assert np.ptp(by_column["b"].mean) < 0.2
    assert effect.beyond < 0.05


def test_the_uncertainty_is_that_of_the_difference_from_the_mean(found_of_effects: tuple[TableEffect, ...]) -> None:
    n = dataset().n
    known = posterior().project(bump("a"))
    mean, cov = known.mean, known.covariance()
    centre = np.eye(n) - 1.0 / n
    np.testing.assert_allclose(found_of_effects[1].mean, centre @ mean, atol=1e-8)
    np.testing.assert_allclose(found_of_effects[1].sd ** 2, np.diag(centre @ cov @ centre), atol=1e-8)


def test_partial_residuals_scatter_about_the_effect_by_the_noise(found_of_effects: tuple[TableEffect, ...]) -> None:
    for effect in found_of_effects:
        assert np.std(effect.residuals - effect.mean) == pytest.approx(0.1, rel=0.4)
        for along in effect.along:
            assert len(along.at) == len(along.residuals) == dataset().n


def test_a_cycle_is_drawn_finely_enough_and_known_by_its_period() -> None:
    X = np.linspace(0.0, 60.0, 90)[:, None]
    kernel = leaf("Per", "a", period=1.5, lengthscale=1.0, sd=1.0) + leaf("WN", sd=0.1)
    (effect,) = effects(
        fixed_parameters(condition(kernel, Problem(X, np.sin(2 * np.pi * X[:, 0] / 1.5), ("a",)))),
        np.random.default_rng(0),
    )
    assert effect.period == 1.5
    assert len(effect.along[0].x) == 600


def test_the_same_seed_gives_the_same_ranges() -> None:
    one, other = (effects(fixed_parameters(posterior(30)), np.random.default_rng(3)) for _ in range(2))
    assert [effect.share_span for effect in one] == [effect.share_span for effect in other]


def _centred() -> CentredEffect:
    return CentredEffect(posterior(), (bump("b") * bump("c"),))


@pytest.fixture(scope="module")
def product() -> Interaction:
    """What b c, given 120 rows, does along b where c is low and where it is high."""
    return interaction(_centred(), "b", "c", np.random.default_rng(0))


def test_what_a_step_does_at_two_places_is_that_of_the_product(product: Interaction) -> None:
    step, (low, high) = product.along_places[1] - product.along_places[0], product.by_places
    assert product.first.number == pytest.approx(step * low, abs=0.2)
    assert product.last.number == pytest.approx(step * high, abs=0.2)
    assert product.difference.number == pytest.approx(product.last.number - product.first.number)
    assert product.difference.number > 4.0 * product.difference.sd
    assert product.share_span[0] <= product.share <= product.share_span[1]
    assert product.share > 0.9


def test_the_places_are_values_of_the_data(product: Interaction) -> None:
    X = dataset().X
    assert set(product.along_places) <= set(X[:, 1])
    assert set(product.by_places) <= set(X[:, 2])
    assert {place for place, _, _ in product.slices} <= set(X[:, 2])


def test_the_difference_is_a_contrast_of_four_corners(product: Interaction) -> None:
    points = np.tile(dataset().X[0], (4, 1))
    corners = [(along, by) for along in product.along_places for by in product.by_places]
    points[:, 1], points[:, 2] = np.transpose(corners)
    joint = posterior().project(bump("b") * bump("c"), points)
    weights = np.array([1.0, -1.0, -1.0, 1.0])  # low low, low high, high low, high high
    assert product.difference.number == pytest.approx(weights @ joint.mean, abs=1e-8)
    assert product.difference.sd == pytest.approx(np.sqrt(weights @ joint.covariance() @ weights), abs=1e-6)


def test_a_slice_is_the_curve_at_its_place(product: Interaction) -> None:
    for place, mean, sd in product.slices:
        points = np.tile(dataset().X[0], (len(product.x), 1))
        points[:, 1], points[:, 2] = product.x, place
        expected = _centred().at(points)
        np.testing.assert_allclose((mean, sd), expected, atol=1e-8)


@pytest.mark.parametrize("odd", [0, 1, 2, 3])
def test_of_categories_the_two_whose_effects_differ_most_are_compared(odd: int) -> None:
    rng, part = (
        np.random.default_rng(odd),
        leaf("Cat", "kind", contrast=1.0, sd=2.0) * leaf("Lin", "x", sd=1.0, location=0.0),
    )
    X = np.column_stack([rng.uniform(0.0, 4.0, 160), rng.integers(0, 4, 160)])
    y = np.where(X[:, 1] == odd, 3.0, 1.0) * X[:, 0] + rng.normal(0.0, 0.1, 160)
    known = condition(part + leaf("WN", sd=0.1), Problem(X, y, ("x", "kind")))
    compared = interaction(CentredEffect(known, (part,)), "x", "kind", rng, {"kind"})
    assert odd in compared.by_places
    assert [place for place, _, _ in compared.slices] == [*compared.by_places]
    step = np.subtract(*compared.along_places[::-1])
    assert abs(compared.difference.number) == pytest.approx(2.0 * step, rel=0.1)
    told = {code: size.number for code, size in compared.elsewhere}
    assert told.keys().isdisjoint(compared.by_places)
    assert [*told.values()] == pytest.approx([step] * len(told), rel=0.1)


def test_nothing_is_told_of_a_category_whose_rows_do_not_reach_there() -> None:
    rng = np.random.default_rng(0)
    part = leaf("Cat", "kind", contrast=1.0, sd=2.0) * leaf("Lin", "x", sd=1.0, location=0.0)
    kinds = np.tile([0.0, 1.0, 2.0, 3.0], 40)
    X = np.column_stack([rng.uniform(0.0, 4.0, 160) / np.where(kinds == 2.0, 4.0, 1.0), kinds])
    y = np.choose(kinds.astype(int), [1.0, 3.0, 1.5, 2.0]) * X[:, 0] + rng.normal(0.0, 0.1, 160)
    known = condition(part + leaf("WN", sd=0.1), Problem(X, y, ("x", "kind")))
    compared = interaction(CentredEffect(known, (part,)), "x", "kind", rng, {"kind"})
    assert (compared.by_places, [code for code, _ in compared.elsewhere]) == ((0.0, 1.0), [3.0])


def test_a_sum_of_effects_has_no_share_beyond_it() -> None:
    data, parts = dataset(60), (bump("a"), bump("b"))
    kernel = Kernel.sum((*parts, leaf("WN", sd=0.05)))
    known = condition(kernel, Problem(data.X, np.sin(data.X[:, 0]) + data.X[:, 1], COLUMNS))
    added = interaction(CentredEffect(known, parts), "a", "b", np.random.default_rng(0))
    assert added.share < 1e-9
    assert added.difference.number == pytest.approx(0.0, abs=1e-8)


def test_the_pair_that_changes_each_other_most_is_found() -> None:
    data = dataset(60)
    parts = (bump("a"), bump("b") * bump("c"))
    known = condition(Kernel.sum((*parts, leaf("WN", sd=0.1))), Problem(data.X, data.y, COLUMNS))
    assert set(strongest_pair(CentredEffect(known, parts)) or ()) == {"b", "c"}


def test_a_column_that_does_not_vary_is_in_no_pair() -> None:
    X = dataset(30).X.copy()
    X[:, 2] = 1.0
    known = condition(bump("b") * bump("c") + leaf("WN", sd=0.1), Problem(X, dataset(30).y, COLUMNS))
    assert strongest_pair(CentredEffect(known, (bump("b") * bump("c"),))) is None


RNG = np.random.default_rng(0)


def _plain(columns: dict[str, Array], y: Array, used: Collection[str] = (), coded: str = "") -> dict[str, Plain | None]:
    """What the rows say of columns; ``coded`` are those of categories."""
    levels = {name: tuple(map(str, np.unique(columns[name]))) for name in coded}
    data = Dataset(np.column_stack([*columns.values()]), y, tuple(columns), "y", None, levels=levels)
    return PlainTable(data, used).columns()


def _seen(columns: dict[str, Array], y: Array, used: Collection[str] = (), coded: str = "") -> dict[str, Plain]:
    return {name: found for name, found in _plain(columns, y, used, coded).items() if found is not None}


def test_it_is_the_rank_correlation_as_one_of_several() -> None:
    x, z, noise = RNG.normal(size=(3, 50))
    found, known = _seen({"x": x, "z": z}, x + noise)["x"], spearmanr(x, x + noise)
    assert found.correlation == pytest.approx(known.statistic)
    assert found.p == pytest.approx(min(1.0, 2 * known.pvalue))


def test_what_is_lost_without_a_column_is_seen_and_nothing_as_often_as_chance() -> None:
    losses, slopes = [], []
    for _ in range(100):
        x, z, noise = RNG.normal(size=(3, 80))
        found = _seen({"x": x, "z": z}, x**2 + 0.5 * noise, "x")
        assert found["x"].slope.p < 1e-6
        assert found["x"].beside_model.share > 0.3
        losses.append(found["z"].beside_model)
        slopes.append(found["z"].slope.p)
    assert sum(loss.p < 0.05 for loss in losses) <= 12
    assert sum(p < 0.05 for p in slopes) <= 6  # as one of two
    assert np.median([loss.share for loss in losses]) < 0.01


def test_a_slope_beside_other_columns_is_that_of_least_squares_with_its_f_test() -> None:
    x, z, noise = RNG.normal(size=(3, 90))
    y = x + 0.6 * z + noise
    found = _seen({"x": x, "z": z}, y, "x")["z"]
    assert found.slope.change is not None
    design = np.column_stack([np.ones(90), terms(x, coded=False), z])
    known = np.linalg.lstsq(design, y, rcond=None)[0][-1]
    assert found.slope.change.number == pytest.approx(known * np.ptp(z))
    assert 1.96 * found.slope.change.sd < found.slope.change.number
    assert found.slope.p < 0.01


def test_a_slope_has_a_wide_range_where_noise_grows_with_the_column_and_categories_have_none() -> None:
    x = np.exp(RNG.normal(size=300))
    targets = RNG.normal(size=300), x**2 * RNG.normal(size=300) / np.std(x**2)
    changes = [_seen({"x": x, "z": np.arange(300.0)}, y)["x"].slope.change for y in targets]
    even, uneven = (change.sd for change in changes if change is not None)
    assert uneven > 2.0 * even
    kinds = np.repeat([0.0, 1.0, 2.0], 20)
    found = _seen({"k": kinds}, 3.0 * kinds + RNG.normal(size=60), coded="k")["k"].slope
    assert found.change is None
    assert found.p < 1e-6


def test_what_is_lost_without_a_column_is_seen_beside_products_that_tell_nothing() -> None:
    rng, names = np.random.default_rng(9), "abcd"
    X, noise = rng.normal(size=(150, 4)), rng.normal(size=150)
    data = Dataset(X, X @ np.array([1.0, 0.5, 0.4, 0.0]) + noise, tuple(names), "y", None)
    found = PlainTable(data, names, [*combinations(names, 2)]).columns()
    assert [name for name, plain in found.items() if plain is not None and plain.slope.p < 0.01] == [
        "a",
        "b",
        "c",
    ]


def test_of_near_copies_none_is_missed_alone_and_both_together_are() -> None:
    x, noise = RNG.normal(size=(2, 120))
    found = _seen({"x": x, "z": x / 1.6 + 0.02 * RNG.normal(size=120)}, x + noise, "x")
    for name, other in (("x", "z"), ("z", "x")):
        assert found[name].copies == (other,)
        assert found[name].slope.p > 1e-4
        assert found[name].of_copies is not None
        assert found[name].of_copies.p < 1e-9  # type: ignore[union-attr]
    assert found["x"].beside_model.p < 1e-9


def _missed(x: Array, z: Array, left: Array, pairs: Collection[tuple[str, str]] = ()) -> Mapping[str, float]:
    data = Dataset(np.column_stack([x, z]), x + z + left, ("x", "z"), "y", None)
    found = PlainTable(data, ("x", "z"), pairs, left).columns()["x"]
    assert found is not None
    return found.together


def test_products_that_a_model_misses_are_seen_and_unequal_noise_is_none() -> None:
    rng = np.random.default_rng(3)
    x, z, noise = rng.normal(size=(3, 200))
    assert _missed(x, z, noise + 0.8 * x * z)["z"] < 1e-9
    assert _missed(x, z, noise + 0.8 * x * z, {("x", "z")}) == {}
    skewed = [_missed(*np.exp(rng.normal(size=(2, 200))), rng.normal(size=200)) for _ in range(2)]
    unequal = [_missed(np.exp(x), np.exp(z), np.exp(x) * rng.normal(size=200)) for _ in range(40)]
    assert min(found["z"] for found in (*skewed, *unequal)) > 1e-3


def _missed_of_classes(product: float, seed: int) -> float:
    """The p-value of products that an additive model of classes misses, as it is taken apart."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(300, 3))
    chance = 1.0 / (1.0 + np.exp(-(X[:, 0] + 0.5 * X[:, 1] + product * X[:, 0] * X[:, 1])))
    y = np.where(rng.uniform(size=300) < chance, 1.0, -1.0)
    data = Dataset(X, y, ("x", "z", "idle"), "y", None, classes=("no", "yes"))
    kernel = leaf("SE", "x", lengthscale=3.0, sd=1.0) + leaf("SE", "z", lengthscale=3.0, sd=1.0)
    found = decompose_table(
        condition(kernel, Problem.of(data, Bernoulli())), data, fitted=Fitted(kernel, 0.0, 0.0, 4, 1.0, 1)
    )
    return there(found.columns[0].plain).together["z"]


@pytest.mark.slow
def test_products_that_a_model_of_classes_misses_are_seen_by_a_score_test() -> None:
    assert _missed_of_classes(1.5, 0) < 1e-4
    assert min(_missed_of_classes(0.0, seed) for seed in range(2)) > 0.01


def test_rare_categories_and_many_columns_do_no_harm() -> None:
    kinds = np.array([*np.repeat([0.0, 1.0], 30), 2.0, 3.0, 4.0])
    y = 3.0 * (kinds == 1.0) + RNG.normal(size=63)
    found = _seen({"k": kinds}, y, "k", "k")["k"]
    assert found.slope.p < 1e-6
    assert 0.2 < found.beside_model.share < 0.9
    wide = {f"c{k}": RNG.normal(size=40) for k in range(30)}
    assert _seen(wide, wide["c0"] + 0.3 * RNG.normal(size=40), ("c0",))["c0"].slope.p < 1e-6


def test_constants_and_few_rows_tell_nothing() -> None:
    assert _plain({"x": np.ones(10)}, np.arange(10.0))["x"] is None
    assert _plain({"x": np.arange(3.0)}, np.arange(3.0))["x"] is None


def test_products_are_seen_where_they_are_and_else_as_often_as_chance() -> None:
    p_values = []
    for _ in range(200):
        a, b, noise = RNG.normal(size=(3, 60))
        p_values.append(products_p(a, b, a**2 - b + noise, (False, False)) or 0.0)
        assert (products_p(a, b, a + 1.5 * a * b + noise, (False, False)) or 0.0) < 0.01
    assert 0.01 < np.mean(np.array(p_values) < 0.05) < 0.1


def test_products_with_categories_are_other_slopes() -> None:
    codes, a, noise = np.repeat([0.0, 1.0, 2.0], 30), RNG.uniform(0.0, 10.0, 90), RNG.normal(size=90)
    heights = np.array([5.0, 0.0, 9.0])[codes.astype(int)]
    same, other = (products_p(a, codes, heights + slope * a + noise, (False, True)) for slope in (1.0, codes))
    assert same is not None
    assert other is not None
    assert other < 1e-6 < 0.01 < same


def test_few_rows_tell_nothing_of_products() -> None:
    assert products_p(*RNG.normal(size=(3, 9)), (False, False)) is None


@pytest.mark.parametrize("rows", [25, 60, 300])
def test_a_row_that_carries_an_effect_is_found_and_a_row_far_out_on_a_line_is_not(rows: int) -> None:
    rng = np.random.default_rng(rows)
    x, z, noise = rng.normal(size=(3, rows))
    x[7] = 30.0
    alone = 3.0 * z + 2.0 * noise + np.where(x == 30.0, 60.0, 0.0)
    assert _carriers({"x": x, "z": z}, alone) == {"x": 7, "z": None}
    assert _carriers({"x": x, "z": z}, 2.0 * x + z + noise) == {"x": None, "z": None}
    assert _carriers({"one": 1.0 * (x == 30.0), "z": z}, alone) == {"one": 7, "z": None}
    assert _carriers({"x": np.delete(x, 7), "z": np.delete(z, 7)}, np.delete(alone, 7)) == {"x": None, "z": None}
    both = x + z + np.where(x == 30.0, 5.0, 0.0)  # but for the row, each follows from the others
    assert set(_carriers({"x": x, "z": z, "both": both}, alone).values()) == {None}


def _carriers(columns: dict[str, Array], y: Array) -> dict[str, int | None]:
    """The row of each column without which nothing of it is clear."""
    return {name: found.carried for name, found in _seen(columns, y, used=[*columns]).items()}


def test_of_a_column_that_does_not_vary_nothing_is_said_and_others_are_as_without_it() -> None:
    x, z, noise = RNG.normal(size=(3, 60))
    columns, y = {"x": x, "z": z, "one": np.ones(60), "c": np.zeros(60)}, x + noise
    found, alone = (_plain(each, y, used, coded) for each, used, coded in
                    ((columns, ("x", "one"), "c"), ({"x": x, "z": z}, ("x",), "")))  # fmt: skip
    assert found == alone | {"one": None, "c": None}


def _out(known: Posterior, seed: int = 0) -> LeaveOneOut:
    return leave_one_out(known, Transform(), 0.0, np.random.default_rng(seed))


def _alarms(out: LeaveOneOut) -> set[tuple[str, str | None]]:
    return {(check.kind, column) for check, column in out.checks if check.adjusted < 0.05}


def test_a_value_is_predicted_as_if_it_were_not_there() -> None:
    known, data = posterior(40), dataset(40)
    out = _out(known)
    rest = np.arange(40) != 7
    mean, sd = condition(model(), Problem(data.X[rest], data.y[rest], data.columns)).observations(data.X[[7]])
    assert out.predicted[7] == pytest.approx(mean[0], abs=1e-8)
    assert out.upper[7] == pytest.approx(mean[0] + 1.959964 * sd[0], abs=1e-5)
    assert out.errors[7] == pytest.approx((data.y[7] - mean[0]) / sd[0], abs=1e-6)


def test_how_well_it_predicts() -> None:
    out, y = _out(posterior()), dataset().y
    assert out.r2 == pytest.approx(1.0 - np.sum((y - out.predicted) ** 2) / np.sum((y - y.mean()) ** 2))
    assert out.r2 > 0.9
    left_out = [np.abs(value - np.delete(y, row).mean()) for row, value in enumerate(y)]
    assert out.mae_of_mean == pytest.approx(np.mean(left_out))
    assert out.levels == TESTED_LEVELS
    assert 0.88 < out.held[-1] <= 1.0


def test_a_right_model_raises_no_alarm() -> None:
    assert _alarms(_out(posterior())) == set()


def test_a_column_that_was_forgotten_leaves_a_pattern_along_it() -> None:
    data = dataset()
    forgot = condition(bump("b") * bump("c") + leaf("WN", sd=0.7), Problem(data.X, data.y, data.columns))
    assert ("pattern", "a") in _alarms(_out(forgot))
    assert ("pattern", "d") not in _alarms(_out(forgot))


def test_outliers_and_growing_errors_are_found() -> None:
    data = dataset()
    wild = data.y.copy()
    wild[::20] += 3.0
    assert ("distribution", None) in _alarms(_out(condition(model(), Problem(data.X, wild, data.columns))))
    rng = np.random.default_rng(5)
    x = np.linspace(0.0, 5.0, 150)
    grown = x + 0.3 * x * rng.normal(size=150)
    kernel = leaf("Lin", "x", sd=1.0, location=0.0) + leaf("WN", sd=float(np.std(grown - x)))
    assert ("spread", None) in _alarms(_out(condition(kernel, Problem(x[:, None], grown, ("x",)))))


def test_too_few_rows_are_not_checked() -> None:
    assert _out(posterior(15)).checks == ()


def test_logarithms_are_told_in_the_units_of_the_data() -> None:
    data = dataset(40)
    out = leave_one_out(posterior(40), Transform("log", 10.0), 0.0, np.random.default_rng(0))
    plain = _out(posterior(40))
    np.testing.assert_allclose(out.predicted, 10.0 * np.exp(plain.predicted))
    np.testing.assert_allclose(out.lower, 10.0 * np.exp(plain.lower))
    assert out.held == plain.held
    assert len(out.errors) == data.n


def test_one_of_many_columns_is_seen_by_its_curve_where_the_rows_are_few_for_curves_of_all() -> None:
    """A symmetric effect of one column among eight was "nothing was found": lines of all columns do not see it."""
    rng = np.random.default_rng(7)
    columns = {name: rng.uniform(0.0, 10.0, 120) for name in "abcdefgh"}
    y = 0.4 * (columns["a"] - 5.0) ** 2 + rng.normal(0.0, 1.5, 120)
    found = _seen(columns, y, "a")
    assert found["a"].beside_model.p < 1e-20
    assert found["a"].slope.p < 1e-20
    assert all(found[name].slope.p > 0.01 for name in "bcdefgh")


def test_a_column_like_another_that_tells_less_of_the_target_is_no_copy_of_it() -> None:
    rng = np.random.default_rng(8)
    area = rng.uniform(30.0, 150.0, 250)
    columns = {
        "a": area,
        "b": 10.76 * area + rng.normal(0.0, 0.5, 250),
        "c": np.round(area / 25.0 + rng.normal(0.0, 0.4, 250)),
    }
    found = _seen(columns, 0.2 * area + rng.normal(0.0, 2.8, 250), "a")
    assert (found["a"].copies, found["b"].copies, found["c"].copies) == (("b",), ("a",), ())


def test_what_a_column_does_is_open_wider_where_rows_are_alike() -> None:
    known = posterior()
    narrow, wide = (CentredEffect(known, (bump("b") * bump("c"),), wider=factor) for factor in (1.0, 3.0))
    points = known.X[:5]
    assert wide.at(points)[1] == pytest.approx(3.0 * narrow.at(points)[1])
    assert wide.joint(points)[1] == pytest.approx(9.0 * narrow.joint(points)[1])
