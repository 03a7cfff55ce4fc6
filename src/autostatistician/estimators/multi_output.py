"""A regressor for several outputs at once, which share what they have in common (coregionalisation)."""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Tags, check_array
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from autostatistician._io.seeds import generator
from autostatistician._io.threads import one_thread
from autostatistician.data.frames import columns_of, frame_of
from autostatistician.data.inputs import NO_TARGET, InputColumns, checked_numbers
from autostatistician.errors import InputError
from autostatistician.estimators.options import check_count
from autostatistician.estimators.plain_tables import KernelRegressor, fitting, on_columns
from autostatistician.gp import Problem, condition
from autostatistician.gp.covariance import covariance, signal_and_noise
from autostatistician.gp.fitting import TableData, best_fit
from autostatistician.gp.posterior import Posterior
from autostatistician.gp.posterior.projection import normal_draws
from autostatistician.kernels.expr import Leaf
from autostatistician.kernels.kernel import Kernel, unset
from autostatistician.kernels.leaves import LEAVES, category_symbol
from autostatistician.kernels.rewrite import components
from autostatistician.kernels.traits import is_noise

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["MultiOutputGPRegressor", "coregionalised"]

Array = NDArray[np.float64]


@dataclass(eq=False, repr=False)
class MultiOutputGPRegressor(KernelRegressor):
    """A Gaussian process for several outputs, each of which helps to predict the others.

    Every additive part of the kernel gets a covariance ``W W' + diag`` between the outputs, W of the given rank: the
    linear model of coregionalisation (Goovaerts 1997; Alvarez, Rosasco and Lawrence 2012). Noise is independent, with
    a size for every output. Each output is centred by its mean and measured in its own standard deviations.

    Parameters
    ----------
    kernel : str, Expr or Kernel
        Over the inputs, as in `SemiParametricGPRegressor`.
    rank : int
        How many latent functions the outputs share in every part of the kernel; 0 keeps the outputs apart.
    unseen : str
        What to do at prediction with a category that the data did not have: "error", or "new".
    n_restarts : int
        Starts of the optimisation.
    random_state : int, RandomState or None
        Of the starts.

    Attributes
    ----------
    kernel_ : Kernel
        Over the inputs and the number of the output, with its parameters in the units of the inputs and in standard
        deviations of the outputs.
    outputs_ : tuple of str
        Names of the outputs.
    correlations_ : DataFrame
        How the functions of the outputs go together under the fitted prior, from -1 to 1.
    log_evidence_ : float
        Log marginal likelihood of all observations.

    Examples
    --------
    >>> x = np.linspace(0.0, 6.0, 25)
    >>> y = np.column_stack([np.sin(x), -2.0 * np.sin(x)])
    >>> y[12:, 1] = np.nan  # the second output was not measured there
    >>> model = MultiOutputGPRegressor(n_restarts=3).fit(x[:, None], y)
    >>> model.predict([[4.5]]).round(1).tolist()
    [[-1.0, 2.0]]
    """

    _: KW_ONLY
    rank: int = 1

    _most_rows = None  # the engine says how many observations it can bear

    def _fit(self, rows: Array, y: Array) -> None:
        check_count("n_restarts", self.n_restarts, 1)
        rank, count = check_count("rank", self.rank, 0), y.shape[1]
        if (few := np.sum(np.isfinite(y), axis=0).min()) < 2:
            raise InputError.of("two observations of every output or more", str(few), "leave that output out")
        self._means, self._sizes = np.nanmean(y, axis=0), _sizes(y)
        self._index = _free_name(self.inputs_)
        kernel = on_columns(self.kernel, self.inputs_)
        on_outputs = kernel if count == 1 else coregionalised(kernel, self._index, count, rank)
        stacked, target = self._stacked(rows, y)
        codes = {*self.inputs_.levels, self._index}
        table = TableData(stacked, target, (*self.inputs_.columns, self._index), codes)
        self.kernel_ = best_fit(on_outputs, table, int(self.n_restarts), generator(self.random_state))
        with fitting():
            self._posterior: Posterior = condition(self.kernel_, Problem(stacked, target, table.columns))
        log_unit = float(np.isfinite(y).sum(axis=0) @ np.log(self._sizes))
        self.log_evidence_ = self._posterior.log_evidence - log_unit

    def _observations(self, X: Any, *, joint: bool) -> tuple[Array, Array]:
        """Means and standard deviations (m, q), or covariances between the rows (m, m, q), for each output by itself.

        Without the last axis where y was (n,).
        """
        rows = self._new(X)
        means, spreads = [], []
        for number, (middle, size) in enumerate(zip(self._means, self._sizes, strict=True)):
            at = np.column_stack([rows, np.full(len(rows), float(number))])
            with one_thread():
                mean, spread = self._posterior.observations_joint(at) if joint else self._posterior.observations(at)
            means.append(middle + size * mean)
            spreads.append((size**2 if joint else size) * spread)
        moments = np.stack(means, axis=-1), np.stack(spreads, axis=-1)
        return (moments[0][..., 0], moments[1][..., 0]) if self._flat else moments

    def sample_y(self, X: Any, n_samples: int = 1, *, random_state: Any = 0) -> Array:
        """Joint draws (m, q, n_samples) of new observations, outputs together; (m, n_samples) where y was (n,)."""
        rows, count, outputs = self._new(X), check_count("n_samples", n_samples, 1), len(self.outputs_)
        at = np.column_stack([np.tile(rows, (outputs, 1)), np.repeat(np.arange(float(outputs)), len(rows))])
        with one_thread():
            mean, cov = self._posterior.observations_joint(at)
        drawn = normal_draws(mean, cov, generator(random_state), count).reshape(outputs, len(rows), count)
        drawn = self._means[:, None, None] + self._sizes[:, None, None] * drawn
        return np.asarray(drawn[0] if self._flat else np.moveaxis(drawn, 0, 1))

    @property
    def correlations_(self) -> pd.DataFrame:
        """Prior correlations (q, q) between the functions of the outputs, over the mean of the rows of the data."""
        import pandas as pd

        check_is_fitted(self)
        signal, count = signal_and_noise(self.kernel_)[0], len(self.outputs_)
        total = np.zeros((count, count))
        for row in np.unique(self._posterior.X[:, :-1], axis=0):
            at = np.column_stack([np.tile(row, (count, 1)), np.arange(float(count))])
            total += 0.0 if signal is None else covariance(signal, at, None, self._posterior.columns)
        sds = np.sqrt(total.diagonal())
        correlations = total / np.where(np.outer(sds, sds) > 0.0, np.outer(sds, sds), 1.0)
        return pd.DataFrame(correlations, index=list(self.outputs_), columns=list(self.outputs_))

    def _target(self, y: Any, rows: Array) -> Array:
        """The outputs (n, q), NaN where they were not observed; their names and form are kept."""
        if y is None:
            raise ValueError(NO_TARGET)
        names = None
        if frame_of(y) is not None:
            names = tuple(column.name for column in columns_of(y, index=False))
        checked_numbers(y)
        values = check_array(y, ensure_2d=False, allow_nd=False, dtype=np.float64, ensure_all_finite="allow-nan",
                             input_name="y", estimator=self)  # fmt: skip
        self._flat = values.ndim == 1
        values = values[:, None] if self._flat else values
        check_consistent_length(rows, values)
        count = values.shape[1]
        self.outputs_ = names or (("y",) if count == 1 else tuple(f"y{k + 1}" for k in range(count)))
        return np.asarray(values)

    def _stacked(self, rows: Array, values: Array) -> tuple[Array, Array]:
        """One row per observation: the inputs with the number of the output, and its value in standard units."""
        places, numbers = np.nonzero(np.isfinite(values))
        target = (values[places, numbers] - self._means[numbers]) / self._sizes[numbers]
        return np.column_stack([rows[places], numbers.astype(np.float64)]), target

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags


def coregionalised(kernel: Kernel, column: str, outputs: int, rank: int) -> Kernel:
    """The kernel over inputs and the number of the output: every additive part times a covariance between outputs.

    Noise is not shared. Open parameters of the covariances are NaN.

    >>> from autostatistician.kernels.text import parse
    >>> str(coregionalised(unset(parse("SE + WN")), "output", 3, 1))
    'SE * Cat3r1[output] + WN * Cat3r0[output]'
    """
    parts = []
    for part in components(kernel):
        symbol = category_symbol(outputs, 0 if is_noise(part) else min(rank, outputs))
        if symbol not in LEAVES:
            raise InputError.of("at most 99 outputs", f"{outputs}", "model some of them")
        parts.append(part * unset(Leaf(symbol, column)))
    return Kernel.sum(tuple(parts))


def _sizes(values: Array) -> Array:
    sizes = np.nanstd(values, axis=0)
    return np.asarray(np.where(sizes > 0.0, sizes, 1.0))


def _free_name(inputs: InputColumns) -> str:
    name = "output"
    while name in inputs.columns:
        name += "_"
    return name
