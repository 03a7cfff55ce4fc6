"""Facts share one base, whatever they are about."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields, is_dataclass

import pytest

from autostatistician.describe.facts import effect, part, whole
from autostatistician.describe.facts.fact import SHARE, Fact, ProbableFact

EVERY = [
    getattr(module, name)
    for module in (effect, part, whole)
    for name in module.__all__
    if isinstance(getattr(module, name), type)
]
FACTS = [one for one in EVERY if issubclass(one, Fact)]


def test_all_that_is_stated_is_a_fact() -> None:
    assert [one for one in EVERY if one not in FACTS] == []
    assert len(FACTS) > 30


@pytest.mark.parametrize("kind", FACTS)
def test_every_fact_begins_alike_and_says_what_it_is(kind: type) -> None:
    assert [one.name for one in fields(kind)][:5] == ["id", "number", "unit", "evidence", "interval"]
    assert kind.__doc__
    assert not kind.__doc__.startswith(f"{kind.__name__}(")  # which dataclass would have made
    assert is_dataclass(kind)


def test_facts_cannot_be_changed() -> None:
    fact = ProbableFact(id="a", number=0.5, unit=SHARE, evidence="e")
    with pytest.raises(FrozenInstanceError):
        fact.number = 1.0  # type: ignore[misc]
