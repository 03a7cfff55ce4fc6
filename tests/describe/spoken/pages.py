"""Golden sentences: verdicts, abstracts, tables and pictures of pages on series."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cache

import numpy as np
import pandas as pd
from tests.decompose.series.series import decomposed
from tests.describe import factory
from tests.describe.checks import ERRORS, FINE, alarm, trial
from tests.describe.factory import (
    DAILY,
    DAYS,
    MONTHLY,
    MONTHS,
    airline,
    component,
    decomposition,
    every_section,
    units_on,
)
from tests.describe.function_cases import COURSE, SCATTER
from tests.describe.sentences import sections_of

from autostatistician.data.dataset import Dataset
from autostatistician.data.load import load
from autostatistician.decompose.records.series import Checks, Decomposition, Fitted
from autostatistician.describe.document.document import (
    Bullets,
    Document,
    Figure,
    Marker,
    Panel,
    Paragraph,
    Table,
)
from autostatistician.describe.document.series.tables import forecast_table, numbers_table
from autostatistician.describe.document.series.verdict import careful_texts, sure_texts
from autostatistician.describe.document.verdict import sureness_section
from autostatistician.describe.observe.search import search_of
from autostatistician.describe.observe.series.findings import series_findings
from autostatistician.describe.observe.series.parts import units_for
from autostatistician.describe.tell import document
from autostatistician.describe.words.claims import Statement
from autostatistician.forms import Curve
from autostatistician.kernels.kernel import Kernel, leaf

KERNEL = leaf("SE", sd=2.0, lengthscale=9.0) + leaf("WN", sd=0.3)
SAID = (
    Statement("A yearly cycle", 1.0, in_best=True),
    Statement("A change in 1974", 0.3, in_best=True),
    Statement("A wandering level", 0.99, in_best=False),
)


@cache
def made_plain() -> Decomposition:
    x = np.arange(40.0)
    data = Dataset(x[:, None], np.sin(x / 6.0), ("x",), "y", None)
    fitted = Fitted(KERNEL, 1.0, 2.0, 3, 1.0, 10)
    found = decomposed(KERNEL, data, fitted=fitted, horizon=5)
    return replace(found, alternatives=((KERNEL, 0.4), (KERNEL, 0.2)))


def told(found: Decomposition) -> tuple[str, str]:
    """How sure the page is, and what it warns of."""
    findings, units = series_findings(found), units_for(found)
    return " ".join(sure_texts(findings, units)), " ".join(careful_texts(findings, units))


def tell_what_holds_is_to_be_relied_on() -> Iterator[str]:
    plain = made_plain()
    checked = replace(plain, checks=Checks((FINE,), ERRORS), calibration=trial(0.95))
    rely, doubt = told(replace(checked, function=replace(COURSE, scatter=None, seasons=())))
    yield rely
    yield doubt


def tell_forecasts_that_were_worse_than_repeating_a_value_are_nothing_to_rely_on() -> Iterator[str]:
    plain = made_plain()
    better, worse = (replace(plain, calibration=replace(trial(1.0), naive=naive)) for naive in (4.0, 2.5))
    rely, doubt = told(better)
    yield rely
    yield doubt
    rely, doubt = told(worse)
    yield rely
    yield doubt


def tell_where_nothing_comes_next_no_forecast_is_named() -> Iterator[str]:
    plain = made_plain()
    curve = replace(plain.forecast, **{name: getattr(plain.forecast, name)[:0] for name in ("x", "mean", "sd")})
    rely, doubt = told(replace(plain, forecast=curve))
    yield rely + doubt


def tell_what_failed_is_to_be_doubted() -> Iterator[str]:
    plain = made_plain()
    alarms = Checks((alarm("periodogram", place=4.0), alarm("distribution"), alarm("course")), ERRORS)
    rely, doubt = told(replace(plain, checks=alarms, calibration=trial(0.5)))
    yield rely
    yield doubt


def tell_ranges_that_held_too_little_by_chance_are_neither() -> Iterator[str]:
    plain = made_plain()
    rely, doubt = told(replace(plain, calibration=trial(0.8, worth=4.0)))
    yield rely
    yield doubt


def tell_without_a_test_the_ranges_are_neither_praised_nor_blamed() -> Iterator[str]:
    plain = made_plain()
    rely, doubt = told(replace(plain, calibration=None))
    yield rely
    yield doubt


def _blocks(found: Document, kind: type) -> list:  # type: ignore[type-arg]
    return [
        block for section in sections_of(every_section(found)) for block in section.blocks if isinstance(block, kind)
    ]


def _texts(found: Document) -> list[str]:
    told = [found.abstract, *(paragraph.text for paragraph in _blocks(found, Paragraph))]
    return told + [item for bullets in _blocks(found, Bullets) for item in bullets.items]


def tell_a_constant_with_noise_is_no_structure_either() -> Iterator[str]:
    parts = (
        component(leaf("C", sd=5.0), MONTHS, np.full(144, 5.0), (0.0, 0.0, 1.0)),
        component(leaf("WN", sd=1.0), MONTHS, np.sin(MONTHS), (100.0, 100.0, 1.0)),
    )
    report = document(decomposition(parts, MONTHS, 5 + np.sin(MONTHS), MONTHLY, signal_r2=0.0))
    yield report.abstract


def tell_a_forecast_that_never_changes_takes_one_row() -> Iterator[str]:
    found = factory.airline()
    flat = Curve.normal(found.forecast.x, np.full(14, 5.0), np.ones(14))
    table = next(t for t in _blocks(document(replace(found, forecast=flat)), Table) if t.id == "table-forecast")
    yield from [row[0] for row in table.rows]
    yield table.notes


def tell_a_long_list_of_parts_is_told_in_nouns() -> Iterator[str]:
    kernels = (
        *(leaf("SE", lengthscale=length, sd=1.0) for length in (1.0, 2.0, 3.0)),
        *(leaf("SE", lengthscale=3.0, sd=1.0) * leaf("Per", lengthscale=1.0, period=p, sd=1.0) for p in (1.0, 0.25)),
        leaf("WN", sd=1.0),
    )
    parts = tuple(component(kernel, MONTHS) for kernel in kernels)
    yield document(decomposition(parts, MONTHS, np.sin(MONTHS), MONTHLY)).abstract


def tell_a_short_abstract_names_the_places_of_change() -> Iterator[str]:
    report = document(factory.solar())
    yield report.abstract


def tell_where_columns_were_left_out_no_structure_in_time_is_not_all_chance() -> Iterator[str]:
    y = np.random.default_rng(0).normal(size=MONTHS.size)
    part = component(leaf("WN", sd=1.0), MONTHS, y, (100.0, 100.0, 0.8))
    alone = decomposition((part,), MONTHS, y, MONTHLY, signal_r2=0.0, path=(("WN", 170.0, 0.1),), warnings=())
    yield document(alone).abstract
    chosen = replace(alone, choice="This was read as a series: column 'y' is modelled over 'month'; ...")
    yield document(chosen).abstract


WN = leaf("WN", sd=3.0)


def _abstract(d: Decomposition) -> str:
    """The headline and the points."""
    made = document(d)
    return " ".join((made.abstract, *made.points))


def _of(*kernels: Kernel) -> str:
    parts = tuple(component(kernel, MONTHS) for kernel in kernels)
    return _abstract(decomposition(parts, MONTHS, np.sin(MONTHS), MONTHLY))


def tell_two_parts_are_joined_by_and() -> Iterator[str]:
    yield _of(leaf("Per", lengthscale=1.0, period=1.0, sd=5.0), WN)


def tell_many_parts_are_counted_by_kind_with_their_changes() -> Iterator[str]:
    rough = leaf("Matern32", lengthscale=0.5, sd=5.0) * leaf("Per", lengthscale=1.0, period=1.0, sd=5.0)
    changed = Kernel.change_point(leaf("SE", lengthscale=0.4, sd=1.0), leaf("0"), 1955.4, 4.0)
    yield _of(rough, rough, rough, changed, leaf("Lin", sd=1.0, location=1900.0), WN)


def tell_nothing_found_is_said_instead_of_parts() -> Iterator[str]:
    yield _abstract(factory.noise_only())


def tell_a_series_chosen_from_a_table_says_that_other_columns_may_explain_it() -> Iterator[str]:
    noise = decomposition((component(WN, MONTHS),), MONTHS, component(WN, MONTHS).mean, MONTHLY)
    yield _abstract(noise)
    yield _abstract(replace(noise, choice="Read so."))


def tell_what_happened_is_marked_by_name() -> Iterator[str]:
    overview = document(replace(airline(), function=COURSE)).picture
    assert isinstance(overview, Figure)
    yield from [layer.label for layer in overview.panels[0].layers if isinstance(layer, Marker)]
    yield overview.caption
    wide = replace(COURSE, scatter=replace(SCATTER, span=(1954.0, 1956.0, 25)))
    undated = document(replace(airline(), function=wide)).picture
    assert isinstance(undated, Figure)
    labels = [layer.label for layer in undated.panels[0].layers if isinstance(layer, Marker)]
    yield from labels


NOISE = leaf("WN", sd=0.3)


def panel_of_cycles(kernel: Kernel, times: pd.DatetimeIndex, y: np.ndarray) -> Panel:
    """The first panel of the first part of a model."""
    data = load(pd.Series(y, index=times, name="sales"))
    found = decomposed(kernel, data, fitted=Fitted(kernel, 1.0, 2.0, 3, 1.0, 10), horizon=6, grid_points=300)
    return _first(found)


def _first(found: Decomposition) -> Panel:
    parts = next(one for one in every_section(document(found)) if one.id == "parts")
    return next(block for block in parts.sections[0].blocks if isinstance(block, Figure)).panels[0]


def tell_a_cycle_without_a_name_is_drawn_from_the_first_datum_on() -> Iterator[str]:
    times = pd.date_range("1900-01-01", periods=80, freq="YS")
    y = np.sin(2 * np.pi * np.arange(80) / 11)
    panel = panel_of_cycles(leaf("Per", sd=1.0, period=11.0, lengthscale=1.0) + NOISE, times, y)
    yield panel.x_label
    yield from panel.x_ticks


def tell_a_cycle_seen_but_twice_is_drawn_as_it_ran() -> Iterator[str]:
    times = pd.date_range("2000-01-01", periods=26, freq="MS")
    y = np.sin(2 * np.pi * np.arange(26) / 12)
    panel = panel_of_cycles(leaf("Per", sd=1.0, period=1.0, lengthscale=1.0) + NOISE, times, y)
    yield panel.title


AIRLINE = factory.airline()
FOUND, UNITS = series_findings(AIRLINE), units_for(AIRLINE)
NAMES = [part.id for part in FOUND.parts]


def _curve(steps: int, level: float = 0.0) -> Curve:
    x = 1961.0 + np.arange(steps) / 12
    mean = np.full(steps, 5.0) + level * np.arange(steps)
    return Curve(x, mean, np.ones(steps), mean - 2.0, mean + 2.0)


def tell_a_forecast_that_does_not_change_is_one_row() -> Iterator[str]:
    table = forecast_table(_curve(12), UNITS)
    yield from [row[0] for row in table.rows]
    yield table.notes


def tell_that_lopsided_forecasts_are_medians_or_means() -> Iterator[str]:
    curve = _curve(3, 1.0)
    lopsided = replace(curve, upper=curve.mean + 9.0)
    yield from (forecast_table(one, UNITS).notes for one in (replace(lopsided, median=curve.mean), lopsided))


def tell_numbers_are_told_in_the_units_of_the_axis() -> Iterator[str]:
    yield from (" | ".join(row) for row in numbers_table(FOUND.search.numbers, UNITS).rows)


def tell_a_change_takes_a_time() -> Iterator[str]:
    solar = factory.solar()
    table = numbers_table(series_findings(solar).search.numbers, units_for(solar))
    yield from (" | ".join(row) for row in table.rows if row[1] == "CW")


def tell_steps_are_told_over_one_unit() -> Iterator[str]:
    walk = leaf("Wiener", sd=2.0, location=0.0)
    numbers = search_of(AIRLINE, [walk]).numbers
    yield numbers_table(numbers, UNITS).rows[0][3]
    days = units_on(DAILY, DAYS)
    yield numbers_table(numbers, days).rows[0][3]


SEARCH = search_of(factory.airline(), ())
TWO = replace(SEARCH, models=(("SE", 0.7), ("Lin", 0.3)))


def tell_a_model_alone_leaves_nothing_open() -> Iterator[str]:
    yield from sureness_section(SEARCH, ())


def tell_statements_are_rows() -> Iterator[str]:
    said = [Statement("A trend", 0.7, True), Statement("A cycle", 0.55, False)]
    (section,) = sureness_section(TWO, said)
    lead, table = section.blocks
    assert isinstance(lead, Paragraph)
    yield lead.text
    assert isinstance(table, Table)
    yield from (" | ".join(row) for row in table.rows)
