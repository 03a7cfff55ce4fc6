"""The seam holds: another engine and another likelihood go through search, report and forecast as they are."""

from dataclasses import dataclass, replace
from math import inf
from typing import ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.describe.sentences import check_document

from autostatistician.data.dataset import Dataset
from autostatistician.data.times.axes import plain_axis
from autostatistician.data.transform import Transform
from autostatistician.describe.tell import document, sentences
from autostatistician.fitted.explanation import explain
from autostatistician.fitted.fitting import fit_model
from autostatistician.fitted.model import Model
from autostatistician.fitted.predictions import Options, Predictor
from autostatistician.gp.covariance import NotPositiveDefinite
from autostatistician.gp.engines import choice
from autostatistician.gp.posterior.posterior import ExactPosterior, conditioned_on, covariance_of
from autostatistician.gp.predictive import Predictive
from autostatistician.gp.problem import Problem
from autostatistician.kernels.expr import Expr, Leaf
from autostatistician.kernels.kernel import Kernel, parameters
from autostatistician.kernels.traits import is_noise
from autostatistician.report.render import to_html
from autostatistician.search.settings import Settings

Array = NDArray[np.float64]

# --- an engine: one dense matrix, and slopes by differences ------------------------------------------------------


class Dense:
    """It can bear any noise that is normal, and says that it costs nothing."""

    name = "dense"
    is_exact = True

    def cost(self, expr: Expr, problem: Problem) -> float | None:
        return 0.0

    def objective(self, expr: Expr, problem: Problem) -> "DenseObjective":
        return DenseObjective(expr, problem)

    def condition(self, kernel: Kernel, problem: Problem) -> ExactPosterior:
        return conditioned_on(kernel, problem, covariance_of(kernel, problem))


@dataclass
class DenseObjective:
    """The misfit from that posterior."""

    expr: Expr
    problem: Problem
    evaluations: int = 0

    def value(self, values: tuple[float, ...]) -> float:
        self.evaluations += 1
        try:
            return -Dense().condition(Kernel(self.expr, values), self.problem).log_evidence
        except NotPositiveDefinite:
            return inf

    def value_and_gradient(self, values: tuple[float, ...]) -> tuple[float, Array]:
        step, slopes = 1e-6, []
        for index, one in enumerate(parameters(self.expr)):
            moved = [list(values), list(values)]
            for sign, place in zip((-1.0, 1.0), moved, strict=True):
                place[index] += sign * step * (values[index] if one.role.positive else 1.0)
            low, high = (self.value(tuple(place)) for place in moved)
            slopes.append((high - low) / (2.0 * step) if np.isfinite(high - low) else 0.0)
        return self.value(values), np.array(slopes)

    def renewed(self, values: tuple[float, ...]) -> None:
        pass


# --- a likelihood: noise of a known size, which no leaf stands for -----------------------------------------------


@dataclass(frozen=True)
class KnownNoise:
    """Observations with normal noise of a known standard deviation; its models hold no noise of their own."""

    sd: float
    is_latent: ClassVar[bool] = False

    def admits(self, expr: Expr) -> bool:
        return not is_noise(expr)

    def start(self, expr: Expr) -> Expr:
        return Leaf("C")

    def halves(self, kernel: Kernel) -> tuple[Kernel | None, Kernel | None]:
        return kernel, None

    def variance(self, X: Array) -> Array:
        return np.full(len(X), self.sd**2)

    def standardised(self, y: Array) -> tuple[float, "KnownNoise"]:
        unit = float(np.sqrt(np.mean(y**2))) or 1.0
        return unit, KnownNoise(self.sd / unit)

    def mapped(self, transform: Transform) -> "KnownNoise":
        return self

    def predictive(
        self, means: Array, sds: Array, weights: Array, offset: float = 0.0, limits: tuple[float, float] = (-inf, inf)
    ) -> Predictive:
        return Predictive(means, sds, weights, Transform(), offset, *limits)


# --- through the house ------------------------------------------------------------------------------------------

X = np.arange(40.0)
Y = 20.0 + 0.5 * X + np.random.default_rng(0).normal(0.0, 1.0, 40)
SERIES = Dataset(X[:, None], Y, ("t",), "y", plain_axis("t", X))
SETTINGS = Settings(max_depth=1, restarts=2, n_jobs=1, transform="none", outliers="keep")


def _page(model: Model) -> str:
    predictor = Predictor(model, Options())
    ahead = predictor.ahead(5)[1]
    np.testing.assert_allclose(ahead.mean, 20.0 + 0.5 * (40.0 + np.arange(5.0)), atol=2.5)
    assert ((ahead.std > 0.7) & (ahead.std < 2.0)).all()
    found = explain(predictor, 5)
    assert any("linear" in one for one in sentences(found))
    page = document(found)
    check_document(page)
    return to_html(page)


@pytest.mark.slow
def test_another_engine_finds_the_same_model(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = fit_model(SERIES, "linear", SETTINGS)
    monkeypatch.setattr(choice, "ENGINES", (Dense(), *choice.ENGINES))
    asked: list[str] = []
    monkeypatch.setattr(
        Dense, "objective", lambda self, expr, problem: asked.append(str(expr)) or DenseObjective(expr, problem)
    )
    model = fit_model(SERIES, "linear", SETTINGS)
    assert len(asked) > 3
    assert str(model.kernel) == str(expected.kernel)
    assert model.search.best.score == pytest.approx(expected.search.best.score, abs=1e-3)
    assert "increasing" in _page(model)


@pytest.mark.slow
def test_another_likelihood_needs_no_leaf_of_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "ENGINES", (*choice.ENGINES, Dense()))
    model = fit_model(SERIES, "linear", SETTINGS, likelihood=KnownNoise(1.0))
    assert not is_noise(model.kernel.expr)
    assert "Lin" in str(model.kernel)
    alone = replace(model.problem, likelihood=KnownNoise(5.0))
    assert Dense().condition(model.kernel, alone).log_evidence < model.posterior.log_evidence
    page = _page(model)
    assert "increasing" in page
    assert "random noise" not in page.lower()


def test_without_an_engine_that_can_bear_it_a_likelihood_is_refused() -> None:
    with pytest.raises(Exception, match="expected an engine that can compute this model; found none among lag space"):
        fit_model(SERIES, "linear", SETTINGS, likelihood=KnownNoise(1.0))
