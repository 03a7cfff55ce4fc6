"""Categories in symmetric models: the kernel against double loops, groups that must leave them alone, new ones."""

from __future__ import annotations

from itertools import product
from math import exp

import numpy as np
import pandas as pd
import pytest

from autostatistician import SymmetricGPRegressor
from autostatistician.errors import InputError
from autostatistician.language.text import parse_kernel
from autostatistician.symmetry import OrbitProduct, OrbitSum, group, reflection, swap, view_covariance

RNG = np.random.default_rng(0)
N = 40
FRAME = pd.DataFrame(
    {
        "a": RNG.uniform(-2.0, 2.0, N),
        "kind": np.array(["x", "y"])[RNG.integers(0, 2, N)],
        "b": RNG.uniform(-2.0, 2.0, N),
    }
)
SIGN = np.where(FRAME["kind"] == "x", 2.0, 1.0)
Y = SIGN * np.sin(FRAME["a"] + FRAME["b"]).to_numpy() + 0.05 * RNG.standard_normal(N)
EXCHANGE = swap(3, (0,), (2,))
KERNEL = "SE[a] * SE[b] * Cat[kind] + WN"


def _latent(one: np.ndarray, other: np.ndarray) -> float:
    smooth = exp(-0.5 * (one[0] - other[0]) ** 2 / 0.7**2 - 0.5 * (one[2] - other[2]) ** 2 / 1.3**2)
    return smooth * (1.0 if one[1] == other[1] else 0.25)


@pytest.mark.parametrize("view", [OrbitSum, OrbitProduct])
def test_the_kernel_is_that_of_a_double_loop(view: type[OrbitSum] | type[OrbitProduct]) -> None:
    rows = np.column_stack([RNG.normal(size=6), RNG.integers(0, 3, 6), RNG.normal(size=6)])
    kernel = parse_kernel(
        "SE[a](lengthscale=0.7, sd=1) * SE[b](lengthscale=1.3, sd=1) * Cat[kind](contrast=3, sd=1)"
    )  # fmt: skip
    expected = np.zeros((6, 6))
    for (i, one), (j, other) in product(enumerate(rows), repeat=2):
        pairs = [_latent(x, z) for x, z in product((one, one[::-1]), (other, other[::-1]))]
        expected[i, j] = sum(pairs) / 2.0 if view is OrbitSum else float(np.prod(pairs)) ** 0.25
    assert view_covariance(kernel, view(EXCHANGE), rows, rows, ("a", "kind", "b")) == pytest.approx(expected)


@pytest.mark.parametrize("construction", ["sum", "projection", "product"])
def test_predictions_have_the_symmetry_and_know_the_category(construction: str) -> None:
    model = SymmetricGPRegressor(KERNEL, group=EXCHANGE, construction=construction, n_restarts=1).fit(FRAME, Y)
    new = pd.DataFrame({"a": [0.3, 1.0], "kind": ["x", "y"], "b": [0.9, -0.2]})
    turned = new.assign(a=new["b"], b=new["a"])
    assert model.predict(turned) == pytest.approx(model.predict(new), abs=1e-9)
    assert model.predict(new) == pytest.approx(np.array([2.0 * np.sin(1.2), np.sin(0.8)]), abs=0.3)
    assert model.inputs_.levels == {"kind": ("x", "y")}


def test_without_a_kernel_categories_have_theirs() -> None:
    model = SymmetricGPRegressor(group=EXCHANGE, n_restarts=1).fit(FRAME, Y)
    assert str(model.kernel_) == "C + SE[a] * SE[b] * Cat[kind] + WN"
    full = SymmetricGPRegressor("SE[a] * SE[b] * Cat2r1[kind] + WN", group=EXCHANGE, n_restarts=1).fit(FRAME, Y)
    assert np.isfinite(full.log_evidence_)


@pytest.mark.parametrize(
    "acting",
    [
        swap(3),
        reflection(3),
        reflection(3, [1], at=2.0),
        group([np.eye(3), np.array([[-1.0, 1.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])]),
    ],
)
def test_a_group_leaves_categories_alone(acting: object) -> None:
    with pytest.raises(InputError, match="a group that leaves categories as they are; found one that acts on 'kind'"):
        SymmetricGPRegressor(group=acting).fit(FRAME, Y)


def test_leaves_fit_the_kind_of_the_column() -> None:
    with pytest.raises(InputError, match="SE on a column of numbers; found 'kind'"):
        SymmetricGPRegressor("SE[kind] + WN").fit(FRAME, Y)
    with pytest.raises(InputError, match="Cat on a column of categories; found 'a'"):
        SymmetricGPRegressor("Cat[a] + WN").fit(FRAME, Y)


def test_new_categories_are_refused_or_uncertain() -> None:
    model = SymmetricGPRegressor(KERNEL, group=EXCHANGE, n_restarts=1).fit(FRAME, Y)
    strange = pd.DataFrame({"a": [0.3], "kind": ["z"], "b": [0.9]})
    with pytest.raises(InputError, match=r"a category of column 'kind' that the data had .* found 'z' in row 1"):
        model.predict(strange)
    model.unseen = "new"
    mean, sd = model.predict(strange, return_std=True)
    known, own = model.predict(strange.assign(kind="x"), return_std=True)
    assert mean[0] < known[0]
    assert sd[0] > 3.0 * own[0]
    with pytest.raises(InputError, match="unseen='error' or unseen='new'"):
        SymmetricGPRegressor(unseen="ignore").fit(FRAME, Y)
