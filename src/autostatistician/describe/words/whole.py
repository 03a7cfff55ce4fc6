"""Paragraphs about the model as a whole, and about what each part adds to it."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

from autostatistician.describe.axis.lengths import step_name
from autostatistician.describe.axis.places import stamp
from autostatistician.describe.axis.units import Units
from autostatistician.describe.facts.fact import Fact
from autostatistician.describe.facts.findings import SeriesFindings
from autostatistician.describe.facts.judgement import failed_checks, scale_is_open
from autostatistician.describe.facts.part import ConstantLevel, CrossValidatedError, VarianceExplained
from autostatistician.describe.facts.whole import (
    BaselineError,
    Composition,
    CountScatter,
    ForecastRange,
    ForecastReach,
    LogScale,
    NaturalLimit,
    SignalShare,
    UsefulParts,
    VarianceReached,
)
from autostatistician.describe.words.amounts import error, errors
from autostatistician.describe.words.breaks import break_text
from autostatistician.describe.words.conditions import condition_clause, conditions_text
from autostatistician.describe.words.counts import (
    counts_text,
    expected_text,
    none_text,
    of_parts_text,
    scatter_text,
    zeros_apart_text,
)
from autostatistician.describe.words.nouns import find
from autostatistician.describe.words.outliers import two_ways_text
from autostatistician.describe.words.ranges import forecast_decimals, middle_decimals
from autostatistician.wording.numbers import amount, capital, count, decimals_between, fixed, joined, ordinal, percent

__all__ = [
    "coverage", "error_text", "explained_text", "forecast_at_usual", "forecast_short", "forecast_text", "gain_text",
    "nothing_found", "open_scale_text", "order_text", "scale_claim", "scale_sentence", "scale_text",
]  # fmt: skip

_NEGLIGIBLE = 1e-3  # a share of the error or of the variation
_LEAST_APART = 0.05  # of the range of a forecast, between its lowest and its highest value
_NOTHING = 1e-4  # of the error of the mean
_ROUNDED = 5e-4  # a share that is told as zero


def coverage(n: int, units: Units) -> str:
    """What the data are: "144 monthly values of 'passengers' from January 1949 to December 1960"."""
    step = step_name(units)
    values = f"{n:,} {step + ' ' if step else ''}value{'' if n == 1 else 's'}"
    first, last = stamp(units.first, units), stamp(units.last, units)
    where = f"from {first} to {last}" if units.axis.is_calendar else f"for {_column(units)} from {first} to {last}"
    return f"{values} of '{units.target}' {where}"


def _column(units: Units) -> str:
    return f"'{' '.join(units.axis.column.split())}'"


def nothing_found(findings: SeriesFindings, zero: str = "zero") -> str:
    """What is said when the best model is noise alone or noise around a constant, and what that is worth."""
    around = f"random scatter around {zero if findings.pure else 'a fixed level'}"
    search = findings.search
    if search.cut and not search.levels:
        return (
            "No structure was looked for: the search was cut before it had tried any model but random scatter, so "
            "nothing is known of trends, cycles and smooth variations."
        )
    kinds = "no trend, no cycle and no smooth variation"
    said = f"No structure was found: {kinds} describes these values better than {around}"
    if findings.checks is not None and failed_checks(findings.checks.facts):
        return (
            f"{said} by more than chance among so many models. Yet the checks found something that scatter does not "
            "show (see 'Does the model fit?'), so there is probably a pattern that the report leaves out."
        )
    if search.cut:
        return f"{said}. The search was cut, so there may be one that it did not come to."
    return f"{said}. That is a result, too: what looks like a pattern to the eye is here most likely chance."


def scale_text(facts: tuple[Fact, ...], units: Units) -> str:
    """That the model is of the logarithm, why, and how its amounts are to be read; "" where it is not."""
    scale = find(facts, LogScale)
    if scale is None or scale.level is None:
        return ""
    if units.counts:
        scatter = find(facts, CountScatter)
        times = 1.0 if scatter is None else scatter.number
        texts = counts_text(scale, units, times), scatter_text(facts, units), zeros_apart_text(facts, units)
        return " ".join(filter(None, texts))
    if units.is_odds:
        return _odds_text(scale, units)
    return (
        f"The model is of the logarithm of '{units.target}', {_grounds(scale)}: its parts multiply "
        "instead of adding up, so "
        "their amounts are percentages of what the other parts give. Levels, forecasts and their ranges are in the "
        f"units of '{units.target}'; a level that one part goes through is told as if the others were at their neutral "
        f"value, with {amount(scale.level)} (the geometric mean of the data) as the typical level. Shares of variation "
        "and average misses are those of the logarithm."
    )


def open_scale_text(facts: tuple[Fact, ...], units: Units) -> str:
    """That the data do not tell growth by amounts from growth by percentages; "" where they do, or were not asked."""
    scale = find(facts, LogScale)
    if scale is None or scale.probability is None or not scale_is_open(scale.probability):
        return ""
    return f"{_open(units)}."


def scale_claim(facts: tuple[Fact, ...], units: Units) -> tuple[str, float] | None:
    """The claim that changes multiply with its probability, where the data leave it open; else None."""
    scale = find(facts, LogScale)
    if scale is None or scale.probability is None or not scale_is_open(scale.probability):
        return None
    of_log = 1.0 - scale.probability if scale.level is None else scale.probability
    return f"Changes of '{units.target}' multiply instead of adding up", of_log


def _open(units: Units) -> str:
    return f"Whether changes of '{units.target}' add up or multiply (straight or exponential), the data do not tell"


def _grounds(scale: LogScale) -> str:
    if isnan(scale.number):
        return "as was asked for"
    if scale.by_evidence:
        gain = fixed(0.5 * scale.number, 1)
        if float(gain) == 0.0:
            return "though these data are about as probable without it (over simple models together)"
        return f"because that makes these data more probable (by {gain} in the logarithm, over simple models together)"
    return f"because that describes these data better (by {fixed(scale.number, 0)} of BIC, on reference models)"


def _odds_text(scale: LogScale, units: Units) -> str:
    """The same of shares whose odds are modelled."""
    assert scale.level is not None
    return (
        f"So that '{units.target}' stays between 0% and 100%, the model is of the logarithm of its odds, "
        f"{_grounds(scale)}. {of_parts_text(units)} Average misses are percentage points about that share, and shares "
        "of variation are those of the logarithm."
    )


def scale_sentence(units: Units) -> str:
    """The same in one short sentence for a list."""
    if units.open_scale:
        parts = "of the logarithm, its parts multiply" if units.is_log else "of the values, its parts add up"
        return f"{_open(units)}; the model is {parts}."
    if units.is_odds:
        return of_parts_text(units)
    if units.counts:
        return f"The model is of the logarithm of the rate of '{units.target}', a count: its parts multiply."
    return f"The model is of the logarithm of '{units.target}': its parts multiply."


def explained_text(facts: tuple[Fact, ...]) -> str:
    """How much of the variation the model explains, by the milestones of 90 % and 99 %."""
    share = find(facts, SignalShare)
    assert share is not None
    reached = [fact for fact in facts if isinstance(fact, VarianceReached)]
    explained = _at_least(share.number)
    total = f"Together, the parts other than noise explain {explained} of the variation in the data."
    if _only_one(facts):
        total = f"The part other than noise explains {explained} of the variation in the data."
    if not reached or _only_one(facts):
        return total
    steps = [_step(fact) for fact in reached]
    lead = f"{capital(joined(steps))} of the variation in the data"
    parts = find(facts, Composition)
    all_named = parts is not None and reached[-1].parts >= int(parts.number) - parts.noise
    said = percent(reached[-1].number) == percent(share.number)
    return f"{lead}." if all_named or said else f"{lead}; all parts other than noise explain {percent(share.number)}."


def _step(fact: VarianceReached) -> str:
    what = "the first part explains" if fact.parts == 1 else f"the first {count(fact.parts)} parts explain"
    return f"{what} {percent(fact.number)}"


def _only_one(facts: tuple[Fact, ...]) -> bool:
    parts = find(facts, Composition)
    return parts is not None and int(parts.number) - parts.noise == 1


def error_text(facts: tuple[Fact, ...], units: Units) -> str:
    """How well held-out values are predicted, beside two simple predictions, and how many parts that takes."""
    useful, base, parts = find(facts, UsefulParts), find(facts, BaselineError), find(facts, Composition)
    assert useful is not None and base is not None and parts is not None
    mean = units.typical
    simple = f"always predicting the {mean} of the data would miss by {error(base.number, units)}"
    missed = error(useful.error, units) if useful.error > _NOTHING * base.number else "next to nothing"
    held = "When a stretch of a tenth of the data is held back and predicted from the rest,"
    number, signal = int(useful.number), int(parts.number) - parts.noise - useful.levels
    if number == 0:
        return (
            f"{held} no part lowers the error by as much as 0.1%: the model misses by {missed} on "
            f"average; {simple}.{' What it found is either very short-lived or noise.' if number < signal else ''}"
        )
    every = number >= signal
    which = "" if every else f" with its first {'part' if number == 1 else count(number) + ' parts'}"
    text = f"{held} the model{which} misses by {missed} on average; {simple}."
    if every:
        return text
    return (
        f"{text} No later part lowers this error by as much as 0.1%: what they describe lasts too briefly to be "
        "foreseen from a distance, or is chance."
    )


def forecast_short(facts: tuple[Fact, ...], units: Units, *, cut: bool = False, beside: str = "") -> str:
    """What comes next, in one sentence for the head of a report; hedged where the search was ``cut``.

    ``beside`` is what it takes for granted besides, of columns.
    """
    ahead = [fact for fact in facts if isinstance(fact, ForecastRange)]
    if not ahead:
        return ""
    holds = "the best model so far holds" if cut else ""
    condition = " and ".join(filter(None, [holds, condition_clause(facts, units)])) or "the model holds"
    condition = f"{condition}{', and ' if beside else ''}{beside}"
    told = _told(ahead, units, "95% range", _wide(facts, ahead))
    total = "" if beside else expected_text(facts, units)
    told = f"If {condition}, the forecast of '{units.target}' is {told}."
    return " ".join(filter(None, [told, two_ways_text(facts, units), total]))


def forecast_at_usual(facts: tuple[Fact, ...], units: Units, usual: str) -> str:
    """The same with all columns at their ``usual`` values ("with 'price' at 5"), in another sentence."""
    ahead = [fact for fact in facts if isinstance(fact, ForecastRange)]
    return f"{capital(usual)} it would be {_told(ahead, units, '95% range', _wide(facts, ahead))}." if ahead else ""


def forecast_text(facts: tuple[Fact, ...], units: Units, *, beside: str = "") -> str:
    """What comes next, and how sure that is, if what is taken for granted ``beside`` the model, of columns, holds."""
    ahead, reach = [fact for fact in facts if isinstance(fact, ForecastRange)], find(facts, ForecastReach)
    if not ahead:
        return ""
    turns = _between(reach, ahead, units) if reach is not None else ""
    holds = ", and ".join(filter(None, ["the model holds", beside]))
    sure = f"If {holds}, each value lies in its range with a chance of 95%."
    zero = "The data are never below zero, but the model does not know that: read limits below zero as zero."
    sure += f" {zero}" if reach is not None and reach.crosses else ""
    broken = break_text(facts, units)
    odd = broken and f"Be careful: {broken[:1].lower()}{broken[1:]}"
    stops = [_stops(fact) for fact in facts if isinstance(fact, NaturalLimit)]
    text = f"The forecast is {_told(ahead, units, 'range', _wide(facts, ahead))}."
    counted = () if beside else (expected_text(facts, units), none_text(facts, units))
    ways, conditions = two_ways_text(facts, units), conditions_text(facts, units)
    told = [text, turns, ways, _middle_text(ahead, units), sure, *counted, conditions, *stops, odd]
    return " ".join(filter(None, told))


def _middle_text(ahead: list[ForecastRange], units: Units) -> str:
    """Which middle of what may come the forecast is."""
    if ahead[0].median:
        return "Forecasts are medians: a value is as likely to lie above as below."
    if units.counts and not units.sizes:
        return "Forecasts are means: the number expected, single values being whole numbers about it."
    return "Forecasts are means: what values come to on average."


def _stops(fact: NaturalLimit) -> str:
    """That ranges stop at a natural limit."""
    return (
        f"Values {'above' if fact.upper else 'below'} {amount(fact.number)} are taken to be impossible, as none of the "
        "data lies there: ranges stop at that limit."
    )


def _wide(facts: tuple[Fact, ...], ahead: list[ForecastRange]) -> ForecastReach | None:
    """The lowest and the highest forecast, where they lie apart."""
    reach = find(facts, ForecastReach)
    least = _LEAST_APART * max(fact.interval[1] - fact.interval[0] for fact in ahead if fact.interval is not None)
    return None if reach is None or reach.number < least else reach


def _told(ahead: list[ForecastRange], units: Units, label: str, reach: ForecastReach | None = None) -> str:
    """The first and the last forecast with their ranges; where these are the same, what lies between them, too."""
    figures = [_figures(fact, _decimals(ahead, units), units) for fact in ahead]
    places = [_at(fact.position, units) for fact in ahead]
    if len(set(figures)) == 1 and len(ahead) > 1:
        middle, low, high = figures[0]
        if reach is not None:
            decimals = middle_decimals([reach.low, reach.high], _decimals(ahead, units), units)
            least, most = (_figure(bound, decimals, units) for bound in (reach.low, reach.high))
            both_ends = f" ({label} at both ends: {low} to {high})" if low != high else ""
            return f"between {least} and {most} from {places[0]} to {places[-1]}{both_ends}"
        both_ends = f" ({label}: {low} to {high})" if low != high else ""
        return f"{middle} all the way from {places[0]} to {places[-1]}{both_ends}"
    labels = [f"{label}: ", *[""] * (len(ahead) - 1)]
    rows = zip(figures, places, labels, strict=True)
    return joined(
        [
            f"{middle} for {at} ({name}{low} to {high})" if low != high else f"{middle} for {at}"
            for (middle, low, high), at, name in rows
        ]
    )


def _figures(fact: ForecastRange, decimals: int, units: Units) -> tuple[str, str, str]:
    assert fact.interval is not None
    low, high = (_figure(number, decimals, units) for number in fact.interval)
    return _figure(fact.number, middle_decimals([fact.number], decimals, units), units), low, high


def _decimals(ahead: list[ForecastRange], units: Units) -> int:
    return forecast_decimals((fact.interval for fact in ahead if fact.interval is not None), units)


def _between(reach: ForecastReach, ahead: list[ForecastRange], units: Units) -> str:
    """The lowest and the highest forecast, where they do not lie at its ends."""
    ends = {fact.position for fact in ahead}
    extremes = [(reach.low, reach.low_at, "lowest"), (reach.high, reach.high_at, "highest")]
    if _wide((reach,), ahead) is None:
        return ""
    extremes_text = [
        f"{word} for {_at(x, units)} ({_figure(y, middle_decimals([y], _decimals(ahead, units), units), units)})"
        for y, x, word in extremes
        if x not in ends
    ]
    return f"In between the forecast is {joined(extremes_text)}." if extremes_text else ""


def _figure(value: float, decimals: int, units: Units) -> str:
    """A number to a position; billions in words, shares in per cent."""
    if units.is_odds:
        return f"{fixed(units.in_per_cent * value, decimals)}%"
    if 1e9 <= abs(value) < 1e13 and decimals < 0:
        return amount(value, max(3, decimals_between(0.0, value) - decimals))
    return fixed(value, decimals)


def _at(position: float, units: Units) -> str:
    name = stamp(position, units)
    return name if units.axis.is_calendar else f"{_column(units)} = {name}"


# --- what parts add ---------------------------------------------------------------------------------


def order_text(parts: Sequence[tuple[Fact, ...]]) -> str:
    """Why the parts stand in their order."""
    gains = [(find(facts, VarianceExplained), find(facts, CrossValidatedError)) for facts in parts]
    noise = [explained is not None and explained.noise for explained, _ in gains]
    raised = [error is not None and error.reduction < -_NEGLIGIBLE for _, error in gains]
    text = "They come in the order in which each lowers the error of predictions most, given those before it."
    if any(raises and not is_noise for raises, is_noise in zip(raised, noise, strict=True)):
        text = (
            "Next is always the part that lowers the error of predictions most, given those before it, or raises it "
            "least."
        )
    if noise != sorted(noise):
        text += " Noise predicts nothing; parts that come after it are of doubtful use for predictions."
    return text


def gain_text(facts: tuple[Fact, ...], number: int, units: Units) -> str:
    """What adding the part to the earlier ones changes, with a remark where it changes nothing."""
    explained, validated = find(facts, VarianceExplained), find(facts, CrossValidatedError)
    assert explained is not None and validated is not None
    if explained.noise:
        return (
            "Noise is what the other parts leave over. It is not predictable, "
            "so its size counts as uncertainty and never as something explained."
        )
    remark = "" if find(facts, ConstantLevel) else _remark(explained, validated)
    sentences = (_variance(explained, number), _error(validated, explained.first, units), remark)
    return " ".join(sentence for sentence in sentences if sentence)


def _variance(fact: VarianceExplained, number: int) -> str:
    if fact.first:
        if abs(fact.after) < _ROUNDED:
            return "By itself this part explains none of the variation in the data: it only sets their level."
        if fact.after < -_ROUNDED:
            return "By itself this part lies further from the data than their mean does: later parts make up for that."
        return f"By itself this part explains {percent(fact.after)} of the variation in the data."
    if fact.before < -_ROUNDED:
        return f"Together with the earlier parts it explains {_at_least(fact.after)} of the variation in the data."
    before, after = _at_least(fact.before), _at_least(fact.after)
    verb = "rises" if fact.after > fact.before else "falls"
    change = f"stays at {after}" if before == after else f"{verb} from {before} to {after}"
    total = f"the share that is explained {change}"
    if fact.number < 0:
        return f"As the {ordinal(number)} part it makes the fit to the values at hand a little worse; {total}."
    share = f"{percent(fact.number)} of the variation that the earlier parts leave"
    return f"As the {ordinal(number)} part it explains {share}; {total}."


def _at_least(share: float) -> str:
    """A share in words: parts may lie further from the data than their mean does where the noise differs in size."""
    return percent(max(share, 0.0)) if share > -_ROUNDED else "none"


def _error(fact: CrossValidatedError, first: bool, units: Units) -> str:
    before, after = errors(fact.before, fact.number, units)
    if first:
        mean = units.typical
        before = error(fact.before, units)
        after = error(fact.number, units) if fact.number > _NOTHING * fact.before else "next to nothing"
        missed = f"Predictions from it alone miss held-out values by {after} on average"
        return f"{missed}; the {mean} of the data, by {before}."
    if max(fact.before, fact.number) < _NOTHING * units.spread:
        return "It leaves the average error for held-out values at next to nothing."
    if abs(fact.reduction) < _NEGLIGIBLE:
        return f"It leaves the average error for held-out values at {error(fact.number, units)}."
    verb = "lowers" if fact.reduction > 0 else "raises"
    by = percent(abs(fact.reduction))
    return f"Adding it {verb} the average error for held-out values by {by}, from {before} to {after}."


def _remark(explained: VarianceExplained, error: CrossValidatedError) -> str:
    if error.reduction >= _NEGLIGIBLE:
        return ""
    if explained.number < _NEGLIGIBLE:
        return "It neither explains variation nor improves predictions, so it is probably an artefact of the model."
    return (
        "It explains variation without improving the prediction of held-out stretches, "
        "which lie too far from their neighbours for it."
    )
