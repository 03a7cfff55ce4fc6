"""Five small tables, as an agent may find them in a folder, and models of them, as one may have left them there."""

from pathlib import Path

import numpy as np
import pandas as pd
from tests.promoted import ROWS, table

TABLES = ("sales", "visits", "levels", "houses", "people")


def write_models(folder: Path) -> None:
    """The models of all tables, each with the name of its table."""
    from tests.saved_models.models import place

    models = folder / "autostatistician" / "models"
    models.mkdir(parents=True)
    for name in TABLES:
        (models / f"{name}.json").write_bytes(place("promotions" if name == "sales" else name).read_bytes())


def write_tables(folder: Path) -> None:
    """Sales with promotions, a series with a jump, counts by month, a table of numbers, and one of classes."""
    rng = np.random.default_rng(11)
    table()[:ROWS].to_csv(folder / "sales.csv", index=False)
    n = 84
    months, x = pd.date_range("2012-01-01", periods=n, freq="MS"), np.arange(n) / 12.0
    jump = 30.0 * (np.arange(n) >= 40)
    y = 50.0 + 10.0 * np.sin(2.0 * np.pi * x) + jump + rng.normal(size=n)
    pd.DataFrame({"month": months, "visits": y.round(2)}).to_csv(folder / "visits.csv", index=False)
    years = np.arange(1950, 2000)
    level = 20.0 + 0.8 * (years - 1950) + rng.normal(size=len(years))
    pd.DataFrame({"year": years, "level": level.round(3)}).to_csv(folder / "levels.csv", index=False)
    size, kind = rng.uniform(40.0, 160.0, 60), rng.choice(["flat", "house"], 60)
    price = 3.0 * size + 80.0 * (kind == "house") + 5.0 * rng.normal(size=60)
    pd.DataFrame({"size": size.round(1), "kind": kind, "price": price.round(1)}).to_csv(
        folder / "houses.csv", index=False
    )
    age = rng.uniform(20.0, 80.0, 90)
    bought = rng.random(90) < 1.0 / (1.0 + np.exp(-(age - 50.0) / 5.0))
    pd.DataFrame({"age": age.round(1), "bought": np.where(bought, "yes", "no")}).to_csv(
        folder / "people.csv", index=False
    )
