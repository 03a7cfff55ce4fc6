"""A regressor for several outputs at once, which share what they have in common (coregionalisation)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, RegressorMixin
from sklearn.utils import Tags, check_array
from sklearn.utils.validation import check_consistent_length, check_is_fitted

from autostatistician.data.frames import columns_of, frame_of
from autostatistician.data.inputs import Inputs, checked_numbers, new_inputs, read_inputs
from autostatistician.errors import InputError
from autostatistician.estimators.kernels import on_columns
from autostatistician.estimators.whole_numbers import check_count
from autostatistician.inference import Problem, condition
from autostatistician.inference.covariance import covariance, signal_and_noise
from autostatistician.inference.fitting import Table, best_fit
from autostatistician.inference.posterior import Posterior
from autostatistician.language.expr import Expr, Leaf
from autostatistician.language.kernel import Kernel, unset
from autostatistician.language.leaves import category_shape, category_symbol
from autostatistician.language.rewrite import components
from autostatistician.language.traits import is_noise
from autostatistician.seeds import generator
from autostatistician.threads import one_thread

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["MultiOutputGPRegressor", "coregionalised"]

Array = NDArray[np.float64]


class MultiOutputGPRegressor(RegressorMixin, BaseEstimator):  # type: ignore[misc]
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
    restarts : int
        Starts of the optimisation.
    random_state : int, RandomState or None
        Of the starts.

    Attributes
    ----------
    kernel_ : Kernel
        Over the inputs and the number of the output, with its numbers in the units of the inputs and in standard
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
    >>> model = MultiOutputGPRegressor(restarts=3).fit(x[:, None], y)
    >>> model.predict([[4.5]]).round(1).tolist()
    [[-1.0, 2.0]]
    """

    def __init__(
        self,
        kernel: str | Expr | Kernel = "SE + WN",
        *,
        rank: int = 1,
        unseen: str = "error",
        restarts: int = 3,
        random_state: Any = 0,
    ) -> None:
        self.kernel = kernel
        self.rank = rank
        self.unseen = unseen
        self.restarts = restarts
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Fit the numbers of the kernel by the marginal likelihood of all outputs.

        Parameters
        ----------
        X : array or frame of shape (n, d)
            Columns of text, truth values and categories are categories; no cell may be missing.
        y : array or frame of shape (n, q), or (n,)
            NaN where an output was not observed.

        Raises
        ------
        InputError
            When a setting is out of its range, or an output was observed less than twice.
        """
        if y is None:
            raise ValueError("requires y to be passed, but the target y is None")
        rows, self.inputs_ = read_inputs(self, X)
        values = self._outputs(y)
        check_consistent_length(rows, values)
        check_count("restarts", self.restarts, 1)
        rank, count = check_count("rank", self.rank, 0), values.shape[1]
        if (few := np.sum(np.isfinite(values), axis=0).min()) < 2:
            raise InputError.of("two observations of every output or more", str(few), "leave that output out")
        self._means, self._sizes = np.nanmean(values, axis=0), _sizes(values)
        self._index = _free_name(self.inputs_)
        kernel = on_columns(self.kernel, self.inputs_)
        whole = kernel if count == 1 else coregionalised(kernel, self._index, count, rank)
        stacked, target = self._stacked(rows, values)
        codes = {*self.inputs_.levels, self._index}
        table = Table(stacked, target, (*self.inputs_.columns, self._index), codes)
        rng = generator(self.random_state)
        self.kernel_ = best_fit(whole, table, int(self.restarts), rng)
        with one_thread():
            self._posterior: Posterior = condition(self.kernel_, Problem(stacked, target, table.columns))
        seen = np.isfinite(values).sum(axis=0)
        charge = float(seen @ np.log(self._sizes))
        self.log_evidence_ = self._posterior.log_evidence - charge
        return self

    def predict(self, X: Any, return_std: bool = False) -> Any:
        """Means of new observations (m, q), and their standard deviations (m, q); (m,) where y was (n,)."""
        check_is_fitted(self)
        rows = new_inputs(self, X, self.inputs_, self.unseen)
        means, sds = [], []
        for number, (middle, size) in enumerate(zip(self._means, self._sizes, strict=True)):
            at = np.column_stack([rows, np.full(len(rows), float(number))])
            with one_thread():
                mean, sd = self._posterior.observations(at)
            means.append(middle + size * mean)
            sds.append(size * sd)
        moments = np.column_stack(means), np.column_stack(sds)
        if self._flat:
            moments = moments[0][:, 0], moments[1][:, 0]
        return moments if return_std else moments[0]

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

    def _outputs(self, y: Any) -> Array:
        """The outputs (n, q), NaN where they were not observed; their names and form are kept."""
        names = None
        if frame_of(y) is not None:
            names = tuple(column.name for column in columns_of(y, index=False))
        checked_numbers(y)
        values = check_array(y, ensure_2d=False, allow_nd=False, dtype=np.float64, ensure_all_finite="allow-nan",
                             input_name="y", estimator=self)  # fmt: skip
        self._flat = values.ndim == 1
        values = values[:, None] if self._flat else values
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

    Noise is not shared. Open numbers of the covariances are NaN.

    >>> from autostatistician.language.text import parse
    >>> str(coregionalised(unset(parse("SE + WN")), "output", 3, 1))
    'SE * Cat3r1[output] + WN * Cat3r0[output]'
    """
    parts = []
    for part in components(kernel):
        own = 0 if is_noise(part) else min(rank, outputs)
        symbol = category_symbol(outputs, own)
        if category_shape(symbol) is None:
            raise InputError.of("at most 99 outputs", f"{outputs}", "model some of them")
        parts.append(part * unset(Leaf(symbol, column)))
    return Kernel.sum(tuple(parts))


def _sizes(values: Array) -> Array:
    sizes = np.nanstd(values, axis=0)
    return np.asarray(np.where(sizes > 0.0, sizes, 1.0))


def _free_name(inputs: Inputs) -> str:
    name = "output"
    while name in inputs.columns:
        name += "_"
    return name
