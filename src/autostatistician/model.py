"""A finished search as one value: the data, the model with its numbers, the way it was found.

`fit_model` makes it, `decomposition` takes it apart, `to_json` and `from_json` keep it. The estimator and the
command line are faces of these functions.
"""

from __future__ import annotations

import platform
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib.metadata import version
from math import ceil
from typing import Any

import numpy as np

from autostatistician.data.dataset import Dataset
from autostatistician.decompose import Decomposition, Fitted, decompose
from autostatistician.errors import InputError
from autostatistician.inference.criteria import CRITERIA
from autostatistician.language.count import effective_parameters
from autostatistician.language.grammar import LANGUAGES
from autostatistician.language.hints import did_you_mean
from autostatistician.language.json_form import kernel_from_json, kernel_to_json
from autostatistician.language.kernel import Kernel
from autostatistician.search.run import Settings, search
from autostatistician.search.state import Candidate, SearchResult, StepInfo

__all__ = ["Model", "decomposition", "default_horizon", "fit_model", "from_json", "to_json"]

FORMAT = 1  # of saved models

# How far people look ahead on a calendar, in steps; never more than a quarter of what was seen.
USUAL_HORIZON = {"month": 24, "quarter": 8, "week": 26, "day": 60, "business day": 60, "hour": 72}


@dataclass(frozen=True, eq=False)
class Model:
    """What `fit_model` returns. Numbers of kernels and likelihoods are in data units."""

    dataset: Dataset
    language: str
    settings: Settings
    search: SearchResult

    @property
    def kernel(self) -> Kernel:
        """The best model with its numbers."""
        return self.search.best.kernel

    def __repr__(self) -> str:
        best = self.search.best
        return f"Model({self.dataset.name!r}: {best.kernel}, nll={best.nll:.2f}, n={len(self.dataset.y)})"


def fit_model(
    dataset: Dataset, language: str, settings: Settings, callback: Callable[[StepInfo], None] | None = None
) -> Model:
    """Search for the model of a data set.

    Raises
    ------
    InputError
        When the language or the criterion is unknown.
    """
    for kind, name, known in (("language", language, LANGUAGES), ("criterion", settings.criterion, CRITERIA)):
        if name not in known:
            raise InputError.of(f"a {kind} among {sorted(known)}", repr(name), did_you_mean(str(name), known))
    return Model(dataset, language, settings, search(dataset, LANGUAGES[language], settings, callback))


def fitted_numbers(model: Model) -> Fitted:
    """The likelihood, criterion and cost of the best model, on the raw data."""
    best, n = model.search.best, len(model.dataset.y)
    return Fitted(
        best.kernel,
        best.nll,
        CRITERIA["bic"](best.nll, best.kernel.expr, n),
        effective_parameters(best.kernel.expr),
        model.search.seconds,
        model.search.evaluations,
    )


def decomposition(model: Model, horizon: int | None = None) -> Decomposition:
    """The best model taken apart, with a forecast of ``horizon`` steps (by default a usual one)."""
    path = tuple((step.expression, step.bic, step.seconds) for step in model.search.trace)
    return decompose(
        model.kernel,
        model.dataset,
        fitted=fitted_numbers(model),
        path=path,
        horizon=default_horizon(model.dataset) if horizon is None else horizon,
        seed=model.settings.seed,
    )


def default_horizon(dataset: Dataset) -> int:
    """Steps that a reader of such a series would want to see: by its calendar, else a tenth of its length."""
    axis = dataset.axis
    n = len(dataset.y)
    if axis is None:
        return 0
    cells = n if axis.step is None else max(n, round(float(np.ptp(dataset.X[:, 0])) / axis.step))
    usual = USUAL_HORIZON.get(axis.frequency, ceil(0.1 * cells))
    return max(1, min(usual, ceil(0.25 * cells)))


def to_json(model: Model) -> dict[str, Any]:
    """Plain values from which `from_json` makes an equal model; safe to read, never a pickle."""
    return {
        "format": FORMAT,
        "dataset": model.dataset.to_json(),
        "language": model.language,
        "settings": asdict(model.settings),
        "search": {
            "frontier": [_candidate_to_json(one) for one in model.search.frontier],
            "trace": [asdict(step) for step in model.search.trace],
            "evaluations": model.search.evaluations,
            "seconds": model.search.seconds,
            "stopped": model.search.stopped,
            "interrupted": model.search.interrupted,
        },
        "versions": {name: version(name) for name in ("autostatistician", "numpy", "scipy")}
        | {"python": platform.python_version()},
    }


def _candidate_to_json(candidate: Candidate) -> dict[str, Any]:
    return {
        "kernel": kernel_to_json(candidate.kernel),
        "nll": candidate.nll,
        "score": candidate.score,
        "level": candidate.level,
    }


def from_json(record: object) -> Model:
    """Read what `to_json` wrote.

    Raises
    ------
    InputError
        When the record is not a saved model of a format this version knows.
    """
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        found = f"format {record.get('format')!r}" if isinstance(record, dict) else type(record).__name__
        raise InputError.of(f"a saved model of format {FORMAT}", found, "save it again with this version")
    try:
        frontier = tuple(_candidate_from_json(one) for one in record["search"]["frontier"])
        found = record["search"]
        result = SearchResult(
            frontier[0],
            frontier,
            tuple(StepInfo(**step) for step in found["trace"]),
            int(found["evaluations"]),
            float(found["seconds"]),
            str(found["stopped"]),
            bool(found["interrupted"]),
        )
        settings = Settings(**record["settings"])
        return Model(Dataset.from_json(record["dataset"]), str(record["language"]), settings, result)
    except (KeyError, TypeError, IndexError, ValueError) as error:
        raise InputError.of("a whole saved model", f"a fault ({error})", "save the model again") from error


def _candidate_from_json(record: dict[str, Any]) -> Candidate:
    kernel = kernel_from_json(record["kernel"])
    return Candidate(kernel, float(record["nll"]), float(record["score"]), int(record["level"]))
