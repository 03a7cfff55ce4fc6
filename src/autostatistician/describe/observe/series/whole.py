"""From a decomposition to facts about the model as a whole: its parts, what they explain, and what comes next."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import nan

import numpy as np
from numpy.typing import NDArray

from autostatistician.claims.claim import Claim, plain_numbers
from autostatistician.claims.kinds import Kind
from autostatistician.claims.quantity import Measure, Quantity
from autostatistician.data.outliers import Outlier, off_alike
from autostatistician.decompose.records.series import CountDispersion as CountRecord
from autostatistician.decompose.records.series import Decomposition
from autostatistician.describe.axis.units import ROUNDING
from autostatistician.describe.facts.fact import SHARE, Fact
from autostatistician.describe.facts.judgement import scale_is_open
from autostatistician.describe.facts.whole import (
    BaselineError,
    ChanceOfNone,
    CountScatter,
    ForecastRange,
    ForecastReach,
    LogScale,
    MissingTimes,
    NaturalLimit,
    NextSum,
    NoneOrSome,
    TwoWays,
)
from autostatistician.describe.observe.search import outlier_claim, shape_facts
from autostatistician.describe.observe.series.parts import on_scale
from autostatistician.forms import Curve

__all__ = ["ends_of", "model_facts", "outlier_claims", "reach_of"]


Vector = NDArray[np.float64]

NEARLY_SURE = 0.9999  # chance of an outlier that is told at most: no data make it certain


def model_facts(decomposition: Decomposition) -> tuple[Fact, ...]:
    """The facts about a model as a whole: its scale, what it predicts, and what comes next."""
    return (
        *_missing_times(decomposition),
        *on_scale((_baseline(decomposition),), decomposition),
        *_log_scale(decomposition),
        *shape_facts(decomposition.transform, decomposition.y),
        *_counts(decomposition),
        *ends_of(decomposition.forecast, "forecast", "posterior predictive distribution"),
        *_next_sum(decomposition),
        *reach_of(decomposition.forecast, decomposition.y),
        *_limits(decomposition),
        *two_ways(decomposition),
    )


MOST_MISSING, MOST_IN_A_ROW, FEWEST_IN_A_ROW = 0.05, 0.02, 5  # shares of the times, and how many at least


LEAST_CHANCE = 0.005  # of a zero that is told


def _missing_times(d: Decomposition) -> tuple[MissingTimes, ...]:
    """That many times of a calendar have no value, or many in a row."""
    if not (d.axis.is_calendar and d.axis.step):
        return ()
    first = float(d.x[0])
    grid = d.axis.grid(first, float(d.x[-1]))
    lacks = np.isin(grid, d.axis.lacking(np.append(d.x, [outlier.x for outlier in d.screening.aside]), first))
    edges = np.flatnonzero(np.diff(np.concatenate([[False], lacks, [False]])))
    runs = [(int(start), int(stop)) for start, stop in edges.reshape(-1, 2)]
    start, stop = max(runs, key=lambda run: run[1] - run[0], default=(0, 0))
    is_long = stop - start >= max(FEWEST_IN_A_ROW, MOST_IN_A_ROW * grid.size)
    if not runs or not (lacks.mean() > MOST_MISSING or is_long):
        return ()
    return (
        MissingTimes(
            id="data/missing", number=float(lacks.mean()), unit=SHARE, evidence="the steps of the calendar",
            many=int(lacks.sum()), of=grid.size, longest=stop - start, start=float(grid[start]),
            stop=float(grid[stop - 1]),
        ),
    )  # fmt: skip


def _log_scale(decomposition: Decomposition) -> tuple[LogScale, ...]:
    probability, level = decomposition.scale_probability, decomposition.level
    if level is None and not scale_is_open(probability):
        return ()
    gain = nan if decomposition.transform_gain is None else decomposition.transform_gain
    by_evidence = decomposition.criterion == "evidence"
    score = "Twice the negative log evidence" if by_evidence else "BIC"
    pair = ("of their logarithm", "of the data") if level is None else ("of the data", "of their logarithm")
    return (
        LogScale(
            id="model/scale", number=gain, unit="1", level=level, by_evidence=by_evidence, probability=probability,
            evidence=f"{score} of reference models {pair[0]}, less that of the same models {pair[1]}",
        ),
    )  # fmt: skip


def _counts(decomposition: Decomposition) -> tuple[CountScatter | NoneOrSome | ChanceOfNone, ...]:
    """How counts scatter about their rate, and the chances of none where they can be told."""
    if decomposition.counts is None:
        return ()
    evidence = "white noise of the logarithm of the rate, as a share of the variance of counts"
    scatter = CountScatter(id="model/counts", number=decomposition.counts.times, unit="1", evidence=evidence)
    x = decomposition.forecast.x
    places = sorted({0, x.size - 1}) if x.size else []
    chances = [
        ChanceOfNone(
            id=f"forecast/none-{place + 1}", number=chance, unit=SHARE, evidence="posterior predictive distribution",
            position=float(x[place]),
        )
        for place, chance in zip(places, decomposition.counts.none, strict=bool(decomposition.counts.none))
    ]  # fmt: skip
    told = chances if any(fact.number >= LEAST_CHANCE for fact in chances) else []
    return (scatter, *_apart(decomposition.counts), *told)


def _next_sum(decomposition: Decomposition) -> tuple[NextSum, ...]:
    """What the next year, week or day comes to; rates in what varies and shares of the whole do not add up."""
    ahead, y = decomposition.sum_ahead, decomposition.y
    if ahead is None or (decomposition.counts is not None and decomposition.counts.sizes):
        return ()
    if (np.diff(y) >= 0.0).all() and np.allclose(y, np.round(y), rtol=0.0, atol=ROUNDING):
        return ()  # a running total: its values are sums already
    return (
        NextSum(
            id="forecast/sum", number=ahead.number, unit="target", interval=ahead.interval, probability=ahead.less,
            evidence="joint draws from the posterior predictive distribution", steps=ahead.steps, before=ahead.before,
            amounts=decomposition.counts is not None,  # whole numbers may be prices, or people on a day
        ),
    )  # fmt: skip


def _apart(counts: CountRecord) -> tuple[NoneOrSome, ...]:
    """That zeros have a chance of their own, where they have one."""
    apart = counts.apart
    if apart is None:
        return ()
    return (
        NoneOrSome(
            id="model/none-or-some", number=apart.chance, unit=SHARE, evidence="share of zeros; quantiles of others",
            interval=(apart.lower, apart.upper), low=apart.low, high=apart.high,
        ),
    )  # fmt: skip


def _baseline(decomposition: Decomposition) -> BaselineError:
    error, evidence = decomposition.mae_of_mean, "mean of |y - mean of y|"
    return BaselineError(id="model/baseline", number=error, unit="target", evidence=evidence)


def ends_of(curve: Curve, name: str, evidence: str) -> tuple[ForecastRange, ...]:
    """The first and the last step of a forecast whose values vary."""
    return tuple(
        ForecastRange(
            id=f"{name}/{at + 1}", number=float(curve.middle[at]), unit="target", position=float(curve.x[at]),
            interval=(float(curve.lower[at]), float(curve.upper[at])), evidence=evidence,
        )
        for at in dict.fromkeys(varying(curve)[[0, -1]].tolist() if curve.x.size else ())
    )  # fmt: skip


def varying(curve: Curve) -> NDArray[np.intp]:
    """The steps of a forecast that are no closed days, whose value is always one number; all of one without ranges."""
    steps = np.flatnonzero(~curve.is_known)
    return steps if steps.size else np.arange(curve.x.size)


def reach_of(
    curve: Curve, y: Vector, name: str = "forecast/reach", evidence: str = "posterior predictive mean"
) -> tuple[ForecastReach, ...]:
    """The lowest and highest forecast of a series ``y`` (n,), for forecasts of several steps."""
    if curve.x.size < 3:
        return ()
    steps = varying(curve)
    low, high = int(steps[np.argmin(curve.middle[steps])]), int(steps[np.argmax(curve.middle[steps])])
    return (
        ForecastReach(
            id=name, number=float(curve.middle[high] - curve.middle[low]), unit="target",
            interval=(float(curve.middle[low]), float(curve.middle[high])), evidence=evidence,
            low=float(curve.middle[low]), high=float(curve.middle[high]),
            crosses=bool(y.min() >= 0.0 and curve.lower.min() < 0.0),
        ),
    )  # fmt: skip


def _limits(decomposition: Decomposition) -> tuple[NaturalLimit, ...]:
    """The limits at which ranges of the forecast stop."""
    curve = decomposition.forecast
    if not curve.x.size:
        return ()
    low, high = decomposition.limits
    lower, upper = curve.lower, curve.upper
    reached = [(low, False)] if lower.min() <= low else []
    reached += [(high, True)] if upper.max() >= high else []
    evidence = "limits that were asked for, or that all data respect"
    return tuple(
        NaturalLimit(
            id=f"forecast/limit-{'high' if above else 'low'}", number=limit, unit="target", evidence=evidence,
            upper=above,
        )
        for limit, above in reached
    )  # fmt: skip


# --- Values that stand out from a series, as claims ------------------------------------------------------------------


def outlier_claims(d: Decomposition) -> tuple[Claim, ...]:
    """A claim for every value that stands out, or one for many; one for every day of the calendar that brings some."""
    if d.screening.heavy:
        far = tuple(_outlier(number, row, d) for number, row in enumerate(d.screening.far, 1))
        places = sorted(claim.at[0] for claim in far)
        number = Quantity.plain(d.screening.heavy, Measure.COUNT)
        tails = Claim(id="outliers/many", kind=Kind.TAILS, number=number, at=(*places[:1], *places[-1:]), parts=far)
        return (tails, *_returning(d))
    single = [row for row in d.screening.rows if not row.returns]
    return (*(_outlier(number, row, d) for number, row in enumerate(single, 1)), *_returning(d))


def _outlier(rank: int, row: Outlier, d: Decomposition) -> Claim:
    claim = outlier_claim(rank, row.x, row.y, float(np.clip(row.expected, *d.limits)), int(d.x.size))
    lasting = {"lasting": Quantity.plain(d.screening.lasting, Measure.SHARE)} if row.ending else {}
    return replace(
        claim, kind=Kind.ENDING if row.ending else Kind.OUTLIER, marks=frozenset({"aside"} if row.aside else ()),
        more={**claim.more, **plain_numbers(gain=d.screening.gain), **lasting},
        probability=None if row.chance is None else min(row.chance, NEARLY_SURE),
    )  # fmt: skip


def two_ways(d: Decomposition) -> tuple[TwoWays, ...]:
    """What comes first if the last values, which were set aside, are past, and if they begin a new level."""
    if d.two_ways is None or not d.forecast.x.size:
        return ()
    back, lasting = (float(way[0]) for way in d.two_ways)
    return (
        TwoWays(
            id="forecast/two-ways", number=back, unit="target", evidence="the forecast in either case",
            position=float(d.forecast.x[0]), lasting=lasting, odds=d.screening.lasting, rows=len(d.screening.ending),
        ),
    )  # fmt: skip


def _returning(d: Decomposition) -> Iterator[Claim]:
    for number, (day, rows) in enumerate(d.screening.returning.items(), 1):
        every = np.array([row.y - row.expected for row in rows])
        off, level = float(np.median(every)), float(np.median([row.y for row in rows]))
        times = int(np.count_nonzero(off_alike(every, off)))
        yield Claim(
            id=f"outliers/day {number}", kind=Kind.RETURNING, form=day.step, at=(rows[0].x, rows[-1].x),
            named={"day": day.text}, number=Quantity.plain(off, Measure.DIFFERENCE),
            more={"level": Quantity.plain(level, Measure.LEVEL), "times": Quantity.plain(times, Measure.COUNT),
                "rows": Quantity.plain(len(rows), Measure.COUNT)},
        )  # fmt: skip
