"""What the data are, that nothing was found in them, and how well held-out values are predicted."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from autostatistician.describe.axis.lengths import step_name
from autostatistician.describe.axis.places import from_place_to, stamp
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.findings import SeriesFindings
from autostatistician.describe.facts.part import CrossValidatedError
from autostatistician.describe.facts.whole import BaselineError
from autostatistician.describe.words.amounts import error
from autostatistician.i18n.messages import say, say_count
from autostatistician.i18n.numbers import count, fixed

__all__ = ["coverage", "error_text", "nothing_found"]

_NOTHING = 1e-3  # of the error of always predicting the mean


def coverage(n: int, units: Units, aside: Sequence[float] = ()) -> str:
    """What the data are: "144 monthly values of 'passengers' from January 1949 to December 1960".

    Beside ``n`` that the model is made of, those at some places are set ``aside``.
    """
    if aside:
        whole = coverage(n + len(aside), replace(units, first=min(units.first, *aside), last=max(units.last, *aside)))
        return say("{text}, {n} of them set aside", text=whole, n=count(len(aside)))
    step, number = step_name(units), fixed(n, 0)
    values = (
        say_count(n, "{n} {monthly} value", "{n} {monthly} values", n=number, monthly=step)
        if step
        else say_count(n, "{n} value", "{n} values", n=number)
    )
    first, last = stamp(units.first, units), stamp(units.last, units)
    told = {"values": values, "target": f"'{units.target}'", "span": from_place_to(first, last)}
    if units.axis.is_calendar:
        return say("{values} of {target} {span}", **told)
    return say("{values} of {target} for {column} {span}", column=f"'{' '.join(units.axis.column.split())}'", **told)


def nothing_found(findings: SeriesFindings, units: Units) -> str:
    """What is said when the best model is noise alone or noise around a constant, and what that is worth."""
    search = findings.search
    if search.cut and not search.levels:
        return say(
            "No structure was looked for: the search was cut before it had tried any model but random scatter, so "
            "nothing is known of trends, cycles and smooth variations."
        )
    if findings.pure and not units.is_log:
        return say("No trend and no pattern was found: the values scatter at random around zero.")
    return say("No trend and no pattern was found: the values scatter at random around a fixed level.")


def error_text(held_out: CrossValidatedError, base: BaselineError, units: Units) -> str:
    """How well held-out values are predicted, beside a simple prediction."""
    missed = error(held_out.number, units) if held_out.number > _NOTHING * base.number else say("next to nothing")
    return say(
        "When a stretch of a tenth of the data is held back and predicted from the rest, the model misses by {missed} "
        "on average; always predicting the {mean} of the data would miss by {simple}.",
        missed=missed, mean=units.typical, simple=error(base.number, units),
    )  # fmt: skip
