"""The languages of the search: which leaves and steps each may use."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import StrEnum

from autostatistician.errors import InputError
from autostatistician.i18n.names import did_you_mean
from autostatistician.kernels.expr import Expr, Leaf

__all__ = ["LANGUAGES", "Language", "Operator", "named", "sums"]


class Operator(StrEnum):
    """A step of the search, from a sub-expression S to another; B is a base expression, C the constant."""

    ADD = "add"  # S + B
    MULTIPLY = "multiply"  # S * B
    REPLACE = "replace"  # B
    MULTIPLY_CONST = "multiply_const"  # S * (B + C)
    CHANGE_POINT = "change_point"  # CP(S, S)
    CHANGE_WINDOW = "change_window"  # CW(S, S)
    BLACKOUT = "blackout"  # CW(S, C): constant inside the window
    BURST = "burst"  # CW(C, S): constant outside the window
    DELETE = "delete"  # one of the operands of S, or S without some of them


@dataclass(frozen=True, slots=True)
class Language:
    """What a search may use.

    Parameters
    ----------
    name : str
        As the user writes it.
    bases : tuple of str
        Texts of the base expressions, without columns: mostly one leaf, but ``SE * Cos`` or ``Lin + C`` will do.
    operators : frozenset of Operator
        Steps that the search may take.
    additive : bool
        Whether every expression is brought to its sum of products.
    start : Expr
        Where the search begins.
    max_depth : int or None
        Steps from there at most; None leaves it to the search.
    transforms : tuple of str
        Scales of the target that may be chosen: "none", and "log" for models of the logarithm.
    categories : tuple of str
        Texts of the base expressions on columns of categories; the other bases act on columns of numbers alone.
    unbounded : tuple of str
        Texts of base expressions that wander without bound. They need priors of their parameters: criteria that fit
        these to the data alone do without.
    criterion : str
        What a search for the model of a series goes by unless something else is asked for.
    tails : float
        By how many nats noise with heavy tails, which the language cannot say, describes the data at hand better than
        Gaussian noise of one size: changes and noise of several sizes must gain more.
    """

    name: str
    bases: tuple[str, ...]
    operators: frozenset[Operator] = frozenset(Operator)
    additive: bool = True
    start: Expr = Leaf("WN")  # noqa: RUF009 - it is frozen
    max_depth: int | None = None
    transforms: tuple[str, ...] = ("none",)
    categories: tuple[str, ...] = ()
    unbounded: tuple[str, ...] = ()
    criterion: str = "bic"  # as in the papers behind the languages
    tails: float = 0.0

    @property
    def with_priors(self) -> Language:
        """The same language with the bases that are ``unbounded``, for searches with priors of their parameters."""
        return replace(self, bases=(*self.bases, *self.unbounded), unbounded=())


def sums(language: Language) -> Language:
    """The same language without products and changes, on the scale of the data.

    >>> sorted(map(str, sums(LANGUAGES["extended"]).operators)), sums(LANGUAGES["extended"]).transforms
    (['add', 'delete', 'replace'], ('none',))
    """
    return replace(language, operators=language.operators & _GROWTH, transforms=("none",))


class _Languages(dict[str, Language]):
    def __missing__(self, name: str) -> Language:
        raise InputError.of("the name of a language", f"'{name}'", did_you_mean(str(name), self))


_NOISE = Leaf("WN")
_ALL = frozenset(Operator)
_GROWTH = frozenset({Operator.ADD, Operator.REPLACE, Operator.DELETE})
_PRODUCTS = frozenset({Operator.ADD, Operator.MULTIPLY, Operator.REPLACE})
_ABCD, _GROUPS = ("SE", "Per", "Lin", "C", "WN"), ("Cat",)

# Beyond the original: levels and slopes that wander, data on a logarithmic scale.
_EXTENDED = Language(
    "extended",
    (*_ABCD, "Matern12", "Matern32"),
    _ALL,
    True,
    _NOISE,
    None,
    ("none", "log"),
    _GROUPS,
    ("Wiener", "IOU"),
    "evidence",
)

LANGUAGES: dict[str, Language] = _Languages(
    (language.name, language)
    for language in (
        _EXTENDED,
        # Deep kernels in the place of those of Matern.
        Language("deep", (*_ABCD, "Deep2", "Deep3", "Deep"), _ALL, True, _NOISE, None, ("none", "log"), _GROUPS),
        # Lloyd et al. (2014): the accuracy and the interpretability variant of ABCD.
        Language("full", _ABCD, _ALL, False, _NOISE, categories=_GROUPS),
        Language("interpretable", _ABCD, _ALL, True, _NOISE, categories=_GROUPS),
        # Lines, waves, constants and products of them: every model is a formula.
        Language("equations", ("Lin", "Cos", "C"), _PRODUCTS | _GROWTH, True, _NOISE, None, ("none", "log")),
        # The baselines of the same paper: one model each ...
        Language("linear", ("Lin",), frozenset({Operator.ADD}), False, Leaf("C") + _NOISE, 1),
        Language("se", ("SE",), frozenset({Operator.ADD}), False, _NOISE, 1),
        # ... and searches over poorer languages.
        Language("mkl", ("SE",), _GROWTH, False, _NOISE),
        Language("changepoint", ("SE", "WN"), _GROWTH | {Operator.CHANGE_POINT}, True, _NOISE),
        Language("spectral", ("SE * Cos",), _GROWTH, False, _NOISE),
        Language("tci", ("SE", "Per"), _GROWTH, False, _NOISE),
        # Duvenaud et al. (2013), whose linear and periodic kernels had a constant inside.
        Language("cks2013", ("SE", "Lin + C", "Per + C", "RQ"), _PRODUCTS, False, _NOISE),
    )
)


def named(language: str | Language) -> str:
    """The name of a language; one of the caller's own is known by its name from then on.

    Raises
    ------
    InputError
        When another language has its name.

    Examples
    --------
    >>> named("full"), named(Language("curves", ("SE", "WN")))
    ('full', 'curves')
    >>> del LANGUAGES["curves"]
    """
    if not isinstance(language, Language):
        return language
    if LANGUAGES.setdefault(language.name, language) != language:
        raise InputError.of("a name that no other language has", repr(language.name), "choose another one")
    return language.name
