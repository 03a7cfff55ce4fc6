"""What the series of a panel share and who differs, in sentences: the surprising ones first."""

from __future__ import annotations

from math import expm1

from autostatistician.describe.panels.changes import SharedChange
from autostatistician.describe.panels.facts import Group, Late, PanelFacts, SharedSeason
from autostatistician.describe.panels.phrases import (
    MOST_NAMES,
    cycle_adjective,
    cycle_noun,
    date_text,
    moment,
    names_text,
    shift,
    size_text,
    when_in_cycle,
)
from autostatistician.describe.panels.surprises import Reason, Surprise
from autostatistician.wording.messages import ENGLISH, language, message, say, say_as, say_count
from autostatistician.wording.names import in_turn
from autostatistician.wording.numbers import amount, article, capital, count, fixed, joined, percent

__all__ = ["change_text", "course_text", "group_text", "reasons_text", "season_text", "shared_texts", "standing_texts"]


MOST_REASONS = 3

FEWEST_HALVED = 4  # that turned: half of fewer is nothing to tell

MOST_CHANGES, MOST_SEASONS = 3, 5

FEWEST = 3  # series, of which a median is told

OF_GROUPS = {
    "rises": message("Rising"), "falls": message("Falling"), "turns": message("Up and down"),
    "level": message("No lasting rise or fall"), "open": message("Direction open"),
    "": message("Too few rows to say where it goes"),
}  # fmt: skip


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
    ways = [clause for way in ("rises", "falls", "turns", "level") if (clause := _way_clause(way, facts.way(way)))]
    is_open, short = facts.way("open"), facts.way("")
    told = [joined(ways)] if ways else []
    if is_open:
        told.append(say("for {n} the direction is open", n=fixed(is_open, 0)))
    if short:
        told.append(say_count(
            short, "{n} has too few rows to say where it goes", "{n} have too few rows to say where they go",
            n=fixed(short, 0),
        ))  # fmt: skip
    series, done, texts = fixed(facts.series, 0), fixed(facts.done, 0), in_turn(told)
    if facts.done < facts.series:
        whole = say("Of {all} series, {n} have a model; of these, {texts}.", all=series, n=done, texts=texts)
    else:
        whole = say("Of {n} series, {texts}.", n=done, texts=texts)
    return f"{whole}{_stepped_text(facts.stepped)}"


def _way_clause(way: str, number: int) -> str:
    """How many courses go one way; "" where none does."""
    if not number:
        return ""
    n = fixed(number, 0)
    match way:
        case "rises":
            return say_count(number, "{n} rises", "{n} rise", n=n)
        case "falls":
            return say_count(number, "{n} falls", "{n} fall", n=n)
        case "turns":
            return say_count(number, "{n} goes up and down", "{n} go up and down", n=n)
        case _:
            return say_count(number, "{n} shows no lasting rise or fall", "{n} show no lasting rise or fall", n=n)


def _stepped_text(number: int) -> str:
    """What a count of rises and falls leaves out."""
    if not number:
        return ""
    text = say_count(
        number, "One of them has a sudden change that lasts, and is counted by what else it does.",
        "{n} of them have sudden changes that last, and are counted by what else they do.", n=capital(count(number)),
    )  # fmt: skip
    return f" {text}"


def season_text(season: SharedSeason, facts: PanelFacts) -> str:
    """How many series have a cycle, when it is highest, and how many lack it."""
    noun = f"{article(cycle_noun(season.name))}{_top_text(season)}"
    others = facts.done - season.series - season.unknown
    few = names_text(season.few) if 0 < len(season.few) <= MOST_NAMES else ""
    return f"{_having_text(season, facts.done, others, noun, few)}{_borrowed_text(season)}"


