"""Which engine computes: the cheapest that can."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from autostatistician.errors import InputError
from autostatistician.gp.engines.approximate import EP, Laplace
from autostatistician.gp.engines.exact import MOST_ROWS, Blocks, Engine, Objective, check_rows
from autostatistician.gp.engines.inducing import MOST_ROWS as MOST_ROWS_BY_POINTS
from autostatistician.gp.engines.inducing import Inducing
from autostatistician.gp.engines.lag_space import LagSpace
from autostatistician.gp.engines.semiseparable.engine import Semiseparable
from autostatistician.gp.engines.toeplitz import ToeplitzObjective, cells_of
from autostatistician.gp.posterior import Posterior
from autostatistician.gp.problem import Problem
from autostatistician.kernels.expr import Expr, Leaf
from autostatistician.kernels.kernel import Kernel, parameters, size
from autostatistician.kernels.leaves import LEAVES

__all__ = [
    "ENGINES", "EXACT", "Toeplitz", "condition", "engine_for", "expected_seconds", "objective_of", "prior_covariances",
    "with_every_slope",
]  # fmt: skip


OTHERS: tuple[Engine, ...] = (LagSpace(), Semiseparable())
# Of value and gradient; measured by `benchmarks/long.py` beside those of the other engines.
SECONDS, SECONDS_PER_NUMBER, SECONDS_PER_CELL, SECONDS_PER_PAIR = 2.2e-4, 1e-5, 1.1e-6, 3.6e-10
SECONDS_PER_EMPTY = 2e-7  # and cell


class Toeplitz:
    """Exact inference where rows stand on a grid, in order, and the model is stationary but for lines.

    Examples
    --------
    >>> import numpy as np
    >>> from autostatistician.kernels.text import parse
    >>> problem = Problem(np.arange(200.0), np.sin(np.arange(200.0)))
    >>> value, gradient = Toeplitz().objective(parse("SE + WN"), problem).value_and_gradient((5.0, 1.0, 0.5))
    >>> abs(value - LagSpace().objective(parse("SE + WN"), problem).value((5.0, 1.0, 0.5))) < 1e-9
    True
    """

    name = "Toeplitz"
    is_exact = True

    def cost(self, expr: Expr, problem: Problem) -> float | None:
        """Steps for cells, vectors of all cells in each of them; None where the matrix has another form."""
        cells = cells_of(expr, problem)
        if cells is None or not LagSpace.takes(expr, problem):
            return None
        count = int(cells[0][-1]) + 1
        empty = count - problem.n
        for_each = SECONDS_PER_CELL + SECONDS_PER_EMPTY * empty + SECONDS_PER_PAIR * count
        return SECONDS + SECONDS_PER_NUMBER * size(expr) + for_each * count

    def objective(self, expr: Expr, problem: Problem) -> ToeplitzObjective:
        """The negative log marginal likelihood of an expression."""
        cells = cells_of(expr, problem)
        assert cells is not None  # else it has no cost
        return ToeplitzObjective(expr, problem, *cells, self._other(expr, problem))

    def condition(self, kernel: Kernel, problem: Problem) -> Posterior:
        """The posterior of a kernel, by the cheapest of the other engines."""
        return self._other(kernel.expr, problem).condition(kernel, problem)

    @staticmethod
    def _other(expr: Expr, problem: Problem) -> Engine:
        costs = {engine: cost for engine in OTHERS if (cost := engine.cost(expr, problem)) is not None}
        return min(costs, key=costs.__getitem__) if costs else Inducing()


Array = NDArray[np.float64]

EXACT: tuple[Engine, ...] = (LagSpace(), Blocks(), Semiseparable(), Toeplitz())
# Of those that are not exact the better ones first.
ENGINES: tuple[Engine, ...] = (*EXACT, Inducing(), EP(), Laplace())
BEARABLE_SECONDS = 0.5  # of an evaluation: above it the next best approximation is taken
STEP_OF_PLACES = 1e-5  # of differences, in ranges of the column
MANY_ROWS = 2000  # of more, an engine that is not exact is taken where there is one


@dataclass(eq=False)
class _Choices:
    """The engines that were chosen among some, by expression, name and whether they are asked often."""

    among: tuple[Engine, ...]
    engines: dict[tuple[Expr, str, bool], Engine] = field(default_factory=dict)


# What was chosen for a problem: a search asks for the same expressions again and again, as long as it has the problem.
_CHOSEN: WeakKeyDictionary[Problem, _Choices] = WeakKeyDictionary()


def engine_for(expr: Expr, problem: Problem, prefer: str = "auto", *, often: bool = False) -> Engine:
    """The engine for a problem, or the one that is preferred by name, or "exact" where one can be.

    That is the exact one that needs the least time; where none is exact, or rows are many and some engine is not (and
    "exact" is not preferred), the best of those whose time is bearable, or for what is evaluated ``often`` the
    cheapest.
    The choice depends on expression and sizes alone, so it is the same on every machine.

    Raises
    ------
    InputError
        When no engine can, or the preferred one cannot.

    Examples
    --------
    >>> import numpy as np
    >>> from autostatistician.kernels.text import parse
    >>> line, plane = Problem(np.zeros(3), np.ones(3)), Problem(np.zeros((3, 2)), np.ones(3), ("a", "b"))
    >>> engine_for(parse("SE + WN"), line).name, engine_for(parse("SE[a] + WN"), plane).name
    ('lag space', 'blocks')
    """
    choices = _CHOSEN.get(problem)
    if choices is None or choices.among is not ENGINES:
        choices = _CHOSEN[problem] = _Choices(ENGINES)
    if (key := (expr, prefer, often)) not in choices.engines:
        choices.engines[key] = _cheapest(expr, problem, prefer, often)
    return choices.engines[key]


def _cheapest(expr: Expr, problem: Problem, prefer: str, often: bool) -> Engine:
    """The engine of the lowest rank."""
    many = problem.n > MANY_ROWS and prefer != "exact"
    ranks = [
        (_rank(engine, cost, index, often, many), index)
        for index, engine in enumerate(ENGINES)
        if prefer in ("auto", "exact", engine.name) and (cost := engine.cost(expr, problem)) is not None
    ]
    if ranks:
        return ENGINES[min(ranks)[1]]
    check_rows(problem.n, _most_rows(expr, problem))
    expected = (
        "an engine that can compute this model" if prefer in ("auto", "exact") else f"an engine {prefer!r} that can"
    )
    engines = f"none among {', '.join(engine.name for engine in ENGINES)} for {problem.n} rows"
    raise InputError.of(expected, engines, "choose another model, or fewer rows")


def _most_rows(expr: Expr, problem: Problem) -> int:
    """How many rows of such data some engine can bear."""
    few = problem.rows(np.arange(min(problem.n, 2)))
    return MOST_ROWS_BY_POINTS if Inducing().cost(expr, few) is not None else MOST_ROWS


def _rank(engine: Engine, cost: float, index: int, often: bool, many: bool) -> tuple[bool, bool, float]:
    """What decides between engines, the lowest first."""
    by_cost = engine.is_exact or often
    return engine.is_exact is many, cost > BEARABLE_SECONDS and not by_cost, cost if by_cost else index


def objective_of(expr: Expr, problem: Problem, prefer: str = "auto") -> Objective:
    """The negative log marginal likelihood of an expression, by the engine for it.

    >>> import numpy as np
    >>> from autostatistician.kernels.expr import Leaf
    >>> round(objective_of(Leaf("WN"), Problem(np.zeros(2), np.array([1.0, -1.0]))).value((1.0,)), 4)
    2.8379
    """
    return engine_for(expr, problem, prefer, often=True).objective(expr, problem)


def with_every_slope(objective: Objective, kernel: Kernel, problem: Problem) -> tuple[float, Array]:
    """Value and gradient (p,) of an objective, by differences where a leaf holds a place that no fit moves."""
    value, gradient = objective.value_and_gradient(kernel.values)
    for index, parameter in enumerate(parameters(kernel.expr)):
        node = parameter.node
        if not isinstance(node, Leaf) or not LEAVES[node.symbol].parameter(parameter.name).held:
            continue
        column = 0 if node.column is None else problem.columns.index(node.column)
        step = STEP_OF_PLACES * (float(np.ptp(problem.X[:, column])) or 1.0)
        before, after = kernel.values[:index], kernel.values[index + 1 :]
        ends = [objective.value((*before, kernel.values[index] + move, *after)) for move in (step, -step)]
        gradient[index] = (ends[0] - ends[1]) / (2.0 * step)
    return value, gradient


def expected_seconds(posterior: Posterior) -> float | None:
    """How long an evaluation takes for a model that has this posterior; None where none evaluates such models often.

    Where exponential terms are too coarse or too many, one matrix has made it, and will be asked again.

    >>> from autostatistician.kernels.text import parse_kernel
    >>> problem = Problem(np.arange(400.0) ** 1.1, np.zeros(400))
    >>> models = (parse_kernel(f"SE(lengthscale=9, sd=1) + WN(sd={sd})") for sd in (0.3, 1e-6))
    >>> noisy, clean = (expected_seconds(Semiseparable().condition(one, problem)) for one in models)
    >>> noisy < clean
    True
    """
    engines = [engine for engine in ENGINES if engine.name in posterior.evaluated_by]
    costs = [engine.cost(posterior.kernel.expr, posterior.problem) for engine in engines]
    return min((seconds for seconds in costs if seconds is not None), default=None)


def prior_covariances(expr: Expr, problem: Problem, places: Sequence[tuple[float, ...]]) -> list[Array]:
    """The covariances (n, n) of a few observations at several parameters, but for that of the likelihood."""
    exact = LagSpace() if LagSpace.takes(expr, problem) else Blocks()
    objective = exact.objective(expr, problem)
    return [objective.covariance(values) for values in places]


def condition(kernel: Kernel, problem: Problem, prefer: str = "auto") -> Posterior:
    """The posterior of a kernel with its parameters, by the engine for it.

    Raises
    ------
    NotPositiveDefinite
        When a covariance cannot be factorised even with jitter.

    Examples
    --------
    >>> import numpy as np
    >>> from autostatistician.kernels.kernel import leaf
    >>> kernel = leaf("C", sd=1.0) + leaf("WN", sd=1.0)
    >>> posterior = condition(kernel, Problem(np.array([0.0, 1.0]), np.array([1.0, 3.0])))
    >>> mean, sd = posterior.signal(np.array([[7.0]]))
    >>> mean.round(6).tolist(), sd.round(6).tolist()
    ([1.333333], [0.57735])
    """
    return engine_for(kernel.expr, problem, prefer).condition(kernel, problem)
