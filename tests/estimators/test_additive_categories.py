"""Columns of categories in additive models: kernels against double loops, the fit, new categories, pictures."""

from __future__ import annotations

import pickle
from itertools import combinations, product
from math import exp

import numpy as np
import pandas as pd
import polars as pl
import pytest
from scipy.optimize import approx_fprime

from autostatistician import AdditiveGPRegressor
from autostatistician.additive.base import base_of, base_of_categories
from autostatistician.additive.evidence import negative_log_evidence
from autostatistician.additive.kernel import AdditiveKernel, Layout
from autostatistician.errors import InputError

RNG = np.random.default_rng(0)
N = 60
FRAME = pd.DataFrame(
    {
        "size": RNG.uniform(0.0, 10.0, N),
        "kind": np.array(["flat", "house"])[RNG.integers(0, 2, N)],
        "place": pd.Categorical(np.array(["west", "north", "south"])[np.arange(N) % 3], ["north", "south", "west"]),
        "garden": RNG.integers(0, 2, N) > 0,
    }
)
LEVEL = FRAME["place"].map({"north": 3.0, "south": 0.0, "west": -1.5}).to_numpy(dtype=float)
SLOPE = np.where(FRAME["kind"] == "house", 1.0, -1.0)
Y = LEVEL + SLOPE * np.sin(FRAME["size"].to_numpy()) + 0.1 * RNG.standard_normal(N)
SHARES = (0.2, 0.5, 0.3)
CODES = np.array([0.0, 1.0, 2.0, 3.0])  # the last is none of those of the data


@pytest.fixture(scope="module")
def model() -> AdditiveGPRegressor:
    return AdditiveGPRegressor(max_order=2, restarts=2).fit(FRAME, Y)


def _plain(one: float, other: float, contrast: float) -> float:
    return 1.0 if one == other else 1.0 / (1.0 + contrast)


def _orthogonal(one: float, other: float, contrast: float) -> float:
    """With averages over the categories, one after the other (Lu et al. 2022, equation 9)."""
    mean = [sum(share * _plain(x, s, contrast) for s, share in enumerate(SHARES)) for x in (one, other)]
    both = sum(p * q * _plain(s, t, contrast) for (s, p), (t, q) in product(enumerate(SHARES), repeat=2))
    return _plain(one, other, contrast) - mean[0] * mean[1] / both


@pytest.mark.parametrize("contrast", [0.3, 1.0, 20.0])
def test_the_kernels_of_categories_are_those_of_double_loops(contrast: float) -> None:
    u, at, other = np.array([np.log(contrast)]), CODES[:, None], CODES[None]
    plain = [[_plain(a, b, contrast) for b in CODES] for a in CODES]
    orthogonal = [[_orthogonal(a, b, contrast) for b in CODES] for a in CODES]
    base = base_of_categories(SHARES)
    assert base_of("Cat").value(at, other, u) == pytest.approx(np.array(plain))
    assert base.value(at, other, u) == pytest.approx(np.array(orthogonal))
    assert np.array(SHARES) @ base.value(CODES[:3, None], other, u) == pytest.approx(np.zeros(4), abs=1e-15)
    for one in (base, base_of("Cat")):
        slope = approx_fprime(u, lambda v, one=one: one.value(at, other, v).ravel(), 1e-7)
        assert one.derivatives(at, other, u)[1][0].ravel() == pytest.approx(slope.ravel(), abs=1e-6)


def test_the_matrix_is_the_sum_over_subsets_of_columns() -> None:
    bases = (base_of("SE"), base_of("Cat"), base_of_categories(SHARES))
    u = np.array([0.2, -0.4, 0.6, 0.1, -0.3, 0.5, -1.0])
    rows = np.column_stack([RNG.normal(size=7), RNG.integers(0, 2, 7), RNG.integers(0, 4, 7)]).astype(float)
    expected = np.zeros((7, 7))
    for (i, x), (j, z) in product(enumerate(rows), repeat=2):
        k = [exp(-0.5 * ((x[0] - z[0]) / exp(0.2)) ** 2), _plain(x[1], z[1], exp(-0.4))]
        k.append(_orthogonal(x[2], z[2], exp(0.6)))
        sums = [sum(np.prod([k[d] for d in chosen]) for chosen in combinations(range(3), r)) for r in (1, 2, 3)]
        expected[i, j] = sum(exp(v) / count * one for v, count, one in zip(u[3:6], (3, 3, 1), sums, strict=True))
    layout = Layout(bases, (1, 2, 3))
    assert AdditiveKernel(layout, u).matrix(rows) == pytest.approx(expected)
    y = RNG.normal(size=7)
    slope = approx_fprime(u, lambda v: negative_log_evidence(layout, v, rows, y)[0], 1e-6)
    assert negative_log_evidence(layout, u, rows, y)[1] == pytest.approx(slope, rel=1e-3, abs=1e-3)


@pytest.mark.parametrize("orthogonal", [False, True])
def test_levels_and_curves_of_categories_are_found(orthogonal: bool) -> None:
    model = AdditiveGPRegressor(max_order=2, restarts=2, orthogonal=orthogonal).fit(FRAME, Y)
    assert [base.symbol for base in model.fitted_.kernel.layout.bases] == ["SE", "Cat", "Cat", "Cat"]
    new = pd.DataFrame({"size": [2.0] * 3, "kind": ["house"] * 3, "garden": [True] * 3})
    found = model.predict(new.assign(place=["north", "south", "west"])[list(FRAME.columns)])
    assert found == pytest.approx(np.sin(2.0) + np.array([3.0, 0.0, -1.5]), abs=0.25)
    shares = model.sobol().set_index("columns")["share"]
    assert shares.index[:2].tolist() == [("place",), ("size", "kind")]
    relevance = model.relevance_.set_index("column")
    assert relevance["share"]["garden"] < 1.0
    assert relevance["sentence"]["place"].startswith("place matters: ")


