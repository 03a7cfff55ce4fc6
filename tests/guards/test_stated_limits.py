"""Pages state the limits of rows that the code has, and no others."""

import re
from pathlib import Path

from autostatistician.data.measurements import MOST_ROWS as OF_CLUSTERS
from autostatistician.data.row_limits import ROW_LIMITS
from autostatistician.gp.engines.inducing import MOST_ROWS as OF_INDUCING_POINTS

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").rglob("*.md"))]


def _written(count: int) -> str:
    """As pages write a number of rows: "a million", "200 000", "3000"."""
    if count == 1_000_000:
        return "a million"
    return f"{count:,}".replace(",", " ") if count >= 10_000 else f"{count}"


TABLES, SERIES, CLASSES = _written(ROW_LIMITS.tables), _written(ROW_LIMITS.rows), _written(ROW_LIMITS.classes)
STATED = (
    ("README.md", f"tables of 10 000 rows minutes, those of {TABLES} hours."),
    ("CHANGELOG.md", f"Tables of more than {TABLES} rows are refused"),
    ("docs/how-to/additive.md", f"At most {_written(OF_INDUCING_POINTS)} rows."),
    ("docs/how-to/tables.md", f"At most {TABLES} rows ({CLASSES} for classes)"),
    (
        "docs/how-to/scikit-learn.md",
        f"more than {SERIES} rows of a series, {CLASSES} with classes, {TABLES} of a table",
    ),
    ("docs/reference/command-line.md", f"3 to {SERIES} with a time and a value ({CLASSES} of classes)"),
    ("docs/reference/command-line.md", f"from {_written(ROW_LIMITS.long)} on it is said how long a search takes"),
    ("docs/reference/command-line.md", f"5 to {_written(OF_CLUSTERS)} rows"),
)
REFUSALS = r"[^.|\n]*\brows\b[^.|\n]*(?:\brefused\b|\bdo not fit\b|\ban error\b)|\bAt most [^.|\n]*\brows\b"


def test_pages_state_the_limits_of_the_code() -> None:
    assert [sentence for page, sentence in STATED if sentence not in (ROOT / page).read_text(encoding="utf-8")] == []


def test_sentences_that_refuse_many_rows_are_among_those_compared() -> None:
    for page in PAGES:
        refused = (match.group() for match in re.finditer(REFUSALS, page.read_text(encoding="utf-8")))
        many = [said for said in refused if re.search(r"\d{4}|\d 000|million", said)]
        compared = [sentence for name, sentence in STATED if ROOT / name == page]
        assert [said for said in many if not any(sentence.rstrip(".") in said for sentence in compared)] == []
