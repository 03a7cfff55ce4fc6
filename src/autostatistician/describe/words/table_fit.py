"""The model of a table in words: which columns matter, how far values scatter, how well it all fits."""

from __future__ import annotations

from collections.abc import Sequence

from autostatistician.describe.axis.units import Scale
from autostatistician.describe.facts.effect import (
    ColumnRelevance,
    ErrorCheck,
    Explained,
    FromExact,
    NoiseSize,
    RangesHeld,
)
from autostatistician.describe.facts.judgement import MAJORITY, goes_along, is_main, standing_of
from autostatistician.describe.facts.kinds import Standing
from autostatistician.describe.words.amounts import around, either_side, per_cent, points, unit, within
from autostatistician.describe.words.chances import column_place
from autostatistician.describe.words.counts import counts_of_table_text
from autostatistician.forms import BAND_SDS, CheckKind
from autostatistician.wording.messages import message, say
from autostatistician.wording.names import in_turn, quoted
from autostatistician.wording.numbers import amount, fixed, joined, pair, percent, rounded_percent

__all__ = [
    "check_text", "column_text", "explained_text", "from_exact_text", "no_columns_text", "noise_text", "ranges_text",
    "rests_on", "untried_text",
]  # fmt: skip

ALIKE = 0.1  # of a range: where the data and the model differ by more, both are told
LEAST_TOLD = 1e-3  # of a share: a smaller one is told as less than that
Span = tuple[float, float]


def column_text(fact: ColumnRelevance, scale: Scale) -> str:
    """One sentence on a column: whether it matters, how much, and with which others."""
    standing, name = standing_of(fact), quoted(fact.column)
    if fact.untried:
        return _untried(fact, name)
    if fact.seen_alone and not fact.used:
        return say(
            "It is open whether {name} matters: no model with it is clearly more probable than none, but by itself it "
            "goes with the target ({how_much}).",
            name=name, how_much=_how_much(fact),
        )  # fmt: skip
    if standing is Standing.SCATTER:
        return _unused(
            fact, say("{name} matters only for the scatter of {it}, not for its level", name=name, it=scale.it)
        )
    if standing is Standing.OPEN and not fact.used:
        return _unused(fact, _open_and_unused(fact, name))
    if standing is Standing.NOTHING:
        return _not_used(fact)
    if standing is Standing.LITTLE:
        return _adds_little(fact, scale)
    more = say("the errors still go with it, so it may matter more") if fact.left else ""
    share = _share(fact, scale)
    if standing is Standing.OPEN:
        return f"{in_turn([_open_and_used(fact, name, share), more])}."
    scatter = say("the scatter changes with it, too") if fact.scatter else ""
    share = in_turn([f"{in_turn([share, scatter])}{rests_on(fact.carried)}", more])
    if is_main(fact):
        return say("{name} matters: {share}.", name=name, share=share)
    return say("{name} matters little: {share}.", name=name, share=share)


def _untried(fact: ColumnRelevance, name: str) -> str:
    if goes_along(fact):
        return say(
            "No model with {name} was tried before the search was cut; by itself it goes with the target ({how_much}).",
            name=name, how_much=_how_much(fact),
        )  # fmt: skip
    return say("No model with {name} was tried before the search was cut.", name=name)


def _open_and_unused(fact: ColumnRelevance, name: str) -> str:
    if fact.instead:
        return say(
            "It is open whether {name} matters, or {others} in its place: one of them almost surely does, and this "
            "model does without {name}",
            name=name, others=joined([quoted(other) for other in fact.instead]),
        )  # fmt: skip
    return say("It is open whether {name} matters: this model does without it, others that fit do not", name=name)


def _open_and_used(fact: ColumnRelevance, name: str, share: str) -> str:
    if fact.instead:
        return say(
            "It is open whether {name} matters, or {others} in its place: one of them almost surely does; by this "
            "model, {share}",
            name=name, others=joined([quoted(other) for other in fact.instead]), share=share,
        )  # fmt: skip
    if fact.probability < MAJORITY:
        return say(
            "It is open whether {name} matters: by this model, {share}, but most others do without it",
            name=name, share=share,
        )  # fmt: skip
    return say(
        "It is open whether {name} matters: by this model, {share}, but others that fit do without it",
        name=name, share=share,
    )  # fmt: skip


def _unused(fact: ColumnRelevance, text: str) -> str:
    """A sentence on a column that the model hardly uses, with whether another might."""
    after = say("but the errors still go with it, so a better model might use it") if fact.left else ""
    return f"{in_turn([text, after])}."


def _not_used(fact: ColumnRelevance) -> str:
    """That a column is not used, and what speaks for it all the same; a search that was cut rules nothing out."""
    along = fact.correlation is not None and goes_along(fact)
    told = {"name": quoted(fact.column)} | ({"how_much": _how_much(fact)} if along else {})
    return say(_NOT_USED[fact.cut, fact.left, along], **told)


