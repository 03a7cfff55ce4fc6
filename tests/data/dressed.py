"""Series written as people write tables: orders of dates, titles, totals, units, gaps, blocks, matrices, encodings."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

MONTHS = ("January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
          "December")  # fmt: skip
SHORT = tuple(month[:3] for month in MONTHS)
Text = Callable[[pd.Timestamp], str]
# The ways to write the times of a step: names of columns, and what stands in them.
DATES: dict[str, Sequence[tuple[str, Text]]] = {
    "iso": [("date", lambda t: f"{t:%Y-%m-%d}")],
    "day/month/year": [("date", lambda t: f"{t:%d/%m/%Y}")],
    "month/day/year": [("date", lambda t: f"{t:%m/%d/%Y}")],
    "day.month.year": [("date", lambda t: f"{t:%d.%m.%Y}")],
    "in words": [("date", lambda t: f"{t.day} {MONTHS[t.month - 1]} {t.year}")],
}
OF_DAYS: dict[str, Sequence[tuple[str, Text]]] = {
    "digits": [("date", lambda t: f"{t:%Y%m%d}")],
    "year, month, day": [
        ("year", lambda t: f"{t.year}"),
        ("month", lambda t: f"{t.month}"),
        ("day", lambda t: f"{t.day}"),
    ],
    "short": [("date", lambda t: f"{t.day:02d}-{SHORT[t.month - 1]}-{t:%y}")],
}
OF_MONTHS: dict[str, Sequence[tuple[str, Text]]] = {
    "year-month": [("month", lambda t: f"{t:%Y-%m}")],
    "month year": [("month", lambda t: f"{SHORT[t.month - 1]} {t.year}")],
    "year, month": [("Year", lambda t: f"{t.year}"), ("Month", lambda t: SHORT[t.month - 1])],
    "yearM": [("date", lambda t: f"{t.year}M{t.month:02d}")],
}
OF_QUARTERS: dict[str, Sequence[tuple[str, Text]]] = {
    "yearQ": [("date", lambda t: f"{t.year}Q{t.quarter}")],
    "Q year": [("date", lambda t: f"Q{t.quarter} {t.year}")],
    "year, quarter": [("year", lambda t: f"{t.year}"), ("quarter", lambda t: f"{t.quarter}")],
}
OF_HOURS: dict[str, Sequence[tuple[str, Text]]] = {
    "iso": [("date", lambda t: f"{t:%Y-%m-%d %H:%M}")],
    "day/month/year": [("date", lambda t: f"{t:%d/%m/%Y %H:%M}")],
    "date, hour": [("date", lambda t: f"{t:%Y-%m-%d}"), ("hour", lambda t: f"{t.hour}")],
    "digits": [("date", lambda t: f"{t:%Y%m%d%H}")],
}
STEPS = {
    "D": DATES | OF_DAYS, "B": DATES | OF_DAYS, "W-SUN": DATES, "MS": DATES | OF_MONTHS, "ME": DATES | OF_MONTHS,
    "QS": DATES | OF_QUARTERS, "YS": {"year": [("year", lambda t: f"{t.year}")]}, "h": OF_HOURS,
}  # fmt: skip
# What a number of so many decimals looks like, and the delimiters that are usual beside it.
NUMBERS: dict[str, tuple[Callable[[str], str], str]] = {
    "plain": (lambda cell: cell.replace(",", ""), ",;\t"),
    "US": (lambda cell: cell, ",\t"),
    "German": (lambda cell: cell.translate(str.maketrans(",.", ".,")), ";"),
    "kilograms": (lambda cell: f"{cell.replace(',', '')} kg", ",;\t"),
    "dollars": (lambda cell: f"${cell}", ",\t"),
    "blanks": (lambda cell: cell.replace(",", " "), ",;\t"),
}
GAPS = ("", "NA", "n/a", "-", "..")
TITLES = ("Statistics of the town, table 3", "Table 3")


@dataclass(frozen=True)
class Dressed:
    """A file, what is written in it by time, and how."""

    content: bytes
    series: "pd.Series[float]"
    how: str


def dressed(seed: int) -> Dressed:
    """A series in random dress; its numbers have two decimals, as three would leave open what a point means."""
    rng = np.random.default_rng([7, seed])
    step = str(rng.choice(list(STEPS)))
    times = pd.date_range("2003-01-01", periods=int(rng.integers(24, 90)), freq=step)
    values = np.round(10.0 ** rng.integers(0, 6) * (5.0 + np.cumsum(rng.normal(0.0, 0.1, len(times)))), 2)
    way, look = str(rng.choice(list(STEPS[step]))), str(rng.choice(list(NUMBERS)))
    write, delimiters = NUMBERS[look]
    delimiter = str(rng.choice(list(delimiters)))
    gaps = (rng.random(len(times)) < 0.06) if rng.random() < 0.3 else np.zeros(len(times), dtype=bool)
    gaps[[0, -1]] = False
    mark = str(rng.choice(GAPS))
    cells = [mark if gap else write(f"{value:,.2f}") for gap, value in zip(gaps, values, strict=True)]
    if step == "MS" and rng.random() < 0.3:
        rows, way = _matrix(times, cells), "matrix"
    else:
        rows = _long(STEPS[step][way], times, cells, rng)
    if rng.random() < 0.1 and not gaps.any() and look == "plain" and way != "matrix":
        rows.append(["Total", *[""] * (len(rows[0]) - 2), f"{values.sum():.2f}"])
    above = [[str(rng.choice(TITLES))]] if rng.random() < 0.2 else []
    below = [["Source: statistics office"]] if rng.random() < 0.2 else []
    quoted = [
        delimiter.join(f'"{cell}"' if delimiter in cell and row not in above else cell for cell in row)
        for row in [*above, *rows, *below]
    ]
    encoding = str(rng.choice(["utf-8", "utf-8-sig", "latin-1", "utf-16"]))
    series = pd.Series(values, times)[~gaps]
    return Dressed("\n".join(quoted).encode(encoding), series, f"{step} {way} {look} {delimiter!r} {mark!r} {encoding}")


def _long(
    ways: Sequence[tuple[str, Text]], times: pd.DatetimeIndex, cells: Sequence[str], rng: np.random.Generator
) -> list[list[str]]:
    """A row for each time, at times the newest first, or with a year once for all its rows."""
    rows = [[*(write(time) for _, write in ways), cell] for time, cell in zip(times, cells, strict=True)]
    if len(ways) > 1 and ways[0][0].lower() == "year" and rng.random() < 0.4:
        years = [row[0] for row in rows]
        rows = [
            ["" if k and year == years[k - 1] else year, *row[1:]]
            for k, (year, row) in enumerate(zip(years, rows, strict=True))
        ]
    elif rng.random() < 0.2:
        rows = rows[::-1]
    return [[*(name for name, _ in ways), "sales"], *rows]


def _matrix(times: pd.DatetimeIndex, cells: Sequence[str]) -> list[list[str]]:
    """A row for each year, a column for each month."""
    written: NDArray[np.str_] = np.full((times.year.nunique(), 12), "", dtype="U20")
    written[times.year - times.year.min(), times.month - 1] = cells
    years = [str(year) for year in np.unique(times.year)]
    return [["Year", *SHORT], *([year, *row] for year, row in zip(years, written.tolist(), strict=True))]
