"""Tables as frames, for the tests of what is read from files."""

from __future__ import annotations

import pandas as pd

from autostatistician.data.files.read import Source, frame_of_cells, read_cells
from autostatistician.data.row_limits import READ_LIMITS, ReadLimits


def read_table(source: Source, limits: ReadLimits = READ_LIMITS) -> pd.DataFrame:
    """A table of a file as a frame."""
    return frame_of_cells(read_cells(source, limits))
