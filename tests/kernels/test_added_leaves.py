"""A leaf that is registered from outside, and a language of one's own: read, fitted, searched, carried, saved."""

import copy
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician import AutomaticStatistician, log_marginal_likelihood, sample
from autostatistician.errors import InputError, ParseError
from autostatistician.gp import Problem, condition
from autostatistician.kernels import LANGUAGES, Language, format_kernel, parse_kernel, register_leaf
from autostatistician.kernels.expr import Leaf
from autostatistician.kernels.grammar import Operator, named
from autostatistician.kernels.leaves import LEAVES, lag_function

Array = NDArray[np.float64]


def triangle(lag: Array, lengthscale: float, sd: float) -> Array:
    return np.asarray(sd * sd * np.maximum(1.0 - np.abs(lag) / lengthscale, 0.0))


def smooth(lag: Array, lengthscale: float, sd: float) -> Array:
    return np.asarray(sd * sd * np.exp(-0.5 * (lag / lengthscale) ** 2))


def matern(lag: Array, lengthscale: float, sd: float) -> Array:
    d = np.sqrt(3.0) * np.abs(lag) / lengthscale
    return np.asarray(sd * sd * (1.0 + d) * np.exp(-d))


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    leaves, languages = dict(LEAVES), dict(LANGUAGES)
    yield
    for table, before in ((LEAVES, leaves), (LANGUAGES, languages)):
        for name in set(table) - set(before):
            del table[name]  # type: ignore[attr-defined]


@pytest.mark.parametrize(("function", "same", "power"), [(smooth, "SE", 2), (matern, "Matern32", 2)])
def test_its_derivatives_are_those_of_the_formula(function: Any, same: str, power: int) -> None:
    row, formula = register_leaf("Own", function), lag_function(same)
    assert row.of_lag is not None
    assert row.decay is not None
    lag = np.linspace(-3.0, 3.0, 12)
    value, parts = row.of_lag.value_and_derivatives(lag, 2.0, 1.5)
    known, wanted = formula.value_and_derivatives(lag, 2.0, 1.5)
    np.testing.assert_allclose(value, known, rtol=1e-12)
    np.testing.assert_allclose(parts, wanted, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(row.of_lag.slope(lag, 2.0, 1.5), formula.slope(lag, 2.0, 1.5), rtol=1e-6, atol=1e-9)
    assert row.decay.power == power


def test_it_is_read_written_and_evaluated() -> None:
    row = register_leaf("Triangle", triangle, kind="wandering", name="triangular kernel")
    assert (row.noun, row.name) == ("a pattern of its own kind", "triangular kernel")
    assert row.decay is not None
    assert row.decay.power == 1
    kernel = parse_kernel("Triangle(lengthscale=2.5, sd=3) * Lin(sd=1, location=0) + WN(sd=1)")
    assert parse_kernel(format_kernel(kernel)) == kernel
    assert kernel(1.0, 2.0) == pytest.approx(9.0 * 0.6 * 2.0)
    value, gradient = log_marginal_likelihood(kernel, [0.0, 1.0, 3.0], [1.0, 2.0, 0.0], return_gradient=True)
    moved = kernel.with_parameters({"Triangle.lengthscale": 2.5 * np.exp(1e-5)})
    other = log_marginal_likelihood(moved, [0.0, 1.0, 3.0], [1.0, 2.0, 0.0])
    assert (other - value) / 1e-5 == pytest.approx(
        gradient[list(kernel.parameters).index("Triangle.lengthscale")], rel=1e-3
    )


def test_a_long_even_series_takes_it() -> None:
    register_leaf("Own", smooth)
    x = np.arange(5100.0)
    y, noise = np.sin(x / 40.0), " + WN(sd=0.3)"
    own, usual = (log_marginal_likelihood(f"{leaf}(lengthscale=30, sd=1){noise}", x, y) for leaf in ("Own", "SE"))
    assert own == pytest.approx(usual, abs=1e-3)
    kernel = parse_kernel(f"Own(lengthscale=30, sd=1){noise}")
    mean = condition(kernel, Problem(x, y)).signal(np.array([[2000.5]]))[0]
    assert mean == pytest.approx([np.sin(2000.5 / 40.0)], abs=0.05)


def test_the_same_once_more_is_the_same_and_another_is_refused() -> None:
    assert register_leaf("Triangle", triangle) is register_leaf("Triangle", triangle)
    with pytest.raises(InputError, match="letters that are no leaf yet"):
        register_leaf("Triangle", smooth)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"symbol": "SE"}, "letters that are no leaf yet"),
        ({"symbol": "own"}, "the first one large"),
        ({"kind": "odd"}, "a kind among smooth, wandering, cyclic"),
        ({"parameters": ("sd", "lengthscale")}, "name lengthscale"),
        ({"covariance": lambda lag, lengthscale, sd: np.abs(lag)}, "variances below zero"),
        ({"covariance": lambda lag, lengthscale, sd: lag + 1.0}, "not symmetric"),
        ({"covariance": lambda lag, lengthscale, sd: sd}, "the shape of the lags"),
    ],
)
def test_what_is_no_leaf_is_refused(settings: dict[str, Any], words: str) -> None:
    given = {"symbol": "Own", "covariance": smooth} | settings
    with pytest.raises(InputError, match=words):
        register_leaf(**given)
    assert "Own" not in LEAVES


