"""Plain regressions beside the model, from the rows alone: ordinary least squares (OLS) with and without columns."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from autostatistician._io.rows import evenly_spaced
from autostatistician._io.serial_correlation import lag_one_autocorrelation
from autostatistician.data.dataset import Dataset
from autostatistician.data.gaps import indicator_of
from autostatistician.decompose.records.table import DropTest, Hinge, Plain, Slope
from autostatistician.decompose.table.least_squares import (
    FEWEST_ROWS,
    AlikeRows,
    alike_in_groups,
    alike_rows,
    beside_others,
    compared,
    fit_of,
    is_sorted,
    orthonormal,
    p_of_terms,
)
from autostatistician.decompose.table.segmented_regression import hinge_of_rows
from autostatistician.forms import BAND_SDS

__all__ = ["MOST_ROWS", "PlainTable", "products_p"]

Array = NDArray[np.float64]
_Form = tuple[dict[str, Array], tuple[tuple[str, str], ...]]  # the terms of columns, and the pairs with products

_Designs = tuple[Array, Array, Array]  # of others without a column and with it, and its own terms

MOST_ROWS = 1000  # that are looked at
MOST_OF_IT = 0.5  # of the variance of a column beside others: a row that carries its effect makes more
CLEAR = 0.05  # p-value
ROWS_PER_TERM = 10
FEWEST_PER_TERM = 4  # rows: with fewer, curves are lines, or columns are looked at beside those of the model alone
FEWEST_OF_LEVEL = 5  # rows of a category that has a height of its own
TOLD_APART = 3.3  # standard errors of the difference of two columns in squared errors of rows left out
COPIES = 0.7  # share of the variance of each of two columns that a curve of the other explains
MOST_GROUPS, ROWS_PER_GROUP = 6, 8  # of a column that may be made from the target, or of classes from it
ODD = 0.1  # rows of the rarer class that do not follow from a column from which it was made
EDGE = 0.2  # share of the rows of a class at the edge where it was cut off: of a normal one .32 or more, else .1


@dataclass(frozen=True)
class PlainTable:
    """The rows of a table beside the columns that its model uses, and the pairs of those that act together in it.

    ``left`` (n,) is what the model leaves of the target, in units of the noise of a row, of which one unit of the model
    has as many as its ``weights`` (n,) say. Rows with one value of the column of ``groups`` may be alike: of what is
    the same in a group they are no evidence of their own. Columns without two values, as they may be in the rows that
    are looked at, say nothing.
    """

    dataset: Dataset
    modelled: Collection[str]
    joint: Collection[tuple[str, str]] = ()
    left: Array | None = None
    weights: Array | None = None
    groups: str | None = None

    @cached_property
    def used(self) -> list[str]:
        """The columns of the model that vary."""
        return [name for name in self.modelled if name in self._looked_at[2]]

    @cached_property
    def pairs(self) -> list[tuple[str, str]]:
        """The pairs of these that act together."""
        return [pair for pair in self.joint if {*pair} <= {*self.used}]

    def columns(self) -> dict[str, Plain | None]:
        """What the rows alone say of every column; None where they are too few, do not vary or come in time."""
        if self._is_in_time:  # no curve of a few bends sees what repeats
            return dict.fromkeys(self.dataset.columns)
        _, y, curves = self._looked_at
        by_rows = {self._coded_groups: replace(self, groups=None)}
        return {name: by_rows.get(name, self)._of(name, y, curves) for name in self.dataset.columns}

    @cached_property
    def alike(self) -> AlikeRows | None:
        """How the errors of the rows that are looked at go together in their order.

        Of rows in the order of a column they are those of the model, which may follow its course more closely.
        """
        _, y, curves = self._looked_at
        if self._is_in_time or len(y) < FEWEST_ROWS or not curves or is_sorted(y):
            return None
        if self.groups in curves:
            others = [name for name in curves if name != self._coded_groups]
            groups = np.unique(self._column(self.groups), return_inverse=True)[1]
            return alike_in_groups(fit_of(self._design(others, self._blocks((), curves), ()), y).residuals, groups)
        ordered = [name for name in curves if is_sorted(self._column(name))]
        if ordered and self.left is not None:
            return alike_rows(self.left[evenly_spaced(len(self.left), MOST_ROWS)])
        return alike_rows(fit_of(self._design([*curves], self._blocks(ordered, curves), ()), y).residuals)

    @property
    def _coded_groups(self) -> str | None:
        """The column of groups where it holds categories: how they differ, rows tell."""
        return self.groups if self.groups in self.dataset.levels else None

    @property
    def _is_in_time(self) -> bool:
        return self.dataset.axis is not None and self.dataset.is_ordered

    @cached_property
    def _looked_at(self) -> tuple[Array, Array, dict[str, Array]]:
        """The columns (n, d) and the target (n,) of some rows, and the terms of every column that varies there."""
        rows = evenly_spaced(len(self.dataset.y), MOST_ROWS)
        X, columns = self.dataset.X[rows], enumerate(self.dataset.columns)
        varying = [(k, name) for k, name in columns if np.ptp(X[:, k]) > 0.0]
        curves = {name: terms(X[:, k], name in self.dataset.levels) for k, name in varying}
        return X, self.dataset.y[rows], curves

    def together_p(self) -> float:
        """The p-value of all columns at once, the best of lines, bends and curves; 1 where rows left out gain nothing.

        >>> X = np.random.default_rng(0).uniform(-1.0, 1.0, (80, 4))
        >>> noise = np.random.default_rng(1).normal(size=80)
        >>> targets = (X @ np.ones(4) + noise, noise)
        >>> [PlainTable(Dataset(X, y, tuple("abcd"), "y", None), ()).together_p() < 0.01 for y in targets]
        [True, False]
        """
        if self._is_in_time or len(self.dataset.y) < FEWEST_ROWS:
            return 1.0
        _, y, curves = self._looked_at
        level = np.ones((len(y), 1))
        shapes = slice(1), slice(0, 3, 2), slice(None)  # a line, with the middle bend of three, with all
        designs = [np.column_stack([level, *self._blocks((), curves, shape).values()]) for shape in shapes]
        few = [design for design in designs if FEWEST_PER_TERM * design.shape[1] <= len(y)]
        return min([1.0, *(len(few) * compared(level, design, y, self.alike).p for design in few)])

    def _of(self, name: str, y: Array, curves: dict[str, Array]) -> Plain | None:
        if len(y) < FEWEST_ROWS or name not in curves or np.ptp(y) == 0.0:
            return None
        looks, coded, values = len(curves), name in self.dataset.levels, self._column(name)
        correlation, p = _ranks(values, y, coded, self.alike)
        every = [*curves] if _are_few(self._blocks((), curves), len(y)) else [*self.used]
        # the column whose gaps another one shows has something in their place, which that would make up for
        aside = {each for each in curves if indicator_of(each) == name}
        if (groups := self._coded_groups) in curves and _explained(curves[name], curves[groups]) > 1.0 - 1e-9:
            aside.add(groups)  # beside which nothing tells of what is the same in a group
        every, used = ([each for each in columns if each not in aside] for columns in (every, self.used))
        designs = self._designs(name, every, curves, y)
        fits = [] if self.alike is None else [fit_of(design, y, self.alike) for design in designs[:2]]
        slope = self._slope(name, designs, y)
        alike = {
            other: _correlation(curves[name], curves[other])
            for other in curves
            if other != name and _shared(curves[name], curves[other]) >= COPIES
        }
        copies = tuple(other for other in alike if not self._told_apart(name, other, [*alike], curves, y))
        return Plain(
            correlation=round(correlation, 12), p=min(1.0, looks * p), parts=_parts(values, y, coded),
            beside_model=self._loss([name], used, curves, y),
            slope=replace(slope, p=min(1.0, looks * slope.single)), copies=copies, alike=alike,
            of_copies=self._loss([name, *copies], every, curves, y) if copies else None,
            hinge=self._hinge(name, designs, y), carried=self._carrier(designs, y),
            together={other: p for pair, p in self._missed.items() if name in pair for other in {*pair} - {name}},
            wider=fits[1].wider(fits[0]) if fits else 1.0,
        )  # fmt: skip

    def _designs(self, name: str, beside: Collection[str], curves: dict[str, Array], y: Array) -> _Designs:
        """The designs of others without a column and with it, and its own terms there."""
        others = [other for other in beside if other != name]
        blocks, pairs = self._shaped([*others, name], curves, y)
        without, every = (self._design(names, blocks, pairs) for names in (others, [*others, name]))
        return without, every, blocks[name]

    def _slope(self, name: str, designs: _Designs, y: Array) -> Slope:
        """What a column does beside others: along a line; one of the model acts by its curve and products, too."""
        without, every, block = designs
        if name in self.used:
            p = compared(without, every, y, self.alike).p
            line = None if _is_coded(block) else beside_others(without, block[:, :1], y, self.alike).change
            is_clear = line is not None and abs(line.number) > BAND_SDS * line.sd
            return Slope(p, line if is_clear else None, p, 0.0)
        found = beside_others(without, block, y, self.alike)
        is_rest = _is_coded(block) and len(np.unique(self._column(name))) > 2
        return replace(found, change=None) if is_rest else found

    def _shaped(self, names: Sequence[str], curves: dict[str, Array], y: Array) -> _Form:
        """Curves and products of some columns, of too few rows lines."""
        blocks = self._blocks(self.used, curves)
        if FEWEST_PER_TERM * self._design(names, blocks, self.pairs).shape[1] > len(y):
            return self._blocks((), curves), ()
        return blocks, (*self.pairs,)

    def _hinge(self, name: str, designs: _Designs, y: Array) -> Hinge | None:
        """Where a number of the model turns from one pace to another, beside others."""
        without, _, block = designs
        if name not in self.used or _is_coded(block) or len(np.unique(y)) == 2:
            return None
        return hinge_of_rows(self._column(name), without, y, self.alike)

    def _carrier(self, designs: _Designs, y: Array) -> int | None:
        """The row that makes most of a column beside others, and without which nothing of the column is clear."""
        without, every, block = designs
        basis, (line, *_) = orthonormal(without), block.T
        squares = (line - basis @ (basis.T @ line)) ** 2
        row = int(squares.argmax())
        if squares[row] <= MOST_OF_IT * squares.sum() or p_of_terms(without, every, y) >= CLEAR:
            return None
        without, every, y, line = (np.delete(each, row, axis=0) for each in (without, every, y, line))
        follows = np.ptp(line) > 0.0 and _explained(line[:, None], without) > 1.0 - 1e-9  # from others, but for the row
        is_clear = follows or p_of_terms(without, every, y) < CLEAR
        return None if is_clear else int(evenly_spaced(len(self.dataset.y), MOST_ROWS)[row])

    def _column(self, name: str) -> Array:
        """The values (n,) of a column in the rows that are looked at."""
        return np.asarray(self._looked_at[0][:, self.dataset.columns.index(name)])

    @cached_property
    def _missed(self) -> dict[tuple[str, str], float]:
        """The pairs whose products tell of what the model leaves without them, with p-values as of all pairs."""
        X, _, curves = self._looked_at
        if self.left is None:
            return {}
        rows, missed = evenly_spaced(len(self.left), MOST_ROWS), {}
        left, level = self.left[rows], np.ones((len(X), 1)) if self.weights is None else self.weights[rows, None]
        for pair in combinations(sorted(curves), 2):
            if pair not in self.pairs and {*pair} & {*self.used}:
                sides = [curves[name] for name in pair]
                both = level * np.column_stack([np.ones(len(X)), *sides])
                bent = level * products(*sides)
                forms = (bent,) if any(map(_is_coded, sides)) else (bent[:, :1], bent)
                looks = len(forms) * comb(len(curves), 2)
                missed[pair] = min(1.0, looks * min(self._p_together(both, form, left) for form in forms))
        return missed

    def _p_together(self, both: Array, together: Array, left: Array) -> float:
        """The p-value of products beside two columns, in what is left, where they foresee it of rows left out."""
        found = compared(both, np.column_stack([both, together]), left, self.alike)
        return found.p if found.span[0] > 0.0 else 1.0  # where noise is unequal, an F test is too sure

    def _blocks(self, bent: Collection[str], curves: dict[str, Array], shape: slice = slice(1)) -> dict[str, Array]:
        """The terms of columns: curves of those that are ``bent``, of others categories, or lines and other shapes."""
        whole = {*bent, *self.dataset.levels}
        return {name: block if name in whole else block[:, shape] for name, block in curves.items()}

    def _loss(self, dropped: Sequence[str], beside: Sequence[str], curves: dict[str, Array], y: Array) -> DropTest:
        """What is lost without some columns, of what they explain together with others, in the best of a few forms."""
        every = {name: curves[name] for name in dict.fromkeys([*dropped, *beside])}
        kept = [name for name in every if name not in dropped]
        (blocks, pairs), forms = self._form(every, y)
        bent, choices = blocks | {name: curves[name] for name in dropped}, [(blocks, pairs)]
        if any(bent[name] is not blocks[name] for name in dropped) and _are_few(bent, len(y)):
            choices.append((bent, pairs))
        form = self._best(choices, y)
        loss = compared(self._design(kept, *form), self._design([*every], *form), y, self.alike)
        # What is lost is not what a form loses that suits all columns, but not those that are kept.
        best = self._best([form, self._form({name: curves[name] for name in kept}, y)[0]], y, kept) if kept else form
        if best is not form:
            lost = compared(self._design(kept, *best), self._design([*every], *form), y, self.alike)
            loss = replace(lost, p=loss.p)
        return replace(loss, p=min(1.0, (forms + len(choices) - 1) * loss.p))

    def _form(self, every: dict[str, Array], y: Array) -> tuple[_Form, int]:
        """Curves or lines of columns, with products of pairs or without, and of how many it is the best one."""
        key = frozenset(every)
        if key not in self._forms:
            shapes = [self._blocks(bent, every) for bent in dict.fromkeys(map(frozenset, (every, self.used, ())))]
            few = [blocks for blocks in shapes if _are_few(blocks, len(y))] or shapes[-1:]
            choices = [(blocks, pairs) for blocks in few for pairs in dict.fromkeys(((*self.pairs,), ()))]
            self._forms[key] = self._best(choices, y), len(choices)
        return self._forms[key]

    def _best(self, forms: Sequence[_Form], y: Array, names: Sequence[str] = ()) -> _Form:
        """The form, of some ``names`` or of all that it has, that foresees rows that are left out best.

        Of one with many terms that tell nothing, these are foreseen better without any column, however clear it is.
        """
        fits = [fit_of(self._design(names or [*form[0]], *form), y) for form in forms]
        return forms[int(np.argmin([np.mean(fit.left_out**2) for fit in fits]))]

    @cached_property
    def _forms(self) -> dict[frozenset[str], tuple[_Form, int]]:
        return {}

    def _design(self, names: Sequence[str], blocks: dict[str, Array], pairs: Collection[tuple[str, str]]) -> Array:
        together = [products(blocks[a], blocks[b]) for a, b in pairs if a in names and b in names]
        rows = len(next(iter(blocks.values())))
        return np.column_stack([np.ones(rows), *(blocks[name] for name in names), *together])

    def _told_apart(self, name: str, other: str, alike: Sequence[str], curves: dict[str, Array], y: Array) -> bool:
        """Whether one of two columns tells the target clearly better than the other, without all that are like them."""
        group, blocks = (name, *alike), self._blocks((name, other), curves)
        rest = [column for column in self.used if column not in group]
        designs = [self._design([one, *rest], blocks, self._pairs_of(one, group)) for one in (name, other)]
        left = [fit_of(design, y).left_out for design in designs]
        gains = left[0] ** 2 - left[1] ** 2
        return bool(abs(gains.mean()) > TOLD_APART * gains.std() / np.sqrt(len(y)))

    def _pairs_of(self, column: str, alike: Collection[str]) -> list[tuple[str, str]]:
        """The pairs that act together, with a column in the place of those that are like it."""
        pairs = [[column if name in alike else name for name in pair] for pair in self.pairs]
        return [(first, second) for first, second in pairs if first != second]


def _shared(first: Array, second: Array) -> float:
    """The share of each of two columns that the other, by its terms, tells at least."""
    return min(_explained(first, second), _explained(second, first))


def _correlation(first: Array, second: Array) -> float:
    """The size of the correlation of two columns, of categories the root of the share that one tells of the other."""
    if any(_is_coded(side) and side.shape[1] > 1 for side in (first, second)):
        return float(np.sqrt(_shared(first, second)))
    return abs(float(np.corrcoef(first[:, 0], second[:, 0])[0, 1]))


def _are_few(blocks: dict[str, Array], rows: int) -> bool:
    """Whether there are rows enough for the terms of some columns."""
    return bool(FEWEST_PER_TERM * sum(block.shape[1] for block in blocks.values()) <= rows)


def _explained(column: Array, other: Array) -> float:
    """The share of the variance of a column, or of its worst told category, that the terms of another explain.

    Of several categories beside a number, which may be stretches of it, by how far neighbours along it are of one.
    """
    if _is_coded(column) and column.shape[1] > 1 and not _is_coded(other):
        sorted_by = (column - column.mean(axis=0))[other[:, 0].argsort(kind="stable")]
        return min(map(lag_one_autocorrelation, sorted_by.T))
    asked = column if _is_coded(column) else column[:, :1]
    basis = orthonormal(np.column_stack([np.ones(len(other)), other]))
    residuals = asked - basis @ (basis.T @ asked)
    return float(1.0 - np.max(residuals.var(axis=0) / np.maximum(asked.var(axis=0), 1e-300)))


def terms(values: Array, coded: bool) -> Array:
    """An indicator for every common category but one, or a line and what it bends by at the quartiles.

    >>> terms(np.array([0.0, 1.0, 0.0, 1.0]), True).ravel().tolist()
    [0.0, 1.0, 0.0, 1.0]
    >>> terms(np.arange(9.0), False).shape
    (9, 4)
    """
    distinct, counts = np.unique(values, return_counts=True)
    if coded or len(distinct) <= 3:
        common = distinct[counts >= min(FEWEST_OF_LEVEL, counts.max())]
        common = common[1:] if len(common) == len(distinct) else common
        return np.asarray(values[:, None] == common, dtype=float)
    unit = (values - values.mean()) / values.std()
    bends = np.unique(np.quantile(unit, (0.5, 0.25, 0.75)))
    bends = bends[(bends > unit.min()) & (bends < unit.max())]
    return np.column_stack([unit, np.maximum(unit[:, None] - bends, 0.0)])


def _ranks(values: Array, y: Array, coded: bool, alike: AlikeRows | None = None) -> tuple[float, float]:
    """The correlation of the ranks of a target (n,) with a column (n,), or with its categories, and its p-value.

    >>> x = np.arange(20.0)
    >>> _ranks(x, -np.exp(x), False)[0], _ranks(x % 2, np.where(x % 2, 5.0, 1.0) + 0.01 * x, True)[0] > 0.8
    (-1.0, True)
    """
    level, ranks = np.ones((len(y), 1)), rankdata(y) - 0.5 * (len(y) + 1)
    side = np.asarray(values[:, None] == np.unique(values)[1:], dtype=float) if coded else rankdata(values)[:, None]
    full = fit_of(np.column_stack([level, side]), ranks, alike)
    size = float(np.sqrt(max(1.0 - np.sum(full.residuals**2) / np.sum(ranks**2), 0.0)))
    falls = not coded and side[:, 0] @ ranks < 0.0
    return -size if falls else size, full.p_beyond(fit_of(level, ranks, alike))


def _parts(values: Array, y: Array, coded: bool) -> bool:
    """Whether one of a column (n,) and a target (n,) looks as if it were made from the other.

    Two classes follow from the column, in all but few rows, or one of its few values follows from the target.

    >>> y = np.random.default_rng(0).normal(size=200)
    >>> _parts(1.0 * (y > 0.5), y, False), _parts(np.sign(y[::-1]), y, False), _parts(y, 1.0 * (y > 0.5), False)
    (True, False, True)
    """
    kinds, classes = np.unique(values), np.unique(y)
    if len(classes) == 2:
        return _follow(values, y == classes[1], coded, ODD)
    return len(kinds) <= MOST_GROUPS and any(_follow(y, values == kind, False, 0.0) for kind in kinds)


def _follow(values: Array, came: NDArray[np.bool_], coded: bool, odd: float) -> bool:
    """Whether two classes (n,) follow from a column (n,) by a cut, or by its categories, but for a few ``odd`` rows.

    A class that was cut off has many rows at its edge, where a kind of its own has few.

    >>> values = np.random.default_rng(0).normal(size=(200))
    >>> came = np.arange(200) < 90
    >>> _follow(values, values > 0.5, False, 0.0), _follow(values + 6.0 * came, came, False, 0.0)
    (True, False)
    """
    places, codes, rows = np.unique(values, return_inverse=True, return_counts=True)
    hits, fewer = np.bincount(codes, weights=came), min(came.sum(), len(came) - came.sum())
    if fewer < ROWS_PER_GROUP or (coded and len(places) * ROWS_PER_GROUP > len(came)):
        return False
    if coded:
        return _follow((hits / rows)[codes], came, False, odd)
    below = 2.0 * np.cumsum(hits)[:-1] - np.cumsum(rows)[:-1]  # rows of the class less those of the other
    wrong = np.minimum(came.sum() - below, len(came) - came.sum() + below)
    cut = places[int(wrong.argmin())]
    return bool(wrong.min() <= odd * fewer and max(map(_at_top, (values[values <= cut], -values[values > cut]))) > EDGE)


def _at_top(values: Array) -> float:
    """The share of values (n,) that are as close to the largest as half the distance of their quartiles."""
    low, high = np.quantile(values, (0.25, 0.75))
    return float(np.mean(values >= values.max() - 0.5 * (high - low)))


def products_p(
    first: Array, second: Array, y: Array, codes: tuple[bool, bool], alike: AlikeRows | None = None
) -> float | None:
    """The p-value of products of two columns in a regression on both, by the F test; None of too few rows.

    ``codes`` says which of them hold codes of categories.

    >>> a, b = np.random.default_rng(0).uniform(-1.0, 1.0, (2, 60))
    >>> noise = 0.3 * np.random.default_rng(1).normal(size=60)
    >>> products_p(a, b, a * b + noise, (False, False)) < 1e-6, products_p(a, b, a + b + noise, (False, False)) > 0.05
    (True, True)
    """
    sides = [terms(values, coded) for values, coded in zip((first, second), codes, strict=True)]
    both = np.column_stack([np.ones(len(y)), *sides])
    full = np.column_stack([both, products(*sides)])
    if len(y) <= full.shape[1] + FEWEST_ROWS:
        return None
    return p_of_terms(both, full, y, alike)


def products(first: Array, second: Array) -> Array:
    """The terms of two columns times each other: every category, of numbers the line, and a bend of many rows."""
    bent = len(first) >= ROWS_PER_TERM * (first.shape[1] + second.shape[1] + 4)
    most = [side.shape[1] if _is_coded(side) else 1 + bent for side in (first, second)]
    return np.column_stack([first[:, [k]] * second[:, : most[1]] for k in range(min(most[0], first.shape[1]))])


def _is_coded(side: Array) -> bool:
    """Whether terms are indicators of categories."""
    return bool(np.isin(side, (0.0, 1.0)).all())
