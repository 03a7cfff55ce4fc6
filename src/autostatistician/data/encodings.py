"""The text of some bytes: which of the usual encodings they are in, with a word on it where it is not UTF-8."""

from __future__ import annotations

import codecs
import re

from autostatistician.data.wording import counted
from autostatistician.errors import InputError

__all__ = ["REMEDY", "decode"]

REMEDY = "give a CSV, TSV, Parquet or Excel table"
MARKS = ((codecs.BOM_UTF8, "utf-8-sig"), (codecs.BOM_UTF16_LE, "utf-16"), (codecs.BOM_UTF16_BE, "utf-16"))
PROBE = 20_000  # bytes that tell the encoding
STRAY = 0.1  # up to this part of the characters beyond ASCII may be broken in a text that is called UTF-8
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0e-\x1f\x7f\x80-\x9f]")

# What tables are written in today, or were by the programs of the last thirty years. Of 66 small tables in 18 languages
# chardet, told of these and shown the lines beyond ASCII, knew all; charset-normalizer knew 37.
USUAL = {
    "cp1252": "Western European (Windows-1252)",
    "mac-roman": "Western European (Mac Roman)",
    "cp850": "Western European (DOS 850)",
    "cp1250": "Central European (Windows-1250)",
    "iso8859-2": "Central European (Latin-2)",
    "cp1257": "Baltic (Windows-1257)",
    "cp1254": "Turkish (Windows-1254)",
    "iso8859-9": "Turkish (Latin-5)",
    "cp1251": "Cyrillic (Windows-1251)",
    "koi8-r": "Cyrillic (KOI8-R)",
    "koi8-u": "Cyrillic (KOI8-U)",
    "cp866": "Cyrillic (DOS 866)",
    "mac-cyrillic": "Cyrillic (Mac)",
    "cp1253": "Greek (Windows-1253)",
    "iso8859-7": "Greek (ISO 8859-7)",
    "cp1255": "Hebrew (Windows-1255)",
    "cp1256": "Arabic (Windows-1256)",
    "cp874": "Thai (Windows-874)",
    "cp1258": "Vietnamese (Windows-1258)",
    "cp932": "Japanese (Shift JIS)",
    "euc-jp": "Japanese (EUC-JP)",
    "gb18030": "Chinese (GB 18030)",
    "big5": "Chinese (Big5)",
    "cp949": "Korean (Windows-949)",
}
# The names by which the detector may call two of them.
SUBSETS = {"big5hkscs": "big5", "euc_jis_2004": "euc-jp", "shift_jis_2004": "cp932"}


def decode(raw: bytes) -> tuple[str, tuple[str, ...]]:
    """The text of some bytes, with a word on the encoding where it is not UTF-8.

    Raises
    ------
    InputError
        When they are no text.

    Examples
    --------
    >>> decode("x;é".encode("latin-1"))
    ('x;é', ('The text is not UTF-8; it was read as Western European (Windows-1252).',))
    >>> decode("дата;город;продажи".encode("cp1251"))[0]
    'дата;город;продажи'
    """
    for mark, name in MARKS:
        if raw.startswith(mark):
            return _strict(raw, name), ()
    if raw[:400].count(0) * 3 > len(raw[:400]) > 3:
        name = "utf-16-le" if raw[:400:2].count(0) < raw[1:400:2].count(0) else "utf-16-be"
        return _strict(raw, name), ("The text has no byte order mark; it was read as UTF-16.",)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        return _broken(raw) or _other(raw)
    _refuse_binary(text)
    return text, ()


def _broken(raw: bytes) -> tuple[str, tuple[str, ...]] | None:
    """UTF-8 with a few stray bytes, as where lines of several files came together."""
    text = raw.decode("utf-8", "replace")
    whole, stray = sum(ord(character) > 127 for character in text), text.count("\N{REPLACEMENT CHARACTER}")
    if stray > STRAY * whole:
        return None
    _refuse_binary(text)
    return text, (f"The text is UTF-8 but for {counted(stray, 'character')}, which cannot be read.",)


def _other(raw: bytes) -> tuple[str, tuple[str, ...]]:
    name = _guessed(raw)
    try:
        text = raw.decode(name)
    except UnicodeDecodeError:
        name, text = "latin-1", raw.decode("latin-1")
    _refuse_binary(text)
    words = USUAL[SUBSETS.get(name, name).replace("_", "-")] if name != "latin-1" else "Western European (Latin-1)"
    return text, (f"The text is not UTF-8; it was read as {words}.",)


def _guessed(raw: bytes) -> str:
    """The usual encoding that the lines with anything beyond ASCII speak for: digits say nothing."""
    import chardet

    lines = dict.fromkeys(line for line in raw.splitlines() if not line.isascii())
    probe = b"\n".join(lines)[:PROBE]
    found = chardet.detect_all(probe, True, include_encodings=USUAL, compat_names=False)
    first = [one["encoding"] for one in found if one["confidence"] >= found[0]["confidence"]]
    return "cp1252" if "cp1252" in first or not first or first[0] is None else first[0]


def _strict(raw: bytes, name: str) -> str:
    try:
        text = raw.decode(name)
    except UnicodeDecodeError:
        raise InputError.of(f"text in {name.removesuffix('-sig').upper()}", "bytes that are not", REMEDY) from None
    _refuse_binary(text)
    return text


def _refuse_binary(text: str) -> None:
    if "\x00" in text[:10_000] or len(_CONTROL.findall(text[:10_000])) * 50 > len(text[:10_000]):
        raise InputError.of("a table of text", "binary data", REMEDY)
