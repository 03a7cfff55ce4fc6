"""Every sentence about a symmetry, word for word."""

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import approx_fprime

from autostatistician import SymmetricGPRegressor
from autostatistician.errors import InputError
from autostatistician.kernels.kernel import parameters
from autostatistician.kernels.text import parse_kernel
from autostatistician.models.symmetry import reflection, rotations, swap, view_covariance
from autostatistician.models.symmetry.invariant import Invariant, Rows
from autostatistician.models.symmetry.posterior import Latent, ViewEvidence, given
from autostatistician.models.symmetry.search import FittedStructure, Symmetry, SymmetryResult, reported
from autostatistician.models.symmetry.structure import Action, Invariance, proposals, structured

Array = NDArray[np.float64]
RNG = np.random.default_rng(0)
X = RNG.uniform(-2.0, 2.0, (20, 2))
Y = np.sin(X[:, 0]) * np.sin(X[:, 1]) + 0.1 * RNG.normal(size=20)


def _bowl(rows: Array) -> Array:
    return np.asarray(1.0 + (rows**2).sum(axis=1))


CASES: dict[str, dict[str, object]] = {
    "swap": {"group": swap(2)},
    "odd swap": {"group": swap(2, odd=True)},
    "turns": {"group": rotations(2, 3)},
    "projection": {"group": rotations(2, 2), "construction": "projection"},
    "product": {"group": swap(2), "construction": "product"},
    "multiplied": {"group": reflection(2, odd=True), "multiplier": _bowl},
}


@pytest.mark.parametrize(
    "text",
    [
        "C(sd=0.5) + SE[x1](lengthscale=1, sd=2) * SE[x2](lengthscale=2, sd=0.8) + WN(sd=0.3)",
        "Per[x1](lengthscale=1, period=1.5, sd=1) + Lin[x2](sd=0.5, location=0.3) * RQ[x1](lengthscale=1, sd=1, "
        "alpha=2) + WN(sd=0.3) + WN(sd=0.2) * Lin[x1](sd=1, location=0.1)",
        "CP[x1](SE[x2](lengthscale=1, sd=1), C(sd=1); location=0.1, steepness=2) + WN(sd=0.3)",
        "WN(sd=0.5)",
        "Matern32[x1](lengthscale=1, sd=1) * Matern12[x2](lengthscale=2, sd=1)",
    ],
)
@pytest.mark.parametrize("case", CASES)
def test_gradient_of_the_evidence(text: str, case: str) -> None:
    latent, model = Latent.of(parse_kernel(text)), SymmetricGPRegressor(**CASES[case])  # type: ignore[arg-type]
    try:
        evidence = ViewEvidence(latent, model._view()(X), X, Y, ("x1", "x2"))
    except InputError:
        assert case == "product"
        return
    values = np.array(latent.kernel.values)
    positive = np.array([parameter.role.positive for parameter in parameters(latent.kernel.expr)])

    def at(u: Array) -> float:
        return evidence(tuple(np.where(positive, np.exp(u), u)))[0]

    start = np.where(positive, np.log(np.where(positive, values, 1.0)), values)
    found = evidence(latent.kernel.values)[1]
    assert found == pytest.approx(approx_fprime(start, at, 1e-6), rel=2e-4, abs=2e-4)


def test_the_evidence_is_that_of_the_matrix() -> None:
    kernel = parse_kernel("SE[x1](lengthscale=1, sd=2) * SE[x2](lengthscale=2, sd=0.8) + WN(sd=0.3)")
    view = SymmetricGPRegressor(group=swap(2))._view()
    K = view_covariance(kernel, view, X, None, ("x1", "x2"))
    expected = 0.5 * Y @ np.linalg.solve(K, Y) + 0.5 * np.linalg.slogdet(K)[1] + 10.0 * np.log(2.0 * np.pi)
    latent = Latent.of(kernel)
    assert ViewEvidence(latent, view(X), X, Y, ("x1", "x2"))(kernel.values)[0] == pytest.approx(expected)
    assert -given(latent, view, X, Y, ("x1", "x2")).posterior.log_evidence == pytest.approx(expected)


