"""Effects, shares and relevance of columns."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest

from autostatistician import AdditiveGPRegressor
from autostatistician.errors import InputError
from autostatistician.models.additive.base import base_of
from autostatistician.models.additive.evidence import given
from autostatistician.models.additive.kernel import AdditiveKernel, Layout
from autostatistician.models.additive.shares import (
    STANDING_ROWS,
    Averages,
    ByOrder,
    Combinations,
    Effects,
    SubsetEffect,
    relevance_sentence,
    standing,
)

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


RNG_FEW = np.random.default_rng(0)
X_FEW = RNG_FEW.normal(size=(5, 3))
Y_FEW = np.sin(X_FEW[:, 0]) + X_FEW[:, 1] * X_FEW[:, 2]
AT = RNG_FEW.normal(size=(4, 3))
LAYOUTS = [
    Layout((base_of("SE"),) * 3, (1, 2, 3)),
    Layout((base_of("RQ"), base_of("Lin"), base_of("SE")), (1, 3), stretched=True),
    Layout((base_of("SE", orthogonal=True),) * 3, (0, 1, 2)),
]
SETS_FEW = [(0,), (2,), (0, 1), (1, 2), (0, 1, 2)]


@pytest.fixture(scope="module", params=LAYOUTS, ids=["free", "stretched", "orthogonal"])
def kernel(request: pytest.FixtureRequest) -> AdditiveKernel:
    layout: Layout = request.param
    return AdditiveKernel(layout, np.random.default_rng(1).normal(0.0, 0.3, layout.size))


def _by_hand(columns: tuple[int, ...], row: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Points and weights whose weighted sum is an effect: every column outside averaged, inside less its average."""
    points, weights = [], []
    for places in product(*[[*range(5), 5] if column in columns else range(5) for column in range(3)]):
        points.append([row[column] if place == 5 else X_FEW[place, column] for column, place in enumerate(places)])
        inside = [1.0 if places[column] == 5 else -0.2 for column in columns]
        weights.append(np.prod(inside) * 0.2 ** (3 - len(columns)))
    return np.array(points), np.array(weights)


@pytest.mark.parametrize("columns", SETS_FEW, ids=str)
def test_effects_are_weighted_sums_of_values(kernel: AdditiveKernel, columns: tuple[int, ...]) -> None:
    prior = given(kernel, X_FEW, Y_FEW).posterior.prior
    found = SubsetEffect(Averages(kernel, X_FEW), columns, AT).covariances(prior, None, X_FEW)
    points, weights = zip(*(_by_hand(columns, row) for row in AT), strict=True)
    for index in range(len(AT)):
        cross = weights[index] @ kernel.covariance(points[index], X_FEW)
        np.testing.assert_allclose(found.cross[index], cross, atol=1e-10)
        for other in range(len(AT)):
            expected = weights[index] @ kernel.covariance(points[index], points[other]) @ weights[other]
            assert found.matrix()[index, other] == pytest.approx(expected, abs=1e-10)
    np.testing.assert_allclose(found.variance, found.matrix().diagonal(), atol=1e-12)


@pytest.mark.parametrize("columns", [(0,), (2,), (0, 1), (1, 2)], ids=str)
def test_means_at_all_combinations_are_those_of_the_effect(kernel: AdditiveKernel, columns: tuple[int, ...]) -> None:
    posterior, averages = given(kernel, X_FEW, Y_FEW).posterior, Averages(kernel, X_FEW)
    found = posterior.project(None, Combinations(averages, columns))
    rows = np.zeros((5 ** len(columns), 3))
    for index, places in enumerate(product(range(5), repeat=len(columns))):
        rows[index, list(columns)] = X_FEW[list(places), list(columns)]
    expected = posterior.project(None, SubsetEffect(averages, columns, rows)).mean
    np.testing.assert_allclose(found.mean.ravel(), expected, atol=1e-10)
    with pytest.raises(NotImplementedError):
        _ = found.sd


def test_a_few_hundred_rows_stand_for_all() -> None:
    many = np.arange(3.0 * STANDING_ROWS)[:, None]
    assert standing(many).shape == (STANDING_ROWS, 1)
    assert (standing(many)[0], standing(many)[-1]) == (many[0], many[-1])
    np.testing.assert_array_equal(standing(X_FEW), X_FEW)


SETS = [one for order in (0, 1, 2, 3) for one in combinations(range(3), order)]


@pytest.mark.parametrize("settings_", [{}, {"order_lengthscales": True}, {"kernel": ["SE", "Lin", "RQ"]}])
def test_effects_sum_to_means_by_order_and_to_the_function(settings_: dict[str, object]) -> None:
    model = AdditiveGPRegressor(n_restarts=1, random_state=1, **settings_).fit(X, Y)
    by_order = [sum(model.effect(one, X)[0] for one in SETS if len(one) == order) for order in range(4)]
    assert sum(by_order) + model.y_mean_ == pytest.approx(model.predict(X))
    places = ByOrder(Effects(model.fitted_).averages, model.X_train_)
    found = model.y_scale_ * model.fitted_.posterior.project(None, places).mean
    assert found == pytest.approx(np.stack(by_order, axis=1), abs=1e-6)


