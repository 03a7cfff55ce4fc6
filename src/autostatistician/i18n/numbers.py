"""Numbers for people: few digits, words up to twelve, per cent with honest edges, "a" or "an", lists."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import floor, inf, isfinite, log10

from babel.lists import format_list
from babel.numbers import NumberFormatError, format_decimal, parse_decimal

from autostatistician.i18n.messages import ENGLISH, Number, language, message, note, say

__all__ = [
    "EXACT",
    "amount",
    "article",
    "as_written",
    "capital",
    "count",
    "decimals_between",
    "decimals_for",
    "fixed",
    "in_percent",
    "joined",
    "lowered",
    "noted_amount",
    "number_of",
    "ordinal",
    "p_text",
    "p_value",
    "pair",
    "percent",
    "rounded_percent",
]

EXACT = 10  # digits of a number that was written by people and is told as it is
_WORDS = (
    message("no"), message("one"), message("two"), message("three"), message("four"), message("five"), message("six"),
    message("seven"), message("eight"), message("nine"), message("ten"), message("eleven"), message("twelve"),
)  # fmt: skip
_ORDINALS = (
    message("zeroth"), message("first"), message("second"), message("third"), message("fourth"), message("fifth"),
    message("sixth"), message("seventh"), message("eighth"), message("ninth"), message("tenth"), message("eleventh"),
    message("twelfth"),
)  # fmt: skip
_GERMAN = "de"
_UNKNOWN = message("an unknown amount")
_PLAIN_RANGE = (1e-5, 1e13)  # outside of it, powers of ten are easier to read than rows of zeros
_SCALES = ((1e12, message("{number} trillion")), (1e9, message("{number} billion")))  # amounts in a sentence
_MOST_DECIMALS = 4
_ROUGH = 0.1  # of the smaller of two numbers: rounding may not move it by more
_LEAST_SEEN = 1e-3  # in relation to the other of two numbers: a smaller one is as good as zero
_ROUNDED_AWAY = 1e-13  # of a number: smaller differences are those of the arithmetic
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_MINUS = "\N{MINUS SIGN}"  # as on the axes of the figures


def amount(value: float, digits: int = 3, spread: float = 0.0) -> str:
    """A number with a few significant digits, and two of the ``spread`` of those beside it; no trailing zeros.

    >>> amount(1234.5678), amount(0.000123456), amount(-7.0), amount(2.5e17), amount(2.66e9)
    ('1,230', '0.000123', '−7', '2.5 × 10¹⁷', '2.66 billion')
    >>> amount(1360.2137, spread=0.4), amount(5.0314e9, spread=3e6), amount(5.0314e9, spread=2.0)
    ('1,360.21', '5.0314 billion', '5,031,400,000')
    """
    if not isfinite(value):
        return say(_UNKNOWN)
    divisor, words, decimals = _rounding(value, digits, spread)
    number = fixed(value / divisor, decimals, trim=True)
    return say(words, number=number) if words else number


def noted_amount(value: float, digits: int = 3, spread: float = 0.0) -> str:
    """An `amount` as a note, which is said again in another language.

    >>> noted_amount(1234.5678), noted_amount(-7.0), noted_amount(50.04, 4), noted_amount(2.66e9)
    ('1,230', '−7', '50.04', '2.66 billion')
    >>> noted_amount(-2.5e17), noted_amount(1360.2137, 4, 0.4)
    ('−2.5 × 10¹⁷', '1,360.21')
    """
    if not isfinite(value):
        return note(_UNKNOWN)
    divisor, words, decimals = _rounding(value, digits, spread)
    rounded = round(value / divisor, decimals) + 0.0
    if rounded != 0.0 and not _PLAIN_RANGE[0] <= abs(rounded) < _PLAIN_RANGE[1]:
        mantissa, exponent = f"{value:.{digits - 1}e}".split("e")
        power = str(int(exponent)).translate(_RAISED)
        return note("{number} × 10{power}", number=Number(float(mantissa), ",g"), power=power)
    places = len(f"{rounded:.12f}".rstrip("0").partition(".")[2])
    return note(words or "{number}", number=Number(rounded, f",.{places}f"))


def as_written(value: float) -> str:
    """A number as a table has it, with all its digits, in files and where a cell is named.

    >>> as_written(1234567.5), as_written(4.0), as_written(0.1 + 0.2), as_written(-0.0)
    ('1234567.5', '4', '0.3', '0')
    """
    return f"{value + 0.0:.15g}"


def _rounding(value: float, digits: int, spread: float) -> tuple[float, str, int]:
    """What to divide a number by, the words that make up for it, and the decimals that then are shown."""
    divisor, words = _scale(value)
    decimals = decimals_for(value / divisor, digits)
    if spread > _ROUNDED_AWAY * abs(value):
        decimals = max(decimals, decimals_for(spread / divisor, 2))
    if words and decimals > _MOST_DECIMALS:  # of billions: too many to read
        return 1.0, "", decimals - round(log10(divisor))
    return divisor, words, decimals


def _scale(value: float) -> tuple[float, str]:
    """What to divide a large amount by, and the words that make up for it."""
    if _SCALES[-1][0] <= abs(value) < _PLAIN_RANGE[1]:
        return next((scale, words) for scale, words in _SCALES if abs(value) >= scale)
    return 1.0, ""


def decimals_for(scale: float, digits: int = 3) -> int:
    """How many decimals show ``digits`` significant digits of ``scale`` (negative: round to tens, hundreds, ...).

    >>> decimals_for(361.0), decimals_for(0.0123), decimals_for(123456.0, 2)
    (0, 4, -4)
    """
    return digits - 1 - floor(log10(abs(scale))) if isfinite(scale) and scale != 0.0 else 0


def fixed(value: float, decimals: int, *, trim: bool = False) -> str:
    """A number rounded to a position after (or, if negative, before) the decimal point.

    >>> fixed(1361.456, 2), fixed(98765.0, -2), fixed(3.0, 1), fixed(3.0, 1, trim=True)
    ('1,361.46', '98,800', '3.0', '3')
    """
    if not isfinite(value):
        return say(_UNKNOWN)
    rounded = (round(value, decimals) if abs(value) < 1e300 else value) + 0.0  # no overflow, no negative zero
    if rounded != 0.0 and not _PLAIN_RANGE[0] <= abs(rounded) < _PLAIN_RANGE[1]:
        return _power_of_ten(rounded, decimals + floor(log10(abs(rounded))))
    places = min(max(decimals, 0), 12)
    text = str(format_decimal(rounded, format="#,##0." + ("#" if trim else "0") * places, locale=language()))
    return text.replace("-", _MINUS)


def _power_of_ten(value: float, decimals: int) -> str:
    mantissa, exponent = f"{value:.{min(max(decimals, 0), 12)}e}".split("e")
    return f"{fixed(float(mantissa), decimals, trim=True)} × 10{str(int(exponent)).translate(_RAISED)}"


def pair(first: float, second: float, digits: int = 3, spread: float = 0.0) -> tuple[str, str]:
    """Two numbers rounded alike, finely enough to show their difference; of equal ones two digits of the ``spread``.

    >>> pair(1360.4321, 1361.6543), pair(-89.123, 160.9, 2), pair(12.0, 12.0), pair(5.1e9, 1.66e10)
    (('1,360.43', '1,361.65'), ('−89', '161'), ('12', '12'), ('5.1 billion', '16.6 billion'))
    >>> pair(2.3, 1349.0), pair(-2.3, 1349.0)
    (('2.3', '1,350'), ('0', '1,350'))
    >>> pair(0.67, 13.3, 2), pair(1360.217, 1360.217, 2, spread=0.4)
    (('0.67', '13'), ('1,360.22', '1,360.22'))
    """
    if abs(second - first) <= _ROUNDED_AWAY * max(abs(first), abs(second)):
        return amount(first, digits, spread), amount(second, digits, spread)
    largest = max(abs(first), abs(second))
    divisor, words = _scale(largest) if largest else (1.0, "")
    decimals = decimals_between(first / divisor, second / divisor, digits)
    if words and decimals > _MOST_DECIMALS:  # of billions: too many to read
        divisor, words, decimals = 1.0, "", decimals_between(first, second, digits)
    least = _LEAST_SEEN * largest if first * second > 0.0 else inf  # of two levels none is written as zero
    low, high = (
        fixed(value / divisor, _shown(value / divisor, decimals) if abs(value) >= least else decimals, trim=True)
        for value in (first, second)
    )
    return (say(words, number=low), say(words, number=high)) if words else (low, high)


def _shown(value: float, decimals: int) -> int:
    """The decimals, or two digits of a number that they would move by much."""
    off = abs(round(value, decimals) - value) if abs(value) < 1e300 else 0.0
    return decimals if off <= _ROUGH * abs(value) else decimals_for(value, 2)


def decimals_between(first: float, second: float, digits: int = 3) -> int:
    """How many decimals show ``digits`` significant digits of the distance of two numbers, and three of hundreds.

    >>> decimals_between(110.0, 490.0, 2), decimals_between(0.0, 12345.0, 2), decimals_between(0.0, 0.123, 2)
    (0, -2, 2)
    """
    gap, largest = abs(second - first), max(abs(first), abs(second))
    gap = gap if gap > _ROUNDED_AWAY * largest else largest
    return max(decimals_for(gap, digits), min(decimals_for(gap, 3), 0))


def p_value(value: float) -> str:
    """A p-value as finely as anyone reads it.

    >>> p_value(0.0004), p_value(0.0321), p_value(0.321)
    ('below 0.001', '0.032', '0.32')
    """
    return say("below {number}", number=fixed(0.001, 3)) if value < 0.001 else fixed(value, 3 if value < 0.1 else 2)


def p_text(value: float) -> str:
    """A p-value with its name.

    >>> p_text(0.0004), p_text(0.321)
    ('p below 0.001', 'p = 0.32')
    """
    return say("p below {number}", number=fixed(0.001, 3)) if value < 0.001 else f"p = {p_value(value)}"


def percent(share: float) -> str:
    """A share (1 is all) in per cent, with one decimal and honest edges.

    >>> percent(0.8544), percent(0.0004), percent(0.9997), percent(1.0), percent(-0.0321), percent(0.12)
    ('85.4%', 'less than 0.1%', 'more than 99.9%', '100%', '−3.2%', '12%')
    """
    if not isfinite(share):
        return say("an unknown share")
    value = 100.0 * share
    if abs(value) < 1e-9:
        return in_percent("0")
    if 0.0 < value < 0.1:
        return say("less than {percent}", percent=in_percent(fixed(0.1, 1)))
    if 99.9 < value < 100.0 - 1e-9:
        return say("more than {percent}", percent=in_percent(fixed(99.9, 1)))
    return in_percent(amount(value) if abs(value) >= 1000 else fixed(value, 1, trim=True))


def number_of(text: str) -> float:
    """The size of a written number, for the form of the noun after it; of one that is more than digits two, as of many.

    >>> number_of("−1.7"), number_of("1,234.5"), number_of("2.66 billion")
    (1.7, 1234.5, 2.0)
    """
    try:
        return float(parse_decimal(text.lstrip(f"+-{_MINUS}"), locale=language()))
    except NumberFormatError:
        return 2.0


def in_percent(number: str) -> str:
    """A written number with the sign of per cent as the language sets it.

    >>> in_percent("12")
    '12%'
    """
    return say("{number}%", number=number)


def rounded_percent(share: float, decimals: int = 0) -> str:
    """A share (1 is all) in per cent, rounded to so many decimals.

    >>> rounded_percent(0.254), rounded_percent(0.254, 1), rounded_percent(1.0)
    ('25%', '25.4%', '100%')
    """
    return in_percent(fixed(100.0 * share, decimals))


def count(number: int) -> str:
    """A count in words up to twelve, in digits above.

    >>> count(3), count(12), count(144), count(0)
    ('three', 'twelve', '144', 'no')
    """
    return say(_WORDS[number]) if 0 <= number < len(_WORDS) else fixed(number, 0)


def ordinal(number: int) -> str:
    """A rank in words up to twelve, in digits above.

    >>> ordinal(8), ordinal(21), ordinal(112)
    ('eighth', '21st', '112th')
    """
    if 0 <= number < len(_ORDINALS):
        return say(_ORDINALS[number])
    if language() != ENGLISH:
        return say("{number}th", number=fixed(number, 0))
    tail = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{tail}"


def article(phrase: str) -> str:
    """The phrase with "a" or "an" before it, by how its beginning is spoken; other languages have a message for it.

    >>> [article(text) for text in ("8-year cycle", "11-year cycle", "18-day cycle", "10.8-year cycle")]
    ['an 8-year cycle', 'an 11-year cycle', 'an 18-day cycle', 'a 10.8-year cycle']
    >>> article("hourly cycle"), article("one-off"), article("uneven line"), article("unit"), article("110-day cycle")
    ('an hourly cycle', 'a one-off', 'an uneven line', 'a unit', 'a 110-day cycle')
    """
    if language() != ENGLISH:
        return say("a {noun}", noun=phrase)
    return f"{'an' if _spoken_with_vowel(phrase) else 'a'} {phrase}"


def _spoken_with_vowel(phrase: str) -> bool:
    if digits := re.match(r"\d{1,3}(?:,\d{3})*", phrase):
        leading = digits.group().split(",")[0] if "," in digits.group() else digits.group()
        return leading.startswith("8") or leading in ("11", "18")
    word = phrase.lower()
    if word.startswith(("one", "uni", "use", "usu", "eu")):
        return False
    return word.startswith(("a", "e", "i", "o", "u", "hour", "honest"))


def joined(items: Sequence[str]) -> str:
    """A list in words.

    >>> joined(["a trend", "a yearly cycle", "noise"])
    'a trend, a yearly cycle, and noise'
    """
    return str(format_list(list(items), locale=language()))


def capital(text: str) -> str:
    """The text with a capital first letter, the rest untouched.

    >>> capital("a trend until May 1943")
    'A trend until May 1943'
    """
    return text[:1].upper() + text[1:]


def lowered(sentence: str) -> str:
    """A sentence as it goes on after a colon or a comma: with a small letter, but in German as it is, where nouns and
    sentences after a colon have capitals.

    >>> lowered("The forecast falls.")
    'the forecast falls.'
    """
    return sentence if language() == _GERMAN else sentence[:1].lower() + sentence[1:]
