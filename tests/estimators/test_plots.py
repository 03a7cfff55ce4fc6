"""Pictures of a model by the names that pandas has for those of a frame."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure
from sklearn.exceptions import NotFittedError

from autostatistician import AutomaticStatistician


@pytest.mark.slow
def test_each_picture_is_the_one_of_its_method() -> None:
    x = np.arange(40.0)
    y = 0.1 * x + np.sin(2.0 * np.pi * x / 8.0) + 0.1 * np.random.default_rng(0).normal(size=40)
    model = AutomaticStatistician(max_depth=2, n_restarts=2, n_jobs=1).fit(x[:, None], y)
    pairs = (
        (model.plot.components(), model.plot_components()),
        (model.plot.forecast(6), model.plot_forecast(6)),
        (model.plot.correlation(points=50), model.plot_component_correlation(points=50)),
    )
    for figure, other in pairs:
        assert isinstance(figure, Figure)
        assert [axes.get_xlim() for axes in figure.axes] == [axes.get_xlim() for axes in other.axes]
    assert len(model.plot().axes) == 1


def test_before_the_fit_there_is_nothing_to_draw() -> None:
    with pytest.raises(NotFittedError):
        AutomaticStatistician().plot()
