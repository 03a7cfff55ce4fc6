"""Effects of columns: centred, believed, their curves, and chances of classes."""

import numpy as np
import pytest
from numpy.typing import NDArray
from sklearn.metrics import log_loss, roc_auc_score
from sklearn.metrics import roc_curve as sklearn_roc
from tests.decompose.table.classes import dataset, posterior
from tests.decompose.table.several import dataset as dataset_of_several_classes
from tests.decompose.table.several import found
from tests.decompose.table.tables import COLUMNS, bump, model
from tests.decompose.table.tables import dataset as dataset_of_centred
from tests.decompose.table.tables import posterior as posterior_of_centred

from autostatistician.decompose.records.classes import Foreseen
from autostatistician.decompose.records.table import CurveShape
from autostatistician.decompose.table.averaged_chances import AveragedChances
from autostatistician.decompose.table.centred import CentredEffect, has_few, places_of
from autostatistician.decompose.table.effects import contrast, curve_shape, effects
from autostatistician.decompose.table.leave_one_out_classes import (
    area_under,
    calibration_bins,
    judged,
    leave_one_out_of_classes,
    leave_one_out_together,
    probability_of_bins,
    shared_out,
)
from autostatistician.decompose.table.segmented_regression import hinge_of_rows
from autostatistician.decompose.uncertainty import fixed_parameters
from autostatistician.gp.engines.approximate import ApproximatePosterior
from autostatistician.gp.engines.choice import condition
from autostatistician.gp.likelihoods import Bernoulli
from autostatistician.gp.posterior.functionals import Means
from autostatistician.gp.posterior.posterior import Posterior
from autostatistician.gp.problem import Problem
from autostatistician.kernels.kernel import Kernel, leaf

ROWS = 30
AGES = np.linspace(15.0, 65.0, 5)


def _additive() -> Posterior:
    return posterior(dataset(ROWS))


def _together() -> Posterior:
    both = leaf("SE", "age", lengthscale=20.0, sd=1.5) * leaf("Cat", "kind", sd=1.0, contrast=1.0)
    return posterior(dataset(ROWS), both + leaf("C", sd=1.0))


def test_of_several_they_are_averaged_with_all_else_as_it_is_in_the_data() -> None:
    members, weights = (
        (_additive(), _together(), posterior(dataset(ROWS), leaf("C", sd=1.0))),
        np.array([0.5, 0.3, 0.2]),
    )
    expected = np.zeros(len(AGES))
    for weight, member in zip(weights, members, strict=True):
        for place, age in enumerate(AGES):
            rows = member.X.copy()
            rows[:, 0] = age
            mean, cov = member.signal_joint(rows)
            averaged = Bernoulli().averaged(np.array([mean.mean()]), np.array([cov.mean()]))
            expected[place] += weight * averaged[0]
    chances = AveragedChances(members, weights).chances((0,), (AGES,))
    np.testing.assert_allclose(chances.mean, expected, rtol=1e-6)
    alone = AveragedChances(members[:1], np.ones(1)).chances((0,), (AGES,))
    assert (chances.lower <= chances.mean).all()
    assert (chances.upper - chances.lower).mean() > (alone.upper - alone.lower).mean()


def test_draws_have_the_same_means_and_members_without_weight_none() -> None:
    believed = AveragedChances((_additive(), _together()), np.array([1.0, 0.0]))
    mean, cov = believed.joint_chances((0,), (AGES,), np.random.default_rng(0))
    chances = believed.chances((0,), (AGES,))
    np.testing.assert_allclose(mean, chances.mean, atol=4.0 * float(np.sqrt(cov.diagonal().max() / 400)))
    assert cov.shape == (len(AGES), len(AGES))


@pytest.mark.parametrize("given", [True, False])
def test_the_effects_of_a_model_are_told_by_them(given: bool) -> None:
    held = _additive()
    believed = AveragedChances((held, _together()), np.array([0.4, 0.6]))
    every = effects(fixed_parameters(held), np.random.default_rng(0), believed if given else None)
    (age,) = (effect.along[0] for effect in every if effect.columns == ("age",))
    expected = believed.chances((0,), (age.x,)).mean
    assert age.chances is not None
    assert np.allclose(age.chances.mean, expected) == given