def _having_text(season: SharedSeason, of: int, others: int, noun: str, few: str) -> str:
    n, rest = fixed(season.series, 0), fixed(others, 0)
    if season.series == 1:
        named = say("One series of {of} has {noun}: {names}.", of=fixed(of, 0), noun=noun, names=few)
        return named if few else say("One series of {of} has {noun}.", of=fixed(of, 0), noun=noun)
    if season.series == of:
        return say("All {n} series have {noun}.", n=n, noun=noun)
    if season.series > 0.5 * of:
        if not others:
            return say("{n} series have {noun}.", n=n, noun=noun)
        none = say_count(others, "{n} shows none", "{n} show none", n=rest)
        none = say("{clause}: {names}", clause=none, names=few) if few else none
        return say("{n} series have {noun}; {none}.", n=n, noun=noun, none=none)
    who = say("{n} series ({names})", n=n, names=few) if few else say("{n} series", n=n)
    if not others:
        return say("{who} have {noun}.", who=who, noun=noun)
    return say("{who} have {noun}, which the other {others} do not show.", who=who, noun=noun, others=rest)


def _borrowed_text(season: SharedSeason) -> str:
    """How many follow the season of the others instead of showing their own, and of how many that is open."""
    texts = []
    if season.borrowed:
        texts.append(_borrowing_text(season))
    if season.unknown:
        texts.append(say_count(
            season.unknown, "For one it is open whether it has it.", "For {n} it is open whether they have it.",
            n=fixed(season.unknown, 0),
        ))  # fmt: skip
    return "".join(f" {text}" for text in texts)


def _borrowing_text(season: SharedSeason) -> str:
    if season.series == 1:
        return say("It is too short to show it alone: it is what all have in common, with a size of its own in each.")
    if season.borrowed == season.series:
        return say(
            "All of them are too short to show it alone: it is what all have in common, with a size of its own in each."
        )
    return say_count(
        season.borrowed,
        "One of them is too short to show it alone: it is what all have in common, with a size of its own in each.",
        "{n} of them are too short to show it alone: it is what all have in common, with a size of its own in each.",
        n=fixed(season.borrowed, 0),
    )


def _top_text(season: SharedSeason) -> str:
    """When a cycle is highest, where that is the same for most."""
    if not season.tops or season.series < FEWEST:
        return ""
    (when, times), *others = season.tops
    if times < 0.5 * season.series or (others and times < 2 * others[0][1]):
        return ""
    told = when_in_cycle(when)
    if times == season.series:
        return f" {say('(highest {when} for all of them)', when=told)}"
    return f" {say('(highest {when} for {n} of them)', when=told, n=fixed(times, 0))}"


def change_text(change: SharedChange) -> str:
    """That many series changed suddenly in one stretch of time, and how many would have by chance."""
    usual = (
        say("less than one would at the rate of other times")
        if change.expected < 0.95
        else say("about {n} would at the rate of other times", n=amount(change.expected, 2))
    )
    when, n = capital(moment(change.stretch, change.step)), fixed(change.series, 0)
    changed = _together_text(change, when, n)
    return say("{changed}; {usual}. They are {names}.", changed=changed, usual=usual, names=names_text(change.names))


def _together_text(change: SharedChange, when: str, n: str) -> str:
    """Which way the series went that changed together."""
    if change.up and change.down:
        ways = [
            say("{n} rose", n=fixed(change.up, 0)),
            say("{n} fell", n=fixed(change.down, 0)),
        ]
        return say("{when}, {n} series changed suddenly ({ways})", when=when, n=n, ways=joined(ways))
    text = (
        say("{when}, {n} series rose suddenly", when=when, n=n)
        if change.up
        else say("{when}, {n} series fell suddenly", when=when, n=n)
    )
    if change.share is None:
        return text
    return say("{text}, half of them by {size} or more", text=text, size=size_text(change.share))


def _late_text(facts: PanelFacts) -> str:
    """How many rise and fall at the end of the data, and when those that did otherwise before turned."""
    late = facts.late
    if late is None:
        return ""
    ways = sorted([(late.rising, "rises"), (late.falling, "falls")], reverse=True)
    told = joined([clause for number, way in ways if (clause := _way_clause(way, number))])
    turned = _turned_text(late)
    if ways[0][1] == "rises":
        return say("At the end of the data {clauses}; of those that rise, {turned}.", clauses=told, turned=turned)
    return say("At the end of the data {clauses}; of those that fall, {turned}.", clauses=told, turned=turned)


