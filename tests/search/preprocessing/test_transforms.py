"""The choice between data and their logarithm."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from autostatistician import TargetOptions
from autostatistician.data.dataset import Dataset
from autostatistician.data.times.axes import Axis
from autostatistician.data.transform import Transform, modelled, transform_of
from autostatistician.errors import InputError
from autostatistician.estimators.statistician import AutomaticStatistician
from autostatistician.fitted.fitting import fit_model
from autostatistician.fitted.predictions import Predictor
from autostatistician.fitted.storage import from_json, to_json
from autostatistician.kernels.grammar import LANGUAGES
from autostatistician.search.constants import MARGIN_FOR_LOGARITHM
from autostatistician.search.preprocessing.transforms import Choice, _likely, chosen_transform
from autostatistician.search.run import Settings, search

AUTO, EXTENDED = Settings(criterion="bic"), LANGUAGES["extended"]
X = np.arange(80.0)
RNG = np.random.default_rng(3)
T = 0.03 * X + 0.3 * np.sin(2.0 * np.pi * X / 8.0) + 0.1 * RNG.standard_normal(80)
QUICK = Settings(max_depth=1, restarts=2, n_jobs=1)


BY_EVIDENCE = Settings(criterion="evidence", n_jobs=1), EXTENDED.with_priors


def _data(y: np.ndarray, target: str = "y") -> Dataset:
    return Dataset(np.arange(float(len(y)))[:, None], y, ("x",), target, Axis("x", "", "", 1.0))


def _statistician() -> AutomaticStatistician:
    options = TargetOptions(transform="log")
    return AutomaticStatistician(language="se", max_depth=1, n_restarts=2, n_jobs=1, target_options=options)


@pytest.fixture(scope="module")
def grown() -> Choice:
    """The choice for a series that grows by percentages."""
    return chosen_transform(_data(50.0 * np.exp(T)), AUTO, EXTENDED)


@pytest.fixture(scope="module")
def sure() -> Choice:
    """The same by evidence."""
    return chosen_transform(_data(50.0 * np.exp(T)), *BY_EVIDENCE)


@pytest.mark.slow
def test_growth_by_percentages_is_told_from_growth_by_amounts(grown: Choice) -> None:
    assert grown.transform.is_log
    assert grown.gain is not None
    assert grown.gain > MARGIN_FOR_LOGARITHM
    assert chosen_transform(_data(50.0 + 10.0 * T), AUTO, EXTENDED).transform == Transform()


@pytest.mark.slow
@pytest.mark.parametrize("scale", [1e-6, 1e6])
def test_the_unit_of_the_data_does_not_matter(scale: float, grown: Choice) -> None:
    assert chosen_transform(_data(scale * np.exp(T)), AUTO, EXTENDED).gain == pytest.approx(grown.gain, abs=0.5)


@pytest.mark.parametrize(
    ("criterion", "plain", "logged", "is_log"),
    [("bic", 120.1, 100.0, True), ("bic", 119.9, 100.0, False),
     ("evidence", -50.1, -50.0, True), ("evidence", -50.0, -50.1, False)],
)  # fmt: skip
def test_how_clearly_a_logarithm_must_win(
    monkeypatch: pytest.MonkeyPatch, criterion: str, plain: float, logged: float, is_log: bool
) -> None:
    by_evidence = criterion == "evidence"
    unit = 1.0 if by_evidence else -0.5  # a criterion as a log probability
    both = [(unit * plain, ()), (unit * logged, ())]
    made = "_likely_on_both" if by_evidence else "each"
    monkeypatch.setattr(f"autostatistician.search.preprocessing.transforms.{made}", lambda *given: both)
    settings = replace(AUTO, criterion=criterion)
    assert chosen_transform(_data(np.exp(T)), settings, EXTENDED).transform.is_log is is_log


def test_no_logarithm_where_it_is_not_allowed_or_there_is_none() -> None:
    assert chosen_transform(_data(np.exp(T)), AUTO, LANGUAGES["full"]).transform == Transform()
    touching = np.exp(T)
    touching[5] = 0.0
    assert chosen_transform(_data(touching), AUTO, EXTENDED).transform == Transform()
    with pytest.raises(InputError, match="data above zero"):
        chosen_transform(_data(touching), replace(AUTO, transform="log"), EXTENDED)


def test_languages_of_the_paper_know_no_logarithm() -> None:
    assert LANGUAGES["full"].transforms == ("none",)
    assert LANGUAGES["extended"].transforms == ("none", "log")


@pytest.mark.slow
def test_likelihoods_are_those_of_the_data() -> None:
    data, told = _data(50.0 * np.exp(T)), []
    model = fit_model(data, "se", replace(QUICK, transform="log"), told.append)
    best = _statistician().fit(data)
    density = best.model_.posterior.log_evidence + model.transform.log_jacobian(data.y)
    assert model.search.best.nll == pytest.approx(-density, rel=1e-6)
    assert told[-1].nll == pytest.approx(model.search.best.nll)
    # the geometric mean counts as a number
    assert best.search_.frontier.bic[0] == pytest.approx(model.search.best.score)
    assert model.search.trace[-1].bic == pytest.approx(model.search.best.score)
    assert best.explanation(0).fitted.bic == pytest.approx(model.search.best.score)


@pytest.mark.slow
def test_a_saved_model_keeps_its_scale() -> None:
    model = fit_model(_data(50.0 * np.exp(T)), "se", replace(QUICK, transform="log"))
    assert from_json(to_json(model)).choice == model.choice


@pytest.mark.slow
def test_predictions_of_a_logarithm_are_lognormal() -> None:
    model = _statistician()
    ahead = model.fit(_data(50.0 * np.exp(T))).forecast(5)
    assert (ahead["upper"] - ahead["mean"] > ahead["mean"] - ahead["lower"]).all()
    new = np.arange(80.0, 85.0)[:, None]
    places = replace(model.dataset_, X=new, y=np.zeros(5))
    assert model.predict(places) == pytest.approx(ahead["mean"].to_numpy())
    assert model.predict_quantiles(places, levels=(0.025, 0.975)) == pytest.approx(ahead[["lower", "upper"]].to_numpy())
    mean, cov = model.predict(places, return_cov=True)
    assert np.sqrt(np.diag(cov)) == pytest.approx(ahead["std"].to_numpy())
    assert np.isfinite(model.log_density(places, mean)).all()


@pytest.mark.slow
def test_the_choice_is_the_same_every_time(grown: Choice) -> None:
    assert chosen_transform(_data(50.0 * np.exp(T)), AUTO, EXTENDED) == grown


@pytest.mark.slow
@pytest.mark.parametrize("slope", [0.0, 0.2])
def test_where_both_scales_are_the_same_neither_is_more_probable(slope: float) -> None:
    values = 1000.0 + slope * X + np.random.default_rng(0).standard_normal(80)  # a logarithm of these is a line
    priors = EXTENDED.with_priors
    raw, logs = (_likely(_data(values), priors, transform_of(name, values))[0] for name in ("none", "log"))
    assert logs - raw == pytest.approx(0.0, abs=0.1)  # it was 5 in favour of the logarithm


@pytest.mark.slow
def test_the_likely_sums_of_both_scales_come_with_a_choice_of_all_rows(sure: Choice) -> None:
    settings, language = BY_EVIDENCE
    on_this, on_other = sure.sums
    assert sure.transform.is_log
    level = str(on_this[0]).split(" + ").index("C")
    assert all(np.isnan(on_this[0].parts[level].values))  # its zero is another one in a search
    assert on_other
    assert not any(np.isnan(kernel.values).any() for kernel in on_other)
    logged, one_level = modelled(_data(50.0 * np.exp(T)), sure.transform), replace(settings, max_depth=1)
    whole = search(logged, language, one_level)
    shorter = search(logged, language, one_level, likely_sums=on_this)
    assert shorter.evaluations < 0.6 * whole.evaluations
    assert shorter.best.kernel.expr == whole.best.kernel.expr
    assert shorter.best.nll < whole.best.nll + 0.1  # scores have the error of an integral by few draws


@pytest.mark.slow
def test_a_choice_by_a_part_of_the_rows_knows_no_sums() -> None:
    choice = chosen_transform(_data(np.tile(np.exp(T), 4)), *BY_EVIDENCE)
    assert choice.gain is not None
    assert choice.sums == ((), ())


@pytest.mark.parametrize(("start", "slope", "noise", "n", "seed"), [(500, 40, 15, 8, 106), (100, 5, 3, 10, 1)])
def test_a_few_rows_of_a_line_do_not_make_either_scale_sure(
    start: float, slope: float, noise: float, n: int, seed: int
) -> None:
    values = start + slope * np.arange(n) + np.random.default_rng(seed).normal(0.0, noise, n)
    choice = chosen_transform(_data(values), *BY_EVIDENCE)
    assert choice.probability is not None
    assert 0.5 <= choice.probability < 0.65


@pytest.mark.slow
def test_growth_by_percentages_is_sure_by_evidence(sure: Choice) -> None:
    assert sure.transform.is_log
    assert sure.probability is not None
    assert sure.probability > 0.99
    assert Choice(Transform()).probability is None


_shares = partial(_data, target="punctual %")
NEAR_ALL = 100.0 / (1.0 + np.exp(-3.0 - 4.0 * T))


@pytest.mark.slow
def test_percentages_that_near_an_end_are_modelled_by_their_odds() -> None:
    choice = chosen_transform(_shares(NEAR_ALL), *BY_EVIDENCE)
    assert (choice.transform.name, choice.transform.top) == ("logit", 100.0)
    assert choice.gain is not None
    assert choice.gain > 10.0
    assert chosen_transform(_data(NEAR_ALL, "height"), *BY_EVIDENCE).transform.name != "logit"
    middle = np.clip(50.0 + 3.0 * T, 1.0, 99.0)
    assert abs(chosen_transform(_shares(middle), *BY_EVIDENCE).gain or 0.0) < 20.0
    with_all = np.append(NEAR_ALL[:-1], 100.0)
    assert chosen_transform(_shares(with_all), *BY_EVIDENCE).transform.name != "logit"


@pytest.mark.slow
def test_the_odds_of_percentages_are_kept_told_and_stay_within() -> None:
    asked = replace(QUICK, transform="logit")
    model = fit_model(_shares(np.append(NEAR_ALL[:-1], 100.0)), "extended", asked)
    assert any("exactly 0 or 100" in warning for warning in model.dataset.warnings)
    again = from_json(to_json(model))
    assert to_json(again) == to_json(model)
    ahead = Predictor(model).ahead(5)[1]
    low, high = ahead.quantiles([0.001, 0.999]).T
    assert (low > 0.0).all()
    assert (high < 100.0).all()
    assert (np.abs(ahead.mean - 95.0) < 6.0).all()
