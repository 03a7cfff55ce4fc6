"""A regressor for functions with a known symmetry, or with a known factor."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from autostatistician._io.seeds import generator
from autostatistician._io.threads import one_thread
from autostatistician.data.inputs import InputColumns
from autostatistician.errors import InputError, check_choice
from autostatistician.estimators.distributions import JointRegressor
from autostatistician.estimators.options import check_count
from autostatistician.estimators.plain_tables import TableRegressor, fitting, on_columns
from autostatistician.gp.covariance import prior_variance
from autostatistician.gp.parameters import learned_table_priors
from autostatistician.gp.posterior import projection
from autostatistician.kernels.expr import Expr, Leaf, Sum
from autostatistician.kernels.kernel import Kernel, parameters, unset
from autostatistician.kernels.leaves import LEAVES
from autostatistician.kernels.text import parse_kernel
from autostatistician.kernels.traits import column_index
from autostatistician.models.symmetry.elements import Group
from autostatistician.models.symmetry.posterior import Latent, fit, level, symmetric_function
from autostatistician.models.symmetry.search import reported, search_symmetries
from autostatistician.models.symmetry.views import Chain, Multiplier, OrbitProduct, OrbitSum, Projection, View

__all__ = ["CONSTRUCTIONS", "SymmetricGPRegressor"]

Array = NDArray[np.float64]

CONSTRUCTIONS: dict[str, Callable[[Group], View]] = {"sum": OrbitSum, "projection": Projection, "product": OrbitProduct}
STRUCTURES = ("find",)
MOST_POINTS = 5000  # rows times elements: the latent covariance of more does not fit


@dataclass(eq=False, repr=False)
class SymmetricGPRegressor(JointRegressor, TableRegressor):
    """A Gaussian process whose functions do not change, or change sign, under a finite group of maps of the columns.

    Every prediction has the symmetry, so the data of one place count at all its images (Ginsbourger et al. 2012;
    Duvenaud 2014, section 2.7).

    Parameters
    ----------
    kernel : str, Expr, Kernel or None
        The latent kernel, such as ``"SE[a] * SE[b] + WN"``; parameters that it has are where the fit begins. Columns
        are those of the frame, or ``x1``, ``x2``, ... (``x`` when there is one). None is a constant, a product of SE
        over all columns (of categories: Cat), and white noise. The mean is zero: a constant is a part of the kernel.
    group : Group or None
        Made by `reflection`, `swap`, `permutations`, `rotations`, `translations`, `group` or `generated`, or a product
        of such groups; it leaves columns of categories as they are. None is no symmetry.
    structure : "find" or None
        "find" looks for the symmetries of the columns by marginal likelihoods, instead of ``kernel``, ``group``,
        ``multiplier`` and ``construction``: exchanges, mirrors, shifts, periods, and groups that these generate
        (Duvenaud's draft of 2014, section 2.3). `symmetries_` tells them, each with its probability; `found_` holds all
        groups that were looked at. At most 12 columns of numbers.
    construction : str
        "sum" over the orbit, "projection" to one point of it, or "product" over it (`OrbitSum`, `Projection`,
        `OrbitProduct`).
    multiplier : callable or None
        A known function ``a`` from rows (n, d) to numbers (n,): the model is ``a(x) f(x)`` with noise. Categories are
        codes in these rows: places in ``inputs_.levels``.
    unseen : str
        What to do at prediction with a category that the data did not have: "error", or "new".
    learned_priors : bool
        Whether parameters have the priors that were learned from tables: the most probable ones are then fitted,
        otherwise the most likely ones.
    n_restarts : int
        Starts of the optimisation.
    random_state : int, RandomState or None
        Of the starts.

    Examples
    --------
    >>> from autostatistician.models.symmetry import reflection
    >>> X = np.linspace(0.0, 3.0, 12)[:, None]
    >>> model = SymmetricGPRegressor(group=reflection(1)).fit(X, np.cos(2.0 * X[:, 0]))
    >>> model.predict([[-1.0], [1.0]]).round(2).tolist()
    [-0.42, -0.42]
    >>> rows = np.random.default_rng(0).uniform(0.0, 2.0, (40, 2))
    >>> found = SymmetricGPRegressor(structure="find").fit(rows, np.exp(np.sin(3.0 * (rows[:, 0] - rows[:, 1]))))
    >>> print(found.symmetries_[0])
    Of x1 and x2 only the difference matters (P = more than 99.9%).
    """

    kernel: str | Expr | Kernel | None = None
    _: KW_ONLY
    group: Group | None = None
    structure: str | None = None
    construction: str = "sum"
    multiplier: Callable[[Array], Array] | None = None
    unseen: str = "error"
    learned_priors: bool = True
    n_restarts: int = 3
    random_state: Any = 0

    def _fit(self, rows: Array, y: Array) -> None:
        self._check_settings()
        self.columns_ = self.inputs_.columns
        self.X_train_, self.centre_ = rows.copy(), 0.0
        rng = generator(self.random_state)
        if self.structure is None:
            self._fit_given(y, rng)
        else:
            self._find(y, rng)
        self.log_evidence_ = self.fitted_.posterior.log_evidence

    def _fit_given(self, y: Array, rng: np.random.Generator) -> None:
        """The kernel and the group that are given."""
        latent = Latent.of(self._kernel())
        self.view_: View = self._view()
        self._check_points(self.X_train_)
        data = (self.X_train_, y, self.columns_)
        priors = learned_table_priors() if self.learned_priors else None
        with fitting():
            self.fitted_ = fit(latent, self.view_, *data, restarts=int(self.n_restarts), rng=rng, priors=priors)

    def _find(self, y: Array, rng: np.random.Generator) -> None:
        """The symmetries that the data speak for."""
        X, numbers = self.X_train_, tuple(self.columns_.index(name) for name in self.inputs_.measured)
        categorical = [place for place in range(len(self.columns_)) if place not in numbers]
        with fitting():
            self.found_ = search_symmetries(X[:, list(numbers)], y, X[:, categorical], rng=rng)
            function, self.fitted_ = symmetric_function(self.found_, X, y, self.columns_, numbers, rng)
            turns_about = level(function, self.fitted_.posterior)
        self.view_, self.centre_ = function, function.centre
        self.symmetries_ = reported(self.found_, self.inputs_.measured, turns_about)

    @property
    def kernel_(self) -> Kernel:
        """The latent kernel with the fitted parameters, its noise last; of a found structure on what `view_` shows."""
        check_is_fitted(self)
        return self.fitted_.latent.kernel

    def _observations(self, X: Any, *, joint: bool) -> tuple[Array, Array]:
        rows, function = self._function(X)
        noise = self.fitted_.latent.noise
        variance = np.zeros(len(rows)) if noise is None else prior_variance(noise, rows, self.columns_)
        with one_thread():
            mean = function.mean + self.centre_
            if joint:
                self._check_points(rows)
                return mean, function.covariance() + np.diag(variance)
            return mean, np.sqrt(function.variance + variance)

    def sample_y(self, X: Any, n_samples: int = 1, *, random_state: Any = 0) -> Array:
        """Joint draws (m, n_samples) of the function, without noise, from its posterior."""
        rows, function = self._function(X)
        self._check_points(rows)
        with one_thread():
            return np.asarray(function.draws(generator(random_state), n_samples).T + self.centre_)

    def _function(self, X: Any) -> tuple[Array, projection.Projection]:
        """The rows as numbers, and the posterior of the function there."""
        rows = self._new(X)
        with one_thread():
            return rows, self.fitted_.posterior.project(self.fitted_.latent.signal, rows)

    def _check_settings(self) -> None:
        check_choice("construction", self.construction, tuple(CONSTRUCTIONS))
        if self.structure is not None:
            check_choice("structure", self.structure, STRUCTURES)
            named = ("kernel", "group", "multiplier")
            given = [name for name in named if getattr(self, name) is not None]
            given += ["construction"] if self.construction != "sum" else []
            if given:
                raise InputError.of("structure='find' by itself", f"{given[0]} as well", "leave one of them out")
        check_count("n_restarts", self.n_restarts, 1)
        if self.group is not None and not isinstance(self.group, Group):
            raise InputError.of("a Group or None", f"{type(self.group).__name__}", "make one with `group` or by name")
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


def _check_left_alone(group: Group, inputs: InputColumns) -> None:
    """Raise where a map takes categories to others, or lets them change other columns."""
    moved = group.matrices - np.eye(group.columns)
    for place, name in enumerate(inputs.columns):
        acts = moved[:, place].any() or moved[:, :, place].any() or group.offsets[:, place].any()
        if acts and name in inputs.levels:
            remedy = "name the columns of numbers for the group, such as swap(3, (0,), (2,)); places count from 0"
            raise InputError.of("a group that leaves categories as they are", f"one that acts on {name!r}", remedy)
