"""The evidence of ten models, by the two ways that the library has, against long importance sampling.

For each case a series is made (a level, a random walk, a rise, noise; on months a season; for changes a step or a
raised stretch), a model is fitted to it under the learned priors of numbers, and its numbers are integrated out: by
Laplace's method (`log_evidence`), with few draws and sums over places of changes (`refined_log_evidence`), and by
importance sampling in rounds, each around the mean and covariance of the one before, a part of the draws from the
prior. The effective share of the last draws says how far that can be believed: below a hundredth hardly.

Usage: python benchmarks/evidence.py [--draws 6000] [--summary]
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from math import isfinite, log
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.special import logsumexp
from scipy.stats import multivariate_normal, multivariate_t

from autostatistician.data.load import load
from autostatistician.inference.engines.choice import objective_of
from autostatistician.inference.fitting.optimise import Fit, fit
from autostatistician.inference.parameters.free import FreeParameters
from autostatistician.inference.parameters.learned import learned_priors
from autostatistician.inference.parameters.scales import Scales
from autostatistician.inference.problem import Problem
from autostatistician.inference.uncertainty.curvature import Curvature, curvature
from autostatistician.inference.uncertainty.evidence import determined_parameters, log_evidence, refined_log_evidence
from autostatistician.language.expr import ChangePoint, ChangeWindow
from autostatistician.language.kernel import Kernel, unset
from autostatistician.language.text import parse
from autostatistician.search.starting.standardisation import standard
from autostatistician.search.starting.starts import at_centre
from common import Ledger, arguments, code_version, run_command

Array = NDArray[np.float64]
Row = dict[str, Any]
Draws = tuple[Array, Array]  # places (m, p), log densities (m,) of what they were drawn from

CASE = ("model", "n")
COLUMNS = ("code", "season", "sampled", "effective", "laplace", "refined", "numbers", "determined", "ms", "refined_ms")
MODELS = {  # and whether they have a season, which takes months
    "Wiener + C + WN": False,
    "IOU + C + WN": False,
    "SE + C + WN": False,
    "Wiener + Lin + C + WN": False,
    "Wiener + IOU + C + WN": False,
    "SE * Per + Wiener + C + WN": True,
    "Per + IOU + C + WN": True,
    "SE * Lin + Wiener + C + WN": False,
    "CP(C, C) + WN": False,
    "CW(C, C) + WN": False,
}
ROWS, FEWEST_OF_SEASON = (15, 40, 100, 200), 40
DEGREES, FROM_PRIOR, WIDER = 5.0, 0.2, 1.2  # of the draws of each round: their tails, how many, factor of variances
ROUNDS = (0.25, 0.25, 0.5, 1.0)  # of the draws
STARTS = 9  # places of a change from which fits begin


def series(text: str, n: int) -> Array:
    """The values (n,) of a case."""
    rng, t = np.random.default_rng([23, n]), np.arange(n)
    if "CP" in text or "CW" in text:
        return np.asarray(10.0 + rng.standard_normal(n) + 3.0 * ((t > 0.6 * n) & ((t < 0.8 * n) | ("CP" in text))))
    values = 100.0 + np.cumsum(rng.standard_normal(n)) + 0.3 * t + rng.standard_normal(n)
    return np.asarray(values + 3.0 * np.sin(2.0 * np.pi * t / 12.0) if MODELS[text] else values)


def fitted(text: str, n: int) -> tuple[Fit, Problem, Scales]:
    """The best of some fits, which differ in where a change begins."""
    dates = pd.date_range("1960-01-31", periods=n, freq="ME" if MODELS[text] else "YE")
    data = load(pd.DataFrame({"date": dates, "value": series(text, n)}), time="date", target="value")
    _, problem, scales = standard(data, priors=learned_priors())
    start = at_centre(unset(parse(text)), scales, scales.only.seasons[0] if scales.only.seasons else 1.0)
    places = np.linspace(0.1, 0.9, STARTS) if "CP" in text or "CW" in text else (0.5,)
    fits = [fit(_changing_at(start, float(place)), problem, scales, 100) for place in places]
    return min(fits, key=lambda one: one.loss), problem, scales


def _changing_at(kernel: Kernel, place: float) -> Kernel:
    return kernel.mapped(
        lambda number, value: (
            place if number.name == "location" and isinstance(number.node, ChangePoint | ChangeWindow) else value
        )
    )


def sampled(kernel: Kernel, problem: Problem, scales: Scales, draws: int) -> tuple[float, float]:
    """The log evidence by importance sampling, and the effective share of the last draws."""
    around = everything(curvature(kernel, problem, scales), scales)
    height = log_posterior(around, problem)
    rng, size = np.random.default_rng(29), len(around.free)
    mean, spread = around.place, np.linalg.inv(np.eye(size) + _positive(around.hessian))
    for share in ROUNDS:
        places, density = proposed(mean, WIDER * spread, int(share * draws), rng)
        logs = np.array([height(place) for place in places]) - density
        weights = np.exp(logs - logs.max())
        effective = float(weights.sum() ** 2 / np.sum(weights**2)) / len(weights)
        if effective * len(weights) > 5 * size:
            mean = weights @ places / weights.sum()
            apart = places - mean
            spread = (apart * (weights / weights.sum())[:, None]).T @ apart + 1e-9 * np.eye(size)
    return float(logsumexp(logs)) - log(len(logs)), effective


def everything(around: Curvature, scales: Scales) -> Curvature:
    """The same with the numbers that a bound holds among the others; of these curvature says nothing."""
    known = FreeParameters.of(around.kernel.expr, scales).priors(around.kernel.values)
    free = [known.index(one) for one in around.free]
    hessian = np.zeros((len(known), len(known)))
    hessian[np.ix_(free, free)] = around.hessian
    place = np.array([(one.coordinate(around.kernel.values[one.index]) - one.mean) / one.width for one in known])
    return Curvature(place, hessian, around.kernel, 0, known)


def log_posterior(around: Curvature, problem: Problem) -> Callable[[Array], float]:
    """The log of likelihood times prior at places (p,), what is beyond a bound as if it lay there."""
    objective, free = objective_of(around.kernel.expr, problem), around.free
    means, widths = np.array([one.mean for one in free]), np.array([one.width for one in free])
    low, high = np.array([one.low for one in free]), np.array([one.high for one in free])

    def height(place: Array) -> float:
        inside = np.clip(means + widths * place, low, high)
        value = objective.value(free.values(inside, around.kernel.values))
        prior = -0.5 * float(place @ place) - 0.5 * len(place) * log(2.0 * np.pi)
        return prior - value if isfinite(value) else -np.inf

    return height


def proposed(mean: Array, spread: Array, count: int, rng: np.random.Generator) -> Draws:
    """Draws of a Student t with some of the prior, and the densities of this mixture."""
    size = len(mean)
    around, prior = multivariate_t(mean, spread, df=DEGREES), multivariate_normal(np.zeros(size), np.eye(size))
    of_prior = rng.random(count) < FROM_PRIOR
    places = around.rvs(count, random_state=rng).reshape(count, size)
    places[of_prior] = rng.standard_normal((int(of_prior.sum()), size))
    parts = [around.logpdf(places) + log(1.0 - FROM_PRIOR), prior.logpdf(places) + log(FROM_PRIOR)]
    return places, np.logaddexp(*parts)


def _positive(hessian: Array) -> Array:
    values, axes = np.linalg.eigh(hessian)
    return np.asarray(axes * np.maximum(values, -0.5) @ axes.T)


def run(row: Row, draws: int) -> Row:
    """One model, three ways."""
    best, problem, scales = fitted(row["model"], row["n"])
    asked = best.kernel, best.nll, problem, scales
    whole, effective = sampled(best.kernel, problem, scales, draws)
    began = time.process_time()
    plain = log_evidence(*asked)
    between = time.process_time()
    refined = refined_log_evidence(*asked)
    return {
        **row,
        "season": int(MODELS[row["model"]]),
        "sampled": round(whole, 3),
        "effective": round(effective, 4),
        "laplace": round(plain - whole, 3),
        "refined": round(refined - whole, 3),
        "numbers": len(FreeParameters.of(best.kernel.expr, scales).indices),
        "determined": round(determined_parameters(best.kernel, problem, scales), 2),
        "ms": round(1e3 * (between - began), 1),
        "refined_ms": round(1e3 * (time.process_time() - between), 1),
    }


def run_all(given: argparse.Namespace) -> None:
    """The cases that the table does not have."""
    ledger, code = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh), code_version(("inference", "language"))
    cases = [(text, n) for text, season in MODELS.items() for n in ROWS if n >= FEWEST_OF_SEASON or not season]
    for row in ledger.left([{"model": text, "n": n, "code": code} for text, n in cases]):
        ledger.write(run(row, given.draws))


def summary(rows: Sequence[Row]) -> list[Row]:
    """Of every model what either way is off, over the numbers of rows."""
    found = []
    for text in dict.fromkeys(row["model"] for row in rows):
        group = [row for row in rows if row["model"] == text]
        found.append(
            {
                "model": text,
                "effective": min(float(row["effective"]) for row in group),
                "laplace": " ".join(f"{float(row['laplace']):+.2f}" for row in group),
                "refined": " ".join(f"{float(row['refined']):+.2f}" for row in group),
                "determined": " ".join(f"{float(row['determined']):.1f}" for row in group)
                + f" of {group[0]['numbers']}",
                "ms": " ".join(f"{float(row['ms']):.0f}/{float(row['refined_ms']):.0f}" for row in group),
            }
        )
    return found


def main() -> None:
    """Run what is missing in the table, or show what it says."""
    parser = arguments(__doc__, "evidence.csv", languages=())
    parser.add_argument("--draws", type=int, default=6000, help="of the last round of importance sampling")
    run_command(parser, run_all, summary)


if __name__ == "__main__":
    main()
