"""The scale on which a target is modelled: as it is, as its logarithm, as that of its odds, or as a power.

Series that grow by a percentage, or that swing the more the higher they stand, are additive on a logarithmic scale.
A Gaussian model of the logarithm is a lognormal model of the data themselves; the maps here go both ways. Shares stay
between none and all on the scale of the logarithm of their odds. The scale of a power has the units of the data near
the typical level, so its amounts are told as those of data that are not mapped.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from scipy.special import boxcox, expit, inv_boxcox

from autostatistician.data.arrays import Flags, Floats
from autostatistician.data.dataset import Dataset
from autostatistician.data.measured import LEAST_ERROR, first_sites
from autostatistician.errors import InputError
from autostatistician.i18n.messages import Number, note_some
from autostatistician.i18n.numbers import as_written

__all__ = [
    "FIXED", "POWER", "TRANSFORMS", "Transform", "log_density_added", "modelled", "power_of", "said_of_ends",
    "transform_of",
]  # fmt: skip


MOST_EXPONENT = 300.0  # exponents beyond are cut, so that all numbers and their squares stay finite

FIXED = ("none", "log", "logit")

POWER = "box-cox"

TRANSFORMS = (*FIXED, POWER)

MEAN_ABOVE_ZERO = 4.0  # standard deviations of the logarithms, from the zero of the model to their mean

HALF = 0.5  # of the least distance from none or all, at which these are taken to lie

POINTS, REACH = 61, 8.0  # of an average over a normal variable, and standard deviations to either side

TINY = 1e-300

LARGEST_EXPONENT = 700.0  # exponents beyond are cut, so that all numbers stay finite


@dataclass(frozen=True, slots=True)
class Transform:
    """A monotone map between the data ``y`` and the scale of the model ``t``; built by `transform_of`.

    Parameters
    ----------
    name : str
        "none": t = y; "log": t = log(y / scale) + shift; "logit": the same of odds y / (top - y) and those of scale;
        "box-cox": a power, in the units of the data at scale.
    scale : float
        For "log" and "box-cox" the geometric mean of the data in their own units: their typical level.
    shift : float
        For "log" where the typical level lies above zero, to which a curve falls back far from the data. At zero a
        curve that has wandered off would be drawn back to the mean of all data; data that are not transformed lie far
        above their zero, too.
    least : float
        For "log" of counts what is taken instead of a smaller value: zero has no logarithm. For "logit" so far from
        zero and top values are at least.
    top : float
        For "logit" the largest value there can be: 1 of shares, 100 of percentages.
    power, edge : float
        For "box-cox" the power (1: a line; 0: the logarithm; -1: the reciprocal), and the least datum for one from zero
        on, the largest for one below: beyond it the map goes on as a logarithm or a line.

    Examples
    --------
    >>> log = transform_of("log", np.array([1.0, 100.0]))
    >>> round(log.scale, 6), round(log.shift, 4)
    (10.0, 9.2103)
    >>> log.unshifted.forward(np.array([100.0, 1000.0])).round(4).tolist()
    [2.3026, 4.6052]
    >>> log.back(np.array([log.shift])).round(6).tolist()
    [10.0]
    """

    name: str = "none"
    scale: float = 1.0
    shift: float = 0.0
    least: float = 0.0
    top: float = 1.0
    power: float = 0.0
    edge: float = 1.0

    @property
    def is_mapped(self) -> bool:
        """Whether the scale of the model is another than that of the data."""
        return self.name != "none"

    @property
    def is_log(self) -> bool:
        """Whether the model is of a logarithm: of the data, or of their odds."""
        return self.name in ("log", "logit")

    @property
    def is_power(self) -> bool:
        """Whether it is a power."""
        return self.name == POWER

    @property
    def is_odds(self) -> bool:
        """Whether it is that of the odds."""
        return self.name == "logit"

    @property
    def unshifted(self) -> Transform:
        """The map to a scale on which the typical level is zero."""
        return replace(self, shift=0.0)

    @property
    def parameters(self) -> int:
        """How many numbers the map takes from the data, for which criteria have a penalty.

        A logarithm about its mean has a mean as fitted as a constant would be. Of one far above zero, as of data that
        are not transformed, the model must find the level itself. A power is learned.
        """
        return 1 if self.is_power or (self.is_log and self.shift == 0.0) else 0

    def possible(self, y: Floats) -> Flags:
        """Which values can be mapped; shape of ``y``.

        >>> Transform("log").possible(np.array([-1.0, 1.0])).tolist()
        [False, True]
        """
        below_top = y < self.top if self.is_odds else np.ones(np.shape(y), dtype=np.bool_)
        return np.asarray((y > 0.0) & below_top if self.is_mapped else below_top)

    def forward(self, y: Floats) -> Floats:
        """Data on the scale of the model."""
        if self.is_power:
            return self._raised(y)
        if self.is_odds:
            inside = np.clip(y, self.least, self.top - self.least)
            with np.errstate(divide="ignore"):
                return np.asarray(np.log(inside) - np.log(self.top - inside) - self.log_odds + self.shift)
        return np.asarray(np.log(np.maximum(y, self.least) / self.scale) + self.shift if self.is_log else y)

    def back(self, t: Floats) -> Floats:
        """Values on the scale of the model as data; quantiles of the one are mapped to quantiles of the other."""
        if self.is_power:
            return self._lowered(t)
        if self.is_odds:
            return np.asarray(self.top * expit(self.log_odds + (t - self.shift)))
        return _exp(np.log(self.scale) + (t - self.shift)) if self.is_log else np.asarray(t)

    @property
    def log_odds(self) -> float:
        """The logarithm of the odds of the typical level.

        >>> Transform("logit", 50.0, top=100.0).log_odds
        0.0
        """
        return float(np.log(self.scale) - np.log(self.top - self.scale))

    def moved(self, y: Floats, by: Floats) -> Floats:
        """Data that lie so much higher on the scale of the model: by an amount, or of the logarithm by a factor.

        >>> Transform("log").moved(np.array([2.0]), np.log([3.0])).round(6).tolist()
        [6.0]
        """
        if self.is_odds or self.is_power:
            return self.back(self.forward(y) + by)
        return np.asarray(y * np.exp(by) if self.is_log else y + by)

    def log_slope(self, y: Floats) -> Floats:
        """Log |dt/dy| at each datum, to be added to a log density of t for that of y; shape of ``y``."""
        if self.is_power:
            return self._log_slope_of_power(y)
        if self.is_odds:
            inside = np.clip(y, self.least, self.top - self.least)
            return np.asarray(np.log(self.top) - np.log(inside) - np.log(self.top - inside))
        return np.asarray(-np.log(y) if self.is_log else np.zeros_like(y))

    def log_jacobian(self, y: Floats) -> float:
        """The sum of `log_slope`: added to the log likelihood of t it makes that of y, so that scales compare.

        >>> transform_of("log", np.array([1.0, np.e])).log_jacobian(np.array([1.0, np.e]))
        -1.0
        """
        return float(np.sum(self.log_slope(y)))

    def moments(self, mean: Floats, sd: Floats) -> tuple[Floats, Floats]:
        """Mean and standard deviation of the data where t is normal with these: for "log" of a lognormal.

        >>> mean, sd = Transform("log", 10.0).moments(np.array([0.0]), np.array([0.5]))
        >>> mean.round(4).tolist(), sd.round(4).tolist()
        ([11.3315], [6.039])
        """
        if not self.is_mapped:
            return mean, sd
        if self.name != "log":
            return self.moments_within(mean, sd, -np.inf, np.inf)
        level = np.log(self.scale) + (mean - self.shift) + 0.5 * sd**2
        with np.errstate(divide="ignore"):  # certain values have a standard deviation of zero
            spread = 0.5 * (sd**2 + np.log(-np.expm1(-(sd**2))))
        return _exp(level), _exp(level + spread)

    def moments_within(self, mean: Floats, sd: Floats, low: float, high: float) -> tuple[Floats, Floats]:
        """The same by the trapezoidal rule, which converges exponentially; values beyond limits lie at these."""
        steps = np.linspace(-REACH, REACH, POINTS)
        weights = np.exp(-0.5 * steps**2)
        values = [np.clip(self.back(mean + step * sd), low, high) for step in steps]
        first = np.tensordot(weights / weights.sum(), values, axes=1)
        second = np.tensordot(weights / weights.sum(), [(value - first) ** 2 for value in values], axes=1)
        return np.asarray(first), np.asarray(np.sqrt(second))

    def joint(self, mean: Floats, cov: Floats) -> tuple[Floats, Floats]:
        """Mean (m,) and covariance (m, m) of the data where t is jointly normal with these."""
        if not self.is_mapped:
            return mean, cov
        values, sds = self.moments(mean, np.sqrt(np.maximum(np.diag(cov), 0.0)))
        if self.name != "log":  # correlations are those on the scale of the model
            scales = sds / np.sqrt(np.maximum(np.diag(cov), TINY))
            return values, np.asarray(cov * np.outer(scales, scales))
        products = np.outer(values, values)
        largest = np.exp(LARGEST_EXPONENT)
        return values, np.asarray(np.minimum(products * np.expm1(np.minimum(cov, LARGEST_EXPONENT)), largest))

    def moved_jointly(self, mean: Floats, cov: Floats, by: Floats, more: Floats) -> tuple[Floats, Floats]:
        """Mean (m,) and covariance (m, m) of data to which so much (m,) is added on the scale of the model.

        What is added is open by a covariance ``more`` (m, m). To the first order, but for "none" and "log".

        >>> mean, cov = Transform("logit", 0.5).moved_jointly(
        ...     np.array([0.5]), np.array([[0.01]]), np.log([3.0]), np.zeros((1, 1))
        ... )
        >>> mean.round(6).tolist(), cov.round(6).tolist()
        ([0.75], [[0.005625]])
        """
        if not self.is_mapped:
            return mean + by, cov + more
        if self.name != "log":
            after = self.back(self.forward(mean) + by)
            slopes, before = np.exp(-self.log_slope(after)), np.exp(-self.log_slope(mean))
            return after, np.asarray(np.outer(slopes, slopes) * (cov / np.outer(before, before) + more))
        factors = np.exp(by + 0.5 * more.diagonal())  # of a lognormal distribution (Johnson et al. 1994, chapter 14)
        added = np.expm1(more) * (cov + np.outer(mean, mean))
        return factors * mean, np.asarray(np.outer(factors, factors) * (cov + added))

    def to_json(self) -> dict[str, Any]:
        """A JSON-ready record."""
        if self.is_power:
            return {"name": self.name, "warp": {"power": self.power, "centre": self.scale, "edge": self.edge}}
        record = {"name": self.name, "scale": self.scale, "shift": self.shift}
        return record | ({"least": self.least} if self.least else {}) | ({"top": self.top} if self.is_odds else {})

    @classmethod
    def from_json(cls, record: dict[str, Any]) -> Transform:
        """What `to_json` wrote."""
        name, warp = str(record["name"]), record.get("warp", {})
        given = {**record, **warp, "scale": warp["centre"] if name == POWER else record["scale"]}
        numbers = {each.name: float(given.get(each.name, each.default)) for each in fields(cls) if each.name != "name"}
        read = cls(name, **numbers)
        below_top = not read.is_odds or max(read.scale, 2.0 * read.least) < read.top
        is_whole = np.isfinite(list(numbers.values())).all() and min(read.scale, read.edge) > 0.0 <= read.least
        if name not in TRANSFORMS or not (is_whole and below_top):
            what = {"logit": "odds", POWER: "power"}.get(name, "transform")
            raise ValueError(f"no {what} of a target with {record}")
        return read

    # The power of a target: data choose one.

    def _raised(self, y: Floats) -> Floats:
        """Values above zero by the power of Box and Cox (1964, equation 1), divided by its slope at the geometric mean.

        t = scale + scale ((y / scale)^power - 1) / power. By itself it leads to a part of the line only, for which no
        normal variable keeps. Beyond the ``edge`` it goes on without a kink: of a power from zero on as a logarithm
        below the least datum, of one below zero as a line above the largest.

        >>> root = Transform("box-cox", 4.0, power=0.5, edge=1.0)
        >>> t = root.forward(np.array([0.25, 1.0, 4.0, 16.0]))
        >>> t.round(3).tolist(), root.back(t).round(6).tolist()
        ([-2.773, 0.0, 4.0, 12.0], [0.25, 1.0, 4.0, 16.0])
        """
        inside = self.scale * (1.0 + boxcox(self._inside(y) / self.scale, self.power))
        with np.errstate(divide="ignore"):
            beyond = np.log(y / self.edge) * self.edge if self.power >= 0.0 else y - self.edge
        return np.asarray(np.where(self._is_inside(y), inside, inside + self._slope_at_edge * beyond))

    def _lowered(self, t: Floats) -> Floats:
        """The inverse of `_raised`; always above zero."""
        at_edge = float(self._raised(np.array([self.edge]))[0])
        inner = np.maximum(t, at_edge) if self.power >= 0.0 else np.minimum(t, at_edge)
        with np.errstate(over="ignore"):
            inside = self.scale * np.minimum(inv_boxcox(inner / self.scale - 1.0, self.power), np.exp(MOST_EXPONENT))
        beyond = (t - inner) / self._slope_at_edge
        if self.power < 0.0:
            return np.asarray(inside + beyond)
        return np.asarray(inside * np.exp(np.maximum(beyond / self.edge, -MOST_EXPONENT)))

    def _log_slope_of_power(self, y: Floats) -> Floats:
        """Log dt/dy at values above zero; 0 at the centre."""
        slope = (self.power - 1.0) * np.log(self._inside(y) / self.scale)
        if self.power < 0.0:
            return np.asarray(slope)
        with np.errstate(divide="ignore"):
            return np.asarray(slope - np.log(np.maximum(y, 0.0) / self._inside(y)) * ~self._is_inside(y))

    def _is_inside(self, y: Floats) -> Flags:
        return np.asarray(y >= self.edge if self.power >= 0.0 else y <= self.edge)

    def _inside(self, y: Floats) -> Floats:
        return np.where(self._is_inside(y), y, self.edge)

    @property
    def _slope_at_edge(self) -> float:
        return float((self.edge / self.scale) ** (self.power - 1.0))


def power_of(y: Floats, power: float) -> Transform:
    """The map of this power for data ``y`` (n,) in their own units.

    >>> power_of(np.array([1.0, 4.0]), 1.0).forward(np.array([1.0, 4.0])).round(6).tolist()
    [1.0, 4.0]
    """
    edge = float(y.min() if power >= 0.0 else y.max())
    return Transform(POWER, float(np.exp(np.mean(_logs(POWER, y)))), power=power, edge=edge)


def transform_of(name: str, y: Floats) -> Transform:
    """The map of this name among `FIXED` for data ``y`` (n,) in their own units."""
    if name == "none":
        return Transform()
    if name == "logit":
        return _of_odds(y)
    logs = _logs("log", y)
    return Transform("log", float(np.exp(np.mean(logs))), MEAN_ABOVE_ZERO * float(np.std(logs)))


def _logs(name: str, y: Floats) -> Floats:
    """The logarithms of data, which must be above zero for the map of this name."""
    smallest = float(y.min())
    if smallest <= 0.0:
        remedy = "use transform 'none' or 'auto'"
        raise InputError.of(f"data above zero for transform {name!r}", as_written(smallest), remedy)
    return np.log(y)


def _of_odds(y: Floats) -> Transform:
    """The map of shares up to 1, or of percentages up to 100; half the least distance from an end stands for none."""
    top = 1.0 if y.max() <= 1.0 else 100.0
    apart = np.concatenate([y, top - y])
    if apart.min() < 0.0 or not (apart > 0.0).any():
        found = f"values from {as_written(y.min())} to {as_written(y.max())}"
        raise InputError.of("shares from 0 to 1 or 0 to 100 for transform 'logit'", found, "use transform 'auto'")
    least = HALF * float(apart[apart > 0.0].min()) if apart.min() == 0.0 else 0.0
    first = Transform("logit", 0.5 * top, 0.0, least, top)
    logs = first.forward(y)
    level = float(np.clip(first.back(np.array([np.mean(logs)]))[0], 1e-9 * top, (1.0 - 1e-9) * top))
    return replace(first, scale=level, shift=MEAN_ABOVE_ZERO * float(np.std(logs)))


def said_of_ends(transform: Transform, y: Floats) -> tuple[str, ...]:
    """A sentence on values of exactly none or all, of which there are no odds.

    >>> y = np.array([0.0, 10.0, 40.0])
    >>> said_of_ends(transform_of("logit", y), y)
    ('1 value of exactly 0 or 100 is modelled as if it lay 5 from there: none and all have no odds.',)
    """
    number = int(np.sum((y <= 0.0) | (y >= transform.top))) if transform.is_odds else 0
    return note_some(
        number,
        "{n} value of exactly 0 or {top} is modelled as if it lay {least} from there: none and all have no odds.",
        "{n} values of exactly 0 or {top} are modelled as if they lay {least} from there: none and all have no odds.",
        top=Number(transform.top), least=Number(transform.least),
    )  # fmt: skip


def modelled(dataset: Dataset, transform: Transform) -> Dataset:
    """The data set on the scale of the model; of values that are mapped nothing is taken off before.

    Known errors go there by the slope of the map at each value (the delta method); what gaps among the inputs leave
    open of a value is noise of its row. In the place of a limit of detection stands a normal observation, as all rows
    have it together (`first_sites`).
    """
    unsure = None if dataset.unsure is None or dataset.classes else variances_on(transform, dataset, dataset.unsure)
    if transform.is_mapped:
        raw = dataset.y + dataset.offset
        noise = None if dataset.noise is None else dataset.noise * np.exp(2.0 * transform.log_slope(raw))
        dataset = replace(dataset, y=transform.forward(raw), offset=0.0, noise=noise)
    if unsure is not None:
        least = LEAST_ERROR**2 * float(np.var(dataset.y))  # of complete rows
        dataset = replace(dataset, noise=np.maximum(unsure, least) + (0.0 if dataset.noise is None else dataset.noise))
    if dataset.censored is None or dataset.noise is None:
        return dataset
    values, variances, _ = first_sites(dataset.y, dataset.censored, dataset.noise)
    return replace(dataset, y=values, noise=variances, censored=None)


def variances_on(transform: Transform, dataset: Dataset, variances: Floats) -> Floats:
    """Variances (m,) of targets for gaps on the scale of the model: the same shares of the variance of all targets.

    Unlike a known error, such a variance is none about its own value: a slope there would tell of that, too.

    >>> from autostatistician.data.dataset import from_arrays
    >>> variances_on(Transform(), from_arrays([0.0, 1.0, 2.0], [1.0, 2.0, 3.0]), np.array([0.5])).tolist()
    [0.5]
    """
    if not transform.is_mapped:
        return variances
    raw = dataset.y + dataset.offset
    return np.asarray(variances * (float(np.var(transform.forward(raw))) / max(float(np.var(raw)), 1e-300)))


def log_density_added(dataset: Dataset, transform: Transform) -> float:
    """What is added to the log density of `modelled` data to make it that of the data, with chances of limits.

    >>> from autostatistician.data.dataset import from_arrays
    >>> log_density_added(from_arrays([0.0, 1.0, 2.0], [1.0, 2.0, 3.0]), Transform())
    0.0
    """
    raw = dataset.y + dataset.offset
    if dataset.censored is None or dataset.noise is None:
        return transform.log_jacobian(raw)
    on_scale = modelled(replace(dataset, censored=None), transform)
    assert on_scale.noise is not None
    ratio = first_sites(on_scale.y, dataset.censored, on_scale.noise)[2]
    return transform.log_jacobian(raw[dataset.censored == 0.0]) + ratio


def _exp(exponent: Floats) -> Floats:
    return np.asarray(np.exp(np.minimum(exponent, LARGEST_EXPONENT)))
