"""Figures of reports on classes: chances beside what came, and how well rows are put in order."""

from __future__ import annotations

import numpy as np

from autostatistician.describe.axis.lengths import axis_title
from autostatistician.describe.axis.scale import Scale
from autostatistician.describe.axis.units import Units, is_over_time
from autostatistician.describe.document.document import Band, Figure, Line, Panel, Points
from autostatistician.describe.document.panels import Ranges
from autostatistician.describe.document.table.pictures import bars_of, positions
from autostatistician.describe.facts.classes import Calibration, Ranking, Roc
from autostatistician.describe.facts.findings import ClassFindings
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import amount, capital, fixed, joined, percent

__all__ = ["ahead_figure", "foresight_figure", "overview_of_classes"]

WHOLE = np.array([0.0, 100.0])


def overview_of_classes(findings: ClassFindings, scale: Scale) -> Figure:
    """How much hangs on each column, and whether chances are what they say."""
    # Over time all hangs on the only column.
    bars, lead, shares_text = ((), "", "") if is_over_time(scale) else bars_of(findings, scale)
    caption = (
        f"{lead}{'the' if lead else 'The'} share of {quoted(scale.event)} among rows of like chances, each foreseen "
        "from all other rows: on the line chances are what they say, and strokes are 95% ranges of the shares in the "
        "long run."
    )
    shares = [f"{percent(rows.share)} where the chance is {percent(rows.chance)}" for rows in findings.calibration.bins]
    alt = f"{shares_text}Points of shares against chances along the diagonal: {joined(shares)}."
    return Figure("fig-overview", caption, alt, (*bars, _calibration(findings.calibration, scale)))


def _calibration(fact: Calibration, scale: Scale) -> Panel:
    chances, shares = (100.0 * np.array(each) for each in zip(*((b.chance, b.share) for b in fact.bins), strict=True))
    low, high = (100.0 * np.array(each) for each in zip(*(rows.span for rows in fact.bins), strict=True))
    layers = (
        Ranges(chances, low, high, "95% range of a share", "observation"),
        Line(WHOLE, WHOLE, "chance and share agree", "mean"),
        Points(chances, shares, "rows of like chances"),
    )
    return Panel("Are chances what they say?", f"chance of {quoted(scale.event)}, %", "share that came, %", layers)


def ahead_figure(findings: ClassFindings, scale: Units) -> Figure | None:
    """The chance over the data, where time is all that it hangs on, and after them; None where none is told."""
    curve = findings.ahead_curve
    if curve is None:
        return None
    layers: list[Points | Line | Band] = []
    if len(findings.effects) == 1:
        (along, *_) = findings.effects[0].curves.along
        x = positions(along.x, scale)
        layers += [
            Points(positions(along.at, scale), along.residuals, "rows"),
            Band(x, along.lower, along.upper, "95% band", "signal"),
            Line(x, along.mean, "chance", "mean"),
        ]
    ahead = positions(curve.x, scale)
    layers += [
        Band(ahead, curve.lower, curve.upper, "95% band of what comes", "forecast"),
        Line(ahead, curve.mean, "what comes", "forecast"),
    ]
    caption = f"{capital(scale.it)} after the data, with 95% ranges of the chance itself."
    low, high = (amount(float(end)) for end in (curve.mean.min(), curve.mean.max()))
    alt = f"A curve with a band after the data, between {low}% and {high}%."
    panel = Panel("", axis_title(scale), f"chance of {quoted(scale.event)}, %", tuple(layers))
    return Figure("fig-ahead", caption, alt, (panel,))


def foresight_figure(roc: Roc, ranking: Ranking, scale: Scale) -> Figure:
    """The ROC curve."""
    low, high = ranking.interval or (ranking.number, ranking.number)
    area = f"{fixed(ranking.number, 3)} (95% range: {fixed(low, 3)} to {fixed(high, 3)})"
    caption = (
        f"The share of the rows of {quoted(scale.event)} that lie above a chance, against the share of the rows of "
        f"{quoted(scale.other)} that do, for every such chance (the ROC curve, each row foreseen from others). The "
        f"area below is {area}; on the dashed line it is 0.5, as guessing has it."
    )
    layers = (
        Line(100.0 * roc.false_alarms, 100.0 * roc.hits, "every threshold", "mean"),
        Line(WHOLE, WHOLE, "guessing", "earlier"),
    )
    panel = Panel("", f"{quoted(scale.other)} above it, %", f"{quoted(scale.event)} above it, %", layers)
    return Figure("fig-roc", caption, f"A curve above the diagonal with an area of {area} below it.", (panel,))
