"""Few coordinates behind many columns: the Gaussian process latent variable model for scikit-learn."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Tags, check_array
from sklearn.utils.validation import check_is_fitted

from autostatistician._io.seeds import generator
from autostatistician._io.threads import one_thread
from autostatistician.data.inputs import InputColumns, read_measurements
from autostatistician.errors import InputError, check_choice
from autostatistician.estimators.options import check_count
from autostatistician.estimators.plain_tables import fitting, on_columns
from autostatistician.estimators.snapshots import SavedEstimator
from autostatistician.estimators.typed import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from autostatistician.gp.engines.exact import check_rows
from autostatistician.gp.parameters import learned_table_priors
from autostatistician.kernels.expr import Expr
from autostatistician.kernels.kernel import Kernel
from autostatistician.models.latent.map_estimate import Outputs, maximise, principal_coordinates
from autostatistician.models.latent.mapping import (
    LatentParameters,
    Mapping,
    latent_names,
    log_density,
    place,
    relevances,
)
from autostatistician.models.latent.variational import approximate

__all__ = ["GPLVM"]

Array = NDArray[np.float64]

INFERENCES = ("variational", "map")


@dataclass(eq=False, repr=False)
class GPLVM(ClassNamePrefixFeaturesOutMixin, TransformerMixin, SavedEstimator):
    """Rows as smooth functions of few coordinates that nobody observed, one Gaussian process for each column.

    The coordinates of every row have a standard normal prior (Lawrence 2005), columns are brought to mean zero and
    deviation one, and all share one kernel. Empty cells (NaN) are left out: each column counts by its observed rows.

    Parameters
    ----------
    n_latent : int
        Coordinates of a row. The variational inference switches off those that are not needed.
    kernel : str, Expr or Kernel
        On the coordinates ``z1``, ``z2``, ...; a leaf without a column stands for a product over all of them. White
        noise is one term of it. Parameters that it has are where the search begins.
    inference : str
        "variational": distributions of the coordinates, by a lower bound (ELBO) on the marginal likelihood (Titsias and
        Lawrence 2010), in closed form for products of SE, over fixed places for any other kernel. "map": the most
        probable ones.
    learned_priors : bool
        Whether parameters have the priors that were learned from tables, on top of the bound or the density.
    n_inducing : int
        Points through which the variational inference sees the functions, at most as many as rows.
    max_iter : int
        Quasi-Newton steps.
    random_state : int, RandomState or None
        Of where coordinates beyond the rank of the data, and inducing points, begin; and of `score_samples`.

    Attributes
    ----------
    embedding_ : array (n, n_latent)
        The coordinates of the rows of the fit; by the variational inference their means.
    embedding_std_ : array (n, n_latent)
        Their standard deviations; zero where only the most probable ones were sought.
    relevances_ : array (n_latent,)
        The share of each coordinate in how far rows move when it moves by its spread.
    kernel_ : Kernel
        With its parameters, for columns of deviation one.
    n_iter_ : int
        Evaluations of the objective and its gradient.
    objective_ : float
        What was maximised: the lower bound of the log marginal likelihood (ELBO), or the log density of cells and
        coordinates.

    Examples
    --------
    >>> t = np.linspace(0.0, 3.0, 20)
    >>> model = GPLVM(1, inference="map").fit(np.column_stack([t, np.sin(t), np.cos(t)]))
    >>> place = model.transform([[1.0, np.nan, np.nan]])
    >>> np.abs(model.inverse_transform(place) - [[1.0, np.sin(1.0), np.cos(1.0)]]).max() < 0.1
    np.True_
    """

    n_latent: int = 2
    _: KW_ONLY
    kernel: str | Expr | Kernel = "SE + WN"
    inference: str = "variational"
    learned_priors: bool = True
    n_inducing: int = 25
    max_iter: int = 1000
    random_state: Any = 0

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the coordinates of the rows and the hyperparameters of the kernel.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            Numbers; NaN where a cell is empty.
        y : None
            Not used.

        Raises
        ------
        InputError
            When a setting is out of its range, the kernel does not fit the coordinates, a column holds no numbers, or
            there are more rows than one matrix can hold.
        """
        check_choice("inference", self.inference, INFERENCES)
        names = latent_names(check_count("n_latent", self.n_latent, 1))
        inducing, steps = check_count("n_inducing", self.n_inducing, 1), check_count("max_iter", self.max_iter, 1)
        priors = learned_table_priors() if self.learned_priors else None
        parameters = LatentParameters(on_columns(self.kernel, InputColumns(names, {})), names, priors)
        rows = read_measurements(self, X)
        check_rows(len(rows))
        self.outputs_, rng = Outputs.of(rows), generator(self.random_state)
        with fitting():
            start = principal_coordinates(self.outputs_.Y, len(names), rng)
            if self.inference == "map":
                value, self.embedding_, self.mapping_, self.n_iter_ = maximise(self.outputs_, parameters, start, steps)
                self.embedding_std_ = np.zeros_like(start)
            else:
                inducing = min(inducing, len(rows))
                value, cloud, self.mapping_, self.n_iter_ = approximate(
                    self.outputs_, parameters, start, inducing, steps, rng
                )
                self.embedding_, self.embedding_std_ = cloud.mean, np.sqrt(cloud.variance)
            self.relevances_ = relevances(self.mapping_, self.embedding_)
        self.objective_ = value - self.outputs_.log_unit
        return self

    @property
    def kernel_(self) -> Kernel:
        """The kernel with the fitted parameters."""
        check_is_fitted(self)
        mapping: Mapping = self.mapping_
        return mapping.kernel.kernel

    def transform(self, X: Any) -> Array:
        """The coordinates (m, n_latent) of rows (m, d).

        A row of the fit keeps its coordinates. Any other has the most probable ones, the rest staying as it is; of its
        cells those that are not empty count.
        """
        rows = self._new(X)
        fitted = {cells.tobytes(): point for cells, point in zip(self.outputs_.Y, self.embedding_, strict=True)}
        coordinates = np.array([fitted.get(cells.tobytes(), self.embedding_[0]) for cells in rows])
        new = np.array([cells.tobytes() not in fitted for cells in rows])
        if new.any():
            with one_thread():
                coordinates[new] = place(self.mapping_, rows[new], self.outputs_.Y, self.embedding_)
        return coordinates

    def inverse_transform(self, Z: Any, *, return_std: bool = False) -> Any:
        """The mean (m, d) of rows at coordinates (m, n_latent); also the standard deviations, noise included."""
        check_is_fitted(self)
        places = np.asarray(check_array(Z, dtype=np.float64))
        if places.shape[1] != self.embedding_.shape[1]:
            expected = f"{self.embedding_.shape[1]} coordinates in every row"
            raise InputError.of(expected, f"{places.shape[1]}", "give what transform returns")
        with one_thread():
            mean, sd = self.mapping_.moments(places)
        mean = self.outputs_.centre + self.outputs_.scale * mean
        return (mean, self.outputs_.scale * sd) if return_std else mean

    def score_samples(self, X: Any, *, n_draws: int = 5000) -> Array:
        """The log density (m,) of new rows (m, d): an average over coordinates drawn from their prior.

        Of a row with empty cells it is that of the others.
        """
        rows, rng = self._new(X), generator(self.random_state)
        with one_thread():
            densities = log_density(self.mapping_, rows, self.embedding_, check_count("n_draws", n_draws, 2), rng)
        return np.asarray(densities - np.isfinite(rows) @ np.log(self.outputs_.scale))

    def score(self, X: Any, y: Any = None) -> float:
        """The mean log density of rows (m, d)."""
        return float(self.score_samples(X).mean())

    def _new(self, X: Any) -> Array:
        """New rows in standard units, every empty cell the same NaN."""
        check_is_fitted(self)
        rows = self.outputs_.standard(read_measurements(self, X, reset=False))
        rows[np.isnan(rows)] = np.nan
        return rows

    @property
    def _n_features_out(self) -> int:
        """How many columns the transform has, as scikit-learn asks for it."""
        return int(self.embedding_.shape[1])

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
