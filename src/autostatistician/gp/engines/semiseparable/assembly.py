"""A kernel with its parameters on the inputs of one column, made for some blocks at a time, summand by summand.

An expression at its parameters: exact within blocks, columns between them, and the way back to its parameters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.engines.profiles import Evaluation, Profile, Slot, Terms, compiled, evaluate
from autostatistician.gp.engines.semiseparable.exponential_terms import Between, between
from autostatistician.gp.engines.semiseparable.exponentials import ExponentialsAdjoint, Wanted, some
from autostatistician.gp.engines.semiseparable.layout import BLOCK, BlockLayout, laid_out
from autostatistician.gp.engines.semiseparable.recursion import Adjoints, BlockMatrices, BlockRun, Mask, needed, runs_of
from autostatistician.gp.problem import Problem
from autostatistician.kernels.evaluators import Evaluator
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.lag_functions import Exponentials
from autostatistician.kernels.rewrite import components

__all__ = ["Assembly", "AtParameters", "columns_of", "needs_of", "within"]


Array = NDArray[np.float64]

Complex = NDArray[np.complex128]

Either = NDArray[Any]  # real or complex


@dataclass(frozen=True, slots=True, eq=False)
class _Between:
    """What one profile ``a`` (B, m) multiplies, as columns: its terms, and what rises along the inputs.

    A rise and lines ``w + v (t_i - t_j)`` are two columns together: ``rise_i + w + v t_i``, and ``rise_j - v t_j``.
    """

    exponentials: Exponentials
    curved: TermColumns
    which: NDArray[np.bool_]  # of the terms are curved
    a: Array
    rise: Array | None  # (B, m)

    @classmethod
    def of(cls, slot: Slot, exponentials: Exponentials, where: BlockLayout, a: Array) -> _Between:
        """What stands between a profile."""
        rise = None if slot.rise is None else _blocked(slot.rise, where)
        which = np.ones(len(exponentials.rate), dtype=bool)
        if rise is not None:
            which = ~(exponentials.real & (exponentials.rate == 0.0) & (exponentials.degree <= 1))
        return cls(
            exponentials,
            TermColumns.of(some(exponentials, which) if not which.all() else exponentials, where, a),
            which,
            a,
            rise,
        )

    @property
    def width(self) -> int:
        """The number of columns."""
        return self.curved.exponentials.columns + (0 if self.rise is None else 2)

    def _risen(self, rise: Array) -> tuple[Array, Array]:
        """The rise as it stands in U and in V, with the lines."""
        level, slope = self.exponentials.weight[~self.which, :2].real.sum(0), 0.0
        if len(level) > 1:
            slope = float(level[1])
        line = slope * self.curved.layout.turn
        return rise + (float(level[0]) + line), rise - line

    def write(self, U: Array, V: Array, phi: Array) -> None:
        """The columns into their places."""
        k = self.curved.exponentials.columns
        self.curved.write(U[..., :k], V[..., :k], phi[:, :k])
        if self.rise is not None:
            early, late = self._risen(self.rise)
            U[..., k], U[..., k + 1], V[..., k], V[..., k + 1] = self.a * early, self.a, self.a, self.a * late
            phi[:, k:] = 1.0

    def adjoint(self, by_U: Array, by_V: Array, by_phi: Array) -> tuple[ExponentialsAdjoint, Array, Array | None]:
        """Derivatives by the terms, the profile and the rise, given those by the columns."""
        k = self.curved.exponentials.columns
        of_curved, by_a = self.curved.adjoint(by_U[..., :k], by_V[..., :k], by_phi[:, :k])
        if self.rise is None:
            return of_curved, by_a, None
        early, late = self._risen(self.rise)
        (u0, u1), (v0, v1) = (np.moveaxis(by_generators[..., k : k + 2], -1, 0) for by_generators in (by_U, by_V))
        by_a += early * u0 + u1 + v0 + late * v1
        by = ExponentialsAdjoint.zero(self.exponentials)
        by.rate[self.which], by.weight[self.which, : of_curved.weight.shape[1]] = of_curved.rate, of_curved.weight
        by.weight[~self.which, 0] = (self.a * u0).sum()
        if by.weight.shape[1] > 1:
            by.weight[~self.which, 1] = (self.a * self.curved.layout.turn * (u0 - v1)).sum()
        return by, by_a, self.a * (u0 + v1)


@dataclass(frozen=True, slots=True, eq=False)
class AtParameters:
    """An expression at its parameters: exact within blocks, columns between them."""

    layout: BlockLayout
    state: Evaluation  # at the inputs of a layout, and maybe at some before them
    between: Between
    columns: dict[Profile, _Between]
    blocks: BlockMatrices

    @classmethod
    def of(cls, state: Evaluation, exponentials: Between, where: BlockLayout, y: Array) -> AtParameters:
        """The blocks of an evaluation at the inputs of a layout, with observations ``y`` (B, m)."""
        columns = _columns(state, exponentials, where)
        U, V, phi = _written(columns, where, more=1)
        U[..., -1], V[..., -1], phi[:, -1] = 0.0, y, 1.0
        return cls(where, state, exponentials, columns, BlockMatrices(within(state, where), U, V, phi))

    def runs(self, needs: dict[Profile, Mask]) -> list[BlockRun]:
        """The blocks by the columns that they need."""
        return runs_of([(between.width, needs[key]) for key, between in self.columns.items()], len(self.blocks.phi))

    def gradient(self, by: Adjoints) -> tuple[Array, dict[Profile, ExponentialsAdjoint]]:
        """The derivatives (p,) through what is within blocks and the profiles, and those by the terms between."""
        terms: Terms = {}
        through_terms, start = {}, 0
        by.K[-1] *= self.layout.filled[-1] & self.layout.filled[-1][:, None]
        for key, slot in self.state.terms.items():
            columns = self.columns[key]
            terms[key], by_a = _within_adjoint(key, slot, columns, by.K, self.layout)
            rows = slice(start, start := start + columns.width)
            through_terms[key], more, by_rise = columns.adjoint(by.U[..., rows], by.V[..., rows], by.phi[:, rows])
            within = terms[key].rise
            if by_rise is not None and within is not None:
                terms[key].rise = self._all(within + self.layout.flat(by_rise))
            if key:
                self.state.add_profile_adjoint(key, self._all(self.layout.flat(by_a + more)))
        return self.state.backward(terms), through_terms

    def _all(self, values: Array) -> Array:
        """With zeros for the inputs before those of the layout."""
        return np.concatenate([np.zeros(len(self.state.X) - len(values)), values])


def _profiles(state: Evaluation, where: BlockLayout) -> dict[Profile, Array]:
    profiles = {key: state.profile(key) for key in state.terms}
    return {key: where.filled.astype(np.float64) if a is None else _blocked(a, where) for key, a in profiles.items()}


def _blocked(values: Array, where: BlockLayout) -> Array:
    """The last of some values, those of the inputs of a layout."""
    return where.blocked(values[len(values) - len(where.x) :])


def needs_of(state: Evaluation, where: BlockLayout) -> dict[Profile, Mask]:
    """Which blocks (B,) of a layout need the columns of which profile."""
    return {key: needed(a) for key, a in _profiles(state, where).items()}


def columns_of(state: Evaluation, exponentials: Between, where: BlockLayout) -> tuple[Array, Array, Array]:
    """U and V (B, m, R) and phi (B, R) of an evaluation at the inputs of a layout."""
    return _written(_columns(state, exponentials, where), where, more=0)


def _columns(state: Evaluation, exponentials: Between, where: BlockLayout) -> dict[Profile, _Between]:
    profiles = _profiles(state, where)
    return {key: _Between.of(slot, exponentials.terms[key], where, profiles[key]) for key, slot in state.terms.items()}


def _written(columns: dict[Profile, _Between], where: BlockLayout, more: int) -> tuple[Array, Array, Array]:
    """U, V and phi of all terms, with room for some columns more."""
    (B, m), R = where.inputs.shape, sum(term.width for term in columns.values()) + more
    U, V, phi, start = np.empty((B, m, R)), np.empty((B, m, R)), np.empty((B, R)), 0
    for term in columns.values():
        rows = slice(start, start := start + term.width)
        term.write(U[..., rows], V[..., rows], phi[:, rows])
    return U, V, phi


def within(state: Evaluation, where: BlockLayout) -> Array:
    """The covariances (B, m, m) within blocks, as they are."""
    profiles = _profiles(state, where)
    B, m = where.inputs.shape
    K = np.empty((B, m, m))
    K[...] = where.expand(state.terms[()].v) if () in state.terms else 0.0
    diagonal = np.einsum("bii->bi", K)
    for key, slot in state.terms.items():
        a = profiles[key]
        if key and (isinstance(slot.v, np.ndarray) or slot.v):
            K += (where.expand(slot.v) * a[:, :, None]) * a[:, None, :]
        if slot.rise is not None:
            risen = (a * _blocked(slot.rise, where))[:, :, None] * a[:, None, :]
            K += risen + risen.transpose(0, 2, 1)
        diagonal += slot.d * a * a
    if not where.filled[-1, -1]:
        K[-1] *= where.filled[-1] & where.filled[-1][:, None]
        diagonal[-1] += ~where.filled[-1]
    return K


def _within_adjoint(key: Profile, slot: Slot, between: _Between, by_K: Array, where: BlockLayout) -> tuple[Slot, Array]:
    """Derivatives by what stands between a profile, and by the profile (B, m); zero by that of the profile 1."""
    a, rise = between.a, between.rise
    adjoint, by_a = Slot(), np.zeros_like(a)
    if isinstance(slot.v, np.ndarray):
        if key:
            once = by_K * a[:, None, :]
            by_a += 2.0 * np.einsum("bij,bij->bi", once, np.broadcast_to(where.expand(slot.v), once.shape))
            adjoint.v = where.collapse(np.multiply(once, a[:, :, None], out=once))
        else:
            adjoint.v = where.collapse(by_K)
    elif slot.v:
        product = np.matmul(by_K, a[..., None])[..., 0]
        adjoint.v = float((a * product).sum())
        by_a += 2.0 * slot.v * product
    if slot.d:
        main = np.einsum("bii->bi", by_K)
        adjoint.d = float((main * a * a).sum())
        by_a += 2.0 * slot.d * main * a
    if rise is not None:
        product, risen = (np.matmul(by_K, vector[..., None])[..., 0] for vector in (a, a * rise))
        adjoint.rise = where.flat(2.0 * a * product)
        by_a += 2.0 * (rise * product + risen)
    return adjoint, by_a


# --- Exponential terms between profiles as columns U and V of the recursion, block by block -------------------------


@dataclass(frozen=True, slots=True)
class _Alike:
    """Exponentials of one degree, all with frequencies (whose columns are complex numbers) or all without."""

    which: NDArray[np.intp]
    degree: int
    rate: Either  # (A,)
    weight: Either  # (A, degree + 1), of inputs in units of half the range
    E: Either  # (B or 1, m, A): damped from the start of the block, and turned from the middle of the range
    F: Either  # the same to the start of the next block, turned back

    @property
    def width(self) -> int:
        """How many columns one power of the inputs takes."""
        return len(self.which) * (2 if self.rate.dtype == complex else 1)

    def late(self, p: int, powers: list[Array]) -> Either:
        """``F sum_k>=p w_k C(k, p) (-t_j)^(k - p)``, what belongs to t_i^p."""
        if not self.degree:
            return self.F * self.weight[:, 0]
        return self.F * sum(powers[j] * self.coefficients(p, j) for j in range(self.degree + 1 - p))

    def coefficients(self, p: int, j: int) -> Either:
        """Of ``t_i^p t_j^j`` (A,)."""
        return self.weight[:, p + j] * (comb(p + j, p) * (-1.0) ** j)


@dataclass(frozen=True, slots=True)
class TermColumns:
    """The columns of the exponential terms of one profile ``a`` (B, m), which fills with zeros.

    A term of degree K has the columns p = 0 .. K: with inputs t in units of half the range it is
    ``sum_p t_i^p [sum_k>=p w_k C(k, p) (-t_j)^(k - p)] exp(-s (t_i - t_j))``. What is complex stands as real part and
    imaginary part beside each other, as complex numbers do in memory; those of V are conjugate.
    """

    exponentials: Exponentials
    layout: BlockLayout
    a: Array
    groups: list[_Alike]

    @classmethod
    def of(cls, exponentials: Exponentials, layout: BlockLayout, a: Array) -> TermColumns:
        """The terms at the inputs of a layout."""
        groups = []
        for real in (False, True):
            for degree in sorted(set(exponentials.degree[exponentials.real == real].tolist())):
                which = np.flatnonzero((exponentials.real == real) & (exponentials.degree == degree))
                rate: Either = exponentials.rate[which]
                weight: Either = exponentials.weight[which, : degree + 1] * layout.unit ** np.arange(degree + 1)
                if real:
                    rate, weight = rate.real, weight.real
                E, F = layout.since.damped(rate), layout.until.damped(rate)
                if not real:
                    turned = np.exp(-1j * rate.imag * layout.anchors[:, :, None])
                    E, F = E * turned[:, :1], F * turned[:, 1:].conj()
                groups.append(_Alike(which, degree, rate, weight, E, F))
        return cls(exponentials, layout, a, groups)

    def _parts(self) -> Iterator[tuple[_Alike, int, slice]]:
        """The groups with a power of the inputs each, and where their columns stand."""
        start = 0
        for group in self.groups:
            for p in range(group.degree + 1):
                yield group, p, slice(start, start := start + group.width)

    def _powers(self) -> list[Array]:
        most = max((group.degree for group in self.groups), default=0)
        return [(self.layout.relative**k)[..., None] for k in range(most + 1)]

    def write(self, U: Array, V: Array, phi: Array) -> None:
        """The columns into their places."""
        a, powers = self.a[..., None], self._powers()
        for group, p, rows in self._parts():
            early, late = (columns[..., rows].view(group.rate.dtype) for columns in (U, V))
            np.multiply(group.E, a * powers[p] if p else a, out=early)
            np.multiply(group.late(p, powers), a, out=late)
            left = np.exp(-group.rate.real * self.layout.steps[:, None])
            if group.rate.dtype == complex:
                np.conjugate(late, out=late)
                left = np.repeat(left, 2, axis=1)
            phi[:, rows] = left

    def adjoint(self, by_U: Array, by_V: Array, by_phi: Array) -> tuple[ExponentialsAdjoint, Array]:
        """Derivatives by the terms, and by the profile (B, m), given those by the columns."""
        by = ExponentialsAdjoint.zero(self.exponentials)
        by_a, powers = np.zeros_like(self.a), self._powers()
        for group, p, rows in self._parts():
            kind = group.rate.dtype
            # With z = dr + i di the value changes by Re(conj(z) dw) where a column holds w, by Re(z dw) for conj(w).
            through_U = by_U[..., rows].view(kind).conj() * group.E
            through_V = by_V[..., rows].view(kind) * group.F
            by_rate = self._early(group, p, through_U, powers, by_a)
            by_rate = by_rate + self._late(group, p, through_V, powers, by_a, by.weight)
            by_left = by_phi[:, rows].reshape(len(by_phi), len(group.which), -1).sum(-1)
            damping = self.layout.steps[:, None] * np.exp(-group.rate.real * self.layout.steps[:, None])
            by.rate[group.which] += by_rate - (by_left * damping).sum(0)
        return by, by_a

    def _early(self, group: _Alike, p: int, through: Either, powers: list[Array], by_a: Array) -> Either:
        """Add the derivative by the profile, and give that by the rates."""
        scaled = self.a * powers[p][..., 0]
        by_a += powers[p][..., 0] * through.sum(-1).real
        damped, turned = _sums(through, [scaled * self.layout.since.lengths, scaled * self.layout.turn])
        return np.asarray(-damped.real - 1j * turned.imag if through.dtype == complex else -damped)

    def _late(
        self, group: _Alike, p: int, through: Either, powers: list[Array], by_a: Array, by_weight: Complex
    ) -> Either:
        """The same, and the derivative by the weights added."""
        by_rate: Either = np.zeros_like(group.rate)
        for j in range(group.degree + 1 - p):
            scaled, factor = self.a * powers[j][..., 0], group.coefficients(p, j)
            by_a += powers[j][..., 0] * (through @ factor).real
            sums = _sums(through, [scaled, scaled * self.layout.until.lengths, scaled * self.layout.turn])
            by_weight[group.which, p + j] += sums[0] * (comb(p + j, p) * (-1.0) ** j * self.layout.unit ** (p + j))
            damped, turned = sums[1] * factor, sums[2] * factor
            by_rate = by_rate + (-damped.real + 1j * turned.imag if through.dtype == complex else -damped)
        return by_rate


def _sums(through: Either, weights: list[Array]) -> Either:
    """Sums (k, A) over all inputs with some weights (B, m) each."""
    flat = through.reshape(-1, through.shape[-1])
    sums = np.stack([weight.ravel() for weight in weights]) @ flat.view(np.float64)
    return np.asarray(sums.view(through.dtype))


Index = NDArray[np.intp]

NUMBERS_OF_A_SECTION = 3_000_000  # in the largest arrays of the blocks that are made at once


@dataclass(frozen=True, slots=True, eq=False)
class _Summand:
    kernel: Kernel
    root: Evaluator
    exponentials: Between
    columns: Index  # among those of all summands


class Assembly:
    """What stands within blocks and between them, of all summands of a kernel or of some.

    The columns of the whole are those of its summands side by side, so a part of the kernel has some of them.
    """

    def __init__(self, kernel: Kernel, problem: Problem, wanted: Wanted, block: int = BLOCK) -> None:
        self.problem, self.wanted = problem, wanted
        self.layout = laid_out(problem.X[:, 0], block, with_lags=False)
        self.y = self.layout.in_blocks(problem.y)
        self.summands: list[_Summand] = []
        self.columns = 0
        self.pool: list[Array] = []
        for summand in _summands(kernel):
            root, where = compiled(summand.expr), self.layout.seen_from(*self._ends)
            with np.errstate(over="ignore", invalid="ignore"):  # of parameters that overflow
                state = self._evaluated(root, summand, where)
                exponentials = between(summand.expr, state, self.layout.x, wanted)
            R = columns_of(state, exponentials, where)[0].shape[-1]
            self.summands.append(_Summand(summand, root, exponentials, np.arange(self.columns, self.columns + R)))
            self.columns += R
        B, m = self.layout.inputs.shape
        size = max(1, NUMBERS_OF_A_SECTION // (3 * m * m + 3 * m * self.columns + 2 * self.columns**2))
        self.sections = [slice(start, min(start + size, B)) for start in range(0, B, size)]

    @property
    def reached(self) -> bool:
        """Whether the terms are as accurate as was wanted."""
        return all(summand.exponentials.reached for summand in self.summands)

    @property
    def every(self) -> tuple[int, ...]:
        """The indices of all summands."""
        return tuple(range(len(self.summands)))

    def find(self, part: Kernel) -> tuple[int, ...] | None:
        """The summands that a part of the kernel consists of; None where it is no sum of such."""
        unused, indices = list(self.every), []
        for summand in _summands(part):
            same = next((index for index in unused if self.summands[index].kernel == summand), None)
            if same is None:
                return None
            unused.remove(same)
            indices.append(same)
        return tuple(indices)

    def columns_among_all(self, which: Sequence[int]) -> Index:
        """Where the columns (r,) of some summands stand among those of all."""
        return np.concatenate([np.zeros(0, dtype=np.intp), *(self.summands[index].columns for index in which)])

    def blocks(self, section: slice, extra: Array) -> BlockMatrices:
        """The blocks of a section, with further variances (B, m) of all observations."""
        where = self.layout.part(section)
        K, U, V, phi = self.parts(self.every, where)
        diagonal = np.einsum("bii->bi", K)
        diagonal[where.filled] += extra[section][where.filled]
        diagonal[~where.filled] = 1.0
        return BlockMatrices.of(K, U, V, phi, self.y[section])

    def parts(self, which: Sequence[int], where: BlockLayout) -> tuple[Array, Array, Array, Array]:
        """Of some summands at the blocks of a layout: K (b, m, m), U and V (b, m, r), phi (b, r)."""
        B, m = where.inputs.shape
        K, columns = np.zeros((B, m, m)), [(np.zeros((B, m, 0)), np.zeros((B, m, 0)), np.zeros((B, 0)))]
        for summand in (self.summands[index] for index in which):
            state = self._evaluated(summand.root, summand.kernel, where)
            K += within(state, where)
            columns.append(columns_of(state, summand.exponentials, where))
        U, V, phi = (np.concatenate(each, -1) for each in zip(*columns, strict=True))
        return K, U, V, phi

    def at(self, which: Sequence[int], x: Array, blocks: Index) -> tuple[Array, Array]:
        """Rows of U and of V (k, r) of some summands at other inputs x (k,), seen from blocks (k,)."""
        _, U, V, _ = self.parts(which, self.layout.seen_from(blocks, x))
        return U[:, 0], V[:, 0]

    @property
    def _ends(self) -> tuple[Index, Array]:
        return np.zeros(2, dtype=np.intp), self.layout.x[[0, -1]]

    def _evaluated(self, root: Evaluator, kernel: Kernel, where: BlockLayout) -> Evaluation:
        """A summand at the inputs of a layout; the ends of all inputs go before, so that walks are of one size."""
        X = np.concatenate([self.layout.x[[0, -1]], where.x])[:, None]
        state = evaluate(root, kernel.values, X, where, self.problem.columns, self.pool, False, sized=2)
        state.factors = [factor[2:] for factor in state.factors]
        for slot in state.terms.values():
            slot.rise = None if slot.rise is None else slot.rise[2:]
        return state


def _summands(kernel: Kernel) -> list[Kernel]:
    parts = components(kernel)
    return [summand for part in parts for summand in part.terms]
