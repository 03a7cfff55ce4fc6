"""The columns beside a series on its page: a section with a table and pictures, and plain values for machines."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from autostatistician.claims.kinds import SEVERAL, Standing
from autostatistician.describe.axis.lengths import axis_title
from autostatistician.describe.axis.places import instants, stamp
from autostatistician.describe.axis.units import Units
from autostatistician.describe.document.document import (
    LONGEST_CELL,
    LONGEST_NAME,
    MOST_BARS,
    Band,
    Block,
    Bullets,
    Figure,
    Line,
    Panel,
    Paragraph,
    Section,
    Table,
)
from autostatistician.describe.document.panels import BarPanel, StackedFigure
from autostatistician.describe.document.record import recorded_place, scaled_unit, stored
from autostatistician.describe.document.series.holidays import added_size, adds_label, holidays_record, holidays_section
from autostatistician.describe.document.series.pictures import end_of_data, forecast_figure, overview_figure
from autostatistician.describe.document.series.tables import forecast_table
from autostatistician.describe.facts.covariates import CovariateColumn, CovariateFindings
from autostatistician.describe.words.amounts import added, change, drawn_change
from autostatistician.describe.words.column_values import (
    ahead_clause,
    columns_note,
    compared_text,
    range_seen,
    usual_text,
    usual_value,
)
from autostatistician.describe.words.covariates import ASSOCIATIONS, column_text, silent_text, told_texts
from autostatistician.describe.words.forecast import forecast_notes
from autostatistician.describe.words.holidays import event_text, named_days
from autostatistician.forms import ColumnKind, Curve, EffectShape
from autostatistician.i18n.messages import say, say_as, say_count
from autostatistician.i18n.names import clean_name, quoted
from autostatistician.i18n.numbers import capital, count, joined, lowered, percent

__all__ = ["column_sentences", "columns_record", "columns_section", "forecast_blocks", "observed_figure"]

Array = NDArray[np.float64]

MOST_SILENT = 10  # columns that say nothing, in a table


def column_sentences(findings: CovariateFindings, units: Units) -> tuple[str, ...]:
    """A sentence for each column that is told, one for those that say nothing, and what all that means."""
    events = [event_text(event, units) for event in findings.events if event.matters]
    silent = silent_text(findings.silent, units)
    meant = say(ASSOCIATIONS) if findings.mattering else ""
    return tuple(filter(None, [*_spoken(findings, units), *events, silent, meant]))


def _spoken(findings: CovariateFindings, units: Units) -> list[str]:
    """A sentence for each column that is told or cannot be told from the trend."""
    return [*told_texts(findings, units), *(column_text(column, units) for column in findings.blurred)]


def columns_section(findings: CovariateFindings | None, units: Units) -> tuple[Section, ...]:
    """What the columns say: sentences, numbers, curves, and what each adds over time; nothing without columns."""
    if findings is None:
        return ()
    items = tuple(filter(None, [*_spoken(findings, units), silent_text(findings.silent, units)]))
    blocks: list[Block] = [Bullets(items)]
    if findings.told:
        about = say(
            "All that follows about time (the parts, the checks and the tests of forecasts) is about {it} {usual}, "
            "less what each column added where it was another.",
            it=units.it, usual=usual_text(findings.told),
        )  # fmt: skip
        blocks.append(Paragraph(" ".join((say(ASSOCIATIONS), about))))
    if findings.plain:
        blocks.append(_table(findings, units))
    if any(column.is_told for column in findings.plain):
        blocks.append(_effects_figure(findings, units))
    if findings.told:
        blocks.append(_stacked_figure(findings, units))
    of_days = holidays_section(findings.events, units)
    return (Section("columns", say("What the columns say"), tuple(blocks), of_days),)


def observed_figure(findings: CovariateFindings, units: Units) -> Figure:
    """The series as it was observed, with the model and its columns, and the forecast with them."""
    names = _names(findings)
    caption = say(
        "{it} as observed (points), and the model with {columns} (line) with the range around it that holds a single "
        "value with a chance of 95%.",
        it=units.it, columns=names,
    )  # fmt: skip
    return replace(overview_figure(findings.curves, units, caption=caption, columns=names), id="fig-observed")


def forecast_blocks(findings: CovariateFindings, at_usual: Curve, units: Units) -> list[Block]:
    """The forecast with the columns: in words, as a picture, and as a table beside that with them as usual."""
    ahead, figure = findings.ahead, forecast_figure(findings.curves, units)
    assert ahead is not None
    text = forecast_notes(findings.forecast, units, beside=ahead_clause(ahead, units))
    caption = say("With the columns: {caption}", caption=lowered(figure.caption))
    picture = replace(figure, id="fig-forecast", caption=caption)
    notes = [Paragraph(text)] if text else []
    return [*notes, picture, forecast_table(findings.curves.forecast, units, at_usual)]


def _names(findings: CovariateFindings) -> str:
    """The columns that are told, by name where they are few; the days of the calendar together."""
    of_table = [quoted(column.effect.columns[0]) for column in findings.told if not column.effect.named["event"]]
    named = [joined(of_table)] if 0 < len(of_table) <= SEVERAL else [say("its columns")] if of_table else []
    calendars = [column.effect.named["calendar"] for column in findings.told if column.effect.named["event"]]
    if not calendars:
        return "".join(named)
    days = named_days(calendars)
    return say("{columns} and {days}", columns=named[0], days=days) if named else days


# --- the table --------------------------------------------------------------------------------------------------------


def _table(findings: CovariateFindings, units: Units) -> Table:
    told = [column for column in findings.plain if column.is_told]
    silent = [column for column in findings.plain if not column.is_told]
    shown = silent[:MOST_SILENT]
    shown_all = (*told, *shown)
    rows = tuple(_row(column, units) for column in shown_all)
    header = (
        say("Column"), say("Matters"), say("Effect of"), say("Effect (95% range)"), say("Neighbouring rows"),
        say("Explains"), say("Usual (seen)"),
    )  # fmt: skip
    apart = round(max((column.effect.get("rows") or 1 for column in shown_all), default=1))
    notes: list[str] = [columns_note(apart, units)]
    if (more := len(silent) - len(shown)) > 0:
        notes.append(
            say_count(
                more,
                "Not shown: one column of which nothing is told.",
                "Not shown: {n} columns of which nothing is told.",
                n=count(more),
            )
        )
    numeric, caption = (False, True, False, True, True, True, True), say("What each column adds to {it}.", it=units.it)
    return Table("table-columns", caption, header, rows, numeric, " ".join(notes))


def _row(column: CovariateColumn, units: Units) -> tuple[str, ...]:
    fact, told = column.effect, column.is_told
    plain = fact.witness
    effect = change(fact.value, fact.number.interval, units)
    if fact.form != EffectShape.STRAIGHT:
        low, high = added(float(column.curve.mean.min()), float(column.curve.mean.max()), units)
        effect = say_as("cell of a table", "{low} to {high}", low=low, high=high)
    return (
        clean_name(fact.columns[0], LONGEST_CELL),
        percent(min(fact.probability or 0.0, 1.0)),
        compared_text(fact) if told else "–",
        effect if told else "–",
        change(plain.number.value, plain.number.interval, units) if told and plain is not None else "–",
        percent(fact["share"]) if told else "–",
        f"{usual_value(fact)} ({range_seen(fact)})",
    )


# --- pictures ---------------------------------------------------------------------------------------------------------


def _effects_figure(findings: CovariateFindings, units: Units) -> Figure:
    """Curves along columns of numbers, and bars for flags and categories."""
    told = [column for column in findings.plain if column.is_told]
    flags = [column for column in told if column.effect.named["of"] == ColumnKind.FLAG][:MOST_BARS]
    told = [column for column in told if column.effect.named["of"] != ColumnKind.FLAG][:SEVERAL]
    panels = [_curve(column, units) for column in told if column.effect.named["of"] == ColumnKind.NUMBER]
    panels += [_bars(column, units) for column in told if column.effect.named["of"] == ColumnKind.CATEGORY]
    panels += [_flag_bars(flags, units)] if flags else []
    told = [*told, *flags]
    caption = say(
        "What each column adds to {it}, compared with its usual value: line and 95% band, or bars with their 95% "
        "ranges.",
        it=units.it,
    )
    reaches = joined([f"{quoted(column.effect.columns[0])} {_reach(column, units)}" for column in told[:SEVERAL]])
    return Figure("fig-columns", caption, say("What columns add: {reaches}.", reaches=reaches), tuple(panels))


def _reach(column: CovariateColumn, units: Units) -> str:
    mean = drawn_change(column.curve.mean, units)
    low, high = added_size(float(mean.min()), units), added_size(float(mean.max()), units)
    return say("between {low} and {high}", low=low, high=high)


def _drawn(curve: Curve, units: Units) -> Curve:
    mean, lower, upper = (drawn_change(values, units) for values in (curve.mean, curve.lower, curve.upper))
    return replace(curve, mean=mean, lower=lower, upper=upper)


def _curve(column: CovariateColumn, units: Units) -> Panel:
    curve, name = _drawn(column.curve, units), clean_name(column.effect.columns[0], LONGEST_NAME)
    layers = (
        Band(curve.x, curve.lower, curve.upper, say("95% band"), "signal"),
        Line(curve.x, curve.mean, say("what the column adds"), "mean"),
    )
    return Panel(f"'{name}'", name, adds_label(units), layers)


def _bars(column: CovariateColumn, units: Units) -> BarPanel:
    fact, curve = column.effect, _drawn(column.curve, units)
    shown = np.argsort(-np.abs(curve.mean), kind="stable")[:MOST_BARS]
    shown = shown[np.argsort(-curve.mean[shown], kind="stable")]
    names = tuple(clean_name(fact.levels[round(float(curve.x[k]))], LONGEST_NAME) for k in shown)
    return BarPanel(
        f"'{clean_name(fact.columns[0], LONGEST_NAME)}'", adds_label(units), "", (), names=names,
        values=curve.mean[shown], lower=curve.lower[shown], upper=curve.upper[shown],
    )  # fmt: skip


def _flag_bars(columns: list[CovariateColumn], units: Units) -> BarPanel:
    ends = [int(np.abs(column.curve.x - column.effect["other"]).argmin()) for column in columns]
    curves = [_drawn(column.curve, units) for column in columns]
    values = [np.array([getattr(curve, name)[k] for curve, k in zip(curves, ends, strict=True)]) for name in
              ("mean", "lower", "upper")]  # fmt: skip
    names = tuple(clean_name(column.effect.columns[0], LONGEST_NAME) for column in columns)
    only_yes = all(column.effect["other"] == 1.0 for column in columns)
    title = say("Yes instead of no") if only_yes else say("The rarer value")
    return BarPanel(title, adds_label(units), "", (), names=names, values=values[0], lower=values[1], upper=values[2])


def _stacked_figure(findings: CovariateFindings, units: Units) -> Figure:
    """The course in time, and what each column adds over time, one under the other."""
    told = [column for column in findings.told if not column.effect.named["event"]][:SEVERAL]
    of_days = [column for column in findings.told if column.effect.named["event"]]
    panels = [_over_time(say("The course in time"), findings.course, units, units.target)]
    panels += [
        _over_time(f"'{clean_name(column.effect.columns[0])}'", _drawn(column.added, units), units, adds_label(units))
        for column in told
    ]
    if of_days:
        title = capital(named_days(column.effect.named["calendar"] for column in of_days))
        together = _sum([column.added for column in of_days])
        panels.append(_over_time(title, _drawn(together, units), units, adds_label(units)))
    caption = say(
        "What {it} is made of: its course in time ({usual}), and what each column adds to it at each time. To the "
        "right of the dashed line is the forecast.",
        it=units.it, usual=usual_text(findings.told),
    )  # fmt: skip
    alt = say(
        "Panels one under the other from {start} on: the course in time, then what columns add ({columns}), as lines "
        "with bands.",
        start=stamp(units.first, units), columns=_names(findings),
    )  # fmt: skip
    return StackedFigure("fig-stacked", caption, alt, tuple(panels))


def _sum(curves: list[Curve]) -> Curve:
    """What several columns add together, which are hardly ever in use at the same time."""
    sd = np.sqrt(np.sum([curve.sd**2 for curve in curves], axis=0))
    return Curve.normal(curves[0].x, np.sum([curve.mean for curve in curves], axis=0), sd)


def _over_time(title: str, curve: Curve, units: Units, y_label: str) -> Panel:
    x = instants(units.axis, curve.x)
    layers = (
        Band(x, curve.lower, curve.upper, say("95% band"), "signal"),
        Line(x, curve.mean, say("most plausible"), "mean"),
        end_of_data(units),
    )
    return Panel(title, axis_title(units), y_label, layers)


# --- for machines -----------------------------------------------------------------------------------------------------


def columns_record(findings: CovariateFindings | None, units: Units) -> dict[str, object]:
    """The columns and the forecast with them, as plain values; nothing without columns."""
    if findings is None:
        return {}
    ahead = findings.curves.forecast
    times = [recorded_place(float(x), units) for x in ahead.x]
    rows = zip(times, ahead.mean.tolist(), ahead.lower.tolist(), ahead.upper.tolist(), strict=True)
    return {
        "columns": [_column_record(column, findings, units) for column in findings.plain],
        **({"holidays": holidays_record(findings.events, units)} if findings.events else {}),
        "forecast_with_columns": [
            {"at": at, "mean": stored(mean), "lower": stored(lower), "upper": stored(upper)}
            for at, mean, lower, upper in rows
        ],
    }


def _column_record(column: CovariateColumn, findings: CovariateFindings, units: Units) -> dict[str, object]:
    fact, curve = column.effect, column.curve
    places: list[object] = [stored(float(x)) for x in curve.x]
    if fact.levels:
        places = [fact.levels[round(float(x))] for x in curve.x]
    standing = "matters" if fact.told else "open" if fact.standing is Standing.OPEN else "nothing"
    low, high = fact.number.interval
    effect = {
        "of": compared_text(fact), "number": stored(fact.value), "lower": stored(low), "upper": stored(high),
    }  # fmt: skip
    return {
        "column": fact.columns[0],
        "standing": standing,
        "shape": str(fact.form),
        "goes_with_time": "blurred" in fact.marks,
        "probability": stored(min(fact.probability or 0.0, 1.0)),
        "sentence": silent_text((column,), units) if column in findings.silent else column_text(column, units),
        "effect": effect if fact.form == EffectShape.STRAIGHT else None,
        "unit": scaled_unit(units),
        "curve": {
            "at": places,
            **{name: [stored(v) for v in getattr(curve, name).tolist()] for name in ("mean", "lower", "upper")},
        },
    }
