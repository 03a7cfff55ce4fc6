"""What a sentence of a text says in numbers, directions and dates, whoever wrote it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

__all__ = ["Date", "Figure", "Said", "names_in", "read", "sentences_of"]

MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_UP = (
    r"rose|rise[sn]?|rising|gr[eo]w(?:s|ing|n|th)?|increas\w*|climb\w*|gain\w*|higher|more|up(?:wards?)?|jump\w*|surg\w*"
    r"|soar\w*|larger|greater|bigger|positive\w*|adds?|added|lift\w*|rais\w*|boost\w*|expand\w*|doubled|tripled|above"
)
_DOWN = (
    r"f[ea]ll(?:s|en|ing)?|drop\w*|declin\w*|decreas\w*|lower(?:s|ed)?|less|fewer|down(?:wards?)?|shr[aiu]nk\w*|los[ts]\w*"
    r"|plung\w*|sl[iu]d\w*|s[aiu]nk\w*|reduc\w*|smaller|negative\w*|cuts?|halved|below|plummet\w*|dip(?:s|ped)?"
)
_HIGH = r"high(?:est|s)?(?! by)|peak\w*|maxim\w*|top(?:s|ped)?|busiest|strongest|best|summit|crest\w*"
_LOW = r"low(?:est|s)?(?! by)|trough\w*|bottom\w*|minim\w*|quietest|weakest|slowest|worst|nadir"
_COMPARED = r"above|below|high(?:er)?|low(?:er)?|more|less|larger|greater|bigger|smaller|fewer"
_NOT = r"\b(?:not|no|never|without|neither|nor|hardly|nothing|un(?:related|important|affected)|irrelevant|n't)\b|n't\b"
_TIMES = {"doubled": 2.0, "twice": 2.0, "tripled": 3.0, "trebled": 3.0, "quadrupled": 4.0, "halved": 0.5}
_SCALES = {"k": 1e3, "thousand": 1e3, "million": 1e6, "m": 1e6, "bn": 1e9, "billion": 1e9}
_NUMBER = re.compile(
    r"(?<![\w.])(?P<sign>[-+\u2212])?(?P<digits>\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)"
    r"(?P<fold>[\s-]?fold\b|\s+times\b)?\s?(?P<percent>%|per ?cent\b)?"
    r"(?:\s?(?P<scale>k|thousand|million|bn|billion)\b)?"
    r"(?!\d|\s?-?(?:units?|years?|months?|weeks?|days?|hours?|rows?)\b)"
)
_PER = re.compile(
    r"^(?:\s+[\w']+){0,2}?\s*(?:(?:per|an?|each|every|/)\s*(year|quarter|month|week|day|hour)\b|per\s+(\w+))"
)
# Ranges of numbers, and the shares of values that such ranges hold.
_RANGE = re.compile(
    r"\([^()]*\d[^()]*\bto\b[^()]*\)"
    r"|\b9[059](?:\.\d)?\s?(?:%|per ?cent) (?:range|interval|confiden\w*|of (?:it|the values|new ones))"
)
_FILLED = (
    r"(?:about|around|near|close to|roughly|approximately|some|nearly|almost|just|over|under|an?|the|only|as much as|\s"
    r"|[~(])*$"
)
_ROLE = re.compile(
    rf"(?<!amounted )(?<!amounts )(?<!came )\b(by|from|to|between|and|until|than|at|of|versus|against)\s+{_FILLED}"
)
_MONTH = "|".join(rf"{name[:3]}(?:{name[3:]})?\.?" for name in MONTHS)
_DATE = re.compile(
    rf"(?P<iso>\d{{4}}-\d\d(?:-\d\d)?)"
    r"|(?:(?P<from>\d{1,2})(?:st|nd|rd|th)?\s*(?:-|\u2013|to|until|and)\s*)?"
    rf"(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<m1>{_MONTH}),?\s+(?P<y1>\d{{4}})"
    rf"|(?P<m2>{_MONTH})\s+(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?,\s*(?P<y2>\d{{4}})|(?P<m3>{_MONTH})\s+(?P<y3>\d{{4}})"
    r"|q(?P<q>[1-4])\s+(?P<y4>\d{4})|(?<![\d.,])(?P<y5>\d{4})(?![\d%]|[.,]\d|\s?(?:%|per\b))",
)  # fmt: skip
_LEADS = re.compile(
    r"(?:\s+\w+){0,4}?\s+(?:in|on|during|around|for|from|at|come\w*|every|is|are|being)\s+(?:the\s+)?"
    r"(?:month of\s+)?\w+"
)
_BEFORE_DATE = re.compile(r"\b(since|from|after|to|until|till|between|and|before|by|in|on|at)\W*(?:\w+\W+){0,2}$")
_END = re.compile(r"(?<=[.!?])[\"')\]]*\s+(?=[A-Z0-9\"'(\[\u2018\u201c`])|\n\s*\n|\n\s*(?=[-*\u2022]\s)")
_SHORT = re.compile(
    r"\b(?:[A-Z]|(?i:e\.g|i\.e|approx|ca|vs|cf|etc|resp|no|jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec))\.$"
)


@dataclass(frozen=True)
class Date:
    """A stretch of days that a text names, whose last is ``stop``; and the word before it."""

    start: np.datetime64
    stop: np.datetime64
    role: str = ""


@dataclass(frozen=True)
class Figure:
    """A number that a text has: its ``unit`` ("", "%", "times") and ``per`` which time, and the word before it."""

    value: float
    rounding: float
    unit: str = ""
    per: str = ""
    role: str = ""


@dataclass(frozen=True)
class Said:
    """What a clause says; ``text`` is in small letters, with names of columns and categories left out."""

    text: str
    figures: tuple[Figure, ...] = ()
    dates: tuple[Date, ...] = ()
    way: int = 0  # 1: up, -1: down, 0: neither, or both
    columns: tuple[str, ...] = ()
    levels: tuple[tuple[str, str], ...] = ()  # columns and categories, in the order of the clause
    highs: frozenset[str] = field(default_factory=frozenset)  # months or days of the week that are high
    lows: frozenset[str] = field(default_factory=frozenset)
    phases: frozenset[str] = field(default_factory=frozenset)  # months or days of the week, whatever is said of them
    places: tuple[float, ...] = ()  # on an axis of numbers
    is_denied: bool = False
    compares: bool = False  # levels, none of which moves

    @property
    def is_checkable(self) -> bool:
        """Whether it has a number, a direction or a date."""
        return bool(self.figures or self.dates or self.way or self.highs or self.lows or self.places)

    def speaks(self, words: str) -> bool:
        """Whether some of these words are in it."""
        return re.search(rf"\b(?:{words})\b", self.text) is not None


def sentences_of(text: str) -> list[str]:
    r"""The sentences of a text, without marks of lists and headings.

    >>> sentences_of("Sales rose by 3.5 %. They peak in Dec. 2020, e.g. by far.\n\n- A step.")
    ['Sales rose by 3.5 %.', 'They peak in Dec. 2020, e.g. by far.', 'A step.']
    """
    made: list[str] = []
    for piece in _END.split(text):
        if made and _SHORT.search(made[-1]):
            made[-1] += " " + piece
        else:
            made.append(piece)
    bare = (re.sub(r"^[-*\u2022#>\s]+|\s+", lambda m: "" if m.start() == 0 else " ", piece).strip() for piece in made)
    return [piece for piece in bare if piece]


def names_in(text: str, names: Iterable[str]) -> tuple[list[tuple[int, str]], str]:
    """Where names stand in a text, and the text without them; the longest first, as words with or without "_".

    >>> names_in("Floor area adds 3", ["floor_area", "area"])
    ([(0, 'floor_area')], '           adds 3')
    """
    found = []
    for name in sorted(set(names), key=len, reverse=True):
        words = re.escape(name).replace("_", r"[\s_-]")
        for match in re.finditer(rf"(?<![\w.]){words}(?![\w%])", text, re.IGNORECASE):
            found.append((match.start(), name))
            text = text[: match.start()] + " " * len(match[0]) + text[match.end() :]
    return sorted(found), text


def read(
    clause: str, columns: Sequence[str], levels: Sequence[tuple[str, str]], years: tuple[int, int] | None, axis: str
) -> Said:
    """What a clause says of ``columns``, of which some have ``levels``; ``years`` are those of an axis of dates."""
    placed: list[float] = []
    bare = clause
    if years is None and axis:
        placed, bare = _places(bare, axis)
    names, bare = names_in(bare, columns)
    said = {name for _, name in names}
    near = [pair for pair in levels if pair[0] in said] or list(levels)
    found, bare = names_in(bare, {level for _, level in near})
    low = bare.lower()
    dates, low = _dates(low, years) if years is not None else ([], low)
    highs, lows = _extremes(low)
    without = re.sub("|".join((*MONTHS, *DAYS)), " ", low)
    words = {way: re.findall(rf"\b(?:{pattern})\b", without) for way, pattern in ((1, _UP), (-1, _DOWN))}
    ways = {way for way, found_words in words.items() if found_words}
    compares = bool(ways) and all(
        re.fullmatch(_COMPARED, word) for found_words in words.values() for word in found_words
    )
    phases = frozenset(re.findall(rf"\b({'|'.join((*MONTHS, *DAYS))})s?\b", low))
    return Said(
        low, tuple(_figures(low)), tuple(dates), ways.pop() if len(ways) == 1 else 0,
        tuple(dict.fromkeys(name for _, name in names)),
        tuple((column, level) for _, word in found for column, level in near if level == word),
        highs, lows, phases, tuple(placed), re.search(_NOT, low) is not None, compares,
    )  # fmt: skip


def _figures(text: str) -> list[Figure]:
    made = []
    for match in _NUMBER.finditer(_RANGE.sub(lambda range_of: " " * len(range_of[0]), text)):
        digits, scale = match["digits"].replace(",", ""), _SCALES.get(match["scale"] or "", 1.0)
        whole, _, decimals = digits.partition(".")
        rounding = 10.0 ** -len(decimals) if decimals else 10.0 ** (len(whole) - len(whole.rstrip("0") or "0"))
        value = float(digits) * scale * (-1.0 if match["sign"] in ("-", "\u2212") else 1.0)
        unit = "%" if match["percent"] else "times" if match["fold"] else ""
        per = _PER.match(text[match.end() :])
        each = (per[1] or per[2]) if per else ""
        made.append(Figure(value, 0.5 * rounding * scale, unit, each, _role(text[: match.start()])))
    for word, times in _TIMES.items():
        if re.search(rf"\b{word}\b", text):
            made.append(Figure(times, 0.1 * times, "times"))
    return made


def _role(before: str) -> str:
    match = _ROLE.search(before)
    return match[1] if match else ""


def _dates(text: str, years: tuple[int, int]) -> tuple[list[Date], str]:
    """The dates of a text, and the text without them."""
    made = []
    for match in _DATE.finditer(text):
        year = next((int(match[name][:4]) for name in ("iso", "y1", "y2", "y3", "y4", "y5") if match[name]), 0)
        if match["y5"] and not years[0] <= year <= years[1]:
            continue
        start, days = _stretch(match, year)
        role = _BEFORE_DATE.search(text[: match.start()])
        made.append(Date(start, start + days - np.timedelta64(1, "D"), role[1] if role else ""))
        text = text[: match.start()] + " " * len(match[0]) + text[match.end() :]
    return made, text


def _stretch(match: re.Match[str], year: int) -> tuple[np.datetime64, np.timedelta64]:
    """The first day of a date and how many days it has."""
    month = next((match[name] for name in ("m1", "m2", "m3") if match[name]), None)
    day = match["day"] or match["d2"]
    unit: Literal["D", "M", "Y"]
    if match["iso"]:
        start, unit = np.datetime64(match["iso"], "D"), "D" if len(match["iso"]) > 7 else "M"
    elif month is not None:
        number = 1 + next(k for k, name in enumerate(MONTHS) if name.startswith(month[:3]))
        start, unit = np.datetime64(f"{year}-{number:02}-{int(day or 1):02}", "D"), "D" if day else "M"
    elif match["q"]:
        start = np.datetime64(f"{year}-{3 * int(match['q']) - 2:02}", "M")
        return start.astype("M8[D]"), (start + np.timedelta64(3, "M")).astype("M8[D]") - start.astype("M8[D]")
    else:
        start, unit = np.datetime64(str(year), "Y").astype("M8[D]"), "Y"
    stop = (start.astype(f"M8[{unit}]") + np.timedelta64(1, unit)).astype("M8[D]")
    if match["from"]:
        start = start - np.timedelta64(int(day) - int(match["from"]), "D")
    return start, stop - start


def _extremes(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """Months and days of the week that are said to be high, and those said to be low."""
    words = [(m.start(), m.end(), 1) for m in re.finditer(rf"\b(?!(?<=its )highest)(?:{_HIGH})\b", text)]
    words = sorted(words + [(m.start(), m.end(), -1) for m in re.finditer(rf"\b(?!(?<=its )lowest)(?:{_LOW})\b", text)])
    named = [(m.start(), m[1]) for m in re.finditer(rf"\b({'|'.join((*MONTHS, *DAYS))})s?\b", text)]
    found: dict[int, set[str]] = {1: set(), -1: set()}
    for index, (start, end, side) in enumerate(words):
        before = words[index - 1][1] if index else 0
        after = words[index + 1][0] if index + 1 < len(words) else len(text)
        ahead = [name for at, name in named if end <= at < after]
        leads = _LEADS.match(text[end:after])
        back = [name for at, name in named if before <= at < start]
        is_ahead = not back or (leads is not None and any(name in leads[0] for name in ahead))
        found[side].update(ahead if ahead and is_ahead else back)
    return frozenset(found[1]), frozenset(found[-1])


def _places(text: str, axis: str) -> tuple[list[float], str]:
    """Places on an axis of numbers, such as "t = 12" or "around day 12", and the text without them."""
    number = r"(?:=|of|is|about|around|\s)*\s*([-\u2212]?\d+(?:\.\d+)?)(?![\w%])"
    pattern = re.compile(rf"(?<!\w){re.escape(axis)}[\s'\"]*{number}", re.IGNORECASE)
    found = [float(match[1].replace("\u2212", "-")) for match in pattern.finditer(text)]
    return found, pattern.sub(" ", text)