def test_means_over_rows_are_those_of_the_joint_posterior() -> None:
    held = posterior_of_centred(40)
    centred = CentredEffect(held, (bump("b") * bump("c"),))
    points = centred.points((1,), (np.array([-1.0, 0.5]),), 5)
    assert points.shape == (2, 5, 4)
    flat_mean, flat_cov = centred.joint(points.reshape(-1, 4))
    weights = np.kron(np.eye(2), np.full((1, 5), 0.2))
    mean, cov = centred.joint(points)
    np.testing.assert_allclose(mean, weights @ flat_mean, atol=1e-9)
    np.testing.assert_allclose(cov, weights @ flat_cov @ weights.T, atol=1e-9)
    np.testing.assert_allclose(centred.at(points)[1] ** 2, cov.diagonal(), atol=1e-9)


def test_means_over_rows_are_those_of_all_their_points_whatever_the_parts_hold() -> None:
    """A product is averaged factor by factor where that is the same, and that it is the same is what is tested."""
    at_b, bent = leaf("SE", "b", sd=1.0, lengthscale=1.5), leaf("SE", "b", sd=0.5, lengthscale=0.7)
    product = leaf("Lin", "a", sd=0.8, location=0.3) * at_b * leaf("SE", "c", sd=1.2, lengthscale=0.9)
    change = Kernel.change_point(at_b, bent, location=0.1, steepness=3.0, column="c")
    for parts, apart in (((product, bent), True), ((product, change), False)):
        kernel = Kernel.sum((*parts, leaf("WN", sd=0.2)))
        model = condition(kernel, Problem(dataset_of_centred().X, dataset_of_centred().y, COLUMNS))
        centred = CentredEffect(model, parts)
        points = centred.points((0, 1), (np.linspace(-1.0, 1.0, 4), np.array([-0.5, 0.8])), 5)
        assert (Means(points, COLUMNS)._apart(centred.part) is not None) == apart
        flat = CentredEffect(model, parts).joint(points.reshape(-1, 4))
        means = np.kron(np.eye(8), np.full(5, 0.2))
        mean, cov = means @ flat[0], means @ flat[1] @ means.T
        for given, expected in zip(centred.joint(points), (mean, cov), strict=True):
            np.testing.assert_allclose(given, expected, rtol=1e-9, atol=1e-11)
        for given, expected in zip(centred.at(points), (mean, np.sqrt(cov.diagonal())), strict=True):
            np.testing.assert_allclose(given, expected, rtol=1e-6, atol=1e-9)


def test_a_column_with_few_values_is_shown_at_them_alone() -> None:
    values = np.array([3.0, 1.0, 3.0, 7.0])
    assert has_few(values)
    assert places_of(values, 50, coded=False).tolist() == [1.0, 3.0, 7.0]
    assert not has_few(np.arange(20.0))


def _with_sds(scale: float) -> Posterior:
    """The model with one size changed, given the same data."""
    data, kernel = dataset_of_centred(40), bump("a", scale) + bump("b") * bump("c") + leaf("WN", sd=0.1)
    return condition(kernel, Problem.of(data))


def test_it_has_no_mean_over_the_data() -> None:
    centred = CentredEffect(posterior_of_centred(40), (bump("b") * bump("c"),))
    mean, cov = centred.joint(dataset_of_centred(40).X)
    assert abs(mean.mean()) < 1e-10
    np.testing.assert_allclose(cov.mean(axis=0), 0.0, atol=1e-10)


def test_a_constant_beside_a_part_changes_nothing() -> None:
    points, part = dataset_of_centred(40).X[:5], bump("a")
    alone = CentredEffect(posterior_of_centred(40), (part,)).at(points)
    kernel = Kernel.sum((model(), leaf("C", sd=1e-9)))
    beside = CentredEffect(condition(kernel, Problem.of(dataset_of_centred(40))), (part, leaf("C", sd=1e-9))).at(points)
    np.testing.assert_allclose(beside, alone, atol=1e-7)


def test_with_other_numbers_the_variance_is_that_of_their_mixture_about_the_mean() -> None:
    points = dataset_of_centred(40).X[:6]
    every = [CentredEffect(_with_sds(scale), (bump("a", scale),)) for scale in (1.0, 0.7, 1.8)]
    mean, cov = CentredEffect(_with_sds(1.0), (bump("a", 1.0),), every[1:]).joint(points)
    own, *others = [one.joint(points) for one in every]
    expected = np.mean([of + np.outer(at - own[0], at - own[0]) for at, of in others], axis=0)
    np.testing.assert_allclose(mean, own[0])
    np.testing.assert_allclose(cov, expected, atol=1e-12)
    sd = CentredEffect(_with_sds(1.0), (bump("a", 1.0),), every[1:]).at(points)[1]
    np.testing.assert_allclose(sd**2, cov.diagonal(), atol=1e-9)


