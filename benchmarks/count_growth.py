"""Forecasts of counts drawn to past growth, or not: the choice behind `growth` in `model/ensemble.py`.

Real series of counts are those of `counts.py`, made ones are its monthly series about a season, a trend or a walk, and
days of intermittent demand (`intermittent.py`). Each is modelled as counts once without its last fifth; that fifth is
forecast with means that go so much of the way (``share``) to the growth of the whole of the pseudo-targets, 0 being
what the package does, .6 what it does on a logarithm (`model/past_growth.py`). Scores are means over the rows: the log
probability of a count, and the CRPS over that of share 0.

Usage: python benchmarks/count_growth.py [--part real made intermittent] [--count 10] [--summary]
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from autostatistician import AutomaticStatistician, TargetOptions
from autostatistician.model.ensemble import Ensemble
from autostatistician.model.past_growth import SHARE_OF_PAST, drawn_to_past, past_growth
from autostatistician.model.predictions import Predictor
from common import Ledger, Row, arguments, code_version, geometric_mean, read_rows, table
from counts import HELD_OUT, SERIES, real, simulated
from intermittent import made

Array = NDArray[np.float64]

CASE = ("part", "series", "share")
COLUMNS = ("code", "rows", "ahead", "log_score", "crps", "coverage95", "expression")
SHARES = (0.0, 0.5 * SHARE_OF_PAST, SHARE_OF_PAST)
PARTS = ("real", "made", "intermittent")
FIRST_SEED = 15_000  # of made series, apart from those that other tables show


@dataclass(frozen=True)
class Drawn(Predictor):
    """Predictions whose means go a share of the way to the growth of the whole."""

    share: float = 0.0

    def _ensemble(self) -> Ensemble:
        return replace(super()._ensemble(), growth=None)

    def _members(self, X: Array, signal: bool) -> tuple[Array, Array, Array]:
        means, sds, weights = super()._members(X, signal)
        slope = past_growth(self.model.modelled, is_log=True)
        moved = [drawn_to_past(member, X, slope, self.share) for member in self._ensemble().members]
        return means + np.array(moved), sds, weights


def series(part: str, name: str) -> pd.DataFrame:
    """The times and counts of a series."""
    if part == "real":
        return real(name)
    if part == "made":
        return simulated(int(name))
    sold = made(int(name))
    return pd.DataFrame({"time": pd.date_range("2015-01-05", periods=len(sold), freq="D"), "count": sold})


def run(part: str, name: str, code: str) -> Iterator[Row]:
    """One model of the first four fifths of a series, the last fifth forecast with each share."""
    frame = series(part, name)
    ahead = round(HELD_OUT * len(frame))
    before, after = frame.iloc[:-ahead], frame.iloc[-ahead:]
    options = TargetOptions(likelihood="poisson")
    model = AutomaticStatistician(n_jobs=1, target_options=options).fit(before[["time"]], before["count"])
    y, (usual, X) = after["count"].to_numpy(dtype=np.float64), model._predictor_at(after[["time"]])
    for share in SHARES:
        ways = Drawn(usual.model, usual.options, usual.courses, usual.sizes, share=share).predictive(X)
        lower, upper = ways.quantiles((0.025, 0.975)).T
        yield {
            "part": part, "series": name, "share": f"{share:.2f}", "code": code, "rows": len(before), "ahead": ahead,
            "log_score": f"{ways.log_density(y).mean():.4f}", "crps": f"{ways.crps(y).mean():.4g}",
            "coverage95": f"{np.mean((lower <= y) & (y <= upper)):.3f}", "expression": str(model.kernel_),
        }  # fmt: skip


def summary(rows: Sequence[Row]) -> list[Row]:
    """What each share gains over none: a row in the logarithm with its standard error, and of the CRPS."""
    found: list[Row] = []
    for part in PARTS:
        mine = [row for row in rows if row["part"] == part]
        none = {row["series"]: row for row in mine if float(row["share"]) == 0.0}
        for share in dict.fromkeys(row["share"] for row in mine):
            pairs = [(row, none[row["series"]]) for row in mine if row["share"] == share]
            gains = np.array([float(row["log_score"]) - float(plain["log_score"]) for row, plain in pairs])
            held = sum(float(row["coverage95"]) * int(row["ahead"]) for row, _ in pairs)
            found.append({
                "part": part, "share": share, "series": len(pairs), "gain": f"{gains.mean():+.4f}",
                "error": f"{gains.std(ddof=1) / len(gains) ** 0.5:.4f}" if len(gains) > 1 else "",
                "better": int((gains > 0.0).sum()), "worse": int((gains < 0.0).sum()),
                "crps": f"{geometric_mean(float(row['crps']) / float(plain['crps']) for row, plain in pairs):.4f}",
                "ranges hold": f"{held / sum(int(row['ahead']) for row, _ in pairs):.3f}",
            })  # fmt: skip
    return found


def main() -> None:
    """Run what is missing in the table, or show what it says."""
    parser = arguments(__doc__, "count-growth.csv", languages=())
    parser.add_argument("--part", nargs="+", default=list(PARTS), choices=PARTS, help="these alone")
    parser.add_argument("--count", type=int, default=10, help="made series of each part")
    given = parser.parse_args()
    ledger, code = Ledger(given.csv, CASE, COLUMNS, fresh=given.fresh), code_version()
    seeds = [str(FIRST_SEED + k) for k in range(given.count)]
    every = [(part, name) for part in given.part for name in (SERIES if part == "real" else seeds)]
    for part, name in every:
        cases = [{"part": part, "series": name, "share": f"{share:.2f}", "code": code} for share in SHARES]
        if not given.summary and ledger.left(cases):
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                for row in run(part, name, code):
                    ledger.write(row)
    print(table(summary(read_rows(given.csv))))


if __name__ == "__main__":
    main()
