"""One peer on series of intermittent demand: quantiles of the days ahead, in an environment of its own.

Called by `intermittent.py`: the model, a file of arrays (`y`, one row a series, `h` days ahead, `levels`), the output.
Croston's family has no ranges of its own; they are those of conformal prediction, as statsforecast offers them.
"""

from __future__ import annotations

import sys
import warnings

import numpy as np
from statsforecast import models
from statsforecast.utils import ConformalIntervals

WINDOWS = 2  # of the days ahead, by whose errors ranges are made
PLAIN = ("AutoETS", "SeasonalNaive")  # have their own
WEEK = 7


def quantiles(name: str, y: np.ndarray, h: int, levels: np.ndarray) -> np.ndarray:
    """Quantiles (h, number of levels) of one series; the levels are symmetric about a half."""
    bands = [float(100.0 * (1.0 - 2.0 * level)) for level in levels if level < 0.5]
    kind = getattr(models, name)
    if name == "AutoETS" or name == "SeasonalNaive":
        model = kind(season_length=WEEK)
    else:
        intervals = ConformalIntervals(h=h, n_windows=WINDOWS)
        options = {"alpha_d": 0.1, "alpha_p": 0.1} if name == "TSB" else {}
        model = kind(prediction_intervals=intervals, **options)
    made = model.forecast(y=y.astype(np.float64), h=h, level=sorted(bands))
    low = [np.asarray(made[_key(made, "lo", band)]) for band in bands]
    high = [np.asarray(made[_key(made, "hi", band)]) for band in bands[::-1]]
    return np.array([*low, np.asarray(made["mean"]), *high]).T


def _key(made: dict[str, object], side: str, band: float) -> str:
    """The name of an end of a band, however its number is written."""
    return next(key for key in made if key.startswith(side) and abs(float(key.split("-", 1)[1]) - band) < 1e-9)


def main() -> None:
    """Write the quantiles (number of series, h, number of levels) of one peer."""
    name, source, target = sys.argv[1:]
    warnings.simplefilter("ignore")
    given = np.load(source)
    h, levels = int(given["h"]), given["levels"]
    made = np.array([quantiles(name, y, h, levels) for y in given["y"]])
    np.save(target, np.maximum(made, 0.0))


if __name__ == "__main__":
    main()
