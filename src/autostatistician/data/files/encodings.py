"""The text of some bytes: which of the usual encodings they are in, with a word on it where it is not UTF-8."""

from __future__ import annotations

import codecs
import re
from collections.abc import Collection

from autostatistician.errors import InputError
from autostatistician.i18n.messages import message, note, note_some

__all__ = ["REMEDY", "decode"]

REMEDY = message("give a CSV, TSV, Parquet or Excel table")
BYTE_ORDER_MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
PROBED_BYTES = 20_000  # bytes that tell the encoding
EAST_ASIAN = ("cp932", "gb18030", "big5", "cp949", "euc-jp")  # in which dates are written with characters of two bytes
_IN_WORDS, _BEYOND = re.compile(r"[a-z][^\x00-\x7f]+|[^\x00-\x7f]+[a-z]"), re.compile(r"(?:(?![A-Za-z])[^\W\d_])+")
_LETTERS = re.compile(rb"[A-Za-z][\x80-\xff]|[\x80-\xff][A-Za-z\x80-\xff]")
_DATED = re.compile(r"\d{2}\s*[年년]|\d\s*[月월日일]")
# Weights of what Macs wrote twenty years ago and of scripts of Latin letters: these come out alike, and most tables are
# Western. Of 1,831 tables of one to eight lines in 36 languages 1,771 were read right (all of one weight: 1,621).
TRUST_IN_MAC = 0.95
TRUST = {"Western European": 1.0, "Vietnamese": 1.0, "Central European": 0.75, "Baltic": 0.75, "Turkish": 0.9}
MOST_STRAY = 0.1  # share of the characters beyond ASCII that may be broken in a text that is called UTF-8
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f\x80-\x9f]")

# What tables are written in today, or were by the programs of the last thirty years. Of 66 small tables in 18 languages
# chardet, given these and the lines beyond ASCII, knew all; charset-normalizer knew 37.
SCRIPTS = {
    message("Western European"): {"cp1252": "Windows-1252", "mac-roman": "Mac Roman", "cp850": "DOS 850"},
    message("Central European"): {"cp1250": "Windows-1250", "iso8859-2": "Latin-2"},
    message("Baltic"): {"cp1257": "Windows-1257"},
    message("Turkish"): {"cp1254": "Windows-1254", "iso8859-9": "Latin-5"},
    message("Cyrillic"): {
        "cp1251": "Windows-1251", "koi8-r": "KOI8-R", "koi8-u": "KOI8-U", "cp866": "DOS 866", "mac-cyrillic": "Mac",
    },
    message("Greek"): {"cp1253": "Windows-1253", "iso8859-7": "ISO 8859-7"},
    message("Hebrew"): {"cp1255": "Windows-1255"},
    message("Arabic"): {"cp1256": "Windows-1256"},
    message("Thai"): {"cp874": "Windows-874"},
    message("Vietnamese"): {"cp1258": "Windows-1258"},
    message("Japanese"): {"cp932": "Shift JIS", "euc-jp": "EUC-JP"},
    message("Chinese"): {"gb18030": "GB 18030", "big5": "Big5"},
    message("Korean"): {"cp949": "Windows-949"},
}  # fmt: skip
USUAL_ENCODINGS = {name: (script, code) for script, codes in SCRIPTS.items() for name, code in codes.items()}
# The names by which the detector may call two of them.
DETECTED_NAMES = {"big5hkscs": "big5", "euc_jis_2004": "euc-jp", "shift_jis_2004": "cp932"}


def decode(raw: bytes) -> tuple[str, tuple[str, ...]]:
    """The text of some bytes, with a word on the encoding where it is not UTF-8.

    >>> decode("x;é".encode("latin-1"))
    ('x;é', ('The text is not UTF-8; it was read as Western European (Windows-1252).',))
    >>> decode("дата;город;продажи".encode("cp1251"))[0]
    'дата;город;продажи'
    """
    text, notes = _decoded(raw)
    if "\x00" in text[:10_000] or len(_CONTROL.findall(text[:10_000])) * 50 > len(text[:10_000]):
        raise InputError.of(note("a table of text"), note("binary data"), note(REMEDY))
    return text, notes


