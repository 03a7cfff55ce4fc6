"""On which rows of a long series a search goes on: first on few that show the long and the short, in the end on all.

Any rows of a series are data of the same model, so the structure that a part of them shows is one of the whole. What a
part does not show is looked for on more rows, beginning with what was found; and no score of a part is ever reported.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from autostatistician.data.dataset import Dataset, Kind
from autostatistician.kernels.grammar import Language
from autostatistician.search.constants import (
    FIRST_ROWS,
    GROWTH,
    MOST_AT_ONCE_IN_COMPARISON,
    MOST_ROWS_BY_EVIDENCE,
    STAGES_OF_TABLE,
)

__all__ = ["rows_of_stages", "sample_of_series"]

Rows = NDArray[np.intp]

MOST_AT_ONCE = MOST_ROWS_BY_EVIDENCE  # up to which all rows of a series take part from the beginning
BLOCKS = 4  # of neighbouring rows in a sample
SHARE_OF_BLOCKS = 0.5


def rows_of_stages(dataset: Dataset, language: Language, seed: int) -> tuple[Rows, ...]:
    """The rows of every stage of a search, in ascending order, each among the next; those of the last are all.

    Races of tables look at samples by themselves: these have stages only where one matrix no longer bears all rows.

    >>> from autostatistician.kernels.grammar import LANGUAGES
    >>> series = Dataset(np.arange(10_000.0)[:, None], np.ones(10_000), ("x",), "y", None)
    >>> [len(rows) for rows in rows_of_stages(series, LANGUAGES["extended"], 0)]
    [250, 1684, 10000]
    """
    n, every = dataset.n, np.arange(dataset.n)
    at_once = MOST_AT_ONCE if language.criterion == "evidence" else MOST_AT_ONCE_IN_COMPARISON
    if dataset.kind is not Kind.SERIES:
        return (every,) if dataset.classes else _stages_of_table(n, seed)
    if n <= at_once:
        return (every,)
    count = max(int(np.ceil(np.log(n / FIRST_ROWS) / np.log(GROWTH))), 1)
    sizes = [round(FIRST_ROWS * (n / FIRST_ROWS) ** (number / count)) for number in range(count)]
    rng = np.random.default_rng(seed)
    stages: list[Rows] = []
    for size in sizes:
        drawn = sample_of_series(dataset.x, size, rng)
        stages.append(np.union1d(drawn, stages[-1]) if stages else drawn)
    return (*stages, every)


def _stages_of_table(n: int, seed: int) -> tuple[Rows, ...]:
    """Random rows, each among the next: as many as one matrix bears with ease, and then all."""
    order = np.random.default_rng(seed).permutation(n)
    return (*(np.sort(order[:size]) for size in STAGES_OF_TABLE if 2 * size < n), np.arange(n))


def sample_of_series(x: NDArray[np.float64], count: int, rng: np.random.Generator) -> Rows:
    """About ``count`` rows of a series at ``x`` (n,): some blocks of neighbours, and one row from each even stretch.

    Blocks show what changes from row to row, the others what changes slowly. These are drawn within their stretches,
    since an even step could be that of a season.

    >>> rows = sample_of_series(np.arange(1000.0), 100, np.random.default_rng(0))
    >>> len(rows), int(np.sum(np.diff(rows) == 1)) >= 40, bool(np.diff(rows).max() < 50)
    (100, True, True)
    """
    n = len(x)
    length = round(SHARE_OF_BLOCKS * count / BLOCKS)
    begins = np.linspace(0, n - length, BLOCKS).round().astype(np.intp)
    in_blocks = (begins[:, None] + np.arange(length)).reshape(-1)
    others = np.setdiff1d(np.arange(n), in_blocks)
    edges = np.linspace(0, len(others), count - len(in_blocks) + 1)
    drawn = np.floor(edges[:-1] + rng.random(len(edges) - 1) * np.diff(edges)).astype(np.intp)
    places = np.sort(np.concatenate([in_blocks, others[drawn]]))
    return np.sort(np.argsort(x, kind="stable")[places])
