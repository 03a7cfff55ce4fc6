"""Criteria of model choice."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, log

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import norm

from autostatistician.data.dataset import from_arrays
from autostatistician.errors import InputError
from autostatistician.fitted.fitting import fit_model
from autostatistician.gp.criteria import CRITERIA, aic, bic, evidence, laplace, loo
from autostatistician.gp.engines.choice import condition, objective_of
from autostatistician.gp.evidence import curvature, leave_one_out_deviance, log_evidence, refitted_deviance
from autostatistician.gp.fitting import fit
from autostatistician.gp.parameters.free import FreeParameters
from autostatistician.gp.parameters.scales import Scales, measure
from autostatistician.gp.problem import Problem
from autostatistician.kernels.kernel import Kernel, leaf, rescaled
from autostatistician.kernels.text import parse
from autostatistician.search.run import Settings

Array = NDArray[np.float64]
X = np.linspace(0.0, 1.0, 40)
NOISE = np.random.default_rng(0).normal(size=40)
WAVE = np.sin(2.0 * np.pi * X / 0.2) + 0.3 * NOISE

# One of every kind of number: sizes in and out of the target's unit, slopes, zeros, lengths, shapes, changes.
KERNELS = {
    "WN": leaf("WN", sd=0.7),
    "SE * Per + Lin + WN": leaf("SE", lengthscale=1.2, sd=1.0) * leaf("Per", lengthscale=0.8, period=0.2, sd=0.9)
    + leaf("Lin", sd=0.4, location=0.3)
    + leaf("WN", sd=0.3),
    "(SE + C) * (Lin + C) + WN": (leaf("SE", lengthscale=0.1, sd=1.0) + leaf("C", sd=0.5))
    * (leaf("Lin", sd=1.0, location=-1.0) + leaf("C", sd=1.0))
    + leaf("WN", sd=0.3),
    "CW(WN, RQ + WN)": Kernel.change_window(
        leaf("WN", sd=0.5), leaf("RQ", lengthscale=0.1, sd=1.0, alpha=1.0) + leaf("WN", sd=0.3), 0.5, 40.0, 0.2
    ),
}


@dataclass(frozen=True)
class Case:
    """Data with their scales."""

    points: Problem
    scales: Scales

    @classmethod
    def of(cls, x: Array, y: Array) -> "Case":
        return cls(Problem(x[:, None], y, ("x",)), measure(x[:, None], y, ("x",)))


WAVES = Case.of(X, WAVE)


# BIC and AIC


def test_formulas() -> None:
    expr = parse("SE * Per + Lin + WN")  # 4 + 2 + 1 parameters that matter
    assert bic(534.5, expr, 144) == pytest.approx(2 * 534.5 + 7 * log(144))
    assert aic(534.5, expr, 144) == pytest.approx(2 * 534.5 + 14)


def test_criteria_by_name() -> None:
    assert {name: one.exact for name, one in CRITERIA.items()} == {
        "bic": None,
        "aic": None,
        "laplace": laplace,
        "evidence": evidence,
        "loo": loo,
    }
    assert [name for name, one in CRITERIA.items() if one.has_priors] == ["evidence"]
    assert [CRITERIA[name].cheap for name in ("bic", "aic", "laplace")] == [bic, aic, bic]
    assert all(one.name == name for name, one in CRITERIA.items())


def test_before_it_is_exact_leaving_one_out_is_akaikes_criterion_with_a_charge_for_choices() -> None:
    expr = parse("SE * Lin + CP(WN, C)")
    extra = CRITERIA["loo"].cheap(10.0, expr, 40) - aic(10.0, expr, 40)
    assert extra == pytest.approx(5 * 2.0 * log(10.0))  # four leaves, one change


def test_a_criterion_without_an_exact_form_scores_by_the_likelihood() -> None:
    kernel = KERNELS["WN"]
    assert CRITERIA["bic"].score(kernel, 10.0, WAVES.points, WAVES.scales) == bic(10.0, kernel.expr, 40)


def test_more_parameters_cost_more_the_more_data_there_are() -> None:
    small, large = parse("SE + WN"), parse("SE + WN + Per")
    assert bic(10.0, large, 100) - bic(10.0, small, 100) == pytest.approx(3 * log(100))
    assert bic(10.0, large, 1000) - bic(10.0, small, 1000) == pytest.approx(3 * log(1000))
    assert aic(10.0, large, 100) == aic(10.0, large, 1000)


def test_redundant_scales_are_not_charged_for() -> None:
    assert bic(10.0, parse("SE * Lin"), 50) == bic(10.0, parse("SE + C"), 50)


# The evidence by Laplace's method


def _integrated(kernel: Kernel, case: Case, reach: float = 5.0, steps: int = 121) -> float:
    """The log evidence under the same priors, summed over a grid of all free numbers."""
    free, evidence = FreeParameters.of(kernel.expr, case.scales).priors(), objective_of(kernel.expr, case.points)
    axes = [np.linspace(one.mean - reach * one.width, one.mean + reach * one.width, steps) for one in free]
    cell = float(np.prod([axis[1] - axis[0] for axis in axes]))
    logs = []
    for place in np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, len(free)):
        values = list(kernel.values)
        for one, u in zip(free, place, strict=True):
            values[one.index] = one.value(float(u))
        prior = sum(norm.logpdf(u, one.mean, one.width) for one, u in zip(free, place, strict=True))
        logs.append(float(prior) - evidence.value(tuple(values)))
    return float(np.logaddexp.reduce(logs)) + log(cell)


@pytest.mark.slow
@pytest.mark.parametrize("start", [leaf("WN", sd=0.5), leaf("C", sd=1.0) + leaf("WN", sd=0.5)], ids=str)
def test_laplace_agrees_with_the_integral(start: Kernel) -> None:
    case = Case.of(X, NOISE + 2.0)
    found = fit(start, case.points, case.scales)
    exact = _integrated(found.kernel, case)
    # The likelihood of the size of one level is far from normal, hence the tolerance.
    assert log_evidence(found.kernel, found.nll, case.points, case.scales) == pytest.approx(exact, abs=0.25)
    assert -found.nll - exact > 1.0  # the charge that is tested


def test_what_the_data_do_not_show_costs_half_its_prior() -> None:
    """A second, tiny periodic term does not change the likelihood; each of its three numbers costs log 2."""
    plain = leaf("SE", lengthscale=0.3, sd=1.0) + leaf("WN", sd=0.3)
    more = plain + leaf("Per", lengthscale=1.0, period=0.1, sd=5e-5)
    nll = objective_of(plain.expr, WAVES.points).value(plain.values)
    once, twice = (log_evidence(one, nll, WAVES.points, WAVES.scales) for one in (plain, more))
    assert once - twice == pytest.approx(3.0 * log(2.0), abs=1e-3)


def test_numbers_at_a_bound_are_held() -> None:
    """The noise at its floor is not well known, whatever the likelihood says: it cannot go further."""
    at_floor = leaf("C", sd=1.0) + leaf("WN", sd=WAVES.scales.noise_floor)
    above = leaf("C", sd=1.0) + leaf("WN", sd=1.01 * WAVES.scales.noise_floor)
    assert [curvature(one, WAVES.points, WAVES.scales).held for one in (at_floor, above)] == [1, 0]
    costs = []
    for kernel in (at_floor, above):
        nll = objective_of(kernel.expr, WAVES.points).value(kernel.values)
        costs.append(-nll - log_evidence(kernel, nll, WAVES.points, WAVES.scales))
    assert 0.0 < costs[0] < costs[1] - 1.0


def test_a_well_known_number_costs_the_ratio_of_prior_to_posterior() -> None:
    """White noise of n observations: the Hessian by the logarithm of its size is 2 n at the optimum."""
    case = Case.of(X, NOISE)
    (prior,) = FreeParameters.of(parse("WN"), case.scales).priors()
    found = fit(leaf("WN", sd=0.5), case.points, case.scales)
    spread = 1.0 + 2 * 40 * prior.width**2
    z = (log(found.kernel.values[0]) - prior.mean) / prior.width
    cost = 0.5 * log(spread) + 0.5 * z**2 * (1.0 - 1.0 / spread)
    assert -found.nll - log_evidence(found.kernel, found.nll, case.points, case.scales) == pytest.approx(cost, abs=1e-4)


@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS.keys())
def test_every_free_number_has_a_belief_whose_coordinate_goes_there_and_back(kernel: Kernel) -> None:
    found = FreeParameters.of(kernel.expr, WAVES.scales).priors()
    assert len(found) == aic(0.0, kernel.expr, 40) / 2
    for one in found:
        value = kernel.values[one.index]
        assert one.value(one.coordinate(value)) == pytest.approx(value)
        assert abs(one.coordinate(value) - one.mean) < 3.0 * one.width


# Leave one out


def _one_by_one(kernel: Kernel, x: Array, y: Array, fitted: Callable[[Kernel, Problem], Kernel] | None = None) -> float:
    """The definition: every observation predicted after conditioning anew on the others."""
    total = 0.0
    for index in range(len(y)):
        rest = np.arange(len(y)) != index
        problem = Problem(x[rest, None], y[rest], ("x",))
        one = kernel if fitted is None else fitted(kernel, problem)
        mean, sd = condition(one, problem).observations(x[[index], None])
        total += float(norm.logpdf(y[index], mean[0], sd[0]))
    return -2.0 * total


@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS.keys())
def test_loo_is_what_refactorising_gives(kernel: Kernel) -> None:
    assert leave_one_out_deviance(kernel, WAVES.points) == pytest.approx(_one_by_one(kernel, X, WAVE), rel=1e-8)


def test_refitting_is_charged_for_as_if_it_were_done() -> None:
    y = 3.0 * X + NOISE
    case = Case.of(X, y)
    found = fit(leaf("Lin", sd=3.0, location=0.0) + leaf("WN", sd=1.0), case.points, case.scales).kernel
    total = _one_by_one(found, X, y, lambda kernel, problem: fit(kernel, problem, case.scales).kernel)
    charge = total - leave_one_out_deviance(found, case.points)
    assert charge > 1.0
    assert refitted_deviance(found, case.points, case.scales) == pytest.approx(total, abs=0.25 * charge)


def test_the_charge_for_the_size_of_noise_is_that_of_aic() -> None:
    """With G = sum of squared slopes of n log densities, and H = 2 n: 2 G / H, and G is about 2 n for normal noise."""
    y = NOISE / np.sqrt(np.mean(NOISE**2))
    case, kernel = Case.of(X, y), leaf("WN", sd=1.0)
    slopes = float(np.sum((y**2 - 1.0) ** 2))
    (prior,) = FreeParameters.of(kernel.expr, case.scales).priors()
    charge = refitted_deviance(kernel, case.points, case.scales) - leave_one_out_deviance(kernel, case.points)
    assert charge == pytest.approx(2.0 * slopes / (2 * 40 + prior.width**-2), rel=1e-4)


def test_without_a_covariance_every_score_is_infinite() -> None:
    hopeless = leaf("SE", lengthscale=1.0, sd=inf)
    assert leave_one_out_deviance(hopeless, WAVES.points) == inf
    assert refitted_deviance(hopeless, WAVES.points, WAVES.scales) == inf
    assert loo(hopeless, inf, WAVES.points, WAVES.scales) == inf
    assert laplace(hopeless, inf, WAVES.points, WAVES.scales) == inf


# Units


@pytest.mark.parametrize("name", CRITERIA)
@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS.keys())
@pytest.mark.parametrize(("by", "shift", "unit"), [(64.0, 1949.0, 1024.0), (1e-3, -1.0, 1e-6)])
def test_units_shift_all_scores_alike(name: str, kernel: Kernel, by: float, shift: float, unit: float) -> None:
    other, case = rescaled(rescaled(kernel, by, shift), y_scale=unit), Case.of(by * X + shift, unit * WAVE)
    scores = []
    for one, data in ((kernel, WAVES), (other, case)):
        nll = objective_of(one.expr, data.points).value(one.values)
        scores.append(CRITERIA[name].score(one, nll, data.points, data.scales))
    assert scores[1] - scores[0] == pytest.approx(2 * 40 * log(unit), abs=1e-3)


# What they choose

SAMPLES = {"noise": NOISE, "line": 10.0 * X + NOISE, "wave": WAVE}
# The strict criteria name the truth (or, for the line, its square, which fits these data a little better).
STRICT = {"noise": {"WN"}, "line": {"Lin + WN", "Lin * Lin + WN"}, "wave": {"Per + WN"}}
# AIC and leaving one out forgive additions, but what is there has to be in the model.
LENIENT = {"noise": "WN", "line": "Lin", "wave": "Per"}


@pytest.mark.long
@pytest.mark.parametrize("name", CRITERIA)
@pytest.mark.parametrize("sample", SAMPLES)
def test_every_criterion_finds_what_is_there(name: str, sample: str) -> None:
    settings = Settings(max_depth=2, restarts=4, n_jobs=1, criterion=name)
    found = str(fit_model(from_arrays(X, SAMPLES[sample]), "full", settings).search.best.kernel)
    if name == "evidence" and sample == "noise":
        assert found == "C + WN"  # before the data are seen, a level is all but certain; it is no structure
    elif name in ("bic", "laplace") or sample == "noise":
        assert found in STRICT[sample]
    assert LENIENT[sample] in found


@pytest.mark.slow
def test_the_scores_of_a_search_are_those_of_its_criterion_in_the_units_of_the_data() -> None:
    result = fit_model(from_arrays(X, 100.0 * WAVE), "full", Settings(1, 2, "loo", n_jobs=1)).search
    points, scales = Problem(X[:, None], 100.0 * WAVE, ("x",)), measure(X[:, None], 100.0 * WAVE, ("x",))
    for one in result.frontier:
        assert one.score == pytest.approx(loo(one.kernel, one.nll, points, scales), abs=1e-3)


@pytest.mark.parametrize(("name", "meant"), [("lap", "laplace"), ("LOO", "loo"), ("loocv", "loo"), ("aicc", "aic")])
def test_an_unknown_criterion_is_answered_by_the_nearest(name: str, meant: str) -> None:
    with pytest.raises(InputError, match=f"did you mean '{meant}'"):
        fit_model(from_arrays(X, WAVE), "full", Settings(criterion=name))
