"""Clusters of any shape: the infinite warped mixture, and the infinite Gaussian mixture beside it."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import KW_ONLY, asdict, dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.exceptions import ConvergenceWarning
from sklearn.utils import column_or_1d
from sklearn.utils.multiclass import type_of_target
from sklearn.utils.validation import check_is_fitted, validate_data

from autostatistician._io.seeds import seed_of
from autostatistician._io.threads import one_thread
from autostatistician.data.inputs import spreads
from autostatistician.errors import InputError, check_choice
from autostatistician.estimators.options import ClusterPrior, check_count, check_positive
from autostatistician.estimators.snapshots import SavedEstimator
from autostatistician.estimators.typed import ClusterMixin, DensityMixin
from autostatistician.models.latent.chain import MixturePrior
from autostatistician.models.latent.chains import (
    TRACED,
    ChainPlan,
    Draws,
    MarkovChain,
    agreement,
    companions,
    drawn,
    identity,
    log_densities,
    read,
    run,
    started,
    write,
)
from autostatistician.models.latent.partition import NormalWishart, best_partition, similarity, variation_of_information
from autostatistician.models.latent.warp import spread_rows
from autostatistician.search.racing.workers import worker_count

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["InfiniteGaussianMixture", "InfiniteWarpedMixture"]


GAP = -1  # stands for "not known", as in scikit-learn

Array = NDArray[np.float64]

MOST_KEPT = 100  # draws of a chain

MOST_CELLS = 2_000_000  # of the arrays in which further rows are compared with those of the data

MOST_EXACT, USUAL_INDUCING = 600, 80  # rows up to which all of them tell the functions, and how many do of more

NUMBERS = (int, float, np.integer, np.floating)
COMPARED = ("groups", "log_density", "largest_share")  # quantities on whose agreement the verdict rests


@dataclass(eq=False, repr=False)
class _Mixture(ClusterMixin, DensityMixin, SavedEstimator):
    """Chains over partitions, and what they say."""

    _: KW_ONLY
    n_chains: int = 4
    n_sweeps: int = 1000
    prior: ClusterPrior | None = None
    scaling: str = "columns"
    time_budget: float | None = None
    n_jobs: int | None = None
    random_state: Any = 0

    warped = True

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        callback: Callable[[int, int], object] | None = None,
        checkpoint: str | Path | None = None,
    ) -> Self:
        """Run the chains.

        Parameters
        ----------
        X : array or frame (N, D)
            Numbers without gaps. Inside they have mean 0 and the scale asked for; what is told has their units.
        y : array (N,), optional
            Classes of some rows, -1 (or NaN, None) for the others. Rows of one class are in one cluster, rows of
            different classes in different ones; there may be clusters without a class.
        callback : callable, optional
            Called with sweeps done and sweeps asked for, every few seconds; where it answers False, the chains end.
        checkpoint : path, optional
            A file that keeps the chains every few seconds; a fit with the same data and settings goes on from there.

        Raises
        ------
        InputError
            When the settings or the data cannot be used.
        """
        X = validate_data(self, X, dtype=np.float64, ensure_min_samples=2)
        self.centre_, self.scale_ = X.mean(axis=0), self._scales(X)
        self._Y = (X - self.centre_) / self.scale_
        self.classes_, known = coded([GAP] * len(X) if y is None else y, len(X))
        self._known = known if len(self.classes_) else None
        dimensions, self._mixture_prior, plan = self._asked()
        self._keep(self._run(dimensions, plan, callback, checkpoint), plan)
        return self

    def _scales(self, X: Array) -> Array:
        """What each column is divided by (D,)."""
        check_choice("scaling", self.scaling, ("columns", "common"))
        each = spreads(X)
        if self.scaling == "columns":
            return each
        largest = float(each.max())
        return np.full(len(each), largest * float(np.sqrt(((each / largest) ** 2).mean())))

    def _dimensions(self, columns: int) -> int:
        return columns

    def _functions(self) -> dict[str, Any]:
        """What `MixturePrior` is told of the functions."""
        return {}

    def _asked(self) -> tuple[int, MixturePrior, ChainPlan]:
        """The settings, checked."""
        dimensions = self._dimensions(self._Y.shape[1])
        prior = self._cluster_prior()
        check_positive("concentration", prior.concentration)
        check_positive("strength", prior.strength)
        if prior.degrees_of_freedom is not None and not prior.degrees_of_freedom > dimensions - 1:
            raise InputError.of(
                f"degrees_of_freedom above {dimensions - 1}", repr(prior.degrees_of_freedom), "change the setting"
            )
        sweeps = check_count("n_sweeps", self.n_sweeps, 2)
        warm_up = sweeps // 2
        wishart = NormalWishart.standard(dimensions, prior.strength, prior.degrees_of_freedom)
        return (
            dimensions,
            MixturePrior(wishart, prior.concentration, self.warped, known=self._known, **self._functions()),
            ChainPlan(sweeps, warm_up, max((sweeps - warm_up) // MOST_KEPT, 1)),
        )

    def _cluster_prior(self) -> ClusterPrior:
        return ClusterPrior() if self.prior is None else self.prior

    def _run(
        self,
        dimensions: int,
        plan: ChainPlan,
        callback: Callable[[int, int], object] | None,
        checkpoint: str | Path | None,
    ) -> list[MarkovChain]:
        self._seed, count = seed_of(self.random_state), check_count("n_chains", self.n_chains, 1)
        path = None if checkpoint is None else Path(checkpoint)
        settings = {"n_chains": self.n_chains, "n_sweeps": self.n_sweeps, **asdict(self._cluster_prior())}
        settings |= {"dimensions": dimensions, "warped": self.warped, "seed": self._seed}
        inducing = self._mixture_prior.inducing
        settings |= {
            "known": None if self._known is None else self._known.tolist(),
            "inducing": None if inducing is None else inducing.tolist(),
        }
        of = identity(self._Y, settings)
        chains = None if path is None else read(path, of)
        if chains is None:
            seeds = np.random.SeedSequence(self._seed).spawn(count)
            with one_thread():
                chains = [
                    started(self._Y, dimensions, self._mixture_prior, plan, np.random.default_rng(seed), number=number)
                    for number, seed in enumerate(seeds)
                ]

        def after_round(now: list[MarkovChain]) -> object:
            if path is not None:
                write(path, now, of)
            return callback and callback(min(chain.state.sweeps for chain in now), plan.sweeps)

        jobs, budget = worker_count(self.n_jobs), self.time_budget
        return run(chains, self._Y, self._mixture_prior, plan, n_jobs=jobs, budget=budget, after_round=after_round)

    def _keep(self, chains: list[MarkovChain], plan: ChainPlan) -> None:
        """What is told of the chains."""
        self.complete_ = all(chain.state.sweeps == plan.sweeps for chain in chains)
        done = min(chain.state.sweeps for chain in chains)
        warm_up = min(plan.warm_up, done // 2)
        later = [chain.kept.after(warm_up) for chain in chains]
        kept = [
            draws if len(draws.sweeps) else Draws.of([chain.state], chain.state)
            for draws, chain in zip(later, chains, strict=True)
        ]
        draws = [np.concatenate([getattr(of_chain, field.name) for of_chain in kept]) for field in fields(Draws)]
        self.draws_ = Draws(*draws)
        self.similarity_ = similarity(self.draws_.labels)
        self.labels_ = best_partition(self.draws_.labels, self._known)
        self.n_clusters_ = int(self.labels_.max()) + 1
        if self._known is not None:
            self.transduction_ = self._named(self._of_classes(self.similarity_))
        counts, times = np.unique([len(np.unique(labels)) for labels in self.draws_.labels], return_counts=True)
        self.cluster_counts_ = {int(k): float(t / times.sum()) for k, t in zip(counts, times, strict=True)}
        distances = [variation_of_information(self.labels_, labels) for labels in self.draws_.labels]
        self.latent_ = self.draws_.X[int(np.argmin(distances))]
        self.chains_ = [_frame(chain) for chain in chains]
        self.shown_ = [chain.shown for chain in chains]
        traces = np.array([chain.trace[warm_up:done] for chain in chains])
        diagnostics = {name: agreement(traces[:, :, TRACED.index(name)]) for name in COMPARED}
        self.r_hat_ = {name: r_hat for name, (r_hat, _) in diagnostics.items()}
        self.ess_ = {name: effective for name, (_, effective) in diagnostics.items()}
        self.n_iter_ = done
        if not self.complete_:
            text = f"the chains ended after {self.n_iter_} of {plan.sweeps} sweeps"
            warnings.warn(text, ConvergenceWarning, stacklevel=4)

    def predict(self, X: Any) -> NDArray[np.intp]:
        """The cluster (M,) of further rows: that with whose rows they are together most often, on the mean."""
        together = self._spread(X, companions)
        members = np.arange(self.n_clusters_) == self.labels_[:, None]
        return np.asarray((together @ members / members.sum(axis=0)).argmax(axis=1))

    def predict_classes(self, X: Any) -> NDArray[Any]:
        """The most probable class (M,) of further rows; the sign of a gap where a cluster without a class is more so.

        Only after a fit with classes. The sign is -1 among numbers, None among names.
        """
        return self._named(self.class_probabilities(X))

    def class_probabilities(self, X: Any) -> Array:
        """How probable each of `classes_` is for further rows (M, C); what lacks to one is that of no class."""
        return self._of_classes(self._spread(X, companions))

    def _of_classes(self, together: Array) -> Array:
        """Probabilities of classes (M, C) where it is known how often rows are together with those of the fit."""
        if self._known is None:
            raise InputError.of("classes of some rows in `fit(X, y)`", "none", "fit with them, or use `predict`")
        first = [int(np.flatnonzero(self._known == code)[0]) for code in range(len(self.classes_))]
        return together[:, first]

    def _named(self, probabilities: Array) -> NDArray[Any]:
        best, none = probabilities.argmax(axis=1), 1.0 - probabilities.sum(axis=1)
        names = self.classes_[best]
        without = none > probabilities.max(axis=1)
        if not without.any():
            return np.asarray(names)
        names = names if names.dtype.kind in "iuf" else names.astype(object)
        names[without] = GAP if names.dtype.kind in "iuf" else None
        return np.asarray(names)

    def score_samples(self, X: Any) -> Array:
        """The log density (M,) of rows in the units of the data, averaged over all draws."""
        return self._spread(X, log_densities) - float(np.log(self.scale_).sum())

    def score(self, X: Any, y: Any = None) -> float:
        """The mean of `score_samples`."""
        return float(self.score_samples(X).mean())

    def sample(self, n_samples: int = 1, *, random_state: Any = 0) -> Array:
        """Further rows (n_samples, D) as the mixture expects them."""
        check_is_fitted(self)
        rng = np.random.default_rng(seed_of(random_state))
        rows = drawn(self.draws_, self._Y, self._mixture_prior, rng, check_count("n_samples", n_samples, 1))
        return np.asarray(rows * self.scale_ + self.centre_)

    def _spread(self, X: Any, what: Callable[..., Array]) -> Array:
        """Something of further rows, a batch at a time; each is told with the same random numbers."""
        check_is_fitted(self)
        rows = (validate_data(self, X, dtype=np.float64, reset=False) - self.centre_) / self.scale_
        places = self._places()
        size = max(MOST_CELLS // (len(self._Y) * places), 1)
        batches = []
        with one_thread():
            for start in range(0, len(rows), size):
                batch, rng = rows[start : start + size], np.random.default_rng(self._seed)
                batches.append(what(self.draws_, self._Y, batch, self._mixture_prior, rng, places))
        return np.concatenate(batches)

    def _places(self) -> int:
        return 1


@dataclass(eq=False, repr=False)
class InfiniteWarpedMixture(_Mixture):
    """Clusters of any shape: a Dirichlet mixture of Gaussians in a latent space, seen through smooth functions.

    The infinite warped mixture of Iwata, Duvenaud and Ghahramani (2013; thesis chapter 7). How many clusters there are
    is found with the rest; a curved cluster is one cluster. Assignments are drawn by Gibbs steps and by splits and
    merges, latent coordinates and the hyperparameters of the functions by Hamiltonian Monte Carlo and by moves of whole
    clusters, all of one posterior. Where the classes of some rows are known (``y``), partitions are those that obey
    them.

    Parameters
    ----------
    n_latent : int or None
        Latent coordinates of a row; None for as many as columns.
    n_inducing : int or None
        Rows by whose places the functions are told, so that the time of a sweep grows with the rows, not with their
        cube (Snelson and Ghahramani 2006). None: all up to 600 rows, 80 of more.
    n_chains : int
        Independent chains; whether they agree tells whether they are long enough.
    n_sweeps : int
        Of each chain. The first half warms up; of the second about 100 draws are used, or of the later half of what
        was done where the time was spent before.
    prior : ClusterPrior or None
        How many clusters are expected, and how they lie; None is ``ClusterPrior()``.
    scaling : str
        "columns": each is brought to deviation 1. "common": all are divided by one number, for columns of one unit.
    n_latent_samples : int
        Latent places by which the density of a further row is summed up, for each draw.
    time_budget : float or None
        Seconds after which the chains end where they are (`complete_` is then False).
    n_jobs : int or None
        Processes among which the chains are shared; None as scikit-learn has it, -1 is all cores. No result depends
        on it.
    random_state : int, RandomState or None

    Attributes
    ----------
    labels_ : array (N,)
        The partition with the least expected variation of information from all draws.
    n_clusters_ : int
        Its clusters.
    cluster_counts_ : dict
        The posterior probability of each number of clusters.
    similarity_ : array (N, N)
        How probable it is that two rows are in one cluster.
    latent_ : array (N, Q)
        Coordinates of the draw that is nearest to `labels_`.
    chains_ : list of DataFrame
        What each chain went through, a row for each sweep.
    shown_ : list of Draws
        A few states of each chain on its way.
    draws_ : Draws
        The draws of all chains that were kept.
    r_hat_ : dict
        Rank-normalised R-hat of the number of clusters, the log density, the largest share.
    ess_ : dict
        Effective samples of the same.
    complete_ : bool
        Whether all sweeps were done.
    classes_ : array (C,)
        The classes that some rows had in ``y``; none without.
    transduction_ : array (N,)
        After a fit with classes: the most probable class of each row, a gap for rows of clusters without one.

    Examples
    --------
    >>> from sklearn.datasets import make_moons
    >>> X, moon = make_moons(40, noise=0.02, random_state=0)
    >>> mixture = InfiniteWarpedMixture(n_chains=1, n_sweeps=30).fit(X)
    >>> mixture.latent_.shape, abs(sum(mixture.cluster_counts_.values()) - 1.0) < 1e-9
    ((40, 2), True)
    >>> bool(mixture.score(X) > mixture.score(X + 3.0))
    True

    With a class of two rows each:

    >>> known = np.full(40, -1)
    >>> for each in (0, 1):
    ...     known[np.flatnonzero(moon == each)[:2]] = each
    >>> mixture = InfiniteWarpedMixture(n_chains=1, n_sweeps=30).fit(X, known)
    >>> mixture.transduction_[known >= 0].tolist() == known[known >= 0].tolist()
    True
    """

    n_latent: int | None = 2
    _: KW_ONLY
    n_latent_samples: int = 100
    n_inducing: int | None = None

    def _dimensions(self, columns: int) -> int:
        return columns if self.n_latent is None else min(check_count("n_latent", self.n_latent, 1), columns)

    def _places(self) -> int:
        return check_count("n_latent_samples", self.n_latent_samples, 2)

    def _functions(self) -> dict[str, Any]:
        return {"inducing": self._inducing()}

    def _inducing(self) -> NDArray[np.intp] | None:
        rows = len(self._Y)
        count = USUAL_INDUCING if self.n_inducing is None else check_count("n_inducing", self.n_inducing, 1)
        exact = rows <= MOST_EXACT if self.n_inducing is None else rows <= count
        return None if exact else spread_rows(self._Y, count)


class InfiniteGaussianMixture(_Mixture):
    """A Dirichlet mixture of Gaussians, sampled: as many clusters as the data call for, each an ellipse.

    The baseline of `InfiniteWarpedMixture`, which says what parameters and attributes mean: the same mixture without
    a warp. Predictive densities are of Student's t.

    Examples
    --------
    >>> X = np.concatenate([np.random.default_rng(0).normal(k, 0.1, (20, 2)) for k in (0.0, 3.0)])
    >>> mixture = InfiniteGaussianMixture(n_chains=2, n_sweeps=100).fit(X)
    >>> mixture.n_clusters_, mixture.predict([[0.0, 0.0], [3.0, 3.0]]).tolist()
    (2, [0, 1])
    """

    warped = False


def _frame(chain: MarkovChain) -> pd.DataFrame:
    """What a chain went through: a row for each sweep."""
    import pandas as pd

    frame = pd.DataFrame(chain.trace, columns=list(TRACED), index=pd.RangeIndex(1, len(chain.trace) + 1, name="sweep"))
    return frame.astype({"groups": int})


# --- Classes that are known of some rows, as scikit-learn's semi-supervised estimators are given them ---------------


def coded(y: Any, rows: int) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """The classes in their order (C,), and the class of each row (N,) as a number from 0 on, -1 where not known.

    Parameters
    ----------
    y : array-like (N,)
        Names or whole numbers; -1, NaN and None say that the class is not known.

    Raises
    ------
    InputError
        When they are not as many as rows, or numbers that are not whole.

    Examples
    --------
    >>> classes, codes = coded(["b", None, "a", "b"], 4)
    >>> classes.tolist(), codes.tolist()
    (['a', 'b'], [1, -1, 0, 1])
    """
    import pandas as pd

    y = column_or_1d(y, dtype=object)
    if len(y) != rows:
        raise InputError.of(f"a class or a gap for each of {rows} rows", f"{len(y)} of them", "give `y` as long as `X`")
    there = np.array([not (pd.isna(value) or (isinstance(value, NUMBERS) and value == GAP)) for value in y], dtype=bool)
    labels = np.array(y[there].tolist())
    if len(labels) and type_of_target(labels).startswith("continuous"):
        raise InputError.of("classes in `y`, with gaps", "numbers with fractions", "leave `y` out, or give classes")
    classes, inverse = np.unique(labels, return_inverse=True)
    codes = np.full(rows, GAP, dtype=np.intp)
    codes[there] = inverse.reshape(-1)
    return classes, codes
