"""Files of a few columns, and what is said of them."""

from collections.abc import Mapping, Sequence
from io import BytesIO

from autostatistician.data.dataset import Dataset


def csv_of(columns: Mapping[str, Sequence[object]]) -> BytesIO:
    """A file of these columns; nothing is an empty cell."""
    rows = [list(columns), *zip(*columns.values(), strict=True)]
    return BytesIO("\n".join(",".join("" if cell is None else str(cell) for cell in row) for row in rows).encode())


def said(data: Dataset, words: str) -> bool:
    """Whether a note of the data holds these words."""
    return any(words in note for note in data.warnings)
