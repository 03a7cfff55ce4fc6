"""The pictures of what columns do."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from autostatistician import AdditiveGPRegressor
from autostatistician.errors import InputError

RNG = np.random.default_rng(0)
X = RNG.normal(size=(25, 3))
Y = np.sin(X[:, 0]) + X[:, 1] * X[:, 2] + 0.1 * RNG.normal(size=25)


def test_the_picture_has_a_panel_for_each_column() -> None:
    four = np.column_stack([X, X[::-1, 0]])
    model = AdditiveGPRegressor(n_restarts=1, max_order=1).fit(four, Y)
    assert [axes.has_data() for axes in model.plot_effects().figure.axes] == [True] * 4
    with pytest.raises(InputError, match="an order among"):
        model.plot_effects(order=2)


def test_the_picture_of_pairs_has_a_map_and_slices_for_each() -> None:
    model = AdditiveGPRegressor(n_restarts=1, max_order=2).fit(pd.DataFrame(X, columns=["a", "b", "c"]), Y)
    figure = model.plot_effects(most=2, order=2)
    panels = [axes for axes in figure.axes if axes.get_label() != "<colorbar>"]
    assert len(panels) == 4
    assert (panels[0].get_xlabel(), panels[0].get_ylabel()) == ("b", "c")  # Y has their product
    assert [line.get_label() for line in panels[1].lines][1].startswith("c = ")
    assert len(panels[1].collections) == 3  # bands


# Categories

N = 60
DRAWN = np.random.default_rng(0)
FRAME = pd.DataFrame(
    {
        "size": DRAWN.uniform(0.0, 10.0, N),
        "kind": np.array(["flat", "house"])[DRAWN.integers(0, 2, N)],
        "place": pd.Categorical(np.array(["west", "north", "south"])[np.arange(N) % 3], ["north", "south", "west"]),
        "garden": DRAWN.integers(0, 2, N) > 0,
    }
)
LEVEL = FRAME["place"].map({"north": 3.0, "south": 0.0, "west": -1.5}).to_numpy(dtype=float)
SLOPE = np.where(FRAME["kind"] == "house", 1.0, -1.0)
PRICE = LEVEL + SLOPE * np.sin(FRAME["size"].to_numpy()) + 0.1 * DRAWN.standard_normal(N)


@pytest.fixture(scope="module")
def model() -> AdditiveGPRegressor:
    return AdditiveGPRegressor(max_order=2, n_restarts=2).fit(FRAME, PRICE)


def test_categories_are_drawn_as_points_with_their_names(model: AdditiveGPRegressor) -> None:
    panels = {axes.get_xlabel(): axes for axes in model.plot_effects().axes}
    assert [text.get_text() for text in panels["place"].get_xticklabels()] == ["north", "south", "west"]
    assert panels["place"].containers[0].lines[0].get_ydata() == pytest.approx([2.5, -0.5, -2.0], abs=0.3)
    assert len(panels["size"].collections) == 1  # a band
    pairs = [axes for axes in model.plot_effects(most=6, order=2).axes if axes.get_label() != "<colorbar>"]
    assert (pairs[0].get_xlabel(), pairs[0].get_ylabel()) == ("size", "kind")
    assert [text.get_text() for text in pairs[0].get_yticklabels()] == ["flat", "house"]
    assert [line.get_label() for line in pairs[1].lines] == ["flat", "house"]
    assert pairs[1].get_title(loc="left") == "for every kind"
    both = next(axes for axes in pairs[::2] if (axes.get_xlabel(), axes.get_ylabel()) == ("kind", "place"))
    assert len(pairs[pairs.index(both) + 1].containers) == 3  # points for every place


def test_many_categories_are_drawn_as_the_commonest() -> None:
    names = np.array([f"number {place} of the street" for place in range(9)])[np.minimum(np.arange(N) % 11, 8)]
    frame = pd.DataFrame({"x": FRAME["size"], "house": names})
    figure = AdditiveGPRegressor(n_restarts=1).fit(frame, PRICE).plot_effects(most=1, order=2)
    assert figure.axes[1].get_title(loc="left") == "for the 6 commonest house"
    assert "number 8 of t\N{HORIZONTAL ELLIPSIS}" in [line.get_label() for line in figure.axes[1].lines]
