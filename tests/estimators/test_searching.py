"""What both estimators that search have in common."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.exceptions import NotFittedError

from autostatistician import AutomaticStatistician, AutomaticStatisticianClassifier
from autostatistician.estimators.searching import Searching

X = np.arange(24.0)[:, None]


@pytest.mark.parametrize("face", [AutomaticStatistician, AutomaticStatisticianClassifier])
def test_both_say_show_and_take_apart_what_they_found(face: type[Searching]) -> None:
    model = face(language="linear", max_depth=1, n_restarts=2, n_jobs=1)  # type: ignore[call-arg]
    with pytest.raises(NotFittedError):
        model.describe()
    assert "<pre>" in model._repr_html_()
    model.fit(X, X[:, 0] % 5 > 2)
    assert model.describe()
    assert model.complete_ in (True, False)
    assert str(model.kernel_) == model.search_.frontier["expression"][0]
    assert model.transform(X).shape == (24, len(model.get_feature_names_out()))
    assert "<iframe" in model._repr_html_()
    assert set(model.result()) >= {"expression", "components", "nll", "facts"}
