"""What is observed of tables, clusters and searches."""

from dataclasses import replace

import numpy as np
import pytest
from tests.decompose.table.several import dataset as dataset_of_several_classes
from tests.decompose.table.several import found
from tests.decompose.table.tables import bump, dataset, decomposition, model
from tests.describe import factory
from tests.describe.cluster_cases import LABELS, findings
from tests.describe.cluster_cases import found as found_of_maps

from autostatistician.claims.claim import Claim, shown, told
from autostatistician.claims.kinds import Kind
from autostatistician.claims.quantity import Measure
from autostatistician.data.transform import Transform
from autostatistician.decompose.records.table import TableDecomposition
from autostatistician.describe.facts.kinds import SearchCut
from autostatistician.describe.observe.clusters.findings import _range, latent_map, observed_maps, traits_of
from autostatistician.describe.observe.search import search_of, weighed_claims
from autostatistician.describe.observe.table.effects import (
    column_claims,
    effect_claims,
    effect_id,
    fit_claim,
    is_told,
    noise_claims,
    ranges_claim,
)
from autostatistician.describe.observe.table.findings import far_off, scale_for, structure_claims, table_findings
from autostatistician.describe.observe.table.several_classes import several_findings
from autostatistician.describe.tell import document, result
from autostatistician.describe.words.outliers import far_off_text
from autostatistician.forms import CourseKind
from autostatistician.kernels.kernel import Kernel, leaf


def _claims(*models: tuple[Kernel, float]) -> dict[tuple[Kind, tuple[str, ...]], tuple[float | None, bool]]:
    return {(one.kind, one.columns): (one.probability, one.in_best) for one in structure_claims(models)}


def test_two_columns_act_together_and_one_changes_the_scatter() -> None:
    noisy = bump("a") + leaf("WN", sd=1.0) * leaf("Lin", "d", sd=1.0, location=0.0)
    assert _claims((model(), 0.75), (noisy, 0.25)) == {
        (Kind.TOGETHER, ("b", "c")): (0.75, True),
        (Kind.SCATTER, ("d",)): (0.25, False),
    }


def test_of_three_columns_a_product_does_not_tell_which_act_together() -> None:
    assert _claims((bump("a") * bump("b") * bump("c") + leaf("WN", sd=1.0), 1.0)) == {}


@pytest.fixture(scope="module")
def d() -> TableDecomposition:
    return decomposition(model(), dataset(60))


def test_limits_are_those_of_a_normal_distribution(d: TableDecomposition) -> None:
    for along in (along for effect in d.effects for along in effect.along):
        _, lower, upper = along.shown
        np.testing.assert_allclose(upper - lower, 2 * 1.96 * along.sd)


def test_slices_are_at_the_ends_of_the_other_column(d: TableDecomposition) -> None:
    (found,) = [effect.interaction for effect in d.effects if effect.interaction is not None]
    assert tuple(place for place, _ in found.cuts) == found.by_places


@pytest.fixture(scope="module")
def d_of_effects() -> TableDecomposition:
    return decomposition(model(), dataset())


def test_every_effect_has_a_share_and_a_course_for_each_column(d_of_effects: TableDecomposition) -> None:
    for effect in d_of_effects.effects:
        share, *rest = effect_claims(effect, d_of_effects)
        assert share.kind is Kind.EFFECT
        assert share.value == pytest.approx(effect.share)
        assert [one.columns[0] for one in rest if one.kind is Kind.COURSE] == list(effect.columns)
        assert share.id == f"{effect_id(effect, d_of_effects)}/share"


def _course_of(bent: float, kernel: Kernel) -> Claim:
    """The course along 'a' of a model of rows that rise with it evenly, or from 0.4 on and hardly before."""
    X, noise = dataset().X, np.random.default_rng(1).normal(0.0, 0.2, 120)
    y = (1.0 - bent) * X[:, 0] + 2.0 * bent * np.maximum(X[:, 0] - 0.4, 0.0) + noise
    made = decomposition(kernel + leaf("WN", sd=0.2), replace(dataset(), y=y))
    return next(claim for claim in effect_claims(made.effects[0], made) if claim.kind is Kind.COURSE)


