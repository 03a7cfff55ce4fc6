"""What facts on columns say of themselves."""

from __future__ import annotations

from dataclasses import replace

from tests.describe.covariate_cases import INCOME, NOISE, PRICE, PROMO, WEATHER, findings

from autostatistician.describe.facts.covariates import CovariateEffect, EffectAtValue


def test_columns_matter_or_are_open_or_say_nothing() -> None:
    made = findings(PROMO, replace(PRICE, probability=0.5), NOISE)
    assert [one.effect.matters for one in made.columns] == [True, False, False]
    assert [one.effect.is_open for one in made.columns] == [False, True, False]
    assert [len(group) for group in (made.told, made.mattering, made.silent, made.blurred)] == [2, 1, 1, 0]


def test_what_goes_with_time_is_told_apart() -> None:
    unlikely = findings(replace(INCOME, probability=0.1), NOISE)
    assert [one.effect.column for one in unlikely.blurred] == ["income"]
    assert [one.effect.column for one in unlikely.silent] == ["noise1"]
    assert findings(replace(INCOME, along=0.1)).columns[0].effect.is_blurred is False


def test_all_facts_are_listed() -> None:
    facts = findings(WEATHER).facts
    assert [type(fact) for fact in facts[:3]] == [CovariateEffect, EffectAtValue, EffectAtValue]
    assert len({fact.id for fact in facts}) == len(facts) == 7
