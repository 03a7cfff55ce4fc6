"""The abstract of a report on a series: what is so whatever model says it; and its model in a sentence."""

from __future__ import annotations

import re
from collections import Counter

from autostatistician.describe.axis.places import place
from autostatistician.describe.axis.units import Units
from autostatistician.describe.document.series.story import SeriesStory, changes_of
from autostatistician.describe.facts.whole import ForecastCondition
from autostatistician.describe.words.course import course_text
from autostatistician.describe.words.covariates import ahead_clause, columns_lead, usual_text
from autostatistician.describe.words.events import happened_text
from autostatistician.describe.words.forecast import forecast_at_usual, forecast_short, same_forecast
from autostatistician.describe.words.outliers import ending_text, returning_text
from autostatistician.describe.words.plain import few_rows_text, line_text, nothing_text, zeros_text
from autostatistician.describe.words.search import as_far, tried
from autostatistician.describe.words.steps import step_text
from autostatistician.describe.words.whole import nothing_found
from autostatistician.wording.numbers import count, joined, plural

__all__ = ["abstract_text", "model_text"]

_LONG = 260  # letters, from which the abstract names the parts without their properties
# Said of a series that was chosen from a table of several columns and shows nothing along the time.
_BESIDE = "This is about the course in time alone: the columns that were not used may explain these values."
_MOST_CHANGES = 4  # that the abstract then names


def abstract_text(story: SeriesStory) -> str:
    """What happened, how the values run, and what comes: all that can be said without a model."""
    findings, units = story.findings, story.units
    ahead, few = _ahead(story), few_rows_text(findings.facts)
    of_days = [ending_text(findings.facts, units), returning_text(findings.facts, units)]
    beside = columns_lead(findings.covariates, units) if findings.covariates is not None else ""
    few = " ".join(filter(None, [zeros_text(findings.facts), *of_days, few, beside]))
    happened = happened_text(findings.function, units)
    if findings.nothing:
        nothing = nothing_text(findings.facts) or nothing_found(findings, _zero(units))
        alone = findings.choice and units.axis.is_calendar and findings.covariates is None
        return " ".join(filter(None, [few, happened, nothing, _BESIDE if alone else "", ahead]))
    stepped = "" if happened else step_text([part.facts[0] for part in story.parts], findings.claims, units)
    line, course = line_text(findings.facts, units), stepped or course_text(findings.function, units)
    happenings = as_far(" ".join(filter(None, [happened, course])), findings.search)
    return " ".join(filter(None, [few, line or happenings or model_text(story), ahead]))


def _ahead(story: SeriesStory) -> str:
    """The forecast in a sentence; with columns first with these, then at their usual values."""
    findings, units = story.findings, story.units
    beside, is_cut = findings.covariates, bool(findings.search.cut)
    if beside is None or beside.ahead is None:
        return forecast_short(findings.facts, units, cut=is_cut)
    conditions = tuple(fact for fact in findings.facts if isinstance(fact, ForecastCondition))
    taken = ahead_clause(beside.ahead, units)
    with_columns = forecast_short((*conditions, *beside.forecast), units, cut=is_cut, beside=taken)
    at_usual = forecast_at_usual(findings.facts, units, usual_text(beside.told))
    same = same_forecast(beside.forecast, findings.facts, units)
    return with_columns if same else f"{with_columns} {at_usual}"


def model_text(story: SeriesStory) -> str:
    """The model that is told, in a sentence, and how probable it is among those that were tried."""
    parts, search = _parts_told(story), story.findings.search
    several = len(story.parts) > 1
    what = f"the sum of {plural(len(story.parts), 'part')}: {parts}" if several else parts
    whose = "the logarithm of their rate" if story.units.counts else "their logarithm"
    whose = "the logarithm of their odds (so that they stay between 0% and 100%)" if story.units.is_odds else whose
    of_logarithm = f" a model of {whose}," if story.units.is_log else ""
    if search.most > search.weight:
        likely = " that is nearly as likely" if search.nearly_likeliest else ""
        lead = f"The model told here is not the likeliest of those tried but a simpler one{likely}"
        return f"{lead}: it is{of_logarithm} {what}."
    return f"{tried(search)}, the one that describes these data best is{of_logarithm} {what}."


def _zero(units: Units) -> str:
    return f"the {units.typical} of the data" if units.is_log else "zero"


def _parts_told(story: SeriesStory) -> str:
    """All parts in one list: with their properties, or where that is too long, as nouns with equal ones counted."""
    nouns, changes = [_inside(part.summary) for part in story.parts], ""
    if sum(map(len, nouns)) > _LONG:
        counts = Counter(part.gist for part in story.parts)
        nouns = [_counted(noun, number) for noun, number in counts.items()]
        changes = _changes_told(story)
    plain = len(nouns) == 2 and not any("," in text for text in nouns)
    return (" and ".join(nouns) if plain or len(nouns) == 1 else "; ".join([*nouns[:-1], f"and {nouns[-1]}"])) + changes


def _changes_told(story: SeriesStory) -> str:
    """Where parts begin or end, as another sentence."""
    places = list(dict.fromkeys(place(change, story.units) for change in sorted(changes_of(story.parts))))
    if not places:
        return ""
    where = f"around {joined(places)}" if len(places) <= _MOST_CHANGES else f"at {count(len(places))} places"
    return f". Parts begin or end {where}"


def _counted(noun: str, number: int) -> str:
    """A noun phrase for several things of a kind; what one of them does ("that rises") is left out.

    >>> _counted("a yearly cycle", 2), _counted("random noise", 2), _counted("a yearly cycle", 1)
    ('two yearly cycles', 'two kinds of random noise', 'a yearly cycle')
    >>> _counted("an irregular variation with sudden turns that rises overall", 2)
    'two irregular variations with sudden turns'
    >>> _counted("a yearly cycle multiplied by a weekly cycle", 3), _counted("the product of a, b, and c", 2)
    ('three yearly cycles multiplied by a weekly cycle', 'two products of a, b, and c')
    """
    if number == 1:
        return noun
    article, _, rest = noun.partition(" ")
    if article not in ("a", "an", "the"):
        return f"{count(number)} kinds of {noun}"
    head, link, clause = re.split(
        r"(, about | with | of | whose | multiplied by |$)", rest.split(" that ")[0], maxsplit=1
    )
    return f"{count(number)} {head}s{link}{clause}"


def _inside(sentence: str) -> str:
    """A summary sentence as part of another sentence."""
    return sentence[:1].lower() + sentence[1:].removesuffix(".")