def test_rows_overrule_a_line_of_the_model_where_they_are_sure_that_it_turns() -> None:
    line = leaf("Lin", "a", sd=1.0, location=0.0)
    turning, even = (_course_of(bent, line) for bent in (1.0, 0.0))
    assert (even.form, even["bend"], even.marks) == (CourseKind.STRAIGHT, 0.0, frozenset())
    assert (turning.form, turning["bend"], turning.marks) == (CourseKind.RISING, 1.0, {"by rows"})
    low, high = turning.more["flat_until"].interval
    assert low <= turning["flat_until"] <= high
    assert turning["flat_until"] == pytest.approx(0.4, abs=0.15)
    assert turning.number.low < 2.0 * (1.98 - 0.4) < turning.number.high


def test_a_bend_of_the_model_is_told_where_rows_agree() -> None:
    course = _course_of(1.0, bump("a"))
    assert (course["bend"], course.marks) == (1.0, frozenset())
    assert course["flat_until"] == pytest.approx(0.4, abs=0.3)
    made = decomposition(bump("a") + leaf("WN", sd=0.2), replace(dataset(), y=np.exp(dataset().X[:, 0])))
    doubted = [
        replace(column, plain=replace(column.plain, hinge=replace(column.plain.hinge, p=p)))
        for column in made.columns[:1]
        for p in (0.01, 0.2)
        if column.plain is not None and column.plain.hinge is not None
    ]
    bends = [effect_claims(made.effects[0], replace(made, columns=(one,)))[1]["bend"] for one in doubted]
    assert bends == [1.0, 0.0]


def test_shares_beyond_the_whole_are_cut(d_of_effects: TableDecomposition) -> None:
    first = replace(d_of_effects.effects[0], share=1.04, share_span=(-0.1, 1.2))
    share = effect_claims(first, replace(d_of_effects, effects=(first, *d_of_effects.effects[1:])))[0]
    assert (share.value, share.number.interval) == (1.0, (0.0, 1.0))


def test_columns_come_by_what_is_lost_without_them_with_those_they_act_with(d_of_effects: TableDecomposition) -> None:
    claims = column_claims(d_of_effects, [("b", "c")])
    numbers = [claim.number.value for claim in claims if claim.in_best]
    assert numbers == sorted(numbers, reverse=True)
    known = {claim.columns[0]: claim for claim in claims}
    assert [known[name].others["partners"] for name in "bca"] == [("c",), ("b",), ()]
    assert not known["d"].in_best


def test_small_effects_are_not_told(d_of_effects: TableDecomposition) -> None:
    effect = d_of_effects.effects[0]
    assert is_told(effect)
    assert not is_told(replace(effect, share=9e-4, share_span=(0.0, 2e-3)))
    assert is_told(replace(effect, share=9e-4, share_span=(2e-3, 3e-3)))


@pytest.mark.parametrize(("held", "narrow", "wide"), [(0.95, False, False), (0.85, True, False), (1.0, False, True)])
def test_ranges_are_blamed_beyond_chance_alone(
    d_of_effects: TableDecomposition, held: float, narrow: bool, wide: bool
) -> None:
    claim = ranges_claim(replace(d_of_effects.left_out, held=(0.5, 0.8, held)))
    assert ("narrow" in claim.marks, "wide" in claim.marks) == (narrow, wide)
    few = ranges_claim(replace(d_of_effects.left_out, errors=d_of_effects.left_out.errors[:5], held=(0.5, 0.8, held)))
    assert not few.marks


def test_fit_and_noise_carry_the_numbers_of_the_records(d_of_effects: TableDecomposition) -> None:
    fit, (noise,) = fit_claim(d_of_effects, d_of_effects.left_out), noise_claims(d_of_effects)
    assert (fit.value, fit["left_out"], fit["error"]) == (
        d_of_effects.signal_r2,
        d_of_effects.left_out.r2,
        d_of_effects.left_out.mae,
    )
    assert d_of_effects.noise is not None
    assert noise.value == d_of_effects.noise.sd
    assert noise_claims(replace(d_of_effects, noise=None)) == ()


def test_a_row_that_carries_an_effect_is_counted_from_one(d_of_effects: TableDecomposition) -> None:
    first, *others = d_of_effects.columns
    assert first.plain is not None
    first = replace(first, plain=replace(first.plain, carried=6))
    claims = column_claims(replace(d_of_effects, columns=(first, *others)), [])
    assert {claim.columns[0]: claim.get("carried") for claim in claims} == {"a": 7, "b": None, "c": None, "d": None}


