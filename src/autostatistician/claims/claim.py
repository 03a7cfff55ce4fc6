"""A claim: what is so, where, by how much, how surely, and what the data alone say."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from autostatistician.claims.kinds import KINDS, Form, Kind, Standing
from autostatistician.claims.quantity import Measure, Quantity

__all__ = [
    "LEVEL_CHANGES", "Claim", "Witness", "chance_at", "extremes", "first", "of_kinds", "plain_numbers", "shown", "told",
    "way_of", "weighed",
]  # fmt: skip

LEVEL_CHANGES = (Kind.STEP, Kind.EVENT)


@dataclass(frozen=True)
class Witness:
    """A plain ``statistic`` of the data about the same, and whether it ``agrees``."""

    statistic: str
    number: Quantity
    agrees: bool


@dataclass(frozen=True, kw_only=True)
class Claim:
    """What is claimed ``at`` places of the axis, with ``more`` numbers by name and claims that are ``parts`` of it.

    ``marks`` say how it is so, in words of the table below; ``form`` is the one of several that a kind has.

    ========  =====================================================================================================
    kind      number, places, more numbers, parts, marks
    ========  =====================================================================================================
    rise      from the first level to the last; first row, end of the first stretch, start of the last, last row;
              first, last, low, high (levels), pace, speed and late (slopes or growth), step (from row to row, of what
              the data show as a random walk), gained and gained_late (in the first and last third of the steps, where
              no value falls below the one before); still; "stepped", "passed",
              "flat", "straight", "steady", "levelled", "hardly_of_late", "faster", "slower", "between"
    run       between two turning points, from 1 to so many ("of"); first, last, begins (a place with its range)
    still     what of a rise or run happens in a long stretch; first, last
    slope     per unit of the axis over the last rows; where these begin
    season    share of the variation; period, swing, early and late
              (swings of the first and last third), high, low; phases; "changes"; ``tops`` and ``bottoms`` are the
              places that are it nearly for sure; a part "first cycle" where these were others then
    step      a sudden change that lasts; row before, first row of it; before, after, ratio, rows, later, begins (a
              place with its range); "stays"; it is "recent" where few rows followed, "far off" where it is a stretch
              that came or went gradually: then mean, usual, extreme, last, extreme_at, chance; a "stretch" where models
              switch parts and no other as long lies so far off: then mean, usual, last
    event     the same, gone again; row before, first row of it, first row after it; ``parts`` are those of its values
              that stand out by themselves
    scatter   how many times as far single values scatter; a row, or two between which it began; before, after; of a
              "stretch" its first row and the first after it; last
    noise     their standard deviation; p (of equal thirds); of a table on the scale of the model, with held (within so
              far of the effects lie 95 of 100 values); of counts times (the variance of chance alone) and gain (a
              deviance, beside normal noise); ``parts`` are scatters along columns
    growth    per year as a share, beside lasting steps, of levels above zero
    outlier   a value less what was expected of it; its place or row; value, expected; of series values (others), gain
              (of BIC of a reference model without all that were set aside); "aside" (the model was made without it)
    ending    the same at the end of the data, where it may begin a new level; lasting (the probability of that)
    returning  by how much values are off on a day, or in a week or month, of the calendar each time; first and last;
              level, times; form: "day", "week" or "month"; named: day
    heavy tails  so many values stand out that none is an outlier; ``parts`` are these, the furthest first
    cycle     and all kinds after it: what parts of models show, with a number or columns that tell several of a kind
              apart; probable by the weight of these models; "in best", "doubtful" of a cycle seen too rarely
    open      the swing of a season of other series of which it is open whether this one has it
    matters   of a column of a table: the share of the variation of rows left out that is lost without it, by a plain
              regression on curves of the columns of the model; p (of that loss), p_beside_all (as of the best of all
              columns), p_single (as of this one), probable by that or by the weight of models with it (modelled),
              correlation (of ranks, with the target) and correlation_p, carried (by this row
              alone); ``parts``: a course by least squares, where no effect shows one, and copies; "in best" (in the
              model), "scatter" (which changes with it), "parts" (its few values
              part the target), "categories", "goes along" (with the target by itself), "alone" (where the model has no
              column), "untried"; others: "partners" (with which it acts), "instead" (near copies, of which with it one
              surely acts), "missed" (with which it acts beyond doubt, though not in the model)
    copy      the correlation with another column
    adds      of a column beside a series: a step more of a number on average, or the other value in place of the usual;
              usual, other, low, high (values), step, lag, lag_from, lag_to (steps), kept (of one that fades, a step
              later), season, share (of the variation), apart (of its movement, that does not go with time), along
              (correlation with the time structure), days (after an event), rows (so far apart are those compared by
              the witness); form: of EffectShape; named: of (ColumnKind), varying, event, calendar; others: "instead",
              "levels"; "only" (column), "blurred"; ``parts`` are levels at values, and phases where it varies. Of an
              event, what its days add in all: at the places where it came
    act together  how what one column does is different where another is high; the low and the high place of the first,
              then of the other; first and last (what it does where the other is low and high), share (of their joint
              effect that is no sum), plain_p (of products in a plain regression, as of one of all pairs); others:
              "along", "by" (names of their categories); "averaged" (over further columns), "beyond" (no rows are near
              some of the places); of a class ``parts`` are chances: low by low, low by high, high by low, high by high
    explained  the share of the variation that all effects explain; left_out (of values left out), groups_left_out
              (the same of so many groups, which share a value of a column), error, rmse,
              error_of_mean (sizes of errors of values left out)
    ranges held  the share of values in 95 % ranges when predicted from all others; rows; "narrow" or "wide"
    exactness  by how much the log evidence is lower than the exact one; rows (random ones), points (that stand for all)
    check     its p-value; adjusted (for all checks together), part (of a series, from 1; 0: all), place, side; form: of
              CheckKind; ``parts`` are the largest errors
    effect    the share of the variation that columns explain together; beyond (of it, that is no sum of effects)
    course    the highest of an effect along a column less the lowest, at these places; all places of a column of few
              values; change (from its low to its high end), low, high, lowest, highest, flat_from, flat_until (nine
              tenths of it happen before, or after), open_from, open_until (beyond which it is not clear), bend (1: the
              later half changes more, -1: the earlier one), period; form: of CourseKind;
              others: "levels" (of categories); "few" (values), "averaged" (over other columns), "elsewhere" (it acts
              with others beside); ``parts`` are its turns, its runs
              between these and, of a class, chances, all in order
    turn      where a course turns; "top"
    chance    of a class; where; rate (of the class among rows of this value); of what comes also steps, and
              the "first", "last", "lowest" and "highest" as ``parts``; of rows of like chances the share, given, rows
    likeliest  the chance of a class in the row of two columns that makes it likeliest; ``parts`` are the places of both
              with their ranks, and low and high of the column
    foreseen  the mean log score of classes foreseen from all other rows; rows, came (of the class), of_share (the score
              of its share alone), gain (per row), wrong and wrong_of_share (shares of the rows), share (of the class)
    calibration  how far chances are too extreme, in standard deviations; bins_p; ``parts`` are rows of like chances
    clusters  how many; ``parts`` are all numbers, each with its probability
    cluster   its rows; its rank by size; together (how often two of its rows are), shared (how often they are with the
              rows of the partner), row (of one alone); ``parts`` are its traits
    trait     how clearly it sets the cluster apart in a column; the range there; "higher", "lower" or "among"
    between   how often a row is with another cluster; the row, its cluster, the other; own (how often with that)
    chains    R-hat; draws, chains, sweeps, asked, effective; "agree", "apart", "one" (chain), "short" or "cold"
    ranking   how often of two rows of both classes the right one has the higher chance (the area under the ROC curve)
    surprise  the chance that a row's class was given; row, expected (so many such rows by accident); named: came
    taken     how many rows of a class are taken for another; rows (of it); named: came, likeliest
    ahead     the mean of a forecast against the level of late, as a share; "season": against its part a season before
    ========  =====================================================================================================
    """

    id: str
    kind: Kind
    columns: tuple[str, ...] = ()  # of a table, that it is about
    others: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # names that have to do with it, and how
    at: tuple[float, ...] = ()
    number: Quantity
    more: Mapping[str, Quantity] = field(default_factory=dict)
    parts: tuple[Claim, ...] = ()
    marks: frozenset[str] = frozenset()
    form: str = ""
    tops: tuple[float, ...] = ()
    bottoms: tuple[float, ...] = ()
    probability: float | None = None
    witness: Witness | None = None
    standing: Standing = Standing.TOLD
    written: tuple[str, str] = ("", "")  # where it starts and stops, as the data have it, where that is recorded
    named: Mapping[str, str] = field(default_factory=dict)  # what is recorded in words: name, top, bottom, classes

    @property
    def value(self) -> float:
        """Its number without the range."""
        return self.number.value

    @property
    def levels(self) -> tuple[str, ...]:
        """The names of the categories of its column."""
        return self.others.get("levels", ())

    def of(self, kind: Kind) -> list[Claim]:
        """Its parts of a kind."""
        return [part for part in self.parts if part.kind is kind]

    @property
    def told(self) -> bool:
        """Whether it is said."""
        return self.standing is Standing.TOLD

    @property
    def sure(self) -> bool:
        """Whether it is said without "probably"."""
        return self.probability is None or self.probability >= KINDS[self.kind].sure

    def __getitem__(self, name: str) -> float:
        """One of the more numbers."""
        return self.more[name].value

    def get(self, name: str) -> float | None:
        """One of the more numbers, where it has that."""
        return self.more[name].value if name in self.more else None

    @property
    def in_best(self) -> bool:
        """Whether the best model shows it."""
        return "in best" in self.marks

    def happens(self, low: float, high: float) -> bool:
        """Whether that is so somewhere between two places; a sudden change begins after the first of its own."""
        places = self.at[1:] if self.kind in LEVEL_CHANGES else self.at
        return bool(places) and places[0] <= high and low <= places[-1]

    @property
    def still(self) -> Claim | None:
        """Where it stands still."""
        return next((part for part in self.parts if part.kind is Kind.STILL), None)


def plain_numbers(**numbers: float | None) -> dict[str, Quantity]:
    """Numbers of a claim without ranges or units; None is none."""
    return {name: Quantity.plain(value, Measure.NUMBER) for name, value in numbers.items() if value is not None}


def shown(kind: Kind, number: float = 0.0, columns: tuple[str, ...] = ()) -> Claim:
    """What a part of a model shows."""
    return Claim(id="", kind=kind, number=Quantity.plain(number, Measure.NUMBER), columns=columns)


def chance_at(place: float, chance: float, span: tuple[float, float], **more: float | None) -> Claim:
    """The chance of a class at a place, with its 95 % range."""
    number = Quantity(chance, *span, Measure.SHARE)
    return Claim(id="", kind=Kind.CHANCE, at=(place,), number=number, more=plain_numbers(**more))


def weighed(claim: Claim, probability: float, *, in_best: bool) -> Claim:
    """A claim with the weight of the models that show it, and whether the best one does."""
    return replace(claim, probability=probability, marks=frozenset({"in best"} if in_best else ()))


def extremes(claims: Sequence[Claim]) -> tuple[Claim, Claim]:
    """Those of the lowest and the highest number, of equal ones the first."""
    return min(claims, key=lambda claim: claim.value), max(claims, key=lambda claim: claim.value)


def first(claims: Iterable[Claim], kind: Kind) -> Claim | None:
    """The first claim of a kind."""
    return next((claim for claim in claims if claim.kind is kind), None)


def of_kinds(claims: Iterable[Claim], kinds: Container[Kind]) -> tuple[Claim, ...]:
    """The claims of some kinds, told or not."""
    return tuple(claim for claim in claims if claim.kind in kinds)


def told(claims: Iterable[Claim], *kinds: Kind) -> list[Claim]:
    """The claims of some kinds that are told."""
    return [claim for claim in claims if claim.kind in kinds and claim.told]


def way_of(claims: Iterable[Claim]) -> str:
    """What a course does in one word, apart from lasting steps: "rises", "falls", "turns", "level", or "open".

    The last is what nobody can know; "" of too few rows.
    """
    rise = first(claims, Kind.RISE)
    if rise is None:
        return ""
    if rise.form in (Form.RUNS, Form.LATELY, Form.AMOUNTS):
        return "turns"
    number = rise.number.value
    if "stepped" in rise.marks:
        number = rise["pace"]
        if "flat" in rise.marks:
            return "level" if "even" in rise.marks else "open"
    elif not rise.told:
        return "open" if rise.standing is Standing.OPEN else "level"
    elif rise.form == Form.BOTH:
        return "turns"
    return "rises" if number > 0.0 else "falls"