def _turned_text(late: Late) -> str:
    """How many turned, and when."""
    low, high = late.since
    if late.turned == 1:
        return say("one turned {when}", when=moment(low, late.step))
    n = fixed(late.turned, 0)
    if late.turned < FEWEST_HALVED:
        return say("{n} turned", n=n)
    if low == high:
        return say("{n} turned, half of them {when}", n=n, when=moment(low, late.step))
    ends = {"first": date_text(low, late.step), "last": date_text(high, late.step)}
    return say("{n} turned, half of them between {first} and {last}", n=n, **ends)


def _growth_text(facts: PanelFacts) -> str:
    spread = facts.growth
    if spread is None or spread.series < FEWEST:
        return ""
    numbers = {"growth": shift(spread.median), "low": shift(spread.low), "high": shift(spread.high)}
    if spread.series == facts.done:
        return say(
            "The median growth is {growth} per year; half of the series lie between {low} and {high}.", **numbers
        )
    return say(
        "The median growth is {growth} per year; half of the series lie between {low} and {high} (of the {n} for which "
        "growth has a meaning).", n=fixed(spread.series, 0), **numbers,
    )  # fmt: skip


def _ahead_text(facts: PanelFacts) -> str:
    spread = facts.ahead
    if spread is None or spread.series < FEWEST:
        return ""
    what = (
        say("the level at the end of the data, or the same part of the season before,")
        if facts.seasons
        else say("the level at the end of the data")
    )
    forecast = (
        say("The forecast (to {date})", date=date_text(*facts.ahead_to)) if facts.ahead_to else say("The forecast")
    )
    values = {
        "forecast": forecast, "size": size_text(spread.median), "what": what,
        "low": shift(spread.low), "high": shift(spread.high),
    }  # fmt: skip
    if spread.median > 0.0:
        return say(
            "{forecast} lies {size} above {what} in the middle series, on average over its steps; half of the series "
            "lie between {low} and {high}.", **values,
        )  # fmt: skip
    return say(
        "{forecast} lies {size} below {what} in the middle series, on average over its steps; half of the series lie "
        "between {low} and {high}.", **values,
    )  # fmt: skip


def _noise_text(facts: PanelFacts) -> str:
    spread = facts.noise
    if spread is None or spread.series < FEWEST:
        return ""
    return say(
        "Single values scatter by {middle} of the level in the middle series, and in half of them by {low} to {high}.",
        middle=percent(spread.median), low=percent(spread.low), high=percent(spread.high),
    )  # fmt: skip


def group_text(group: Group) -> str:
    """What the series of a group have in common, in a few words.

    >>> group_text(Group("rises", ("weekly", "yearly"), True, ("a", "b")))
    'Rising, with a weekly and a yearly cycle, apart from a sudden change that lasts'
    """
    text = str(say(OF_GROUPS[group.way]))
    if group.seasons:
        *first, last = group.seasons
        nouns = [*map(_one_of_several, first), article(cycle_noun(last))]
        text = say("{way}, with {cycles}", way=text, cycles=say(" and ").join(nouns))
    return say("{text}, apart from a sudden change that lasts", text=text) if group.stepped else text


def _one_of_several(name: str) -> str:
    """A cycle before another: English leaves the noun to the last, other languages may say it with each."""
    adjective = cycle_adjective(name)
    if language() == ENGLISH:
        return article(adjective)
    return say_as("cycle before another", "a {adjective}", adjective=adjective)


# --- Why series of a panel stand out, in sentences ------------------------------------------------------------------


def surprises_text(facts: PanelFacts) -> str:
    """How many series stand out, with what that means."""
    number = len(facts.surprises)
    if not number:
        return say("No series stands out from the others by more than chance would have in so many.")
    return say_count(
        number, "{n} series stands out by more than chance would have among so many.",
        "{n} series stand out by more than chance would have among so many.", n=capital(count(number)),
    )  # fmt: skip


def reasons_text(surprise: Surprise) -> str:
    """Why a series stands out, as one sentence."""
    texts = list(dict.fromkeys(reason_text(reason, surprise.step) for reason in surprise.reasons))
    return f"{'. '.join(map(capital, texts[:MOST_REASONS]))}."


