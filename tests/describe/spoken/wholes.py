"""Golden sentences: a model as a whole, its scale, its forecast, how sure it is and how it was found."""

from collections.abc import Iterator
from dataclasses import replace
from math import log, nan

from tests.describe import factory
from tests.describe.factory import MONTHLY, MONTHS, PLAIN, units_on
from tests.describe.function_cases import UNITS as UNITS_OF_CONDITIONS

from autostatistician.claims.claim import shown, weighed
from autostatistician.claims.kinds import Kind
from autostatistician.decompose.records.series import Tried
from autostatistician.describe.axis.units import Scale, Units
from autostatistician.describe.facts.kinds import SearchCut, Taken
from autostatistician.describe.facts.search import SearchFindings
from autostatistician.describe.facts.whole import FewRows, ForecastCondition, ForecastRange, ForecastReach, MissingTimes
from autostatistician.describe.observe.search import search_of
from autostatistician.describe.observe.series.findings import series_findings
from autostatistician.describe.words.amounts import (
    added,
    around,
    by,
    change,
    difference,
    difference_alone,
    either_side,
    levels,
    size,
    slope,
    within,
    zero,
)
from autostatistician.describe.words.claims import statements, sureness_text
from autostatistician.describe.words.forecast import condition_clause, conditions_text, forecast_short
from autostatistician.describe.words.method import METHOD_OF_TABLES, bands_text, legend, method_of_series
from autostatistician.describe.words.plain import few_rows_text, missing_text, nothing_text
from autostatistician.describe.words.scale import scale_sentence
from autostatistician.describe.words.search import fit_text
from autostatistician.describe.words.update import advice_text, lacking_text, surprise_text
from autostatistician.describe.words.whole import coverage, nothing_found
from autostatistician.kernels.kernel import Kernel, leaf
from autostatistician.kernels.leaves import LEAVES

UNITS = units_on(MONTHLY, MONTHS)


def tell_coverage() -> Iterator[str]:
    yield coverage(144, UNITS)
    yield coverage(141, UNITS, [1950.0, 1952.0, 1955.0])
    yield coverage(1, units_on(PLAIN, MONTHS))


def tell_nothing_found_says_what_that_is_worth() -> Iterator[str]:
    noise = series_findings(factory.noise_only())
    yield nothing_found(noise, UNITS)
    cut = replace(noise, search=replace(noise.search, cut=SearchCut.BUDGET))
    yield nothing_found(cut, UNITS)


FEW = FewRows(id="data/rows", number=10, unit="1", evidence="e")


def tell_gaps_are_told_with_the_longest() -> Iterator[str]:
    units, start = units_on(MONTHLY, MONTHS), 1950.0
    for many, longest in ((11, 1), (11, 6), (5, 5)):
        stop = start + (longest - 1) / 12
        missing = MissingTimes(
            id="data/missing", number=many / 144, unit="share", evidence="e", many=many, of=144, longest=longest,
            start=start, stop=stop,
        )  # fmt: skip
        yield missing_text((missing,), units)


def tell_few_rows_say_how_little_they_show() -> Iterator[str]:
    yield few_rows_text(())


def tell_few_rows_say_what_was_looked_for() -> Iterator[str]:
    yield few_rows_text((FEW,))


def tell_few_rows_without_structure() -> Iterator[str]:
    yield nothing_text((FEW,))


def tell_the_scale_is_said() -> Iterator[str]:
    yield scale_sentence(UNITS)


TRIED = (Tried(1, "SE + WN", 40.0, None), Tried(0, "WN", 90.0, None))
D = replace(factory.airline(), tried=TRIED, path=(("WN", 90.0, 0.1), ("SE + WN", 40.0, 1.0)))


def search_by(criterion: str) -> SearchFindings:
    return search_of(replace(D, criterion=criterion), ())


def _two() -> tuple[tuple[object, float], ...]:
    return ((D.fitted.kernel, 0.7), (D.components[0].kernel, 0.3))


def tell_the_fit_is_told_by_the_criterion() -> Iterator[str]:
    yield fit_text(search_by("bic"))
    yield fit_text(search_by("evidence"))


D_OF_METHOD = factory.airline()
BY_BIC, BY_EVIDENCE = (search_of(replace(D_OF_METHOD, criterion=name), ()) for name in ("bic", "evidence"))


