"""What searches ask of the numbers, as requests: answered one by one, or by a gate that stacks those of many searches.

A request says what must be equal for requests to be answered together. Outside of a gate each is answered by itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from math import inf, isfinite
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from autostatistician.inference.engines.choice import objective_of
from autostatistician.inference.fitting import Fit, fit
from autostatistician.inference.parameters import Scales
from autostatistician.inference.problem import Problem
from autostatistician.inference.stacked import StackedObjective, is_stackable, shape_of, stacked_fits
from autostatistician.inference.uncertainty import log_evidence
from autostatistician.inference.uncertainty.evidence import log_evidences
from autostatistician.language.kernel import Kernel

__all__ = [
    "EvidenceOf",
    "FitOf",
    "Gate",
    "Request",
    "ValuesOf",
    "answered",
    "fits_together",
    "grouped_answers",
    "has_gate",
    "through",
]

Array = NDArray[np.float64]
MOST_TOGETHER = 512  # members of a stack: their vectors stay few megabytes


class Request(Protocol):
    """A question about one kernel and its data."""

    def alone(self) -> Any:
        """The answer by itself."""

    def alike(self) -> tuple[object, ...] | None:
        """What is equal for requests that are answered together; None where it must be alone."""

    def together(self, requests: Sequence[Any]) -> list[Any]:
        """The answers to some requests that are alike."""


@dataclass(frozen=True, eq=False, slots=True)
class ValuesOf:
    """The negative log likelihoods of some kernels of one expression; infinite where there is none.

    With ``stop``, asked before each but the first, no more are evaluated once it says so and one is known.
    """

    kernels: Sequence[Kernel]
    problem: Problem
    stop: Callable[[], bool] | None = None

    def alone(self) -> list[float]:
        """By one evaluation each."""
        objective, values = objective_of(self.kernels[0].expr, self.problem), list[float]()
        for kernel in self.kernels:
            if self.stop is not None and min(values, default=inf) < inf and self.stop():
                break
            value = objective.value(kernel.values)
            values.append(value if isfinite(value) else inf)
        return values

    def alike(self) -> tuple[object, ...] | None:
        """The expression, and the shape of the data."""
        expr = self.kernels[0].expr
        if self.stop is not None or not is_stackable(expr, self.problem):
            return None
        return "values", expr, shape_of(self.problem)

    def together(self, requests: Sequence[ValuesOf]) -> list[list[float]]:
        """By one stack."""
        counts = [len(request.kernels) for request in requests]
        places = np.array([kernel.values for request in requests for kernel in request.kernels])
        objective = StackedObjective(self.kernels[0].expr, [request.problem for request in requests])
        values = objective.value(places, np.repeat(np.arange(len(requests)), counts))
        return [part.tolist() for part in np.split(values, np.cumsum(counts)[:-1])]


@dataclass(frozen=True, eq=False, slots=True)
class FitOf:
    """The fit of a kernel (see `optimise.fit`)."""

    kernel: Kernel
    problem: Problem
    scales: Scales
    steps: int
    units: Array | None = None
    stop: Callable[[], bool] | None = None

    def alone(self) -> Fit:
        """By itself."""
        return fit(self.kernel, self.problem, self.scales, self.steps, self.stop, self.units)

    def alike(self) -> tuple[object, ...] | None:
        """The expression, the shape of the data, and whether there are priors."""
        if self.stop is not None or not self.kernel.values or not is_stackable(self.kernel.expr, self.problem):
            return None
        return "fit", self.kernel.expr, shape_of(self.problem), self.scales.priors is None

    def together(self, requests: Sequence[FitOf]) -> list[Fit]:
        """In lockstep."""
        given = [(each.kernel, each.problem, each.scales, each.steps, each.units) for each in requests]
        kernels, problems, scales, steps, units = zip(*given, strict=True)
        return stacked_fits(kernels, problems, scales, steps, units)


@dataclass(frozen=True, eq=False, slots=True)
class EvidenceOf:
    """The log evidence of the structure of a fitted kernel (see `evidence.log_evidence`)."""

    kernel: Kernel
    nll: float
    problem: Problem
    scales: Scales

    def alone(self) -> float:
        """By itself."""
        return log_evidence(self.kernel, self.nll, self.problem, self.scales)

    def alike(self) -> tuple[object, ...] | None:
        """The expression, and the shape of the data."""
        if not is_stackable(self.kernel.expr, self.problem):
            return None
        return "evidence", self.kernel.expr, shape_of(self.problem)

    def together(self, requests: Sequence[EvidenceOf]) -> list[float]:
        """By the slopes of all."""
        given = [(each.kernel, each.nll, each.problem, each.scales) for each in requests]
        kernels, nlls, problems, scales = zip(*given, strict=True)
        return log_evidences(kernels, nlls, problems, scales)


class Gate(Protocol):
    """Where the requests of several searches meet."""

    def answered(self, requests: Sequence[Request]) -> list[Any]:
        """The answers, in the order of the requests."""


_gate: ContextVar[Gate | None] = ContextVar("gate", default=None)


def has_gate() -> bool:
    """Whether requests of this context meet those of others."""
    return _gate.get() is not None


@contextmanager
def through(gate: Gate) -> Iterator[None]:
    """A context whose requests go through a gate."""
    token = _gate.set(gate)
    try:
        yield
    finally:
        _gate.reset(token)


def answered(requests: Sequence[Request]) -> list[Any]:
    """The answers to requests: by the gate of this context, or one by one.

    >>> from autostatistician.language.kernel import leaf
    >>> problem = Problem(np.zeros((2, 1)), np.array([1.0, -1.0]))
    >>> (values,) = answered([ValuesOf([leaf("WN", sd=1.0)], problem)])
    >>> [round(value, 3) for value in values]
    [2.838]
    """
    gate = _gate.get()
    return [request.alone() for request in requests] if gate is None or not requests else gate.answered(requests)


def grouped_answers(requests: Sequence[Request]) -> list[Any]:
    """The answers, those that are alike together; an error is the answer to a request that raises it."""
    groups: dict[tuple[object, ...], list[int]] = {}
    for index, request in enumerate(requests):
        groups.setdefault(request.alike() or (index,), []).append(index)
    answers: list[Any] = [None] * len(requests)
    for key, members in groups.items():
        for start in range(0, len(members), MOST_TOGETHER):
            part = members[start : start + MOST_TOGETHER]
            of_part = _answers([requests[index] for index in part], is_alone=len(key) == 1)
            for index, answer in zip(part, of_part, strict=True):
                answers[index] = answer
    return answers


def _answers(requests: Sequence[Request], *, is_alone: bool) -> list[Any]:
    try:
        return [requests[0].alone()] if is_alone else requests[0].together(requests)
    except Exception as error:
        if len(requests) == 1:
            return [error]
        return [answer for request in requests for answer in _answers([request], is_alone=False)]


def fits_together(
    kernels: Sequence[Kernel], problem: Problem, scales: Scales, steps: int, units: Array | None = None
) -> list[Fit]:
    """Fits of several kernels to one problem, with those of other searches where there is a gate.

    >>> from autostatistician.inference.parameters.scales import measure
    >>> from autostatistician.language.kernel import leaf
    >>> x, y = np.arange(4.0)[:, None], np.array([1.0, -1.0, 1.0, -1.0])
    >>> (noise,) = fits_together([leaf("WN", sd=2.0)], Problem(x, y), measure(x, y, ("x",)), 50)
    >>> round(noise.kernel.values[0], 3)
    1.0
    """
    fits: list[Fit] = answered([FitOf(kernel, problem, scales, steps, units) for kernel in kernels])
    return fits