def reason_text(reason: Reason, step: str = "") -> str:
    """One reason as a clause without its subject."""
    match reason.kind:
        case "growth" | "ahead" | "season" | "noise" | "error":
            return _measure_text(reason)
        case "ending" | "recent" | "step":
            return _event_text(reason, step)
        case "rare":
            noun = article(cycle_noun(reason.what))
            if not reason.others:
                return say("has {noun}, which none of the others has", noun=noun)
            return say_count(
                reason.others, "has {noun}, which only one of the others has",
                "has {noun}, which only {n} of the others have", noun=noun, n=count(reason.others),
            )  # fmt: skip
        case "lacks":
            noun, n = cycle_noun(reason.what), fixed(reason.others, 0)
            return say("shows no {noun}, which {n} others have", noun=noun, n=n)
        case _:
            here, there = when_in_cycle(reason.what), when_in_cycle(reason.when)
            return say("is highest {when}; most others are {others}", when=here, others=there)


def _measure_text(reason: Reason) -> str:
    """A number that is unlike those of the others."""
    number, low, high = (value if value is not None else 0.0 for value in (reason.number, reason.low, reason.high))
    is_up = number > 0.0
    shares = {"size": size_text(expm1(number)), "low": shift(expm1(low)), "high": shift(expm1(high))}
    match reason.kind:
        case "growth" if is_up:
            return say("grows by {size} per year; half of all series lie between {low} and {high}", **shares)
        case "growth":
            return say("shrinks by {size} per year; half of all series lie between {low} and {high}", **shares)
        case "ahead" if is_up:
            return say(
                "its forecast lies {size} above its level at the end; half of all series lie between {low} and {high}",
                **shares,
            )
        case "ahead":
            return say(
                "its forecast lies {size} below its level at the end; half of all series lie between {low} and {high}",
                **shares,
            )
        case "season":
            return say(
                "its cycle makes up {size} of its variation; half of all series lie between {low} and {high}",
                size=percent(number), low=percent(low), high=percent(high),
            )  # fmt: skip
        case "noise":
            size, least, most = (percent(float(expm1(value) + 1.0)) for value in (number, low, high))
            return say(
                "single values scatter by {size} of its level; half of all series lie between {low} and {high}",
                size=size, low=least, high=most,
            )  # fmt: skip
        case _ if is_up:
            return say("its last value lies {n} usual errors above what was forecast", n=amount(abs(number), 2))
        case _:
            return say("its last value lies {n} usual errors below what was forecast", n=amount(abs(number), 2))


def _event_text(reason: Reason, step: str) -> str:
    """What happened to a series, at its end or for good."""
    is_up, by = reason.what == "up", reason.number
    size, when = "" if by is None else size_text(by), moment(reason.when, step)
    if reason.kind == "ending":
        since, lies = date_text(reason.when, step), _ending_text(is_up, size)
        return say("since {when} it lies {far}; nobody can know yet whether that lasts", when=since, far=lies)
    if size:
        text = (
            say("rose suddenly by {size} {when}", size=size, when=when)
            if is_up
            else say("fell suddenly by {size} {when}", size=size, when=when)
        )
    else:
        text = say("rose suddenly {when}", when=when) if is_up else say("fell suddenly {when}", when=when)
    if reason.kind == "recent":
        return say("{text}; nobody can know yet whether that lasts", text=text)
    if not reason.others:
        return say("{text}, and stayed there, the only change of this kind that is sure", text=text)
    return say_count(
        reason.others, "{text}, and stayed there, as only {n} other surely did",
        "{text}, and stayed there, as only {n} others surely did", text=text, n=count(reason.others),
    )  # fmt: skip


def _ending_text(is_up: bool, size: str) -> str:
    """How far from what was expected a series lies at its end."""
    if size and is_up:
        return say("{size} above what was expected", size=size)
    if size:
        return say("{size} below what was expected", size=size)
    return say("far above what was expected") if is_up else say("far below what was expected")
