"""Golden sentences on columns and clusters beside the golden pages: what no page says, made from facts alone.

A branch of a sentence that neither a page nor a test holds word for word is found by `tests.guards.test_sentences`: add
a line for it here, and write the golden texts anew (`tests.describe.golden`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from tests.describe import cluster_cases
from tests.describe.covariate_cases import PROMO, SEASON, around, findings
from tests.describe.factory import MONTHLY, MONTHS, units_on
from tests.describe.words.effect_cases import BASE, COLUMN, DIP, LEGS, PAIR, SCALE, TOGETHER, TOP, WATER
from tests.describe.words.test_chances import FORESIGHT, HIGH, LOW, RISE
from tests.describe.words.test_chances import SCALE as CLASSES

from autostatistician.describe.facts.classes import Calibration, ChanceAt, ChanceDependence, SurprisingRow
from autostatistician.describe.facts.clusters import TraitSide
from autostatistician.describe.facts.effect import ErrorCheck, Explained, RangesHeld
from autostatistician.describe.facts.fact import SHARE
from autostatistician.describe.words import chances, clusters, column_values, covariates
from autostatistician.describe.words.effects import course_text, dependence_text, effect_text
from autostatistician.describe.words.table_fit import (
    check_text,
    column_text,
    explained_text,
    no_columns_text,
    ranges_text,
)
from autostatistician.forms import CheckKind, CourseKind


def column_lines() -> Iterator[str]:
    """All of them, each after the name of what it is about."""
    for name, texts in (
        ("effects", _effects()), ("columns", _columns()), ("chances", _chances()), ("clusters", _clusters()),
        ("common season", _common_season()),
    ):  # fmt: skip
        yield f"# {name}"
        yield from texts


def _common_season() -> Iterator[str]:
    units = units_on(MONTHLY, MONTHS)
    for size in (around(112.0, 20.0), around(-30.0, 4.0)):
        told = findings(replace(SEASON, size=size), PROMO)
        yield covariates.columns_lead(told, units)
        yield from covariates.told_texts(told, units)
        yield column_values.compared_text(told.columns[0].effect)
    yield column_values.columns_note(12, units)
    yield covariates.column_text(findings(replace(SEASON, probability=0.6)).columns[0], units)


def _effects() -> Iterator[str]:
    both = (BASE, WATER)
    yield effect_text((replace(PAIR, columns=("age", "sand", "water"), beyond=0.2), *both), SCALE)
    yield effect_text((PAIR, *both, replace(TOGETHER, plain_p=0.5)), SCALE)
    yield effect_text((replace(PAIR, beyond=0.01), BASE, replace(WATER, kind=CourseKind.UNCLEAR)), SCALE)
    idle = replace(WATER, kind=CourseKind.UNCLEAR)
    yield effect_text((replace(PAIR, beyond=0.01), BASE, idle, replace(idle, column="sand")), SCALE)
    yield dependence_text(replace(TOGETHER, others=True), SCALE)
    yield dependence_text(replace(TOGETHER, beyond=True), SCALE)
    for changes in (
        {"kind": CourseKind.UNCLEAR, "elsewhere": True}, {"open_until": 90.0}, {"bend": 1},
        {"kind": CourseKind.TURNING, "turns": (TOP, DIP) * 3}, {"carried": 7},
        {"kind": CourseKind.TURNING, "turns": (TOP,), "legs": LEGS},
    ):  # fmt: skip
        yield course_text(replace(BASE, **changes), SCALE)  # type: ignore[arg-type]
    yield ranges_text(
        RangesHeld(id="r", number=0.88, unit=SHARE, evidence="e", rows=500, too_narrow=True, too_wide=False)
    )
    yield ranges_text(
        RangesHeld(id="r", number=0.99, unit=SHARE, evidence="e", rows=500, too_narrow=False, too_wide=True)
    )
    fit = Explained(id="f", number=0.9, unit=SHARE, evidence="e", left_out=-0.1, error=0.2, rmse=0.3, error_of_mean=0.7)
    yield explained_text(fit, replace(SCALE, level=3.0))
    check = ErrorCheck(id="c", number=0.01, unit="1", evidence="e", kind=CheckKind.DISTRIBUTION, adjusted=0.02, side=1,
                       column=None)  # fmt: skip
    for changes in (
        {}, {"side": -1}, {"side": 0}, {"kind": CheckKind.SPREAD}, {"kind": CheckKind.SPREAD, "side": -1},
        {"kind": CheckKind.PATTERN, "column": "age"},
    ):  # fmt: skip
        yield f"{check_text(replace(check, **changes))}."  # type: ignore[arg-type]


def _columns() -> Iterator[str]:
    without = {"used": False, "alone": False, "number": 0.0, "interval": None, "probability": 0.02}
    for changes in (
        {**without, "correlation": -0.81, "correlation_p": 1e-4}, {**without, "correlation": 0.8, "seen_alone": True},
        {**without, "left": True}, {"probability": 0.3}, {"probability": 0.7, "left": True}, {"scatter": True},
        {"number": 0.02, "interval": (0.015, 0.03)}, {"interval": (0.0, 0.004), "number": 0.002}, {"carried": 7},
        {"probability": 0.6, "instead": ("sand",)}, {**without, "probability": 0.4, "instead": ("sand", "water")},
        {**without, "untried": True, "correlation": -0.81, "correlation_p": 1e-4}, {**without, "untried": True},
        {**without, "left": True, "correlation": -0.81, "correlation_p": 1e-4}, {**without, "cut": True},
        {**without, "cut": True, "correlation": -0.81, "correlation_p": 1e-4}, {**without, "cut": True, "left": True},
        {**without, "cut": True, "left": True, "correlation": -0.81, "correlation_p": 1e-4},
        {"interval": (0.0, 0.004), "number": 0.002, "left": True},
        {"interval": (0.0, 1e-8), "number": 1e-9, "left": True},
        {**without, "scatter": True, "left": True},
    ):  # fmt: skip
        yield column_text(replace(COLUMN, **changes), SCALE)  # type: ignore[arg-type]
    yield no_columns_text((replace(COLUMN, used=False, untried=True),), SCALE)


def _chances() -> Iterator[str]:
    middle = ChanceAt(40.0, 0.7, (0.6, 0.8))
    for changes in (
        {"open_from": 45.0}, {"open_until": 25.0}, {"flat_from": 45.0}, {"flat_until": 25.0},
        {"levels": ("new", "used", "old"), "chances": (replace(LOW, at=0.0), replace(HIGH, at=1.0), middle)},
        {"turns": (TOP, DIP) * 3, "kind": CourseKind.TURNING}, {"period": 28.0},
        {"turns": (TOP,), "kind": CourseKind.TURNING, "chances": (LOW, middle, replace(HIGH, at=50.0, chance=0.2))},
        {"turns": (DIP,), "kind": CourseKind.TURNING,
         "chances": (replace(middle, at=30.0), replace(LOW, at=40.0), HIGH)},
        {"turns": (TOP, DIP), "kind": CourseKind.TURNING,
         "chances": (LOW, middle, replace(LOW, at=45.0), replace(HIGH, at=55.0))},
    ):  # fmt: skip
        yield course_text(replace(RISE, **changes), CLASSES)  # type: ignore[arg-type]
    pair = ChanceDependence(**{**vars(TOGETHER), "corners": (LOW, HIGH, middle, LOW), "others": True})
    yield dependence_text(pair, CLASSES)
    sure_of_it = ChanceAt(50.0, 0.99999, (0.9999, 1.0))
    yield course_text(replace(RISE, chances=(LOW, sure_of_it)), CLASSES)
    for gain in ((0.02, 0.1), (-0.1, -0.02), (-0.02, 0.1)):
        yield chances.foresight_text(replace(FORESIGHT, gain_interval=gain), CLASSES)
    for number in (3.0, -3.0, 0.0):
        yield chances.calibration_text(
            Calibration(id="c", number=number, unit="1", evidence="e", bins=(), bins_p=0.5), CLASSES
        )
    row = SurprisingRow(id="s", number=0.02, unit=SHARE, evidence="e", row=7, came=True, expected=0.4)
    yield chances.surprises_text([row], CLASSES)
    yield chances.surprises_text([replace(row, expected=3.0), replace(row, row=9, came=False)], CLASSES)


def _clusters() -> Iterator[str]:
    known = cluster_cases.findings()
    first, second, third = known.clusters
    yield clusters.cluster_text(replace(first, traits=()))
    for clear in (0.98, 0.9):
        for side in (TraitSide.BELOW, TraitSide.AMONG):
            yield clusters.cluster_text(replace(first, traits=(replace(first.traits[0], clear=clear, side=side),)))
    alone = replace(third, number=1.0, row=7)
    yield from clusters.cluster_texts((first, *(replace(alone, row=10 + k) for k in range(12))))
    yield from clusters.cluster_texts((first, alone))
    for some in ((first,), (first, alone), (first, second, alone), (first, second, third)):
        yield clusters.between_texts([], some)[0]
    yield from clusters.method_texts(1)
