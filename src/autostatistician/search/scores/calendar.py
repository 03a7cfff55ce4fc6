"""Periods that the data cannot tell from one of the calendar: they are that, unless much speaks against it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import log

from autostatistician.inference import Problem, Scales, fit
from autostatistician.language.kernel import Kernel, parameters
from autostatistician.search.state import Candidate

__all__ = ["on_the_calendar"]

ODDS = 1000.0  # for the calendar's period, before the data
SAME = 0.005  # relative difference from the calendar's period that makes none
STEPS = 40


def on_the_calendar(ranked: Sequence[Candidate], problem: Problem, scales: Scales) -> list[Candidate]:
    """Candidates, the likelier ones with periods of the calendar where the data leave that open; the first stays.

    Weather that comes a week early in one of two years makes a shorter year likelier than that of the calendar; a
    forecast by it is soon weeks ahead. Learned priors know of the calendar already.

    Parameters
    ----------
    ranked : sequence of Candidate
        In standard units.
    problem, scales : Problem, Scales
        The data, and their scales.
    """
    if scales.priors is not None:
        return list(ranked)
    worst = ranked[0].score + 2.0 * log(ODDS)
    first, *others = (
        _moved(candidate, problem, scales) if candidate.score <= worst else candidate for candidate in ranked
    )
    same = all(candidate in ranked for candidate in others)
    return [first, *(others if same else sorted(others, key=Candidate.rank))]


def _moved(candidate: Candidate, problem: Problem, scales: Scales) -> Candidate:
    if not _is_off(candidate.kernel, scales):
        return candidate
    fitted = fit(candidate.kernel, problem, scales, STEPS, calendar=True)
    lost = fitted.nll - candidate.nll
    if lost > log(ODDS) or _is_off(fitted.kernel, scales):
        return candidate
    return replace(candidate, kernel=fitted.kernel, nll=fitted.nll, score=candidate.score + 2.0 * lost)


def _is_off(kernel: Kernel, scales: Scales) -> bool:
    """Whether a period is not quite that of the calendar, from which the data cannot tell it."""
    every = zip(parameters(kernel.expr), kernel.values, strict=True)
    periods = [
        (scales.column(getattr(one.node, "column", None)), value) for one, value in every if one.name == "period"
    ]
    near = [(column.indistinct(period), period) for column, period in periods]
    return any(named is not None and abs(period - named) > SAME * named for named, period in near)
