"""The kinds of claims in one table: from which size and probability on each is made."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from autostatistician.claims.quantity import Measure, Quantity

__all__ = [
    "COLUMN_FORMS",
    "FEW",
    "FUNCTION",
    "KINDS",
    "LIMITS",
    "QUESTION_KINDS",
    "SEVERAL",
    "STANDS_OUT",
    "STRUCTURE",
    "Form",
    "Kind",
    "KindRow",
    "Standing",
    "standing",
]  # fmt: skip


class Kind(StrEnum):
    """What a claim is about."""

    RISE = "rise"
    RUN = "run"
    MOVE = "move"  # the largest, between two values
    STILL = "still"
    SLOPE = "slope"
    SEASON = "season"
    PHASE = "phase"
    STEP = "step"
    EVENT = "event"
    SCATTER = "scatter"
    NOISE = "noise"
    GROWTH = "growth"
    OUTLIER = "outlier"
    ENDING = "ending"
    RETURNING = "returning"  # on a day of the calendar
    TAILS = "heavy tails"
    OPEN = "open"
    AHEAD = "ahead"
    # What parts of models show:
    CYCLE = "cycle"
    GROWING_CYCLE = "growing cycle"
    CHANGE = "change"
    LEVEL = "level"
    TREND = "trend"
    WANDERING = "wandering"
    IRREGULAR = "irregular"
    ADDS = "adds"  # a column beside a series
    MATTERS = "matters"
    COPY = "copy"  # of a column, nearly
    TOGETHER = "act together"
    EXPLAINED = "explained"
    HELD = "ranges held"
    EXACTNESS = "exactness"
    CHECK = "check"  # of a model, or a part of one
    EFFECT = "effect"  # of columns
    COURSE = "course"  # of an effect along a column
    TURN = "turn"  # of a course
    CHANCE = "chance"  # of a class
    FORESEEN = "foreseen"  # classes, from all other rows
    CALIBRATION = "calibration"  # of chances
    # Of clusters of rows:
    CLUSTERS = "clusters"  # how many
    CLUSTER = "cluster"
    TRAIT = "trait"  # of a cluster, in a column
    BETWEEN = "between clusters"  # a row
    CHAINS = "chains"  # whether they agree
    # Of classes:
    RANKING = "ranking"  # of rows by their chances
    SURPRISE = "surprise"  # a row
    TAKEN = "taken"  # for another class


_COURSE = (Kind.RISE, Kind.RUN, Kind.SLOPE)
_HAPPENED, _OF_ALL = (Kind.STEP, Kind.EVENT, Kind.SCATTER), (Kind.ENDING, Kind.RETURNING)
# Of a series: what its function does, values that stand out from it, and what parts of its models show.
FUNCTION = (*_COURSE, Kind.MOVE, Kind.SEASON, *_HAPPENED, Kind.NOISE)
STANDS_OUT = (Kind.OUTLIER, Kind.TAILS, *_OF_ALL)
STRUCTURE = (
    Kind.CYCLE, Kind.GROWING_CYCLE, Kind.CHANGE, Kind.LEVEL, Kind.TREND, Kind.WANDERING, Kind.IRREGULAR,
)  # fmt: skip
QUESTION_KINDS = {  # what a series is asked for, and the kinds of claims that say it
    "trend": _COURSE, "seasons": (Kind.SEASON,), "events": (*_HAPPENED, *STANDS_OUT),
    "what": (*_COURSE, Kind.SEASON, *_HAPPENED, Kind.NOISE, *_OF_ALL),
}  # fmt: skip


class Standing(StrEnum):
    """What becomes of a claim: it is told, or it is open whether it is so, or it is not told at all."""

    TOLD = "told"
    OPEN = "open"
    DENIED = "denied"


class Form(StrEnum):
    """How something is so: a course as a whole, or what a column does."""

    APART = "apart"  # beside lasting steps it goes at one pace, or nowhere
    AMOUNTS = "amounts"  # beside these it turns
    RUNS = "runs"  # its rises and falls are told one by one
    LATELY = "lately"  # of many turns the last is told
    BOTH = "both"  # it goes up and down
    LEVEL = "level"
    ONE_WAY = "one way"
    # What is so of a column:
    MATTERS = "matters"
    EITHER = "either"  # it or a near copy of it matters
    MAY = "open"  # whether it matters
    SCATTERS = "scatter"  # it matters for that only
    LITTLE = "next to nothing"  # beyond the rest


# Of columns, those that are told of first before the others.
COLUMN_FORMS = (Form.MATTERS, Form.EITHER, Form.MAY, Form.SCATTERS, Form.LITTLE)


@dataclass(frozen=True)
class KindRow:
    """A kind: ``smallest`` in standard deviations of single values, and from which probability it is ``told``.

    Below that from which it is ``sure``, it is told as probable. One of many series is unlike the others where it lies
    ``far_out`` of their middle half by so many times the width of that.
    """

    measure: Measure
    smallest: float
    told: float
    sure: float
    statistic: str  # of the data alone, the second witness
    far_out: float = 3.0


KINDS = {
    Kind.RISE: KindRow(Measure.DIFFERENCE, 0.5, 0.5, 0.7, "medians of the first and the last rows"),
    Kind.RUN: KindRow(Measure.DIFFERENCE, 0.5, 0.7, 0.7, "medians at its ends"),
    Kind.MOVE: KindRow(Measure.DIFFERENCE, 0.0, 0.0, 0.0, "difference of the values"),
    Kind.SLOPE: KindRow(Measure.SLOPE, 0.25, 0.7, 0.7, "medians of the last rows and before"),
    Kind.SEASON: KindRow(Measure.SHARE, 0.0, 0.9, 0.9, "least squares beside a broken line"),
    Kind.STEP: KindRow(Measure.DIFFERENCE, 0.0, 0.7, 0.9, "medians before and after"),
    Kind.EVENT: KindRow(Measure.DIFFERENCE, 0.0, 0.7, 0.9, "medians before and within"),
    Kind.SCATTER: KindRow(Measure.RATIO, 1.25, 0.0, 0.0, "errors before and after"),  # times
    Kind.NOISE: KindRow(Measure.DIFFERENCE, 0.0, 0.05, 0.05, "errors of three thirds"),  # p-value
    Kind.OUTLIER: KindRow(Measure.DIFFERENCE, 4.0, 0.98, 0.98, "prediction from all others"),
    Kind.ENDING: KindRow(Measure.DIFFERENCE, 4.0, 0.98, 0.98, "prediction from all others"),
    Kind.RETURNING: KindRow(Measure.DIFFERENCE, 0.0, 0.0, 0.0, "signs of errors on the day"),
    Kind.TAILS: KindRow(Measure.COUNT, 0.0, 0.0, 0.0, "prediction from all others"),
    # Of columns of tables, as shares of a variation: a small effect of Cohen (1988), a correlation of 0.1.
    Kind.MATTERS: KindRow(Measure.SHARE, 0.01, 0.5, 0.95, "least squares without the column"),
    # Of one beside a series: the share of its movement with less of which it goes with time.
    Kind.ADDS: KindRow(Measure.SCALED, 0.1, 0.2, 0.9, "draws of all effects together; differences of rows"),
    Kind.TOGETHER: KindRow(Measure.SHARE, 0.05, 0.952, 0.952, "products in least squares"),
    Kind.EXPLAINED: KindRow(Measure.SHARE, 0.0, 0.0, 0.0, "posterior mean; each value from all others"),
    Kind.HELD: KindRow(Measure.SHARE, 0.95, 0.05, 0.05, "each value predicted from all others"),  # p-value
    Kind.EXACTNESS: KindRow(Measure.NUMBER, 0.0, 0.0, 0.0, "exact log evidence of random rows less its bound"),
    Kind.CHECK: KindRow(Measure.NUMBER, 0.0, 0.05, 0.05, "simulations from the model"),  # p-value
    Kind.EFFECT: KindRow(Measure.SHARE, 0.001, 0.0, 0.0, "posterior at the data"),
    Kind.COURSE: KindRow(Measure.SCALED, 0.0, 0.0, 0.0, "posterior at the data"),
    # Of classes: in standard deviations, and how often shares of rows of like chances would be as far from these.
    Kind.CALIBRATION: KindRow(Measure.NUMBER, 1.96, 0.05, 0.05, "each class foreseen from all other rows"),
    Kind.FORESEEN: KindRow(Measure.NUMBER, 0.0, 0.0, 0.0, "each class foreseen from all other rows"),
    # Of clusters: the shares of draws in which rows of two are together, or of pairs of rows in one order; R-hat.
    Kind.CLUSTERS: KindRow(Measure.COUNT, 0.0, 0.5, 0.95, ""),
    Kind.CLUSTER: KindRow(Measure.SHARE, 0.1, 0.0, 0.0, ""),
    Kind.TRAIT: KindRow(Measure.SHARE, 0.8, 0.0, 0.0, "order of pairs of rows"),
    Kind.BETWEEN: KindRow(Measure.SHARE, 0.5, 0.0, 0.0, ""),
    Kind.CHAINS: KindRow(Measure.NUMBER, 1.05, 0.0, 0.0, "R-hat"),
}
FEW, SEVERAL = 3, 5  # things that are told one by one, and that are named

LIMITS = {  # shares of a variation, rise, run or level, ratios and rows by which the form of a claim goes
    "straight": 0.1, "bent": 0.35, "one way": 0.5, "small beside steps": 0.25, "open": 0.25,
    "same pace": 1.6, "along": 0.5, "same slope": 1.25, "same level": 1.25, "end_of_a_run": 0.05, "still": 0.1,
    "least of a level": 0.05, "recent rows": 5, "dated rows": 8,
    # Of chances: by how little two are told as one, from which width of a range on nothing is known, the most odds.
    "same_chance": 0.03, "any_chance": 0.9,
    # Of tables: shares of the variation by which a fit looks better than it is, of an effect that is joint or clearly
    # so, of the rows that may stand out, of a range and a surface, and what of a column is its own; a correlation.
    "optimistic": 0.15, "joint": 0.01, "clearly_joint": 0.5, "outlying_rows": 0.02,
    "wide_range": 0.5, "hardly_any": 0.005, "copy": 0.95,
    # Of many series: rows of a list, series of which one can be the only one, the share up to which something is rare,
    # series that change together, and the p-value below which that is no chance.
    "of a list": 3, "fewest alike": 20, "rare": 0.03, "fewest together": 3, "by chance": 0.01,
}  # fmt: skip


def standing(kind: Kind, number: Quantity, probability: float, noise: float, *, agrees: bool) -> Standing:
    """What becomes of a claim on a difference: both witnesses speak for it, and its own range leaves nothing out.

    >>> fall = Quantity(-3.0, -5.0, -1.0)
    >>> [standing(Kind.RISE, fall, 0.99, noise, agrees=True).value for noise in (1.0, 10.0)]
    ['told', 'denied']
    """
    row = KINDS[kind]
    large = abs(number.value) >= row.smallest * noise
    return Standing.TOLD if probability >= row.told and agrees and large and number.is_clear else Standing.DENIED
