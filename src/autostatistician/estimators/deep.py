"""Deep Gaussian processes for numbers."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import KW_ONLY, dataclass, replace
from math import isnan
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from autostatistician._io.seeds import generator
from autostatistician._io.threads import one_thread
from autostatistician.data.inputs import InputColumns, spreads
from autostatistician.data.transform import Transform
from autostatistician.errors import InputError, check_choice
from autostatistician.estimators.distributions import JointRegressor
from autostatistician.estimators.options import check_count, check_positive
from autostatistician.estimators.plain_tables import TableRegressor, fitting, on_columns
from autostatistician.gp.posterior.projection import with_marginals
from autostatistician.gp.predictive import Predictive
from autostatistician.kernels.expr import Expr, format_expr
from autostatistician.kernels.traits import is_noise
from autostatistician.models.deep.fit import DeepFit, DeepSettings, LayerForm, fit, form_of, shallows_of, weights_of
from autostatistician.models.deep.network import bends_of, draws, joint_predictions, predictions

__all__ = ["DeepGPRegressor"]


Array = NDArray[np.float64]

KernelOfLayers = str | Expr | Sequence[str | Expr]

AUTO = "auto"

ENOUGH = 3.0  # how much higher the bound of a deeper process must be: estimates of bounds and fits differ by as much

MOST_NUMBERS = 2e8  # rows times draws times inducing points of a step

MOST_TOGETHER = 2000  # rows whose covariance is asked for

AT_ONCE = 2e6  # the same of a prediction, which takes the rows in turns


@dataclass(eq=False, repr=False)
class DeepGPRegressor(JointRegressor, TableRegressor):
    """A Gaussian process of a Gaussian process: functions whose smoothness changes from place to place, such as steps.

    Every layer but the last adds functions of its inputs to a linear map of them, and the last one, with normal noise,
    is the target. By default all have squared exponential covariances with a lengthscale for each input. The fit climbs
    a lower bound (ELBO) on the marginal likelihood by doubly stochastic variational inference (Salimbeni and Deisenroth
    2017), from the shallow process that explains the data best; the posterior of the last layer is the best one for
    the others, in closed form.

    Parameters
    ----------
    layers : int or "auto"
        One is a sparse Gaussian process (Titsias 2009). "auto" fits every number up to ``max_layers`` and keeps the
        fewest layers whose bound is within 3 of the highest; the bound of a deeper process lies farther below its
        evidence, as a rule, so the choice leans to few layers.
    kernel : str, Expr or sequence of these
        Of all layers, or one for each from the inputs on: any expression of the language without noise and without
        numbers, such as ``"SE + Lin"`` or ``["Matern32", "SE * Per + C"]``. A leaf without a column acts on all inputs
        of the layer. Inputs of hidden layers are called as the columns, with a ``width`` h1, h2, ... Columns have
        mean 0 and deviation 1 inside. All but squared exponentials of all inputs take several times as long.
    width : int or None
        Functions of a hidden layer. None is as many as there are columns.
    n_inducing : int or None
        Points that stand for the rows in the last layer at most; hidden ones have up to 50. None is 50 for one column
        and 100 for several.
    max_iter : int
        Steps of the fit from every start.
    n_restarts : int
        Starts: near the identity, further from it, with a first layer that follows the data, and so on by turns.
        Predictions mix what was found from them: a fit counts the more the higher its bound on the data is.
    learning_rate : float
        The size of the steps, in units of the logarithms of scales; it falls to nothing in the second half.
    max_layers : int
        Layers that "auto" tries at most.
    paths : int
        Draws of the hidden layers that the prediction of a fit is made of.
    random_state : int, RandomState or None
        Of all draws.

    Attributes
    ----------
    bound_ : float
        The highest lower bound on the log density of the standardised target.
    trace_ : array of shape (steps,)
        That bound on the way, each time with few other draws.
    n_layers_ : int
        Layers of what was kept.
    depths_ : DataFrame
        For every number of layers that was tried: layers, bound, weight (what the bounds say, 10 of them counted as one
        of logarithms, since how far each lies below its evidence is not known), chosen.
    fits_ : list of DeepFit
        What was found from every start, the best first.
    n_iter_ : int
        Steps that were taken from each start.
    rows_ : array (n, p)
        The inputs of the fit.
    y_ : array (n,)
        The target of the fit.
    noise_ : float
        Standard deviation of the noise of the best fit, in units of y.

    Examples
    --------
    >>> X = np.linspace(0.0, 10.0, 60)[:, None]
    >>> y = np.where(X[:, 0] > 5.0, 30.0, 10.0) + np.random.default_rng(0).normal(size=60)
    >>> model = DeepGPRegressor(n_inducing=15, max_iter=200).fit(X, y)
    >>> model.predict([[4.0], [6.0]]).round().tolist()
    [10.0, 30.0]
    """

    layers: int | str = 2
    _: KW_ONLY
    kernel: KernelOfLayers = "SE"
    width: int | None = None
    n_inducing: int | None = None
    max_iter: int = 500
    n_restarts: int = 3
    learning_rate: float = 0.02
    max_layers: int = 3
    paths: int = 200
    random_state: Any = 0

    _most_rows = None
    _is_standardised = True
    _takes_categories = False

    def _fit(self, rows: Array, y: Array) -> None:
        import pandas as pd

        self.y_ = y
        settings = [self._settings(layers, *rows.shape) for layers in self._layers()]
        self.y_mean_, self.y_scale_ = float(y.mean()), float(spreads(y[:, None])[0])
        standard = (y - self.y_mean_) / self.y_scale_
        rng = generator(self.random_state)
        self._seed = int(rng.integers(2**31))
        with fitting():
            chosen, depths = best_depth(rows, standard, settings, rng)
        told = [(each.layers, each.bound, each.weight, each is chosen) for each in depths]
        self.depths_ = pd.DataFrame(told, columns=["layers", "bound", "weight", "chosen"])
        self.n_layers_, self.fits_, best = chosen.layers, chosen.fits, chosen.fits[0]
        self.bound_, self.trace_, self.n_iter_ = best.bound, best.trace, len(best.trace)
        self.noise_ = self._noise(best)

    def _observations(self, X: Any, *, joint: bool) -> tuple[Array, Array]:
        if joint:
            return self._joint(self._new(X))
        predictive = self.predictive(X)
        return predictive.mean, predictive.std

    def sample_y(self, X: Any, n_samples: int = 1, *, random_state: Any = 0) -> Array:
        """Joint draws (m, n_samples) of new observations: each from its mixture, together as their covariance says."""
        cov, count = self._joint(self._new(X))[1], check_count("n_samples", n_samples, 1)
        return with_marginals(self.predictive(X), cov, count, generator(random_state), whole=False)

    def nonlinearity(self) -> list[float]:
        """For every hidden layer how far the mean at the rows changes with a linear map in its place, as a share.

        Of the variance of the mean, in the best fit.
        """
        check_is_fitted(self)
        best: DeepFit = self.fits_[0]
        with one_thread():
            return bends_of(best.network, best.known, self._standard(self.rows_))

    def _joint(self, rows: Array) -> tuple[Array, Array]:
        """Mean and covariance of the mixture of all fits; a path has the same draws at every row."""
        if len(rows) > MOST_TOGETHER:
            raise InputError.of(f"at most {MOST_TOGETHER} rows together", f"{len(rows)}", "ask for fewer of them")
        mean, second = np.zeros(len(rows)), np.zeros((len(rows), len(rows)))
        rng, weights = np.random.default_rng(self._seed), weights_of([fitted.bound for fitted in self.fits_])
        for fitted, weight in zip(self.fits_, weights, strict=True):
            drawn = [np.repeat(layer, len(rows), axis=1) for layer in self._paths(fitted, rng)]
            with one_thread():
                of_fit, covariance = joint_predictions(fitted.network, fitted.known, rows, drawn)
            covariance = self.y_scale_**2 * covariance + self._noise(fitted) ** 2 * np.eye(len(rows))
            of_fit = self.y_mean_ + self.y_scale_ * of_fit
            mean += weight * of_fit
            second += weight * (covariance + np.outer(of_fit, of_fit))
        return mean, second - np.outer(mean, mean)

    def predictive(self, X: Any) -> Predictive:
        """The distributions of new observations at rows: a mixture of normal ones, one for each fit and path."""
        rows = self._new(X)
        rng = np.random.default_rng(self._seed)
        with one_thread():
            each = [self._moments(fitted, rows, rng) for fitted in self.fits_]
        means, sds = (np.concatenate(moment) for moment in zip(*each, strict=True))
        weights = np.repeat(weights_of([fitted.bound for fitted in self.fits_]), len(means) // len(self.fits_))
        return Predictive(means, sds, weights / weights.sum(), Transform())

    def _moments(self, fitted: DeepFit, rows: Array, rng: np.random.Generator) -> tuple[Array, Array]:
        """Means and standard deviations (paths, m) in units of y; every row has the same draws."""
        network, noise = fitted.network, self._paths(fitted, rng)
        turns = int(np.ceil(len(rows) * (len(noise[0]) if noise else 1) * len(network.last.Z) / AT_ONCE))
        parts = []
        for part in np.array_split(rows, turns):
            drawn = [np.repeat(layer, len(part), axis=1) for layer in noise]
            parts.append(predictions(network, fitted.known, part, drawn))
        means, variances = (np.concatenate(moment, axis=1) for moment in zip(*parts, strict=True))
        return self.y_mean_ + self.y_scale_ * means, np.hypot(self.y_scale_ * np.sqrt(variances), self._noise(fitted))

    def _paths(self, fitted: DeepFit, rng: np.random.Generator) -> list[Array]:
        """Draws (paths, 1, width) of every hidden layer, the same for all rows."""
        return draws(rng, self.paths, 1, [weights.shape[1] for weights in fitted.network.linear])

    def _noise(self, fitted: DeepFit) -> float:
        return self.y_scale_ * float(np.exp(0.5 * fitted.network.last.log_noise))

    def _layers(self) -> range:
        """The numbers of layers that are tried."""
        if isinstance(self.layers, str):
            check_choice("layers", self.layers, (AUTO,))
            return range(1, check_count("max_layers", self.max_layers, 1) + 1)
        only = check_count("layers", self.layers, 1)
        return range(only, only + 1)

    def _settings(self, layers: int, n: int, columns: int) -> DeepSettings:
        """The settings of so many layers, checked."""
        check_positive("learning_rate", self.learning_rate)
        check_count("paths", self.paths, 1)
        usual = 50 if columns == 1 else 100
        settings = DeepSettings(
            layers=layers,
            width=None if self.width is None else check_count("width", self.width, 1),
            inducing=usual if self.n_inducing is None else check_count("n_inducing", self.n_inducing, 1),
            steps=check_count("max_iter", self.max_iter, 1),
            restarts=check_count("n_restarts", self.n_restarts, 1),
            rate=float(self.learning_rate),
        )
        if 2.0 * n * min(n, settings.inducing) > MOST_NUMBERS:
            raise InputError.of("rows that fit into the memory", f"{n}", "give a random sample of them")
        return replace(settings, forms=forms_of(self.kernel, layers, self.inputs_.columns, settings.width))


# --- What is asked of a deep process, checked: the kernel of every layer, how many layers there may be --------------


@dataclass(frozen=True, eq=False)
class Depth:
    """What was found with some number of layers; ``weight`` is its share of the belief as far as bounds say."""

    layers: int
    fits: list[DeepFit]
    weight: float

    @property
    def bound(self) -> float:
        """The highest bound."""
        return self.fits[0].bound


def forms_of(
    kernel: KernelOfLayers, layers: int, columns: tuple[str, ...], width: int | None
) -> tuple[LayerForm | None, ...]:
    """The form of every layer; hidden layers have the columns of the table, or with a width of their own h1, h2, ...

    Raises
    ------
    InputError
        When there are not as many kernels as layers, one has white noise or parameters, or acts on another column.

    Examples
    --------
    >>> forms_of(["SE", "SE + Lin"], 2, ("x",), None)[0] is None
    True
    """
    each = [kernel] * layers if isinstance(kernel, str | Expr) else list(kernel)
    if len(each) != layers:
        raise InputError.of(f"a kernel for each of {layers} layers", f"{len(each)}", "give one for all, or as many")
    hidden = columns if width is None else tuple(f"h{place + 1}" for place in range(width))
    return tuple(_form(expr, columns if place == 0 else hidden) for place, expr in enumerate(each))


def _form(kernel: str | Expr, columns: tuple[str, ...]) -> LayerForm | None:
    read = on_columns(kernel, InputColumns(columns, {}))
    shown = format_expr(read.expr)
    if is_noise(read):
        remedy = "leave WN out: the last layer has noise of its own"
        raise InputError.of("kernels of layers without noise", f"white noise in {shown}", remedy)
    if not all(map(isnan, read.values)):
        raise InputError.of("kernels of layers without numbers", f"some in {kernel}", "leave them out: they are fitted")
    return form_of(read.expr, columns)


def best_depth(
    X: Array, y: Array, settings: Sequence[DeepSettings], rng: np.random.Generator
) -> tuple[Depth, tuple[Depth, ...]]:
    """Fits of every number of layers, with the same draws; the shallowest whose bound is nearly the highest, and all.

    Settings differ by their number of layers alone, the most last, and the shallow processes of fewer are among its.
    How far a bound lies below its evidence is not known, and the deeper the process is the farther, as a rule: a deeper
    one that is chosen has earned it, and one that is not may still be as good.
    """
    shallows = shallows_of(X, y, settings[-1], deepcopy(rng))
    found = [fit(X, y, each, deepcopy(rng), shallows[: each.layers]) for each in settings]
    weights = weights_of([fits[0].bound for fits in found])
    depths = tuple(
        Depth(each.layers, fits, float(weight)) for each, fits, weight in zip(settings, found, weights, strict=True)
    )
    return depths[choice([depth.bound for depth in depths])], depths


def choice(bounds: Sequence[float]) -> int:
    """The place of the first bound that is nearly the highest.

    >>> choice([-20.0, 4.0, 6.0])
    1
    """
    return next(place for place, bound in enumerate(bounds) if bound >= max(bounds) - ENOUGH)
