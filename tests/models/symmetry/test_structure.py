"""What symmetries together generate, and which do not go together."""

import numpy as np
import pytest

from autostatistician.errors import InputError
from autostatistician.models.symmetry import search, view_covariance
from autostatistician.models.symmetry.invariant import Rows
from autostatistician.models.symmetry.posterior import InvariantPrior, level, symmetric_function
from autostatistician.models.symmetry.search import SymmetryResult, fitted, refined, search_symmetries
from autostatistician.models.symmetry.structure import Action, Invariance, proposals, structured

RNG = np.random.default_rng(0)
X = np.column_stack([RNG.uniform(-2.0, 2.0, 30), RNG.integers(0, 2, 30), RNG.uniform(-2.0, 2.0, 30)])
Y = 5.0 + 3.0 * (np.sin(X[:, 0]) - np.sin(X[:, 2])) * (1.0 + X[:, 1])
NUMBERS, COLUMNS = (0, 2), ("a", "kind", "b")


@pytest.mark.parametrize(
    "claim", [Invariance(Action.EXCHANGE, (0, 1), odd=True), Invariance(Action.COMMON_SHIFT, (0, 1))]
)
def test_prior_and_posterior(claim: Invariance) -> None:
    structure = structured((claim,), 2)
    assert structure is not None
    target = (float(Y.mean()), float(Y.std()))
    group = fitted(structure, Rows(X[:, [0, 2]], X[:, [1]]), (Y - target[0]) / target[1])
    assert group is not None
    found = SymmetryResult((group,), (claim,), target)
    function, fit = symmetric_function(found, X, Y, COLUMNS, NUMBERS, RNG)
    signal = fit.latent.signal
    assert signal is not None
    K = InvariantPrior(function).matrix(signal, X)
    seen = view_covariance(signal, function, X, None, function.shown)
    assert pytest.approx(seen + target[1] ** 2, rel=1e-6) == K  # the double sum over the group, and the level
    assert InvariantPrior(function).variance(signal, X) == pytest.approx(K.diagonal())
    if claim.odd:
        mean = fit.posterior.project(signal, X).mean + function.centre
        turned = fit.posterior.project(signal, X[:, [2, 1, 0]]).mean + function.centre
        about, doubt = level(function, fit.posterior)
        assert mean == pytest.approx(Y, abs=0.1)
        assert about == pytest.approx(0.5 * (mean + turned))
        assert abs(about - 5.0) < 3.0 * doubt + 0.05


SWAP_OF_FINDING = Invariance(Action.EXCHANGE, (0, 1))


def _rows(n: int, d: int = 2) -> np.ndarray:
    return np.random.default_rng(5).uniform(-2.0, 2.0, (n, d))


@pytest.mark.slow
def test_an_exchange_is_found_and_its_turned_form_is_not() -> None:
    X = _rows(30)
    y = np.exp(-((X[:, 0] - X[:, 1]) ** 2)) + 0.3 * (X[:, 0] + X[:, 1]) ** 2 + np.exp(0.5 * X).sum(axis=1)
    found = search_symmetries(X, y, rng=np.random.default_rng(0))
    assert found.probability(SWAP_OF_FINDING) > 0.95
    assert found.probability(Invariance(Action.EXCHANGE, (0, 1), odd=True)) < 0.01
    assert found.best.structure.holds(SWAP_OF_FINDING)
    assert found.weights.sum() == pytest.approx(1.0)
    assert found.probability(SWAP_OF_FINDING) + found.probability() <= 1.0 + 1e-9


@pytest.mark.slow
def test_a_function_without_symmetries() -> None:
    X = _rows(30)
    y = np.exp(0.7 * X[:, 1]) + np.sin(2.0 * X[:, 0] + 0.3) * X[:, 1] + 0.2 * (X[:, 0] + 1.0) ** 3
    found = search_symmetries(X, y, rng=np.random.default_rng(0))
    assert found.best.structure.claims == ()
    assert found.probability() > 0.9


def test_more_rows_than_are_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST_ROWS", 30)
    X = _rows(60, 1)
    y = np.exp(-2.0 * (X[:, 0] - 0.3) ** 2)
    rng = np.random.default_rng(0)
    found = search_symmetries(X, y, rng=rng)
    better = refined(found.best, Rows(X, np.zeros((60, 0))), (y - found.target[0]) / found.target[1], rng)
    centre = found.best.model.names.index(("centre", (0,)))
    at = [group.u[centre] * group.model.scale[0] + group.model.shift[0] for group in (found.best, better)]
    assert found.probability(Invariance(Action.MIRROR, (0,))) > 0.9
    assert at == pytest.approx([0.3, 0.3], abs=1e-2)
    assert abs(at[1] - 0.3) < abs(at[0] - 0.3)


def test_too_many_columns() -> None:
    with pytest.raises(InputError, match="at most 12 columns"):
        search_symmetries(_rows(5, 13), np.arange(5.0), rng=np.random.default_rng(0))


