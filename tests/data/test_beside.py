from __future__ import annotations

import io
import json

import numpy as np

from autostatistician.data.dataset import Dataset
from autostatistician.data.load import load

DAYS = [f"2024-03-{day:02d}" for day in range(1, 25)]
SALES = [float(20 + (7 * k) % 11) for k in range(24)]


def _csv(**columns: list[object]) -> io.BytesIO:
    rows = [
        ",".join(columns),
        *(",".join("" if cell is None else str(cell) for cell in row) for row in zip(*columns.values(), strict=True)),
    ]
    return io.BytesIO("\n".join(rows).encode())


def _said(data: Dataset, text: str) -> bool:
    return any(text in warning for warning in data.warnings)


def test_columns_beside_a_series_are_kept_with_their_times() -> None:
    price = [4.5 + 0.1 * (k % 5) for k in range(24)]
    data = load(_csv(day=DAYS, sales=SALES, price=price, shop=["b", "a"] * 12), target="sales")
    assert data.covariates is not None
    assert data.columns == ("day",)
    assert data.covariates.of("price", data.x).tolist() == price
    shop = data.covariates.table[1]
    assert (shop.levels, shop.values[:2].tolist()) == (("a", "b"), [1.0, 0.0])


def test_rows_below_the_last_target_are_a_plan() -> None:
    sales = [*SALES[:20], None, None, None, None]
    data = load(_csv(day=DAYS, sales=sales, promo=[0, 1] * 12), target="sales")
    assert data.n == 20
    assert data.covariates is not None
    assert data.covariates.of("promo", np.array([20.0, 21.0]) + data.x[0]).tolist() == [0.0, 1.0]


def test_time_alone_is_modelled_where_that_is_asked_for() -> None:
    table = {"day": DAYS, "sales": SALES, "promo": [0, 1] * 12}
    assert load(_csv(**table), target="sales", inputs=["none"]).covariates is None
    named = load(_csv(**table, price=[k % 7 for k in range(24)]), time="day", target="sales", inputs=["promo"])
    assert named.covariates is not None
    assert named.covariates.names == ("promo",)


def test_what_cannot_be_used_is_said_and_the_rest_is_done() -> None:
    holes = [None if k % 3 else k for k in range(24)]
    few = [None if k == 4 else k % 5 for k in range(24)]
    same = [1] * 20 + [2] * 4
    sales = [*SALES[:20], None, None, None, None]
    data = load(_csv(day=DAYS, sales=sales, holes=holes, few=few, same=same), target="sales")
    assert data.covariates is not None
    assert data.covariates.names == ("few",)
    assert _said(data, "Not used, because it is the same in all rows with a target: 'same'.")
    assert _said(data, "Column 'few' has no value in 1 row; there it explains nothing.")


def test_the_record_of_a_data_set_keeps_its_columns() -> None:
    data = load(_csv(day=DAYS, sales=SALES, promo=[0, None] * 12), target="sales")
    again = Dataset.from_json(json.loads(json.dumps(data.to_json())))
    assert (data.covariates is None) == (again.covariates is None)
    priced = load(_csv(day=DAYS, sales=SALES, promo=[0, 1, None] * 8), target="sales")
    again = Dataset.from_json(json.loads(json.dumps(priced.to_json())))
    assert again.covariates is not None
    assert priced.covariates is not None
    np.testing.assert_array_equal(again.covariates.of("promo", data.x), priced.covariates.of("promo", data.x))


def test_classes_over_time_have_no_columns_beside_them() -> None:
    data = load(_csv(day=DAYS, won=["yes", "no"] * 12, promo=[0, 1, 1] * 8), target="won", task="class")
    assert data.covariates is None
    assert _said(data, "over time alone")
