"""How the languages of the world write dates, as Babel knows it: their words, and the order of day and month.

dateparser does the same with a reading of its own: it takes "1.2018" and "W1" for dates, and some milliseconds a cell.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from autostatistician.data.missing import with_plain_digits
from autostatistician.data.times.forms import LONG_MONTHS, ROMAN
from autostatistician.data.words import TABLES, lists

__all__ = ["DateLanguage", "are_weekdays", "distinct_words", "folded", "languages_of", "tidied"]


MORE_LANGUAGES = lists("languages")[0]  # beyond the few dozen that Babel names as the usual ones
# What people write and the tables of Unicode do not have.
MORE_WORDS: Mapping[str, Mapping[str, str]] = TABLES["dates"]

_DENSE = r"\u0e00-\u0e7f\u1100-\u11ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"  # scripts without blanks between words
_LETTER = rf"(?:(?![{_DENSE}])[^\W\d_]|[\u0900-\u0dff\u1000-\u109f\u1780-\u17ff])"  # also the vowel signs of India
_LETTERS = re.compile(rf"[{_DENSE}]|{_LETTER}+")
_FORMATS = ("full", "long", "medium", "short")
_SKELETONS = ("y", "yMMM", "yMMMM", "yMMMd", "yMMMEd", "yQQQ", "yQQQQ", "yw", "MMMd", "MMMMd", "MMMMW")
_ROMAN = frozenset(map(str.lower, ROMAN)) | {"o", "e", "er", "eme"}  # and what stands behind numbers: 1o
_MAY_BE = re.compile(r"(?<!\d)(?:\d{4}|\d{2})(?!\d)")


def folded(text: str) -> str:
    """Text without what people leave out: case, accents, width of letters, direction marks; digits become ASCII.

    >>> folded("FÉVR. ２０２１"), folded("٢٠٢١")
    ('fevr. 2021', '2021')
    """
    if text.isascii():
        return text.lower()
    plain = unicodedata.normalize("NFD", unicodedata.normalize("NFKC", text).casefold())
    kept = "".join(c for c in plain if not "\u0300" <= c <= "\u036f" and unicodedata.category(c) != "Cf")
    return unicodedata.normalize("NFC", with_plain_digits(kept)).replace("\N{ARABIC COMMA}", ",")


@dataclass(frozen=True, eq=False)
class DateLanguage:
    """What one language says in dates: folded words, each with what it means, and the order of a date in numbers.

    A word means a month ("Jan"), a quarter ("Q1", or "Q" beside its number), a week ("W"), a half-year ("H"), either of
    these ("S"), a number or nothing ("").
    """

    code: str
    words: Mapping[str, str]
    weekdays: frozenset[str]
    tokens: frozenset[str]  # the runs of letters that all of these are made of
    order: str  # "dmy", "mdy" or "ymd"

    def translated(self, texts: Sequence[str]) -> list[str]:
        """Dates in English words, as far as these are known.

        >>> languages_of(["3. März 2021"])[0].translated(["3. März 2021"])
        ['3 Mar 2021']
        """
        plain = [self._without_weekday(folded(text).strip()) for text in texts]
        runs = frozenset().union(*map(_runs, dict.fromkeys(plain)))
        words = [word for word in self.words if _runs(word) <= runs]
        if not words:
            return plain
        longest_first = sorted(words, key=lambda word: (-len(word), word))
        pattern = re.compile("|".join(map(_bounded, longest_first)))
        english = (pattern.sub(lambda match: self._meaning(match[0]), text) for text in plain)
        return [_tidy(after, after != before) for before, after in zip(plain, english, strict=True)]

    def _meaning(self, word: str) -> str:
        return f" {self.words[word.lstrip('0')]} "

    def _without_weekday(self, text: str) -> str:
        first = _LETTERS.match(text)
        if first is None or not any(text.startswith(day) for day in self.weekdays):
            return text
        day = max((day for day in self.weekdays if text.startswith(day)), key=len)
        rest = text[len(day) :].lstrip("., ")
        return rest if re.search(r"\d\s*[./-]\s*\d|\d.*[^\W\d_].*\d", rest) else text


def tidied(texts: Sequence[str]) -> list[str]:
    """Dates in other digits, or with blanks behind their points, as ``2021.3.5``.

    >>> tidied(["2021. 3. 5.", "３/４/２０２１"])
    ['2021.3.5', '3/4/2021']
    """
    return [_tidy(folded(text), False) for text in texts]


def _tidy(text: str, changed: bool) -> str:
    """English words between numbers, with one blank or separator between them."""
    text = re.sub(r"(?<=\d)\.?(?:er|eme|e|o|a|st|nd|rd|th)(?=\s)", "", text)
    text = re.sub(r"(?<=\d)\.\s+(?=\d)", ".", text)  # 3. 1. 2020
    text = re.sub(r"[.,](?=\s|$)|(?<=\s)[.,]", " ", text)
    bare = " ".join(text.split())
    bare = re.sub(r"\s*([-/])\s*", r"\1", bare).strip("-/ .")
    bare = re.sub(r"(?<![\d.])\b(\d{1,2}|i{1,3}|iv)[ .]*([QWHS])(?=[ /-]\d|$)", r"\2\1", bare)
    bare = re.sub(r"\b([QWHS]) (\d{1,2}|i{1,3}|iv)\b", r"\1\2", bare)
    return f"Y{bare}" if changed and re.fullmatch(r"\d{4}", bare) else bare


def distinct_words(texts: Sequence[str]) -> list[str]:
    """Of the cells with the same words the first.

    >>> distinct_words(["3 Mai 2020", "4 Mai 2020", "1 Juni 2020"])
    ['3 Mai 2020', '1 Juni 2020']
    """
    first: dict[tuple[str, ...], str] = {}
    for text in texts:
        first.setdefault(tuple(_LETTERS.findall(text)), text)
    return list(first.values())


def languages_of(texts: Sequence[str]) -> tuple[DateLanguage, ...]:
    """The languages that know the words in most of some cells, those of most cells first; none where no date can be.

    >>> [language.code for language in languages_of(["janv. 2020", "août 2020"])]
    ['fr']
    """
    maybe = [words for text in map(folded, texts) if _MAY_BE.search(text) and (words := _runs(text))]
    if 2 * len(maybe) <= len(texts):
        return ()
    index = _index()
    votes = Counter(code for words in maybe for code in _common(index, words))
    most = max(votes.values(), default=0)
    return tuple(_language(code) for code in _usual() if votes[code] == most) if 2 * most > len(texts) else ()


def are_weekdays(names: Sequence[str], first: int) -> bool:
    """Whether names are the days of the week from the ``first`` on (0: Monday) in one language, or shorten them.

    >>> are_weekdays(["Man", "Tir", "Ons", "Tor", "Fre"], 0), are_weekdays(["Sa", "So", "Mo"], 5)
    (True, True)
    """
    shorts = [".*".join(map(re.escape, folded(name).strip(" ."))) for name in names]  # some letters in order
    days = [(first + k) % 7 for k in range(len(names))]
    return any(
        all(any(re.match(short, form[day]) for form in forms) for short, day in zip(shorts, days, strict=True))
        for forms in map(_weekdays, _usual())
    )


@cache
def _weekdays(code: str) -> list[list[str]]:
    """The names of the seven days from Monday on, in each of their forms."""
    return [[folded(names[day]) for day in range(7)] for names in _names(code, "days")]


def _common(index: Mapping[str, frozenset[str]], words: Iterable[str]) -> frozenset[str]:
    return frozenset.intersection(*(index.get(word, frozenset()) for word in words))


def _runs(text: str) -> frozenset[str]:
    return frozenset(_LETTERS.findall(text)) - _ROMAN


@cache
def _usual() -> tuple[str, ...]:
    from babel.core import LOCALE_ALIASES

    return (*sorted(LOCALE_ALIASES), *MORE_LANGUAGES)


@cache
def _index() -> Mapping[str, frozenset[str]]:
    """Which languages know a run of letters."""
    speakers: dict[str, set[str]] = {}
    for code in _usual():
        for token in _language(code).tokens:
            speakers.setdefault(token, set()).add(code)
    return {token: frozenset(languages) for token, languages in speakers.items()}


@cache
def _language(code: str) -> DateLanguage:
    from babel import Locale

    locale = Locale.parse(code)
    patterns = [str(locale.datetime_skeletons[key]) for key in _SKELETONS if key in locale.datetime_skeletons]
    patterns += [locale.date_formats[key].pattern for key in _FORMATS]
    words = dict.fromkeys((*(word for pattern in patterns for word in _literals(pattern)), *_units(code, "year")), "")
    words |= _weeks(code, patterns) | _quarters(code) | _months(code) | dict(MORE_WORDS.get(code, {}))
    days = (name for names in _names(code, "days") for name in names.values())
    weekdays = frozenset(folded(name).strip(".") for name in days)
    runs = frozenset().union(*(_runs(word) for word in (*words, *weekdays)))
    order = "".join(dict.fromkeys(c for c in locale.date_formats["short"].pattern.lower() if c in "dmy"))
    return DateLanguage(code, words, weekdays, runs, order)


def _bounded(word: str) -> str:
    """The pattern of a word that is not inside of another word or number."""
    dense = rf"[{_DENSE}]"
    before = r"(?<!\d)0?" if word[0].isdigit() else "" if re.match(dense, word[0]) else rf"(?<!{_LETTER})"
    after = r"(?!\d)" if word[-1].isdigit() else "" if re.match(dense, word[-1]) else rf"(?!{_LETTER})"
    return before + re.escape(word).replace(r"\ ", r"\s*") + after


def _names(code: str, kind: str) -> list[dict[int, str]]:
    """The written forms of names ("months", "days", "quarters"), without the single letters, which tell nothing."""
    pairs = [(context, width) for context in ("format", "stand-alone") for width in ("wide", "abbreviated")]
    return [names for context, width in pairs if (names := _stated(code, kind, context, width))]


def _stated(code: str, *path: str) -> dict[Any, str]:
    """What a language says itself, without what it takes over from the root of all.

    Not by Babel's own look-up: that writes what it resolves for one language into what it shares with all others, so
    that names of months would depend on which language was asked for first.
    """
    from babel.localedata import Alias, load

    stated, root = load(code), load("root")
    for key in path:
        stated, root = stated.get(key, {}), root.get(key, {}) if isinstance(root, dict) else {}
        stated = stated[1] if isinstance(stated, tuple) else stated
        if isinstance(stated, Alias) or stated is root:
            return {}
    return dict(stated)


def _months(code: str) -> dict[str, str]:
    """Names of months in all their forms, and what they begin with where that tells them apart."""
    whole: dict[str, set[int]] = {}
    begun: dict[str, set[int]] = {}
    for names in _names(code, "months"):
        for month, name in names.items():
            text = folded(name).strip(".")
            whole.setdefault(text, set()).add(month)
            if text.isalpha() and not re.match(f"[{_DENSE}]", text):
                for k in range(3, len(text)):
                    begun.setdefault(text[:k], set()).add(month)
    clear = ((name, min(months)) for name, months in (begun | whole).items() if len(months) == 1)
    return {name: LONG_MONTHS[month - 1][:3].capitalize() for name, month in clear}


def _quarters(code: str) -> dict[str, str]:
    """Names of quarters, whole; and without their number, which people put before or behind."""
    words: dict[str, str] = {}
    for names in _names(code, "quarters"):
        for quarter, name in names.items():
            whole = folded(name).strip(".")
            words[whole] = f"Q{quarter}"
            *others, stem = sorted(_LETTERS.findall(whole), key=len) or [""]
            if not re.search(r"\d", whole):
                continue
            if len(stem) == 1:
                words |= {f"{stem}{quarter}": f"Q{quarter}", f"{quarter}{stem}": f"Q{quarter}"}
            else:
                words |= {**{word: "" for word in others if len(word) > 1 or not word.isascii()}, stem: "Q"}
    return words


def _units(code: str, unit: str) -> set[str]:
    """The words for a unit of time: of one, of several, and short."""
    forms = [_stated(code, "unit_patterns", f"duration-{unit}", length) for length in ("long", "short")]
    texts = {text for form in forms for count, text in form.items() if count != "per"}
    runs = {word for text in texts for word in _LETTERS.findall(folded(text.replace("{0}", " ")))}
    return {word for word in runs if len(word) > 1 or not word.isascii()}


def _weeks(code: str, patterns: Sequence[str]) -> dict[str, str]:
    """The words for a week: of one, of several, and as they stand in dates."""
    units = _units(code, "week")
    literals = {word for pattern in patterns if "w" in pattern.lower() for word in _literals(pattern)}
    return {word: "W" for word in units | literals if any(word[:3] == other[:3] for other in units)}


def _literals(pattern: str) -> set[str]:
    """The words of a pattern of dates: in quotes, or of other letters than its own."""
    quoted = re.findall(r"'([^']+)'", pattern)
    others = re.findall(r"[^\x00-\x7f]+", re.sub(r"'[^']*'", " ", pattern))
    runs = {word for text in (*quoted, *others) for word in _LETTERS.findall(folded(text))}
    return {word for word in runs if len(word) > 1 or not word.isascii()}  # "A-2020-1" is no date
