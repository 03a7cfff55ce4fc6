"""What a fitted estimator hands out: the parts of the model, and its forecast and search as frames."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property, partial
from html import escape
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from autostatistician._io.threads import one_thread
from autostatistician.data.dataset import time_labels
from autostatistician.decompose.component_correlation import (
    component_correlation,
    component_covariance,
    correlations,
    parts_along_columns,
    signal_parts,
)
from autostatistician.decompose.series.repeats import repeats
from autostatistician.decompose.uncertainty import ParameterDraws, uncertainty_of
from autostatistician.describe.axis.units import SECONDS
from autostatistician.describe.tell import Decomposed
from autostatistician.describe.tell import parts as described_parts
from autostatistician.errors import InputError
from autostatistician.fitted.explanation import decomposition
from autostatistician.fitted.forecast_sums import PeriodSums
from autostatistician.fitted.model import Model
from autostatistician.fitted.predictions import Predictor
from autostatistician.fitted.settings import is_number
from autostatistician.gp.criteria import bic
from autostatistician.gp.predictive import ENDS_OF_95, Averaged, Predictive
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.traits import is_noise

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure as MatplotlibFigure

__all__ = [
    "Components", "FittedPart", "RepeatingParts", "SearchFrames", "chance_columns", "checked_thresholds",
    "forecast_frame", "number_columns", "outlier_frame", "parts", "repeating_parts", "sums_frame",
]  # fmt: skip

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class FittedPart:
    """One additive part of a fitted model: its expression, its sentence, its posterior, its share of the variance.

    Of a table: what some columns do together, as the difference from its mean over the data.
    """

    expression: str
    sentence: str
    mean: Array
    std: Array
    share: float  # per cent of the variance of y that the part's mean has by itself


def parts(model: Decomposed, elsewhere: Sequence[tuple[Array, Array]] | None = None) -> list[FittedPart]:
    """The parts with their mean and standard deviation at the data, or with those ``elsewhere``, one pair a part."""
    described = described_parts(model)
    moments = elsewhere or [(part.mean, part.sd) for part, _ in described]
    return [
        FittedPart(part.expression, sentence, *each, 100.0 * part.share)
        for (part, sentence), each in zip(described, moments, strict=True)
    ]


def checked_thresholds(above: float | None, below: float | None) -> dict[str, float]:
    """The numbers of which the chances are asked that a value lies above or below, by name.

    >>> checked_thresholds(3.0, None)
    {'above': 3.0}
    """
    thresholds = {name: number for name, number in (("above", above), ("below", below)) if number is not None}
    for name, number in thresholds.items():
        if not is_number(number) or not isfinite(number):
            raise InputError.of(f"a number for {name!r}", repr(number), "correct it")
    return thresholds


def forecast_frame(
    predictor: Predictor, steps: int | None, thresholds: Mapping[str, float] | None = None
) -> pd.DataFrame:
    """Observations beyond the data of a series: time, mean, std, median, its 95 % limits, chances of more or less.

    Of classes: time, probability (of the second one), lower and upper (95 %, as far as the data leave it open), class.
    """
    import pandas as pd

    future, ahead = predictor.ahead(steps)
    classes, at = predictor.model.dataset.classes, future[:, None]
    if classes:
        chance = predictor.probability(at)
        ends = predictor.probability_quantiles(at, ENDS_OF_95).T
        columns = chance_columns(classes, np.column_stack([1.0 - chance, chance]), *ends)
    else:
        columns = number_columns(ahead)
        for name, number in (thresholds or {}).items():
            columns[name] = ahead.beyond(np.full(future.size, number))[name == "above"]
    return pd.DataFrame({"time": time_labels(predictor.model.dataset, future), **columns})


def number_columns(made: Predictive | Averaged) -> dict[str, Array]:
    """Observations of m rows as columns of a frame: mean, std, median and their 95 % limits."""
    lower, median, upper = made.quantiles((ENDS_OF_95[0], 0.5, ENDS_OF_95[1])).T
    return {"mean": made.mean, "std": made.std, "lower": lower, "median": median, "upper": upper}


def chance_columns(names: Sequence[str], chances: Array, lower: Array, upper: Array) -> dict[str, Any]:
    """The chances (m, classes) of m rows as columns of a frame, with their 95 % limits, and the likeliest class.

    The limits are those of the second of two classes, (m,); of more classes those of each.

    >>> list(chance_columns(("no", "yes"), np.array([[0.2, 0.8]]), np.array([0.6]), np.array([0.9])))
    ['probability', 'lower', 'upper', 'class']
    """
    columns: dict[str, Any] = {"probability": chances[:, -1], "lower": lower, "upper": upper}
    if len(names) > 2:
        each = {"probability": chances, "lower": lower, "upper": upper}
        columns = {f"{what}_{name}": each[what][:, k] for k, name in enumerate(names) for what in each}
    return {**columns, "class": np.array(names, dtype=object)[chances.argmax(axis=1)]}


def sums_frame(sums: PeriodSums, thresholds: Mapping[str, float]) -> pd.DataFrame:
    """Sums over periods: time (when one begins), mean, std, median, its 95 % limits, chances of more or less, known.

    The last is how many rows of a period are known, and in its sum as they are.
    """
    import pandas as pd

    lower, median, upper = np.quantile(sums.draws, (ENDS_OF_95[0], 0.5, ENDS_OF_95[1]), axis=1)
    moments = {"mean": sums.draws.mean(axis=1), "std": sums.draws.std(axis=1), "lower": lower, "median": median}
    chances = {name: sums.beyond(number)[name == "above"] for name, number in thresholds.items()}
    return pd.DataFrame(
        {"time": sums.starts.astype("M8[s]"), **moments, "upper": upper, **chances, "known": sums.known}
    )


def outlier_frame(model: Model) -> pd.DataFrame:
    """Values that stand out: time, value, expected (from all others), aside (whether the model is without it), chance.

    The chance is that of being an outlier; else it is the start of a new level, or an error as others are.
    """
    import pandas as pd

    rows = model.screening.rows
    return pd.DataFrame(
        {
            "time": time_labels(model.dataset, np.array([row.x for row in rows])),
            "value": [row.y for row in rows],
            "expected": [row.expected for row in rows],
            "aside": [row.aside for row in rows],
            "chance": np.array([row.chance for row in rows], dtype=np.float64),
        }
    )


SHOWN = 10  # models in a notebook


def _html(frame: pd.DataFrame) -> str:
    return str(frame.to_html(index=False, escape=True, border=0, float_format="{:.4g}".format))


class SearchFrames:
    """The way to the model as frames: ``frontier`` (models, best first) and ``trace`` (the best after each level).

    Of several classes they have a column ``class``: each has a search of its own.

    Models are sorted by ``score`` (lower is better): what the search goes by, its criterion and penalties for what it
    takes as improbable beforehand, such as changes, or cycles that are hardly seen. ``bic`` is the plain criterion from
    ``nll``, so another model may have a lower one. The best few of every level are kept as far as their races took
    them: one that has all terms of another and yet is less likely, by more than a nat, is marked as ``unfinished``.
    """

    def __init__(self, models: Sequence[Model], classes: Sequence[str] = ()) -> None:
        self._models, self._classes = models, classes

    @cached_property
    def frontier(self) -> pd.DataFrame:
        """One row per retained model: expression, parameters by value, nll, bic, score, level, seconds until found."""
        return self._joined([_frontier(model) for model in self._models])

    @cached_property
    def trace(self) -> pd.DataFrame:
        """One row per level: expression, nll, bic, evaluations, candidates, seconds."""
        import pandas as pd

        return self._joined([pd.DataFrame([asdict(step) for step in model.search.trace]) for model in self._models])

    @property
    def best(self) -> tuple[str, float, float]:
        """The best model, its BIC, and the seconds of the search; of several classes all models, and the sums."""
        first = [_frontier(model).iloc[0] for model in self._models]
        texts = [str(row["expression"]) for row in first]
        if self._classes:
            texts = [f"{name}: {text}" for name, text in zip(self._classes, texts, strict=True)]
        seconds = sum(float(model.search.seconds) for model in self._models)
        return "; ".join(texts), float(sum(row["bic"] for row in first)), seconds

    def _joined(self, frames: list[pd.DataFrame]) -> pd.DataFrame:
        import pandas as pd

        if not self._classes:
            return frames[0]
        named = zip(frames, self._classes, strict=True)
        return pd.concat([frame.assign(**{"class": name}) for frame, name in named], ignore_index=True)

    def _repr_html_(self) -> str:
        """For a notebook: what was tried, the best models, and the best of every level; plain tables, no scripts."""
        best = self.frontier.head(SHOWN)[["expression", "score", "nll", "level"]]
        levels = self.trace[["level", "expression", "candidates", "seconds"]]
        more = f", of which these are the best {SHOWN}" if len(self.frontier) > SHOWN else ""
        return f"<p>{escape(repr(self))}{more}:</p>{_html(best)}<p>The best model after each level:</p>{_html(levels)}"

    def __repr__(self) -> str:
        evaluations = sum(model.search.evaluations for model in self._models)
        return f"Search({len(self.frontier)} models, {evaluations} evaluations)"


def _frontier(model: Model) -> pd.DataFrame:
    import pandas as pd

    until = {step.level: step.seconds for step in model.search.trace}
    known = [(each, Counter(term.expr for term in each.kernel.terms)) for each in model.search.frontier]
    rows = [
        {
            "expression": str(candidate.kernel),
            "parameters": candidate.kernel.values,
            "nll": candidate.nll,
            "bic": bic(candidate.nll, candidate.kernel.expr, model.dataset.n) + model.penalty,
            "score": candidate.score,
            "level": candidate.level,
            "seconds": until.get(candidate.level),
            "unfinished": any(others < own and candidate.nll > other.nll + 1.0 for other, others in known),
        }
        for candidate, own in known
    ]
    return pd.DataFrame(rows)


# --- The parts as numbers: their means, and how they vary together --------------------------------------------------
@dataclass(frozen=True)
class Components:
    """The parts of the signal of a model; rows are those of the model, by default the ones of its data."""

    model: Model

    @property
    def parts(self) -> tuple[Kernel, ...]:
        """The kernels of the parts; noise is none of them."""
        return signal_parts(self.model.kernel)

    @property
    def names(self) -> list[str]:
        """The expressions of the parts, numbered where one comes again."""
        counts: Counter[str] = Counter()
        names = []
        for name in map(str, self.parts):
            counts[name] += 1
            names.append(name if counts[name] == 1 else f"{name} ({counts[name]})")
        return names

    def means(self, X: Array) -> Array:
        """The posterior mean of every part at rows (m, d), as columns (m, k)."""
        with one_thread():
            means = [self.model.posterior.project(part, X).mean for part in self.parts]
        return np.array(means).reshape(len(means), len(X)).T

    def covariance(self, X: Array | None = None) -> Array:
        """Posterior covariances (k, k, m, m) between the parts (see `decompose.between`)."""
        with one_thread():
            return component_covariance(self.model.posterior, self._rows(X))

    def correlation(self, X: Array | None = None) -> Array:
        """The same as correlations."""
        with one_thread():
            return component_correlation(self.model.posterior, self._rows(X))

    def correlation_figure(self, points: int) -> MatplotlibFigure:
        """A picture of the correlations between the parts, each along its own column.

        Raises
        ------
        InputError
            When no part can be shown along a single column.
        """
        from autostatistician.report.correlations import figure_correlations

        posterior, data = self.model.posterior, self.model.dataset
        with one_thread():
            shown = parts_along_columns(posterior, self.parts, points, data.levels)
            if not shown:
                raise InputError.of("parts along a single column", "none", "look at component_correlation")
            parts, columns, inputs = zip(*shown, strict=True)
            blocks = correlations(posterior, parts, inputs)
        names = dict(zip(self.parts, self.names, strict=True))
        axes = [self._axis(column, X[:, column]) for column, X in zip(columns, inputs, strict=True)]
        return figure_correlations([names[part] for part in parts], axes, blocks)

    def _rows(self, X: Array | None) -> Array:
        return self.model.modelled.X if X is None else X

    def _axis(self, column: int, x: Array) -> tuple[str, NDArray[Any]]:
        """The name of a column, and places along it in the terms of the user: numbers, times or categories."""
        data = self.model.dataset
        name = data.columns[column]
        if name in data.levels:
            return name, np.array(data.levels[name])[x.astype(np.intp)]
        return name, time_labels(data, x)


# --- What repeats in a series and what does not, as an answer with curves -------------------------------------------


@dataclass(frozen=True, eq=False)
class RepeatingParts:
    """A series, or a part of its model, as what repeats with a period and what does not.

    Attributes
    ----------
    period : float
        In units of the axis.
    share, lower, upper : float
        The variance of what repeats, as a share of that of both, with its range of 95 %.
    expected : float
        The share that the kernel of the model, with its numbers, expects without the data.
    curves : DataFrame
        time, cycle, cycle_lower, cycle_upper, rest, rest_lower and rest_upper (95 %, of the function without noise).
        Cycle and rest add up to the function or part, of a logarithm about the typical level.
    scale : str
        That of the curves and of the share: "none", or "log" where the logarithm of the target is modelled.
    """

    period: float
    share: float
    lower: float
    upper: float
    expected: float
    curves: pd.DataFrame = field(repr=False)
    scale: str


def repeating_parts(model: Model, period: float | str, part: int | None = None) -> RepeatingParts:
    """What repeats with a period of a series, or of one part of its model (counted from 1, as the report has them).

    Raises
    ------
    InputError
        When the model is not one of a series of numbers, has no such part, all of it is noise, or the rows do not show
        the period twice.
    """
    import pandas as pd

    axis, seeded = model.dataset.axis, partial(np.random.default_rng, model.settings.seed)
    if axis is None or model.dataset.classes:
        kind = "classes" if model.dataset.classes else "a table"
        raise InputError.of("a series of numbers", f"a model of {kind}", "ask one of a time and a target")
    length = _length(period, axis.unit)

    def drawn() -> ParameterDraws:
        return uncertainty_of(model.posterior, seeded(), axis.natural_periods, priors=model.priors)

    with one_thread():
        members = model.once("numbers of repeats", drawn)
        kernels = members.fit.parts if part is None else (_part(model, part),)
        signal = [members.fit.parts.index(kernel) for kernel in kernels if not is_noise(kernel)]
        if not signal:
            raise InputError.of("a part that is no noise", "noise alone", "ask for another one: noise never repeats")
        found = repeats(members, signal, length, axis.step or axis.gap, seeded())
    share, level = found.share, model.modelled.offset - model.transform.shift if part is None else 0.0
    curves = pd.DataFrame({"time": time_labels(model.dataset, found.cycle.x), **found.columns(level)})
    return RepeatingParts(length, share.number, share.low, share.high, found.expected, curves, model.transform.name)


def _length(period: float | str, unit: str) -> float:
    """A period in units of the axis; on a calendar it may be named."""
    if isinstance(period, str) and unit in SECONDS and period in SECONDS:
        return SECONDS[period] / SECONDS[unit]
    if isinstance(period, int | float | np.number) and np.isfinite(period):
        return float(period)
    names = f", or one of {', '.join(SECONDS)}" if unit in SECONDS else ""
    raise InputError.of(f"a number of units of the axis{names}", repr(period), "name one")


def _part(model: Model, part: int) -> Kernel:
    components = decomposition(model, 0, checked=False).components
    if not 1 <= part <= len(components):
        raise InputError.of(f"a part from 1 to {len(components)}", f"{part}", "see `decompose`")
    return components[part - 1].kernel
