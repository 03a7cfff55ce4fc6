"""Groups of which each has functions of its own: what they say, and that rows go where they belong."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from autostatistician.latent import own_warps, warp
from autostatistician.latent.normal_wishart import Groups, NormalWishart
from autostatistician.latent.own_warps import reassigned
from autostatistician.latent.warp import Warp

Array = NDArray[np.float64]

RNG = np.random.default_rng(0)
X, Y, LABELS = RNG.normal(size=(9, 2)), RNG.normal(size=(9, 3)), np.array([0, 0, 1, 0, 1, 1, 0, 2, 1])
PARAMETERS = np.log([1.2, 0.8, 0.3])
PRIOR = NormalWishart.standard(2, 0.5, 8.0)


def test_groups_apart_are_so_many_models() -> None:
    together = Warp.at(X, PARAMETERS, Y, apart=LABELS)
    each = [Warp.at(X[group == LABELS], PARAMETERS, Y[group == LABELS]) for group in range(3)]
    assert together.log_evidence == pytest.approx(sum(part.log_evidence for part in each))
    by_place, by_parameter = together.slope()
    for group, part in enumerate(each):
        np.testing.assert_allclose(by_place[group == LABELS], part.slope()[0], atol=1e-9)
        for told, wanted in zip(together.predict(X[:2], group), part.predict(X[:2]), strict=True):
            np.testing.assert_allclose(told, wanted)
    np.testing.assert_allclose(by_parameter, sum(part.slope()[1] for part in each))
    mean, variance = together.predict(X[:2], 3)  # of no row
    np.testing.assert_allclose(mean, 0.0)
    np.testing.assert_allclose(variance, together.variance)


def test_the_precision_follows_a_row_out_and_in_again() -> None:
    at = Warp.at(X, PARAMETERS, Y, apart=LABELS)
    K = at.smooth + (at.variance - at.smooth[0, 0]) * np.eye(9)
    rest = own_warps._without(at.columns.precision, 4)
    others = np.delete(np.arange(9), 4)
    np.testing.assert_allclose(rest[np.ix_(others, others)], np.linalg.inv(K[np.ix_(others, others)]), atol=1e-9)
    solved = rest @ K[4]
    back = own_warps._with(rest, 4, solved, float(K[4, 4] - K[4, others] @ solved[others]))
    np.testing.assert_allclose(back, at.columns.precision, atol=1e-9)


def test_new_columns_and_new_groups_in_turn_give_the_prior_back(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of two rows whether they are together, and how far apart (Geweke 2004)."""
    monkeypatch.setattr(warp, "PRIOR_DEVIATIONS", np.full(3, 0.4))
    rng, seen = np.random.default_rng(1), []
    places, labels = _two_rows(rng)
    for _ in range(1500):
        parameters = warp.prior_draw(rng)
        columns = Warp.at(places, parameters, np.zeros((2, 2)), apart=labels).columns.draw(rng)
        places, labels = reassigned(Warp.at(places, parameters, columns, apart=labels), labels, PRIOR, 1.3, rng)
        seen.append(_told(places, labels))
    wanted = np.mean([_told(*_two_rows(rng)) for _ in range(1500)], axis=0)
    np.testing.assert_allclose(np.mean(seen, axis=0), wanted, atol=0.1)


def _two_rows(rng: np.random.Generator) -> tuple[Array, NDArray[np.intp]]:
    """Places and groups from the prior."""
    first = Groups.of(PRIOR, np.empty((0, 2)), np.empty(0, dtype=np.intp), room=1).draw(np.array([0]), rng)
    labels = np.array([0, int(rng.random() < 1.3 / 2.3)])
    groups = Groups.of(PRIOR, first, labels[:1], room=1)
    return np.concatenate([first, groups.draw(labels[1:], rng)]), labels


def _told(places: Array, labels: NDArray[np.intp]) -> list[float]:
    together, apart = float(labels[0] == labels[1]), float(np.tanh(((places[0] - places[1]) ** 2).sum()))
    return [together, apart, together * apart, float(np.tanh((places**2).mean()))]


def test_a_row_goes_where_it_belongs_and_one_of_a_known_class_stays() -> None:
    rng, labels = np.random.default_rng(0), np.repeat([0, 1], 8)
    columns = np.column_stack([np.linspace(-0.5, 0.5, 16) + 3.0 * labels - 1.5, np.zeros(16)])
    places, wrong, known = columns - columns.mean(axis=0), labels.copy(), np.full(16, -1)
    wrong[[3, 5]], known[5] = 1, 1
    at, parameters = places, np.log([1.0, 1.0, 0.1])
    for _ in range(30):
        at, wrong = reassigned(Warp.at(at, parameters, columns, apart=wrong), wrong, PRIOR, 0.01, rng, known)
    assert wrong[3] == wrong[0] != wrong[15] == wrong[5]
    np.testing.assert_array_equal(at[5], places[5])