def power(lag: Array, lengthscale: float, sd: float, power: float) -> Array:
    return np.asarray(sd * sd * np.exp(-(np.abs(lag / lengthscale) ** power)))


def test_other_parameters_are_shapes() -> None:
    row = register_leaf("Power", power, ("lengthscale", "sd", "power"))
    assert [name for name, _ in row.names_and_roles] == ["lengthscale", "sd", "power"]


def test_it_comes_along_to_other_processes() -> None:
    register_leaf("Triangle", triangle)
    carried, known = pickle.dumps(Leaf("Triangle", "a")), LEAVES["Triangle"]
    del LEAVES["Triangle"]
    assert pickle.loads(carried) == Leaf("Triangle", "a")
    assert LEAVES["Triangle"].parameters == known.parameters
    assert copy.deepcopy(Leaf("SE")) == pickle.loads(pickle.dumps(Leaf("SE"))) == Leaf("SE")


@pytest.mark.slow
@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_search_over_a_grammar_of_ones_own_is_one_call(n_jobs: int, tmp_path: Path) -> None:
    register_leaf("Triangle", triangle, kind="wandering")
    x = np.arange(60.0)
    y = 5.0 + sample("Triangle(lengthscale=12, sd=3) + WN(sd=0.3)", x, random_state=3)[0]
    grammar = Language("mine", ("Triangle", "Lin", "WN"))
    model = AutomaticStatistician(grammar, max_depth=2, n_restarts=3, n_jobs=n_jobs).fit(x[:, None], y)
    assert "Triangle" in str(model.kernel_)
    assert model.describe()[0].startswith("An irregular, jumpy variation")
    model.report(tmp_path / "page.md")
    assert "Triangle: a pattern of its own kind" in (tmp_path / "page.md").read_text(encoding="utf-8")
    model.save(tmp_path / "model.json")
    del LANGUAGES["mine"]  # as in a new process
    again = AutomaticStatistician.load(tmp_path / "model.json")
    assert again.kernel_ == model.kernel_
    assert again.language == "mine"
    with pytest.raises(InputError, match=r"set LANGUAGES\['mine'\] to your own"):
        again.fit(x[:, None], y)


def test_a_name_is_of_the_last_language_and_never_of_another_than_that_of_the_library() -> None:
    assert named(Language("mine", ("SE", "WN"))) == named(Language("mine", ("Lin", "WN"))) == "mine"
    assert LANGUAGES["mine"].bases == ("Lin", "WN")
    with pytest.raises(InputError, match="found 'full'"):
        AutomaticStatistician(Language("full", ("Lin", "WN"))).fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 3.0])


def test_what_a_language_is_made_of_is_checked_at_once() -> None:
    assert Language("mine", ["SE"], operators=("add", "multiply")) == Language(  # type: ignore[arg-type]
        "mine", ("SE",), operators=frozenset({Operator.ADD, Operator.MULTIPLY})
    )
    with pytest.raises(InputError, match=r"operators among add, multiply, .*; found 'times'"):
        Language("mine", ("SE",), operators=("add", "times"))  # type: ignore[arg-type]
    with pytest.raises(InputError, match="a tuple of base expressions; found 'SE'"):
        Language("mine", "SE")  # type: ignore[arg-type]
    with pytest.raises(ParseError, match="RBF"):
        Language("mine", ("SE", "RBF"))


def test_workers_of_a_panel_know_no_language_of_ones_own() -> None:
    frame = {"shop": ["A"] * 12 + ["B"] * 12, "week": [*range(12)] * 2, "sales": np.arange(24.0) % 7}
    model = AutomaticStatistician(Language("mine", ("Lin", "WN")), max_depth=1, n_restarts=1, n_jobs=1)
    assert model.fit_panel(frame, horizon=2).series["reason"].tolist() == ["", ""]
    with pytest.raises(InputError, match="n_jobs=1 for many series in a language of one's own; found n_jobs=2"):
        model.set_params(n_jobs=2).fit_panel(frame)
