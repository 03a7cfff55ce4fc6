"""The models that were asked last, in memory."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from autostatistician.estimators.loading import Fitted

__all__ = ["KeptModels"]

MOST_KEPT = 4  # models


class KeptModels(dict[Hashable, "Fitted"]):
    """Models by a key, the one asked last at the end; each is loaded once as long as it is among the last few."""

    def of(self, key: Hashable, path: Callable[[], Path]) -> Fitted:
        """The model of a key; ``path`` says where it is, and is asked only where the model is not in memory."""
        from autostatistician.estimators.loading import load_estimator

        model = self.pop(key, None) or load_estimator(path())
        self[key] = model
        for old in list(self)[:-MOST_KEPT]:
            del self[old]
        return model