def test_a_column_that_does_not_vary_is_not_told_of(d_of_effects: TableDecomposition) -> None:
    first, *others = d_of_effects.columns
    claims = column_claims(replace(d_of_effects, columns=(replace(first, distinct=1), *others)), [])
    assert {claim.columns[0] for claim in claims} == {"b", "c", "d"}


def test_a_pair_has_the_weight_of_the_models_that_join_it_and_a_plain_witness(d_of_effects: TableDecomposition) -> None:
    pair = next(effect for effect in d_of_effects.effects if effect.columns == ("b", "c"))
    (together,) = told(effect_claims(pair, d_of_effects), Kind.TOGETHER)
    assert together.probability == pytest.approx(0.96)
    assert together["plain_p"] < 1e-6


def test_columns_that_act_together_are_partners(d: TableDecomposition) -> None:
    found = table_findings(d)
    partners = {claim.columns[0]: claim.others["partners"] for claim in found.columns}
    assert partners == {"a": (), "b": ("c",), "c": ("b",), "d": ()}
    assert found.n == 60
    assert [one.name for one in found.inputs] == ["a", "b", "c", "d"]


def test_numbers_are_those_of_the_whole_kernel(d: TableDecomposition) -> None:
    assert tuple(one.value for one in table_findings(d).search.numbers) == d.fitted.kernel.values


def test_the_scale_is_that_of_the_transform(d: TableDecomposition) -> None:
    assert not scale_for(d).is_log
    assert scale_for(replace(d, transform=Transform("log", 7.0))).level == 7.0


SPOILT = 17


@pytest.fixture(scope="module")
def spoilt() -> TableDecomposition:
    data = dataset(60)
    y = data.y.copy()
    y[SPOILT] += 0.5 * np.std(y)
    return decomposition(model(), replace(data, y=y))


def test_a_row_far_off_is_named_with_what_was_expected(spoilt: TableDecomposition) -> None:
    (claim,) = far_off(spoilt.left_out, spoilt)
    assert claim.at == (SPOILT + 1,)
    assert claim["value"] == pytest.approx(spoilt.y[SPOILT])
    assert not claim.marks
    text = far_off_text((claim,))
    assert text.startswith("By their numbers in the table, row 18 (")
    assert text in document(spoilt).careful
    assert "outlier" in str(result(spoilt)["facts"])


def test_other_tables_name_none() -> None:
    found = decomposition(model(), dataset(60))
    assert far_off(found.left_out, found) == ()
    assert far_off_text(()) == ""


def test_a_row_has_its_number_in_the_table_where_others_were_left_out(spoilt: TableDecomposition) -> None:
    assert spoilt.left_out is not None
    numbered = replace(spoilt, rows=tuple(range(3, len(spoilt.y) + 3)))
    assert far_off(spoilt.left_out, numbered)[0].at[0] == far_off(spoilt.left_out, spoilt)[0].at[0] + 2.0


@pytest.mark.slow
def test_facts_count_what_the_record_holds() -> None:
    findings, out = several_findings(found()), found().foreseen
    assert findings.counts == tuple(np.bincount(dataset_of_several_classes().y.astype(int)))
    assert findings.usual == "green"
    taken = [pair.number.value for pair in findings.confused]
    assert sum(taken) == round(out.wrong * dataset_of_several_classes().n)
    assert taken == sorted(taken, reverse=True)
    assert findings.foresight.value == out.log_score
    assert findings.foresight["share"] == max(findings.counts) / dataset_of_several_classes().n


def test_clusters_are_counted_from_the_largest() -> None:
    known = findings()
    assert [(one.at, one.number.value) for one in known.clusters] == [((1,), 20), ((2,), 12), ((3,), 8)]
    assert known.labels[0] == (2, 1)
    assert known.labels[-1] == (41, 3)


def test_partners_are_those_with_whom_rows_are_most_often() -> None:
    first, second, third = findings().clusters
    assert (second["partner"], third["partner"]) == (3, 2)
    assert second["shared"] == third["shared"] == pytest.approx((11 * 0.2 + 0.4) / 12)
    assert first["together"] == pytest.approx(0.97)
    assert (first["partner"], first["shared"]) == (3, pytest.approx(0.02))


def test_rows_between_are_those_that_another_cluster_has_half_as_often() -> None:
    (row,) = findings().between
    assert row.at == (33, 2, 3)
    assert row["own"] == pytest.approx(0.55)
    assert row.number.value == pytest.approx(0.4)


