"""Every number of a report again, from the saved model and the data alone, by the textbook.

Nothing of the library but the reading of the file is used: kernels, posteriors and scores are written out here.
"""

import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import multivariate_normal, norm
from tests.saved_models.models import kept, place

from autostatistician import AutomaticStatistician

Array = NDArray[np.float64]
Cov = Callable[[Array, Array], Array]

N = 48
DIGITS_SHOWN = 6e-5  # of a figure in four decimals
X = np.arange(N) / 12.0
Y = 20.0 + 3.0 * X + 2.0 * np.sin(2.0 * np.pi * X) + 0.4 * np.random.default_rng(5).normal(size=N)


@kept("numbers")
def model() -> AutomaticStatistician:
    settings = {"max_depth": 3, "n_restarts": 3, "n_jobs": 1, "average": False}
    return AutomaticStatistician("interpretable", **settings).fit(X[:, None], Y)


@pytest.fixture(scope="module")
def saved(model: AutomaticStatistician, tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("saved")
    model.report(folder / "report.json", horizon=6)
    parts = model.decompose()
    return {
        "model": json.loads(place("numbers").read_text()),
        "report": json.loads((folder / "report.json").read_text()),
        "forecast": model.forecast(6),
        "parts": parts,
    }


def covariance(node: dict[str, Any], x: Array, z: Array, *, noise: bool) -> Array:
    """The covariance of a saved kernel, by its published formulas; noise counts where both are the data."""
    lag = x[:, None] - z[None]
    p = node.get("values", {})
    match node["kernel"]:
        case "sum":
            return np.sum([covariance(one, x, z, noise=noise) for one in node["operands"]], axis=0)
        case "product":
            return np.prod([covariance(one, x, z, noise=noise) for one in node["operands"]], axis=0)
        case "C":
            return np.full(lag.shape, p["sd"] ** 2)
        case "WN":
            return p["sd"] ** 2 * (lag == 0.0) * noise
        case "Lin":
            return p["sd"] ** 2 * np.multiply.outer(x - p["location"], z - p["location"])
        case "SE":
            return p["sd"] ** 2 * np.exp(-0.5 * (lag / p["lengthscale"]) ** 2)
        case "Per":
            wave = np.exp(np.cos(2.0 * np.pi * lag / p["period"]) / p["lengthscale"] ** 2)
            turns = np.linspace(0.0, 2.0 * np.pi, 2001)[:-1]
            mean = np.mean(np.exp(np.cos(turns) / p["lengthscale"] ** 2))
            top = np.exp(1.0 / p["lengthscale"] ** 2)
            return p["sd"] ** 2 * (wave - mean) / (top - mean)
    raise AssertionError(f"a test for {node}")


@pytest.fixture(scope="module")
def kernel(saved: dict[str, Any]) -> dict[str, Any]:
    return dict(saved["model"]["search"]["frontier"][0]["kernel"])


@pytest.fixture(scope="module")
def target(saved: dict[str, Any]) -> tuple[Array, float]:
    offset = float(saved["model"]["dataset"]["offset"])
    return Y - offset, offset


@pytest.mark.slow
def test_likelihood_and_bic(saved: dict[str, Any], kernel: dict[str, Any], target: tuple[Array, float]) -> None:
    record = saved["report"]["record"]
    nll = -multivariate_normal(np.zeros(N), covariance(kernel, X, X, noise=True)).logpdf(target[0])
    assert record["nll"] == pytest.approx(nll, rel=1e-6)
    assert record["bic"] == pytest.approx(2.0 * nll + record["n_parameters"] * np.log(N), rel=1e-6)
    assert record["n"] == N


@pytest.mark.slow
def test_forecast(saved: dict[str, Any], kernel: dict[str, Any], target: tuple[Array, float]) -> None:
    ahead = X[-1] + np.arange(1, 7) / 12.0
    K = covariance(kernel, X, X, noise=True)
    cross = covariance(kernel, ahead, X, noise=False)
    mean = target[1] + cross @ np.linalg.solve(K, target[0])
    cov = covariance(kernel, ahead, ahead, noise=True) - cross @ np.linalg.solve(K, cross.T)
    sd = np.sqrt(cov.diagonal())
    told = saved["forecast"]
    assert told["mean"].to_numpy() == pytest.approx(mean, rel=1e-6)
    assert told["lower"].to_numpy() == pytest.approx(mean - 1.959964 * sd, rel=1e-5)
    assert told["upper"].to_numpy() == pytest.approx(mean + 1.959964 * sd, rel=1e-5)
    facts = {fact["id"]: fact for fact in saved["report"]["record"]["facts"]}
    last = [fact for name, fact in facts.items() if name.startswith("forecast/") and fact["fact"] == "ForecastRange"][
        -1
    ]
    assert last["number"] == pytest.approx(mean[-1], rel=1e-6)
    assert last["interval"] == pytest.approx([mean[-1] - 1.96 * sd[-1], mean[-1] + 1.96 * sd[-1]], rel=1e-4)


def test_parts_and_their_shares(saved: dict[str, Any], kernel: dict[str, Any], target: tuple[Array, float]) -> None:
    y, _ = target
    solved = np.linalg.solve(covariance(kernel, X, X, noise=True), y)
    terms = kernel["operands"] if kernel["kernel"] == "sum" else [kernel]
    means = {_name(term): covariance(term, X, X, noise=True) @ solved for term in terms}
    told = saved["report"]["record"]["components"]
    assert {part["expression"] for part in told} == set(means)
    total = np.zeros(N)
    for part, made in zip(told, saved["parts"], strict=True):
        total = total + means[part["expression"]]
        assert made.mean == pytest.approx(means[part["expression"]], rel=1e-5, abs=1e-5)
        assert part["r2"] == pytest.approx(100.0 * (1.0 - np.var(y - total) / np.var(y)), rel=1e-5)


def _name(term: dict[str, Any]) -> str:
    return " * ".join(_name(one) for one in term["operands"]) if "operands" in term else str(term["kernel"])


def test_facts_of_parts(saved: dict[str, Any]) -> None:
    record = saved["report"]["record"]
    for number, part in enumerate(saved["parts"], 1):
        facts = {fact["id"]: fact for fact in record["facts"] if fact["id"].startswith(f"part-{number}/")}
        size = facts.get(f"part-{number}/amplitude")
        if size is not None:
            assert (size["low"], size["high"]) == pytest.approx((part.mean.min(), part.mean.max()), rel=1e-6)
            assert size["number"] == pytest.approx(np.ptp(part.mean), rel=1e-6)
            assert (size["first"], size["last"]) == pytest.approx((part.mean[0], part.mean[-1]), rel=1e-6)


def test_ranges_of_sizes_and_probabilities_of_directions(
    saved: dict[str, Any], kernel: dict[str, Any], target: tuple[Array, float]
) -> None:
    whole = covariance(kernel, X, X, noise=True)
    terms = {_name(term): term for term in (kernel["operands"] if kernel["kernel"] == "sum" else [kernel])}
    facts = {fact["id"]: fact for fact in saved["report"]["record"]["facts"]}
    (sine, free), seen = (_least_squares(target[0], waves) for waves in (1, 3)), 0
    for number, told in enumerate(saved["report"]["record"]["components"], 1):
        own = covariance(terms[told["expression"]], X, X, noise=True)
        mean, cov = own @ np.linalg.solve(whole, target[0]), own - own @ np.linalg.solve(whole, own)
        if size := facts.get(f"part-{number}/amplitude"):
            ends = int(np.argmax(mean)), int(np.argmin(mean))
            low, high = size["interval"]
            assert (low + high) / 2.0 == pytest.approx(np.ptp(mean), rel=1e-3)
            # The numbers of the kernel are in doubt, too: what they leave open by themselves is too little. A line and
            # a wave of any shape are known no better than a sine, and no worse than one with two overtones.
            sd, name = (high - low) / 2.0 / 1.96, told["expression"]
            assert sd > _sd_of_difference(cov, *ends)
            assert 0.9 * _sd_of_difference(sine[name], *ends) < sd < 1.1 * _sd_of_difference(free[name], *ends)
            seen += 1
        for kind in ("line", "trend"):
            if (way := facts.get(f"part-{number}/{kind}")) and not way.get("steady"):
                sure = norm.cdf(abs(mean[-1] - mean[0]) / _sd_of_difference(sine[told["expression"]], -1, 0))
                assert way["probability"] == pytest.approx(sure, abs=1e-4)
                seen += 1
    assert seen >= 2


def _least_squares(y: Array, waves: int) -> dict[str, Array]:
    """The covariances of a line and of a year with so many waves, fitted to the data together by least squares."""
    turns = 2.0 * np.pi * np.multiply.outer(X, np.arange(1, waves + 1))
    design = np.column_stack([np.ones(N), X, np.cos(turns), np.sin(turns)])
    _, (left,), _, _ = np.linalg.lstsq(design, y)
    spread = left / (N - design.shape[1]) * np.linalg.inv(design.T @ design)
    parts = {"Lin": [1], "Per": list(range(2, design.shape[1]))}
    return {name: design[:, own] @ spread[np.ix_(own, own)] @ design[:, own].T for name, own in parts.items()}


def _sd_of_difference(cov: Array, one: int, other: int) -> float:
    return float(np.sqrt(cov[one, one] + cov[other, other] - 2.0 * cov[one, other]))


def test_checks_are_of_the_whitened_data(
    saved: dict[str, Any], kernel: dict[str, Any], target: tuple[Array, float]
) -> None:
    errors = np.linalg.solve(np.linalg.cholesky(covariance(kernel, X, X, noise=True)), target[0])
    sections = {section["id"]: section for section in [*saved["report"]["sections"], *saved["report"]["found"]]}
    (figure,) = [block for block in sections["checks"]["blocks"] if block["kind"] == "figure"]
    (points,) = [layer for layer in figure["panels"][0]["layers"] if layer["kind"] == "points"]
    assert points["y"] == pytest.approx(np.sort(errors), abs=DIGITS_SHOWN)
