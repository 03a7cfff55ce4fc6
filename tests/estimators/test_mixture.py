"""Clusters of any shape as estimators: contract, what is found, what is told, stops and files."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from scipy.stats import multivariate_normal
from sklearn.datasets import make_moons
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score
from sklearn.semi_supervised import LabelSpreading

from autostatistician import ClusterPrior, InfiniteGaussianMixture, InfiniteWarpedMixture
from autostatistician.data.measurements import read_table
from autostatistician.errors import CheckpointError, InputError
from autostatistician.estimators import mixture
from autostatistician.estimators.clusters import ClusterReport
from autostatistician.estimators.mixture import coded
from autostatistician.models.latent import chains

RNG = np.random.default_rng(0)
ROWS = np.concatenate([RNG.normal(-3.0, 0.3, (12, 2)), RNG.normal(3.0, 0.3, (14, 2))])


@pytest.fixture(scope="module")
def report() -> ClusterReport:
    table = read_table({"left": ROWS[:, 0], "right": ROWS[:, 1]})
    return ClusterReport(InfiniteWarpedMixture(n_chains=2, n_sweeps=24).fit(table.rows), table)


def test_it_tells_what_the_mixture_found(report: ClusterReport) -> None:
    assert report.explanation.labels.tolist() == report.mixture.labels_.tolist()
    known = dict(enumerate(report.mixture.labels_.tolist(), start=1))
    told = {one["row"]: one["cluster"] for one in report.to_dict()["labels"]}
    assert all((known[a] == known[b]) == (told[a] == told[b]) for a in known for b in known)
    assert report.to_dict()["probabilities"] == {
        str(number): pytest.approx(share) for number, share in report.mixture.cluster_counts_.items()
    }
    assert len(report.explanation.traces) == 2


@pytest.mark.slow
def test_the_same_seed_gives_the_same_page(report: ClusterReport, tmp_path: Path) -> None:
    again = ClusterReport(InfiniteWarpedMixture(n_chains=2, n_sweeps=24).fit(report.table.rows), report.table)
    one, other = report.save(tmp_path / "one.json"), again.save(tmp_path / "other.json")
    assert one.read_bytes() == other.read_bytes()


CLASSES = np.repeat([0, 1, 2], 12)
CHANCE = np.random.default_rng(0)
KNOWN = np.array([[0.0, 0.0], [6.0, 0.0], [0.0, 6.0]])[CLASSES] + CHANCE.normal(0.0, 0.4, (36, 2))
SOME = np.where(np.arange(36) % 12 < 2, CLASSES, -1)
CENTRES = [[0.0, 0.0], [6.0, 0.0], [0.0, 6.0]]


@pytest.fixture(scope="module")
def fitted() -> InfiniteGaussianMixture:
    return InfiniteGaussianMixture(n_chains=1, n_sweeps=60).fit(KNOWN, SOME)


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
    theirs = LabelSpreading().fit(KNOWN, SOME)
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
    mixture = model(n_chains=1, n_sweeps=8).fit(KNOWN, y)
    for labels in [*mixture.draws_.labels, mixture.labels_]:
        groups = [set(labels[y == each].tolist()) for each in (0, 1)]
        assert [len(group) for group in groups] == [1, 1]
        assert groups[0] != groups[1]


def test_names_have_no_number_for_a_gap() -> None:
    names = np.array(["north", "east", "west"], dtype=object)[CLASSES]
    names[SOME == -1] = None
    names[CLASSES == 2] = None
    mixture = InfiniteGaussianMixture(n_chains=1, n_sweeps=60).fit(KNOWN, names)
    assert mixture.predict_classes(CENTRES).tolist() == ["north", "east", None]


def test_without_classes_it_is_what_it_was(tmp_path: Any) -> None:
    settings: dict[str, Any] = {"n_chains": 1, "n_sweeps": 6}
    plain = InfiniteGaussianMixture(**settings).fit(KNOWN)
    other = InfiniteGaussianMixture(**settings).fit(KNOWN, np.full(36, -1), checkpoint=tmp_path / "chains")
    np.testing.assert_array_equal(plain.similarity_, other.similarity_)
    assert not hasattr(other, "transduction_")
    with pytest.raises(InputError, match="classes of some rows"):
        plain.predict_classes(CENTRES)
    with pytest.raises(CheckpointError, match="other data or settings"):
        InfiniteGaussianMixture(**settings).fit(KNOWN, SOME, checkpoint=tmp_path / "chains")


QUICK: dict[str, Any] = {"n_chains": 1, "n_sweeps": 10}
TRUTH = np.repeat([0, 1, 2], 15)
DRAWN = np.random.default_rng(0)
BLOBS = np.array([[0.0, 0.0], [6.0, 0.0], [0.0, 6.0]])[TRUTH] + DRAWN.normal(0.0, 0.4, (45, 2))


@pytest.fixture(scope="module")
def blobs() -> InfiniteGaussianMixture:
    return InfiniteGaussianMixture(n_chains=2, n_sweeps=200).fit(pd.DataFrame(BLOBS, columns=["a", "b"]))


def test_clusters_and_how_sure_they_are(blobs: InfiniteGaussianMixture) -> None:
    assert adjusted_rand_score(TRUTH, blobs.labels_) == 1.0
    assert blobs.n_clusters_ == 3
    assert sum(blobs.cluster_counts_.values()) == pytest.approx(1.0)
    assert max(blobs.cluster_counts_, key=lambda k: blobs.cluster_counts_[k]) == 3
    assert blobs.similarity_[0, 1] > 0.9 > 0.1 > blobs.similarity_[0, 44]
    assert blobs.similarity_.shape == (45, 45)
    assert set(blobs.r_hat_) == set(blobs.ess_) == {"groups", "log_density", "largest_share"}
    assert blobs.complete_
    assert [len(frame) for frame in blobs.chains_] == [200, 200]


def test_further_rows_belong_where_their_neighbours_do(blobs: InfiniteGaussianMixture) -> None:
    at = pd.DataFrame([[0.1, 0.0], [6.0, 0.2], [0.0, 5.9]], columns=["a", "b"])
    assert blobs.predict(at).tolist() == blobs.labels_[[0, 15, 30]].tolist()


@pytest.mark.slow
def test_the_density_is_in_the_units_of_the_data(blobs: InfiniteGaussianMixture) -> None:
    frame = pd.DataFrame(BLOBS, columns=["a", "b"])
    larger = InfiniteGaussianMixture(n_chains=2, n_sweeps=200).fit(10.0 * frame)
    np.testing.assert_allclose(larger.score_samples(10.0 * frame), blobs.score_samples(frame) - 2.0 * np.log(10.0))
    assert blobs.score(frame) == pytest.approx(blobs.score_samples(frame).mean())
    one = multivariate_normal(BLOBS.mean(axis=0), np.cov(BLOBS.T)).logpdf(BLOBS).mean()
    assert blobs.score(frame) > one + 0.5


def test_samples_look_like_the_data(blobs: InfiniteGaussianMixture) -> None:
    drawn = blobs.sample(3000)
    near = np.array([((drawn - centre) ** 2).sum(axis=1) < 4.0 for centre in ([0.0, 0.0], [6.0, 0.0], [0.0, 6.0])])
    assert near.mean(axis=1).min() > 0.2
    assert near.any(axis=0).mean() > 0.7  # the prior of the precisions has long tails
    np.testing.assert_array_equal(blobs.sample(5, random_state=1), blobs.sample(5, random_state=1))


@pytest.mark.long
def test_curved_clusters_are_clusters_and_no_ellipses() -> None:
    X, moon = make_moons(50, noise=0.03, random_state=0)
    warped = InfiniteWarpedMixture(n_chains=2, n_sweeps=400).fit(X)
    assert adjusted_rand_score(moon, warped.labels_) > 0.9
    straight = InfiniteGaussianMixture(n_chains=1, n_sweeps=400).fit(X)
    assert adjusted_rand_score(moon, straight.labels_) < 0.7
    new, _ = make_moons(60, noise=0.03, random_state=1)
    assert warped.score(new) > straight.score(new) + 0.2


@pytest.mark.parametrize("n_latent", [1, None, 7])
def test_there_are_as_many_coordinates_as_asked_for(n_latent: int | None) -> None:
    model = InfiniteWarpedMixture(n_latent, **QUICK).fit(BLOBS)
    assert model.latent_.shape == (45, 1 if n_latent == 1 else 2)
    assert np.isfinite(model.score_samples(BLOBS[:3])).all()


@pytest.mark.slow
def test_of_many_rows_a_few_tell_the_functions(monkeypatch: pytest.MonkeyPatch) -> None:
    few = InfiniteWarpedMixture(**QUICK, n_inducing=9).fit(BLOBS)
    monkeypatch.setattr(mixture, "MOST_EXACT", 30)
    monkeypatch.setattr(mixture, "USUAL_INDUCING", 9)
    usual = InfiniteWarpedMixture(**QUICK).fit(BLOBS)
    np.testing.assert_array_equal(results(few), results(usual))
    all_of_them = InfiniteWarpedMixture(**QUICK, n_inducing=45).fit(BLOBS)
    assert not np.array_equal(results(all_of_them), results(few))
    near = few.score_samples([[0.0, 0.0], [6.0, 0.0]])
    assert near.min() > few.score_samples([[20.0, 20.0]])[0]


def results(model: InfiniteWarpedMixture) -> NDArray[np.float64]:
    return np.column_stack([model.latent_, model.labels_, model.similarity_])


@pytest.mark.slow
def test_workers_do_not_matter() -> None:
    settings = {"n_chains": 2, "n_sweeps": 8}
    one, other = (InfiniteWarpedMixture(n_jobs=jobs, **settings).fit(BLOBS) for jobs in (1, 2))
    np.testing.assert_array_equal(results(one), results(other))
    np.testing.assert_array_equal(one.score_samples(BLOBS), other.score_samples(BLOBS))


def test_a_stopped_fit_goes_on_from_its_file(tmp_path: Path) -> None:
    place = tmp_path / "chains"
    whole = InfiniteWarpedMixture(**QUICK).fit(BLOBS)
    with pytest.warns(ConvergenceWarning, match="after 1 of 10 sweeps"):
        part = InfiniteWarpedMixture(**QUICK, time_budget=0.0).fit(BLOBS, checkpoint=place)
    assert not part.complete_
    told: list[tuple[int, int]] = []
    later = InfiniteWarpedMixture(**QUICK)
    later.fit(BLOBS, checkpoint=place, callback=lambda *now: told.append(now))
    assert told[-1] == (10, 10)
    np.testing.assert_array_equal(results(later), results(whole))
    with pytest.raises(CheckpointError, match="other data or settings"):
        InfiniteWarpedMixture(**QUICK).fit(BLOBS[1:], checkpoint=place)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"prior": ClusterPrior(concentration=0.0)}, "concentration above zero"),
        ({"prior": ClusterPrior(strength=-1.0)}, "strength above zero"),
        ({"prior": ClusterPrior(degrees_of_freedom=1.0)}, "degrees_of_freedom above 1"),
        ({"scaling": "none"}, "scaling="),
        ({"n_latent": 0}, "n_latent"),
        ({"n_sweeps": 1}, "n_sweeps"),
        ({"n_chains": 0}, "n_chains"),
    ],
)
def test_settings_that_cannot_be_used_are_said(settings: dict[str, Any], words: str) -> None:
    with pytest.raises(InputError, match=words):
        InfiniteWarpedMixture(**settings).fit(BLOBS)


def test_columns_of_one_unit_keep_their_proportions() -> None:
    rows = BLOBS * [1.0, 0.1]
    model = InfiniteGaussianMixture(**QUICK, scaling="common").fit(rows)
    assert model.scale_[0] == model.scale_[1] == pytest.approx(np.sqrt(rows.var(axis=0).mean()))


def test_columns_that_never_change_do_no_harm() -> None:
    model = InfiniteWarpedMixture(**QUICK).fit(np.column_stack([BLOBS, np.full(45, 7.0)]))
    assert np.isfinite(model.score_samples(np.column_stack([BLOBS[:2], [7.0, 7.0]]))).all()


def test_where_the_time_is_spent_early_the_later_half_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chains, "FIRST_ROUND", 5)
    with pytest.warns(ConvergenceWarning, match="after 5 of 400 sweeps"):
        early = InfiniteWarpedMixture(n_chains=2, n_sweeps=400, time_budget=0.0).fit(BLOBS)
    assert early.draws_.sweeps.tolist() == [4, 4]
    assert len(early.chains_[0]) == 5
