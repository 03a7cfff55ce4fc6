"""Models of numbers and of classes, for faces that take both."""

from __future__ import annotations

from pathlib import Path

from autostatistician.data.dataset import Dataset
from autostatistician.estimators.statistician import AutomaticStatistician
from autostatistician.estimators.statistician_classifier import AutomaticStatisticianClassifier, forget, refuse_plan
from autostatistician.fitted import storage

__all__ = ["Fitted", "estimator_of", "forget", "load_estimator", "refuse_plan"]

Fitted = AutomaticStatistician | AutomaticStatisticianClassifier


def estimator_of(dataset: Dataset) -> type[AutomaticStatistician] | type[AutomaticStatisticianClassifier]:
    """The estimator for the target of a data set."""
    return AutomaticStatisticianClassifier if dataset.classes else AutomaticStatistician


def load_estimator(path: str | Path) -> Fitted:
    """The model of numbers or of classes that `save` wrote.

    Raises
    ------
    InputError
        When the file cannot be read or does not hold a whole model.
    """
    saved = storage.load(path)
    return (
        AutomaticStatisticianClassifier.from_saved(saved) if saved.labels else AutomaticStatistician.from_saved(saved)
    )
