"""What the counts of a series are taken of: exposures, by which they are rates, or totals, of which they are shares."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.special import expit

from autostatistician.data.arrays import Flags, Floats
from autostatistician.data.columns import DataColumn
from autostatistician.data.covariates import Covariate, Covariates
from autostatistician.data.missing import refuse_first
from autostatistician.data.records import Record
from autostatistician.data.times.axes import Axis
from autostatistician.data.times.placing import readable_positions
from autostatistician.errors import InputError
from autostatistician.i18n.numbers import as_written

__all__ = ["MOST", "LogOffsets", "SizesOfRows", "check_counts", "check_parts", "read_sizes"]


MOST = 1e15  # of an exposure or total: beyond, whole numbers are not told apart


@dataclass(frozen=True, eq=False)
class SizesOfRows(Record):
    """The exposures or totals of the rows of a series, as far as they are known, and those that are planned.

    Attributes
    ----------
    counted : str
        The column of the counts; the target is their rate or share.
    columns : Covariates
        The one column of sizes at increasing positions.
    is_total : bool
        Whether these are totals, of which counts are a part.
    per : float
        How many units of exposure a rate is of: a power of ten.

    Examples
    --------
    >>> cars = Covariates(np.array([0.0, 1.0]), (Covariate("cars", np.array([500.0, 2000.0])),))
    >>> sizes = SizesOfRows("deaths", cars, is_total=False, per=1000.0)
    >>> sizes.target, sizes.at(np.array([0.0, 0.5, 3.0])).tolist()
    ('deaths per 1,000 cars', [0.5, 1.25, 2.0])
    """

    counted: str
    columns: Covariates
    is_total: bool
    per: float = 1.0

    def __post_init__(self) -> None:
        if len(self.columns.table) != 1 or not self.columns.x.size or not self.per > 0.0:
            raise ValueError("sizes that are not one column")

    @property
    def name(self) -> str:
        """Of the column."""
        return self.columns.table[0].name

    @property
    def target(self) -> str:
        """The name of what is modelled."""
        per = f"{self.per:,.0f} " if self.per > 1.0 else ""
        return f"{self.counted} as a share of {self.name}" if self.is_total else f"{self.counted} per {per}{self.name}"

    def at(self, x: Floats) -> Floats:
        """Sizes (m,) in units of ``per`` at positions: between rows in between, beyond them those of the nearest."""
        values = self.columns.table[0].values
        present = np.isfinite(values)
        made = np.interp(x, self.columns.x[present], values[present]) / self.per
        return np.asarray(np.maximum(np.round(made), 1.0) if self.is_total else made)

    def missing(self, x: Floats) -> Flags:
        """At which positions (m,) no row has a size."""
        return ~np.isfinite(self.columns.of(self.name, x))

    def joined(self, plan: Covariates, *, where: str) -> SizesOfRows:
        """With planned ones, or those of new rows.

        Raises
        ------
        InputError
            When one of them is missing, or is zero or below.
        """
        checked_sizes(plan.of(self.name, plan.x), self.name, self.is_total, where)
        return replace(self, columns=self.columns.joined(plan))


def read_sizes(
    column: DataColumn, counts: DataColumn, time: DataColumn | None, axis: Axis, *, is_total: bool
) -> SizesOfRows:
    """The sizes of a table along its axis; rates are per a power of ten that makes a typical one at least one.

    >>> names, cells = ("year", "deaths", "cars"), ([1.0, 2.0], [2.0, 3.0], [800.0, 900.0])
    >>> year, deaths, cars = (DataColumn(name, np.array(values)) for name, values in zip(names, cells))
    >>> read_sizes(cars, deaths, year, Axis("year", "", "", 1.0), is_total=False).target
    'deaths per 1,000 cars'
    """
    values, counted = column.numbers.values, counts.numbers.values
    x = np.arange(float(column.size)) if time is None else readable_positions(axis, time)
    rows = np.flatnonzero(np.isfinite(x) & (np.isfinite(values) | np.isfinite(counted)))
    rows = rows[np.argsort(x[rows], kind="stable")]
    checked_sizes(values[rows], column.name, is_total, "row")
    if (np.diff(x[rows]) <= 0.0).any():
        raise InputError.of("one row for each time, to count by", "two with the same", "choose the rows of one series")
    both = rows[np.isfinite(counted[rows])]
    if is_total:
        check_parts(counted[both], values[both], counts.name, column.name)
    rate = float(counted[both].sum() / values[both].sum()) if both.size else 1.0
    per = 1.0 if is_total or not rate > 0.0 else max(10.0 ** np.ceil(-np.log10(rate)), 1.0)
    table = (Covariate(column.name, np.asarray(values[rows], dtype=np.float64)),)
    return SizesOfRows(counts.name, Covariates(x[rows], table), is_total, per)


def checked_sizes(values: Floats, name: str, is_total: bool, where: str) -> None:
    """Raise an `InputError` where a size is missing, not above zero, or no whole number where it must be."""
    what = "total" if is_total else "exposure"
    kind = "a whole number above zero" if is_total else "a number above zero"
    bad = ~(np.isfinite(values) & (values > 0.0) & (values <= MOST))
    if is_total:
        bad |= values != np.round(values)
    expected = f"{kind} as {what} in column {name!r} for every {where}"
    refuse_first(bad, values, expected, f"correct the cell, or leave the {where} out")


def check_counts(counts: Floats, name: str, remedy: str) -> None:
    """Raise an `InputError` where a count is none."""
    odd = (counts < 0.0) | (counts != np.round(counts))
    refuse_first(odd, counts, f"counts in column {name!r}: whole numbers from zero", remedy)


def check_parts(counts: Floats, totals: Floats, counted: str, name: str) -> None:
    """Raise an `InputError` where a count is larger than its total."""
    above = counts > totals
    if above.any():
        found = f"{as_written(counts[above][0])} of {as_written(totals[above][0])}"
        remedy = "correct the cell, or name the columns the other way round"
        raise InputError.of(f"no more in {counted!r} than the total in {name!r}", found, remedy)


# --- What columns beside a series of counts add to the logarithm of their rate --------------------------------------


@dataclass(frozen=True, eq=False)
class LogOffsets(Record):
    """Amounts at increasing positions (n,) of a series, on the scale of a logarithm.

    Values without them are rates or shares as they would be with the columns at their usual values.

    Examples
    --------
    >>> law = LogOffsets(np.array([0.0, 1.0]), np.log([1.0, 2.0]))
    >>> rates = law.without(np.array([0.0, 1.0]), np.array([3.0, 3.0]), is_share=False)
    >>> rates.tolist(), law.with_it(np.array([0.0, 1.0]), rates, is_share=False).tolist()
    ([3.0, 1.5], [3.0, 3.0])
    """

    x: Floats
    values: Floats

    def __post_init__(self) -> None:
        along = self.x.ndim == 1 and self.x.shape == self.values.shape and bool(np.all(np.diff(self.x) > 0.0))
        if not (along and np.isfinite([self.x, self.values]).all()):
            raise ValueError("amounts of columns that are not along an axis")

    @classmethod
    def of_rows(cls, x: Floats, values: Floats) -> LogOffsets:
        """Of rows (n,) in any order, several of which may have one position."""
        places, rows = np.unique(x, return_index=True)
        return cls(places, np.asarray(values[rows]))

    def at(self, x: Floats) -> Floats:
        """Amounts (m,) at positions: of rows their own, elsewhere those in between."""
        return np.interp(x, self.x, self.values)

    def with_it(self, x: Floats, y: Floats, *, is_share: bool) -> Floats:
        """Rates or shares (m,) as they were, of those with the columns at their usual values."""
        return _moved(y, self.at(x), is_share=is_share)

    def without(self, x: Floats, y: Floats, *, is_share: bool) -> Floats:
        """Rates or shares (m,) with the columns at their usual values, of those as they were."""
        return _moved(y, -self.at(x), is_share=is_share)


def _moved(y: Floats, by: Floats, *, is_share: bool) -> Floats:
    """Rates times a factor, or shares whose odds are; none and all stay what they are."""
    if not is_share:
        return np.asarray(y * np.exp(by))
    with np.errstate(divide="ignore"):
        return np.asarray(expit(np.log(y) - np.log1p(-y) + by))
