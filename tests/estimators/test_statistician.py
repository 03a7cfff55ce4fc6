"""The scikit-learn face: its contract, the ways in and out, and errors that help."""

import json
import pickle
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError

from autostatistician import AutomaticStatistician, TargetOptions
from autostatistician.data.dataset import from_arrays
from autostatistician.data.load import load
from autostatistician.decompose.records.series import Decomposition
from autostatistician.errors import InputError
from autostatistician.search.state import StepInfo

QUICK: dict[str, Any] = {"max_depth": 2, "n_restarts": 2, "n_jobs": 1, "language": "interpretable"}
# Where it matters how data come in and go out, a small search shows as much as a long one.
PLAIN = TargetOptions("none", outliers="keep")  # nothing is chosen before the search
READING: dict[str, Any] = {"language": "linear", "max_depth": 1, "n_restarts": 1, "target_options": PLAIN}
N = 36
DAYS = pd.date_range("2020-01-01", periods=N, freq="MS")
RNG = np.random.default_rng(0)
Y = 100.0 + 2.0 * np.arange(N) + 5.0 * np.sin(np.arange(N) * np.pi / 6.0) + 0.5 * RNG.normal(size=N)
SERIES = pd.Series(Y, index=DAYS, name="sales")
FRAME = pd.DataFrame({"month": DAYS, "sales": Y})
PLANE = pd.DataFrame({"age": RNG.uniform(0.0, 10.0, N), "mass": RNG.uniform(0.0, 10.0, N)})
PLANE_Y = 2.0 * PLANE["mass"].to_numpy() + 0.1 * RNG.normal(size=N)


def _quick(**settings: Any) -> AutomaticStatistician:
    return AutomaticStatistician(**{"average": False, **QUICK, **settings})  # test_average.py has the rest


@pytest.fixture(scope="module")
def model() -> AutomaticStatistician:
    """A trend, a season and noise over months."""
    return _quick().fit(SERIES)


@pytest.fixture(scope="module")
def plain() -> AutomaticStatistician:
    """The same over plain numbers."""
    return _quick(**READING).fit(np.arange(float(N))[:, None], Y)


@pytest.fixture(scope="module")
def plane() -> AutomaticStatistician:
    """A model of two inputs."""
    return _quick(max_depth=1).fit(PLANE, PLANE_Y)


def test_a_second_fit_forgets_the_first() -> None:
    found = _quick(max_depth=0).fit(PLANE, PLANE_Y)
    found.fit(FRAME, "sales")
    assert not hasattr(found, "feature_names_in_")
    assert found.n_features_in_ == 1
    assert found.predict(FRAME[["month"]]).shape == (N,)


def test_a_column_of_dates_that_is_no_time_may_stay_in_the_frame() -> None:
    born = pd.Timestamp("1970-01-01") + pd.to_timedelta(np.arange(N) % 7 * 1000, unit="D")
    frame = PLANE.assign(born=born)
    found = _quick(**READING).fit(frame, PLANE_Y)
    assert (found.dataset_.columns, found.n_features_in_) == (("age", "mass"), 3)
    assert found.predict(frame).shape == (N,)


