"""Give it a table; it returns a model, a forecast and the page that explains them."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

from autostatistician._io.deprecated import RenamedRooms

if TYPE_CHECKING:
    from autostatistician.data.load import load_example
    from autostatistician.estimators.additive import AdditiveGPClassifier, AdditiveGPRegressor
    from autostatistician.estimators.classifier import GPClassifier
    from autostatistician.estimators.deep import DeepGPRegressor
    from autostatistician.estimators.gp import GPRegressor, SemiParametricGPRegressor
    from autostatistician.estimators.gplvm import GPLVM
    from autostatistician.estimators.hkl import HKLClassifier, HKLRegressor
    from autostatistician.estimators.mixture import InfiniteGaussianMixture, InfiniteWarpedMixture
    from autostatistician.estimators.multi_output import MultiOutputGPRegressor
    from autostatistician.estimators.options import ClusterPrior, TargetOptions
    from autostatistician.estimators.panel import PanelModel
    from autostatistician.estimators.statistician import AutomaticStatistician
    from autostatistician.estimators.statistician_classifier import AutomaticStatisticianClassifier
    from autostatistician.estimators.symmetric import SymmetricGPRegressor
    from autostatistician.evidence import log_marginal_likelihood
    from autostatistician.i18n.messages import spoken_in
    from autostatistician.periodicity import split_by_period
    from autostatistician.prior import sample, sample_deep

__all__ = [
    "GPLVM",
    "AdditiveGPClassifier",
    "AdditiveGPRegressor",
    "AutomaticStatistician",
    "AutomaticStatisticianClassifier",
    "ClusterPrior",
    "DeepGPRegressor",
    "GPClassifier",
    "GPRegressor",
    "HKLClassifier",
    "HKLRegressor",
    "InfiniteGaussianMixture",
    "InfiniteWarpedMixture",
    "MultiOutputGPRegressor",
    "PanelModel",
    "SemiParametricGPRegressor",
    "SymmetricGPRegressor",
    "TargetOptions",
    "__version__",
    "load_example",
    "log_marginal_likelihood",
    "sample",
    "sample_deep",
    "split_by_period",
    "spoken_in",
]

__version__ = "0.2.0"

# Names are imported when they are first used, so that the command line can answer `--help` at once.
_HOMES = {
    "GPLVM": "autostatistician.estimators.gplvm",
    "AdditiveGPClassifier": "autostatistician.estimators.additive",
    "AdditiveGPRegressor": "autostatistician.estimators.additive",
    "AutomaticStatistician": "autostatistician.estimators.statistician",
    "AutomaticStatisticianClassifier": "autostatistician.estimators.statistician_classifier",
    "ClusterPrior": "autostatistician.estimators.options",
    "DeepGPRegressor": "autostatistician.estimators.deep",
    "GPClassifier": "autostatistician.estimators.classifier",
    "GPRegressor": "autostatistician.estimators.gp",
    "HKLClassifier": "autostatistician.estimators.hkl",
    "HKLRegressor": "autostatistician.estimators.hkl",
    "InfiniteGaussianMixture": "autostatistician.estimators.mixture",
    "InfiniteWarpedMixture": "autostatistician.estimators.mixture",
    "MultiOutputGPRegressor": "autostatistician.estimators.multi_output",
    "PanelModel": "autostatistician.estimators.panel",
    "SemiParametricGPRegressor": "autostatistician.estimators.gp",
    "SymmetricGPRegressor": "autostatistician.estimators.symmetric",
    "TargetOptions": "autostatistician.estimators.options",
    "load_example": "autostatistician.data.load",
    "log_marginal_likelihood": "autostatistician.evidence",
    "sample": "autostatistician.prior",
    "sample_deep": "autostatistician.prior",
    "split_by_period": "autostatistician.periodicity",
    "spoken_in": "autostatistician.i18n.messages",
}

sys.meta_path.insert(0, RenamedRooms())


if not TYPE_CHECKING:  # there every name of the module would do, the misspelt ones too

    def __getattr__(name: str) -> object:
        if name not in _HOMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
