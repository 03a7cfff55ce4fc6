"""Facts: what they hold and refuse, how they are judged, and the names of their kinds."""

from dataclasses import FrozenInstanceError, fields, is_dataclass, replace
from typing import Any

import numpy as np
import pytest
from tests.decompose.table.tables import dataset, decomposition, model
from tests.describe import factory
from tests.describe.checks import trial, trial_fact
from tests.describe.cluster_cases import findings
from tests.describe.covariate_cases import INCOME, NOISE, PRICE, PROMO, WEATHER
from tests.describe.covariate_cases import findings as findings_of_covariates
from tests.describe.effect_cases import BASE, EFFECT, PAIR, TOGETHER, WATER, check, column, scaled
from tests.describe.factory import MONTHLY, MONTHS, component
from tests.describe.spoken.classes import SURPRISE, TAKEN

from autostatistician.claims.claim import plain_numbers, shown
from autostatistician.claims.kinds import Form, Kind, Standing
from autostatistician.claims.quantity import Measure, Quantity
from autostatistician.describe.axis.units import Scale
from autostatistician.describe.document.record import fact_json
from autostatistician.describe.facts import kinds, part, whole
from autostatistician.describe.facts.curves import PartCurves
from autostatistician.describe.facts.fact import SHARE, Fact
from autostatistician.describe.facts.findings import SeriesFindings
from autostatistician.describe.facts.judgement import (
    ALARM,
    KNOWN,
    LIKELY,
    MAJORITY,
    SURE,
    clear_courses,
    failed_checks,
    is_witnessed,
    manner_of,
)
from autostatistician.describe.facts.kinds import Manner, Phase
from autostatistician.describe.observe.search import search_of
from autostatistician.describe.observe.series.findings import series_findings
from autostatistician.describe.observe.table.effects import is_told
from autostatistician.describe.observe.table.findings import table_findings
from autostatistician.forms import CourseKind, Curve
from autostatistician.kernels.kernel import Kernel, leaf


def test_claims_of_one_kind_differ_by_number_or_columns() -> None:
    assert shown(Kind.CYCLE, 1.0) == shown(Kind.CYCLE, 1.0) != shown(Kind.CYCLE, 2.0)
    assert shown(Kind.MATTERS, columns=("a",)) != shown(Kind.MATTERS, columns=("b",))
    assert shown(Kind.MATTERS, columns=("a",)) != shown(Kind.SCATTER, columns=("a",))


def test_the_likeliest_number_need_not_be_that_of_the_partition() -> None:
    count = findings(counts=((2, 0.4), (3, 0.2), (4, 0.4))).count
    assert count.number.value == 3.0
    assert count.probability == 0.2
    assert [(part.number.value, part.probability) for part in count.parts] == [(2.0, 0.4), (3.0, 0.2), (4.0, 0.4)]