# By whether the search was cut, whether the errors still go with the column, and whether the target does by itself.
_NOT_USED = {
    (False, False, False): message("{name} adds nothing beyond the rest: the model does without it."),
    (False, False, True): message(
        "{name} adds nothing beyond the rest: the model does without it, though by itself it goes with the target "
        "({how_much})."
    ),
    (False, True, False): message(
        "The model does without {name}; but the errors still go with it, so a better model might use it."
    ),
    (False, True, True): message(
        "The model does without {name}, though by itself it goes with the target ({how_much}); but the errors still go "
        "with it, so a better model might use it."
    ),
    (True, False, False): message("The best model so far does without {name}, which does not rule it out."),
    (True, False, True): message(
        "The best model so far does without {name}, which does not rule it out: by itself it goes with the target "
        "({how_much})."
    ),
    (True, True, False): message(
        "The best model so far does without {name}; but the errors still go with it, so a better model might use it."
    ),
    (True, True, True): message(
        "The best model so far does without {name}, though by itself it goes with the target ({how_much}); but the "
        "errors still go with it, so a better model might use it."
    ),
}


def _adds_little(fact: ColumnRelevance, scale: Scale) -> str:
    """That next to nothing hangs on a column; no more is said of its worth where the errors still go with it."""
    high = fact.interval[1] if fact.interval else 0.0
    told = {"name": quoted(fact.column), "percent": percent(high), "varying": scale.varying}
    bounded = 1e-11 <= high < LEAST_TOLD  # "less than 0.1%" says so itself
    return say(_LITTLE[fact.left, bounded], **told)


# By whether the errors still go with the column, and whether the share says by itself that it is a bound.
_LITTLE = {
    (False, False): message(
        "{name} adds next to nothing beyond the rest: at most {percent} of {varying} depends on it."
    ),
    (False, True): message("{name} adds next to nothing beyond the rest: {percent} of {varying} depends on it."),
    (True, False): message(
        "By this model, at most {percent} of {varying} depends on {name}; but the errors still go with it, so a better "
        "model might make more of it."
    ),
    (True, True): message(
        "By this model, {percent} of {varying} depends on {name}; but the errors still go with it, so a better model "
        "might make more of it."
    ),
}


def _share(fact: ColumnRelevance, scale: Scale) -> str:
    """How much depends on a column, and whether by itself or together with others."""
    span = fact.interval or (fact.number, fact.number)
    number, low, high = (rounded_percent(value, 0 if value >= 0.1 else 1) for value in (fact.number, *span))
    share = say(
        "{percent} of {varying} depends on it (95% range: {low} to {high})",
        percent=number, varying=scale.varying, low=low, high=high,
    )  # fmt: skip
    partners = joined([quoted(partner) for partner in fact.partners])
    if fact.alone and partners:
        return say("{share}, by itself and together with {columns}", share=share, columns=partners)
    if partners:
        return say("{share}, together with {columns}", share=share, columns=partners)
    return say("{share}, by itself", share=share) if fact.alone else share


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


def no_columns_text(columns: Sequence[ColumnRelevance], scale: Scale) -> str:
    """That no model with a column is clearly better than none; and which column goes with the target all the same."""
    if any(fact.untried for fact in columns):
        return untried_text(scale)
    seen = [fact for fact in columns if goes_along(fact)]
    if not seen:
        return say("Nothing was found: no column tells anything about {it} that is clear of chance.", it=scale.it)
    first = min(seen, key=lambda fact: fact.correlation_p or 0.0)
    return say(
        "It is open whether a column tells anything about {it}: no model with one is clearly more probable than none, "
        "but {column} by itself goes with it ({how_much}).",
        it=scale.it, column=quoted(first.column), how_much=_how_much(first),
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


def explained_text(fact: Explained, scale: Scale) -> str:
    """How much the model explains and how well it predicts, in two sentences."""
    told = {"percent": percent(fact.number), "it": scale.it}
    if scale.counts:
        together = say(
            "The columns together explain {percent} of the variation in the logarithm of the rate of {it}, with what "
            "chance adds.",
            **told,
        )
    elif scale.is_log:
        together = say("The columns together explain {percent} of the variation in the logarithm of {it}.", **told)
    else:
        together = say("The columns together explain {percent} of the variation in {it}.", **told)
    error, simple = pair(fact.error, fact.error_of_mean)
    if fact.left_out <= 0.0:
        foreseen = say(
            "When each value is predicted from all the others, nothing is explained; the prediction misses by {error} "
            "on average, where the mean of the others would miss by {simple}.",
            error=error, simple=simple,
        )  # fmt: skip
    else:
        foreseen = say(
            "When each value is predicted from all the others, {percent} is explained; the prediction misses by "
            "{error} on average, where the mean of the others would miss by {simple}.",
            percent=percent(fact.left_out), error=error, simple=simple,
        )  # fmt: skip
    return f"{together} {foreseen}"


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
