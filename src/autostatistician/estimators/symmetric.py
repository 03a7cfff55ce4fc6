"""A regressor for functions with a known symmetry, or with a known factor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils.validation import check_is_fitted

from autostatistician.data.categories import UNSEEN
from autostatistician.data.inputs import Inputs, new_inputs, read_inputs, read_target
from autostatistician.errors import InputError
from autostatistician.estimators.kernels import on_columns
from autostatistician.inference.covariance import NotPositiveDefinite, column_index, prior_variance
from autostatistician.inference.engines.exact import check_rows
from autostatistician.inference.posterior import projection
from autostatistician.language.expr import Expr, Leaf, Sum
from autostatistician.language.kernel import Kernel, parameters, unset
from autostatistician.language.leaves import LEAVES
from autostatistician.language.text import parse_kernel
from autostatistician.seeds import generator
from autostatistician.symmetry.elements import Group
from autostatistician.symmetry.evidence import Latent, fit
from autostatistician.symmetry.views import (
    Chain,
    Multiplier,
    OrbitProduct,
    OrbitSum,
    Projection,
    View,
)
from autostatistician.threads import one_thread

__all__ = ["CONSTRUCTIONS", "SymmetricGPRegressor"]

Array = NDArray[np.float64]

CONSTRUCTIONS: dict[str, Callable[[Group], View]] = {
    "sum": OrbitSum,
    "projection": Projection,
    "product": OrbitProduct,
}
MOST_POINTS = 5000  # rows times elements: the latent covariance of more does not fit


class SymmetricGPRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
    """A Gaussian process whose functions do not change, or change sign, under a finite group of maps of the columns.

    Every prediction has the symmetry, so the data of one place count at all its images (Ginsbourger et al. 2012;
    Duvenaud 2014, section 2.7).

    Parameters
    ----------
    kernel : str, Expr, Kernel or None
        The latent kernel, such as ``"SE[a] * SE[b] + WN"``; numbers that it has are where the fit begins. Columns are
        those of the frame, or ``x1``, ``x2``, ... (``x`` when there is one). None is a constant, a product of SE over
        all columns (of categories: Cat), and white noise. The mean is zero: a constant is a part of the kernel.
    group : Group or None
        Made by `reflection`, `swap`, `permutations`, `rotations`, `translations`, `group` or `generated`, or a product
        of such groups; it leaves columns of categories as they are. None is no symmetry.
    construction : str
        "sum" over the orbit, "projection" to one point of it, or "product" over it (`OrbitSum`, `Projection`,
        `OrbitProduct`).
    multiplier : callable or None
        A known function ``a`` from rows (n, d) to numbers (n,): the model is ``a(x) f(x)`` with noise. Categories are
        codes in these rows: places in ``inputs_.levels``.
    unseen : str
        What to do at prediction with a category that the data did not have: "error", or "new".
    restarts : int
        Starts of the optimisation.
    random_state : int, RandomState or None
        Of the starts.

    Examples
    --------
    >>> from autostatistician.symmetry import reflection
    >>> X = np.linspace(0.0, 3.0, 12)[:, None]
    >>> model = SymmetricGPRegressor(group=reflection(1)).fit(X, np.cos(2.0 * X[:, 0]))
    >>> model.predict([[-1.0], [1.0]]).round(2).tolist()
    [-0.42, -0.42]
    """

    def __init__(
        self,
        kernel: str | Expr | Kernel | None = None,
        *,
        group: Group | None = None,
        construction: str = "sum",
        multiplier: Callable[[Array], Array] | None = None,
        unseen: str = "error",
        restarts: int = 3,
        random_state: Any = 0,
    ) -> None:
        self.kernel = kernel
        self.group = group
        self.construction = construction
        self.multiplier = multiplier
        self.unseen = unseen
        self.restarts = restarts
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the numbers of the kernel by the marginal likelihood.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            Columns of text, truth values and categories are categories; no cell may be missing.
        y : array of shape (n,)

        Raises
        ------
        InputError
            When a setting is out of its range, the group or the kernel has other columns than the data, the group acts
            on categories, noise stands inside a sum that is multiplied, or the rows with all their images are more than
            one matrix can hold.
        """
        X, self.inputs_ = read_inputs(self, X)
        check_rows(len(X))
        y = read_target(self, y, X)
        self._check_settings()
        self.columns_ = self.inputs_.columns
        latent = Latent.of(self._kernel())
        self.view_ = self._view()
        self._check_points(X)
        rng = generator(self.random_state)
        self.X_train_ = X.copy()
        data = (self.X_train_, y, self.columns_)
        with one_thread():  # the same numbers on any machine
            try:
                self.fitted_ = fit(latent, self.view_, *data, restarts=int(self.restarts), rng=rng)
            except NotPositiveDefinite as error:
                raise InputError.of("data that a model can be fitted to", str(error), "scale or clean them") from error
        self.log_evidence_ = self.fitted_.posterior.log_evidence
        return self

    @property
    def kernel_(self) -> Kernel:
        """The latent kernel with the numbers that were found, its noise last."""
        check_is_fitted(self)
        return self.fitted_.latent.kernel

    def predict(self, X: Any, return_std: bool = False, return_cov: bool = False) -> Any:
        """The mean (m,) of new observations; also their standard deviation (m,), or covariance (m, m)."""
        rows, known = self._known(X)
        noise = self.fitted_.latent.noise
        variance = np.zeros(len(rows)) if noise is None else prior_variance(noise, rows, self.columns_)
        with one_thread():
            if return_cov:
                self._check_points(rows)
                return known.mean, known.covariance() + np.diag(variance)
            return (known.mean, np.sqrt(known.variance + variance)) if return_std else known.mean

    def sample_y(self, X: Any, n_samples: int = 1, random_state: Any = 0) -> Array:
        """Joint draws (m, n_samples) of the function, without noise, from its posterior."""
        rows, known = self._known(X)
        self._check_points(rows)
        with one_thread():
            return known.draws(generator(random_state), n_samples).T

    def _known(self, X: Any) -> tuple[Array, projection.Projection]:
        """The rows as numbers, and the posterior of the function there."""
        check_is_fitted(self)
        rows = new_inputs(self, X, self.inputs_, self.unseen)
        with one_thread():
            return rows, self.fitted_.posterior.project(self.fitted_.latent.signal, rows)

    def _check_settings(self) -> None:
        if self.construction not in CONSTRUCTIONS:
            raise InputError.of(f"one of {', '.join(CONSTRUCTIONS)}", repr(self.construction), "choose one of them")
        if not (isinstance(self.restarts, int | np.integer) and self.restarts >= 1):
            raise InputError.of("restarts of at least 1", repr(self.restarts), "change the setting")
        if self.group is not None and not isinstance(self.group, Group):
            raise InputError.of("a Group or None", f"{type(self.group).__name__}", "make one with `group` or by name")
        if self.unseen not in UNSEEN:
            raise InputError.of("unseen='error' or unseen='new'", repr(self.unseen), "choose one of them")
        if self.group is not None and self.group.columns == len(self.inputs_.columns):
            _check_left_alone(self.group, self.inputs_)

    def _kernel(self) -> Kernel:
        """The latent kernel, its leaves on columns of their kind."""
        match self.kernel:
            case str():
                kernel = parse_kernel(self.kernel)
            case Kernel():
                kernel = self.kernel
            case None:
                return on_columns(Sum((Leaf("C"), Leaf("SE"), Leaf("WN"))), self.inputs_)
            case _:
                kernel = unset(self.kernel)
        _check_columns(kernel, self.columns_)
        return on_columns(kernel, self.inputs_)

    def _view(self) -> View:
        views: list[View] = [] if self.multiplier is None else [Multiplier(self.multiplier)]
        if self.group is not None:
            views.append(CONSTRUCTIONS[self.construction](self.group))
        return Chain(*views)

    def _check_points(self, X: Array) -> None:
        count, rows = self.view_(X).weights.size, len(X)
        if count > MOST_POINTS:
            found = f"{count} ({rows} rows, {count // rows} images of each)"
            raise InputError.of(f"at most {MOST_POINTS} points", found, "give fewer rows, or construction='projection'")


def _check_columns(kernel: Kernel, columns: tuple[str, ...]) -> None:
    for parameter in parameters(kernel.expr):
        node = parameter.node
        if not isinstance(node, Leaf) or LEAVES[node.symbol].has_column:
            column_index(getattr(node, "column", None), columns)


def _check_left_alone(group: Group, inputs: Inputs) -> None:
    """Raise where a map takes categories to others, or lets them change other columns."""
    moved = group.matrices - np.eye(group.columns)
    for place, name in enumerate(inputs.columns):
        acts = moved[:, place].any() or moved[:, :, place].any() or group.offsets[:, place].any()
        if acts and name in inputs.levels:
            remedy = "name the columns of numbers for the group, such as swap(3, (0,), (2,)); places count from 0"
            raise InputError.of("a group that leaves categories as they are", f"one that acts on {name!r}", remedy)
