"""The model of a table in words: which columns matter, how far values scatter, how well it all fits."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.describe.axis.units import Scale
from autostatistician.describe.claims.kinds import Form
from autostatistician.describe.facts.covariates import CovariateEffect
from autostatistician.describe.facts.effect import (
    ColumnRelevance,
    ErrorCheck,
    Explained,
    FromExact,
    NoiseSize,
    RangesHeld,
)
from autostatistician.describe.facts.judgement import ALARM, goes_along, standing_of
from autostatistician.describe.words.amounts import around, either_side, per_cent, points, unit, within
from autostatistician.describe.words.chances import column_place
from autostatistician.describe.words.counts import counts_of_table_text
from autostatistician.forms import BAND_SDS, CheckKind
from autostatistician.wording.messages import message, say
from autostatistician.wording.names import in_turn, quoted
from autostatistician.wording.numbers import amount, fixed, joined, pair, percent, rounded_percent

__all__ = [
    "check_text", "column_text", "explained_text", "from_exact_text", "lost_share", "no_columns_text", "noise_text",
    "one_of_text", "ranges_text", "rests_on", "untried_text",
]  # fmt: skip

MOST_LIKELIEST = 3
ALIKE = 0.1  # of a range: where the data and the model differ by more, both are told
Span = tuple[float, float]


def column_text(fact: ColumnRelevance, scale: Scale) -> str:
    """One sentence on a column: whether it acts, and what is lost without it."""
    told = {"name": quoted(fact.column), "it": scale.it, "how_much": _how_much(fact)}
    match standing_of(fact):
        case Form.MATTERS:
            lost = say(_LOST[scale.is_class], share=lost_share(fact))
            text = say("{name} acts on {it}: {lost}", lost=lost, **told)
        case Form.EITHER:
            text = one_of_text(fact, scale)
        case Form.MAY:
            seen = fact.untried or fact.seen_alone or fact.p_beside_all < ALARM
            text = say(_UNTRIED if fact.untried else _MAY if seen and goes_along(fact) else _OPEN, **told)
        case Form.SCATTERS:
            text = say("{name} changes how far {it} scatters, not its level", **told)
        case _:
            text = say(_NOTHING[goes_along(fact)], **told)
    left = say("but the errors still go with it, so it may matter more") if fact.left else ""
    return f"{in_turn([f'{text}{rests_on(fact.carried)}', left])}."


_LOST = {  # by whether classes are foreseen
    False: message("without it {share} less of the variation is explained"),
    True: message("without it {share} less of what decides on the class is explained"),
}
_OPEN = message("{name} may act on {it}, or not: the data leave it open")
_MAY = message("{name} may act on {it}: by itself it goes with it ({how_much}), but no model that needs it is sure")
_UNTRIED = message("No model with {name} was tried before the search was cut")
_NOTHING = {  # by whether the target goes with it by itself
    False: message("{name} adds nothing clear to the other columns"),
    True: message("{name} goes with {it} by itself ({how_much}), but adds nothing to the other columns"),
}


def one_of_text(fact: ColumnRelevance | CovariateEffect, scale: Scale) -> str:
    """That one of some near copies acts, as a sentence without its full stop."""
    names = sorted([fact.column, *fact.instead])
    return say(
        "One of {columns} surely acts on {it}: they go together so closely that the data cannot tell which",
        columns=joined(list(map(quoted, names))), it=scale.it,
    )  # fmt: skip


def lost_share(fact: ColumnRelevance) -> str:
    """What is lost without a column, with its range."""
    low, high = fact.interval or (fact.number, fact.number)
    each = [rounded_percent(value, 0 if value >= 0.1 else 1) for value in (fact.number, low, high)]
    return say("{number} ({low} to {high})", number=each[0], low=each[1], high=each[2])


def _how_much(fact: ColumnRelevance) -> str:
    """How closely a column goes with the target by itself: categories have no order that ranks could follow."""
    correlation = fact.correlation or 0.0
    if fact.categories:
        return say(
            "{percent} of the variation of its ranks is between the categories",
            percent=rounded_percent(correlation**2),
        )
    return say("a rank correlation of {number}", number=fixed(correlation, 2))


def rests_on(row: int | None) -> str:
    """That a single row carries an effect; "" where none does."""
    if row is None:
        return ""
    return say(" (this rests on row {row} alone: without it, no effect is clear)", row=row)


def no_columns_text(columns: Sequence[ColumnRelevance], scale: Scale, *, together: bool = False) -> str:
    """That no model with a column is clearly better than none; and which column goes with the target all the same.

    ``together``: a plain fit of all columns says that they tell something.
    """
    if any(fact.untried for fact in columns):
        return untried_text(scale)
    if together:
        return _together_text(columns, scale)
    seen = [fact for fact in columns if goes_along(fact)]
    if not seen and any(standing_of(fact) is Form.MAY for fact in columns):
        return say("It is open whether a column tells anything about {it}.", it=scale.it)
    if not seen:
        return say("No column tells anything about {it} that is clear of chance.", it=scale.it)
    first = min(seen, key=lambda fact: fact.correlation_p or 0.0)
    return say(
        "It is open whether a column tells anything about {it}: no model with one is clearly more probable than none, "
        "but {column} by itself goes with it ({how_much}).",
        it=scale.it, column=quoted(first.column), how_much=_how_much(first),
    )  # fmt: skip


def _together_text(columns: Sequence[ColumnRelevance], scale: Scale) -> str:
    """That all columns at once tell something; which are likeliest to."""
    order = sorted(columns, key=lambda fact: (-fact.probability if fact.used else 0.0, fact.p_beside_all))
    likeliest = [quoted(fact.column) for fact in order if fact.used or fact.seen_alone or fact.p_beside_all < ALARM]
    if not likeliest:
        return say("The columns together tell something about {it}, but it is open which of them do.", it=scale.it)
    return say(
        "The columns together tell something about {it}, but it is open which of them do; the likeliest: {columns}.",
        it=scale.it, columns=joined(likeliest[:MOST_LIKELIEST]),
    )  # fmt: skip


def untried_text(scale: Scale) -> str:
    """That a search was cut before it had tried any column."""
    return say(
        "The search was cut before it had tried any column, so nothing is known of what the columns tell about {it}.",
        it=scale.it,
    )  # fmt: skip


def noise_text(fact: NoiseSize, scale: Scale) -> str:
    """One sentence on the scatter, of counts with why they are taken as such."""
    if fact.times is not None:
        return counts_of_table_text(fact.times, fact.gain, scale)
    if fact.number <= 0.0:
        return say("The model has no scatter: it goes through every value.")
    if fact.changes:
        names = joined([quoted(column) for column, _, _ in fact.changes])
        changes = in_turn(_changing(column, places, sds, scale) for column, places, sds in fact.changes)
        return say(
            "Random scatter that changes with {columns}: 95% of it lies {changes}.", columns=names, changes=changes
        )
    nearly_all = BAND_SDS * fact.number if fact.held is None else fact.held
    held = {"held": around(nearly_all, scale)}
    if abs(BAND_SDS * fact.number - nearly_all) <= ALIKE * nearly_all:
        return say("Random scatter: 95% of the values lie {held} what the columns give.", **held)
    return say(
        "Random scatter: 95% of the values lie {held} what the columns give; the model expects 95% of new ones "
        "{expected} it.",
        expected=around(BAND_SDS * fact.number, scale), **held,
    )  # fmt: skip


def _changing(column: str, places: Span, sds: Span, scale: Scale) -> str:
    """How far values scatter at two places of a column."""
    low, high = (column_place(place, places, scale) for place in places)
    first, last = (BAND_SDS * sd for sd in sds)
    if scale.is_log:
        lies, others = either_side(first, scale), either_side(last, scale)
        if others == within(last, scale):
            others = f"±{unit(amount(points(last, scale) if scale.is_odds else per_cent(last), 2), scale)}"
    else:
        near, far = pair(first, last, 2)
        lies, others = say("within ±{size}", size=near), f"±{far}"
    return say(
        "{first} where {column} is {low} and {last} where it is {high}",
        first=lies, column=quoted(column), low=low, last=others, high=high,
    )  # fmt: skip


def explained_text(fact: Explained) -> str:
    """How well rows that are left out are predicted."""
    error, simple = pair(fact.error, fact.error_of_mean)
    if fact.left_out <= 0.0:
        return say(
            "Of rows left out nothing is explained: predictions miss by {error} on average, the mean by {simple}.",
            error=error, simple=simple,
        )  # fmt: skip
    return say(
        "Of the variation of rows left out, {percent} is explained; predictions miss by {error} on average, the mean "
        "by {simple}.",
        percent=percent(fact.left_out), error=error, simple=simple,
    )  # fmt: skip


def ranges_text(fact: RangesHeld) -> str:
    """How the ranges held."""
    told = {"rows": fixed(fact.rows, 0), "percent": percent(fact.number)}
    if fact.too_narrow:
        return say(
            "Of {rows} values, each predicted from all the others, {percent} lay in their 95% ranges: the ranges are "
            "too narrow.",
            **told,
        )
    if fact.too_wide:
        return say(
            "Of {rows} values, each predicted from all the others, {percent} lay in their 95% ranges: the ranges are "
            "wider than they need be.",
            **told,
        )
    return say(
        "Of {rows} values, each predicted from all the others, {percent} lay in their 95% ranges, as they should.",
        **told,
    )


def from_exact_text(fact: FromExact, n: int) -> str:
    """That the model was not computed exactly, and how far from that it is."""
    return say(
        "With {n} rows, the function is made to stand on its values at {points} of them (inducing points; Titsias "
        "2009). On {rows} rows, of which it can be computed exactly as well, that takes {loss} off the logarithm of "
        "the evidence.",
        n=fixed(n, 0), points=fixed(fact.points, 0), rows=fixed(fact.rows, 0), loss=amount(max(fact.number, 0.0)),
    )  # fmt: skip


def check_text(fact: ErrorCheck) -> str:
    """What a failed check found and what it may mean."""
    match fact.kind, fact.side:
        case CheckKind.DISTRIBUTION, 0:
            return say(
                "The errors are lopsided, which the model does not expect: ranges are too wide on one side of the "
                "predictions, and too narrow on the other"
            )
        case CheckKind.DISTRIBUTION, 1:
            return say("Single errors are larger than the model expects: there are outliers, or ranges are too narrow")
        case CheckKind.DISTRIBUTION, _:
            return say(
                "The errors are not spread as the model expects: most are smaller, so ranges are too wide for them"
            )
        case CheckKind.SPREAD, side if side > 0:
            return say(
                "Where the predictions are high, the errors are larger than the model says: it has the scatter wrong"
            )
        case CheckKind.SPREAD, _:
            return say(
                "Where the predictions are high, the errors are smaller than the model says: it has the scatter wrong"
            )
    return say(
        "A pattern along {column} is left in the errors: the model has not used all it tells",
        column=quoted(fact.column or ""),
    )
