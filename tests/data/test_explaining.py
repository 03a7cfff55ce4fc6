"""Tables of a target and several columns that explain it: which columns are taken, what is said, what is refused."""

from __future__ import annotations

from io import BytesIO

import numpy as np
import pytest

from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.data.load import load
from autostatistician.errors import InputError

RNG = np.random.default_rng(0)
N = 12


def _csv(columns: dict[str, list[object]]) -> BytesIO:
    rows = [",".join(columns), *(",".join(map(str, row)) for row in zip(*columns.values(), strict=True))]
    return BytesIO("\n".join(rows).encode())


def _columns(*names: str) -> dict[str, list[object]]:
    return {name: RNG.permutation(N).tolist() for name in names}


def _said(data: Dataset, words: str) -> bool:
    return any(words in warning for warning in data.warnings)


def test_a_target_without_times_is_modelled_from_all_other_columns() -> None:
    data = load(_csv(_columns("cement", "water", "strength")), target="strength")
    assert data.columns == ("cement", "water")
    assert data.axis is None
    assert _said(data, "'strength' is modelled from all other columns of the table")


def test_a_row_count_and_names_of_rows_explain_nothing() -> None:
    columns = {"id": list(range(N)), **_columns("a", "b", "y"), "name": [f"row {k}" for k in range(N)]}
    data = load(_csv(columns), target="y")
    assert data.columns == ("a", "b")
    assert _said(data, "'id', 'name'")


def test_categories_explain_like_numbers() -> None:
    data = load(_csv({**_columns("a", "y"), "kind": ["red", "blue"] * (N // 2)}), target="y")
    assert data.columns == ("a", "kind")
    assert data.levels == {"kind": ("blue", "red")}


@pytest.mark.parametrize(
    "columns",
    [
        {"day": [f"2020-01-{k + 1:02}" for k in range(N)], **_columns("a", "b", "y")},
        {"x": RNG.permutation(N).tolist(), **_columns("a", "b", "y")},
        {"rising": np.cumsum(np.arange(1, N + 1)).tolist(), **_columns("a", "b", "y")},
        _columns("a", "y"),
    ],
    ids=["dates", "a name of times", "numbers that only rise", "one other column"],
)
def test_series_stay_series(columns: dict[str, list[object]]) -> None:
    data = load(_csv(columns), target="y")
    assert data.axis is not None
    assert len(data.columns) == 1


def test_without_a_named_target_nothing_changes() -> None:
    assert load(_csv(_columns("a", "b", "y"))).axis is not None


def test_unknown_columns_come_with_a_suggestion() -> None:
    with pytest.raises(InputError, match="did you mean 'cement'"):
        load(_csv(_columns("cement", "water", "y")), target="y", inputs=["cemnt"])


def test_a_constant_column_is_said_and_a_table_of_them_refused() -> None:
    X = np.column_stack([np.arange(5.0), np.ones(5)])
    assert _said(from_arrays(X, np.arange(5.0), ("a", "b")), "the same value of column 'b'")
    with pytest.raises(InputError, match="an input column that varies; found one value each in 'a', 'b'"):
        from_arrays(np.ones((5, 2)), np.arange(5.0), ("a", "b"))


def test_more_columns_than_rows_are_refused() -> None:
    with pytest.raises(InputError, match=r"at least as many rows as columns; found 2 samples of 3 columns"):
        from_arrays(np.arange(6.0).reshape(2, 3), np.ones(2))


def test_a_million_rows_are_refused_with_a_word_on_what_to_do() -> None:
    X = np.broadcast_to(np.arange(1_000_000.0)[:, None], (1_000_000, 2))
    with pytest.raises(InputError, match="draw 2000 of the rows by chance"):
        from_arrays(X, X[:, 0])
