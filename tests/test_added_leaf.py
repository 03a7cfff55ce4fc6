"""A leaf that only this file knows, added by its row: read and written, fitted, searched, told and drawn."""

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from tests.kernels.leaf_pieces import MATERN_52

from autostatistician import AutomaticStatistician, sample
from autostatistician.errors import InputError
from autostatistician.gp.covariance import covariance, slopes_by_points
from autostatistician.gp.engines.choice import objective_of
from autostatistician.gp.problem import Problem
from autostatistician.kernels.expr import Leaf, to_latex
from autostatistician.kernels.grammar import LANGUAGES, Language, Operator, neighbours
from autostatistician.kernels.kernel import Kernel, leaf, parameters
from autostatistician.kernels.lag_functions import LagFunction
from autostatistician.kernels.leaf_row import Amount, Decay, LeafKind, LeafParameter, LeafRow, Role, Start, Unit
from autostatistician.kernels.leaves import LEAVES
from autostatistician.kernels.simplify import simplify
from autostatistician.kernels.text import format_kernel, kernel_from_json, kernel_to_json, parse, parse_kernel
from autostatistician.kernels.tree import from_kernel, to_kernel

Array = NDArray[np.float64]


def _value(lag: Array, lengthscale: float, sd: float) -> Array:
    return np.asarray(sd * sd * np.maximum(1.0 - np.abs(lag) / lengthscale, 0.0))


def _derivatives(lag: Array, lengthscale: float, sd: float) -> tuple[Array, tuple[Array, ...]]:
    k, distance = _value(lag, lengthscale, sd), np.abs(lag) / lengthscale
    return k, (np.where(distance < 1.0, sd * sd * distance, 0.0), 2.0 * k)


def _slope(lag: Array, lengthscale: float, sd: float) -> Array:
    return np.where(np.abs(lag) < lengthscale, -np.sign(lag) * sd * sd / lengthscale, 0.0)


ROW = LeafRow(
    "triangular kernel",
    "a level that forgets all within a certain time",
    LeafKind.WANDERING,
    (
        LeafParameter(
            "lengthscale",
            Role.LENGTH,
            "time after which all is forgotten",
            Amount(1.0, Unit.SPACING),
            Amount(100.0, Unit.RANGE),
            Start.MEMORY,
        ),
        LeafParameter("sd", Role.SD, "size", Amount(1e-5, Unit.SIZE), Amount(1e4, Unit.SIZE), Start.SIZE),
    ),
    LagFunction(_value, _derivatives, _slope),
    Decay(1.0, 1),
    spellings=("triangle",),
)
TRUE = "Tri(lengthscale=12, sd=3) + WN(sd=0.3)"


@pytest.fixture(scope="module", autouse=True)
def _added() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(LEAVES, "Tri", ROW)
        patch.setitem(LEAVES, "Matern52", MATERN_52)
        language = Language(
            "tri",
            ("Tri", "Lin", "C", "WN"),
            frozenset({Operator.ADD, Operator.REPLACE, Operator.DELETE}),
            True,
            Leaf("WN"),
        )
        patch.setitem(LANGUAGES, "tri", language)
        yield


@pytest.fixture(scope="module")
def model(_added: None) -> AutomaticStatistician:
    """The search on data drawn from the leaf."""
    x = np.arange(60.0)
    y = 5.0 + sample(parse_kernel(TRUE), x, random_state=3)[0]
    return AutomaticStatistician(language="tri", max_depth=2, n_restarts=3, n_jobs=1).fit(x[:, None], y)


def test_it_is_read_and_written() -> None:
    kernel = parse_kernel("Lin[a](sd=1, location=0) * Tri[a](lengthscale=2, sd=1.5)")
    assert parse_kernel(format_kernel(kernel)) == kernel
    assert kernel_from_json(kernel_to_json(kernel)) == kernel
    assert to_latex(Leaf("Tri", "a")) == r"\mathrm{Tri}_{\text{a}}"
    with pytest.raises(ValueError, match="did you mean 'Tri'"):
        parse_kernel("triangle")


def test_it_is_ordered_behind_the_leaves_of_the_table_and_before_the_operators() -> None:
    kernel = parse_kernel("CP(C, C) + Tri + WN + SE * Tri")
    assert str(to_kernel(from_kernel(kernel))) == "SE * Tri + WN + Tri + CP(C, C)"


def test_it_is_simplified_by_its_traits() -> None:
    assert str(simplify(parse_kernel("WN(sd=1) * Tri(lengthscale=1, sd=2)"))) == "WN"
    flat = simplify(leaf("Tri", lengthscale=1e5, sd=2.0), span={None: (0.0, 1.0)})
    assert (str(flat), flat.values) == ("C", (2.0,))
    twice = leaf("Tri", lengthscale=1.0, sd=1.0)
    assert str(simplify(twice * twice)) == "Tri * Tri"  # only exponentials multiply to one of their kind