def test_blocks_of_points_are_one_answer() -> None:
    centred = CentredEffect(posterior_of_centred(40), (bump("a"),))
    points = np.tile(dataset_of_centred(40).X, (120, 1))  # more than are asked at a time
    mean, sd = centred.at(points)
    once = centred.at(dataset_of_centred(40).X)
    np.testing.assert_allclose(mean, np.tile(once[0], 120), atol=1e-12)
    np.testing.assert_allclose(sd, np.tile(once[1], 120), atol=1e-9)


RNG = np.random.default_rng(5)
CHANCE = RNG.uniform(0.02, 0.98, 300)
CAME = RNG.uniform(size=300) < CHANCE


@pytest.fixture(scope="module")
def out() -> Foreseen:
    return leave_one_out_of_classes(posterior())


def test_scores_are_those_of_scikit_learn() -> None:
    found = judged(CAME, CHANCE, CHANCE)
    assert found.log_score == pytest.approx(-log_loss(CAME, CHANCE))
    assert found.wrong == pytest.approx(np.mean((CHANCE > 0.5) != CAME))
    assert found.area == pytest.approx(roc_auc_score(CAME, CHANCE))
    false_alarms, hits, _ = sklearn_roc(CAME, CHANCE, drop_intermediate=False)
    np.testing.assert_allclose(found.roc, [false_alarms, hits])
    assert abs(found.calibration) < 2.5


@pytest.mark.slow
def test_the_range_of_the_area_is_as_wide_as_other_tables_let_it_be() -> None:
    area, (low, high) = area_under(CAME, CHANCE)
    others = []
    for _ in range(400):
        rows = RNG.integers(0, 300, 300)
        others.append(roc_auc_score(CAME[rows], CHANCE[rows]))
    assert low < area < high
    assert (high - low) == pytest.approx(2 * 1.96 * np.std(others), rel=0.12)
    sure = area_under(np.array([True] * 5 + [False] * 20), np.arange(25.0)[::-1])
    assert sure[0] == 1.0
    assert 0.4 < sure[1][0] < 0.6


def test_the_curve_and_ties() -> None:
    alike = np.round(CHANCE, 1)
    assert area_under(CAME, alike)[0] == pytest.approx(roc_auc_score(CAME, alike))
    false_alarms, hits, _ = sklearn_roc(CAME, alike, drop_intermediate=False)
    np.testing.assert_allclose(judged(CAME, CHANCE, alike).roc, [false_alarms, hits])


def test_bins_hold_every_row_once_and_ranges_their_shares() -> None:
    bins = calibration_bins(CAME, CHANCE)
    assert len(bins) == 10
    assert sum(one.rows for one in bins) == 300
    assert sum(one.rows * one.share for one in bins) == pytest.approx(CAME.sum())
    assert all(one.span[0] <= one.share <= one.span[1] for one in bins)
    assert sum(one.span[0] <= one.chance <= one.span[1] for one in bins) >= 8
    tied = calibration_bins(CAME, 0.25 + 0.5 * np.round(CHANCE))
    assert [one.rows for one in tied] == [int(np.sum(CHANCE < 0.5)), int(np.sum(CHANCE >= 0.5))]


def test_rows_that_differ_by_being_left_out_alone_are_one_group() -> None:
    of_others = (CAME.sum() - CAME) / (len(CAME) - 1.0)
    assert len(calibration_bins(CAME, of_others)) == 1
    assert probability_of_bins(CAME, of_others) > 0.5


def test_shares_far_from_the_chances_are_seen_where_the_squared_errors_balance() -> None:
    chance = np.repeat([0.2, 0.4, 0.6, 0.8], 50)
    came = np.arange(200) % 50 < np.repeat([10, 5, 15, 40], 50)
    assert abs(judged(came, chance, chance).calibration) < 1.96
    assert judged(came, chance, chance).bins_p < 1e-6
    assert probability_of_bins(CAME, CHANCE) > 0.05


@pytest.mark.parametrize(("power", "side"), [(3.0, 1.0), (0.3, -1.0)])
def test_chances_that_are_too_extreme_or_too_cautious_are_told_apart(power: float, side: float) -> None:
    odds = (CHANCE / (1.0 - CHANCE)) ** power
    assert side * judged(CAME, odds / (1.0 + odds), CHANCE).calibration > 1.96


def test_each_row_is_foreseen_from_the_others_alone(out: Foreseen) -> None:
    known = posterior()
    assert isinstance(known, ApproximatePosterior)
    for row in (0, 17, 101):
        without = known.without(np.array([row]))
        assert isinstance(without, ApproximatePosterior)
        assert out.chance[row] == pytest.approx(without.probability(known.X[[row]])[0], abs=2e-3)
    assert out.log_score > out.log_score_of_share + 0.05
    assert out.wrong < out.wrong_of_share


