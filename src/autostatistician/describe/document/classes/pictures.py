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
from autostatistician.wording.messages import say, say_as
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import capital, fixed, in_percent, joined, pair, percent

__all__ = ["ahead_figure", "foresight_figure", "overview_of_classes"]

WHOLE = np.array([0.0, 100.0])


def overview_of_classes(findings: ClassFindings, scale: Scale) -> Figure:
    """How much hangs on each column, and whether chances are what they say."""
    # Over time all hangs on the only column.
    bars, lead, shares_text = ((), "", "") if is_over_time(scale) else bars_of(findings, scale)
    caption = say(
        "The share of {event} among rows of like chances, each foreseen from all other rows: on the line chances are "
        "what they say, and strokes are 95% ranges of the shares in the long run.",
        event=quoted(scale.event),
    )
    if lead:
        caption = say(
            "{bars}; the share of {event} among rows of like chances, each foreseen from all other rows: on the line "
            "chances are what they say, and strokes are 95% ranges of the shares in the long run.",
            bars=lead, event=quoted(scale.event),
        )  # fmt: skip
    shares = [
        say("{share} where the chance is {chance}", share=percent(rows.share), chance=percent(rows.chance))
        for rows in findings.calibration.bins
    ]
    along = say("Points of shares against chances along the diagonal: {shares}.", shares=joined(shares))
    alt = " ".join(filter(None, (shares_text, along)))
    return Figure("fig-overview", caption, alt, (*bars, _calibration(findings.calibration, scale)))


def _calibration(fact: Calibration, scale: Scale) -> Panel:
    chances, shares = (100.0 * np.array(each) for each in zip(*((b.chance, b.share) for b in fact.bins), strict=True))
    low, high = (100.0 * np.array(each) for each in zip(*(rows.span for rows in fact.bins), strict=True))
    layers = (
        Ranges(chances, low, high, say("95% range of a share"), "observation"),
        Line(WHOLE, WHOLE, say("chance and share agree"), "mean"),
        Points(chances, shares, say("rows of like chances")),
    )
    x_label = say("chance of {event}, %", event=quoted(scale.event))
    return Panel(say("Are chances what they say?"), x_label, say("share that came, %"), layers)


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
            Points(positions(along.at, scale), along.residuals, say("rows")),
            Band(x, along.lower, along.upper, say("95% band"), "signal"),
            Line(x, along.mean, say_as("in a picture", "chance"), "mean"),
        ]
    ahead = positions(curve.x, scale)
    layers += [
        Band(ahead, curve.lower, curve.upper, say("95% band of what comes"), "forecast"),
        Line(ahead, curve.mean, say("what comes"), "forecast"),
    ]
    caption = say("{chance} after the data, with 95% ranges of the chance itself.", chance=capital(scale.it))
    low, high = map(in_percent, pair(float(curve.mean.min()), float(curve.mean.max())))
    alt = say("A curve with a band after the data, between {low} and {high}.", low=low, high=high)
    panel = Panel("", axis_title(scale), say("chance of {event}, %", event=quoted(scale.event)), tuple(layers))
    return Figure("fig-ahead", caption, alt, (panel,))


def foresight_figure(roc: Roc, ranking: Ranking, scale: Scale) -> Figure:
    """The ROC curve."""
    low, high = ranking.interval or (ranking.number, ranking.number)
    area = say(
        "{number} (95% range: {low} to {high})",
        number=fixed(ranking.number, 3), low=fixed(low, 3), high=fixed(high, 3),
    )  # fmt: skip
    caption = say(
        "The share of the rows of {event} that lie above a chance, against the share of the rows of {other} that do, "
        "for every such chance (the ROC curve, each row foreseen from others). The area below is {area}; on the dashed "
        "line it is {half}, as guessing has it.",
        event=quoted(scale.event), other=quoted(scale.other), area=area, half=fixed(0.5, 1),
    )  # fmt: skip
    layers = (
        Line(100.0 * roc.false_alarms, 100.0 * roc.hits, say("every threshold"), "mean"),
        Line(WHOLE, WHOLE, say("guessing"), "earlier"),
    )
    x_label, y_label = (say("{name} above it, %", name=quoted(name)) for name in (scale.other, scale.event))
    alt = say("A curve above the diagonal with an area of {area} below it.", area=area)
    return Figure("fig-roc", caption, alt, (Panel("", x_label, y_label, layers),))
