"""Golden sentences: sections, tables and pictures of documents, beside the golden pages."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np
from tests.decompose.table import classes, several
from tests.decompose.table.tables import dataset, model
from tests.decompose.table.tables import decomposition as table
from tests.describe import cluster_cases, covariate_cases, factory
from tests.describe.checks import ERRORS, FINE, alarm, checked, trial, trial_fact
from tests.describe.covariate_cases import PRICE, PROMO, with_columns
from tests.describe.effect_cases import but, changed, check, input_column
from tests.describe.effect_cases import with_columns as with_others
from tests.describe.factory import BUSINESS, DAYS, HOURLY, MONTHLY, MONTHS, every_section, units_on
from tests.describe.function_cases import COURSE, SCATTER, SEASON, TURNED, UNITS, seen
from tests.describe.grown import grown
from tests.describe.spoken.classes import calibration, surprise
from tests.describe.spoken.scales import shares

from autostatistician.claims.kinds import SEVERAL
from autostatistician.data.outliers import Outlier, Screening
from autostatistician.data.times.axes import Axis
from autostatistician.decompose.records.function import Estimate, Witness
from autostatistician.decompose.records.series import Checks, CountDispersion
from autostatistician.describe.axis.units import Scale
from autostatistician.describe.document.classes.page import careful_with_classes, class_page
from autostatistician.describe.document.clusters.page import cluster_document
from autostatistician.describe.document.document import Block, Figure, Paragraph, Section, Table
from autostatistician.describe.document.record import fact_json
from autostatistician.describe.document.series.checks import checks_figure, checks_section
from autostatistician.describe.document.series.covariates import MOST_SILENT, columns_section, observed_figure
from autostatistician.describe.document.series.function import season_section
from autostatistician.describe.document.series.holidays import holidays_section
from autostatistician.describe.document.series.outliers import outlier_section
from autostatistician.describe.document.series.tables import forecast_table, numbers_table
from autostatistician.describe.document.series.verdict import careful_texts, sure_texts
from autostatistician.describe.document.table.page import table_page
from autostatistician.describe.document.table.pictures import curve_figure, errors_figure, joint_figures
from autostatistician.describe.document.table.tables import columns_table
from autostatistician.describe.document.table.tables import numbers_table as table_numbers
from autostatistician.describe.document.table.verdict import careful_with
from autostatistician.describe.facts.curves import Curve
from autostatistician.describe.facts.findings import TableFindings
from autostatistician.describe.observe.search import search_of
from autostatistician.describe.observe.series.findings import series_findings
from autostatistician.describe.observe.series.function import function_claims
from autostatistician.describe.observe.series.parts import units_for
from autostatistician.describe.observe.series.whole import outlier_claims
from autostatistician.describe.observe.table.findings import class_findings, scale_for, table_findings
from autostatistician.describe.tell import document, sentences
from autostatistician.describe.words.answers import questions
from autostatistician.describe.words.claims import Statement
from autostatistician.i18n.messages import spoken_in
from autostatistician.kernels.kernel import Kernel, leaf

Y = Scale(target="y")
AIRLINE = factory.airline()


def tell_questions() -> Iterator[str]:
    yield from (questions.none_text(question, UNITS) for question in questions.NONE)
    yield questions.ahead_text(1961.0, (450.2, 425.13, 480.0), UNITS)
    yield from (questions.none_within_text((start, 1961.0), UNITS) for start in (1960.0, 1961.0))
    for change in ((12.3, 8.1, 16.0, 0.99), (-12.3, -16.0, -8.1, 0.99), (1.2, -3.0, 5.5, 0.7), (0.0, 0.0, 0.0, 0.0)):
        yield questions.change_text(change, ("1955", "January 1960"), UNITS)
    numbers = replace(UNITS, axis=Axis("depth", "", "", None))
    yield questions.change_text((12.3, 8.1, 16.0, 0.99), ("5", "10"), numbers)
    yield questions.sum_text((1961.0, 1961.0 + 11.0 / 12.0), (5400.0, 5100.0, 5700.0), UNITS)
    yield from (questions.beyond_text(side, 500.0, 0.12, UNITS) for side in ("above", "below"))
    yield from (questions.none_within_text((start, 10.0), numbers) for start in (5.0, 10.0))
    yield questions.ahead_text(11.0, (450.2, 425.13, 480.0), numbers)
    yield from questions.verdict_texts(["The model."], ["The form."])
    yield from (questions.statement_text(Statement("A yearly cycle", 0.98, in_best)) for in_best in (True, False))


def _cells(made: Table) -> Iterator[str]:
    yield from (" | ".join(row) for row in (made.header, *made.rows))
    yield made.notes


def tell_series() -> Iterator[str]:
    found, units = series_findings(AIRLINE), units_for(AIRLINE)
    test = trial_fact(trial(0.85))
    alarms = checked(alarm("course"), alarm("autocorrelation", place=1.0), alarm("periodogram", place=0.25))
    held = {"test": replace(test, number=0.95, narrow=False), "checks": checked(FINE)}
    beside = series_findings(with_columns(PROMO, PRICE))
    ahead = found.curves.forecast
    shut = replace(ahead, **{name: np.append(getattr(ahead, name)[:-1], 0.0) for name in ("mean", "lower", "upper")})
    for one, changes in (
        (found, {"test": replace(test, narrow=True)}), (found, {"test": replace(test, narrow=False)}),
        (found, {"checks": alarms}), (found, held), (beside, held),
        (found, {"curves": replace(found.curves, forecast=shut)}),
    ):  # fmt: skip
        yield from careful_texts(replace(one, **changes), units)  # type: ignore[arg-type]
        yield from sure_texts(replace(one, **changes), units)  # type: ignore[arg-type]
    every = [
        alarm(kind, part=part)
        for part in (0, 1)
        for kind in ("distribution", "autocorrelation", "periodogram", "course")
    ]
    (section,) = checks_section(checked(*every, alarm("quantiles", part=1)), None, units)
    yield from _cells(_only(section, Table))
    kept = Outlier(1955.0 + 10.0 / 12.0, 146.0, 50.2, aside=False)
    for screening in (Screening(heavy=1), Screening(heavy=1, far=(kept,))):
        (section,) = outlier_section(outlier_claims(replace(AIRLINE, screening=screening)), units)
        yield from (block.text for block in section.blocks)  # type: ignore[union-attr]
    ending = replace(AIRLINE, screening=Screening((replace(kept, chance=0.9),)))
    (section,) = outlier_section(outlier_claims(ending), units)
    yield from _cells(_only(section, Table))


def _only(section: Section, kind: type) -> Table:
    found = next(block for block in section.blocks if isinstance(block, kind))
    assert isinstance(found, Table)
    return found


def tell_tables() -> Iterator[str]:
    units = units_for(AIRLINE)
    for steps, slope in ((12, 0.0), (60, 1.0)):
        x, mean = 1961.0 + np.arange(steps) / 12, 5.0 + slope * np.arange(steps)
        yield from _cells(forecast_table(Curve(x, mean, np.ones(steps), mean - 2.0, mean + 2.0), units))
    change = Kernel.change_point(leaf("Wiener", sd=2.0, location=0.0), leaf("WN", sd=1.0), 1955.0, 4.0)
    yield from _cells(numbers_table(search_of(AIRLINE, [change]).numbers, units))
    logs = replace(UNITS, level=300.0)
    tenths = tuple(0.001 * one for one in SEASON.course)
    small = replace(SEASON, course=tenths, low=tenths, high=tenths, swing=Estimate(0.2, 0.19, 0.21, 1.0))
    claims = function_claims(replace(AIRLINE, function=replace(COURSE, seasons=(small,))), logs)
    yield next(str(record["swing_unit"]) for claim in claims if "swing_unit" in (record := fact_json(claim, logs)))
    for part in season_section(claims, logs):
        yield from _cells(_only(part, Table))
    for season in (*(replace(SEASON, ends=ends) for ends in ((150.0, 300.0), (300.0, 150.0))), TURNED):
        swings = replace(AIRLINE, function=replace(COURSE, seasons=(season,)))
        for part in season_section(function_claims(swings, UNITS), UNITS):
            yield from _cells(_only(part, Table))
    course = replace(COURSE, seasons=(replace(SEASON, witness=seen(1.0, agrees=False)),))
    yield from _claims(replace(AIRLINE, function=course))
    path = (("WN", None, 0.1), ("SE + WN", 50.0, 0.2))
    (search,) = (one for one in every_section(document(replace(AIRLINE, path=path))) if one.id == "search")
    yield from (" | ".join(row) for block in _blocks(search) if isinstance(block, Table) for row in block.rows)


def _claims(found: factory.Decomposition) -> Iterator[str]:
    for section in document(
        replace(found, alternatives=((found.fitted.kernel, 0.6), (leaf("WN", sd=1.0), 0.4)))
    ).sections:
        for block in _blocks(section):
            if isinstance(block, Table) and block.id.startswith(("table-claims", "table-season")):
                yield from _cells(block)


def _blocks(section: Section) -> Iterator[Block]:
    yield from section.blocks
    for inner in section.sections:
        yield from _blocks(inner)


def tell_pictures() -> Iterator[str]:
    rarer = covariate_cases.findings(replace(covariate_cases.PROMO, usual=3.0, other=7.0, low=3.0, high=7.0))
    figures = (block for block in columns_section(rarer, UNITS)[0].blocks if isinstance(block, Figure))
    yield from (panel.title for figure in figures for panel in figure.panels)
    many = covariate_cases.findings(*(replace(covariate_cases.NOISE, name=f"c{k}") for k in range(14)))
    one_more = covariate_cases.findings(*(replace(covariate_cases.NOISE, name=f"c{k}") for k in range(MOST_SILENT + 1)))
    for silent in (many, one_more):
        yield from (block.notes for block in columns_section(silent, UNITS)[0].blocks if isinstance(block, Table))
    of_days = covariate_cases.findings(*covariate_cases.EASTER)
    yield from (block.caption for block in columns_section(of_days, UNITS)[0].blocks if isinstance(block, Figure))
    yield observed_figure(of_days, UNITS).caption
    yield from _of_holidays()
    several = (replace(covariate_cases.PROMO, name=f"c{k}") for k in range(7))
    yield observed_figure(covariate_cases.findings(*several), UNITS).caption
    quarters = replace(MONTHLY, frequency="quarter", step=0.25)
    for axis, x, period in (
        (BUSINESS, DAYS, 5.0), (factory.DAILY, DAYS, 7.0), (HOURLY, DAYS, 24.0), (quarters, MONTHS[::3], 1.0),
        (factory.DAILY, DAYS, 3.3),
    ):  # fmt: skip
        cycle = factory.component(
            leaf("Per", lengthscale=0.7, period=period, sd=9.0), x, 9.0 * np.sin(2.0 * np.pi * x / period)
        )
        grid = np.linspace(
            x[0], x[-1], 40 * int((x[-1] - x[0]) / period) if period < 2.0 or period > 9.0 else 12 * len(x)
        )
        curve = factory.Curve.normal(grid, 9.0 * np.sin(2.0 * np.pi * grid / period), np.ones(grid.size))
        part = replace(cycle, curve=curve, cumulative=curve, samples=np.tile(curve.mean, (3, 1)))
        noise = factory.component(leaf("WN", sd=1.0), x)
        made = document(factory.decomposition((part, noise), x, part.mean + noise.mean, axis))
        figures = (block for section in every_section(made) for block in _blocks(section) if isinstance(block, Figure))
        figure = next(one for one in figures if one.id == "fig-part-1")
        yield f"{figure.caption} {figure.alt} {figure.panels[0].title}: {figure.panels[0].x_label}"
        yield ", ".join(text for _, text in figure.panels[0].x_ticks)
    fine, product = np.linspace(0.0, 1600.0, 4801), factory.several_cycles()
    curve = factory.Curve.normal(fine, np.sin(fine), np.ones(fine.size))
    drawn = replace(product.components[1], curve=curve, samples=np.tile(curve.mean, (3, 1)))
    made = document(replace(product, components=(product.components[0], drawn, product.components[2])))
    figures = [block for section in every_section(made) for block in _blocks(section) if isinstance(block, Figure)]
    yield from (figure.caption for figure in figures)
    yield next(figure.panels[0].title for figure in figures if figure.id == "fig-part-2")
    untested = checks_figure(ERRORS, None)
    yield f"{untested.caption} {untested.alt}"
    quieter = replace(COURSE, sudden=(), scatter=replace(SCATTER, ratio=Estimate(-1.386, -1.6, -1.2, 1.0)))
    overview = document(replace(AIRLINE, function=quieter)).picture
    assert isinstance(overview, Figure)
    yield "; ".join(layer.label for layer in overview.panels[0].layers)


def _of_holidays() -> Iterator[str]:
    """Tables and pictures of holidays, of days and of months."""
    days = units_on(factory.DAILY, DAYS)
    other = replace(covariate_cases.EASTER[0], witness=Witness("least squares", -3.0, -8.0, 2.0, agrees=False))
    quiet = [day for name in "abcdefg" for day in covariate_cases.holiday(name, probability=0.01)(0.1)]
    far = replace(covariate_cases.EASTER[1], name="Easter, 2 days before", days=-2)
    for columns, units in (
        (covariate_cases.FEASTS, days), ((other, far, *covariate_cases.EASTER[1:], *quiet), days),
        ((other,), UNITS), (covariate_cases.holiday("fair", "e.csv")(8.0), days),
        (covariate_cases.holiday("Easter")(0.0), replace(days, level=250.0)),
        ((other, *quiet[: 3 * (SEVERAL + 1)]), days),
    ):  # fmt: skip
        for section in holidays_section(covariate_cases.findings(*columns).events, units):
            yield section.title
            for block in section.blocks:
                if isinstance(block, Figure):
                    yield f"{block.caption} {block.alt} {'; '.join(panel.title for panel in block.panels)}"
                elif isinstance(block, Table):
                    yield block.caption
                    yield from _cells(block)
                else:
                    yield from block.items  # type: ignore[union-attr]


ALARM = check("spread", p=0.001, adjusted=0.01)


def _table() -> TableFindings:
    known = table_findings(table(model(), dataset(60)))
    columns = [changed(one, probability=float(one.in_best)) for one in known.columns]
    return with_others(replace(known, checks=()), columns)


def tell_of_tables() -> Iterator[str]:
    found = _table()
    outlying, many = replace(ALARM, form="distribution"), changed(found.columns[0], name="e")
    above, codes = found.y - found.y.min() + 1.0, np.arange(found.n) % 3.0
    for changes in (
        {}, {"checks": (ALARM,), "y": above}, {"checks": (outlying,)},
        {"checks": (check("pattern", "a", p=0.001, adjusted=0.01),)},
        {"checks": tuple(check("pattern", name, p=0.001, adjusted=0.01) for name in "ab")},
        {"ranges": but(found.ranges, "narrow")}, {"y": codes}, {"fit": but(found.fit, left_out=0.2)},
        {"fit": replace(but(found.fit, left_out=0.9, groups_left_out=-0.1, groups=24), columns=("a",))},
        {"fit": replace(but(found.fit, left_out=0.9, groups_left_out=0.8, groups=24), columns=("a",))},
        {"search": replace(found.search, models=(("SE", 0.3),))}, {"alike": (1, 0.62)}, {"alike": (12, 0.4)},
    ):  # fmt: skip
        yield from careful_with(replace(found, **changes), Y)  # type: ignore[arg-type]
    for columns in (
        (changed(found.columns[0], "parts"), *found.columns[1:]),
        (*found.columns[:3], many, changed(many, name="f"), changed(many, name="g")),
        [changed(one, used=True, probability=1.0) for one in found.columns],
        [changed(one, used=False, probability=0.0) for one in found.columns],
    ):
        yield from careful_with(with_others(found, columns), Y)


def tell_columns() -> Iterator[str]:
    found = _table()
    for changes in (
        {"used": True, "probability": 0.3, "p_beside_all": 0.9}, {"carried": 7},
        {"used": True, "probability": 0.6, "others": {"instead": ("e",)}}, {"used": False, "p_beside_all": 0.9},
    ):  # fmt: skip
        columns = tuple(changed(one, **changes) for one in found.columns)  # type: ignore[arg-type]
        page = table_page(with_others(found, columns), Y)
        yield from (page.lead, *page.more_texts())
    sure = [changed(one, used=True, probability=1.0, p_beside_all=0.0) for one in found.columns]
    missed = tuple(changed(one, others={"missed": ("b",)}) if one.columns == ("a",) else one for one in sure)
    yield from table_page(with_others(found, missed), Y).story.unsaid
    idle = tuple(changed(found.columns[3], name=f"column {number}") for number in range(12))
    inputs = tuple(input_column(f"column {number}") for number in range(12))
    for some in (12, 9):
        columns, more = (*found.columns, *idle[:some]), (*found.inputs, *inputs)
        yield from table_page(with_others(replace(found, inputs=more), columns), Y).story.unsaid
    inputs = [input_column(*one.columns, levels=("x",) if one.columns == ("a",) else ()) for one in found.columns]
    yield from _cells(columns_table(found.columns, inputs, found.parts, Y))
    kernel = leaf("Lin", "a", sd=2.0, location=1.0) + leaf("Wiener", "b", sd=2.0, location=0.0)
    yield from _cells(table_numbers(search_of(AIRLINE, [kernel]).numbers))
    yield from _whole_tables()


def _whole_tables() -> Iterator[str]:
    """Tables of one column, of many rows, of a target that grows, and of few values."""
    data = dataset(60)
    growing = document(replace(table(model(), replace(data, y=np.exp(data.y))), choice=""))
    yield f"{growing.subtitle}: {growing.abstract}"
    found = _table()
    yield table_page(replace(found, inputs=found.inputs[:1]), Y).subtitle()
    page = table_page(found, replace(Y, level=3.0))
    yield from (block.text for block in page.checks() if isinstance(block, Paragraph))
    yield table_page(replace(found, fit=but(found.fit, left_out=-0.1)), Y).well_texts()[0]
    out = found.left_out
    names = ("predicted", "lower", "upper", "errors")
    many = replace(out, **{name: np.tile(getattr(out, name), 9) for name in names})  # type: ignore[arg-type]
    yield errors_figure(replace(found, n=9 * found.n, y=np.tile(found.y, 9), left_out=many), Y).caption
    joint = next(one for one in found.parts if len(one.columns) == 2)
    of_class = Scale(target="y", event="yes", other="no")
    yield from (figure.caption for figure in joint_figures(joint, of_class))
    few = replace(joint.record.along[0], few=True)
    along = curve_figure(replace(joint, record=replace(joint.record, along=(few,))), Y)
    yield "; ".join(layer.label for layer in along.panels[0].layers)
    known = class_findings(classes.decomposition())
    yield class_page(replace(known, inputs=known.inputs[:1]), scale_for(classes.decomposition())).subtitle()


def tell_of_classes() -> Iterator[str]:
    found, scale = class_findings(classes.decomposition()), scale_for(classes.decomposition())
    first = next(one for one in found.columns if one.in_best)
    for changes in (
        {}, {"foresight": but(found.foresight, gain=-0.1)},
        {"search": replace(found.search, models=(("SE", 0.3),))},
        {"foresight": but(found.foresight, came=12)}, {"surprises": (surprise(0.01, 1, scale.event, 0.4),) * 4},
        {"calibration": calibration(4.0)},
    ):  # fmt: skip
        yield from careful_with_classes(replace(found, **changes), scale)  # type: ignore[arg-type]
    many = with_others(found, [changed(first, name=name, probability=1.0) for name in "abcdef"])
    yield from careful_with_classes(many, scale)


def tell_of_several_classes() -> Iterator[str]:
    found = several.nothing()
    yield sentences(replace(found, each=tuple(replace(one, together_p=1e-4) for one in found.each)))[0]


def tell_of_clusters() -> Iterator[str]:
    known = cluster_cases.found()
    one = cluster_cases.findings(labels=np.zeros(40, dtype=np.intp), counts=((1, 0.8), (2, 0.2)))
    few = cluster_cases.findings(
        rows=np.tile(known.rows, (1, 6)), columns=tuple("abcdefghijkl"), drawn=np.tile(known.drawn, (1, 6)),
        latent=np.tile(known.latent, (1, 2)),
    )  # fmt: skip
    alike = replace(few, clusters=tuple(replace(each, parts=()) for each in few.clusters))
    line = cluster_cases.findings(rows=known.rows[:, :1], columns=("mass",), drawn=known.drawn[:, :1])
    for found in (one, few, alike, line):
        made = cluster_document(found)
        yield made.subtitle
        for block in (block for section in every_section(made) for block in _blocks(section)):
            if isinstance(block, Table):
                yield from _cells(block)
            elif isinstance(block, Figure):
                yield f"{block.caption} {block.alt}"


def tell_abstracts() -> Iterator[str]:
    likelier = (AIRLINE.fitted.kernel, 0.3), (leaf("WN", sd=1.0), 0.5)
    yield document(replace(AIRLINE, alternatives=likelier)).abstract
    far = (AIRLINE.fitted.kernel, 0.01), (leaf("WN", sd=1.0), 0.9)
    yield document(replace(AIRLINE, alternatives=far)).abstract
    none = replace(AIRLINE.forecast, x=np.zeros(0), mean=np.zeros(0), sd=np.zeros(0))
    level = factory.component(leaf("C", sd=5.0), MONTHS, np.full(144, 5.0))
    unforeseen = document(replace(AIRLINE, forecast=none, components=(level, *AIRLINE.components[1:])))
    counted = document(replace(grown(), transform=replace(grown().transform, shift=0.0)))
    yield from (one.text for one in every_section(counted)[-2].blocks if isinstance(one, Paragraph))
    yield from (section.title for section in every_section(unforeseen))
    yield unforeseen.picture.alt  # type: ignore[union-attr]
    yield from (block.text for block in every_section(unforeseen)[-2].blocks if isinstance(block, Paragraph))
    for kernel in (leaf("WN", sd=1.0), leaf("C", sd=1.0)):
        log = replace(grown(), components=(factory.component(kernel, MONTHS, np.zeros(144)),), alternatives=())
        yield document(log).abstract
    yield from _of_scatter_alone()
    yield from _of_many_parts()
    noise = replace(factory.noise_only(), axis=MONTHLY, x=MONTHS[:60], choice="Read by months.")
    yield document(noise).abstract
    for why in ("budget", "interruption", "depth"):
        yield document(replace(AIRLINE, cut=why, function=replace(COURSE, seasons=()))).abstract
    parts = (*factory.solar().components[1:4], *factory.solar().components[1:])
    moved = tuple(replace(part, kernel=_moved(part.kernel, 9.0 * number)) for number, part in enumerate(parts[:6]))
    noises = (*moved, *(factory.component(leaf("WN", sd=0.02 + 0.01 * k), factory.YEARS) for k in range(2)))
    made = document(factory.decomposition(noises, factory.YEARS, factory.solar().y, factory.YEARLY))
    yield made.abstract
    outlier = Outlier(float(MONTHS[-1]), 5.0, 51.0, aside=False, ending=True)
    yield document(replace(AIRLINE, screening=Screening((outlier,), 3.0, lasting=0.4))).abstract
    checks = Checks((FINE,), np.zeros(60))
    yield from (one.title for one in every_section(document(replace(AIRLINE, checks=checks))))


def _of_scatter_alone() -> Iterator[str]:
    """Abstracts where counts or shares do nothing but scatter."""
    noise, rates = factory.component(leaf("WN", sd=1.0), MONTHS, np.zeros(144)), grown()
    counts = CountDispersion(2.04, rates.modelled, (0.012, 0.4), seen=0.014)
    for scatter in (replace(rates, y=np.round(rates.y), counts=counts), shares()):
        yield document(replace(scatter, components=(noise,), alternatives=())).abstract


def _of_many_parts() -> Iterator[str]:
    """Abstracts that count parts of a kind, of several kinds and of one, and the former in German."""
    line, cycle, *rest = AIRLINE.components
    several = replace(AIRLINE, components=(line, *[cycle] * 4, *rest))
    for made in (several, replace(AIRLINE, components=(cycle,) * 5)):
        yield document(made).abstract
    with spoken_in("de"):
        yield document(several).abstract


def _moved(kernel: Kernel, by: float) -> Kernel:
    """The same window later."""
    if "CW" not in str(kernel):
        return kernel
    place = next(index for index, value in enumerate(kernel.values) if value == 1679.4)
    return replace(kernel, values=(*kernel.values[:place], 1679.4 + by, *kernel.values[place + 1 :]))
