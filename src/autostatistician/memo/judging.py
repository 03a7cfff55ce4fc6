"""Each sentence of a text as borne out, contradicted or unknown, by the claims of a model.

A sentence is about the claims whose topic, columns and dates it names. Every direction, number and date in it is then
held against the one that agrees best. A number agrees within the range of 95 % and its own rounding; what the claims do
not speak of is unknown.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.memo.known import DAYS_OF, Known, Range, change_of, forecast_known, known_of
from autostatistician.memo.reading import Date, Figure, Said, read, sentences_of

__all__ = ["Checked", "Memo", "Subject", "Verdict"]

# Of a number: within so much it is as good as equal, with and without a range, and at most so much is its rounding.
CLOSE, CLOSE_TO_ONE, ROUNDED = 0.03, 0.1, 0.06
NEAR = {"course": 0.02, "lately": 0.1}  # of the length of the data, by which dates of claims may be off
NEAR_SUDDEN = 0.005
_ENDS = {"since": 0, "after": 0, "until": 1, "till": 1, "before": 1}  # of a stretch, by the word before a date
UNITS = ("%", "times", "per day", "% per day")
_CLAUSES = re.compile(
    r"[;]\s|:\s(?=[A-Za-z'\"])|,?\s+(?:while|whereas|but|although|(?:and )?then|and beyond|after which)\s+"
)
_TOPICS = {
    "outlier": r"outlier\w*|unusual\w*|anomal\w*|stands? out|stood out|exception\w*|odd|(?:was|were) expected",
    "forecast": r"forecast\w*|predict\w*|project(?:ed|ion|ions|s)?|outlook|will be|next|we expect|(?:is|are) expected",
    "season": r"season\w*|pattern|cycle\w*|swing\w*|(?:every|each) (?:year|week|day|month|summer|winter)|rhythm",
    "step": r"jump\w*|steps?|stepped|sudden\w*|abrupt\w*|overnight|shift\w*|leap\w*|spike\w*|from one \w+ to the next",
    "noise": r"scatter\w*|nois[ey]\w*|random\w*|fluctuat\w*|deviat\w*",
    "explained": r"explain\w*|account\w* for|varia\w+|miss\w*|off by|errors?|accura\w+",
    "lately": r"recently|lately|of late|currently|now|at present|these days|latest",
}  # fmt: skip
_PERIODS = {
    "year": r"yearly|annual\w*|(?:every|each) (?:year|summer|winter)|year-long",
    "week": r"weekly|(?:every|each) week|day of the week|weekday",
    "month": r"monthly (?:pattern|cycle|season|rhythm)|(?:every|each) month",
    "day": r"daily (?:pattern|cycle|season|rhythm)|(?:every|each) day",
}  # fmt: skip
_MATTERS = (
    r"matters?|affects?|effects?|influenc\w*|driv\w*|depends?|link\w*|relat\w*|unrelated|associat\w*|irrelevant|relevant"
    r"|important|role|difference|explain\w*"
)
_NO_SEASON = r"(?:no|not|without|lacks?|hardly) (?:\w+ ){0,3}(?:season\w*|pattern|cycle\w*|rhythm)"
_EXTREME = r"peak|trough|low(?:est)? point|high(?:est)? point|summer|winter|usual|average"
_EACH = r"each|every|per|additional|further"
_LIES = r"highest|lowest|lies between|lie between|adds? between|most in|most on|most from|a level of"  # of a part
_ACTS = r"mov\w+|chang\w+|add\w*|gap|differ\w*|costs?|worth|by|swing\w*"
_SUMMED = r"average[sd]?|averaging|mean|median|totals|totall?ed|sum|chances?|altogether|c[ao]me to"
MOST_DATES = 2


class Verdict(StrEnum):
    """What becomes of a sentence."""

    BORNE_OUT = "borne out"
    CONTRADICTED = "contradicted"
    UNKNOWN = "unknown"


@dataclass(frozen=True)
class Checked:
    """A sentence with its verdict, and the claims that it was held against: their names and sentences."""

    sentence: str
    verdict: Verdict
    claims: tuple[str, ...] = ()
    told: tuple[str, ...] = ()

    def to_json(self) -> dict[str, object]:
        """As plain values."""
        return {
            "sentence": self.sentence, "verdict": self.verdict.value, "claims": list(self.claims),
            "model": list(self.told),
        }  # fmt: skip


@dataclass(frozen=True)
class Subject:
    """What a model is of: its target, the other columns, their categories, and the axis of a series."""

    target: str
    columns: tuple[str, ...] = ()
    levels: tuple[tuple[str, str], ...] = ()
    axis: str = ""
    unit: str = ""  # of the axis, where it is one of dates
    ends: tuple[Any, Any] | None = None  # of the data along it

    @property
    def years(self) -> tuple[int, int] | None:
        """The years that texts may name."""
        if not self.unit or self.ends is None:
            return None
        first, last = (int(str(end)[:4]) for end in self.ends)
        return first - max(last - first, 1), last + max(last - first, 10)

    @property
    def length(self) -> Any:
        """Of the data along the axis."""
        return 1.0 if self.ends is None else self.ends[1] - self.ends[0]


@dataclass(frozen=True)
class Memo:
    """The claims of a model, with which texts are checked; ``forecast`` gives the rows of a forecast when asked for.

    ``series`` has the days (n,) and values (n,) of data by dates.
    """

    subject: Subject
    claims: tuple[Known, ...]
    told: Mapping[str, str]
    forecast: Callable[[], Sequence[Mapping[str, Any]]]
    series: tuple[NDArray[np.datetime64], NDArray[np.float64]] | None = None

    @classmethod
    def of(
        cls, subject: Subject, answers: Iterable[Mapping[str, Any]],
        forecast: Callable[[], Sequence[Mapping[str, Any]]],
        series: tuple[NDArray[np.datetime64], NDArray[np.float64]] | None = None,
    ) -> Memo:  # fmt: skip
        """Of the answers of a model to questions, as their JSON has them."""
        answers = list(answers)
        facts = [fact for answer in answers for fact in answer["facts"]]
        told = {number["id"]: number["sentence"] for answer in answers for number in answer["numbers"]}
        return cls(subject, tuple(known_of(facts, DAYS_OF.get(subject.unit, 0.0))), told, forecast, series)

    def check(self, text: str) -> list[Checked]:
        """The sentences of a text that have a number, a direction or a date, each with its verdict."""
        return [checked for sentence in sentences_of(text) if (checked := self._sentence(sentence)) is not None]

    def _sentence(self, sentence: str) -> Checked | None:
        verdicts: list[Verdict] = []
        claims: list[str] = []
        columns: tuple[str, ...] = ()
        topics: list[str] = []
        for clause in _CLAUSES.split(sentence):
            said = self._read(clause)
            topics = [topic for topic, words in _TOPICS.items() if said.speaks(words)] or topics
            named = tuple(name for name in said.columns if name != self.subject.target)
            named = named or tuple(dict.fromkeys(column for column, _ in said.levels))
            columns = named or (() if said.columns else columns)
            if not said.is_checkable and not self._is_of_matter(said):
                continue
            verdict, claim = self._clause(replace(said, columns=columns), topics)
            verdicts.append(verdict)
            claims += [claim.id] if claim is not None and claim.id else []
        if not verdicts:
            return None
        first = next((each for each in (Verdict.CONTRADICTED, Verdict.BORNE_OUT) if each in verdicts), Verdict.UNKNOWN)
        names = tuple(dict.fromkeys(claims))
        told = dict.fromkeys(self.told[name] for name in names if name in self.told)
        return Checked(sentence, first, names, tuple(told))

    def _read(self, clause: str) -> Said:
        of = self.subject
        return read(clause, (of.target, *of.columns), of.levels, of.years, of.axis)

    def _is_of_matter(self, said: Said) -> bool:
        of_column = bool(set(said.columns) - {self.subject.target}) and said.speaks(_MATTERS)
        return of_column or said.speaks(_TOPICS["season"])

    def _clause(self, said: Said, topics: list[str]) -> tuple[Verdict, Known | None]:
        judged = []
        is_summed = said.speaks(_SUMMED) and not any(figure.per for figure in said.figures)
        if len(said.dates) > MOST_DATES or is_summed:
            return Verdict.UNKNOWN, None  # of sums and means nothing is claimed
        for claim in [*self._candidates(said, topics), *self._change_of_means(said)]:
            votes = list(_votes(said, claim, self.subject))
            if all(votes) or claim.id:
                judged.append((votes.count(False), -votes.count(True), claim))
        judged = [each for each in judged if each[:2] != (0, 0)]
        if not judged:
            return Verdict.UNKNOWN, None
        wrong, _, claim = min(judged, key=lambda each: each[:2])
        if not wrong:
            return Verdict.BORNE_OUT, claim
        is_of_date = not (topics or said.way or said.figures or said.columns or said.highs or said.lows)
        return (Verdict.UNKNOWN, None) if is_of_date else (Verdict.CONTRADICTED, claim)

    def _candidates(self, said: Said, topics: list[str]) -> list[Known]:
        """The claims that a clause may be about."""
        ahead = [date for date in said.dates if self._is_ahead(date)]
        if "forecast" in topics or (ahead and len(ahead) == len(said.dates)):
            rows = forecast_known(self.forecast()) if len(ahead) == 1 else []
            near = [row for row in rows if _is_near(ahead[0], [row.start], row, self.subject)]
            return near if len(near) == 1 else []  # of sums and means nothing is claimed
        if said.columns:
            return self._of_columns(said)
        if said.highs or said.lows or (said.compares and not said.dates and (said.phases or said.speaks(_EXTREME))):
            topics = ["season"]
        for topic in topics:
            if found := [claim for claim in self.claims if claim.topic == topic and not claim.columns]:
                return found
        if topics and topics[0] != "lately":
            return []
        found = [claim for claim in self.claims if claim.topic in ("course", "step")]
        if not (said.figures or said.dates or said.places):
            whole = [claim for claim in found if claim.id.endswith("/rise")]
            return whole or found
        return found

    def _change_of_means(self, said: Said) -> list[Known]:
        """By how much the data changed on average between two stretches: it has no name, and contradicts nothing."""
        if self.series is None or len(said.dates) != 2:
            return []
        times, values = self.series
        stretches = [values[(date.start <= times) & (times <= date.stop)] for date in said.dates]
        if not all(map(len, stretches)):
            return []
        first, last = map(float, map(np.nanmean, stretches))
        sizes = {"by": ((abs(last - first),) * 2,), "from": ((first,) * 2,), "to": ((last,) * 2,)}
        return [Known("course", "", int(np.sign(last - first)), numbers=sizes | change_of(first, last))]

    def _is_ahead(self, date: Date) -> bool:
        return self.subject.ends is not None and bool(date.start > self.subject.ends[1])

    def _of_columns(self, said: Said) -> list[Known]:
        about = [claim for claim in self.claims if set(claim.columns) & set(said.columns)]
        matter = [claim for claim in about if claim.topic == "matters"]
        if said.is_denied and said.speaks(_MATTERS):
            return matter
        share = said.speaks(_TOPICS["explained"]) and any(figure.unit == "%" for figure in said.figures)
        if share:
            return matter
        found = [claim for claim in about if claim.topic == "effect"]
        if found and (said.way or (said.figures and said.speaks(_ACTS))):
            return found
        return matter if said.speaks(_MATTERS) else []


def _votes(said: Said, claim: Known, subject: Subject) -> Iterator[bool]:
    """What agrees and what does not between a clause and a claim."""
    if claim.topic == "matters":
        yield claim.is_so is not said.is_denied
    way = claim.way
    if claim.levels:
        way, more = _between(said, claim)
        claim = replace(claim, numbers=more)
    if said.way and way and claim.topic in ("course", "lately", "step", "outlier", "effect"):
        yield (said.way == way) is not (said.is_denied and not said.figures)
    for date, place in _paired(() if said.speaks(_LIES) else said.dates, claim):
        yield _is_near(date, place, claim, subject)
    for at in said.places:
        places = [place for place in (claim.start, claim.stop) if isinstance(place, float)]
        if places:
            yield min(abs(at - place) for place in places) <= NEAR["course"] * float(subject.length)
    if claim.phases and said.compares and (phases := said.phases - said.highs - said.lows):
        yield from _of_phases(said, [claim.phases[phase] for phase in phases & claim.phases.keys()])
        return
    if claim.topic == "effect" and said.speaks(_EACH):
        claim = replace(claim, numbers={"": claim.numbers.get("each", ())})
    is_of_part = said.speaks(_LIES) and claim.topic in ("course", "season", "step")
    for figure in () if is_of_part and not said.speaks("swing") else said.figures:
        pool = _pool(figure, claim)
        if pool:
            yield any(_agrees(figure, claim, ends) for ends in pool)
    if claim.topic == "season":
        yield from _of_season(said, claim)


def _paired(dates: Sequence[Date], claim: Known) -> Iterator[tuple[Date, list[Any]]]:
    """Dates with the places of a claim that they may mean."""
    for index, date in enumerate(dates):
        places = [place for place in (claim.start, claim.stop) if isinstance(place, np.datetime64)]
        if len(dates) == 2 and claim.topic == "course" and len(places) == 2:
            places = [places[index]]
        elif claim.topic == "course" and len(places) == 2 and date.role in _ENDS:
            places = [places[_ENDS[date.role]]]
        elif claim.id.endswith("/rise"):
            continue  # within a whole
        if places:
            yield date, places


def _is_near(date: Date, places: Sequence[Any], claim: Known, subject: Subject) -> bool:
    """Whether a date is one of some places, but for the days by which these may be off."""
    share = 0.0 if claim.topic == "forecast" else NEAR.get(claim.topic, NEAR_SUDDEN)
    may = np.timedelta64(int(share * subject.length.astype(int)), "D")
    may = may if claim.slack is None else may + claim.slack
    within = claim.topic == "step" and len(places) == 2 and places[0] <= date.start <= places[1]
    return within or any(date.start - may <= place <= date.stop + may for place in places)


def _pool(figure: Figure, claim: Known) -> tuple[Range, ...]:
    """The ranges of a claim that a number may be meant for."""
    if figure.per and figure.per not in DAYS_OF:
        return ()
    if figure.unit == "%" or figure.per or figure.unit == "times":
        unit = "times" if figure.unit == "times" else f"{figure.unit}{' per day' if figure.per else ''}".strip()
        return claim.numbers.get(unit, ())
    if claim.numbers.get(figure.role):
        return claim.numbers[figure.role]
    return tuple(ends for word, pool in claim.numbers.items() if word not in UNITS for ends in pool)


def _agrees(figure: Figure, claim: Known, ends: Range) -> bool:
    """Whether a number lies in a range, but for its rounding."""
    per = DAYS_OF.get(figure.per, 1.0)
    value, rounding = figure.value / per, figure.rounding / per
    if min(ends) >= 0.0 and figure.role in ("by", ""):
        value = abs(value)
    close = CLOSE if ends[0] < ends[1] else CLOSE_TO_ONE
    may = max(close * max(abs(ends[0]), abs(ends[1])), min(rounding, ROUNDED * abs(value)))
    return ends[0] - may <= value <= ends[1] + may


def _of_season(said: Said, claim: Known) -> Iterator[bool]:
    if claim.period:
        periods = {period for period, words in _PERIODS.items() if said.speaks(words)}
        if periods:
            yield (claim.period in periods) is not said.speaks(_NO_SEASON)
        elif said.speaks(_NO_SEASON):
            yield False
    for named, known in ((said.highs, claim.highs), (said.lows, claim.lows)):
        if named and known:
            yield named <= known


def _of_phases(said: Said, phases: Sequence[Range]) -> Iterator[bool]:
    """Which side of the usual months or days lie on, and by how much."""
    for low, high in phases:
        yield (low > 0.0) - (high < 0.0) == said.way
        ends = (min(abs(low), abs(high)), max(abs(low), abs(high)))
        yield from (_agrees(figure, Known("season", ""), ends) for figure in said.figures)


def _between(said: Said, claim: Known) -> tuple[int, dict[str, tuple[Range, ...]]]:
    """Where the first category of a clause lies from the second, or from all others, and by how much."""
    named = [level for column, level in said.levels if column in claim.columns and level in claim.levels]
    if not named:
        return 0, {}
    others = [level for level in claim.levels if level != named[0]]
    against = named[1] if len(named) > 1 else others[0] if len(others) == 1 else None
    if against is None:
        rest = [claim.levels[level] for level in others]
        size = claim.levels[named[0]]
        return (1 if size > max(rest) else -1 if size < min(rest) else 0), {}
    apart = claim.levels[named[0]] - claim.levels[against]
    known = claim.numbers.get("by", ()) if len(claim.levels) == 2 else ((abs(apart), abs(apart)),)
    return int(np.sign(apart)), {"by": known}
