"""What a fitted estimator hands out: the parts of the model, and its forecast and search as frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from html import escape
from math import isfinite
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.dataset import time_labels
from autostatistician.describe.tell import Decomposed
from autostatistician.describe.tell import parts as described_parts
from autostatistician.errors import InputError
from autostatistician.fitted.forecast_sums import Sums
from autostatistician.fitted.model import Model
from autostatistician.fitted.predictions import Predictor
from autostatistician.fitted.settings import is_number
from autostatistician.gp.criteria import bic
from autostatistician.gp.predictive import ENDS_OF_95
from autostatistician.search.state import SearchResult

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["FittedPart", "SearchFrames", "checked_thresholds", "forecast_frame", "outlier_frame", "parts", "sums_frame"]

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
    asked = {name: number for name, number in (("above", above), ("below", below)) if number is not None}
    for name, number in asked.items():
        if not is_number(number) or not isfinite(number):
            raise InputError.of(f"a number for {name!r}", repr(number), "correct it")
    return asked


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
        lower, upper = predictor.probability_quantiles(at, (0.025, 0.975)).T
        expected = [classes[int(probability > 0.5)] for probability in chance]
        columns = {"probability": chance, "lower": lower, "upper": upper, "class": expected}
    else:
        lower, median, upper = ahead.quantiles((ENDS_OF_95[0], 0.5, ENDS_OF_95[1])).T
        columns = {"mean": ahead.mean, "std": ahead.std, "lower": lower, "median": median, "upper": upper}
        for name, number in (thresholds or {}).items():
            columns[name] = ahead.beyond(np.full(future.size, number))[name == "above"]
    return pd.DataFrame({"time": time_labels(predictor.model.dataset, future), **columns})


def sums_frame(sums: Sums, thresholds: Mapping[str, float]) -> pd.DataFrame:
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
    """The way to the model as frames: ``frontier`` (models, best first) and ``trace`` (the best after each level)."""

    def __init__(self, result: SearchResult, n: int, penalty: float = 0.0) -> None:
        self._result, self._n, self._penalty = result, n, penalty  # the last: of BIC for a transform

    @cached_property
    def frontier(self) -> pd.DataFrame:
        """One row per retained model: expression, parameters by value, nll, bic, score, level, seconds until found."""
        import pandas as pd

        until = {step.level: step.seconds for step in self._result.trace}
        rows = [
            {
                "expression": str(candidate.kernel),
                "parameters": candidate.kernel.values,
                "nll": candidate.nll,
                "bic": bic(candidate.nll, candidate.kernel.expr, self._n) + self._penalty,
                "score": candidate.score,
                "level": candidate.level,
                "seconds": until.get(candidate.level),
            }
            for candidate in self._result.frontier
        ]
        return pd.DataFrame(rows)

    @property
    def best(self) -> tuple[str, float, float]:
        """The best model, its BIC, and the seconds of the search."""
        first = self.frontier.iloc[0]
        return str(first["expression"]), float(first["bic"]), float(self._result.seconds)

    @cached_property
    def trace(self) -> pd.DataFrame:
        """One row per level: expression, nll, bic, evaluations, candidates, seconds."""
        import pandas as pd

        return pd.DataFrame([asdict(step) for step in self._result.trace])

    def _repr_html_(self) -> str:
        """For a notebook: what was tried, the best models, and the best of every level; plain tables, no scripts."""
        best = self.frontier.head(SHOWN)[["expression", "score", "nll", "level"]]
        levels = self.trace[["level", "expression", "candidates", "seconds"]]
        more = f", of which these are the best {SHOWN}" if len(self.frontier) > SHOWN else ""
        return f"<p>{escape(repr(self))}{more}:</p>{_html(best)}<p>The best model after each level:</p>{_html(levels)}"

    def __repr__(self) -> str:
        return f"Search({len(self._result.frontier)} models, {self._result.evaluations} evaluations)"