def test_learned_priors_keep_few_rows_from_being_explained_without_noise() -> None:
    few, noise = X[:8], np.random.default_rng(1).normal(size=8)
    probable, likely = (SymmetricGPRegressor(group=swap(2), learned_priors=on).fit(few, noise) for on in (True, False))
    assert probable.log_evidence_ < likely.log_evidence_
    sds = [model.fitted_.latent.noise.values[0] for model in (probable, likely)]
    assert sds[1] < 0.1 < sds[0]


ROWS = Rows(np.linspace(0.0, 4.0, 36).reshape(9, 4)[::-1] % 1.9, np.zeros((9, 0)))
PAIR = (0, 1)
SWAPS = (Invariance(Action.EXCHANGE, PAIR), Invariance(Action.EXCHANGE, (1, 2)))


def _told(*claims: Invariance, sd: float = 0.01, probability: float = 1.0) -> list[str]:
    """The sentences on a group that was found with these symmetries, among others of no weight."""
    groups = []
    for some in (claims, ()):
        structure = structured(some, 4)
        assert structure is not None
        model = Invariant.of(structure, ROWS)
        u = np.array([0.25 * p.low + 0.75 * p.high for p in model.parameters])
        share = probability if some else 1.0 - probability
        groups.append(FittedStructure(model, u, np.full(len(u), sd), float(np.log(max(share, 1e-300))), 0.0))
    found = SymmetryResult(tuple(groups), proposals(ROWS.X, range(4)), (0.0, 1.0))
    return [symmetry.text for symmetry in reported(found, "abcd", (1.25, 0.02))]


@pytest.mark.parametrize(
    ("claims", "texts"),
    [
        (SWAPS[:1], ["Swapping a and b changes nothing"]),
        (
            (Invariance(Action.EXCHANGE, PAIR, odd=True),),
            ["Swapping a and b turns values over about the level 1.250 (± 0.040)"],
        ),
        (SWAPS, ["Swapping any two of a, b, and c changes nothing"]),
        ((Invariance(Action.BLOCKS, (0, 1, 2, 3)),), ["Swapping a and b with c and d changes nothing"]),
        ((Invariance(Action.MIRROR, (0,)),), ["Mirroring a about 1.067 (± 0.012) changes nothing"]),
        (
            (Invariance(Action.MIRROR, (0,)), SWAPS[0]),
            [
                "Mirroring a and b (each by itself) about 1.067 (± 0.012) changes nothing",
                "Swapping a and b changes nothing",
            ],
        ),
        (
            (Invariance(Action.POINT, PAIR),),
            ["Mirroring a and b together about 1.067 (± 0.012) and 1.110 (± 0.012) changes nothing"],
        ),
        ((Invariance(Action.SHIFT, (1,)),), ["b makes no difference"]),
        ((Invariance(Action.COMMON_SHIFT, PAIR),), ["Of a and b only the difference matters"]),
        ((Invariance(Action.COMMON_SHIFT, (0, 1, 2, 3)),), ["Of a, b, c, and d only the differences matter"]),
        ((Invariance(Action.COUNTER_SHIFT, PAIR),), ["Of a and b only the sum matters"]),
        ((Invariance(Action.COMBINATION, PAIR),), ["Of a and b only a + 1.000 (± 0.040) b matters"]),
        ((Invariance(Action.PERIOD, (0,)),), ["Every 1.025 (± 0.021) of a all comes again"]),
        (
            (Invariance(Action.PERIOD, (0,)), SWAPS[0]),
            ["Every 1.025 (± 0.021) of a and b (each by itself) all comes again", "Swapping a and b changes nothing"],
        ),
    ],
)
def test_sentences(claims: tuple[Invariance, ...], texts: list[str]) -> None:
    assert _told(*claims) == texts


def test_what_is_not_known_or_not_likely_is_not_told() -> None:
    assert _told(Invariance(Action.MIRROR, (0,)), sd=0.5) == ["Mirroring a changes nothing"]
    assert _told(Invariance(Action.MIRROR, (0,)), probability=0.4) == []


def test_nothing_is_certain() -> None:
    texts = [str(Symmetry("b makes no difference", "shift", ("b",), False, p)) for p in (1.0, 0.98)]
    assert texts == ["b makes no difference (P = more than 99.9%).", "b makes no difference (P = 98%)."]
