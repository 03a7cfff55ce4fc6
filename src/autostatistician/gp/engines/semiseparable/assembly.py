"""A kernel with its parameters on the inputs of one column, made for some blocks at a time, summand by summand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from autostatistician.gp.engines.profiles import Evaluation, compiled, evaluate
from autostatistician.gp.engines.semiseparable.accuracies import Wanted
from autostatistician.gp.engines.semiseparable.at_parameters import columns_of, within
from autostatistician.gp.engines.semiseparable.between import Between, between
from autostatistician.gp.engines.semiseparable.layout import BLOCK, BlockLayout, laid_out
from autostatistician.gp.engines.semiseparable.recursion import BlockMatrices
from autostatistician.gp.problem import Problem
from autostatistician.kernels.covariance.nodes import Evaluator
from autostatistician.kernels.kernel import Kernel
from autostatistician.kernels.rewrite import components

__all__ = ["Assembly"]

Array = NDArray[np.float64]
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
        where = self.layout.seen_from(blocks, x)
        U, V = [np.zeros((len(x), 0))], [np.zeros((len(x), 0))]
        for summand in (self.summands[index] for index in which):
            u, v, _ = columns_of(self._evaluated(summand.root, summand.kernel, where), summand.exponentials, where)
            U.append(u[:, 0])
            V.append(v[:, 0])
        return np.concatenate(U, -1), np.concatenate(V, -1)

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
