"""Classes of some rows: gaps as scikit-learn has them, what is obeyed, what is told of other rows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.semi_supervised import LabelSpreading

from autostatistician import InfiniteGaussianMixture, InfiniteWarpedMixture
from autostatistician.errors import CheckpointError, InputError
from autostatistician.estimators.known_classes import coded

RNG = np.random.default_rng(0)
TRUTH = np.repeat([0, 1, 2], 12)
BLOBS = np.array([[0.0, 0.0], [6.0, 0.0], [0.0, 6.0]])[TRUTH] + RNG.normal(0.0, 0.4, (36, 2))
SOME = np.where(np.arange(36) % 12 < 2, TRUTH, -1)
CENTRES = [[0.0, 0.0], [6.0, 0.0], [0.0, 6.0]]


@pytest.fixture(scope="module")
def fitted() -> InfiniteGaussianMixture:
    return InfiniteGaussianMixture(n_chains=1, n_sweeps=60).fit(BLOBS, SOME)


@pytest.mark.parametrize(
    ("y", "classes", "codes"),
    [
        ([3, -1, 1], [1, 3], [1, -1, 0]),
        ([3.0, np.nan, -1.0], [3.0], [0, -1, -1]),
        (["b", None, "a"], ["a", "b"], [1, -1, 0]),
        ([True, None, False], [False, True], [1, -1, 0]),
        ([-1, -1, -1], [], [-1, -1, -1]),
    ],
)
def test_gaps_may_be_written_in_three_ways(y: list[Any], classes: list[Any], codes: list[int]) -> None:
    found, numbers = coded(y, 3)
    assert found.tolist() == classes
    assert numbers.tolist() == codes


def test_what_are_no_classes_is_said() -> None:
    with pytest.raises(InputError, match="numbers with fractions"):
        coded([0.5, 1.25, -1.0], 3)
    with pytest.raises(InputError, match="each of 4 rows"):
        coded([0, 1, -1], 4)


def test_it_follows_the_convention_of_scikit_learn(fitted: InfiniteGaussianMixture) -> None:
    theirs = LabelSpreading().fit(BLOBS, SOME)
    assert fitted.classes_.tolist() == theirs.classes_.tolist()
    assert fitted.transduction_.dtype == theirs.transduction_.dtype
    np.testing.assert_array_equal(fitted.transduction_, theirs.transduction_)
    np.testing.assert_array_equal(fitted.predict_classes(CENTRES), theirs.predict(CENTRES))


def test_chances_are_those_of_classes(fitted: InfiniteGaussianMixture) -> None:
    chances = fitted.class_probabilities(CENTRES)
    assert chances.shape == (3, 3)
    assert chances.diagonal().min() > 0.9
    assert chances.sum(axis=1).max() <= 1.0 + 1e-9
    far = fitted.predict_classes([[40.0, 40.0]])
    assert far.tolist() == [-1]  # a cluster of its own


@pytest.mark.parametrize("model", [InfiniteWarpedMixture, InfiniteGaussianMixture])
def test_every_draw_obeys(model: type[InfiniteWarpedMixture]) -> None:
    y = np.where(np.arange(36) % 6 == 0, np.arange(36) % 2, -1)  # against what the rows say
    y[1] = 1
    mixture = model(n_chains=1, n_sweeps=8).fit(BLOBS, y)
    for labels in [*mixture.draws_.labels, mixture.labels_]:
        groups = [set(labels[y == each].tolist()) for each in (0, 1)]
        assert [len(group) for group in groups] == [1, 1]
        assert groups[0] != groups[1]


def test_names_have_no_number_for_a_gap() -> None:
    names = np.array(["north", "east", "west"], dtype=object)[TRUTH]
    names[SOME == -1] = None
    names[TRUTH == 2] = None
    mixture = InfiniteGaussianMixture(n_chains=1, n_sweeps=60).fit(BLOBS, names)
    assert mixture.predict_classes(CENTRES).tolist() == ["north", "east", None]


def test_without_classes_it_is_what_it_was(tmp_path: Any) -> None:
    settings: dict[str, Any] = {"n_chains": 1, "n_sweeps": 6}
    plain = InfiniteGaussianMixture(**settings).fit(BLOBS)
    other = InfiniteGaussianMixture(**settings).fit(BLOBS, np.full(36, -1), checkpoint=tmp_path / "chains")
    np.testing.assert_array_equal(plain.similarity_, other.similarity_)
    assert not hasattr(other, "transduction_")
    with pytest.raises(InputError, match="classes of some rows"):
        plain.predict_classes(CENTRES)
    with pytest.raises(CheckpointError, match="other data or settings"):
        InfiniteGaussianMixture(**settings).fit(BLOBS, SOME, checkpoint=tmp_path / "chains")