def _decoded(raw: bytes) -> tuple[str, tuple[str, ...]]:
    for mark, name in BYTE_ORDER_MARKS:
        if raw.startswith(mark):
            return _strict(raw, name), ()
    try:
        return raw.decode("utf-8"), ()
    except UnicodeDecodeError:
        return _broken(raw) or _other(raw)


def _broken(raw: bytes) -> tuple[str, tuple[str, ...]] | None:
    """UTF-8 with a few stray bytes, as where lines of several files came together."""
    text = raw.decode("utf-8", "replace")
    whole, stray = sum(ord(character) > 127 for character in text), text.count("\N{REPLACEMENT CHARACTER}")
    if stray > MOST_STRAY * whole:
        return None
    return text, note_some(
        stray, "The text is UTF-8 but for {n} character, which cannot be read.",
        "The text is UTF-8 but for {n} characters, which cannot be read.",
    )  # fmt: skip


def _other(raw: bytes) -> tuple[str, tuple[str, ...]]:
    name = _guessed(raw)
    try:
        text = raw.decode(name)
    except UnicodeDecodeError:
        name, text = "latin-1", raw.decode("latin-1")
    script, code = USUAL_ENCODINGS.get(name, ("Western European", "Latin-1"))
    said = note("The text is not UTF-8; it was read as {script} ({code}).", script=note(script), code=code)
    return text, (said,)


def _guessed(raw: bytes) -> str:
    """The usual encoding that the lines with anything beyond ASCII speak for: digits say nothing."""
    import chardet

    lines = dict.fromkeys(line for line in raw.splitlines() if not line.isascii())
    lines = dict.fromkeys(filter(_LETTERS.search, lines))
    if not lines:  # signs that stand alone, as of currencies and plus or minus, are no letters
        return "cp1252"
    if dated := _dated(lines):
        return dated
    probe = b"\n".join(lines)[:PROBED_BYTES]
    guesses = chardet.detect_all(probe, True, include_encodings=USUAL_ENCODINGS, compat_names=False)
    confidences = {name: guess["confidence"] for guess in guesses if (name := _usual(guess["encoding"]))}
    weights = {
        name: (TRUST_IN_MAC if "mac" in name else TRUST.get(script, 1.0)) * confidence
        for name, confidence in confidences.items()
        if (script := USUAL_ENCODINGS[name][0]) in TRUST or not _is_in_words(probe.decode(name, "replace"))
    }
    # of equals the first of Windows: the most common
    return max(USUAL_ENCODINGS, key=lambda name: (weights.get(name, 0.0), "Windows" in USUAL_ENCODINGS[name][1]))


def _is_in_words(text: str) -> bool:
    """Whether half of the letters beyond ASCII stand within words of small letters, as none of another script does.

    >>> _is_in_words("alcoh鏊icas"), _is_in_words("GDP 总值")
    (True, False)
    """
    return 2 * len(_IN_WORDS.findall(text)) >= len(_BEYOND.findall(text))


def _usual(name: str | None) -> str:
    plain = DETECTED_NAMES.get(name or "", name or "").replace("_", "-")
    return plain if plain in USUAL_ENCODINGS else ""


def _dated(lines: Collection[bytes]) -> str | None:
    """The encoding in which numbers are followed by the characters for year, month and day, in most of the lines."""
    shown = {name: sum(bool(_DATED.search(line.decode(name, "replace"))) for line in lines) for name in EAST_ASIAN}
    return next((name for name, n in shown.items() if 2 * n > len(lines)), None)


def _strict(raw: bytes, name: str) -> str:
    try:
        return raw.decode(name)
    except UnicodeDecodeError:
        text_in = note("text in {encoding}", encoding=name.removesuffix("-sig").upper())
        raise InputError.of(text_in, note("bytes that are not"), note(REMEDY)) from None
