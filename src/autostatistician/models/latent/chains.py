"""Several chains, side by side and in rounds, between which they can be stopped, kept in a file and taken up again.

A chain has a generator of its own and knows nothing of rounds, workers or clocks: the same seed gives the same draws.

Chains in a file, so that another run goes on from there: arrays as NumPy writes them, the rest as JSON.

The density of further rows under the draws of a mixture, rows drawn from it, and the groups that rows belong to.

A further row has a group (one of those there, or a new one: Blackwell and MacQueen's urn), a latent place from the
Student-t distribution of that group, and columns from the functions at that place, noise included.
"""

from __future__ import annotations

import io
import json
import time
import warnings
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from scipy.special import logsumexp, softmax

from autostatistician._io.files import write_whole
from autostatistician._io.processes import end_with_parent, started_as_own
from autostatistician._io.threads import one_thread
from autostatistician.errors import CheckpointError
from autostatistician.models.latent.chain import LeapfrogStep, MixturePrior, SamplerState, begun, swept
from autostatistician.models.latent.partition import Groups
from autostatistician.models.latent.warp import FIRST_FLOOR

__all__ = [
    "AGREED", "TRACED", "ChainPlan", "Draws", "MarkovChain", "agreement", "companions", "drawn", "identity",
    "log_densities", "read", "run", "started", "write",
]  # fmt: skip


Array = NDArray[np.float64]

AGREED = 1.05  # R-hat up to which chains are said to agree

Labels = NDArray[np.intp]

TRACED = ("groups", "log_density", "size", "lengthscale", "noise", "largest_share")

FIRST_ROUND, SECONDS_OF_A_ROUND = 1, 5.0