def test_a_cluster_of_one_row_knows_it() -> None:
    labels = LABELS.copy()
    labels[-1] = 9
    known = findings(labels=labels)
    assert known.clusters[-1]["row"] == 41
    assert {one["partner"] for one in known.clusters[:-1]} == {2, 3}  # of several rows
    assert {row.at[1:] for row in known.between} <= {(2, 3), (3, 2)}
    assert findings().clusters[-1].get("row") is None


def test_one_cluster_has_no_partner_and_nothing_between() -> None:
    known = findings(labels=np.zeros(40, dtype=np.intp))
    assert "partner" not in known.clusters[0].more
    assert known.clusters[0].parts == ()
    assert known.between == ()


def test_the_range_is_the_shortest_that_holds_the_probability() -> None:
    assert _range(((1, 0.03), (2, 0.5), (3, 0.46), (7, 0.01))) == (2.0, 3.0)
    assert _range(((2, 0.5), (5, 0.5))) == (2.0, 5.0)


def test_long_courses_are_thinned() -> None:
    from autostatistician.decompose.records.clusters import ChainTrace

    trace = ChainTrace(np.arange(5000.0), np.zeros(5000))
    (course,) = findings(traces=(trace,)).courses
    assert len(course.sweeps) == 400
    assert course.clusters[-1] == 4999.0
    assert course.sweeps[-1] == 5000.0


def _whole(density: np.ndarray, x: np.ndarray, y: np.ndarray) -> float:
    return float(density.sum() * (x[1] - x[0]) * (y[1] - y[0]))


def test_densities_have_a_whole_of_one_and_levels_that_hold_their_shares() -> None:
    known = findings()
    (observed,) = known.observed
    for one in (observed, known.latent):
        assert one is not None
        assert _whole(one.density, one.x, one.y) == pytest.approx(1.0, abs=0.12)
        shares = [one.density[one.density >= level].sum() / one.density.sum() for level in one.levels]
        assert shares == pytest.approx([0.9, 0.5], abs=0.02)


def test_of_many_columns_those_are_shown_that_tell_clusters_apart() -> None:
    rng, places = np.random.default_rng(0), np.repeat([1, 2], 20)
    rows = rng.normal(size=(40, 5))
    rows[:, [1, 3, 4]] += 6.0 * (places == 2)[:, None]
    maps = observed_maps(rows, tuple("abcde"), places, rows)
    assert sorted((one.x_name, one.y_name) for one in maps) == [("b", "d"), ("b", "e"), ("d", "e")]


def test_rows_of_one_column_stand_at_the_height_of_its_density() -> None:
    known = findings(rows=found_of_maps().rows[:, :1], columns=("mass",), drawn=found_of_maps().drawn[:, :1])
    (one,) = known.observed
    assert (one.x_name, one.y_name) == ("mass", "density")
    assert float(np.trapezoid(one.y, one.x)) == pytest.approx(1.0, abs=0.1)
    assert max(y.max() for _, _, y in one.groups) <= one.y.max()


def test_one_latent_coordinate_has_no_map() -> None:
    assert latent_map(found_of_maps().latent[:, :1], LABELS + 1) is None


INSIDE = np.repeat([True, False], [10, 30])


def test_order_is_the_share_of_pairs() -> None:
    values = np.concatenate([np.arange(10.0), np.arange(30.0) + 8.5])
    (trait,) = traits_of(values[:, None], ("a",), INSIDE)
    assert trait.form == "lower"
    assert trait.number.value == pytest.approx(1.0 - 1.0 / 300.0)
    assert trait.at == (0.0, 9.0)


def test_equal_values_count_half() -> None:
    values = np.concatenate([np.full(10, 2.0), np.full(18, 2.0), np.full(12, 1.0)])
    assert traits_of(values[:, None], ("a",), INSIDE) == ()  # 0.7 of the pairs


def test_a_range_between_the_others_is_one_of_its_own() -> None:
    values = np.concatenate([np.linspace(4.0, 5.0, 10), np.linspace(0.0, 3.0, 15), np.linspace(6.0, 9.0, 15)])
    (trait,) = traits_of(values[:, None], ("a",), INSIDE)
    assert trait.form == "among"
    assert trait.number.value == 1.0


