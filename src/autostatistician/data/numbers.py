"""The numbers that the cells of a column mean, with all that people write around and between digits."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.arrays import Floats
from autostatistician.data.missing import SPACES, is_missing, with_plain_digits
from autostatistician.data.words import TABLES, lists, words
from autostatistician.i18n.messages import note, note_some
from autostatistician.i18n.names import listed

__all__ = ["FOOTNOTE", "LEDGERS", "TRUTH", "ParsedNumbers", "debit_of", "parse_lengths", "parse_numbers"]

Texts = Sequence[str | None]
Counts = NDArray[np.int64]  # how often each text stands in the column

# Babel reads a number in one known locale, and then takes "1.5" for 15; here the column shows what its signs mean.
_SIGNS = "[$£¥฿₩₪₫₱₴₹₺₽€]|(?:USD|EUR|GBP|CHF|JPY|zł|Kč|kr|руб|лв|元|円|원|Ft|TL|lei)\\.?"
SCALES = {word: 10.0 ** int(power) for power in TABLES["scales"] for word in words("scales", power)}
BESIDE = {"m": {"k", "b", "bn"}, "cr": {"lac", "lakh", "lakhs"}}  # without which they are metres and credits
_REMARK = rf" \(?(?!(?i:{'|'.join(SCALES)}|cr|dr)\b)[^\W\d][^\d/]{{,25}}"  # as in 5 EUR or best offer
_CURRENCY = re.compile(rf"^([+-]?)(?:US\$|R\$|{_SIGNS})\s*|\s*(?:{_SIGNS})(?P<words>{_REMARK})?$")
_PERCENT = re.compile(r"^%[% ]*|[% ]*%$")
_BARE = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_PLAIN = re.compile(r"^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][+-]?\d+)?$")
_NEGATIVE = re.compile(r"^\(([^-()]*\d[^-()]*)\)$|^(\d[\d.,' ]*)-$")  # as accountants write them: (5), 5-
LEDGERS = lists("debits")  # marks of debits and of credits beside amounts
_LEDGER = re.compile(r"^([^-]*\d(?: ?[^\w\s])?)\s*([^\W\d_]+)\.?$")
_CENTS = re.compile(r"[.,]\d\d\b")
_COMMA = re.compile(r"^[+-]?\d{1,3}(?:[.' ]\d{3})+,\d+$|^[+-]?\d*,\d+(?:[eE][+-]?\d+)?$|^[+-]?\d{1,3}(?:\.\d{3}){2,}$")
_THOUSANDS = re.compile(r"^[+-]?\d{1,3}(?:,\d{3})+(?:\.\d*)?$|^[+-]?\d{1,3}(?:[' ]\d{3}){1,5}(?:\.\d*)?$")
_INDIAN = re.compile(r"^[+-]?\d{1,2}(?:,\d{2})+,\d{3}(?:\.\d*)?$")  # 12,34,567: groups of two below the last
_GROUPED_POINT = re.compile(r"^[+-]?[1-9]\d{0,2}(?:\.\d{3})+$")
_GROUPED_COMMA = re.compile(r"^[+-]?[1-9]\d{0,2}(?:,\d{3})+$")
_ONE_GROUP = re.compile(r"[+-]?(?:[1-9]\d{0,2}\.\d{3}|\d{1,3})", re.ASCII)  # or none
_UP_TO_THOUSAND = re.compile(r"^[+-]?\d{1,3}$")
_POWER = re.compile(r"(?<=\d) ?[×x·*] ?10(?:\^([+-]?\d+)|([⁺⁻]?[⁰¹²³⁴-⁹]+))$")  # 1.7 x 10^3, 1.7 × 10³
# Feet and inches; 5'32" is a time.
_FEET = re.compile(r"^(\d+)' ?-? ?((?:\d|1[01])(?:\.\d+)?) ?(?:[\"\u201d\u2033]|'')$")
_INFINITE = re.compile(r"^[+-]?inf(?:inity)?$", re.IGNORECASE)
# What may follow a number: a unit, a letter for thousands or millions, marks of footnotes and of provisional values;
# cells of many numbers are none.
FOOTNOTE = r"\s*(?:[*†‡§#¹²³⁴⁵⁶⁷⁸⁹]++|\((?:[a-z]|\d)\)|\[\w\]| \d\)|\s*(?:±|\+/-)\s*[\d.,]+)"
_BRACKETS = r" ?(?:\((?=[^()\w]*\d)[^()]*\)|\[(?=[^][\w]*\d)[^][]*\])"  # an interval, another number; no [YR1990]
_FOLLOWED = re.compile(
    r"^(?=.{1,60}$)([+-]?(?:\d[\d.,' ]*)?\d)((?! [eb]$| ?[pr]$)(?: ?[^\W\d_¹²³⁴⁵⁶⁷⁸⁹]+\.?"
    r"|(?: ?[^\W\d_¹²³⁴⁵⁶⁷⁸⁹]{1,4}[/*·]?[^\W\d_]{0,4}| ?°[A-Z]?)[²³]?)|)"
    rf"((?:{FOOTNOTE}|{_BRACKETS}| [eb]| ?[pr])*)$", re.IGNORECASE,
)  # fmt: skip
_UNIT = re.compile(
    r"(?!(?:am|pm|st|nd|rd|th|q|e|a|b|c|d|f|x|w)$|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)).{1,9}"
)
POWERS = {"": 0.0, "k": 1.0, "K": 1.0, "M": 2.0, "G": 3.0, "T": 4.0, "c": -2 / 3, "m": -1.0, "µ": -2.0}  # of a thousand
BYTES, NO_UNITS = ("B", "b", "iB"), ("", "k", "K", "M")  # the latter are thousands and millions
_AMOUNT = re.compile(r"[+-]?\d+(?:\.\d+|,\d\d?)?")
# Lengths of time: as a clock shows them, or with letters.
_DAYS = r"^(?:P(?=\d+D|T))?(?:(?P<d>\d+) ?(?:d|days?|tage?|j|jours?|días?)(?![^\W\dT]),? ?)?(?:(?<=[PD])T)?"
_CLOCK = re.compile(_DAYS + r"(?:(?P<h>\d+):)?(?P<m>\d+):(?P<s>[0-5]\d(?:\.\d+)?)$", re.IGNORECASE)
_LETTERS = re.compile(
    _DAYS + r"(?:(?P<h>\d+) ?(?:h(?:(?:ou)?rs?|eures?|oras?)?|std\.?|stunden?|ore),? ?)?"
    r"(?:(?P<m>\d+) ?(?:m(?:n|ins?|in\.|inut\w+)?|'|$),? ?)?(?:(?P<s>\d+(?:\.\d+)?) ?(?:s(?:e[ck]\w*)?\.?|\"))?$",
    re.IGNORECASE,
)
SECONDS = {"d": 86_400.0, "h": 3_600.0, "m": 60.0, "s": 1.0}
HOURS_OF_DAY = 24
PROBED = 50  # cells at either end that show whether units stand behind numbers
FEWEST_ALIKE = 5  # numbers with three digits after a point, and none without
# Signs that stand for others.
TIDIED = str.maketrans(
    dict(zip("\N{MINUS SIGN}\N{EN DASH}\N{RIGHT SINGLE QUOTATION MARK}\u066b\u066c", "--'.,", strict=True))
    | dict.fromkeys(SPACES, " ")
)
TRUTH = {"true": 1.0, "false": 0.0, "yes": 1.0, "no": 0.0}


@dataclass(frozen=True, eq=False)
class ParsedNumbers:
    """Numbers of all cells: NaN where missing or not readable, with the rows of the latter."""

    values: Floats
    bad: tuple[int, ...]
    missing: int
    notes: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        self.values.flags.writeable = False  # they are handed out again and again

    @property
    def share(self) -> float:
        """Part of the cells with something in them that are numbers."""
        filled = self.values.size - self.missing
        return 0.0 if filled == 0 else 1 - len(self.bad) / filled


def parse_numbers(cells: Texts, *, comma: bool = False, points: bool = False) -> ParsedNumbers:
    """The numbers of cells of text, with currency signs, per cent signs and separators of thousands taken off.

    Equal cells are read once: a column of a few categories costs no more than these. That commas are decimal commas may
    be known from the delimiter of the file, that ``points`` separate thousands from its other columns. The notes are
    halves of sentences, without the name of the column.

    >>> parse_numbers(("1.234,5", "?", "7,25")).values.tolist()
    [1234.5, nan, 7.25]
    """
    places: dict[str | None, int] = {}
    codes = np.array([places.setdefault(cell, len(places)) for cell in cells], dtype=np.intp)
    distinct = tuple(places)
    grouped = points or (comma and _GROUPED_POINT.match(next(iter(distinct), None) or ""))  # perhaps
    grouped = grouped or _are_nearer_grouped(distinct, ".")
    if all(cell and _BARE.fullmatch(cell) and not (grouped and "." in cell) for cell in distinct):
        return ParsedNumbers(np.array([float(cell or "") for cell in distinct])[codes], (), 0)
    counts = np.bincount(codes, minlength=len(distinct))
    tidy = [None if is_missing(cell) else _tidy(cell or "") for cell in distinct]
    lengths: tuple[str, ...] = ()
    if "'" in (first := next(filter(None, tidy), "")) and all(text is None or _FEET.match(text) for text in tidy):
        tidy = [text and _FEET.sub(lambda found: f"{12 * int(found[1]) + float(found[2]):g}", text) for text in tidy]
        lengths = (note("feet and inches such as {cell} were read in inches", cell=repr(first)),)
    texts, notes = _without_signs(tidy, counts)
    bare, factors, units = _without_units(texts)
    numbers, said = _read(bare, counts, comma, points)
    numbers = [None if n is None else n * factor for n, factor in zip(numbers, factors, strict=True)]
    said = (*lengths, *units, *said)
    missing = np.array([text is None for text in texts], dtype=np.bool_)
    values = np.array([np.nan if number is None else number for number in numbers])
    bad = np.flatnonzero((np.isnan(values) & ~missing)[codes])
    return ParsedNumbers(values[codes], tuple(bad.tolist()), int(counts[missing].sum()), notes + said)


def parse_lengths(texts: Texts) -> tuple[Floats, float] | None:
    """Lengths of time of cells, NaN where they are None, and their unit in seconds; None where any is something else.

    The unit is a second, but a minute where no seconds are written. Two numbers as in 5:32 are hours and minutes where
    all of the first have two digits and are hours of a day, else minutes and seconds.

    >>> [parse_lengths(cells)[0].tolist() for cells in (["1:02:33", "59:10"], ["1h 05m", "2h"], ["05:32", "12:10"])]
    [[3753.0, 3550.0], [65.0, 120.0], [332.0, 730.0]]
    """
    there = [text for text in texts if text is not None]
    found = [None if text.isdecimal() else _CLOCK.match(text) or _LETTERS.match(text) for text in there]
    matches = [match for match in found if match is not None and any(match.groupdict().values())]
    if not matches or len(matches) < len(there):
        return None
    pairs = all(match.re is _CLOCK and match["h"] is None and len(match["m"]) == 2 for match in matches)
    hours = pairs and all(int(match["m"]) < HOURS_OF_DAY for match in matches)
    unit = 60.0 if hours or not any(match["s"] for match in matches) else 1.0
    each = ({part: float(text) for part, text in match.groupdict().items() if text} for match in matches)
    seconds = iter([sum(SECONDS[part] * number for part, number in parts.items()) for parts in each])
    divisor = 1.0 if hours else unit  # 5:32 in hours has as many minutes as in minutes it has seconds
    return np.array([np.nan if text is None else next(seconds) / divisor for text in texts]), unit


def _tidy(text: str) -> str:
    text = _POWER.sub(lambda found: "e" + unicodedata.normalize("NFKC", found[1] or found[2]), text.strip())
    return _signed(with_plain_digits(text.translate(TIDIED)).strip())


def _signed(text: str) -> str:
    """A negative number as accountants write it with its sign in front."""
    match = _NEGATIVE.match(text)
    return f"-{match[1] or match[2]}" if match else text


def _without_signs(texts: Texts, counts: Counts) -> tuple[list[str | None], tuple[str, ...]]:
    given, ledger = _without_ledger(texts)
    plain = [text and _PERCENT.sub("", text) for text in given]
    bare = [text and _CURRENCY.sub(r"\1", text) for text in plain]
    percent, currency = (
        sum(count for one, other, count in zip(before, after, counts.tolist(), strict=True) if one != other)
        for before, after in ((given, plain), (plain, bare))
    )
    signs = note_some(
        percent, "per cent signs were taken off {n} cell (12 % is read as 12)",
        "per cent signs were taken off {n} cells (12 % is read as 12)",
    )  # fmt: skip
    signs += note_some(currency, "currency signs were taken off {n} cell", "currency signs were taken off {n} cells")
    signed = {text: amount for text, amount in zip(plain, bare, strict=True) if text != amount}
    remarks = (found["words"] for text in signed if text and (found := _CURRENCY.search(text)))
    if remark := next(filter(None, remarks), ""):
        signs += (note("words behind amounts, such as {words}, were taken off", words=repr(remark.strip())),)
    if "-" in signed.values():
        signs += (note("a dash beside a currency sign was read as 0"),)
        bare = ["0" if amount == "-" != text else amount for text, amount in zip(plain, bare, strict=True)]
    return [text and _signed(text) for text in bare], ledger + signs


def debit_of(marks: Iterable[str]) -> str:
    """Which of the marks beside amounts is that of debits; "" where they are no marks of debits and credits.

    >>> debit_of(["CR", "DR", "CR"]), debit_of(["kg"])
    ('dr', '')
    """
    found = {mark.lower() for mark in marks}
    return next((debit for debit, credit in LEDGERS if found == {debit, credit}), "")


def _without_ledger(texts: Texts) -> tuple[Texts, tuple[str, ...]]:
    """Amounts without the marks of credits and debits: debits are negative, or what alone is marked among others.

    >>> _without_ledger(["5.00 CR", "3.00 DR"])[0], _without_ledger(["5.00", "3.00CR"])[0], _without_ledger(["5 CR"])[0]
    (['5.00', '-3.00'], ['5.00', '-3.00'], ['5 CR'])
    """
    split = [_LEDGER.match(text or "") for text in texts]
    found = [match for match in split if match]
    cents, marks = sum(bool(_CENTS.search(match[1])) for match in found), {match[2].lower() for match in found}
    minus = debit_of(marks)
    if len(minus) == 1 and cents < len(found):  # 5 d and 3 h are times
        return texts, ()
    if cents and marks in ({"cr"}, {"dr"}) and len(found) < sum(text is not None for text in texts):
        (minus,) = marks
    if not minus:
        return texts, ()
    bare = ["-" * (m[2].lower() == minus) + m[1] if m else text for m, text in zip(split, texts, strict=True)]
    return bare, (note("amounts marked {mark} were read as negative", mark=minus.upper()),)


def _without_units(texts: Sequence[str | None]) -> tuple[list[str | None], list[float], tuple[str, ...]]:
    """Numbers without the one unit of all of them, with what thousands and millions multiply, and without footnotes.

    >>> _without_units(["1.2k", "1.5M*", None])[:2]
    (['1.2', '1.5', None], [1000.0, 1000000.0, 1.0])
    """
    probe = [text for text in (*texts[:PROBED], *texts[-PROBED:]) if text]
    as_they_are = list(texts), [1.0] * len(texts), ()
    if not any(_FOLLOWED.match(text) and not _PLAIN.match(text) for text in probe):
        return as_they_are
    split = [_FOLLOWED.match(text or "") for text in texts]
    if all(match and match[3].isalpha() for match in split if match):  # names such as 1p and 2r
        return as_they_are
    if one_unit := _in_one_unit(texts, split):
        return one_unit[0], as_they_are[1], one_unit[1:]
    marks = [match[2] for match in split if match]
    units = {mark.strip().lower() for mark in marks} - {""}
    scales = {mark for mark in units if mark in SCALES and units & BESIDE.get(mark, units)}
    unit = next(iter(units - scales), "")
    with_unit = sum(mark.strip().lower() == unit != "" for mark in marks)
    unclear = unit.strip(".") in ("cr", "dr") and with_unit < len(marks)  # a sign, or ten millions
    if unclear or len(units - scales) > 1 or (with_unit and (len(marks) < 2 or not _UNIT.fullmatch(unit) or scales)):
        return as_they_are
    bare = [match[1] if match else text for match, text in zip(split, texts, strict=True)]
    factors = [SCALES[mark] if match and (mark := match[2].strip().lower()) in scales else 1.0 for match in split]
    written = next((mark.strip() for mark in marks if mark.strip().lower() == unit), "")
    notes = [note("the unit {unit} was taken off", unit=repr(written))] if unit else []
    if scales:
        told = listed(sorted(scales))
        notes += [note("letters such as {letters} were read as the powers of ten that they stand for", letters=told)]
    if mark := next((match[3].strip() for match in split if match and match[3]), ""):
        notes.append(note("marks of footnotes, errors and brackets such as {mark} were taken off", mark=repr(mark)))
    return bare, factors, tuple(notes)


def _in_one_unit(texts: Texts, split: Sequence[re.Match[str] | None]) -> tuple[list[str | None], str] | None:
    """Amounts in units of one quantity, as MB and GB, in that of most of them, and a sentence; None of others.

    >>> cells = ("512 MB", "1.5 GB", "80 MB", "none")
    >>> _in_one_unit(cells, [_FOLLOWED.match(cell) for cell in cells])[0]
    ['512', '1536', '80', 'none']
    """
    found = [(match[1].replace(",", "."), match[2].strip()) for match in split if match and _AMOUNT.fullmatch(match[1])]
    units = Counter(unit for _, unit in found)
    for base in (unit[place:] for unit in units if len(found) == sum(map(bool, split)) for place in (0, 1)):
        sizes = {unit: _size(unit, base) for unit in units}
        if base not in NO_UNITS and len(units) > 1 and all(sizes.values()):
            (usual, _), *_ = units.most_common(1)
            amounts = (f"{float(amount) * (sizes[unit] / sizes[usual]):.15g}" for amount, unit in found)
            said = note("units such as {units} were read in {unit}", units=listed(sorted(units)), unit=repr(usual))
            return [next(amounts) if match else text for match, text in zip(split, texts, strict=True)], said
    return None


def _size(unit: str, base: str) -> float:
    """How many of a base unit another one is; 0 of one that is none of it. Of bytes, programs call 1024 a thousand.

    >>> _size("kg", "g"), _size("mb", "b"), _size("lb", "g")
    (1000.0, 1048576.0, 0.0)
    """
    prefix, is_bytes = unit.removesuffix(base), base in BYTES
    power = POWERS.get(prefix.upper() if is_bytes else prefix)
    return 0.0 if power is None or prefix + base != unit else (1024.0 if is_bytes else 1000.0) ** power


def _read(texts: Texts, counts: Counts, comma: bool, points: bool) -> tuple[list[float | None], tuple[str, ...]]:
    """The number of every text, None where it is none, with what points and commas mean decided over all of them."""
    stated, (comma, notes) = comma, _decimal_comma(texts, comma)
    filled = [text for text in texts if text is not None]
    if stated and not points and len(filled) >= FEWEST_ALIKE and all(map(_GROUPED_POINT.match, filled)):
        notes += (note("points were read as decimal points, though all may separate thousands"),)
    points = points or _are_nearer_grouped(filled, ".")
    points = comma or (points and all(_UP_TO_THOUSAND.match(text) or _GROUPED_POINT.match(text) for text in filled))
    longer = [text for text in filled if text.count(",") > 1]
    indian = bool(longer) and all(map(_INDIAN.match, longer))  # a single one may be a slip among others
    bare = [None if text is None else _ungrouped(text, comma, points, indian) for text in texts]
    taken = sum(count for digits, text, count in zip(bare, texts, counts.tolist(), strict=True) if digits != text)
    notes += note_some(
        0 if comma else taken, "separators of thousands were taken off {n} cell",
        "separators of thousands were taken off {n} cells",
    )  # fmt: skip
    return [None if text is None else _number(text) for text in bare], notes


def _are_nearer_grouped(texts: Texts, mark: str) -> bool:
    """Whether a mark before three digits separates thousands: whole numbers beside it are nearer in size to these.

    >>> [_are_nearer_grouped(cells, ".") for cells in (["981", "1.002", "964"], ["1", "1.125", "2"], ["1.002"])]
    [True, False, False]
    """
    if not all(text is None or _ONE_GROUP.fullmatch(text.replace(mark, ".")) for text in texts):
        return False
    marked = [mark in text for text in texts if text]
    if not any(marked) or all(marked):
        return False
    grouped, decimal = (np.array([float(text.replace(mark, to)) for text in texts if text]) for to in ("", "."))
    return bool(np.std(np.log(np.abs(grouped[grouped != 0.0]))) < np.std(np.log(np.abs(decimal[decimal != 0.0]))))


def _ungrouped(text: str, comma: bool, points: bool, indian: bool) -> str:
    """A number without separators of thousands, and with a point before its decimals."""
    if indian and _INDIAN.match(text):
        return text.replace(",", "")
    if points and _GROUPED_POINT.match(text):
        return text.replace(".", "")
    if comma:
        return re.sub(r"[.' ]", "", text).replace(",", ".") if _COMMA.match(text) else text
    return re.sub(r"[,' ]", "", text) if _THOUSANDS.match(text) else text


def _number(text: str) -> float | None:
    if _PLAIN.match(text):
        return float(text.replace("d", "e").replace("D", "e"))
    if _INFINITE.match(text):
        return -np.inf if text.startswith("-") else np.inf
    return TRUTH.get(text.lower())


def _decimal_comma(texts: Texts, stated: bool) -> tuple[bool, tuple[str, ...]]:
    """Whether commas are decimal commas, over all cells of the column."""
    with_comma = [text for text in texts if text is not None and _COMMA.match(text)]
    if not with_comma or _are_nearer_grouped(texts, ","):
        return False, ()
    points = any(text and _PLAIN.match(text) and "." in text and not _GROUPED_POINT.match(text) for text in texts)
    if stated or not (points or all(map(_GROUPED_COMMA.match, with_comma))):
        written = any("," in text for text in with_comma)
        return True, (note("commas were read as decimal commas") if written else note("points were taken off"),)
    return False, ()