def test_rows_that_are_alike_are_not_put_in_the_wrong_order() -> None:
    """Leaving one row out puts equal rows in the opposite order of their classes; leaving out pairs does not."""
    data = dataset()
    found = leave_one_out_of_classes(posterior(data, leaf("Cat", "kind", sd=1.0, contrast=1.0) + leaf("C", sd=1.0)))
    kind = data.X[:, 1]
    expected = roc_auc_score(data.y > 0, kind == 0)
    assert roc_auc_score(found.came, found.chance) < expected - 0.1
    assert found.area == pytest.approx(expected, abs=1e-9)


X = np.linspace(0.0, 10.0, 41)
Array = NDArray[np.float64]


def _shape(mean: Array, sd: float = 0.01, x: Array = X) -> CurveShape:
    cov = sd**2 * (np.exp(-0.5 * np.subtract.outer(x, x) ** 2) + 1e-6 * np.eye(len(x)))
    return curve_shape(x, mean, cov, np.random.default_rng(0))


@pytest.mark.parametrize(
    ("mean", "kind"),
    [
        (2.0 * X, "straight"),
        (-X, "straight"),
        (np.sqrt(X), "rising"),
        (np.exp(-X), "falling"),
        (-((X - 4.0) ** 2), "turning"),
        (np.sin(X), "turning"),
        (0.0 * X, "unclear"),
        (0.005 * np.sin(X), "unclear"),
    ],
    ids=["line", "line down", "root", "decay", "hill", "waves", "nothing", "within chance"],
)
def test_kinds(mean: Array, kind: str) -> None:
    assert _shape(mean).kind == kind


def test_what_is_within_chance_is_not_told() -> None:
    assert _shape(np.sin(X), sd=2.0).kind == "unclear"
    assert _shape(X + 0.9 * np.sin(X), sd=1.5).kind == "straight"
    assert _shape(X + 0.9 * np.sin(X), sd=0.01).kind == "rising"


def test_a_hill_turns_at_its_top_with_a_range_around_it() -> None:
    shape = _shape(-((X - 4.0) ** 2), sd=0.5)
    (turn,) = shape.turns
    assert [round(leg.number) for leg in shape.legs] == [16, -36]
    assert turn.top
    assert turn.at == 4.0
    assert turn.span[0] <= 4.0 <= turn.span[1]
    assert turn.span[1] - turn.span[0] < 3.0
    (dip,) = _shape((X - 6.0) ** 2).turns
    assert not dip.top
    assert dip.at == 6.0


def test_flat_ends() -> None:
    late = _shape(np.minimum(X, 4.0))
    assert late.kind == "rising"
    assert late.hinge is not None
    assert late.hinge.at == pytest.approx(4.0, abs=0.3)
    assert (late.hinge.flat, late.hinge.bend) == (True, -1)  # from there on, not until there
    assert [round(slope.number, 2) for slope in (late.hinge.before, late.hinge.after)] == [1.0, 0.0]
    early = _shape(-np.maximum(X - 6.0, 0.0))
    assert early.kind == "falling"
    assert early.hinge is not None
    assert early.hinge.at == pytest.approx(6.0, abs=0.3)
    assert (early.hinge.flat, early.hinge.bend) == (True, 1)
    assert early.hinge.span[0] <= 6.0 <= early.hinge.span[1]


def test_an_end_that_few_data_leave_open_is_not_flat() -> None:
    """A chance that is linear in its log odds 'hardly changed' beyond a place that eight of 320 rows are beyond."""
    values = np.minimum(X, 4.0)
    cov = np.diag(np.where(X > 8.0, 1.5, 0.1) ** 2)
    hinge = curve_shape(X, values, cov, np.random.default_rng(0)).hinge
    assert hinge is not None
    assert not hinge.flat


def test_bends() -> None:
    for curve, sd, bend in (
        (np.sqrt(X + 0.1), 0.01, -1),
        (X**2, 0.01, 1),
        (X**2, 10.0, 0),
        (np.tanh(X - 5.0), 0.01, 0),
    ):
        hinge = _shape(curve, sd).hinge
        assert hinge is None or not hinge.flat
        assert bend == (hinge.bend if hinge else 0)


