"""A series with two columns that move it, its plan, and the model of it, for tests of what is asked of such models."""

import numpy as np
import pandas as pd

from autostatistician import AutomaticStatistician

ROWS, AHEAD = 60, 4
PROMOTION, PRICE = 20.0, -8.0  # what one unit of each column does to the sales


def table() -> pd.DataFrame:
    """Weekly sales with a trend, promotions and prices; the last rows are a plan without sales."""
    rng, n = np.random.default_rng(5), ROWS + AHEAD
    weeks = pd.date_range("2024-01-01", periods=n, freq="W-MON")
    promo = (rng.random(n) < 0.3).astype(float)
    price = 5.0 + 0.4 * rng.standard_normal(n)
    sales = 100.0 + 0.5 * np.arange(n) + PROMOTION * promo + PRICE * (price - 5.0) + rng.standard_normal(n)
    frame = pd.DataFrame({"week": weeks, "sales": sales, "promo": promo, "price": price})
    frame.loc[ROWS:, "sales"] = np.nan
    return frame


def with_sales(per_promotion: float = 0.0) -> pd.DataFrame:
    """The whole table, with what was sold in the weeks of the plan, where promotions sell so much more than before."""
    rows, noise = table(), np.random.default_rng(9).standard_normal(AHEAD)
    ahead = rows[ROWS:]
    sales = 100.0 + 0.5 * np.arange(ROWS, ROWS + AHEAD) + (PROMOTION + per_promotion) * ahead["promo"]
    rows.loc[ROWS:, "sales"] = sales + PRICE * (ahead["price"] - 5.0) + noise
    return rows


def fitted(plan: bool = False) -> AutomaticStatistician:
    """The model of the rows with sales, with or without the plan; nobody may change it."""
    from tests.saved_models.models import saved

    model: AutomaticStatistician = saved("promotions-plan" if plan else "promotions")
    return model
