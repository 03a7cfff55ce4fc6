"""Bounded quasi-Newton steps from many starts in lockstep: one evaluation of all that are still on their way at a time.

Dense matrices of second derivatives are built from the slopes (BFGS; Nocedal and Wright 2006, Numerical Optimization,
section 6.1, damped as in procedure 18.2). A step goes to the minimum of the quadratic model within the box, found by
holding what would leave it; where the value is not lower there, it is shortened by cubic interpolation.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields

import numpy as np
from numpy.typing import NDArray

__all__ = ["Descents", "descended"]

Array = NDArray[np.float64]
Members = NDArray[np.intp]
Function = Callable[[Array, Members], tuple[Array, Array]]

SUFFICIENT = 1e-4  # share of the decrease that slopes promise (Armijo)
SHORTEST, LONGEST, INSTEAD = 0.1, 0.6, 0.2  # of a step that is shortened; where there is no value
MOST_TRIALS = 12  # of one step
LEAST_CURVATURE = 0.2  # of what is expected along a step: below, the change of slope is damped
FIRST_REACH, FARTHER = 4.0, 10.0  # of a step, by each coordinate; how many times as far as the last one the next may go
HOLDINGS = 3  # rounds of holding coordinates that a step would take out of the box


@dataclass
class Descents:
    """Where the descents of all members have come to."""

    places: Array  # (members, p)
    values: Array  # (members,); infinite where the start cannot be evaluated
    converged: NDArray[np.bool_]
    evaluations: NDArray[np.intp]


@dataclass
class _Live:
    """Those still on their way: a row of every array for each."""

    members: Members
    z: Array
    f: Array
    g: Array
    low: Array
    high: Array
    steps: NDArray[np.intp]  # that are left
    hessian: Array = field(init=False)  # (b, p, p), estimated
    direction: Array = field(init=False)
    length: Array = field(init=False)  # of the step, in the direction
    trials: NDArray[np.intp] = field(init=False)
    reach: Array = field(init=False)  # of a step, by each coordinate

    def __post_init__(self) -> None:
        count, p = self.z.shape
        self.hessian = np.broadcast_to(np.eye(p), (count, p, p)).copy()
        self.direction, self.length = np.zeros((count, p)), np.ones(count)
        self.trials, self.reach = np.zeros(count, dtype=np.intp), np.full(count, FIRST_REACH)

    def keep(self, which: NDArray[np.bool_]) -> None:
        """Leave all others behind."""
        for each in fields(self):
            setattr(self, each.name, getattr(self, each.name)[which])


def descended(
    function: Function,
    start: Array,
    low: Array,
    high: Array,
    steps: Members,
    ftol: float,
    gtol: float,
    stop: Callable[[], bool] = lambda: False,
) -> Descents:
    """Descend from every start (members, p) within bounds, in so many steps (members,) at most.

    Parameters
    ----------
    function : callable
        Values (b,) and gradients (b, p) at places (b, p) of some members; infinite where there is none.
    start, low, high : arrays (members, p)
        Where to begin, and the bounds.
    steps : array (members,)
        How many steps each may take.
    ftol, gtol : float
        A descent ends where a step lowers the value by less than this share of it, or no slope that leads into the box
        is larger.
    stop : callable, optional
        Asked before every evaluation but the first; when it says so, all end where they are.

    Examples
    --------
    >>> valley = lambda z, members: (((z - 1.0) ** 2).sum(axis=1), 2.0 * (z - 1.0))
    >>> box = np.full((2, 1), -9.0), np.array([[9.0], [0.5]])
    >>> descended(valley, np.zeros((2, 1)), *box, np.array([20, 20]), 1e-9, 1e-6).places.round(6).tolist()
    [[1.0], [0.5]]
    """
    members = np.arange(len(start))
    z = np.clip(start, low, high)
    f, g = function(z, members)
    done = Descents(z.copy(), f.copy(), np.zeros(len(z), dtype=bool), np.ones(len(z), dtype=np.intp))
    live = _Live(members, z, f, g, low, high, np.array(steps))
    flat = _flat(live, gtol)
    done.converged[live.members[flat]] = True
    live.keep(np.isfinite(f) & ~flat & (live.steps > 0))
    if len(live.members):
        _aim(live, np.ones(len(live.members), dtype=bool))
    while len(live.members) and not stop():
        _step(function, live, done, ftol, gtol)
    return done


def _step(function: Function, live: _Live, done: Descents, ftol: float, gtol: float) -> None:
    """One evaluation of every member, and what follows from it."""
    z = np.clip(live.z + live.length[:, None] * live.direction, live.low, live.high)
    f, g = function(z, live.members)
    done.evaluations[live.members] += 1
    moved, usable = z - live.z, np.isfinite(f)
    promised = (live.g * moved).sum(axis=1)
    lower = usable & (f <= live.f + SUFFICIENT * promised)
    _shorten(live, ~lower, f, promised, (g * moved).sum(axis=1))
    scale = np.maximum(np.maximum(np.abs(live.f), np.abs(f)), 1.0)
    # Where slopes promise less than counts, a value that is not lower is so by rounding alone.
    enough = np.where(lower, live.f - f, np.where(usable, -promised, np.inf)) <= ftol * scale
    _learn(live, lower, moved, g - live.g)
    live.z[lower], live.f[lower], live.g[lower] = z[lower], f[lower], g[lower]
    live.steps[lower] -= 1
    gone = np.abs(moved).max(axis=1, initial=0.0)
    live.reach = np.where(lower, np.where(live.trials > 0, gone, np.maximum(FARTHER * gone, live.reach)), live.reach)
    ended = enough | (lower & _flat(live, gtol))
    done.places[live.members], done.values[live.members] = live.z, live.f
    done.converged[live.members[ended]] = True
    stay = ~ended & (live.steps > 0) & (live.trials < MOST_TRIALS)
    lower = lower[stay]
    live.keep(stay)
    if lower.any():
        _aim(live, lower)


def _flat(live: _Live, gtol: float) -> NDArray[np.bool_]:
    """Whether no slope leads on within the box."""
    ahead = np.clip(live.z - live.g, live.low, live.high) - live.z
    return np.asarray(np.abs(ahead).max(axis=1, initial=0.0) <= gtol)


def _shorten(live: _Live, which: NDArray[np.bool_], f: Array, promised: Array, slope: Array) -> None:
    """Shorten steps to where a cubic through both values and slopes is lowest."""
    if not which.any():
        return
    with np.errstate(all="ignore"):
        bend = promised + slope - 3.0 * (f - live.f)
        root = np.sqrt(np.maximum(bend * bend - promised * slope, 0.0))
        share = 1.0 - (slope + root - bend) / (slope - promised + 2.0 * root)
    share = np.where(np.isfinite(f) & np.isfinite(share), np.clip(share, SHORTEST, LONGEST), INSTEAD)
    live.length = np.where(which, live.length * share, live.length)
    live.trials = np.where(which, live.trials + 1, live.trials)


def _learn(live: _Live, which: NDArray[np.bool_], moved: Array, change: Array) -> None:
    """Let the second derivatives agree with the change of slope along a step."""
    if not which.any():
        return
    s, y, hessian = moved[which], change[which], live.hessian[which]
    along = np.matmul(hessian, s[:, :, None])[:, :, 0]
    expected, seen = (s * along).sum(axis=1), (s * y).sum(axis=1)
    damped = seen < LEAST_CURVATURE * expected
    with np.errstate(all="ignore"):
        share = np.where(damped, (1.0 - LEAST_CURVATURE) * expected / (expected - seen), 1.0)[:, None]
        y = share * y + (1.0 - share) * along
        seen = (s * y).sum(axis=1)
        update = (
            y[:, :, None] * (y / seen[:, None])[:, None, :]
            - along[:, :, None] * (along / expected[:, None])[:, None, :]
        )
    sound = np.isfinite(update).all(axis=(1, 2))
    hessian[sound] += update[sound]
    live.hessian[which] = hessian


def _aim(live: _Live, which: NDArray[np.bool_]) -> None:
    """The next steps: to where the quadratic model is lowest within the box, not too far and as far as it is found."""
    z, g, hessian, reach = live.z[which], live.g[which], live.hessian[which], live.reach[which, None]
    low, high = np.maximum(live.low[which] - z, -reach), np.minimum(live.high[which] - z, reach)
    held = ((low >= 0.0) & (g > 0.0)) | ((high <= 0.0) & (g < 0.0))
    straight = _towards(g, hessian, held, np.zeros_like(z))
    with np.errstate(all="ignore"):
        shares = np.where(straight > 0.0, high / straight, np.where(straight < 0.0, low / straight, 1.0))
    whole = np.minimum(shares.min(axis=1), 1.0)[:, None]
    bent, clipped = straight, np.clip(straight, low, high)
    for _ in range(HOLDINGS):
        held, bent = held | (clipped != bent), clipped
        bent = _towards(g, hessian, held, bent)
        clipped = np.clip(bent, low, high)
    straight = whole * straight
    direction = np.where((_promised(g, hessian, straight) < _promised(g, hessian, clipped))[:, None], straight, clipped)
    uphill = (direction * g).sum(axis=1) >= 0.0
    direction[uphill] = np.clip(-g, low, high)[uphill]
    live.direction[which], live.length[which], live.trials[which] = direction, 1.0, 0


def _towards(g: Array, hessian: Array, held: NDArray[np.bool_], direction: Array) -> Array:
    """The step to the minimum of the quadratic model, some coordinates held where a direction has them."""
    free, fixed = ~held, np.where(held, direction, 0.0)
    matrix = np.where(free[:, :, None] & free[:, None, :], hessian, np.eye(g.shape[1]))
    slope = np.where(free, g + np.matmul(hessian, fixed[:, :, None])[:, :, 0], 0.0)
    return fixed + np.linalg.solve(matrix, -slope[:, :, None])[:, :, 0]


def _promised(g: Array, hessian: Array, step: Array) -> Array:
    """How the quadratic model changes along steps."""
    return np.asarray((step * (g + 0.5 * np.matmul(hessian, step[:, :, None])[:, :, 0])).sum(axis=1))
