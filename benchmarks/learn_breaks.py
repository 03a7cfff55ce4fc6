"""How often errors of forecasts are larger than the models expect, and by how much: a mixture of two scales.

Series of the `learning` half of the corpus are fitted with the defaults and forecast without breaks and with several
chances and sizes of them. Losses are those of the corpus, relative to the seasonal naive rule: geometric means over six
tasks. Written to `results/breaks.csv`; the package holds the chance and the sizes (`model/breaks_ahead.py`).

Usage: python benchmarks/learn_breaks.py [--each 12] [--rows 180]
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any
from unittest.mock import patch

import pandas as pd

from autostatistician import AutomaticStatistician
from autostatistician.model import breaks_ahead
from autostatistician.model.predictions import Options, Predictor
from corpus_scores import LEVELS
from corpus_series import Series
from learn_growth import beside_naive, learn

CHANCES, WIDER, NARROWER = (0.05, 0.1, 0.15), (2.5, 3.0, 4.0), (0.9, 1.0)


def losses(series: Series) -> Iterator[dict[str, Any]]:
    """One row for every mixture by which a series is forecast."""
    n = len(series.values)
    model = AutomaticStatistician(n_jobs=1).fit(pd.DataFrame({"date": series.dates[:n]}), series.values).model_
    assert model.dataset.axis is not None
    X = model.dataset.axis.future(model.last, series.horizon)[:, None]
    for chance, wider, narrower in ((0.0, 1.0, 1.0), *product(CHANCES, WIDER, NARROWER)):
        with patch.multiple(breaks_ahead, CHANCE=chance, WIDER=wider, NARROWER=narrower):
            ahead = Predictor(model, Options(breaks=chance > 0.0)).predictive(X)
        yield ({"chance": chance, "wider": wider, "narrower": narrower} | beside_naive(series, ahead.quantiles(LEVELS)))


if __name__ == "__main__":
    learn(__doc__, "breaks.csv", losses, ["chance", "wider", "narrower"])
