"""Facts on effects, columns and errors of a table, from its records."""

from __future__ import annotations

from dataclasses import replace

import pytest
from tests.decompose.table.tables import dataset, decomposition, model

from autostatistician.decompose.records.table import TableDecomposition
from autostatistician.describe.facts.effect import Dependence, EffectCourse, EffectShare
from autostatistician.describe.observe.table.effects import (
    check_facts,
    column_facts,
    effect_facts,
    effect_id,
    fit_fact,
    is_told,
    noise_facts,
    ranges_fact,
)


@pytest.fixture(scope="module")
def d() -> TableDecomposition:
    return decomposition(model(), dataset())


def test_every_effect_has_a_share_and_a_course_for_each_column(d: TableDecomposition) -> None:
    for effect in d.effects:
        share, *rest = effect_facts(effect, d)
        assert isinstance(share, EffectShare)
        assert share.number == pytest.approx(effect.share)
        assert [one.column for one in rest if isinstance(one, EffectCourse)] == list(effect.columns)
        assert share.id == f"{effect_id(effect, d)}/share"


def test_shares_beyond_the_whole_are_cut(d: TableDecomposition) -> None:
    first = replace(d.effects[0], share=1.04, share_span=(-0.1, 1.2))
    share = effect_facts(first, replace(d, effects=(first, *d.effects[1:])))[0]
    assert (share.number, share.interval) == (1.0, (0.0, 1.0))


def test_columns_come_by_their_relevance_with_those_they_act_with(d: TableDecomposition) -> None:
    facts = column_facts(d, [("b", "c")], check_facts(d.left_out))
    numbers = [fact.number for fact in facts]
    assert numbers == sorted(numbers, reverse=True)
    known = {fact.column: fact for fact in facts}
    assert (known["b"].partners, known["c"].partners, known["a"].partners) == (("c",), ("b",), ())
    assert known["a"].alone
    assert not known["d"].used


def test_small_effects_are_not_told(d: TableDecomposition) -> None:
    effect = d.effects[0]
    assert is_told(effect)
    assert not is_told(replace(effect, share=9e-4, share_span=(0.0, 2e-3)))
    assert is_told(replace(effect, share=9e-4, share_span=(2e-3, 3e-3)))


@pytest.mark.parametrize(("held", "narrow", "wide"), [(0.95, False, False), (0.85, True, False), (1.0, False, True)])
def test_ranges_are_blamed_beyond_chance_alone(d: TableDecomposition, held: float, narrow: bool, wide: bool) -> None:
    fact = ranges_fact(replace(d.left_out, held=(0.5, 0.8, held)))
    assert (fact.too_narrow, fact.too_wide) == (narrow, wide)
    few = ranges_fact(replace(d.left_out, errors=d.left_out.errors[:5], held=(0.5, 0.8, held)))
    assert not few.too_narrow
    assert not few.too_wide


def test_fit_and_noise_carry_the_numbers_of_the_records(d: TableDecomposition) -> None:
    fit, (noise,) = fit_fact(d, d.left_out), noise_facts(d)
    assert (fit.number, fit.left_out, fit.error) == (d.signal_r2, d.left_out.r2, d.left_out.mae)
    assert d.noise is not None
    assert noise.number == d.noise.sd
    assert noise_facts(replace(d, noise=None)) == ()


def test_a_row_that_carries_an_effect_is_counted_from_one(d: TableDecomposition) -> None:
    place = next(number for number, effect in enumerate(d.effects) if effect.columns == ("a",))
    effect = replace(d.effects[place], along=(replace(d.effects[place].along[0], carried=6),))
    carried = replace(d, effects=(*d.effects[:place], effect, *d.effects[place + 1 :]))
    courses = [fact for fact in effect_facts(effect, carried) if isinstance(fact, EffectCourse)]
    assert [fact.carried for fact in courses] == [7]
    columns = {fact.column: fact.carried for fact in column_facts(carried, [], check_facts(d.left_out))}
    assert columns == {"a": 7, "b": None, "c": None, "d": None}


def test_a_pair_has_the_weight_of_the_models_that_join_it_and_a_plain_witness(d: TableDecomposition) -> None:
    pair = next(effect for effect in d.effects if effect.columns == ("b", "c"))
    dependence = next(fact for fact in effect_facts(pair, d) if isinstance(fact, Dependence))
    assert dependence.probability == pytest.approx(0.96)
    assert dependence.plain_p is not None
    assert dependence.plain_p < 1e-6
