"""One of two classes, coded -1 and +1, whose probability is a function of the latent function."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, Self

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.dataset import Dataset, Kind
from autostatistician.data.transform import Transform
from autostatistician.errors import InputError, check_choice
from autostatistician.inference.likelihoods.links import LINKS, Link
from autostatistician.inference.predictive import Predictive
from autostatistician.language.expr import Expr, Leaf, Sum
from autostatistician.language.kernel import Kernel
from autostatistician.language.traits import is_noise

__all__ = ["Averaging", "Bernoulli"]

Array = NDArray[np.float64]
Averaging = Literal["quadrature", "probit", "monte carlo"]

DRAWS = 20000  # of an average by Monte Carlo


@dataclass(frozen=True)
class Bernoulli:
    """Classes that the sign of nothing but the function decides, with a probability.

    Parameters
    ----------
    link : str
        ``"probit"`` or ``"logistic"``.
    has_level : bool
        Whether every model has a constant of its own, as those over time must: far from the data the function goes
        back to its mean, and without a constant that is a chance of one half, whatever the share of the class.

    Examples
    --------
    >>> from autostatistician.language.text import parse
    >>> [Bernoulli().admits(parse(text)) for text in ("SE", "SE + WN")]
    [True, False]
    >>> [Bernoulli(has_level=True).admits(parse(text)) for text in ("SE", "SE + C", "C")]
    [False, True, True]
    """

    link: str = "probit"
    has_level: bool = False
    is_latent: ClassVar[bool] = True

    @classmethod
    def of(cls, dataset: Dataset, link: str = "probit") -> Self:
        """That of a data set of classes: over time every model has a level.

        >>> from autostatistician.data.dataset import from_arrays
        >>> Bernoulli.of(from_arrays([0.0, 1.0], [1.0, -1.0])).has_level
        True
        """
        return cls(link, has_level=dataset.kind is Kind.SERIES)

    def __post_init__(self) -> None:
        check_choice("link", self.link, tuple(LINKS))

    @property
    def math(self) -> Link:
        """The functions of the link."""
        return LINKS[self.link]

    # --- as any likelihood ------------------------------------------------------------------------------------

    def admits(self, expr: Expr) -> bool:
        """Whether an expression is some function without white noise: a class is uncertain as it is."""
        if is_noise(expr) or expr == Leaf("0"):
            return False
        terms = expr.terms if isinstance(expr, Sum) else (expr,)
        return not self.has_level or Leaf("C") in terms

    def start(self, expr: Expr) -> Expr:
        """The same chance everywhere."""
        return Leaf("C")

    def halves(self, kernel: Kernel) -> tuple[Kernel | None, Kernel | None]:
        """The whole kernel is function."""
        return kernel, None

    def variance(self, X: Array) -> Array:
        """None on the scale of the function."""
        return np.zeros(len(X))

    def standardised(self, y: Array) -> tuple[float, Bernoulli]:
        """Classes have no unit."""
        return 1.0, self

    def mapped(self, transform: Transform) -> Bernoulli:
        """A map leaves two classes two classes."""
        return self

    def predictive(
        self,
        means: Array,
        sds: Array,
        weights: Array,
        offset: float = 0.0,
        limits: tuple[float, float] = (-np.inf, np.inf),
    ) -> Predictive:
        """The latent function itself; what classes follow is `probability`."""
        return Predictive(means, sds, weights, Transform())

    # --- not normal -------------------------------------------------------------------------------------------

    def log_density(self, y: Array, f: Array) -> Array:
        """Log probabilities (n,) of classes at values of the function.

        >>> Bernoulli().log_density(np.array([1.0]), np.zeros(1)).round(4).tolist()
        [-0.6931]
        """
        return self.math.log_probability(y * f)

    def derivatives(self, y: Array, f: Array) -> tuple[Array, Array, Array]:
        """Of the log probabilities by the function: the first, the second and the third (n,)."""
        first, second, third = self.math.derivatives(y * f)
        return y * first, second, y * third

    def tilted(self, y: Array, mean: Array, variance: Array) -> tuple[Array, Array, Array]:
        """Log probabilities (n,) of classes averaged over a normal function, and two derivatives by its mean.

        >>> [one.round(4).tolist() for one in Bernoulli().tilted(np.ones(1), np.zeros(1), np.zeros(1))]
        [[-0.6931], [0.7979], [-0.6366]]
        """
        value, first, second = self.math.averaged(y * mean, variance)
        return value, y * first, second

    def averaged(
        self, mean: Array, variance: Array, how: Averaging = "quadrature", rng: np.random.Generator | None = None
    ) -> Array:
        """The probability (n,) of the class +1, averaged over a normal function.

        Parameters
        ----------
        mean, variance : arrays (n,)
            Moments of the function.
        how : str
            ``"quadrature"``, which is exact; ``"probit"``, in closed form, for the logistic link within a few
            hundredths; ``"monte carlo"``, by twenty thousand draws.
        rng : Generator, optional
            Of the draws; always the same by default.

        Examples
        --------
        >>> moments = np.array([1.0]), np.array([3.0])
        >>> [Bernoulli("logistic").averaged(*moments, how).round(2).item() for how in ("quadrature", "probit")]
        [0.66, 0.66]
        """
        if how == "quadrature":
            return np.exp(self.math.averaged(mean, variance)[0])
        if how == "probit":
            return self.math.by_probit(mean, variance)
        if how != "monte carlo":
            raise InputError.of("'quadrature', 'probit' or 'monte carlo'", repr(how), "choose one of them")
        normal = (rng or np.random.default_rng(0)).standard_normal(DRAWS)
        moments = zip(mean, np.sqrt(variance), strict=True)
        return np.array([self.math.probability(m + sd * normal).mean() for m, sd in moments])
