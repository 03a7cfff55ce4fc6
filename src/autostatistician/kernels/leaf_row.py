"""What the row of a leaf holds: its form, its parameters and where they lie, its traits, and its words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum

from autostatistician.i18n.messages import message
from autostatistician.kernels.lag_functions import LagFunction, StateSpace

__all__ = [
    "LARGEST", "SD", "Amount", "Decay", "LeafKind", "LeafParameter", "LeafRow", "LogNormal",
    "Role", "Start", "Unit", "lengthscale_of", "sd_of", "shape_of",
]  # fmt: skip


class Role(Enum):
    """What a parameter measures; its unit follows from it."""

    SD = "standard deviation of the output"
    SLOPE = "output per unit of the input"
    DIFFUSION = "output per square root of the input"
    LENGTH = "length along the input"
    SHAPE = "dimensionless"
    LOCATION = "position on the input"
    RATE = "per unit of the input"
    WEIGHT = "output of either sign"

    @property
    def positive(self) -> bool:
        """Whether the parameter must be above zero (all but positions and weights)."""
        return self not in (Role.LOCATION, Role.WEIGHT)


class LeafKind(Enum):
    """What functions a leaf stands for, for all questions that do not depend on its exact form.

    Leaves of one kind have some parameters in common (`parameters`), whatever others they have.
    """

    SMOOTH = "curves without kinks, with a lengthscale"
    WANDERING = "levels or slopes that wander, with a lengthscale"
    UNBOUNDED = "levels or trends that wander off, with no mean to return to"
    CYCLIC = "functions that repeat, with a period"
    CATEGORIES = "a value for every category of a column"
    LINE = "straight lines"
    CONSTANT = "one value everywhere"
    NOISE = "values that have nothing to do with one another"
    ZERO = "nothing"

    @property
    def has_column(self) -> bool:
        """Whether leaves of this kind depend on a column."""
        return self not in (LeafKind.CONSTANT, LeafKind.NOISE, LeafKind.ZERO)

    @property
    def parameters(self) -> tuple[str, ...]:
        """The names of the parameters that all leaves of this kind have; lengthscales come first."""
        match self:
            case LeafKind.SMOOTH | LeafKind.WANDERING:
                return "lengthscale", "sd"
            case LeafKind.CYCLIC:
                return "period", "sd"
            case LeafKind.LINE | LeafKind.UNBOUNDED:
                return "sd", "location"
            case LeafKind.CONSTANT | LeafKind.NOISE:
                return ("sd",)
            case LeafKind.CATEGORIES | LeafKind.ZERO:
                return ()


class Unit(Enum):
    """In what the value of a parameter is stated, so that a change of the units of the data changes nothing."""

    ONE = "nothing: a number without a unit"
    SPACING = "the smallest distance of distinct inputs"
    RANGE = "the range of the inputs"
    SHORTEST_PERIOD = "the shortest cycle that the inputs can show"
    LONGEST_PERIOD = "the longest cycle that the inputs can show"
    RANGES_BELOW = "ranges below the lowest input"
    RANGES_ABOVE = "ranges above the highest input"
    SIZE = "the root mean square of the target"
    SIZE_PER_RANGE = "that over the range of the inputs"
    SIZE_PER_ROOT_RANGE = "that over the square root of the range of the inputs"
    NOISE_FLOOR = "the smallest believable standard deviation of noise"


@dataclass(frozen=True, slots=True)
class Amount:
    """So many units."""

    value: float
    unit: Unit = Unit.ONE


class Start(Enum):
    """From where fits of a parameter that is not chosen yet begin; the rules are in the search."""

    SIZE = "sizes that the data, or what the model leaves of them, have"
    LENGTHSCALE = "all lengths that the data can show"
    MEMORY = "all lengths that the data can show, and longer ones: what wanders freely remembers all"
    PERIOD = "peaks of the spectrum, cycles of the calendar, and others"
    CONTRAST = "how much categories may differ beside the level that they share"
    SHAPE = "around one"
    ORIGIN = "within the data, and as far outside"
    FIRST = "where the data begin"


@dataclass(frozen=True, slots=True)
class LogNormal:
    """A prior of a positive parameter: its median, and the standard deviation of its logarithm."""

    median: Amount
    spread: float


@dataclass(frozen=True, slots=True)
class LeafParameter:
    """One parameter of a leaf: what it measures, what it is in words, where it may lie, and where fits of it begin.

    Without a ``prior`` of its own it has the weak one that its role implies. Where the lowest is the highest, it is
    no parameter of the model: data say nothing about it, fits leave it as it is, and nothing counts it.
    """

    name: str
    role: Role
    meaning: str
    lowest: Amount
    highest: Amount
    start: Start
    prior: LogNormal | None = None

    @property
    def held(self) -> bool:
        """Whether it is never fitted."""
        return self.lowest == self.highest


@dataclass(frozen=True, slots=True)
class Decay:
    """How the correlation of a leaf falls with the lag: ``1 - rate (lag / lengthscale)^power`` to first order.

    ``exponential``: it is exactly ``exp(-rate (lag / lengthscale)^power)``, so that products of the leaf with itself
    are leaves of the same kind, with ``lengthscale^-power`` the sum of theirs. ``mixed``: it is a mixture over
    lengthscales. With the power 1 functions are rough: they have no slope.
    """

    rate: float
    power: int
    exponential: bool = False
    mixed: bool = False


@dataclass(frozen=True, eq=False)
class LeafRow:
    """All that is known of a leaf. The output scale, where there is one, is the parameter ``sd``.

    A `ValueError` says when a parameter is missing that all leaves of the kind have.

    Parameters
    ----------
    name : str
        The kernel's name in the literature.
    noun : str
        What the leaf is, for readers who know no statistics.
    kind : LeafKind
        What functions it stands for.
    parameters : tuple of LeafParameter
        In the order in which kernels store them.
    of_lag : LagFunction, optional
        The covariance of a leaf that depends on the lag alone, with its derivatives.
    decay : Decay, optional
        For leaves whose correlation falls from one with the lag over their first parameter.
    of_increments : LagFunction, optional
        Of a leaf whose increments are stationary: half their variance, by their length and the parameters but the last,
        which is the location where the functions are zero (see `lag_functions`).
    divisible : bool
        Whether every power of the covariance above zero is a covariance (infinitely divisible).
    for_few_rows : bool
        Whether a dozen rows can show it.
    spellings : tuple of str
        What else people call it (lower case), for suggestions.
    state_space : StateSpace, optional
        The exponential terms of a leaf of one column of numbers, for engines whose cost grows with n. Without them its
        models are computed with one matrix.
    shape : tuple of int, optional
        Of a full covariance between categories: its levels and its rank.
    of_shape : callable, optional
        The row of the same leaf with a full covariance of such a shape; it is printed with its shape (``Cat4r1``).
    """

    name: str
    noun: str
    kind: LeafKind
    parameters: tuple[LeafParameter, ...] = ()
    of_lag: LagFunction | None = None
    decay: Decay | None = None
    of_increments: LagFunction | None = None
    divisible: bool = False
    for_few_rows: bool = False
    spellings: tuple[str, ...] = ()
    state_space: StateSpace | None = None
    shape: tuple[int, int] | None = None
    of_shape: Callable[[int, int], LeafRow] | None = None
    names_and_roles: tuple[tuple[str, Role], ...] = field(init=False, repr=False)  # of the parameters
    scale_index: int | None = field(init=False, repr=False)  # which of the parameters is the output scale

    def __post_init__(self) -> None:
        pairs = tuple((parameter.name, parameter.role) for parameter in self.parameters)
        names = [parameter.name for parameter in self.parameters]
        if missing := [name for name in self.kind.parameters if name not in names]:
            raise ValueError(
                f"expected a leaf of {self.kind.value} to have {missing}; found {names}; add what is missing"
            )
        object.__setattr__(self, "names_and_roles", pairs)
        object.__setattr__(self, "scale_index", names.index("sd") if "sd" in names else None)

    @property
    def has_column(self) -> bool:
        """Whether the leaf depends on a column."""
        return self.kind.has_column

    @property
    def stationary(self) -> bool:
        """Whether the covariance depends on the lag alone."""
        return self.of_lag is not None or not self.has_column

    def parameter(self, name: str) -> LeafParameter:
        """One of the parameters by its name (`KeyError` where there is none)."""
        for parameter in self.parameters:
            if parameter.name == name:
                return parameter
        raise KeyError(name)


# --- Parameters that several leaves have ----------------------------------------------------------------------------

SMALLEST, LARGEST = 1e-5, 1e4  # sizes, relative to that of the target


def sd_of(meaning: str, role: Role = Role.SD, unit: Unit = Unit.SIZE) -> LeafParameter:
    """An output scale, in units of the target over those of the input.

    >>> sd_of("size of the steps", Role.DIFFUSION, Unit.SIZE_PER_ROOT_RANGE).highest.value
    10000.0
    """
    return LeafParameter("sd", role, meaning, Amount(SMALLEST, unit), Amount(LARGEST, unit), Start.SIZE)


SD = sd_of(message("size"))


def lengthscale_of(meaning: str, start: Start = Start.LENGTHSCALE) -> LeafParameter:
    """A lengthscale: shorter than a spacing, a curve is no other than noise; longer than a hundred ranges, a constant.

    >>> lengthscale_of("memory", Start.MEMORY).highest
    Amount(value=100.0, unit=<Unit.RANGE: 'the range of the inputs'>)
    """
    return LeafParameter(
        "lengthscale", Role.LENGTH, meaning, Amount(1.0, Unit.SPACING), Amount(100.0, Unit.RANGE), start
    )


def shape_of(name: str, meaning: str, low: float, high: float, start: Start = Start.SHAPE) -> LeafParameter:
    """A number without a unit, between two others.

    >>> shape_of("alpha", "mixture", 0.1, 9.0).lowest.value
    0.1
    """
    return LeafParameter(name, Role.SHAPE, meaning, Amount(low), Amount(high), start)
