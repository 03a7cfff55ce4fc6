"""The misfit with priors of the numbers: gradients, and where its lowest place lies."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.inference.engines.choice import objective_of
from autostatistician.inference.fitting.optimise import fit
from autostatistician.inference.fitting.penalised import penalised
from autostatistician.inference.parameters.learned import learned_priors
from autostatistician.inference.parameters.scales import measure
from autostatistician.inference.problem import Problem
from autostatistician.inference.uncertainty.evidence import log_evidence
from autostatistician.language.kernel import leaf, parameters, unset
from autostatistician.language.text import parse
from autostatistician.search.starting.starts import at_centre

X = np.linspace(0.0, 1.0, 30)[:, None]
Y = 3.0 + np.cumsum(np.random.default_rng(5).normal(size=30))
PROBLEM = Problem(X, Y, ("x",))
KNOWN, UNKNOWN = (measure(X, Y, ("x",), priors=priors) for priors in (learned_priors(), None))


@pytest.mark.parametrize("text", ["C + WN", "Lin + Wiener + WN", "SE * Per + IOU + WN", "CP(C, Lin) + WN"])
def test_gradients_are_those_of_differences(text: str) -> None:
    kernel = at_centre(unset(parse(text)), KNOWN, 0.25)
    objective = penalised(objective_of(kernel.expr, PROBLEM), kernel, KNOWN)
    _, gradient = objective.value_and_gradient(kernel.values)
    for index, value in enumerate(kernel.values):
        is_place = value <= 0.0 or text.startswith("CP") or gradient[index] == 0.0
        if not is_place:
            step = 1e-5
            there = [tuple(v * np.exp(s * (i == index)) for i, v in enumerate(kernel.values)) for s in (step, -step)]
            difference = (objective.value(there[0]) - objective.value(there[1])) / (2 * step)
            if parameters(kernel.expr)[index].name != "location":
                assert gradient[index] == pytest.approx(difference, rel=1e-3, abs=1e-4)


def test_with_priors_noise_does_not_vanish_from_few_rows() -> None:
    x, y = np.linspace(0.0, 1.0, 6)[:, None], 5.0 + np.sin(np.linspace(0.0, 3.0, 6))
    problem = Problem(x, y, ("x",))
    sizes = {}
    for name, priors in (("known", learned_priors()), ("unknown", None)):
        scales = measure(x, y, ("x",), priors=priors)
        start = at_centre(unset(parse("C + SE + WN")), measure(x, y, ("x",), priors=learned_priors()), 1.0)
        sizes[name] = fit(start, problem, scales).kernel.values[-1]
    assert sizes["unknown"] < 0.2 * sizes["known"]


def test_a_fit_with_priors_is_the_lowest_place_of_both_together() -> None:
    start = at_centre(unset(parse("C + Wiener + WN")), KNOWN, 1.0)
    found = fit(start, PROBLEM, KNOWN)
    objective = penalised(objective_of(start.expr, PROBLEM), start, KNOWN)
    assert found.loss == pytest.approx(objective.value(found.kernel.values), abs=1e-8)
    assert found.loss > found.nll > fit(start, PROBLEM, UNKNOWN).nll - 1e-6
    assert found.loss < objective.value(start.values)


def test_the_evidence_of_one_number_is_its_integral() -> None:
    scales, expr = measure(X, Y - Y.mean(), ("x",), priors=learned_priors()), parse("WN")
    problem = Problem(X, Y - Y.mean(), ("x",))
    start = at_centre(unset(expr), scales, 1.0)
    found = fit(start, problem, scales)
    objective = penalised(objective_of(expr, problem), start, scales)
    width = learned_priors().rows[("WN", "sd", next(iter(learned_priors().rows))[2])].width
    logs = np.linspace(-6.0, 6.0, 4001)
    heights = np.array([-objective.value((found.kernel.values[0] * float(np.exp(u)),)) for u in logs])
    top = heights.max()
    integral = top + np.log(np.trapezoid(np.exp(heights - top), logs) / (np.sqrt(2.0 * np.pi) * width))
    assert log_evidence(found.kernel, found.nll, problem, scales) == pytest.approx(integral, abs=0.05)


DAYS = np.arange(0.0, 731.0, 4.0)
WEATHER = np.convolve(np.random.default_rng(5).normal(size=DAYS.size + 9), np.ones(10) / 2.0, mode="valid")


@pytest.mark.parametrize(("true", "named"), [(365.25, 365.25), (39.3, 40.0)])
def test_a_period_that_the_data_cannot_tell_from_the_calendars_is_the_calendars(true: float, named: float) -> None:
    """Two warm autumns make a year of 372 days likelier; in 18 turns, 39 days are seen not to be 40."""
    y = 9.0 * np.cos(2.0 * np.pi * DAYS / true) + WEATHER
    problem, scales = Problem(DAYS[:, None], y, ("day",)), measure(DAYS[:, None], y, ("day",), (named,))
    start = leaf("Per", sd=6.0, lengthscale=1.5, period=0.99 * true) + leaf("WN", sd=2.0)
    assert fit(start, problem, scales, calendar=True).kernel.values[1] == pytest.approx(true, rel=0.006)