def _legend(kernel: Kernel) -> tuple[str, ...]:
    return legend(search_of(replace(D_OF_METHOD, fitted=replace(D_OF_METHOD.fitted, kernel=kernel)), ()))


def tell_every_leaf_is_explained_once() -> Iterator[str]:
    for symbol in [symbol for symbol in LEAVES if symbol != "0"]:
        row = LEAVES[symbol]
        numbers = {number.name: 1.0 for number in row.parameters}
        (text,) = _legend(leaf(symbol, "c" if row.kind.has_column else None, **numbers))
        yield text


def tell_operators_come_after_leaves() -> Iterator[str]:
    line, noise = (leaf("Lin", sd=1.0, location=0.0), leaf("WN", sd=1.0))
    starts = [text.partition(":")[0].partition(" ")[0] for text in _legend(line * noise + noise)]
    yield from starts


def tell_the_bands_say_what_they_hold() -> Iterator[str]:
    yield bands_text(averaged=True)
    yield bands_text(averaged=False)


def tell_no_method_promises_the_best_model() -> Iterator[str]:
    for texts in ((method_of_series(BY_BIC), method_of_series(BY_EVIDENCE)), METHOD_OF_TABLES):
        yield texts[-1]


FIRST = ForecastRange(id="f", number=5.0, unit="target", evidence="e", interval=(3.0, 7.0), position=1961.0)


def tell_forecasts_that_do_not_change_are_told_once() -> Iterator[str]:
    first = ForecastRange(id="f", number=5.0, unit="target", evidence="e", interval=(3.0, 7.0), position=1961.0)
    yield forecast_short((first, replace(first, position=1962.0)), UNITS)
    yield forecast_short((), UNITS)


def tell_what_a_forecast_takes_for_granted_stands_before_it() -> Iterator[str]:
    told = forecast_short((FIRST,), UNITS, beside="'price' is as planned")
    yield told
    rises = ForecastCondition(
        id="c",
        number=4.0,
        unit="target",
        evidence="e",
        kind=Taken.GOES_ON,
        size=1.0,
        at=1957.0,
        position=1961.0,
        end=5.0,
    )
    yield forecast_short((rises, FIRST), UNITS)
    told = forecast_short((FIRST, replace(FIRST, position=1962.0)), UNITS)
    yield told


def tell_forecasts_that_end_as_they_begin_are_not_the_same_all_the_way() -> Iterator[str]:
    first = ForecastRange(id="f", number=285.0, unit="target", evidence="e", interval=(260.0, 310.0), position=1961.0)
    reach = ForecastReach(
        id="r",
        number=283.0,
        unit="target",
        evidence="e",
        interval=(218.0, 501.0),
        low=218.0,
        high=501.0,
        crosses=False,
    )
    yield forecast_short((first, replace(first, position=1962.0), reach), UNITS)
    near = replace(reach, low=284.8, high=285.2, number=0.4)
    yield forecast_short((first, replace(first, position=1962.0), near), UNITS)


def _fact(kind: Taken, size: float) -> ForecastCondition:
    return ForecastCondition(
        id="forecast/x", number=516.2, unit="target", evidence="e", kind=kind, size=size, at=1957.0 + 2 / 12,
        position=1962.0, end=1319.4,
    )  # fmt: skip


def tell_each_says_what_would_come_otherwise() -> Iterator[str]:
    for kind, moved in ((Taken.LASTS, -80.0), (Taken.LASTS, 80.0), (Taken.GOES_ON, 12.4), (Taken.PASSED, -80.0)):
        fact = _fact(kind, moved)
        yield condition_clause((fact,), UNITS_OF_CONDITIONS)
        yield conditions_text((fact,), UNITS_OF_CONDITIONS)
    for late in (12.4, -12.4):
        yield conditions_text((replace(_fact(Taken.OTHER_PACE, late), pace=0.5 * late),), UNITS_OF_CONDITIONS)


def tell_nothing_is_assumed_that_is_no_fact() -> Iterator[str]:
    yield condition_clause((), UNITS_OF_CONDITIONS)
    yield conditions_text((), UNITS_OF_CONDITIONS)


def tell_golden_sentences() -> Iterator[str]:
    yield surprise_text(24, 19, 0.0002, True, None, 2.43)
    yield surprise_text(1200, 1200, 0.004, True, -0.2, 1.0)
    yield surprise_text(1, 0, 0.03, False, 2.1, 2.1)
    yield surprise_text(1, 0, 0.0001, True, None, 4.21)