def test_effects_of_all_sets_sum_to_the_function(model: AdditiveGPRegressor) -> None:
    sets = [one for order in (0, 1, 2) for one in combinations(range(4), order)]
    total = sum(model.effect(one, FRAME)[0] for one in sets)
    assert total + model.y_mean_ == pytest.approx(model.predict(FRAME))
    assert model.effect("place", FRAME)[0].mean() == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("frame", [pl.from_pandas(FRAME), FRAME.astype({"garden": str, "place": str})])
def test_the_kind_of_frame_does_not_matter(model: AdditiveGPRegressor, frame: object) -> None:
    again = AdditiveGPRegressor(max_order=2, restarts=2).fit(frame, Y)
    assert again.inputs_ == model.inputs_
    assert np.array_equal(again.predict(frame), model.predict(FRAME))


def test_the_order_of_levels_does_not_matter() -> None:
    turned = FRAME.astype({"place": pd.CategoricalDtype(["west", "south", "north"])})
    settings = {"max_order": 2, "restarts": 1, "orthogonal": True}
    one, other = (AdditiveGPRegressor(**settings).fit(frame, Y) for frame in (FRAME, turned))
    assert one.predict(FRAME) == pytest.approx(other.predict(turned), abs=1e-6)


@pytest.mark.parametrize("orthogonal", [False, True])
def test_new_categories_are_refused_or_uncertain(orthogonal: bool) -> None:
    fitted = AdditiveGPRegressor(max_order=2, restarts=1, orthogonal=orthogonal).fit(FRAME, Y)
    strange = FRAME[:1].assign(place="east")
    with pytest.raises(InputError, match=r"a category of column 'place' that the data had .* found 'east' in row 1"):
        fitted.predict(strange)
    fitted.unseen = "new"
    mean, sd = fitted.predict(strange, return_std=True)
    known, own = fitted.predict(pd.concat([strange.assign(place=one) for one in ("north", "west")]), return_std=True)
    assert known[1] < mean[0] < known[0]
    assert sd[0] > 3.0 * own.max()
    with pytest.raises(InputError, match="unseen='error' or unseen='new'"):
        AdditiveGPRegressor(unseen="ignore").fit(FRAME, Y)


def test_bases_fit_the_kind_of_the_column() -> None:
    listed = AdditiveGPRegressor(["Matern32", "Cat", "Cat", "Cat"], max_order=1, restarts=1).fit(FRAME, Y)
    named = AdditiveGPRegressor({"size": "Matern32"}, max_order=1, restarts=1).fit(FRAME, Y)
    assert np.array_equal(listed.predict(FRAME), named.predict(FRAME))
    with pytest.raises(InputError, match="a base for a column of categories; found 'SE' for 'kind'; choose 'Cat'"):
        AdditiveGPRegressor({"kind": "SE"}).fit(FRAME, Y)
    with pytest.raises(InputError, match="a base for a column of numbers; found 'Cat' for 'size'"):
        AdditiveGPRegressor("Cat").fit(FRAME, Y)


def test_pickles_know_their_levels(model: AdditiveGPRegressor) -> None:
    assert np.array_equal(pickle.loads(pickle.dumps(model)).predict(FRAME), model.predict(FRAME))


def test_categories_are_drawn_as_points_with_their_names(model: AdditiveGPRegressor) -> None:
    panels = {axes.get_xlabel(): axes for axes in model.plot_effects().axes}
    assert [text.get_text() for text in panels["place"].get_xticklabels()] == ["north", "south", "west"]
    assert panels["place"].containers[0].lines[0].get_ydata() == pytest.approx([2.5, -0.5, -2.0], abs=0.3)
    assert len(panels["size"].collections) == 1  # a band
    pairs = [axes for axes in model.plot_effects(6, order=2).axes if axes.get_label() != "<colorbar>"]
    assert (pairs[0].get_xlabel(), pairs[0].get_ylabel()) == ("size", "kind")
    assert [text.get_text() for text in pairs[0].get_yticklabels()] == ["flat", "house"]
    assert [line.get_label() for line in pairs[1].lines] == ["flat", "house"]
    assert pairs[1].get_title(loc="left") == "for every kind"
    both = next(axes for axes in pairs[::2] if (axes.get_xlabel(), axes.get_ylabel()) == ("kind", "place"))
    assert len(pairs[pairs.index(both) + 1].containers) == 3  # points for every place


def test_many_categories_are_drawn_as_the_commonest() -> None:
    names = np.array([f"number {place} of the street" for place in range(9)])[np.minimum(np.arange(N) % 11, 8)]
    frame = pd.DataFrame({"x": FRAME["size"], "house": names})
    figure = AdditiveGPRegressor(restarts=1).fit(frame, Y).plot_effects(1, order=2)
    assert figure.axes[1].get_title(loc="left") == "for the 6 commonest house"
    assert "number 8 of t\N{HORIZONTAL ELLIPSIS}" in [line.get_label() for line in figure.axes[1].lines]