ROWS = np.random.default_rng(0).uniform(-1.0, 1.0, (30, 4))


def _kinds(X: np.ndarray) -> set[Action]:
    return {claim.kind for claim in proposals(X, range(X.shape[1]))}


def test_all_kinds_of_columns_that_are_alike() -> None:
    assert _kinds(ROWS) == set(Action)
    blocks = {claim.columns for claim in proposals(ROWS, range(4)) if claim.kind is Action.BLOCKS}
    assert blocks == {(0, 2, 1, 3), (0, 1, 2, 3), (0, 1, 3, 2)}


def test_columns_of_other_units_are_not_exchanged_or_added() -> None:
    apart = _kinds(ROWS * [1.0, 100.0, 1e4, 1e6])
    assert apart == {Action.MIRROR, Action.POINT, Action.SHIFT, Action.COMBINATION, Action.PERIOD}


def test_few_values_have_no_mirror_and_constant_columns_nothing() -> None:
    two = np.column_stack([ROWS[:, 0] > 0.0, ROWS[:, 1] > 0.0, np.ones(30)]).astype(float)
    assert {claim.kind for claim in proposals(two, range(3))} == {
        Action.SHIFT,
        Action.EXCHANGE,
        Action.COMMON_SHIFT,
    } | {Action.COUNTER_SHIFT}
    assert all(2 not in claim.columns for claim in proposals(two, range(3)))
    assert Invariance(Action.EXCHANGE, (0, 1), odd=True) in proposals(two, range(3))


SWAP, OTHER = Invariance(Action.EXCHANGE, (0, 1)), Invariance(Action.EXCHANGE, (1, 2))
MIRROR, ODD = Invariance(Action.MIRROR, (0,)), Invariance(Action.MIRROR, (0,), odd=True)


@pytest.mark.parametrize(
    ("claims", "held", "not_held"),
    [
        ((SWAP, MIRROR), (Invariance(Action.MIRROR, (1,)), Invariance(Action.POINT, (0, 1))), (ODD, OTHER)),
        (
            (ODD, Invariance(Action.MIRROR, (1,), odd=True)),
            (Invariance(Action.POINT, (0, 1)),),
            (SWAP, Invariance(Action.POINT, (0, 1), True)),
        ),
        (
            (Invariance(Action.SHIFT, (0,)),),
            (MIRROR, Invariance(Action.PERIOD, (0,)), Invariance(Action.COMBINATION, (0, 1))),
            (ODD, SWAP),
        ),
        (
            (Invariance(Action.COMMON_SHIFT, (0, 1)), SWAP),
            (Invariance(Action.POINT, (0, 1)),),
            (MIRROR, Invariance(Action.SHIFT, (0,))),
        ),
        (
            (Invariance(Action.PERIOD, (0,)), SWAP),
            (Invariance(Action.PERIOD, (1,)),),
            (Invariance(Action.PERIOD, (2,)),),
        ),
        (
            (Invariance(Action.COMMON_SHIFT, (0, 1)), MIRROR),
            (Invariance(Action.SHIFT, (1,)),),
            (Invariance(Action.SHIFT, (2,)),),
        ),
        ((Invariance(Action.COUNTER_SHIFT, (0, 1)),), (SWAP,), (Invariance(Action.COMMON_SHIFT, (0, 1)),)),
    ],
)
def test_what_follows(
    claims: tuple[Invariance, ...], held: tuple[Invariance, ...], not_held: tuple[Invariance, ...]
) -> None:
    structure = structured(claims, 3)
    assert structure is not None
    assert all(map(structure.holds, (*claims, *held)))
    assert not any(map(structure.holds, not_held))


def test_sizes_and_the_same_group_from_others() -> None:
    first = structured((SWAP, OTHER), 3)
    again = structured((OTHER, Invariance(Action.EXCHANGE, (0, 2))), 3)
    assert first is not None
    assert again is not None
    assert (len(first.elements), first.key) == (6, again.key)
    assert first.ties == (0, 0, 0)


@pytest.mark.parametrize(
    "claims",
    [
        (MIRROR, ODD),  # only zero is both
        (Invariance(Action.SHIFT, (0,)), ODD),
        (Invariance(Action.COMBINATION, (0, 1)), SWAP),
        (Invariance(Action.COMBINATION, (0, 1)), Invariance(Action.COMBINATION, (1, 2))),
        (
            Invariance(Action.COMMON_SHIFT, (0, 1, 2)),
            Invariance(Action.PERIOD, (0,)),
        ),  # two differences are left to go round
        tuple(Invariance(Action.EXCHANGE, (k, k + 1)) for k in range(5)),  # 720 images
    ],
)
def test_what_does_not_go_together(claims: tuple[Invariance, ...]) -> None:
    assert structured(claims, 6) is None
