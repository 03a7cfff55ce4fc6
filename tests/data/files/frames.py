"""Tables as frames, for the tests of what is read from files."""

from pathlib import Path

import openpyxl
import pandas as pd

from autostatistician.data.files.read import Source, frame_of_cells, read_cells
from autostatistician.data.row_limits import READ_LIMITS, ReadLimits


def read_table(source: Source, limits: ReadLimits = READ_LIMITS) -> pd.DataFrame:
    """A table of a file as a frame."""
    return frame_of_cells(read_cells(source, limits))


def workbook(path: Path, *sheets: list[list[object]]) -> Path:
    """A file of Excel with these rows."""
    book = openpyxl.Workbook()
    book.remove(book.active)
    for rows in sheets:
        sheet = book.create_sheet()
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path