@pytest.mark.parametrize(("at", "place"), [(0.0, 5.0), (0.7, 7.0)])
def test_rows_turn_where_a_line_does_not_do(at: float, place: float) -> None:
    """Beside another column that goes with it, and with noise that grows along it."""
    rng = np.random.default_rng(3)
    x = rng.uniform(0.0, 10.0, 300)
    others = np.column_stack([np.ones(300), x + rng.normal(size=300)])
    y = others @ np.array([1.0, 2.0]) + (np.maximum(x - 10.0 * at, 0.0)) + 0.1 * (1.0 + x) * rng.normal(size=300)
    found = hinge_of_rows(x, others, y)
    assert found is not None
    assert (found.p < 0.001) == (at > 0.0)
    assert (found.bend, found.flat) == ((1, True) if at else (0, False))
    assert not at or found.span[0] <= place <= found.span[1]
    assert not at or abs(found.after.number - 1.0) < 1.96 * found.after.sd


def test_lines_without_a_turn_hardly_ever_seem_to_have_one() -> None:
    """One column with few values, one with a long tail, noise with heavy tails."""
    rng, found = np.random.default_rng(0), []
    for _ in range(100):
        for x in (rng.integers(0, 9, 80).astype(float), rng.gamma(1.5, 2.0, 80)):
            hinge = hinge_of_rows(x, np.ones((80, 1)), x + rng.standard_t(4, 80))
            found.append(hinge is not None and hinge.p < 0.05)
    assert np.mean(found) <= 0.07


def test_a_turn_that_may_be_anywhere_is_none() -> None:
    x = np.array([0.0, 1.0, 2.0, 3.0, 9.0, 10.0])
    mean, cov = np.array([0.0, 6.0, 10.4, 9.2, 9.9, 9.2]), np.diag([0.01, 0.01, 0.01, 0.01, 1.0, 0.01])
    shape = curve_shape(x, mean, cov, np.random.default_rng(0))
    assert (shape.kind, shape.open_from, shape.turns) == ("rising", 2.0, ())
    back = curve_shape(10.0 - x[::-1], mean[::-1].copy(), cov[::-1, ::-1].copy(), np.random.default_rng(0))
    assert (back.kind, back.open_until, back.turns) == ("falling", 8.0, ())


def test_sizes_are_contrasts_with_their_uncertainty() -> None:
    mean, cov = np.array([0.0, 3.0, 1.0]), np.array([[1.0, 0.5, 0.0], [0.5, 1.0, 0.0], [0.0, 0.0, 2.0]])
    assert contrast(mean, cov, 0, 1).number == 3.0
    assert contrast(mean, cov, 0, 1).sd == pytest.approx(1.0)
    shape = curve_shape(np.arange(3.0), mean, 0.01 * cov, np.random.default_rng(0))
    assert (shape.lowest, shape.highest) == (0.0, 1.0)
    assert shape.size.number == 3.0
    assert shape.change.number == 1.0


@pytest.mark.parametrize("values", [[1.0], [0.0, 1.0], [0.0, 5.0, 1.0]])
def test_few_places_are_no_trouble(values: list[float]) -> None:
    mean = np.array(values)
    shape = curve_shape(np.arange(len(values), dtype=float), mean, 1e-4 * np.eye(len(values)), np.random.default_rng(0))
    assert shape.kind == {1: "unclear", 2: "rising", 3: "turning"}[len(values)]


@pytest.mark.slow
def test_chances_are_those_of_each_class_shared_out() -> None:
    out, each = found().foreseen, found().each
    raw = np.column_stack([record.foreseen.chance for record in each if record.foreseen is not None])
    np.testing.assert_allclose(out.chance.sum(axis=1), 1.0)
    np.testing.assert_allclose(out.chance, raw / raw.sum(axis=1, keepdims=True))
    assert out.taken.sum() == dataset_of_several_classes().n
    assert out.wrong == pytest.approx(1.0 - out.taken.trace() / dataset_of_several_classes().n)
    assert out.log_score > out.log_score_of_share


def test_scores_are_those_of_plain_sums() -> None:
    came = np.array([0, 0, 1, 2])
    raw = np.array([[0.5, 0.25, 0.25], [0.2, 0.6, 0.2], [0.1, 0.8, 0.1], [0.96, 0.02, 0.02]])
    out = leave_one_out_together(came, 2.0 * raw)
    assert out.log_score == pytest.approx(np.log([0.5, 0.2, 0.8, 0.02]).mean())
    assert out.log_score_of_share == pytest.approx(np.log(np.array([2, 2, 1, 1]) / 6.0).mean())
    assert (out.wrong, out.wrong_of_share) == (0.5, 0.5)
    assert out.surprising == (3,)
    assert out.surprises_expected == pytest.approx(0.04)
    np.testing.assert_allclose(shared_out(3.0 * raw), raw)