@pytest.mark.parametrize("size", [3, 10, 12, 21, 32, 41])
def test_a_range_holds_nine_of_ten_rows_or_more(size: int) -> None:
    values = np.concatenate([np.arange(float(size)), np.arange(30.0) + 100.0])
    (trait,) = traits_of(values[:, None], ("a",), np.arange(size + 30) < size)
    assert trait.at[1] - trait.at[0] + 1.0 >= 0.9 * size


def test_one_pair_of_very_many_out_of_order_is_seen() -> None:
    values = np.concatenate([np.arange(200.0), np.arange(200.0) + 198.5])
    (trait,) = traits_of(values[:, None], ("a",), np.arange(400) < 200)
    assert 0.9999 < trait.number.value < 1.0


def test_the_clearest_come_first_and_few_are_told() -> None:
    rng = np.random.default_rng(0)
    shifts = np.array([0.0, 2.0, 9.0, 3.0, 1.9, 2.5, 4.0])
    rows = rng.normal(size=(40, 7)) + np.outer(INSIDE, shifts)
    told = traits_of(rows, tuple("abcdefg"), INSIDE)
    assert len(told) == 5
    assert told[0].columns == ("c",)
    assert [one.number.value for one in told] == sorted((one.number.value for one in told), reverse=True)
    assert "a" not in {name for one in told for name in one.columns}


A, B, C = (leaf("WN", sd=float(sd)) for sd in (1, 2, 3))
TREND, CHANGE = shown(Kind.TREND), shown(Kind.CHANGE, 10.0)
CLAIMS = {A: [CHANGE], B: [shown(Kind.CHANGE, 10.4), shown(Kind.CHANGE, 9.8), TREND], C: [TREND]}


def _close(one: Claim, other: Claim) -> bool:
    return one.kind is other.kind and abs(one.number.value - other.number.value) < 1.0


def _weighed(*models: tuple[Kernel, float]) -> dict[Kind, tuple[float, bool]]:
    weighed = weighed_claims(models, CLAIMS.__getitem__, _close)
    return {one.kind: (round(one.probability or 0.0, 6), one.in_best) for one in weighed}


def test_a_model_counts_once_for_claims_that_are_alike() -> None:
    assert _weighed((A, 0.5), (B, 0.3), (C, 0.2)) == {Kind.CHANGE: (0.8, True), Kind.TREND: (0.5, False)}


def test_what_is_hardly_probable_is_not_known() -> None:
    assert _weighed((A, 0.97), (C, 0.03)) == {Kind.CHANGE: (0.97, True)}


def test_a_best_model_that_claims_nothing_makes_no_claim_of_the_next() -> None:
    empty = weighed_claims([(A, 0.6), (B, 0.4)], lambda kernel: CLAIMS[kernel] if kernel is B else [], _close)
    assert [one.in_best for one in empty] == [False, False]


def test_every_number_has_its_part_its_place_and_its_meaning() -> None:
    d = factory.solar()
    numbers = search_of(d, [part.kernel for part in d.components]).numbers
    assert [one.value for one in numbers] == [value for part in d.components for value in part.kernel.values]
    assert {one.part for one in numbers} == set(range(1, len(d.components) + 1))
    of_window = {one.name: one.quantity for one in numbers if one.symbol == "CW"}
    assert of_window == {"location": Measure.PLACE, "steepness": Measure.RATE, "width": Measure.SPAN}
    assert all(one.meaning for one in numbers if one.symbol != "CW")


def test_symbols_are_those_of_the_expression() -> None:
    kernel = Kernel.change_point(leaf("SE", lengthscale=1.0, sd=1.0), leaf("0"), 5.0, 1.0) + leaf("WN", sd=1.0)
    d = factory.airline()
    search = search_of(replace(d, fitted=replace(d.fitted, kernel=kernel)), ())
    assert [symbol for symbol, _, _ in search.leaves] == ["SE", "WN"]  # the empty side is no leaf to be explained
    assert search.operators == {"CP", "+"}


@pytest.mark.parametrize("cut", list(SearchCut))
def test_what_cut_a_search_is_known(cut: SearchCut) -> None:
    assert search_of(replace(factory.airline(), cut=cut.value), ()).cut is cut


def test_what_rows_hold_is_no_fitted_number() -> None:
    walk = leaf("Wiener", sd=2.0, location=1949.0)
    (number,) = search_of(factory.airline(), [walk]).numbers
    assert (number.name, number.meaning, number.quantity) == ("sd", "size of the steps", Measure.DIFFUSION)
