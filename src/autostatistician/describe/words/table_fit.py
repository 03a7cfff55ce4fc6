"""The model of a table in words: which columns matter, how far values scatter, how well it all fits."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

from autostatistician.claims.claim import Claim
from autostatistician.claims.kinds import FEW, Form, Kind
from autostatistician.describe.axis.units import ROUNDING, Scale
from autostatistician.describe.facts.judgement import is_likely
from autostatistician.describe.words.amounts import around, either_side, per_cent, points, unit, within
from autostatistician.describe.words.chances import column_place
from autostatistician.describe.words.counts import counts_of_table_text
from autostatistician.forms import BAND_SDS
from autostatistician.i18n.messages import sentence
from autostatistician.i18n.names import in_turn, quoted
from autostatistician.i18n.numbers import amount, fixed, joined, pair, percent, rounded_percent

__all__ = [
    "check_text", "column_text", "copy_text", "explained_text", "from_exact_text", "lost_share", "most_share",
    "no_columns_text", "noise_text", "one_of", "one_of_text", "ranges_text",
]  # fmt: skip

Span = tuple[float, float]


def column_text(claim: Claim, scale: Scale) -> str:
    """One sentence on a column: whether it acts, and what is lost without it."""
    form, by_what = claim.form, "class" if scale.is_class else ""
    if form == Form.EITHER:
        return f"{one_of_text(claim, scale)}."
    if claim.of(Kind.COPY):
        return copy_text(claim)
    text = sentence(
        "column.is", standing="probably" if _is_probable(claim) else form, name=quoted(claim.columns[0]),
        it=scale.it, seen="untried" if form == Form.MAY and "untried" in claim.marks else by_what,
        share=lost_share(claim), most=most_share([claim]),
    )  # fmt: skip
    return f"{text}."


def copy_text(claim: Claim) -> str:
    """That a column is nearly the same as one that acts, beside which it is not known to act."""
    closest = max(claim.of(Kind.COPY), key=lambda copy: copy.value)
    names = (quoted(one.columns[0]) for one in (claim, closest))
    return sentence("column.copy", **dict(zip(("name", "other"), names, strict=True)), number=fixed(closest.value, 3))


def most_share(claims: Sequence[Claim]) -> str:
    """How much some columns may add at most, in tenths of a per cent rounded up; no range is nothing."""
    return percent(max(ceil(1000.0 * max(claim.number.high for claim in claims) - ROUNDING), 1) / 1000.0)


def _is_probable(claim: Claim) -> bool:
    """Whether neither models nor rows alone are sure that a column acts."""
    return claim.form == Form.MATTERS and not claim.sure and not claim.others["missed"]


def one_of_text(claim: Claim, scale: Scale) -> str:
    """That one of some near copies acts, as a sentence without its full stop."""
    return one_of((*claim.columns, *claim.others["instead"]), scale)


def one_of(names: Sequence[str], scale: Scale) -> str:
    """The same of some names."""
    return sentence("column.one_of", columns=joined(list(map(quoted, sorted(names)))), it=scale.it)


def lost_share(claim: Claim) -> str:
    """What is lost without a column, with its range."""
    numbers = (claim.number.value, *claim.number.interval)
    number, low, high = (rounded_percent(value, 0 if value >= 0.1 else 1) for value in numbers)
    return sentence("column.lost", number=number, low=low, high=high)


def _how_much(claim: Claim) -> str:
    """How closely a column goes with the target by itself: categories have no order that ranks could follow."""
    correlation = claim.get("correlation") or 0.0
    if "categories" in claim.marks:
        return sentence("column.between", percent=rounded_percent(correlation**2))
    return sentence("column.ranks", number=fixed(correlation, 2))


def no_columns_text(columns: Sequence[Claim], scale: Scale, *, together: bool = False) -> str:
    """That no model with a column is clearly better than none; and which column goes with the target all the same.

    ``together``: a plain fit of all columns says that they tell something.
    """
    order = sorted(columns, key=_likeliest)
    likeliest = [quoted(claim.columns[0]) for claim in order if claim.form == Form.MAY and is_likely(claim)]
    along = [claim for claim in columns if "goes along" in claim.marks]
    first = min(along, key=lambda claim: claim["correlation_p"], default=None)
    if any("untried" in claim.marks for claim in columns):
        known = "untried"
    elif together:
        known = "likeliest" if likeliest else "together"
    elif first is not None:
        known = "alone"
    else:
        known = "open" if likeliest else "nothing"
    return sentence(
        "columns.none", known=known, it=scale.it, columns=joined(likeliest[:FEW]),
        column="" if first is None else quoted(first.columns[0]), how_much="" if first is None else _how_much(first),
    )  # fmt: skip


def _likeliest(claim: Claim) -> tuple[float, float]:
    """By models, else by rows alone."""
    return -(claim.probability or 0.0) if claim.in_best else 0.0, claim["p_beside_all"]


def noise_text(claim: Claim, scale: Scale) -> str:
    """One sentence on the scatter, of counts with why they are taken as such."""
    if "times" in claim.more:
        return counts_of_table_text(claim["times"], claim.get("gain"), scale)
    if claim.value <= 0.0:
        return sentence("noise.none")
    if claim.parts:
        names = joined([quoted(part.columns[0]) for part in claim.parts])
        return sentence("noise.changes", columns=names, changes=in_turn(_changing(part, scale) for part in claim.parts))
    held = claim["held"] if "held" in claim.more else BAND_SDS * claim.value
    return sentence("noise.held", held=around(held, scale))


def _changing(claim: Claim, scale: Scale) -> str:
    """How far values scatter at two places of a column."""
    low, high = (column_place(place, (claim.at[0], claim.at[1]), scale) for place in claim.at)
    first, last = (BAND_SDS * claim[name] for name in ("before", "after"))
    if scale.is_log:
        lies, others = either_side(first, scale), either_side(last, scale)
        if others == within(last, scale):
            others = f"±{unit(amount(points(last, scale) if scale.is_odds else per_cent(last), 2), scale)}"
    else:
        near, far = pair(first, last, 2)
        lies, others = sentence("amount.within", sides="alike", low=near, high=near), f"±{far}"
    return sentence("noise.from_to", first=lies, column=quoted(claim.columns[0]), low=low, last=others, high=high)


def explained_text(claim: Claim) -> str:
    """How well rows that are left out are predicted."""
    error, simple = pair(claim["error"], claim["error_of_mean"])
    share = max(claim["left_out"], 0.0)
    return sentence("fit.explained", some=share > 0.0, percent=percent(share), error=error, simple=simple)


def ranges_text(claim: Claim) -> str:
    """How the ranges held."""
    ranges = next(iter(claim.marks), "right")
    return sentence("fit.ranges", ranges=ranges, rows=fixed(claim["rows"], 0), percent=percent(claim.value))


def from_exact_text(claim: Claim, n: int) -> str:
    """That the model was not computed exactly, and how far from that it is."""
    points, rows = fixed(claim["points"], 0), fixed(claim["rows"], 0)
    return sentence("fit.from_exact", n=fixed(n, 0), points=points, rows=rows, loss=amount(max(claim.value, 0.0)))


def check_text(claim: Claim) -> str:
    """What a failed check found and what it may mean."""
    side = "up" if claim["side"] > 0.0 else "down" if claim["side"] else "none"
    return sentence("fit.check", kind=claim.form, side=side, column=quoted("".join(claim.columns)))
