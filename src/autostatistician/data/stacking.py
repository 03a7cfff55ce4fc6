"""Several outputs beside each other become one column under each other, so that one model can be searched for all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.frames import frame_of
from autostatistician.errors import InputError
from autostatistician.wording.lists import listed

__all__ = ["stacked"]


def stacked(frame: Any, outputs: Sequence[str], name: str = "output") -> tuple[Any, NDArray[np.float64]]:
    """A table with several outputs as one with a single target and one more column of categories.

    A search over the result (`AutomaticStatistician`) can then say what all outputs share and where they differ. Put
    outputs of different units on one scale before.

    Parameters
    ----------
    frame : frame of pandas, Polars or another library
    outputs : sequence of str
        Columns that are outputs; all others are inputs. Missing values are left out.
    name : str
        Of the new column, which holds the names of the outputs.

    Returns
    -------
    frame
        The inputs of every observation and the name of its output.
    array (m,)
        The observations.

    Raises
    ------
    InputError
        When there is no frame, or a column is not there or already taken.

    Examples
    --------
    >>> import pandas as pd
    >>> inputs, y = stacked(pd.DataFrame({"x": [1, 2], "north": [5.0, None], "south": [7.0, 8.0]}), ["north", "south"])
    >>> inputs.to_dict("list"), y.tolist()
    ({'x': [1, 1, 2], 'output': ['north', 'south', 'south']}, [5.0, 7.0, 8.0])
    """
    import narwhals.stable.v2 as nw

    view = frame_of(frame)
    if not isinstance(view, nw.DataFrame):
        raise InputError.of("a data frame", f"a {type(frame).__name__}", "give the columns names in a frame")
    if absent := [column for column in outputs if column not in view.columns]:
        raise InputError.of(f"the columns {listed(view.columns)}", listed(absent), "name outputs that are there")
    inputs = [column for column in view.columns if column not in outputs]
    if name in inputs or not inputs or not outputs:
        names = f"{listed(inputs)} as inputs"
        raise InputError.of(f"outputs, and inputs not called {name!r}", names, "choose another name, or other outputs")
    taken = {*view.columns, name}
    value, row = (_free(word, taken) for word in ("value", "row"))
    numbered = view.with_row_index(row)
    long = numbered.unpivot(on=list(outputs), index=[row, *inputs], variable_name=name, value_name=value)
    filled = long.filter(nw.col(value).cast(nw.Float64).fill_null(float("nan")).is_finite())
    ordered = filled.sort(row, name)
    y = ordered.get_column(value).cast(nw.Float64).to_numpy()
    return ordered.select(*inputs, name).to_native(), np.array(y, dtype=np.float64)


def _free(word: str, taken: set[str]) -> str:
    while word in taken:
        word += "_"
    return word
