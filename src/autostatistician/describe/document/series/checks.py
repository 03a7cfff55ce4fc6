"""The section on the checks of a model and on the test of its forecasts."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from autostatistician.claims.claim import Claim
from autostatistician.describe.axis.units import Units
from autostatistician.describe.document.document import Band, Block, Figure, Panel, Paragraph, Points, Section, Table
from autostatistician.describe.document.panels import CHANCE, held_panel, quantile_panel
from autostatistician.describe.facts.findings import SeriesChecks
from autostatistician.describe.facts.judgement import FEWEST_TESTED, failed_checks
from autostatistician.describe.facts.whole import ForecastTest
from autostatistician.describe.words.checks import alarm_text, forecast_test_text
from autostatistician.forms import BAND_SDS, CheckKind
from autostatistician.i18n.messages import message, say, say_as
from autostatistician.i18n.numbers import count, p_value

__all__ = ["checks_section", "named_alarms"]

MOST_ALARMS = 2


Array = NDArray[np.float64]

_ASKED = {
    CheckKind.DISTRIBUTION: message("how the errors are spread"),
    CheckKind.AUTOCORRELATION: message("whether neighbouring errors are alike"),
    CheckKind.PERIODOGRAM: message("whether a cycle is left in the errors"),
    CheckKind.COURSE: message("whether errors are of one kind throughout"),
}

_ASKED_OF_A_PART = {
    CheckKind.DISTRIBUTION: message("whether it is as large as the model says"),
    CheckKind.QUANTILES: message("whether its values are spread as the model says"),
    CheckKind.AUTOCORRELATION: message("whether it swings as the model says"),
    CheckKind.PERIODOGRAM: message("whether one cycle stands out in it"),
    CheckKind.COURSE: message("whether it is of one kind throughout"),
}


def checks_section(checks: SeriesChecks | None, test: ForecastTest | None, units: Units) -> tuple[Section, ...]:
    """The section of the report; none where nothing was checked."""
    if checks is None:
        return ()
    alarms = failed_checks(checks.claims)
    untold = [alarm for alarm in alarms if alarm not in named_alarms(checks)]
    blocks: list[Block] = [Paragraph(f"{alarm_text(alarm, units)}.", (alarm.id,)) for alarm in untold]
    blocks += [Paragraph(forecast_test_text(test, units), (test.id,))] if test else []
    blocks += [checks_figure(checks.errors, test), _table(checks, alarms)]
    return (Section("checks", say("Model checks"), tuple(blocks)),)


def named_alarms(checks: SeriesChecks) -> list[Claim]:
    """The failed checks of the whole model that stand among what to be careful with."""
    return [alarm for alarm in failed_checks(checks.claims) if not alarm["part"]][:MOST_ALARMS]


def _table(checks: SeriesChecks, alarms: Sequence[Claim]) -> Table:
    """The checks of the whole model, and those of its parts that failed."""
    rows = [
        (_asked(check), p_value(check.value), p_value(check["adjusted"]))
        for check in checks.claims
        if not check["part"] or check in alarms
    ]
    notes = say(
        "p-value: how often simulations from the model show as much; corrected for all {n} checks (Benjamini and "
        "Yekutieli 2001). As the model was fitted to the same data, they are somewhat lenient.",
        n=count(len(checks.claims)),
    )
    header = (say("What was looked at"), say("p-value"), say_as("of p-values", "Corrected"))
    caption, numeric = say("The checks of the model."), (False, True, True)
    return Table("table-checks", caption, header, tuple(rows), numeric, notes)


def _asked(check: Claim) -> str:
    """What was looked at, of a part after its number."""
    if not check["part"]:
        return say(_ASKED[CheckKind(check.form)])
    return f"{say('Part {number}', number=round(check['part']))}: {say(_ASKED_OF_A_PART[CheckKind(check.form)])}"


# --- What checks of a model and tests of its forecasts found, as pictures -------------------------------------------


def checks_figure(errors: Array, test: ForecastTest | None) -> Figure:
    """The errors in order, how alike neighbours are, and the ranges of earlier forecasts where these were tested."""
    shown = [(quantile_panel(errors), *_SPREAD), (_neighbours(errors), *_LIKENESS)]
    if test is not None and test.rows >= FEWEST_TESTED:
        shown.append((held_panel(say("Ranges of forecasts"), test.levels, test.held), *_HELD))
    panels, captions, alts = zip(*shown, strict=True)
    return Figure("fig-checks", " ".join(map(say, captions)), " ".join(map(say, alts)), panels)


# Of each panel what it means, and what is seen in it.
_SPREAD = (
    message("The errors in order against those expected: on the line they agree."),
    message("Points of ordered errors along a diagonal."),
)
_LIKENESS = (
    message("How alike errors are at each distance: most lie in the band by chance alone."),
    message("Autocorrelations around zero in a band."),
)
_HELD = (
    message("The share of later values in forecast ranges of each width: on the line it is as it should be."),
    message("Points of shares of later values inside ranges, along a diagonal."),
)


def _neighbours(errors: Array) -> Panel:
    n = len(errors)
    lags = np.arange(1, min(n // 4, 40) + 1)
    size = float(errors @ errors) or 1.0
    likeness = np.array([float(errors[lag:] @ errors[:-lag]) / size for lag in lags])
    half = np.full(len(lags), BAND_SDS / np.sqrt(n))
    x = lags.astype(np.float64)
    layers = (Band(x, -half, half, say(CHANCE), "signal"), Points(x, likeness, say_as("in a picture", "found")))
    return Panel(say("Likeness of neighbours"), say("rows apart"), say("correlation"), layers)
