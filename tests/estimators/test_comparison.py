"""An estimator compares new rows with its forecasts and stays as it is."""

from __future__ import annotations

import pytest
from tests.promoted import AHEAD, PROMOTION, ROWS, fitted, with_sales

from autostatistician.errors import InputError


@pytest.mark.slow
def test_new_rows_are_compared_and_the_model_stays() -> None:
    model = fitted()
    news = model.compare(with_sales())
    assert (len(news.rows), news.surprising, news.search_again, news.moved) == (AHEAD, False, False, ())
    assert str(news).startswith("All 4 new rows lie within the 95% ranges that were forecast.")
    assert f"{ROWS} rows were there already." in news.sentences
    assert model.dataset_.n == ROWS


def test_new_rows_without_columns_are_said_to_have_none() -> None:
    news = fitted().compare(with_sales()[["week", "sales"]])
    assert "New rows have no value of 'promo', 'price'" in str(news)


def test_what_moved_is_named() -> None:
    news = fitted().compare(with_sales(-PROMOTION))
    assert news.surprising
    assert news.rows["missed"].sum() == 1
    (promo,) = [part for part in news.moved if part.name == "'promo'"]
    assert (promo.time, promo.change < 0.0) == ("2025-03-10", True)
    with pytest.raises(InputError, match="new rows"):
        fitted().compare(with_sales()[:ROWS])