def test_chains_that_ended_in_the_first_half_are_cold() -> None:
    asked = round(findings().chains["asked"])
    assert findings(sweeps=asked // 2).chains.form == "cold"
    assert findings(sweeps=asked - 1).chains.form != "cold"


def test_columns_matter_or_are_open_or_say_nothing() -> None:
    made = findings_of_covariates(PROMO, replace(PRICE, probability=0.5), NOISE)
    assert [one.effect.standing for one in made.columns] == [Standing.TOLD, Standing.OPEN, Standing.DENIED]
    assert [len(group) for group in (made.told, made.mattering, made.silent, made.blurred)] == [2, 1, 1, 0]


def test_what_goes_with_time_is_told_apart() -> None:
    unlikely = findings_of_covariates(replace(INCOME, probability=0.1), NOISE)
    assert [one.effect.columns for one in unlikely.blurred] == [("income",)]
    assert [one.effect.columns for one in unlikely.silent] == [("noise1",)]
    assert "blurred" not in findings_of_covariates(replace(INCOME, along=0.1)).columns[0].effect.marks


def test_all_facts_are_listed() -> None:
    facts = findings_of_covariates(WEATHER).facts
    assert [part.kind for part in facts[0].parts] == [Kind.LEVEL, Kind.LEVEL]
    assert len({fact.id for fact in facts}) == len(facts) == 5


X = np.arange(10.0)
CURVE = Curve.normal(X, X, X)
CURVES = PartCurves(CURVE, CURVE, X[None], X)


def test_equal_arrays_make_no_equal_curves() -> None:
    assert replace(CURVES) != CURVES
    assert len({CURVES, replace(CURVES)}) == 2


def test_curves_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        CURVES.left = X  # type: ignore[misc]


def test_shares_are_recorded_in_per_cent() -> None:
    record = fact_json(replace(EFFECT, more={"beyond": Quantity.plain(0.25, Measure.SHARE)}))
    assert (record["number"], record["interval"], record["beyond"], record["unit"]) == (60.0, [50.0, 70.0], 25.0, "%")
    assert fact_json(column())["number"] == 40.0
    together = fact_json(TOGETHER)
    assert (together["share"], together["share_interval"], together["number"]) == (9.0, [6.0, 12.0], 6.0)


def test_what_is_no_share_is_recorded_as_it_is() -> None:
    record = fact_json(BASE)
    assert (record["number"], record["interval"], record["unit"]) == (30.0, [26.0, 34.0], "target")
    units = [fact_json(BASE, scale)["unit"] for scale in (Scale(target="y", level=2.0), Scale(target="y", event="a"))]
    assert units == ["log target", "latent"]
    assert record["form"] == "rising"
    assert type(record["form"]) is str


FACTS = [
    getattr(module, name)
    for module in (part, whole)
    for name in module.__all__
    if isinstance(getattr(module, name), type)
]


@pytest.mark.parametrize("kind", FACTS)
def test_every_fact_begins_alike_and_says_what_it_is(kind: type) -> None:
    assert [one.name for one in fields(kind)][:5] == ["id", "number", "unit", "evidence", "interval"]
    assert kind.__doc__
    assert not kind.__doc__.startswith(f"{kind.__name__}(")  # which dataclass would have made
    assert is_dataclass(kind)


def test_facts_cannot_be_changed() -> None:
    fact = Fact(id="a", number=0.5, unit=SHARE, evidence="e")
    with pytest.raises(FrozenInstanceError):
        fact.number = 1.0  # type: ignore[misc]


WN, LEVEL, LINE = leaf("WN", sd=3.0), leaf("C", sd=5.0), leaf("Lin", sd=1.0, location=1950.0)


def _found(*kernels: Kernel) -> SeriesFindings:
    parts = tuple(component(kernel, MONTHS) for kernel in kernels)
    return series_findings(factory.decomposition(parts, MONTHS, np.sin(MONTHS), MONTHLY))


@pytest.mark.parametrize(
    ("kernels", "pure", "nothing"),
    [
        ((WN,), True, True),
        ((LEVEL, WN), False, True),
        ((LINE, WN), False, False),
        ((Kernel.change_point(LEVEL, leaf("0"), 1955.0, 4.0), WN), False, False),  # a level that ends is a finding
    ],
)
def test_noise_around_a_level_is_nothing(kernels: tuple[Kernel, ...], pure: bool, nothing: bool) -> None:
    found = _found(*kernels)
    assert (found.pure, found.nothing) == (pure, nothing)


@pytest.mark.parametrize(("size", "nothing"), [(100.0, False), (0.0, True)])
def test_a_level_that_steps_is_a_finding_where_it_can_be_seen(size: float, nothing: bool) -> None:
    step = LEVEL + Kernel.change_point(LEVEL, leaf("0"), 1955.0, 400.0)
    parts = (component(step, MONTHS, np.where(MONTHS < 1955.0, size, 0.0)), component(WN, MONTHS))
    found = series_findings(factory.decomposition(parts, MONTHS, np.sin(MONTHS), MONTHLY))
    assert found.nothing is nothing


@pytest.mark.slow
def test_small_effects_are_known_and_not_told() -> None:
    d = decomposition(model(), dataset(60))
    found = table_findings(d)
    assert len(found.parts) == len(d.effects)
    assert [one.columns for one in found.effects] == [one.columns for one in d.effects if is_told(one)]


def test_alarms_come_clearest_first() -> None:
    known = ((ALARM, 0), (0.04, 0), (0.01, 2), (0.01, 1))
    none, weak, strong, other = (check("course", adjusted=adjusted, part=part) for adjusted, part in known)
    assert failed_checks([none, weak, strong, other]) == [other, strong, weak]
    assert failed_checks([check("spread", p=0.002), check("spread", p=0.001)])[0].value == 0.001


def test_an_effect_without_a_clear_course_is_vague() -> None:
    hazy = [replace(one, form=CourseKind.UNCLEAR) for one in (BASE, WATER)]
    assert clear_courses([PAIR, BASE, hazy[1]]) == [BASE]
    assert manner_of([PAIR, *hazy, replace(TOGETHER, number=scaled(6.0, -1.0, 2.0))]) is Manner.VAGUE
    assert manner_of([PAIR, *hazy, TOGETHER]) is Manner.PAIR  # two places of both show what no single course does


@pytest.mark.parametrize(("p", "witnessed"), [(0.0, True), (0.003, True), (0.0035, False), (0.9, False), (None, False)])
def test_a_pair_is_witnessed_from_odds_of_twenty_on(p: float | None, witnessed: bool) -> None:
    others = {name: number for name, number in TOGETHER.more.items() if name != "plain_p"}
    assert is_witnessed(replace(TOGETHER, more=others | plain_numbers(plain_p=p))) is witnessed
    assert not is_witnessed(replace(TOGETHER, probability=0.95))


@pytest.mark.parametrize(
    ("changed", "form"),
    [
        ({}, Form.MATTERS),
        ({"probability": 0.4}, Form.MATTERS),  # beyond doubt by rows alone
        ({"probability": 0.4, "p_beside_all": 0.01}, Form.MAY),
        ({"p": 0.2, "p_beside_all": 0.2}, Form.MAY),
        ({"number": (0.004, 0.0, 0.009), "probability": 0.4, "p_beside_all": 0.5}, Form.LITTLE),
        ({"number": (0.004, 0.0, 0.009), "probability": 0.4, "p_beside_all": 0.06, "p_single": 0.01}, Form.MAY),
        ({"others": {"instead": ("year",)}}, Form.EITHER),
        ({"used": False, "probability": 0.01, "p_beside_all": 0.5, "number": (0.004, 0.0, 0.009)}, Form.LITTLE),
        ({"used": False, "probability": 0.01, "p_beside_all": 0.5}, Form.MAY),  # not proven, nor known to be small
        ({"used": False, "probability": MAJORITY, "p_beside_all": 0.5}, Form.MAY),
        ({"used": False, "probability": 0.89, "modelled": 0.01, "p_beside_all": 0.01}, Form.MAY),
        ({"used": False, "probability": 0.97, "modelled": 0.01, "p_beside_all": 0.002}, Form.MATTERS),
        ({"used": False, "marks": ("scatter",), "p_beside_all": 0.5}, Form.SCATTERS),
    ],
)
def test_every_column_has_a_form(changed: dict[str, Any], form: Form) -> None:
    assert column(*changed.pop("marks", ()), **changed).form is form


def test_levels_of_sureness_are_in_order() -> None:
    assert 0.0 < KNOWN < MAJORITY < LIKELY < SURE < 1.0


def test_values_are_told_apart() -> None:
    for name in kinds.__all__:
        values = [one.value for one in getattr(kinds, name)]
        assert len(values) == len(set(values))


def test_what_has_no_name_is_false() -> None:
    assert [one for one in Phase if not one] == [Phase.UNNAMED]


def test_levels_are_counted_from_the_first_expression() -> None:
    search = search_of(factory.airline(), ())
    assert search.levels == len(search.path) - 1 == 2
    assert replace(search, path=()).levels == 0


def test_the_weight_is_that_of_the_best_and_all_where_there_is_no_other() -> None:
    search = search_of(factory.airline(), ())
    assert search.weight == 1.0
    assert replace(search, models=(("SE", 0.6), ("Lin", 0.4))).weight == 0.6


def test_a_simpler_model_is_nearly_as_likely_up_to_odds_of_five() -> None:
    search = search_of(factory.airline(), ())
    weights = ((0.1, 0.5), (0.05, 0.5))
    assert [replace(search, models=(("C", told), ("SE", most))).nearly_likeliest for told, most in weights] == [
        True, False,
    ]  # fmt: skip


def test_facts_are_plain_values() -> None:
    assert fact_json(TAKEN)["number"] == 3.0
    surprise = fact_json(SURPRISE)
    assert (surprise["number"], surprise["unit"], surprise["row"], surprise["came"]) == (3.0, "%", 7.0, "a")


def test_records_hold_the_outcome_of_a_test_and_not_its_workings() -> None:
    record = fact_json(trial_fact(trial(0.9)))
    assert record["number"] == 90.0
    assert not {"origins", "levels", "held", "narrow"} & record.keys()
