"""What can be relied on, what cannot, and what to try next: the verdict at the top of a report."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autostatistician.decompose.records.series import Decomposition
from autostatistician.describe.axis import Units, length
from autostatistician.describe.document.document import Bullets, Section
from autostatistician.describe.facts.claim import Statement
from autostatistician.describe.observe.breaks import break_facts
from autostatistician.describe.observe.checks import failed, too_narrow
from autostatistician.describe.observe.forecast_test import spanned_changes
from autostatistician.describe.observe.outliers import outlier_facts
from autostatistician.describe.words.breaks import break_text
from autostatistician.describe.words.forecast_test import changes_named
from autostatistician.describe.words.outliers import look_up, set_aside_text
from autostatistician.describe.words.search import cut_text, search_longer
from autostatistician.language.showable import ROWS_FOR_STRUCTURE
from autostatistician.wording.numbers import fixed, joined

__all__ = ["Verdict", "verdict", "verdict_section"]

SURE = 0.95  # probability of a statement to rely on
OPEN = 0.5  # a best model with less is one of several
HELD = 0.9  # of later values in 95 % ranges: with less they are not praised
MOST = 3  # statements that are named


@dataclass(frozen=True)
class Verdict:
    """Short sentences under three heads; each may be empty but not all."""

    rely: tuple[str, ...]
    doubt: tuple[str, ...]
    next: tuple[str, ...]


def verdict(d: Decomposition, said: Sequence[Statement], units: Units, *, nothing: bool) -> Verdict:
    """Judge from the checks, the test of the forecasts, the probabilities of statements and the length of the data."""
    return Verdict(tuple(_rely(d, said, nothing)), tuple(_doubt(d, said, units)), tuple(_next(d, units)))


def _rely(d: Decomposition, said: Sequence[Statement], nothing: bool) -> list[str]:
    found = []
    texts = [_inside(one.text) for one in said if one.in_best and one.probability >= SURE and not one.doubtful]
    sure = [text for text in texts if not any(other.startswith(f"{text} ") for other in texts)][:MOST]  # the more exact
    if sure and not nothing and not d.cut and d.x.size >= ROWS_FOR_STRUCTURE:
        found.append(f"What the data show in nearly every model that fits them: {joined(sure)}.")
    if d.checks is not None and not failed(d.checks):
        found.append("The description: no check of the model against the data found anything unusual.")
    if d.calibration is not None and too_narrow(d.calibration) is False and d.calibration.held[-1] >= HELD:
        held = fixed(100.0 * d.calibration.held[-1], 0)
        found.append(f"The ranges of the forecast: in a test on later data, {held}% of the values lay in 95% ranges.")
    return found


def _doubt(d: Decomposition, said: Sequence[Statement], units: Units) -> list[str]:
    found = [cut_text(d)] if d.cut else []
    found += filter(None, [set_aside_text(outlier_facts(d), units)])
    weight = d.alternatives[0][1] if d.alternatives else 1.0
    shaky = [_inside(one.text) for one in said if one.in_best and one.probability < OPEN][:MOST]
    if shaky:
        found.append(f"Said here, but not by most of the models that fit: {joined(shaky)}.")
    elif weight < OPEN:
        found.append("The exact form of the model: others fit the data about as well and say much the same.")
    if too_narrow(d.calibration):
        assert d.calibration is not None
        held = fixed(100.0 * d.calibration.held[-1], 0)
        changes = spanned_changes(d)
        spans = (
            f"; the test spans {changes_named(changes, units)}, so it says little about forecasts made now"
            if changes
            else ""
        )
        found.append(f"The ranges of the forecast: in a test only {held}% of later values lay in 95% ranges{spans}.")
    elif d.calibration is not None and too_narrow(d.calibration) is False and d.calibration.held[-1] < HELD:
        held = fixed(100.0 * d.calibration.held[-1], 0)
        found.append(
            f"The ranges of the forecast: in a test {held}% of later values lay in 95% ranges; that may be chance, as "
            "such misses come together."
        )
    elif d.forecast.x.size and too_narrow(d.calibration) is None:
        found.append("The ranges of the forecast: there are too few data to test them.")
    found += filter(None, [break_text(break_facts(d), units)])
    if failed(d.checks):
        found.append("The description in full: some checks of the model failed (see 'Does the model fit?').")
    if d.forecast.x.size:
        ahead = float(d.forecast.x[-1]) - units.last
        found.append(f"Anything beyond {length(ahead, units)} after the data, or after a change of circumstances.")
    return found


def _next(d: Decomposition, units: Units) -> list[str]:
    found = [search_longer(d)] if d.cut else []
    found += filter(None, [look_up(outlier_facts(d), units)])
    kinds = {one.kind: one for one in failed(d.checks) if one.part == 0}
    if "periodogram" in kinds:
        cycle = length(kinds["periodogram"].place or 0.0, units)
        found.append(f"Find out what repeats every {cycle}, or search longer: the model has left it out.")
    if "distribution" in kinds and kinds["distribution"].side > 0:
        found.append("Look at the values that stand out: correct mistakes, or leave out what will not come again.")
    if "course" in kinds:
        found.append("Ask whether the way of measuring changed, and model the later part by itself.")
    if too_narrow(d.calibration):
        changes = spanned_changes(d)
        since = f" since {changes_named(changes[-1:], units)}" if changes else ""
        found.append(f"Plan with wider ranges than those shown, and come back when there are more data{since}.")
    held = "the next values will tell whether the forecast" if d.forecast.x.size else "they will tell whether the model"
    return found or [f"Come back with new data: {held} holds."]


def verdict_section(found: Verdict) -> Section:
    """The verdict as a section of three lists, for the first screen."""
    heads = (
        ("rely", "Rely on", found.rely),
        ("doubt", "Be careful with", found.doubt),
        ("next", "Try next", found.next),
    )
    lists = tuple(Section(f"verdict-{name}", title, (Bullets(items),)) for name, title, items in heads if items)
    return Section("verdict", "What to make of it", (), lists, opening=True)


def _inside(text: str) -> str:
    return text[:1].lower() + text[1:]
