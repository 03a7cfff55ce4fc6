"""What the series of a panel share and who differs, in sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from functools import cache

import numpy as np

from autostatistician.claims.claim import LEVEL_CHANGES, Claim
from autostatistician.claims.kinds import FEW, SEVERAL, Kind
from autostatistician.claims.quantity import FROM_NOTHING
from autostatistician.describe.axis.cycles import CALENDAR_CYCLES, PLACES, before_cycle, cycle_words, phase_text
from autostatistician.describe.axis.places import moment_text
from autostatistician.describe.facts.kinds import Phase
from autostatistician.describe.panels.changes import CommonChange
from autostatistician.describe.panels.facts import (
    Alike,
    Listed,
    PanelFacts,
    SeriesGroup,
    SharedColumn,
    SharedSeason,
    Spread,
    spread_of,
)
from autostatistician.describe.panels.members import Member
from autostatistician.i18n.messages import ENGLISH, again, sentence, spoken_in
from autostatistician.i18n.names import clean_name, in_turn, quoted
from autostatistician.i18n.numbers import (
    amount,
    article,
    capital,
    count,
    decimals_for,
    fixed,
    in_percent,
    joined,
    percent,
)

__all__ = [
    "ahead_text", "change_text", "column_text", "course_text", "group_text", "kind_text", "listed_text", "season_text",
    "shared_texts", "shift", "shown_name", "steps_text",
]  # fmt: skip

LONGEST = 300  # signs of a note

_FINEST = {"year": "year", "month": "month", "quarter": "month", "week": "day", "day": "day", "business day": "day"}
_LENGTH = re.compile(r"([\d.,]+)-(year|month|week|day|business-day|hour|minute|second)")


def shared_texts(facts: PanelFacts) -> tuple[str, ...]:
    """What the series share, a sentence each: changes that fall together, seasons, growth, scatter."""
    texts = [
        *(change_text(change) for change in facts.changes[:SEVERAL]),
        *(season_text(season, facts.done) for season in facts.seasons[:SEVERAL]),
        *(column_text(column, facts.done) for column in facts.columns[:SEVERAL]),
    ]
    if (growth := facts.spreads.get(Kind.GROWTH)) is not None and growth.series > 1:
        is_all, values = growth.series == facts.done, {"middle": shift(growth.middle), "n": fixed(growth.series, 0)}
        texts.append(sentence("panel.growth", all=is_all, spread=_spread_text(growth, shift), **values))
    if (noise := facts.spreads.get(Kind.NOISE)) is not None and noise.series > 1:
        texts.append(sentence("panel.scatter", middle=percent(noise.middle), spread=_spread_text(noise, percent)))
    return tuple(texts)


def course_text(facts: PanelFacts) -> str:
    """How many series rise, fall, turn or stay, and of how many nobody can say."""
    told = [
        sentence("panel.way", way=way or "short", number=number, n=fixed(number, 0))
        for way in ("rises", "falls", "turns", "level", "open", "")
        if (number := facts.ways.get(way, 0))
    ]
    ways, n = in_turn([joined(told)] if told else []), fixed(facts.done, 0)
    text = sentence("panel.course", all=facts.done == facts.series, series=fixed(facts.series, 0), n=n, ways=ways)
    if not facts.stepped:
        return text
    number = len(facts.stepped)
    changes = _first([f"{quoted(member.name)} {_changes_text(member)}" for member in facts.stepped], FEW)
    return f"{text} {sentence('panel.stepped', number=number, n=capital(count(number)), changes=changes)}"


def season_text(season: SharedSeason, of: int) -> str:
    """How many series have a cycle, when it is highest, and how many lack it."""
    noun = article(_cycle_noun(season.name))
    if season.top:
        when, n = _when_in_cycle(season.top), fixed(season.at_top, 0)
        noun = f"{noun} {sentence('panel.top', all=season.at_top == season.series, when=when, n=n)}"
    is_short = 0 < len(season.few) <= SEVERAL
    who = "all" if season.series == of else ("have" if 2 * season.series <= of else "lack") if is_short else "some"
    texts = [sentence(
        "panel.season", who=who, number=season.series, n=fixed(season.series, 0), of=fixed(of, 0), noun=noun,
        names=_names(season.few),
    )]  # fmt: skip
    if season.borrowed:
        texts.append(sentence("panel.borrowed", number=season.borrowed, n=fixed(season.borrowed, 0)))
    if season.unknown:
        texts.append(sentence("panel.unknown", number=season.unknown, n=fixed(season.unknown, 0)))
    return " ".join(texts)


def column_text(column: SharedColumn, of: int) -> str:
    """In how many series a column acts, in which, and by how much."""
    series, known = len(column.effects), {name: size for name, size in column.effects.items() if size is not None}
    spread = spread_of(known.values()) or Spread(0.0, 0.0, 0.0, 0)
    each = [sentence("panel.effect_in", size=shift(size), name=quoted(name)) for name, size in known.items()]
    effects = sentence(
        "panel.effect", form="names" if not known else "each" if len(known) == series <= SEVERAL else "spread",
        each=joined(each), names=_names(tuple(column.effects)), middle=shift(spread.middle),
        spread=_spread_text(spread, shift),
    )  # fmt: skip
    told = {"column": quoted(column.name), "n": fixed(series, 0), "of": fixed(of, 0), "effects": effects}
    return sentence("panel.column", all=series == of, **told)


def change_text(change: CommonChange) -> str:
    """That many series changed suddenly in one stretch of time, and how many would have by chance."""
    number, share = len(change.claims), change.share
    half = "" if share is None else sentence("panel.half", size=_size(share))
    return sentence(
        "panel.change", when=capital(_moment(change.stretch, change.step)), n=fixed(number, 0), half=half,
        direction="both" if 0 < change.up < number else "up" if change.up else "down", up=fixed(change.up, 0),
        down=fixed(number - change.up, 0), names=_names(tuple(change.claims)),
        usual=sentence("panel.usual", few=change.expected < 0.95, n=amount(change.expected, 2)),
    )  # fmt: skip


def ahead_text(facts: PanelFacts) -> str:
    """Where the forecasts lie, on the whole; "" of fewer than two."""
    ahead = facts.spreads.get(Kind.AHEAD)
    if ahead is None or ahead.series < 2:
        return ""
    until = sentence("panel.until", date=_date(*facts.ahead_to)) if facts.ahead_to else ""
    return sentence(
        "panel.ahead", direction="up" if ahead.middle > 0.0 else "down", season=bool(facts.seasons), until=until,
        size=_size(ahead.middle), spread=_spread_text(ahead, shift),
    )  # fmt: skip


def group_text(group: SeriesGroup) -> str:
    """What the series of a group have in common, in a few words.

    >>> group_text(SeriesGroup("rises", ("weekly", "yearly"), True, ("a", "b")))
    'Rising, with a weekly cycle, a yearly cycle, and a sudden change that lasts'
    """
    beside = [article(_cycle_noun(name)) for name in group.seasons]
    beside += [sentence("panel.lasting")] if group.stepped else []
    way = sentence("panel.group", way=group.way or "short")
    return sentence("panel.grouped", beside=bool(beside), group=way, what=joined(beside))


def listed_text(listed: Listed) -> str:
    """What a list says of a series, as one sentence without its subject."""
    claim, step, share = listed.claim, listed.member.record.step, listed.claim.get("share")
    direction, size = claim.number.direction, "" if share is None else _size(share)
    others = listed.others or "none"
    match claim.kind:
        case Kind.RISE:
            first, last = (_date(when, step) for when in claim.written)
            is_from_nothing = share is not None and share > FROM_NOTHING
            direction = "from nothing" if is_from_nothing else direction
            changes = f" ({_changes_text(listed.member)})" if listed.member.lasting else ""
            text = sentence("panel.most", direction=direction, size=size, first=first, last=last, changes=changes)
        case Kind.AHEAD:
            size = _size(claim.number.value)
            text = sentence("panel.forecast", direction=direction, against=claim.form, size=size)
        case Kind.ENDING:
            since = _date(claim.written[0], step)
            text = sentence("panel.ending", direction=direction, sized=bool(size), since=since, size=size)
        case Kind.NOISE:
            assert isinstance(listed.usual, Spread)
            low, high = percent(listed.usual.low), percent(listed.usual.high)
            text = sentence("panel.noise", size=percent(share or 0.0), low=low, high=high)
        case Kind.PHASE:
            text = sentence(
                "panel.phase", when=_when_in_cycle(listed.member.top), usual=_when_in_cycle(str(listed.usual))
            )
        case kind if kind in LEVEL_CHANGES:
            later = "recent" if claim.form == "recent" else "stays"
            change, n = _change_text(claim, step), count(listed.others)
            text = sentence("panel.stays", later=later, others=others, change=change, n=n)
        case _:
            lacks, noun = claim.kind is Kind.OPEN, _cycle_noun(claim.named["name"])
            text = sentence("panel.cycle", lacks=lacks, others=others, noun=noun, n=fixed(listed.others, 0))
    return capital(text)


def _changes_text(member: Member) -> str:
    """The sudden changes of a series that last."""
    return joined([_change_text(claim, member.record.step) for claim in member.lasting])


def _change_text(claim: Claim, step: str) -> str:
    size, when = "" if (share := claim.get("share")) is None else _size(share), _moment(claim.written[0], step)
    return sentence("panel.sudden", direction=claim.number.direction, sized=bool(size), size=size, when=when)


def _spread_text(spread: Spread, told: Callable[[float], str]) -> str:
    """Between which numbers half of the series lie, or all where these are few."""
    low, high = told(spread.low), told(spread.high)
    return sentence("panel.spread", few=spread.series <= SEVERAL, same=low == high, low=low, high=high)


# --- What must be known of the data: series without a model, what was left out, steps that differ ---------------------


def shown_name(name: str, longest: int) -> str:
    """The name of a series on one line; one without signs is told so."""
    return clean_name(name, longest) if name.strip() else sentence("panel.nameless")


def kind_text(kind: Alike, of: int) -> str:
    """A failure or a note with the number of series that have it, of so many.

    >>> kind_text(Alike("too few rows", ("north",)), 3), kind_text(Alike("too few rows", ("",)), 3)
    ("'north': too few rows", '(no name): too few rows')
    """
    number = len(kind.names)
    name = quoted(kind.names[0]) if kind.names[0].strip() else sentence("panel.nameless")
    who = "all" if kind.same and number == of > 1 else "one" if number == 1 else "same" if kind.same else "alike"
    return sentence(
        "panel.kind", who=who, others=number - 1, name=name, n=fixed(number - 1, 0),
        text=clean_name(again(kind.text), LONGEST),
    )  # fmt: skip


def steps_text(steps: Sequence[Alike]) -> str:
    """That the steps from row to row are not the same in all series; "" where they are.

    >>> steps_text([Alike("month", ("a", "b")), Alike("", ("c",))])
    "The steps from row to row differ: a month in 2 series, no regular one in 1 ('c')."
    """
    if len(steps) < 2:
        return ""
    told = ", ".join(_step_texts(steps[:SEVERAL]))
    return sentence("panel.steps", more=len(steps) > SEVERAL, steps=told)


def _step_texts(steps: Sequence[Alike]) -> Iterator[str]:
    for place, kind in enumerate(steps):
        name = kind.text if kind.text in _FINEST or kind.text in ("hour", "minute", "second") else ""
        own = kind.text if kind.text[:1].isdigit() else article(kind.text) if kind.text else ""
        step = own if own and not name else sentence("panel.step", step=name)
        who = "first" if not place else "few" if len(kind.names) <= SEVERAL else "many"
        yield sentence("panel.step_in", who=who, step=step, n=fixed(len(kind.names), 0), names=_names(kind.names))


# --- Names, sizes and times of a panel --------------------------------------------------------------------------------


def _names(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    return _first([quoted(name) for name in names], SEVERAL)


def _first(texts: Sequence[str], most: int) -> str:
    left = len(texts) - most
    return joined([*texts[:most], *([sentence("panel.more", n=fixed(left, 0))] if left > 0 else [])])


def shift(share: float) -> str:
    """A change in per cent with its sign.

    >>> shift(0.123), shift(-0.5), shift(0.0001), shift(4.2)
    ('+12%', '−50%', '0%', '+420%')
    """
    text = _per_cent(share)
    return in_percent(f"{'+' if share > 0.0 and text != '0' else ''}{text}")


def _per_cent(share: float) -> str:
    """Per cent with two digits, and no more than one decimal."""
    return fixed(100.0 * share, min(1, decimals_for(100.0 * share, 2)), trim=True)


def _size(share: float) -> str:
    """The size of a change without its sign."""
    return in_percent(_per_cent(abs(share)))


def _moment(when: str, step: str) -> str:
    """When something was, with its preposition; a date is told as finely as rows lie."""
    text = _date(when, step)
    if text == when and not (step == "year" and when.isdigit()):
        kind = "point"
    elif text.isdigit():
        kind = "year"
    else:
        kind = "day" if text[:1].isdigit() else "month"
    return sentence("date", relation="at", dated=kind, date=text, last="")


def _date(when: str, step: str) -> str:
    """A date as finely as rows lie; what is none as it is.

    >>> _date("2020-03", "month"), _date("111597", "day")
    ('March 2020', '111597')
    """
    try:
        date = np.datetime64(when, "s").item()
    except ValueError:
        date = None
    if not isinstance(date, datetime):  # as of a number beyond the years of the calendar
        return when
    if len(when) == 7:
        return moment_text(date, "month")
    return moment_text(date, "minute" if "T" in when else _FINEST.get(step, "day"))


def _cycle_noun(name: str) -> str:
    """What records call a cycle, with its noun: "weekly cycle", "10.8-year cycle"."""
    adjective = name
    if name in CALENDAR_CYCLES:
        adjective = cycle_words(name)[0]
    elif (matched := _LENGTH.fullmatch(name)) is not None:
        adjective = before_cycle(amount(float(matched[1].replace(",", ""))), matched[2].replace("-", " "))
    return sentence("panel.noun", adjective=adjective)


def _when_in_cycle(text: str) -> str:
    """When a cycle is highest, in the language of the moment: records keep it in English."""
    return phase_text(*_phases()[text]) if text in _phases() else text


@cache
def _phases() -> dict[str, tuple[Phase, tuple[int, ...]]]:
    """All stretches of cycles of the calendar by what they are called in English."""
    with spoken_in(ENGLISH):
        return {
            phase_text(kind, values): (kind, values)
            for kind, places in PLACES.items()
            for first in range(len(places))
            for length in range(1, len(places))
            if (values := tuple(places[(first + step) % len(places)] for step in range(length)))
        }
