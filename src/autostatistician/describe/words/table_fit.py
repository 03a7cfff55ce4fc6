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
from autostatistician.forms import BAND_SDS
from autostatistician.wording.messages import sentence
from autostatistician.wording.names import in_turn, quoted
from autostatistician.wording.numbers import amount, fixed, joined, pair, percent, rounded_percent

__all__ = [
    "check_text", "column_text", "explained_text", "from_exact_text", "lost_share", "no_columns_text", "noise_text",
    "one_of_text", "ranges_text", "rests_on",
]  # fmt: skip

MOST_LIKELIEST = 3
ALIKE = 0.1  # of a range: where the data and the model differ by more, both are told
Span = tuple[float, float]


def column_text(fact: ColumnRelevance, scale: Scale) -> str:
    """One sentence on a column: whether it acts, and what is lost without it."""
    standing = standing_of(fact)
    if standing is Form.EITHER:
        text = one_of_text(fact, scale)
    else:
        seen = fact.untried or fact.seen_alone or fact.p_beside_all < ALARM or standing is not Form.MAY
        alone = "alone" if seen and goes_along(fact) else ""
        by_what = "class" if scale.is_class else ""
        text = sentence(
            "column.is", standing=standing, name=quoted(fact.column), it=scale.it, how_much=_how_much(fact),
            seen=by_what if standing is Form.MATTERS else "untried" if fact.untried else alone, share=lost_share(fact),
        )  # fmt: skip
    left = sentence("column.still") if fact.left else ""
    return f"{in_turn([f'{text}{rests_on(fact.carried)}', left])}."


def one_of_text(fact: ColumnRelevance | CovariateEffect, scale: Scale) -> str:
    """That one of some near copies acts, as a sentence without its full stop."""
    names = sorted([fact.column, *fact.instead])
    return sentence("column.one_of", columns=joined(list(map(quoted, names))), it=scale.it)


def lost_share(fact: ColumnRelevance) -> str:
    """What is lost without a column, with its range."""
    low, high = fact.interval or (fact.number, fact.number)
    each = [rounded_percent(value, 0 if value >= 0.1 else 1) for value in (fact.number, low, high)]
    return sentence("column.lost", number=each[0], low=each[1], high=each[2])


def _how_much(fact: ColumnRelevance) -> str:
    """How closely a column goes with the target by itself: categories have no order that ranks could follow."""
    correlation = fact.correlation or 0.0
    if fact.categories:
        return sentence("column.between", percent=rounded_percent(correlation**2))
    return sentence("column.ranks", number=fixed(correlation, 2))


def rests_on(row: int | None) -> str:
    """That a single row carries an effect; "" where none does."""
    return sentence("column.rests", row="" if row is None else str(row))


def no_columns_text(columns: Sequence[ColumnRelevance], scale: Scale, *, together: bool = False) -> str:
    """That no model with a column is clearly better than none; and which column goes with the target all the same.

    ``together``: a plain fit of all columns says that they tell something.
    """
    order = sorted(columns, key=lambda fact: (-fact.probability if fact.used else 0.0, fact.p_beside_all))
    likeliest = [quoted(fact.column) for fact in order if fact.used or fact.seen_alone or fact.p_beside_all < ALARM]
    first = min(filter(goes_along, columns), key=lambda fact: fact.correlation_p or 0.0, default=None)
    if any(fact.untried for fact in columns):
        known = "untried"
    elif together:
        known = "likeliest" if likeliest else "together"
    elif first is not None:
        known = "alone"
    else:
        known = "open" if any(standing_of(fact) is Form.MAY for fact in columns) else "nothing"
    return sentence(
        "columns.none", known=known, it=scale.it, columns=joined(likeliest[:MOST_LIKELIEST]),
        column="" if first is None else quoted(first.column), how_much="" if first is None else _how_much(first),
    )  # fmt: skip


def noise_text(fact: NoiseSize, scale: Scale) -> str:
    """One sentence on the scatter, of counts with why they are taken as such."""
    if fact.times is not None:
        return counts_of_table_text(fact.times, fact.gain, scale)
    if fact.number <= 0.0:
        return sentence("noise.none")
    if fact.changes:
        names = joined([quoted(column) for column, _, _ in fact.changes])
        changes = in_turn(_changing(column, places, sds, scale) for column, places, sds in fact.changes)
        return sentence("noise.changes", columns=names, changes=changes)
    expected = BAND_SDS * fact.number
    held = expected if fact.held is None else fact.held
    return sentence(
        "noise.held", alike=abs(expected - held) <= ALIKE * held, held=around(held, scale),
        expected=around(expected, scale),
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
        lies, others = sentence("amount.within", sides="alike", low=near, high=near), f"±{far}"
    return sentence("noise.from_to", first=lies, column=quoted(column), low=low, last=others, high=high)


def explained_text(fact: Explained) -> str:
    """How well rows that are left out are predicted."""
    error, simple = pair(fact.error, fact.error_of_mean)
    return sentence(
        "fit.explained", some=fact.left_out > 0.0, percent=percent(max(fact.left_out, 0.0)), error=error, simple=simple
    )


def ranges_text(fact: RangesHeld) -> str:
    """How the ranges held."""
    ranges = "narrow" if fact.too_narrow else "wide" if fact.too_wide else "right"
    return sentence("fit.ranges", ranges=ranges, rows=fixed(fact.rows, 0), percent=percent(fact.number))


def from_exact_text(fact: FromExact, n: int) -> str:
    """That the model was not computed exactly, and how far from that it is."""
    return sentence(
        "fit.from_exact", n=fixed(n, 0), points=fixed(fact.points, 0), rows=fixed(fact.rows, 0),
        loss=amount(max(fact.number, 0.0)),
    )  # fmt: skip


def check_text(fact: ErrorCheck) -> str:
    """What a failed check found and what it may mean."""
    side = "up" if fact.side > 0 else "down" if fact.side else "none"
    return sentence("fit.check", kind=fact.kind, side=side, column=quoted(fact.column or ""))