@pytest.mark.parametrize(
    ("X", "y"),
    [
        (PLANE, pd.Series(list("ab") * (N // 2))),
        (PLANE.to_numpy(), list("ab") * (N // 2)),
        (PLANE.assign(kind=list("ab") * (N // 2)), "kind"),
    ],
)
def test_a_target_of_words_is_one_of_classes(X: Any, y: Any) -> None:
    with pytest.raises(InputError, match="text such as 'a'; make numbers of it, or use a classifier"):
        _quick().fit(X, y)


# Saved and loaded


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["model", "plain", "plane"])
def test_a_loaded_model_is_the_same(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    saved: AutomaticStatistician = request.getfixturevalue(kind)
    saved.save(tmp_path / "m.json")
    loaded = AutomaticStatistician.load(tmp_path / "m.json")
    at: Any = {"model": DAYS, "plain": np.linspace(0.0, 50.0, 7)[:, None], "plane": PLANE}[kind]
    for back in ("return_std", "return_cov"):
        for one, other in zip(loaded.predict(at, **{back: True}), saved.predict(at, **{back: True}), strict=True):
            np.testing.assert_array_equal(one, other)
    assert loaded.kernel_ == saved.kernel_
    assert loaded.get_params() == saved.get_params()
    pd.testing.assert_frame_equal(loaded.search_.trace, saved.search_.trace)
    loaded.save(tmp_path / "again.json")
    assert (tmp_path / "again.json").read_bytes() == (tmp_path / "m.json").read_bytes()


def test_it_can_be_pickled_after_a_forecast(model: AutomaticStatistician) -> None:
    forecast, described = model.forecast(3), model.describe()
    again = pickle.loads(pickle.dumps(model))
    pd.testing.assert_frame_equal(again.forecast(3), forecast)
    assert again.describe() == described


@pytest.mark.parametrize(
    "content",
    [
        b"", b"{", b"\xff\xfe\x00", b"[]", b"null", b'{"format": 1}', b'{"format": 1, "search": NaN}',
        b"[" * 100_000, b'{"a":' * 100_000, pickle.dumps({"format": 1}), b"__import__('os').abort()",
    ],
    ids=range(11),
)  # fmt: skip
def test_files_that_hold_no_model_are_refused_in_one_line(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "m.json"
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        AutomaticStatistician.load(path)
    assert "\n" not in str(caught.value)


def test_a_pickle_is_not_run(tmp_path: Path) -> None:
    class Trap:
        """Would run on unpickling."""

        def __reduce__(self) -> tuple[Any, ...]:
            return (Path.touch, (tmp_path / "sprung",))

    (tmp_path / "m.json").write_bytes(pickle.dumps(Trap()))
    with pytest.raises(InputError):
        AutomaticStatistician.load(tmp_path / "m.json")
    assert not (tmp_path / "sprung").exists()


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ({"lengthscale": 0.0}, "does not fit its data"),
        ({"sd": 1e200}, "numbers that no computation can use"),
        ({"sd": -1.0}, "fault"),
    ],
)
def test_models_that_cannot_be_worked_with_are_refused(values: dict[str, float], found: str, tmp_path: Path) -> None:
    saved = _quick(**READING | {"language": "se"}).fit(SERIES)
    assert "SE" in str(saved.kernel_)
    saved.save(tmp_path / "m.json")
    record = json.loads((tmp_path / "m.json").read_text())
    smooth = next(one for one in record["search"]["frontier"][0]["kernel"]["operands"] if one["kernel"] == "SE")
    smooth["values"].update(values)
    (tmp_path / "m.json").write_text(json.dumps(record))
    with pytest.raises(InputError, match=found):
        AutomaticStatistician.load(tmp_path / "m.json")


def test_a_missing_file_and_a_missing_folder(model: AutomaticStatistician, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        AutomaticStatistician.load(tmp_path / "none.json")
    with pytest.raises(InputError, match="choose another place"):
        model.save(tmp_path / "none" / "m.json")


# Predictions


def test_the_model_is_what_made_the_data(model: AutomaticStatistician) -> None:
    assert {"Per", "Lin", "WN"} <= set(str(model.kernel_).replace("+", " ").replace("*", " ").split())
    assert model.predict(DAYS) == pytest.approx(Y, abs=3.0)


def test_observations_have_the_noise_and_the_signal_has_not(model: AutomaticStatistician) -> None:
    mean, sd = model.predict(DAYS, return_std=True)
    same, inner = model.predict_signal(DAYS, return_std=True)
    np.testing.assert_array_equal(mean, same)
    noise = model.kernel_.parts[-1].named()["sd"]
    np.testing.assert_allclose(sd**2 - inner**2, noise**2, rtol=1e-6)
    np.testing.assert_array_equal(model.predict(DAYS), mean)


def test_covariances_have_the_standard_deviations_on_their_diagonal(model: AutomaticStatistician) -> None:
    for predict in (model.predict, model.predict_signal):
        mean, sd = predict(DAYS[:5], return_std=True)
        other, cov = predict(DAYS[:5], return_cov=True)
        np.testing.assert_allclose(other, mean)
        np.testing.assert_allclose(np.sqrt(np.diagonal(cov)), sd, rtol=1e-5)
        assert cov.shape == (5, 5)


def _shown(model: AutomaticStatistician) -> list[np.ndarray]:
    """The range of the next values as every face shows it: the forecast, the report, quantiles, moments."""
    ahead, told = model.forecast(4), model.explanation(4)
    assert isinstance(told, Decomposition)
    report = np.transpose([told.forecast.lower, told.forecast.upper])
    np.testing.assert_array_equal(ahead[["lower", "upper"]], report)
    np.testing.assert_array_equal(model.predict_quantiles(ahead["time"], levels=(0.025, 0.975)), report)
    mean, sd = model.predict(ahead["time"], return_std=True)
    np.testing.assert_allclose([ahead["mean"], ahead["std"]], [mean, sd])
    joint, cov = model.predict(ahead["time"], return_cov=True)
    np.testing.assert_allclose([joint, np.sqrt(cov.diagonal())], [mean, sd])
    return [report, mean, sd, np.array([told.observation.lower, told.observation.upper])]


@pytest.mark.slow
def test_settings_changed_after_a_report_change_all_that_shows_a_prediction(model: AutomaticStatistician) -> None:
    """It failed: after a report, another `average` changed the forecast but not the report."""
    used = clone(model)._set_model(replace(model.model_))
    before = _shown(used)
    for change in (
        {"average": True},
        {"target_options": TargetOptions(limits=(100.0, 165.0))},
    ):
        shown = _shown(used.set_params(**change))
        assert np.abs(shown[0] - before[0]).max() > 1e-9
        anew = clone(used)._set_model(replace(model.model_))  # knows nothing of the settings before
        np.testing.assert_array_equal(shown[0], anew.forecast(4)[["lower", "upper"]])
        before = shown
    assert before[3].max() == 165.0
    back = _shown(used.set_params(**model.get_params()))
    for values, first in zip(back, _shown(clone(model)._set_model(replace(model.model_))), strict=True):
        np.testing.assert_array_equal(values, first)


WAYS: dict[str, Callable[[AutomaticStatistician], AutomaticStatistician]] = {
    "series": lambda model: model.fit(SERIES),
    "frame and name": lambda model: model.fit(FRAME, "sales"),
    "frame alone": lambda model: model.fit(FRAME),
    "frame and values": lambda model: model.fit(FRAME[["month"]], Y),
    "index and values": lambda model: model.fit(DAYS, Y),
    "array and values": lambda model: model.fit(DAYS.to_numpy(), Y),
    "texts and values": lambda model: model.fit([str(day.date()) for day in DAYS], Y),
    "polars": lambda model: model.fit(pl.DataFrame({"month": DAYS.to_numpy(), "sales": Y}), "sales"),
    "polars series": lambda model: model.fit(pl.DataFrame({"month": DAYS.to_numpy()}), pl.Series("sales", Y)),
    "data set": lambda model: model.fit(load(SERIES)),
    "unsorted": lambda model: model.fit(FRAME.sample(frac=1.0, random_state=0), "sales"),
}


@pytest.fixture(scope="module")
def line() -> AutomaticStatistician:
    """A small model of the series."""
    return _quick(**READING).fit(SERIES)


@pytest.fixture(scope="module")
def of_file(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, AutomaticStatistician]:
    """The path of a file with the series, and the model of it."""
    path = str(tmp_path_factory.mktemp("files") / "sales.csv")
    FRAME.to_csv(path, index=False)
    return path, _quick(**READING).fit(path)


@pytest.mark.parametrize("way", sorted(WAYS))
def test_every_way_in_leads_to_the_same_model(way: str, line: AutomaticStatistician) -> None:
    found = WAYS[way](_quick(**READING))
    assert found.kernel_ == line.kernel_
    np.testing.assert_array_equal(found.predict(DAYS[:3]), line.predict(DAYS[:3]))


@pytest.mark.slow
def test_a_file_is_a_way_in_too(line: AutomaticStatistician, of_file: tuple[str, AutomaticStatistician]) -> None:
    assert of_file[1].kernel_ == line.kernel_
    assert of_file[1].dataset_.name == "sales"


# Forecasts


def test_forecasts_over_a_calendar(model: AutomaticStatistician) -> None:
    found = model.forecast(14)
    assert list(found.columns) == ["time", "mean", "std", "lower", "median", "upper"]
    assert found["time"].tolist() == pd.date_range("2023-01-01", periods=14, freq="MS").tolist()
    np.testing.assert_allclose((found["upper"] - found["lower"]) / found["std"], 2 * 1.959964, rtol=1e-5)
    np.testing.assert_allclose(found["mean"], model.predict(found["time"]))
    ahead = np.arange(N, N + 14)
    assert found["mean"].to_numpy() == pytest.approx(100 + 2 * ahead + 5 * np.sin(ahead * np.pi / 6), abs=5.0)
    assert len(model.forecast()) == 12  # a whole turn of the cycle


def test_forecasts_over_numbers(plain: AutomaticStatistician) -> None:
    found = plain.forecast(3)
    assert found["time"].tolist() == [36.0, 37.0, 38.0]
    np.testing.assert_allclose(found["mean"], plain.predict([[36.0], [37.0], [38.0]]))


@pytest.mark.slow
def test_one_column_of_arrays_is_a_series() -> None:
    arrays = from_arrays(np.arange(float(N))[::-1], Y[::-1], target="sales")
    ahead = _quick(**READING).fit(arrays).forecast(3)
    assert ahead["time"].tolist() == [N, N + 1.0, N + 2.0]


def test_several_inputs_have_no_future(plane: AutomaticStatistician) -> None:
    assert str(plane.kernel_) == "Lin[mass] + WN"
    with pytest.raises(InputError, match="use predict"):
        plane.forecast(3)


# Parts and words


@pytest.mark.slow
def test_parts_sum_to_the_signal(model: AutomaticStatistician) -> None:
    for at in (None, DAYS[::5], np.array(["2025-06"], dtype="M8[M]")):
        parts = model.decompose(at)
        signal = sum(part.mean for part in parts if "WN" not in part.expression)
        expected = model.predict_signal(DAYS if at is None else at)
        np.testing.assert_allclose(signal + model.dataset_.offset, expected, atol=1e-6)
        assert all(part.mean.shape == part.std.shape == expected.shape for part in parts)
    assert sum(part.mean for part in model.decompose()) == pytest.approx(Y, abs=1e-6)


def test_parts_far_from_zero_leave_the_offset_out() -> None:
    found = _quick(max_depth=1).fit(np.arange(30.0)[:, None], 1e9 + RNG.normal(size=30))
    assert found.dataset_.offset != 0.0
    assert found.predict([[3.0]])[0] == pytest.approx(1e9, abs=10.0)
    assert np.abs(sum(part.mean for part in found.decompose())).max() < 10.0


def test_every_part_has_a_sentence(model: AutomaticStatistician) -> None:
    parts = model.decompose()
    assert model.describe() == [part.sentence for part in parts]
    assert all(sentence.endswith(".") and len(sentence) > 10 for sentence in model.describe())
    assert 0.0 < max(part.share for part in parts) < 150.0


def test_pure_noise_is_called_so() -> None:
    found = _quick(max_depth=1).fit(np.arange(30.0)[:, None], np.random.default_rng(100).normal(size=30))
    assert str(found.kernel_) == "WN"
    assert found.describe()[0].startswith("No trend and no pattern was found")
    assert len(found.decompose()) == 1


@pytest.mark.slow
@pytest.mark.parametrize(("suffix", "holds"), [(".html", "</html>"), (".md", "# "), (".json", '"sections"')])
def test_reports(model: AutomaticStatistician, suffix: str, holds: str, tmp_path: Path) -> None:
    path = model.report(tmp_path / f"report{suffix}")
    assert path == tmp_path / f"report{suffix}"
    assert holds in path.read_text(encoding="utf-8")
    again = model.report(tmp_path / f"again{suffix}")
    assert again.read_bytes() == path.read_bytes()


@pytest.mark.parametrize("suffix", [".docx", ".txt", ""])
def test_reports_that_cannot_be_written_are_refused_at_once(
    model: AutomaticStatistician, suffix: str, tmp_path: Path
) -> None:
    with pytest.raises(InputError, match=r"\.html"):
        model.report(tmp_path / f"report{suffix}")
    assert list(tmp_path.iterdir()) == []


def test_the_result_is_json(model: AutomaticStatistician) -> None:
    found = json.loads(json.dumps(model.to_dict(), allow_nan=False))
    assert found["expression"] == str(model.kernel_)
    assert found["nll"] == pytest.approx(model.model_.search.best.nll)
    assert [one["sentence"] for one in found["components"]] == model.describe()


def test_a_frame_with_its_target_in_it_is_a_table_and_its_other_columns_predict() -> None:
    """It failed: the target was kept among the names of the inputs."""
    frame = PLANE.assign(price=PLANE_Y)
    for target in (None, "price"):
        found = _quick(language="linear", max_depth=1).fit(frame, target)
        assert found.feature_names_in_.tolist() == ["age", "mass"]
        assert np.abs(found.predict(PLANE) - PLANE_Y).max() < 1.0


def test_the_search_as_frames(model: AutomaticStatistician) -> None:
    found = model.search_
    assert found.frontier["expression"][0] == str(model.kernel_)
    assert found.frontier["score"].is_monotonic_increasing
    assert {"expression", "nll", "bic", "seconds"} <= set(found.trace.columns)
    assert repr(found) == f"Search({len(found.frontier)} models, {model.model_.search.evaluations} evaluations)"


# Progress and errors


@pytest.mark.slow
def test_the_callback_hears_of_every_level() -> None:
    told: list[StepInfo] = []
    found = _quick(**READING).fit(SERIES, callback=told.append)
    assert [step.level for step in told] == found.search_.trace["level"].tolist()
    assert not found.interrupted_


def test_an_interruption_keeps_the_best_so_far() -> None:
    def interrupt(step: StepInfo) -> None:
        if step.level == 1:
            raise KeyboardInterrupt

    found = _quick().fit(SERIES, callback=interrupt)
    assert found.interrupted_
    assert np.isfinite(found.predict(DAYS)).all()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"language": ["full"]}, "a language among"),
        ({"n_restarts": 0}, "n_restarts as a whole number from 1"),
        ({"time_budget": 0}, "time_budget as seconds above 0"),
        ({"random_state": "x"}, "random_state as a whole number"),
        ({"random_state": -1}, "seed as a whole number"),
    ],
)
def test_settings_that_cannot_be_used(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message) as caught:
        _quick(**settings).fit(SERIES)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("state", [None, np.random.RandomState(3), np.int64(3)])
def test_random_states_of_scikit_learn(state: Any) -> None:
    assert str(_quick(max_depth=0, random_state=state).fit(SERIES).kernel_) == "WN"


def test_questions_that_cannot_be_answered(model: AutomaticStatistician) -> None:
    with pytest.raises(InputError, match="return_std or return_cov"):
        model.predict(DAYS, return_std=True, return_cov=True)
    with pytest.raises(InputError, match="dates for the axis"):
        model.predict([[1.0], [2.0]])
    with pytest.raises(InputError, match="'soon' in row 2"):
        model.predict(["2023-01-01", "soon"])
    with pytest.raises(InputError, match="column 'sale'"):
        _quick().fit(FRAME, "sale")


@pytest.mark.parametrize(
    "ask",
    [
        lambda model: model.predict(DAYS),
        lambda model: model.forecast(3),
        lambda model: model.decompose(),
        lambda model: model.describe(),
        lambda model: model.kernel_,
        lambda model: model.search_,
        lambda model: model.save("never.json"),
        lambda model: model.report("never.html"),
    ],
)
def test_before_the_fit_there_is_nothing_to_ask(ask: Callable[[AutomaticStatistician], Any]) -> None:
    with pytest.raises(NotFittedError):
        ask(_quick())


@pytest.mark.slow
def test_results_do_not_depend_on_the_process(of_file: tuple[str, AutomaticStatistician]) -> None:
    script = (
        "import sys; from autostatistician import AutomaticStatistician as A, TargetOptions;"
        "P = TargetOptions('none', outliers='keep');"
        "m = A('linear', max_depth=1, n_restarts=1, n_jobs=1, average=False, target_options=P).fit(sys.argv[1]);"
        "print(repr(m.kernel_.values))"
    )
    run = subprocess.run([sys.executable, "-c", script, of_file[0]], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == repr(of_file[1].kernel_.values)


def test_no_prediction_of_a_logarithm_is_less_sure_than_all_the_data() -> None:
    """Far beyond the data a fast growing spread would make the mean of a lognormal distribution infinite."""
    x = np.arange(40.0)
    y = np.exp(0.05 * x + 0.1 * np.random.default_rng(0).normal(size=40))
    model = _quick(target_options=TargetOptions(transform="log"), language="linear", average=True).fit(x[:, None], y)
    far = np.array([[1e3], [1e6]])
    spread = 0.5 * np.ptp(np.log(y))
    assert np.all(model.predictive(far).sds <= spread * (1.0 + 1e-12))
    _, cov = model.predict(np.array([[60.0], [70.0]]), return_cov=True)
    near, sd = model.predict(np.array([[60.0], [70.0]]), return_std=True)
    assert np.isfinite(near).all()
    assert np.sqrt(cov.diagonal()) == pytest.approx(sd)


def test_empty_numbers_of_a_table_keep_their_rows() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    y = X @ [2.0, -1.0] + rng.normal(0.0, 0.1, 40)
    X[rng.random(X.shape) < 0.1] = np.nan
    model = AutomaticStatistician(n_jobs=1, max_depth=1, language="linear").fit(X, y)
    assert np.isfinite(model.predict(X)).all()
    X[2, 0] = np.inf
    with pytest.raises(InputError, match="found infinity in row 3"):
        AutomaticStatistician(n_jobs=1).fit(X, y)
