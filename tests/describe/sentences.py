"""What holds of every text of a document, whatever it tells: grammar, numbers, marks.

End-to-end tests call `check_document` on what they make. Names of columns and categories, which stand in quotes, may be
anything; what is said of them may not.
"""

import re
from collections.abc import Iterator

from autostatistician.describe.document.document import Block, Bullets, Document, Figure, Paragraph, Section, Table

QUOTED = re.compile(r"(?<!\w)'[^'\n]*'(?!\w)")
MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
ARTICLE = re.compile(r"\b(a|an) (\d[\d,.]*|\w+)", re.IGNORECASE)
UNITS = "year|month|week|day|hour|minute|second|unit|value|row|column|cluster|part|step|cycle"
FORMULA = re.compile(r"C[PW]\(a, b\): .*")  # where "a" is no article
FORBIDDEN = {
    "a blank too many": r"  | ,| \.(?![\d.])| ;|,,|,\.|(?<!\.)\.\.(?!\.)|;\.|,;|\( | \)",
    "no value": r"\b(nan|inf|None(?! found| of)|NaN|Infinity|True|False)\b",
    "one of several": rf"(?<![\d.,–−])1 ({UNITS})s\b(?! of)",
    "several of one": rf"(?<![\d.,])(?!1 )\d[\d,.]* ({UNITS})(?=[.,;:)]|$)",
    "the wrong word of place": rf"\bat (the )?({MONTHS})\b|\b(in|at) \d{{1,2}} ({MONTHS})\b|\bon ({MONTHS}) \d{{4}}\b",
    "a word twice": r"(?i)\b(?!had\b|that\b)([a-z]\w*) \1\b",
    "an identifier": r"(?<![\w\[/(*+])[a-z]+_[a-z_]+\b",
    "a long number": r"\d\.\d{7,}|\d{8,}(?!\d*[,.])|\de[+-]\d",
    "the sign of a computer": r"(?<![\w\]])-\d",
    "a brace or an object": r"[{}]|<\w+ object",
}  # fmt: skip


def check_text(text: str) -> None:
    """A title, a cell or a label: no slips of grammar, nothing that is no word or number."""
    plain = QUOTED.sub("'x'", text)
    for what, pattern in FORBIDDEN.items():
        found = re.search(pattern, plain)
        assert found is None, f"{what} ({found.group()!r}): {text}"
    for article, word in ARTICLE.findall(FORMULA.sub("", plain)):
        vowel = re.match(r"[aeiou]|8|1[18](\D|$)|1[18],|hour|honest", word.lower())
        vowel = vowel and not re.match(r"uni|one|once|us|eu", word.lower())
        if len(word) > 1 or word.isdigit():
            assert (article.lower() == "an") == bool(vowel), f"{article} {word}: {text}"
    for first, last in ("()", "[]", "“”"):
        assert plain.count(first) == plain.count(last), f"{first} without {last}: {text}"
    assert plain.count('"') % 2 == 0, f"a quotation that does not end: {text}"


def check_sentence(text: str) -> None:
    """A paragraph or an item: sentences with a capital at the start and a full stop at the end."""
    check_text(text)
    assert text == text.strip()
    assert text[0].isupper() or not text[0].isalpha(), text
    assert text.endswith((".", ":", '."')), text
    for start in re.findall(r"(?<=[a-z]{3}\. )[a-z]\w*", QUOTED.sub("'X'", text)):
        raise AssertionError(f"a sentence that begins with {start!r}: {text}")


def check_document(made: Document) -> None:
    """All texts of a document."""
    for text in filter(None, (made.title, made.subtitle)):
        check_text(text)
    for text in filter(None, (made.abstract, made.choice, *made.points)):
        check_sentence(text)
    if made.picture is not None:
        _check_block(made.picture)
    for section in sections_of((*made.sections, *made.found)):
        check_text(section.title)
        for block in section.blocks:
            _check_block(block)


def _check_block(block: Block) -> None:
    match block:
        case Paragraph():
            check_sentence(block.text)
        case Bullets():
            for item in block.items:
                check_sentence(item)
        case Table():
            check_sentence(block.caption)
            for text in filter(None, (*block.header, *block.notes.split("\n"))):
                check_text(text)
        case Figure():
            check_sentence(block.caption)
            check_sentence(block.alt)
            for panel in block.panels:
                for text in (panel.title, panel.y_label, *(layer.label for layer in panel.layers)):
                    check_text(text)


def sections_of(sections: tuple[Section, ...]) -> Iterator[Section]:
    """All sections with those inside of them, in the order of the page."""
    for section in sections:
        yield section
        yield from sections_of(section.sections)
