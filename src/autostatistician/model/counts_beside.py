"""What columns beside counts add to the logarithm of their rate, or to that of the odds of their share.

Given what columns add, counts are nearly normal observations of the time structure; with what columns add to these
pseudo-targets, they are such of both together. So effects are drawn as those of other series (`model.beside`), with a
noise by row, and pseudo-targets, effects and time structure are made in turn until they agree.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from autostatistician.covariates.effects import Clock
from autostatistician.covariates.fitted import CovariateEffects, estimated, prepared
from autostatistician.data.added import Added
from autostatistician.data.dataset import Dataset, at_usual, counted
from autostatistician.inference import Problem, condition
from autostatistician.inference.likelihoods.sited import Sited
from autostatistician.inference.sites_at_mode import pseudo_data
from autostatistician.language.kernel import Kernel
from autostatistician.model.beside import fitted_beside, may_have_effects, time_structure, with_effects
from autostatistician.model.counts import fitted_law, pseudo_targets, sited_counts
from autostatistician.model.fitted import Model
from autostatistician.model.observed_outliers import with_columns
from autostatistician.model.rescoring import rescored, with_weighed
from autostatistician.search.before import Choice
from autostatistician.search.run import Settings
from autostatistician.threads import one_thread

__all__ = ["effects_anew", "first_effects_of_counts"]

Array = NDArray[np.float64]

ROUNDS = 3  # of pseudo-targets, time structure and effects


def first_effects_of_counts(
    dataset: Dataset, choice: Choice, settings: Settings
) -> tuple[Dataset, CovariateEffects | None]:
    """Counts as they would be without the effects of their columns, given a plain time structure, and these effects.

    ``choice`` is that of the series alone. None where there is nothing to estimate.
    """
    columns = dataset.covariates
    if columns is None or not may_have_effects(dataset):
        return replace(dataset, covariates=None), None
    clock = Clock.of(dataset)
    candidates, law, sites = prepared(columns, clock, dataset.x), choice.likelihood, choice.sites
    assert isinstance(law, Sited) and sites is not None
    law, data, added = law.mapped(choice.transform), dataset, np.zeros(dataset.n)
    kernel: Kernel | None = None
    effects: CovariateEffects | None = None
    with one_thread():
        for _ in range(ROUNDS):
            total = sites.values + added
            seen = replace(pseudo_data(counted(data), sites), y=total)
            kernel = time_structure(seen, kernel, effects, noisy=not law.scatters)
            posterior, size = condition(kernel, Problem.of(seen)), _size(total, sites.variances)
            effects = estimated(candidates, posterior, total, size, settings.seed)
            added = effects.mean_added(dataset.x)
            data = at_usual(dataset, Added.of_rows(dataset.x, added))
            law = fitted_law(data, law, kernel)
            sites = sited_counts(kernel, counted(data), law).sites
    return data, effects


def _size(values: Array, variances: Array) -> float:
    """About the standard deviation of nearly normal observations (n,), those that say more counting more."""
    weights = 1.0 / (variances + np.median(variances))
    mean = np.average(values, weights=weights)
    return float(np.sqrt(np.average((values - mean) ** 2, weights=weights))) or 1.0


def effects_anew(model: Model, first: CovariateEffects, clock: Clock | None = None, *, refit: bool = True) -> Model:
    """The model, of counts or not, with the effects of its columns estimated anew (`model.beside.with_effects`)."""
    if model.counted is None:
        return with_effects(model, first, clock, refit=refit)
    assert isinstance(model.likelihood, Sited)
    dataset, law, seen = model.dataset, model.likelihood.mapped(model.transform), model.counted.data
    x = dataset.x
    added = first.mean_added(x)
    total = seen.y + added
    candidates = prepared(first.columns, clock or first.clock, x)
    with one_thread():
        kernels = [candidate.kernel for candidate, _ in model.structures]
        if refit:
            kernels = [fitted_beside(kernel, model, total, first) for kernel in kernels]
        posterior = condition(kernels[0], Problem.of(replace(seen, y=total)))
        assert seen.noise is not None
        effects = estimated(candidates, posterior, total, _size(total, seen.noise), model.settings.seed)
        data = at_usual(dataset, Added.of_rows(x, effects.mean_added(x)))
        law = fitted_law(data, law, kernels[0])
        observed = with_columns(model.screening, first, model.transform)
        screening = with_columns(observed, effects, model.transform, times=-1.0)
        adjusted = replace(model, dataset=data, effects=effects, screening=screening, likelihood=law.alone())
        targets = [pseudo_targets(data, law, kernel) for kernel in kernels]
        posteriors = (condition(kernel, Problem.of(each.data)) for kernel, each in zip(kernels, targets, strict=True))
        weighed = rescored(model, adjusted, posteriors, [each.log_ratio for each in targets])
    return with_weighed(model, adjusted, weighed)