def tell_advice() -> Iterator[str]:
    yield advice_text(False, 1000, 1600, True)


def tell_columns_without_values() -> Iterator[str]:
    yield lacking_text(["price", "promo"])


def tell_claims_of_series() -> Iterator[str]:
    for claim in (
        shown(Kind.CYCLE, 1.0),
        shown(Kind.GROWING_CYCLE, 10.8),
        shown(Kind.CHANGE, 1955.4),
        shown(Kind.TREND),
    ):
        yield statements([weighed(claim, 1.0, in_best=True)], UNITS)[0].text


def tell_claims_of_columns() -> Iterator[str]:
    for claim in (
        shown(Kind.MATTERS, columns=("age",)),
        shown(Kind.TOGETHER, columns=("age", "ash")),
        shown(Kind.SCATTER, columns=("age",)),
    ):
        yield statements([weighed(claim, 1.0, in_best=True)])[0].text


def tell_equal_claims_of_columns_come_by_name() -> Iterator[str]:
    claims = [weighed(shown(Kind.MATTERS, columns=(name,)), 1.0, in_best=True) for name in "cab"]
    yield from [one.text for one in statements(claims)]


def tell_a_model_without_a_majority_is_the_likeliest() -> Iterator[str]:
    yield sureness_text(0.63, "that were tried")
    yield sureness_text(0.49, "that were tried")


def tell_a_simpler_model_is_nearly_as_likely_only_where_it_is() -> Iterator[str]:
    yield sureness_text(0.1, "tried", 0.3)
    yield sureness_text(0.001, "tried", 0.3, nearly=False)


UNITS_OF_AMOUNTS = Units(MONTHLY, 1949.0, 1960.9, 1 / 12, 0.4, target="sales", level=360.0)
PLAIN_OF_AMOUNTS, LOG = Scale(target="y"), Scale(target="y", level=5.0)


def tell_amounts() -> Iterator[str]:
    yield from added(-0.2, 0.3, UNITS_OF_AMOUNTS)
    yield within(0.001, UNITS_OF_AMOUNTS)
    yield within(0.1, UNITS_OF_AMOUNTS)
    yield around(0.1, UNITS_OF_AMOUNTS)
    yield slope(-0.1, (-0.12, -0.08), UNITS_OF_AMOUNTS, -1)
    yield slope(0.1, (nan, nan), UNITS_OF_AMOUNTS)


def tell_ratios_are_no_plus_or_minus_unless_they_are_small() -> Iterator[str]:
    yield around(log(2.0), LOG)
    yield around(0.004, LOG)
    yield around(0.1, PLAIN_OF_AMOUNTS)


def tell_differences_are_told_in_the_direction_that_they_have() -> Iterator[str]:
    yield by(log(1.5), (log(1.4), log(1.6)), LOG)
    yield by(log(0.5), (log(0.4), log(0.6)), LOG)
    yield change(-2.0, (-3.0, -1.0), PLAIN_OF_AMOUNTS)
    yield size(log(1.25), LOG, 3)
    yield size(-1234.5, PLAIN_OF_AMOUNTS, 3)


def tell_levels_stand_for_themselves() -> Iterator[str]:
    yield from levels(0.0, log(2.0), LOG)
    yield from levels(1.0, 2.5, PLAIN_OF_AMOUNTS)
    yield zero(PLAIN_OF_AMOUNTS)
    yield zero(LOG)


def tell_differences_can_stand_alone_and_as_nouns() -> Iterator[str]:
    yield difference(-0.1, (-0.3, 0.1), LOG)
    yield difference_alone(-0.1, (-0.3, 0.1), LOG)
    yield either_side(0.1, LOG)
    yield either_side(0.1, PLAIN_OF_AMOUNTS)
    yield difference(3.14, (2.9, 3.3), PLAIN_OF_AMOUNTS)
    yield around(0.1, PLAIN_OF_AMOUNTS)


def tell_a_range_that_is_as_narrow_as_its_middle_is_not_told() -> Iterator[str]:
    yield slope(0.1, (0.1, 0.1 + 1e-13), replace(UNITS_OF_AMOUNTS, level=None))
    yield zero(Scale(target="share", level=0.3, top=1.0))