def test_its_covariance_is_the_formula_and_moves_with_its_inputs() -> None:
    x, kernel = np.array([0.0, 0.5, 1.7, 3.0]), leaf("Tri", lengthscale=2.0, sd=1.5)
    expected = 2.25 * np.maximum(1.0 - np.abs(np.subtract.outer(x, x)) / 2.0, 0.0)
    np.testing.assert_allclose(covariance(kernel, x), expected, rtol=1e-15)
    step = 1e-6
    differences = (covariance(kernel, x + step, x + 0.01) - covariance(kernel, x - step, x + 0.01)) / (2.0 * step)
    moved, _ = slopes_by_points(kernel, x[:, None], x[:, None] + 0.01, np.ones((4, 4)))
    np.testing.assert_allclose(moved[:, 0], differences.sum(axis=1), atol=1e-8)


@pytest.mark.parametrize("columns", [("a",), ("a", "b")])
def test_the_gradient_of_its_evidence_is_the_limit_of_differences(columns: tuple[str, ...]) -> None:
    rng = np.random.default_rng(0)
    points = Problem(rng.uniform(0.0, 6.0, (12, len(columns))), rng.normal(size=12), columns)
    kernel = parse_kernel("Tri[a](lengthscale=2.3, sd=1.2) + WN(sd=0.4)")
    evidence = objective_of(kernel.expr, points)
    _, gradient = evidence.value_and_gradient(kernel.values)
    for index in range(3):
        ends = [list(kernel.values), list(kernel.values)]
        ends[0][index] *= np.exp(1e-6)
        ends[1][index] *= np.exp(-1e-6)
        slope = (evidence.value(tuple(ends[0])) - evidence.value(tuple(ends[1]))) / 2e-6
        assert gradient[index] == pytest.approx(slope, rel=1e-5, abs=1e-6)


@pytest.mark.parametrize("text", ["Matern52 + WN", "Lin * Matern52 + CP(C, Matern52) + WN"])
def test_a_row_with_exponential_terms_is_computed_by_every_engine_of_one_column(text: str) -> None:
    rng, expr = np.random.default_rng(1), parse(text)
    problem = Problem(np.sort(rng.uniform(0.0, 40.0, 150)), rng.normal(size=150))
    values = tuple(0.6 + 0.1 * index for index in range(len(parameters(expr))))
    expected = objective_of(expr, problem, "lag space").value_and_gradient(values)
    for name in ("blocks", "semiseparable"):
        value, gradient = objective_of(expr, problem, name).value_and_gradient(values)
        assert value == pytest.approx(expected[0], rel=1e-9)
        np.testing.assert_allclose(gradient, expected[1], rtol=1e-6, atol=1e-6)
    with pytest.raises(InputError, match="an engine 'semiseparable' that can"):
        objective_of(parse("Tri + WN"), problem, "semiseparable")


def test_it_is_a_neighbour() -> None:
    found = [str(kernel) for kernel in neighbours(leaf("WN", sd=1.0), LANGUAGES["tri"])]
    assert {"Tri", "WN + Tri"} <= set(found)


def test_it_is_found_by_the_search(model: AutomaticStatistician) -> None:
    parts = [part for part in model.kernel_.parts if part.expr == Leaf("Tri")]
    assert len(parts) == 1
    found = parts[0].named()
    assert 4.0 < found["lengthscale"] < 40.0
    assert 1.0 < found["sd"] < 9.0


@pytest.mark.slow
def test_it_is_told_as_its_kind_and_decay_say(model: AutomaticStatistician) -> None:
    assert model.describe()[0] == "An irregular, jumpy variation; it adds between \N{MINUS SIGN}6 and 6."


@pytest.mark.slow
def test_it_is_drawn_and_explained(model: AutomaticStatistician, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    model.report(page)
    text = page.read_text(encoding="utf-8")
    assert "Tri: a level that forgets all within a certain time (triangular kernel)." in text
    assert "time after which all is forgotten" in text
    (figure,) = re.findall(r'<figure id="figure-fig-part-1">.*?</figure>', text, flags=re.DOTALL)
    assert "Part 1 alone as a line with a band" in figure
    assert "<path" in figure


def test_it_is_saved_and_loaded(model: AutomaticStatistician, tmp_path: Path) -> None:
    model.save(tmp_path / "model.json")
    again = AutomaticStatistician.load(tmp_path / "model.json")
    assert isinstance(again.kernel_, Kernel)
    assert again.kernel_ == model.kernel_
    np.testing.assert_array_equal(again.predict(np.array([[61.0]])), model.predict(np.array([[61.0]])))