@dataclass(frozen=True)
class ChainPlan:
    """How long a chain is, and what of it is kept."""

    sweeps: int
    warm_up: int  # sweeps in which the step learns; half of them with more noise
    every: int  # sweeps between two draws that are kept

    def keeps(self, sweep: int) -> bool:
        """Whether the state after this sweep (counted from 1) is kept; where a run ends early, also of the warm-up."""
        return sweep % self.every == 0

    def shows(self, sweep: int) -> bool:
        """Whether it is one of the few that show how the chain went."""
        return sweep in {0, 1, *(max(self.sweeps * share // 100, 1) for share in (3, 10, 30, 100))}


@dataclass(frozen=True, eq=False)
class Draws:
    """K draws of assignments, coordinates and the logarithms of the parameters, with the sweeps they are of."""

    sweeps: Labels  # (K,)
    labels: Labels  # (K, N)
    X: Array  # (K, N, Q)
    parameters: Array  # (K, 3)

    @classmethod
    def of(cls, states: list[SamplerState], like: SamplerState) -> Draws:
        """Of states; ``like`` says the shapes where there are none."""
        n = len(states)
        return cls(
            np.array([state.sweeps for state in states], dtype=np.intp),
            np.array([state.labels for state in states], dtype=np.intp).reshape(n, *like.labels.shape),
            np.array([state.X for state in states], dtype=float).reshape(n, *like.X.shape),
            np.array([state.parameters for state in states], dtype=float).reshape(n, *like.parameters.shape),
        )

    def after(self, sweep: int) -> Draws:
        """Those of later sweeps."""
        later = self.sweeps > sweep
        return Draws(*(getattr(self, name)[later] for name in self.__dataclass_fields__))

    def joined(self, other: Draws) -> Draws:
        """These and then the others."""
        pairs = ((getattr(self, name), getattr(other, name)) for name in self.__dataclass_fields__)
        return Draws(*(np.concatenate(pair) for pair in pairs))


@dataclass(frozen=True, eq=False)
class MarkovChain:
    """Where a chain is, how it got there, and what it leaves."""

    state: SamplerState
    generator: np.random.Generator
    trace: Array  # (sweeps, len(TRACED))
    kept: Draws
    shown: Draws


def started(
    Y: Array, dimensions: int, prior: MixturePrior, plan: ChainPlan, generator: np.random.Generator, *, number: int = 0
) -> MarkovChain:
    """A chain before its first sweep; its number says where it begins."""
    state = begun(Y, dimensions, prior, generator, number=number)
    none = Draws.of([], state)
    shown = Draws.of([state], state) if plan.shows(0) else none
    return MarkovChain(state, generator, np.empty((0, len(TRACED))), none, shown)


def run(
    chains: list[MarkovChain],
    Y: Array,
    prior: MixturePrior,
    plan: ChainPlan,
    *,
    n_jobs: int = 1,
    budget: float | None = None,
    after_round: Callable[[list[MarkovChain]], object] | None = None,
) -> list[MarkovChain]:
    """Chains taken to the end of their plan, or until the budget (seconds) is spent.

    ``after_round`` gets them every few seconds: to keep them in a file, or to tell how far they are. Where it answers
    False the run ends there, as when the budget is spent; what it raises (or Ctrl-C) is raised here.
    """
    begin, length = time.monotonic(), FIRST_ROUND
    while any(chain.state.sweeps < plan.sweeps for chain in chains):
        now = time.monotonic()
        chains = _advanced(chains, Y, prior, plan, length, n_jobs)
        spent = max(time.monotonic() - now, 1e-3)
        if after_round is not None and after_round(chains) is False:
            break
        if budget is not None and time.monotonic() - begin >= budget:
            break
        length = int(np.clip(length * SECONDS_OF_A_ROUND / spent, 1, 20 * length))
    return chains


def _advanced(
    chains: list[MarkovChain], Y: Array, prior: MixturePrior, plan: ChainPlan, sweeps: int, n_jobs: int
) -> list[MarkovChain]:
    if n_jobs == 1 or len(chains) == 1:
        return [_further(chain, Y, prior, plan, sweeps) for chain in chains]
    jobs = (delayed(_further)(chain, Y, prior, plan, sweeps) for chain in chains)
    with started_as_own():
        return list(Parallel(n_jobs=n_jobs)(jobs))


def _further(chain: MarkovChain, Y: Array, prior: MixturePrior, plan: ChainPlan, sweeps: int) -> MarkovChain:
    """A chain some sweeps on, at most to the end of the plan."""
    end_with_parent()
    state, rng = chain.state, chain.generator
    trace, kept, shown = [], [], []
    with one_thread():
        for _ in range(min(sweeps, plan.sweeps - state.sweeps)):
            if state.sweeps == plan.warm_up // 2:
                state = replace(state, step=LeapfrogStep.beginning(state.step.averaged))  # for another posterior
            state = swept(state, Y, _early(prior, plan, state.sweeps), rng, learning=state.sweeps < plan.warm_up)
            trace.append(_traced(state))
            if plan.keeps(state.sweeps):
                kept.append(state)
            if plan.shows(state.sweeps):
                shown.append(state)
    return replace(
        chain,
        state=state,
        generator=rng,
        trace=np.concatenate([chain.trace, np.reshape(trace, (-1, len(TRACED)))]),
        kept=chain.kept.joined(Draws.of(kept, state)),
        shown=chain.shown.joined(Draws.of(shown, state)),
    )


def _early(prior: MixturePrior, plan: ChainPlan, sweeps: int) -> MixturePrior:
    """The prior after so many sweeps: with more noise at first."""
    floor = max(prior.floor, FIRST_FLOOR) if sweeps < plan.warm_up // 2 else prior.floor
    return replace(prior, floor=floor)


def _traced(state: SamplerState) -> tuple[float, ...]:
    counts = np.bincount(state.labels)
    return (float(len(counts)), state.level, *np.exp(state.parameters).tolist(), float(counts.max() / counts.sum()))


# --- How far chains agree: the rank-normalised R-hat and effective samples of what they trace -----------------------


def agreement(traces: Array) -> tuple[float, float]:
    """R-hat and the effective sample size of one quantity in chains (C, K), by `arviz_stats` (Vehtari et al. 2021).

    R-hat asks for two chains or more. A quantity that is the same all the time agrees fully, and all samples count.

    Examples
    --------
    >>> r_hat, effective = agreement(np.random.default_rng(0).standard_normal((4, 250)))
    >>> r_hat < 1.01, effective > 500
    (True, True)
    """
    from arviz_stats.base.array import array_stats

    of: Any = array_stats  # it comes without types

    chains, count = traces.shape
    if not count:
        return np.nan, 0.0
    if np.ptp(traces) == 0.0:
        return 1.0, float(traces.size)
    if count < 4:
        return np.nan, float(chains)
    with warnings.catch_warnings(), np.errstate(all="ignore"):  # chains that each stand still at another value
        warnings.simplefilter("ignore")
        r_hat = float(of.rhat(traces, chain_axis=0, draw_axis=1))
        effective = float(of.ess(traces, chain_axis=0, draw_axis=1))
    return (np.inf if np.isnan(r_hat) and chains > 1 else r_hat), effective


REMEDY = "continue with the same, or remove the file"
DRAWN = ("sweeps", "labels", "X", "parameters")


def identity(Y: Array, settings: dict[str, Any]) -> str:
    """A hash of data and settings: chains go on with the same ones alone."""
    described = json.dumps([list(Y.shape), settings], sort_keys=True)
    return sha256(described.encode() + np.ascontiguousarray(Y).tobytes()).hexdigest()


def write(path: Path, chains: list[MarkovChain], of: str) -> None:
    """Replace the file by one that holds the chains.

    Raises
    ------
    WriteError
        When it cannot be written; the old file stays.
    """
    arrays: dict[str, NDArray[Any]] = {}
    for k, chain in enumerate(chains):
        state = chain.state
        meta = {
            "step": asdict(state.step),
            "sweeps": state.sweeps,
            "level": state.level,
            "generator": chain.generator.bit_generator.state,
        }
        arrays |= {f"{k}.labels": state.labels, f"{k}.X": state.X, f"{k}.parameters": state.parameters}
        arrays |= {f"{k}.trace": chain.trace, f"{k}.meta": _bytes(meta)}
        for kind, draws in (("kept", chain.kept), ("shown", chain.shown)):
            arrays |= {f"{k}.{kind}.{name}": getattr(draws, name) for name in DRAWN}
    file = io.BytesIO()
    np.savez_compressed(file, allow_pickle=False, of=_bytes({"of": of, "chains": len(chains)}), **arrays)
    write_whole(path, file.getvalue())


def read(path: Path, of: str) -> list[MarkovChain] | None:
    """The chains of a file, or None where there is none.

    Raises
    ------
    CheckpointError
        When it is no file of chains, is damaged, or is one of other data or settings.
    """
    if not path.exists():
        return None
    if not path.is_file():
        raise _error(path, "something that is no file")
    try:
        with np.load(io.BytesIO(path.read_bytes()), allow_pickle=False) as arrays:
            header = json.loads(arrays["of"].tobytes())
            if header["of"] != of:
                raise _error(path, "chains of other data or settings")
            return [_chain(arrays, k) for k in range(int(header["chains"]))]
    except (OSError, ValueError, KeyError, TypeError, EOFError, zipfile.BadZipFile) as error:
        raise _error(path, f"a fault ({type(error).__name__}: {error})") from error


def _chain(arrays: Any, k: int) -> MarkovChain:
    meta = json.loads(arrays[f"{k}.meta"].tobytes())
    generator = np.random.default_rng()
    generator.bit_generator.state = meta["generator"]
    step = LeapfrogStep(**meta["step"])
    labels, X, parameters = (arrays[f"{k}.{name}"] for name in ("labels", "X", "parameters"))
    state = SamplerState(labels, X, parameters, step, int(meta["sweeps"]), float(meta["level"]))
    kept, shown = (Draws(*(arrays[f"{k}.{kind}.{name}"] for name in DRAWN)) for kind in ("kept", "shown"))
    return MarkovChain(state, generator, arrays[f"{k}.trace"], kept, shown)


def _bytes(value: object) -> NDArray[np.uint8]:
    return np.frombuffer(json.dumps(value).encode(), dtype=np.uint8)


def _error(path: Path, fault: str) -> CheckpointError:
    return CheckpointError.of(f"chains of these data and settings in {str(path)!r}", fault, REMEDY)


NEAR = 5  # rows of the data, near a further row, about whose latent places some of its own are tried


def log_densities(
    draws: Draws, Y: Array, at: Array, prior: MixturePrior, rng: np.random.Generator, places: int
) -> Array:
    """The log density (M,) of rows (M, D), averaged over draws, with that many latent places for each row and draw."""
    each = [logsumexp(weights, axis=1) for _, weights, _ in _weighed(draws, Y, at, prior, rng, places)]
    return np.asarray(logsumexp(each, axis=0) - np.log(len(each)))


def companions(draws: Draws, Y: Array, at: Array, prior: MixturePrior, rng: np.random.Generator, places: int) -> Array:
    """How probable it is that rows (M, D) are in one group with rows of the data (N): (M, N), averaged over draws."""
    together = np.zeros((len(at), len(Y)))
    for labels, weights, chances in _weighed(draws, Y, at, prior, rng, places):
        share = softmax(weights, axis=1)
        together += np.einsum("mj,mjc->mc", share, chances)[:, labels]
    return together / max(len(draws.labels), 1)


def drawn(draws: Draws, Y: Array, prior: MixturePrior, rng: np.random.Generator, count: int) -> Array:
    """Further rows (count, D), each from one of the draws."""
    of_draws = np.sort(rng.integers(len(draws.labels), size=count))
    rows = []
    for k, number in zip(*np.unique(of_draws, return_counts=True), strict=True):
        groups = _groups(draws, int(k), prior)
        chosen = _chosen(groups, prior, int(number), rng)
        X = groups.draw(chosen, rng)
        mean, variance = (values[:, 0] for values in _columns(draws, int(k), Y, X, prior))
        rows.append(mean + np.sqrt(variance)[:, None] * rng.standard_normal(mean.shape))
    return np.asarray(rng.permutation(np.concatenate(rows)))


def _groups(draws: Draws, k: int, prior: MixturePrior) -> Groups:
    """The groups of a draw, and an empty one after them."""
    return Groups.of(prior.groups, draws.X[k], draws.labels[k], room=1)


def _chances(groups: Groups, prior: MixturePrior) -> Array:
    """How probable each group is for a further row (C,), the new one last."""
    counts = np.append(groups.counts[:-1], prior.concentration)
    return np.asarray(counts / counts.sum())


def _chosen(groups: Groups, prior: MixturePrior, count: int, rng: np.random.Generator) -> Labels:
    return np.asarray(rng.choice(len(groups.counts), size=count, p=_chances(groups, prior)))


def _columns(draws: Draws, k: int, Y: Array, X: Array, prior: MixturePrior) -> tuple[Array, Array]:
    """Means (M, 1, D) and variances (M, 1) of columns at latent places; without a warp the places themselves."""
    if not prior.warped:
        return X[:, None], np.zeros((len(X), 1))
    mean, variance = prior.warp(draws.X[k], draws.parameters[k], Y).predict(X)
    return mean[:, None], variance[:, None]


def _weighed(
    draws: Draws, Y: Array, at: Array, prior: MixturePrior, rng: np.random.Generator, places: int
) -> Iterator[tuple[Labels, Array, Array]]:
    """For each draw its labels (N,), log weights (M, J) that sum to a row's density, and chances (M, J, C) of groups.

    Half of the places are drawn for all rows from the mixture, the other half about those of the rows of the data that
    are near the row; weighed by what draws both together (the balance heuristic), the sum stays unbiased.
    """
    if not prior.warped:
        yield from ((draws.labels[k], *_directly(draws, k, at, prior)) for k in range(len(draws.labels)))
        return
    near = np.argsort(((at[:, None, :] - Y) ** 2).sum(axis=2), axis=1, kind="stable")[:, :NEAR]
    half = max(places // 2, 1)
    for k in range(len(draws.labels)):
        groups = _groups(draws, k, prior)
        about = draws.X[k][near]  # (M, NEAR, Q)
        width = np.sqrt(((about - about.mean(axis=1, keepdims=True)) ** 2).mean(axis=(1, 2))) + 1e-9
        shared = groups.draw(_chosen(groups, prior, half, rng), rng)
        # The same numbers for all rows: what is said of a row does not depend on the others.
        chosen, noise = rng.integers(near.shape[1], size=half), rng.standard_normal((half, about.shape[2]))
        nearby = about[:, chosen] + width[:, None, None] * noise
        X = np.concatenate([shared, nearby.reshape(-1, nearby.shape[2])])
        every = (*_columns(draws, k, Y, X, prior), _joint(groups, prior, X), X)
        mean, variance, joint, X = (_spread(values, half, len(at)) for values in every)
        of_mixture = logsumexp(joint, axis=2)
        proposal = np.logaddexp(of_mixture, _mixed(X, about, width)) - np.log(2.0)
        both = joint + _normal(at, mean, variance)  # of places, groups and columns
        weights = logsumexp(both, axis=2)
        yield draws.labels[k], weights - proposal - np.log(2.0 * half), np.exp(both - weights[:, :, None])


def _directly(draws: Draws, k: int, at: Array, prior: MixturePrior) -> tuple[Array, Array]:
    """Weights and chances where rows are their own places."""
    joint = _joint(_groups(draws, k, prior), prior, at)
    whole = logsumexp(joint, axis=1, keepdims=True)
    return whole, np.exp(joint - whole)[:, None, :]


def _joint(groups: Groups, prior: MixturePrior, X: Array) -> Array:
    """The log density (M, C) of places and groups."""
    outside = np.full(len(X), -1)
    return np.asarray(np.log(_chances(groups, prior)) + groups.log_predictive(X, outside))


def _spread(values: Array, shared: int, rows: int) -> Array:
    """Values at shared places and at those of each row (first axis) as (rows, places, ...)."""
    common = np.broadcast_to(values[:shared], (rows, *values[:shared].shape))
    return np.concatenate([common, values[shared:].reshape(rows, -1, *values.shape[1:])], axis=1)


def _mixed(X: Array, about: Array, width: Array) -> Array:
    """The log density (M, J) of places (M, J, Q) under normal ones about others (M, NEAR, Q), a width for each row."""
    distance = ((X[:, :, None, :] - about[:, None, :, :]) ** 2).sum(axis=3) / width[:, None, None] ** 2
    constant = X.shape[2] * (np.log(width)[:, None] + 0.5 * np.log(2.0 * np.pi)) + np.log(about.shape[1])
    return np.asarray(logsumexp(-0.5 * distance, axis=2) - constant)


def _normal(at: Array, mean: Array, variance: Array) -> Array:
    """The log density (M, J, C) of rows (M, D) under means (M, J, C, D) and variances (M, J, C)."""
    distance = ((at[:, None, None, :] - mean) ** 2).sum(axis=3) / variance
    return np.asarray(-0.5 * (distance + at.shape[1] * np.log(2.0 * np.pi * variance)))
