"""What the series of a panel share and who differs, in sentences: the surprising ones first."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from math import expm1

from autostatistician.describe.axis.places import moment_text
from autostatistician.describe.panels.changes import SharedChange
from autostatistician.describe.panels.facts import Group, PanelFacts, SharedSeason, Spread
from autostatistician.describe.panels.surprises import Reason, Surprise
from autostatistician.wording.names import quoted
from autostatistician.wording.numbers import amount, article, capital, count, decimals_for, fixed, joined, percent

__all__ = [
    "change_text", "course_text", "group_text", "moment", "names_text", "reason_text", "reasons_text",
    "season_text", "shared_texts", "shift", "standing_texts", "surprises_text",
]  # fmt: skip

FEWEST_HALVED = 4  # that turned: half of fewer is nothing to tell
MOST_NAMES = 4
MOST_CHANGES, MOST_SEASONS = 3, 5
MOST_REASONS = 3
ALL, HARDLY_ANY = 0.9, 0.1
FEWEST = 3  # series, of which a median is told
WAYS = (
    ("rises", "rises", "rise"), ("falls", "falls", "fall"), ("turns", "goes up and down", "go up and down"),
    ("level", "shows no lasting rise or fall", "show no lasting rise or fall"),
)  # fmt: skip
OF_GROUPS = {
    "rises": "rising", "falls": "falling", "turns": "up and down", "level": "no lasting rise or fall",
    "open": "direction open", "": "too few rows to say where it goes",
}  # fmt: skip
SINGLE = {"year": "year", "month": "month", "quarter": "month", "week": "day", "day": "day", "business day": "day"}


def shared_texts(facts: PanelFacts) -> tuple[str, ...]:
    """What the series share, a sentence each: courses, seasons, growth, forecasts, scatter."""
    if not facts.done:
        return ()
    seasons = (season_text(season, facts) for season in facts.seasons[:MOST_SEASONS])
    texts = (
        course_text(facts),
        _late_text(facts),
        *seasons,
        _growth_text(facts),
        _ahead_text(facts),
        _noise_text(facts),
    )
    return tuple(filter(None, texts))


def standing_texts(facts: PanelFacts) -> tuple[str, ...]:
    """What stands out, a sentence each: changes that fall together, and how many series differ from the others."""
    if not facts.done:
        return ()
    return *(change_text(change) for change in facts.changes[:MOST_CHANGES]), surprises_text(facts)


def course_text(facts: PanelFacts) -> str:
    """How many series rise, fall, turn or stay, and of how many nobody can say."""
    told = [(facts.way(way), one, many) for way, one, many in WAYS]
    clauses = [f"{number:,} {one if number == 1 else many}" for number, one, many in told if number]
    is_open, short = facts.way("open"), facts.way("")
    whole = f"Of {facts.done:,} series"
    if facts.done < facts.series:
        whole = f"Of {facts.series:,} series, {facts.done:,} have a model; of these"
    text = f"{whole}, {joined(clauses)}" if clauses else ""
    if is_open:
        unknown = f"for {is_open:,} the direction is open"
        text = f"{text}; {unknown}" if text else f"{whole}, {unknown}"
    if short:
        has, they_go = ("has", "it goes") if short == 1 else ("have", "they go")
        few = f"{short:,} {has} too few rows to say where {they_go}"
        text = f"{text}; {few}" if text else f"{whole}, {few}"
    return f"{text}.{_stepped_text(facts.stepped)}"


def _stepped_text(number: int) -> str:
    """What a count of rises and falls leaves out."""
    if not number:
        return ""
    if number == 1:
        return " One of them has a sudden change that lasts, and is counted by what else it does."
    return f" {capital(count(number))} of them have sudden changes that last, and are counted by what else they do."


def season_text(season: SharedSeason, facts: PanelFacts) -> str:
    """How many series have a cycle, when it is highest, and how many lack it."""
    noun, highest = article(f"{season.name} cycle"), _top_text(season)
    others = facts.done - season.series - season.unknown
    few = names_text(season.few) if 0 < len(season.few) <= MOST_NAMES else ""
    unsure = _borrowed_text(season)
    if season.series == 1:
        return f"One series of {facts.done:,} has {noun}{highest}{few and f': {few}'}.{unsure}"
    if season.series == facts.done:
        return f"All {season.series:,} series have {noun}{highest}.{unsure}"
    if season.series > 0.5 * facts.done:
        none = f"; {others:,} {'shows' if others == 1 else 'show'} none{few and f': {few}'}" if others else ""
        return f"{season.series:,} series have {noun}{highest}{none}.{unsure}"
    which = f", which the other {others:,} do not show" if others else ""
    return f"{season.series:,} series{few and f' ({few})'} have {noun}{highest}{which}.{unsure}"


def _borrowed_text(season: SharedSeason) -> str:
    """How many follow the season of the others instead of showing their own, and of how many that is open."""
    texts = []
    if season.borrowed:
        who = "One of them is" if season.borrowed == 1 else f"{season.borrowed:,} of them are"
        who = "It is" if season.series == 1 else "All of them are" if season.borrowed == season.series else who
        texts.append(
            f" {who} too short to show it alone: it is what all have in common, with a size of its own in each."
        )
    if season.unknown:
        of, they = ("one", "it has") if season.unknown == 1 else (f"{season.unknown:,}", "they have")
        texts.append(f" For {of} it is open whether {they} it.")
    return "".join(texts)


def _top_text(season: SharedSeason) -> str:
    """When a cycle is highest, where that is the same for most."""
    if not season.tops or season.series < FEWEST:
        return ""
    (when, times), *others = season.tops
    if times < 0.5 * season.series or (others and times < 2 * others[0][1]):
        return ""
    return f" (highest {when} for {'all' if times == season.series else f'{times:,}'} of them)"


def change_text(change: SharedChange) -> str:
    """That many series changed suddenly in one stretch of time, and how many would have by chance."""
    few = change.expected < 0.95
    usual = "less than one" if few else f"about {amount(change.expected, 2)}"
    ways = {"rose": change.up, "fell": change.down}
    text = f"{capital(moment(change.stretch, change.step))}, {change.series:,} series changed suddenly"
    if not change.up or not change.down:
        text = text.replace("changed suddenly", f"{'rose' if change.up else 'fell'} suddenly")
        size = f", half of them by {_size(change.share)} or more" if change.share is not None else ""
    else:
        size = f" ({joined([f'{number:,} {verb}' for verb, number in ways.items()])})"
    return f"{text}{size}; {usual} would at the rate of other times. They are {names_text(change.names)}."


def names_text(names: Sequence[str]) -> str:
    """The first names, and how many more there are."""
    shown = [quoted(name) for name in names[:MOST_NAMES]]
    if len(names) > MOST_NAMES:
        shown.append(f"{len(names) - MOST_NAMES:,} more")
    return joined(shown)


def _late_text(facts: PanelFacts) -> str:
    """How many rise and fall at the end of the data, and when those that did otherwise before turned."""
    late = facts.late
    if late is None:
        return ""
    told = sorted([(late.rising, "rises", "rise"), (late.falling, "falls", "fall")], reverse=True)
    clauses = [f"{number:,} {one if number == 1 else many}" for number, one, many in told if number]
    low, high = late.since
    if late.turned == 1:
        turned = f"one turned {moment(low, late.step)}"
    else:
        when = (
            moment(low, late.step) if low == high else f"between {_date(low, late.step)} and {_date(high, late.step)}"
        )
        turned = f"{late.turned:,} turned{f', half of them {when}' if late.turned >= FEWEST_HALVED else ''}"
    return f"At the end of the data {joined(clauses)}; of those that {told[0][2]}, {turned}."


def _growth_text(facts: PanelFacts) -> str:
    spread = facts.growth
    if spread is None or spread.series < FEWEST:
        return ""
    whole = "" if spread.series == facts.done else f" (of the {spread.series:,} for which growth has a meaning)"
    return (
        f"The median growth is {shift(spread.median)} per year; half of the series lie between {_ends(spread)}{whole}."
    )


def _ahead_text(facts: PanelFacts) -> str:
    spread = facts.ahead
    if spread is None or spread.series < FEWEST:
        return ""
    until = f" (to {_date(*facts.ahead_to)})" if facts.ahead_to else ""
    season = ", or the same part of the season before," if facts.seasons else ""
    side = "above" if spread.median > 0.0 else "below"
    lies = f"lies {_size(spread.median)} {side} the level at the end of the data{season} in the middle series"
    return f"The forecast{until} {lies}, on average over its steps; half of the series lie between {_ends(spread)}."


def _noise_text(facts: PanelFacts) -> str:
    spread = facts.noise
    if spread is None or spread.series < FEWEST:
        return ""
    return (
        f"Single values scatter by {percent(spread.median)} of the level in the middle series, "
        f"and in half of them by {percent(spread.low)} to {percent(spread.high)}."
    )


def _ends(spread: Spread) -> str:
    return f"{shift(spread.low)} and {shift(spread.high)}"


def shift(share: float) -> str:
    """A change in per cent with its sign.

    >>> shift(0.123), shift(-0.5), shift(0.0001), shift(4.2)
    ('+12%', '−50%', '0%', '+420%')
    """
    text = _per_cent(share)
    return f"{'+' if share > 0.0 and text != '0' else ''}{text}%"


def _per_cent(share: float) -> str:
    """Per cent with two digits, and no more than one decimal."""
    return fixed(100.0 * share, min(1, decimals_for(100.0 * share, 2)), trim=True)


def _size(share: float) -> str:
    """The size of a change without its sign."""
    return f"{_per_cent(abs(share))}%"


def surprises_text(facts: PanelFacts) -> str:
    """How many series stand out, with what that means."""
    number = len(facts.surprises)
    if not number:
        return "No series stands out from the others by more than chance would have in so many."
    verb = "stands" if number == 1 else "stand"
    return f"{capital(count(number))} series {verb} out by more than chance would have among so many."


def reasons_text(surprise: Surprise) -> str:
    """Why a series stands out, as one sentence."""
    texts = list(dict.fromkeys(reason_text(reason, surprise.step) for reason in surprise.reasons))
    return f"{'. '.join(map(capital, texts[:MOST_REASONS]))}."


def reason_text(reason: Reason, step: str = "") -> str:
    """One reason as a clause without its subject."""
    number, low, high = (value if value is not None else 0.0 for value in (reason.number, reason.low, reason.high))
    half = "half of all series"
    match reason.kind:
        case "growth":
            growth = expm1(number)
            ends = f"{shift(expm1(low))} and {shift(expm1(high))}"
            verb = "grows" if growth > 0.0 else "shrinks"
            return f"{verb} by {_size(growth)} per year; {half} lie between {ends}"
        case "ahead":
            ends = f"{shift(expm1(low))} and {shift(expm1(high))}"
            way = "above" if number > 0.0 else "below"
            return f"its forecast lies {_size(expm1(number))} {way} its level at the end; {half} lie between {ends}"
        case "season":
            ends = f"{percent(low)} and {percent(high)}"
            return f"its cycle makes up {percent(number)} of its variation; {half} lie between {ends}"
        case "noise":
            shares = [percent(float(expm1(value) + 1.0)) for value in (number, low, high)]
            return f"single values scatter by {shares[0]} of its level; {half} lie between {shares[1]} and {shares[2]}"
        case "error":
            return f"its last value lies {amount(abs(number), 2)} usual errors {_side(number)} what was forecast"
        case "ending":
            lies = f"lies {_far(reason)} what was expected"
            since = moment(reason.when, step).partition(" ")[2]
            return f"since {since} it {lies}; nobody can know yet whether that lasts"
        case "recent":
            verb = "rose" if reason.what == "up" else "fell"
            text = f"{verb} suddenly{_by(reason)} {moment(reason.when, step)}"
            return f"{text}; nobody can know yet whether that lasts"
        case "step":
            verb = "rose" if reason.what == "up" else "fell"
            return f"{verb} suddenly{_by(reason)} {moment(reason.when, step)}, and stayed there{_alone(reason.others)}"
        case "rare":
            others = f"{_none(reason.others)} of the others {_have(reason.others)}"
            return f"has {article(f'{reason.what} cycle')}, which {others}"
        case "lacks":
            return f"shows no {reason.what} cycle, which {reason.others:,} others have"
        case _:
            return f"is highest {reason.what}; most others are {reason.when}"


def _side(number: float) -> str:
    return "above" if number > 0.0 else "below"


def _far(reason: Reason) -> str:
    side = "above" if reason.what == "up" else "below"
    return f"{_size(reason.number)} {side}" if reason.number is not None else f"far {side}"


def _by(reason: Reason) -> str:
    return "" if reason.number is None else f" by {_size(reason.number)}"


def _alone(others: int) -> str:
    return (
        ", the only change of this kind that is sure"
        if not others
        else f", as only {count(others)} other{'s' if others > 1 else ''} surely did"
    )


def _none(others: int) -> str:
    return "none" if not others else f"only {count(others)}"


def _have(others: int) -> str:
    return "has" if others <= 1 else "have"


def group_text(group: Group) -> str:
    """What the series of a group have in common, in a few words.

    >>> group_text(Group("rises", ("weekly", "yearly"), True, ("a", "b")))
    'Rising, with a weekly and a yearly cycle, apart from a sudden change that lasts'
    """
    parts = [article(f"{name} cycle") for name in group.seasons[-1:]]
    parts = [*(article(name) for name in group.seasons[:-1]), *parts]
    text = f"{capital(OF_GROUPS[group.way])}{', with ' if parts else ''}{' and '.join(parts)}"
    return f"{text}, apart from a sudden change that lasts" if group.stepped else text


def moment(when: str, step: str) -> str:
    """When something was, with its preposition; a date is told as finely as rows lie.

    >>> moment("2024-03-01", "month"), moment("2024-03-05", "day"), moment("1987", "year"), moment("7.5", "")
    ('in March 2024', 'on 5 March 2024', 'in 1987', 'at 7.5')
    """
    text = _date(when, step)
    if text == when and not (step == "year" and when.isdigit()):
        return f"at {text}"
    return f"on {text}" if " " in text and text[:1].isdigit() else f"in {text}"


def _date(when: str, step: str) -> str:
    try:
        date = datetime.fromisoformat(f"{when}-01" if len(when) == 7 else when)
    except ValueError:
        return when
    if len(when) == 7:
        return moment_text(date, "month")
    return moment_text(date, "minute" if "T" in when else SINGLE.get(step, "day"))