def test_effects_average_to_zero_over_each_column() -> None:
    model = AdditiveGPRegressor(n_restarts=1).fit(X, Y)
    moved = np.repeat(X[:1], len(X), axis=0)
    moved[:, 1] = X[:, 1]
    for columns in ((1,), (0, 1), (0, 1, 2)):
        mean, sd = model.effect(columns, moved)
        assert mean.mean() == pytest.approx(0.0, abs=1e-9)
        assert (sd > 0.0).all()


def test_the_effect_of_a_column_is_that_of_a_linear_map_of_the_joint_posterior() -> None:
    """The mean over the values of the other columns, minus that over all columns, by brute force."""
    inputs, size = X[:6], 6
    model = AdditiveGPRegressor(n_restarts=1).fit(inputs, Y[:6])
    kernel, others = model.fitted_.kernel, inputs[:, 1:]
    grid = np.array([[a, b, c] for a in (0.4, *inputs[:, 0]) for b in others[:, 0] for c in others[:, 1]])
    weights = np.full((size + 1, size**2), -1.0 / size**3)
    weights[0] = 1.0 / size**2
    cross = kernel.covariance((grid - model.centre_) / model.scale_, model.X_train_)
    K = kernel.matrix(model.X_train_) + kernel.noise_variance * np.eye(size)
    joint = kernel.matrix((grid - model.centre_) / model.scale_) - cross @ np.linalg.solve(K, cross.T)
    mean, sd = model.effect(0, np.array([[0.4, 0.0, 0.0]]))
    assert mean[0] == pytest.approx(model.y_scale_ * weights.ravel() @ cross @ model.fitted_.posterior.alpha)
    assert sd[0] == pytest.approx(model.y_scale_ * np.sqrt(weights.ravel() @ joint @ weights.ravel()))


@pytest.mark.parametrize("orthogonal", [False, True])
def test_shares_are_those_of_sobol(orthogonal: bool) -> None:
    rng = np.random.default_rng(0)
    inputs = rng.normal(size=(150, 3))
    y = 2.0 * inputs[:, 0] + inputs[:, 1] * inputs[:, 0]  # variances 4 and 1
    noisy = y + 0.05 * rng.normal(size=150)
    shares = AdditiveGPRegressor(orthogonal=orthogonal, max_order=2, n_restarts=1).fit(inputs, noisy).sobol()
    assert shares["columns"].tolist()[:2] == [("column 0",), ("column 0", "column 1")]
    assert shares["columns"].tolist()[-1] == ()
    assert shares["share"].to_numpy()[:2] == pytest.approx([80.0, 20.0], abs=6.0)
    assert shares["share"].sum() == pytest.approx(100.0)


@pytest.mark.parametrize(
    ("together", "expected"), [((0, 1), [50.0, 50.0, 0.0, 0.0]), ((0, 1, 2), [50.0, 0.0, 50.0, 0.0])]
)
def test_orders_are_those_of_the_function(together: tuple[int, ...], expected: list[float]) -> None:
    """Whichever orders of the kernel stand for it: it gave 99 % to the last one."""
    inputs = np.random.default_rng(0).normal(size=(150, 4))
    y = inputs[:, list(together)].prod(axis=1) + inputs[:, 3] + 0.1 * np.random.default_rng(1).normal(size=150)
    model = AdditiveGPRegressor(n_restarts=1).fit(inputs, y)
    orders, shares = model.orders_, model.sobol()
    assert orders["share"].to_numpy() == pytest.approx(np.array(expected), abs=12.0)
    assert orders["share"].sum() == pytest.approx(100.0)
    of_single = shares["share"][shares["columns"].map(len) == 1].sum()
    assert orders["share"][0] == pytest.approx(of_single)


def test_columns_that_do_not_matter_are_said_not_to() -> None:
    frame = pd.DataFrame(np.random.default_rng(1).normal(size=(80, 3)), columns=["wind", "rain", "day"])
    y = 3.0 * np.sin(frame["wind"]) + frame["wind"] * frame["rain"]
    found = AdditiveGPRegressor(n_restarts=1).fit(frame, y).relevance_
    assert found["column"].tolist() == ["wind", "rain", "day"]
    assert found["share"][2] < 0.1
    assert found["sentence"][2] == (
        "day does not matter: less than 0.1 % of the variance of the fitted function depends on it."
    )
    assert found["alone"][1] < 0.5 * found["share"][1]
    assert found["sentence"][1].startswith("rain matters: ")
    flat = AdditiveGPRegressor(n_restarts=1).fit(frame, np.ones(80)).relevance_
    assert flat["share"].tolist() == [0.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("found", "words"),
    [
        ((0.4, 0.1), "x hardly matters: 0.4 % of the variance of the fitted function."),
        ((30.2, 4.0), "x matters: 30 % of the variance of the fitted function, 4 % by itself."),
        ((3.24, 3.0), "x matters: 3.2 % of the variance of the fitted function, nearly all of it by itself."),
    ],
)
def test_words_of_relevance(found: tuple[float, float], words: str) -> None:
    assert relevance_sentence("x", found) == words
