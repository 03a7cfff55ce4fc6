"""What users may set: checked, and as plain values."""

from __future__ import annotations

from collections.abc import Iterable
from math import ceil, inf
from typing import Any

import numpy as np

from autostatistician.data.dataset import Dataset
from autostatistician.data.moments import most_steps
from autostatistician.data.outliers import OUTLIERS
from autostatistician.data.transform import TRANSFORMS
from autostatistician.errors import InputError
from autostatistician.gp.criteria import CRITERIA
from autostatistician.i18n.names import did_you_mean
from autostatistician.kernels.grammar import LANGUAGES, Language
from autostatistician.kernels.kernel import Kernel, parameters
from autostatistician.search.preprocessing import LIKELIHOODS
from autostatistician.search.run import Settings
from autostatistician.search.settings import AUTO

__all__ = ["check_settings", "default_horizon", "is_number", "plain"]


# How far people look ahead on a calendar, in steps; never more than a quarter of what was seen.
USUAL_STEPS = {"month": 24, "quarter": 8, "half-month": 48, "week": 26, "day": 60, "business day": 60, "hour": 72}


def plain(value: Any) -> Any:
    """NumPy's numbers as Python's."""
    return value.item() if isinstance(value, np.generic) else value


def check_settings(language: str | Language, settings: Settings) -> None:
    """Raise an `InputError` for the first setting that cannot be used; a language is one, or the name of one."""
    if not isinstance(language, Language) and language not in list(LANGUAGES):
        remedy = f"{did_you_mean(str(language), LANGUAGES)}, or set LANGUAGES[{language!r}] to your own"
        raise InputError.of(f"a language among {sorted(LANGUAGES)}", repr(language), remedy)
    names: tuple[tuple[str, str, Iterable[str]], ...] = (
        ("criterion", settings.criterion, (AUTO, *CRITERIA)),
        ("transform", settings.transform, (AUTO, *TRANSFORMS)),
        ("setting for outliers", settings.outliers, OUTLIERS),
        ("likelihood", settings.likelihood, LIKELIHOODS),
    )
    for kind, name, choices in names:
        if name not in list(choices):
            raise InputError.of(f"a {kind} among {sorted(choices)}", repr(name), did_you_mean(str(name), choices))
    counts = (("max_depth", settings.max_depth, 0), ("n_restarts", settings.restarts, 1), ("seed", settings.seed, 0))
    for name, value, least in counts:
        if not _is_whole(value) or value < least:
            raise InputError.of(f"{name} as a whole number from {least}", repr(value), "change the setting")
    if settings.n_jobs is not None and (not _is_whole(settings.n_jobs) or settings.n_jobs == 0):
        raise InputError.of("n_jobs as a whole number (-1: all cores)", repr(settings.n_jobs), "change the setting")
    seconds = settings.time_budget
    if seconds is not None and not (is_number(seconds) and 0.0 < seconds < inf):
        raise InputError.of("time_budget as seconds above 0", repr(seconds), "leave it out for no limit")


def _is_whole(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def is_number(value: object) -> bool:
    """Whether something is a real number, Python's or NumPy's, and no truth value."""
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)


# --- How far ahead a forecast goes where nobody says it -------------------------------------------------------------


def default_horizon(dataset: Dataset, kernel: Kernel | None = None) -> int:
    """Steps that a reader of such a series would want to see: by its calendar, else a tenth of its length.

    With the ``kernel`` of its model at least one whole turn of every cycle that the data show twice.
    """
    axis = dataset.axis
    n = len(dataset.y)
    if axis is None:
        return 0
    span = float(np.ptp(dataset.X[:, 0]))
    first, last = float(dataset.x.min()), float(dataset.x.max())
    cells = n if axis.step is None else max(n, axis.grid(first, last).size - 1)
    usual = USUAL_STEPS.get(axis.frequency, ceil(0.1 * cells))
    step = axis.step or axis.gap
    pairs = () if kernel is None else zip(parameters(kernel.expr), kernel.values, strict=True)
    periods = [value for parameter, value in pairs if parameter.name == "period" and 2.0 * value <= span + step]
    turns = [axis.grid(last, last + ceil(period / step - 0.05) * step).size - 1 for period in periods]
    wanted = max(1, min(usual, ceil(0.25 * cells)), *turns)
    return min(wanted, most_steps())
