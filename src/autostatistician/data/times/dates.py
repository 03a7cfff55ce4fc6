"""Read dates and times from text: any year from 1 to 9999.

What pandas, dateutil and dateparser fail at, which guess cell by cell: one form and one order for a whole column,
quarters and weeks, and no date where "1.2018" is a number. Words of other languages come from `languages`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from itertools import product

import numpy as np

from autostatistician.data.arrays import Times
from autostatistician.data.missing import is_missing
from autostatistician.data.numbers import FOOTNOTE, parse_numbers
from autostatistician.data.times.forms import FORMS, NOTE_ON_PARTS_OF_FISCAL_YEARS, DateForm, moment
from autostatistician.i18n.messages import LanguageName, message, note

__all__ = [
    "HALF", "ORDERS", "ParsedTimes", "in_order", "look_like_times", "order_in_words", "parse_times",
    "regularity", "utc_or_local", "zone_notes",
]  # fmt: skip

Matches = dict[int, re.Match[str]]  # of the cells of a form, by row
Found = tuple[DateForm, Matches]

HALF = 0.5  # of the cells are dates at least
NEARLY_ALL = 0.95
_YEAR = r"(?<!\d)(?:1[5-9]|2[01])\d\d(?!\d)"
_A_YEAR = re.compile(rf"^{_YEAR}$")
_NAMES_A_YEAR = re.compile(rf"{_YEAR}.*[^\W\d]|[^\W\d].*{_YEAR}|\d\s*[月월]")
MONTHS_OF_YEAR = 12
PROBED_CELLS = 50  # these show the form of a column
# Of the two orders of day and month, the logarithm of what one must be ahead, and of what the language tells; what
# chance tells of the order of rows, and less than which share of a grid tells no more.
CLOSE, OF_LANGUAGE, BY_CHANCE, LEAST_REGULAR = np.log(3.0), np.log(10.0), 2.0, 0.02
WHY = {
    "": message("Dates such as {cell} were read as {order}."),
    "language": message("Dates such as {cell} were read as {order}, as the language of the file has it."),
    "order": message("Dates such as {cell} were read as {order}: so they stand in the order of time."),
    "steps": message("Dates such as {cell} were read as {order}: so they stand at equal distances."),
}


@dataclass(frozen=True, eq=False)
class ParsedTimes:
    """Dates of all cells: NaT where missing or not readable, with the rows of the latter."""

    times: Times  # (n,) datetime64[us]
    bad: tuple[int, ...]
    missing: int
    notes: tuple[str, ...] = ()
    order: str = ""  # of day and month, "DMY" or "MDY", where it is settled
    either: Mapping[str, Times] = field(default_factory=dict)  # the dates in both orders, where nothing tells which
    exchanged: tuple[int, ...] = ()  # rows in which day and month seem to have changed places

    def __post_init__(self) -> None:
        self.times.flags.writeable = False  # they are handed out again and again

    @property
    def share(self) -> float:
        """Part of the cells with something in them that are dates; 1 where all are empty."""
        filled = self.times.size - self.missing
        return 1.0 if filled == 0 else (filled - len(self.bad)) / filled


def parse_times(cells: Sequence[str | None], share: float = NEARLY_ALL, order: str = "") -> ParsedTimes | None:
    """Dates of a column of text; None when less than ``share`` of its cells are dates of one form.

    Ambiguous orders (03/04/2020) are settled by the other cells and by how their dates stand in the column; the
    ``order`` is settled ("DMY", "MDY"), or what is usual in the language of the file ("dmy", "mdy"). Times with a zone
    become UTC unless they all show the same clock time. Names of months and the like may be of any language.

    >>> parse_times(["Jan 1949", "n/a", "Mar 1949"]).times.astype("M8[M]").astype(str).tolist()
    ['1949-01', 'NaT', '1949-03']
    >>> parse_times(["3 août 2020", "5 déc. 2020"]).times.astype("M8[D]").astype(str).tolist()
    ['2020-08-03', '2020-12-05']
    """
    texts = [(cell or "").strip() for cell in cells]
    # No placeholder ends in a digit, and most cells do.
    filled = [k for k, text in enumerate(texts) if text[-1:] in DIGITS or not is_missing(text)]
    if not filled or not any(character.isdigit() for character in texts[filled[0]]):
        return None
    partly: ParsedTimes | None = None
    for said, starts in (*_starts(texts, filled), ((), texts)):
        for parsed in _readings(starts, filled, order):
            parsed = replace(parsed, notes=said + parsed.notes)
            if parsed.share >= NEARLY_ALL:
                return parsed
            partly = partly or parsed
    if partly is not None and (both := _of_two_forms(texts, filled, order)) is not None:
        return both
    return partly if partly is not None and partly.share >= share else None


# What stands between the two ends of a period, where blanks or the shape of clocks and whole dates show it.
_BETWEEN = re.compile(
    r"\s+(?:[-\u2013\u2014/]|to|bis|until|till|au|al|a|tot|do)\s+|\s*[\u2013\u2014]\s*|(?<=:\d\d)\s*-\s*(?=\d{1,2}:\d\d)"
    r"|(?<=\d{4}-\d\d-\d\d)/(?=\d{4})|(?<=\s\d)\s*-\s*(?=\d{1,2}$)|(?<=\s\d\d)\s*-\s*(?=\d{1,2}$)"
    r"|(?<=[./]\d{4})\s*-\s*(?=\d)|(?<=[^\W\d]{3})\.?\s*[-/]\s*(?=[^\W\d]{3})|(?<=\d)-(?=\d{1,2} [^\W\d]{3})",
    re.IGNORECASE,
)
_BEFORE_DATE = re.compile(r"^(?:w/[ceb]|week (?:of|ending|commencing|beginning|starting))[ :]*", re.IGNORECASE)
_MARKED = re.compile(
    rf"(?:{FOOTNOTE}|\s*\((?:prov|prel|vorl|rev|est|[rbap]e(?=\))|proj|act|bud)[a-z]*\.?\)"
    r"|(?:(?<=\b(?:19|20)\d\d)|(?<=\d\d-\d\d)|(?<=Q\d))\s?[pebrf])$", re.IGNORECASE,
)  # fmt: skip
_PART = re.compile(r"\d+|[^\W\d]+")
DIGITS = frozenset("0123456789")
_LAST_HOUR = re.compile(r"(?<=\d\s)(\d{1,2})$")


def _starts(texts: list[str], filled: list[int]) -> Iterator[tuple[tuple[str, ...], list[str]]]:
    """The beginnings of periods that are written by their two ends, with a sentence; nothing where few cells have two.

    Ends that are two or one in all are offsets from UTC. Marks of footnotes behind times are taken off.
    """
    said, plain = _plain(texts, filled)
    is_plain, texts = plain == texts, plain
    probe = [_BETWEEN.split(text, maxsplit=1) for text in _probe(texts, filled)]
    ends = {parts[1] for parts in probe if len(parts) == 2}
    if sum(len(parts) == 2 for parts in probe) >= NEARLY_ALL * len(probe) and len(ends) > min(2, len(probe) - 1):
        start = note("Periods such as {cell} were read as the times at which they begin.", cell=repr(texts[filled[0]]))
        yield (*said, start), [_start(text) for text in texts]
    if not is_plain:
        yield said, texts


# Years that are counted otherwise: from the years before eras of Japan and before the Republic of China; Buddhist ones.
_ERAS = {"明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018}
_LETTERS = dict(zip("MTSHR", _ERAS.values(), strict=True))
_ERAS |= _LETTERS | {"民國": 1911, "民国": 1911}
_ERA = re.compile(r"^(明治|大正|昭和|平成|令和|民[國国]|[MTSHR](?=\d+(?:[.年]|/\d+/|$)))(元|\d{1,3})(年)?度?")
_BUDDHIST = re.compile(r"(?<!\d)2[45]\d\d(?!\d)|^2[45]\d\d(?=\d{4}$)")


def _plain(texts: list[str], filled: list[int]) -> tuple[tuple[str, ...], list[str]]:
    """Dates without words before and marks behind them, in the years that most people count, with what to say of it.

    >>> _plain(["R3.4.1", "R3.4.2"], [0, 1])[1], _plain(["2562-01", "2562-02p"], [0, 1])[1]
    (['2021.4.1', '2021.4.2'], ['2019-01', '2019-02'])
    >>> _plain(["2023", "2024e", "2025f"], [0, 1, 2])[1]
    ['Y2023', 'Y2024', 'Y2025']
    """
    plain = [text if text[-1:] in DIGITS else _unmarked(text) for text in texts]
    marked = next((text for text, other in zip(texts, plain, strict=True) if text != other), None)
    notes = [] if marked is None else [note("Marks of footnotes, as in {cell}, were taken off.", cell=repr(marked))]
    bare = {plain[k] for k in filled} if marked is not None and parse_numbers(texts).bad else set[str]()
    if all(map(_A_YEAR.match, bare)) and 2 < len(bare) > int(max(bare)) - int(min(bare)):
        plain = [f"Y{text}" if text in bare else text for text in plain]
    if any(map(_BEFORE_DATE.match, _probe(plain, filled))):
        plain = [_BEFORE_DATE.sub("", text) for text in plain]
    probe = _probe(plain, filled)
    if all(map(_BUDDHIST.search, probe)) or _are_eras(probe):
        plain = [_of_our_era(text) for text in plain]
        told = {"cell": repr(probe[0]), "year": re.findall(r"\d{4}", _of_our_era(probe[0]))[0]}
        notes.append(note("Years such as in {cell} are counted otherwise: this one was read as {year}.", **told))
    return tuple(notes), plain


def _are_eras(probe: list[str]) -> bool:
    """Whether times are of eras; single letters beside years alone may be codes, but if years of several go on."""
    eras = {match[1] for match in map(_ERA.match, probe) if match}
    if not all(map(_ERA.match, probe)):
        return False
    alone = {int(year[1:]) for year in map(_of_our_era, probe) if year.startswith("Y")}
    return not alone or (len(eras) > 1 and max(alone) - min(alone) < len(alone)) or not eras <= {*_LETTERS}


def _unmarked(text: str) -> str:
    bare = text[1:-1] if text[:1] == "[" and text[-1:] == "]" else text
    return bare if bare[-1:] in DIGITS else _MARKED.sub("", bare)


def _of_our_era(text: str) -> str:
    era = _ERA.match(text)
    if era is None:
        return _BUDDHIST.sub(lambda year: str(int(year[0]) - 543), text)
    year, rest = _ERAS[era[1]] + (1 if era[2] == "元" else int(era[2])), text[era.end() :]
    return f"{year}{rest if not era[3] else '年' + rest}" if rest else f"Y{year}"


def _start(text: str) -> str:
    """The beginning of a period, with what only its end says of both: the year, the month.

    >>> _start("06.03.2023 00:00 - 01:00"), _start("2-8 Jan 2023"), _start("2023-03-06 0-1"), _start("2012 Jan-Mar")
    ('06.03.2023 00:00', '2 Jan 2023', '2023-03-06 0:00', '2012 Jan')
    >>> _start("26.12. - 01.01.2023"), _start("28 Dec - 3 Jan 2023")
    ('26.12.2022', '28 Dec 2022')
    """
    first, *second = _BETWEEN.split(text, maxsplit=1)
    own, parts = _PART.findall(first), [*_PART.finditer(second[0])] if second else []
    if 0 < len(own) < len(parts) and ":" not in first:
        rest = second[0][parts[len(own) - 1].end() :]
        if _turns_the_year(own, [part.group() for part in parts]):
            rest = re.sub(_YEAR, lambda year: str(int(year.group()) - 1), rest)
        first = first.rstrip(" .,") + rest
    has_hour = own and len(own[0]) + len(own[-1]) > 2 and len(_PART.findall(first)) == 4
    return _LAST_HOUR.sub(r"\1:00", first) if has_hour else first


def _turns_the_year(first: list[str], last: list[str]) -> bool:
    """Whether a late day of December begins what ends in January, by the parts of both dates."""
    both = enumerate(zip(first, last, strict=False))
    months = [place for place, (one, other) in both if _is(one, 12) and _is(other, 1)]
    return len(first) == 2 and any(first[1 - place].isdigit() and int(first[1 - place]) > 12 for place in months)


def _is(part: str, month: int) -> bool:
    """Whether a part of a date is this month, 1 or 12, as a number or by the beginning of its name."""
    names = ("jan",) if month == 1 else ("dec", "dez", "déc", "dic")
    return int(part) == month if part.isdigit() else part.lower().startswith(names)


def regularity(times: Times) -> float:
    """How much of a grid of months, or of equal steps, some times fill, less what repeats: 1 where all do, once each.

    >>> regularity(np.array(["2020-01-31", "2020-02-29", "2020-03-31"], dtype="M8[D]"))
    1.0
    >>> regularity(np.array(["2020-01-01T00", "2020-01-01T01", "2020-02-01T00"], dtype="M8[h]")) < 0.01
    True
    """
    valid = times[~np.isnat(times)].astype("M8[us]")
    unique = np.unique(valid)
    if unique.size < 2:
        return 0.0
    months, filled = np.unique(unique.astype("M8[M]").astype(np.int64)), 0.0
    for places in (months, unique.astype(np.int64)):
        if places.size == unique.size:
            step = np.gcd.reduce(np.diff(places))
            filled = max(filled, unique.size / (np.ptp(places) / step + 1))
    return float(filled * unique.size / valid.size)


def _readings(texts: list[str], filled: list[int], order: str) -> Iterator[ParsedTimes]:
    """What the cells may mean, of half of them or more: in English, in other digits, in the words of a language."""
    from autostatistician.data.times.languages import tidied

    if (parsed := _read(texts, filled, order)) is not None:
        yield parsed
    probe = _probe(texts, filled)
    plain = tidied(probe)
    is_dated = plain != probe and _best_form(plain, list(range(len(plain)))) is not None
    if is_dated and (parsed := _read(tidied(texts), filled, order)) is not None:
        yield parsed
    if (parsed := _translated(texts, filled, order)) is not None:
        yield parsed


def _probe(texts: list[str], filled: list[int]) -> list[str]:
    return [texts[k] for k in filled[:: max(1, len(filled) // PROBED_CELLS)]]


def _read(texts: list[str], filled: list[int], order: str) -> ParsedTimes | None:
    """Dates of half of the cells or more, all of one form."""
    best = _best_form(texts, filled)
    if best is None:
        return None
    form, matches = best
    if form.name == "dmy":
        parsed = _in_either_order(texts, filled, matches, order)
    else:
        parsed = _collect(texts, filled, matches, moment)
    share = 1.0 if form.strict else HALF  # strict ones look like plain numbers: no exception is allowed
    if parsed.share < share or len(parsed.bad) == len(filled):
        return None
    return replace(parsed, notes=(*_notes_on(form, matches), *parsed.notes))


def _notes_on(form: DateForm, matches: Matches) -> tuple[str, ...]:
    """What was read into cells of a form."""
    cells = list(matches.values())
    notes: tuple[str, ...] = (note(form.note, cell=repr(cells[0].group(0))),) if form.note else ()
    parts = [match for match in cells if form.name in ("quarter", "half", "yearmonth")]
    if fiscal := [match for match in parts if match.groupdict().get("fiscal") or match.groupdict().get("second")]:
        notes += (note(NOTE_ON_PARTS_OF_FISCAL_YEARS, cell=repr(fiscal[0].group(0))),)
    if "y" in form.pattern.groupindex and any(len(match["y"]) == 2 for match in cells):
        notes += (note("Years of two digits were read as 1940 to 2039."),)
    return notes


def _translated(texts: list[str], filled: list[int], order: str) -> ParsedTimes | None:
    """Dates in the words or digits of another language; None where languages that know the words disagree."""
    from autostatistician.data.times.languages import DateLanguage, distinct_words, languages_of

    languages = languages_of(_probe(texts, filled))
    spelt = distinct_words([texts[k] for k in filled]) if languages else []
    readings: dict[bytes, tuple[DateLanguage, list[str]]] = {}  # languages that agree on all words agree on all cells
    for language in languages:
        parsed = _read(words := language.translated(spelt), list(range(len(words))), order or language.order)
        if parsed is not None:
            readings.setdefault(parsed.times.tobytes(), (language, []))[1].append(language.code)
    dated = [
        (parsed, names)
        for language, names in readings.values()
        if (parsed := _read(language.translated(texts), filled, order or language.order)) is not None
    ]
    dated = [(parsed, names) for parsed, names in dated if parsed.share >= NEARLY_ALL] or dated
    if len(dated) > 1:  # the names of some months change their meaning from one language to the next
        dated = [(parsed, names) for parsed, names in dated if in_order(parsed.times)]
        best = max((_score(parsed.times) for parsed, _ in dated), default=0.0)
        dated = [(parsed, names) for parsed, names in dated if best - _score(parsed.times) < CLOSE]
    if len(dated) != 1:
        return None
    parsed, names = dated[0]
    codes, cell = {name.split("_")[0] for name in names}, repr(texts[filled[0]])
    if len(codes) > 1:
        return parsed
    said = note("Times such as {cell} were read as {language}.", cell=cell, language=LanguageName(*codes))
    return replace(parsed, notes=(said, *parsed.notes))


def look_like_times(cells: Sequence[str | None]) -> bool:
    """Whether most cells name a year, or a month of East Asia, beside something else: times that cannot be read.

    >>> look_like_times(["spring of 1990", "令和3年3月"]), look_like_times(["1990", "A4"])
    (True, False)
    """
    texts = [cell.strip() for cell in cells if cell is not None and not is_missing(cell)]
    return 2 * sum(bool(_NAMES_A_YEAR.search(text)) for text in texts) > len(texts) > 0


def in_order(times: Times) -> bool:
    """Whether times only go on, or only go back, from row to row."""
    steps = np.diff(times[~np.isnat(times)].astype(np.int64))
    return bool(np.all(steps >= 0) or np.all(steps <= 0)) and bool(np.any(steps != 0))


def _best_form(texts: list[str], filled: list[int]) -> Found | None:
    """The form that most cells have, and their matches by row; None where no form fits half of a probe."""
    best: Found | None = None
    probe = _probe(texts, filled)
    for form in FORMS:
        if sum(bool(form.pattern.match(text)) for text in probe) * 2 < len(probe):
            continue
        matches = {k: match for k in filled if (match := form.pattern.match(texts[k]))}
        if (best is None or len(matches) > len(best[1])) and form.fits(list(matches.values())):
            best = form, matches
    return best


Moment = tuple[datetime, timedelta | None] | None
Reader = Callable[[re.Match[str]], Moment]
# How two numbers and a year are read.
ORDERS: dict[str, Reader] = {
    "MDY": lambda match: moment(match, match["a"], match["b"]),
    "DMY": lambda match: moment(match, match["b"], match["a"]),
}
YEAR_FIRST: dict[str, Reader] = {
    message("year, month, day"): moment,
    message("year, day, month"): lambda match: moment(match, match["d"], match["m"]),
}


def _collect(
    texts: list[str], filled: list[int], matches: Matches, read: Reader, known: Times | None = None
) -> ParsedTimes:
    """The dates of all matched cells that exist (31 February does not), beside ``known``; equal cells are read once."""
    local = np.full(len(texts), np.datetime64("NaT", "us"), dtype="M8[us]") if known is None else known.copy()
    shift = np.zeros(len(texts), dtype="m8[us]")
    moments = {text: read(match) for text, match in {match.string: match for match in matches.values()}.items()}
    zoned = False
    for k, match in matches.items():
        moment = moments[match.string]
        if moment is not None:
            local[k] = np.datetime64(moment[0], "us")
            if moment[1] is not None:
                shift[k], zoned = np.timedelta64(moment[1], "us"), True
    bad = tuple(k for k in filled if np.isnat(local[k]))
    times, notes = utc_or_local(local, local - shift) if zoned else (local, ())
    if not zoned and any("wall" in match.re.groupindex and match["wall"] for match in matches.values()):
        notes = (note(LOCAL_CLOCK),)
    return ParsedTimes(times, bad, len(texts) - len(filled), notes)


ZONED = "The times carry a time zone"
LOCAL_CLOCK = message("The times carry a time zone; they were read as the clock there shows them.")
CLOCK_CHANGE = np.timedelta64(1, "h")


def zone_notes(notes: Sequence[str]) -> list[str]:
    """The sentences among some that tell how a time zone was read."""
    return [said for said in notes if said.startswith(ZONED)]


def utc_or_local(local: Times, utc: Times, zone: str = "") -> tuple[Times, tuple[str, ...]]:
    """Times with a zone: as UTC, but dates as they are written when all show the same clock time.

    Days that begin at local midnight are no regular grid in UTC where clocks change; hours are one only in UTC. Where
    offsets are written that change with the clock at most, times are read by it: that is the day that people live by.
    """
    valid = local[~np.isnat(local)]
    if np.unique(valid - valid.astype("M8[D]")).size == 1:
        if zone:
            return local, (note("The times carry a time zone; they were read as local dates of {zone}.", zone=zone),)
        return local, (note("The times carry a time zone; they were read as local dates."),)
    offsets = np.unique((local - utc)[~np.isnat(local)])
    if not zone and offsets.any() and np.ptp(offsets) <= CLOCK_CHANGE:
        return local, (note(LOCAL_CLOCK),)
    return utc, (note("The times carry a time zone; they were converted to UTC."),)


# --- The order of day and month ---------------------------------------------------------------------------------------


def _in_either_order(texts: list[str], filled: list[int], matches: Matches, order: str) -> ParsedTimes:
    """Dates of two numbers and a year: as one of the cells, or their points, show it, else as the rows stand best.

    Each order of day and month is a reading of the whole column, and scored. Where the worse one comes close, it is
    kept beside the better.
    """
    days, months = (sum(int(match[group]) > 12 for match in matches.values()) for group in "ab")
    first = next(iter(matches.values()))
    if days or months or first["sep"] == "." or order in ORDERS:
        settled = order if order in ORDERS and not (days or months) else "DMY" if days >= months else "MDY"
        parsed = replace(_collect(texts, filled, matches, ORDERS[settled]), order=settled)
        return parsed if order in ORDERS else replace(parsed, exchanged=_exchanged(texts, filled, matches, parsed))
    usual = "" if not order else "MDY" if order == "mdy" else "DMY"
    readings = {name: _collect(texts, filled, matches, read) for name, read in ORDERS.items()}
    scores = {name: {"language": OF_LANGUAGE * (name == usual), **_scores(readings[name].times)} for name in ORDERS}
    best, other = sorted(ORDERS, key=lambda name: -sum(scores[name].values()))
    ahead = {why: scores[best][why] - scores[other][why] for why in scores[best]}
    either = {name: parsed.times for name, parsed in readings.items()}
    close = sum(ahead.values()) < CLOSE and not np.array_equal(either[best], either[other], equal_nan=True)
    why = WHY["" if close else max(ahead, key=lambda why: ahead[why])]
    said = note(why, cell=repr(first.group(0)), order=order_in_words(best))
    notes = (said, *readings[best].notes)
    return replace(readings[best], notes=notes, order="" if close else best, either=either if close else {})


def _exchanged(texts: list[str], filled: list[int], matches: Matches, parsed: ParsedTimes) -> tuple[int, ...]:
    """The rows whose day and month changed places, as where spreadsheets read a part of a column; () where none did.

    All dates show it: they stand far better in time if those that are dates in either order are exchanged.
    """
    both = {k: match for k, match in matches.items() if max(int(match["a"]), int(match["b"])) <= MONTHS_OF_YEAR}
    if in_order(parsed.times) or not both or len(both) == len(matches):
        return ()
    clear = parsed.times.copy()
    clear[list(both)] = np.datetime64("NaT", "us")
    other = _collect(texts, filled, both, ORDERS["MDY" if parsed.order == "DMY" else "DMY"], clear).times
    return tuple(both) if _score(other) - _score(parsed.times) >= OF_LANGUAGE else ()


def _of_two_forms(texts: list[str], filled: list[int], order: str) -> ParsedTimes | None:
    """Dates of two numbers and a year beside others with the year first, where one combination alone has them in order.

    Spreadsheets make the latter of the former, and exchange day and month where they take the one for the other. Where
    the order of the former is settled and the rows tell nothing, the latter are taken as they are.
    """
    forms = {form.name: form.pattern for form in FORMS}
    text, cells = ({k: match for k in filled if (match := forms[name].match(texts[k]))} for name in ("dmy", "ymd"))
    if not text or not cells or len(text) + len(cells) < len(filled):
        return None
    said = message("Dates such as {cell} were read as {order}, those such as {other} as {second}.")
    told, readings = {"cell": repr(texts[min(text)]), "other": repr(texts[min(cells)])}, dict[bytes, ParsedTimes]()
    for (second, read), name in product(YEAR_FIRST.items(), [order] if order in ORDERS else ORDERS):
        parsed = _collect(texts, filled, text, ORDERS[name], _collect(texts, filled, cells, read).times)
        notes = note(said, order=order_in_words(name), second=note(second), **told), *parsed.notes
        if not parsed.bad:
            readings.setdefault(parsed.times.tobytes(), replace(parsed, notes=notes, order=name))
    found = [parsed for parsed in readings.values() if in_order(parsed.times)]
    return found[0] if len(found) == 1 else next(iter(readings.values()), None) if order in ORDERS else None


def order_in_words(order: str) -> str:
    """What an order of day and month, "DMY" or "MDY", is called."""
    return note("day/month/year") if order == "DMY" else note("month/day/year")


def _score(times: Times) -> float:
    """How well dates stand in time, by both `_scores`."""
    return sum(_scores(times).values())


def _scores(times: Times) -> dict[str, float]:
    """Logarithms of how far rows stand in the order of time beyond chance, and of how much of a grid they fill."""
    steps = np.diff(times[~np.isnat(times)].astype(np.int64))
    steps = steps[steps != 0]
    back = min(np.count_nonzero(steps > 0), np.count_nonzero(steps < 0))
    fewer = (steps.size / 2 - back) / np.sqrt((steps.size + 2) / 12)  # in standard deviations of a random order
    grid = float(np.log(max(regularity(times), LEAST_REGULAR)))
    return {"order": max(0.0, fewer**2 / 2 - BY_CHANCE), "steps": grid}
