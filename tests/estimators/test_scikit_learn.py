"""The checks of scikit-learn on every estimator, without those of which another one does all."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pytest
from sklearn.utils.estimator_checks import estimator_checks_generator

from autostatistician import (
    GPLVM,
    AdditiveGPClassifier,
    AdditiveGPRegressor,
    AutomaticStatistician,
    AutomaticStatisticianClassifier,
    DeepGPRegressor,
    GPClassifier,
    GPRegressor,
    HKLClassifier,
    HKLRegressor,
    InfiniteGaussianMixture,
    InfiniteWarpedMixture,
    MultiOutputGPRegressor,
    SemiParametricGPRegressor,
    SymmetricGPRegressor,
    TargetOptions,
)

# A fit on arrays that may not be written to, of single precision, is also one on plain arrays.
LESS = ({"readonly_memmap": True}, {})
SAME = ("check_classifiers_train", "check_regressors_train")


def once_each(*estimators: Any) -> Callable[[Any], Any]:
    """Marks a test with ``estimator`` and ``check`` to be run on all checks, those of training once.

    They come as plain arrays, read-only ones, and read-only ones of single precision; the last is all three.
    """
    pairs = [pair for estimator in estimators for pair in estimator_checks_generator(estimator, mark="skip")]
    wanted: Sequence[Any] = [pair for pair in pairs if not _is_less(_of(pair)[1])]
    assert len(wanted) < len(pairs)
    return pytest.mark.parametrize(("estimator", "check"), wanted, ids=_name)


def _of(pair: Any) -> Any:
    return pair.values if hasattr(pair, "values") else pair


def _is_less(check: Any) -> bool:
    inner, settings = check, dict[str, Any]()
    while isinstance(inner, partial):
        settings, inner = {**inner.keywords, **settings}, inner.func
    return (
        inner.__name__ in SAME
        and {key: settings[key] for key in ("readonly_memmap", "X_dtype") if key in settings} in LESS
    )


def _name(value: object) -> str:
    inner = value
    while isinstance(inner, partial):
        inner = inner.func
    return getattr(inner, "__name__", type(value).__name__)


# The smallest searches, by no evidence: the checks do not look at what is chosen.
SEARCH: dict[str, Any] = {"language": "linear", "max_depth": 1, "n_restarts": 1, "n_jobs": 1, "average": False}
HKL: dict[str, Any] = {"lambdas": (1.0, 1e-3, 1e-5), "cv": 2}
CHAINS: dict[str, Any] = {"n_chains": 1, "n_sweeps": 4}


@once_each(
    HKLClassifier(**HKL),
    HKLRegressor(**HKL),
    InfiniteGaussianMixture(**CHAINS),
    InfiniteWarpedMixture(**CHAINS, n_latent_samples=4),
    MultiOutputGPRegressor(n_restarts=1),
    SemiParametricGPRegressor(n_restarts=1),
    SymmetricGPRegressor(n_restarts=1),
)
def test_an_estimator_passes_its_checks(estimator: Any, check: Callable[[Any], None]) -> None:
    check(estimator)


@pytest.mark.slow
@once_each(
    AdditiveGPRegressor(max_order=1, n_restarts=1),
    AutomaticStatistician(**SEARCH, target_options=TargetOptions("none", outliers="keep")),
    AutomaticStatisticianClassifier(**SEARCH, criterion="bic"),
    DeepGPRegressor(max_iter=2, n_restarts=1, paths=20, n_inducing=10),
    GPLVM(inference="map", max_iter=5),
    GPLVM(n_inducing=5, max_iter=5),
    GPRegressor(n_restarts=1),
)
def test_one_that_takes_longer_passes_its_checks(estimator: Any, check: Callable[[Any], None]) -> None:
    check(estimator)


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::autostatistician.estimators.classes.SeparableWarning")
@once_each(GPClassifier("SE + C", inference="laplace"), AdditiveGPClassifier(max_order=1, inference="laplace"))
def test_a_classifier_by_one_kernel_passes_its_checks(estimator: Any, check: Callable[[Any], None]) -> None:
    check(estimator)
