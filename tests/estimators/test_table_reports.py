"""Pages of models of tables: what each column does, and the kernel and settings; of every such estimator."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import is_classifier
from sklearn.exceptions import NotFittedError
from tests.estimators.test_snapshots import CLASSES, QUICK, X, Y

import autostatistician
from autostatistician import GPClassifier, GPRegressor, MultiOutputGPRegressor


@pytest.fixture(scope="module")
def model() -> GPRegressor:
    """Numbers and a column of categories that matters as much."""
    rng = np.random.default_rng(1)
    table = pd.DataFrame({"age": rng.uniform(0.0, 6.0, 60), "kind": ["a", "b"] * 30, "mass": rng.normal(size=60)})
    y = np.sin(table["age"]) + 1.4 * (table["kind"] == "a") + 0.05 * rng.normal(size=60)
    return GPRegressor("SE[age] + Cat[kind] + C + WN", n_restarts=2).fit(table, y)


def test_effects_are_those_of_the_function(model: GPRegressor) -> None:
    report = model.report()
    effects = {effect.column: effect for effect in report.effects}
    assert effects["mass"].share == pytest.approx(0.0, abs=1e-9)
    assert effects["age"].share + effects["kind"].share == pytest.approx(1.0, abs=0.15)
    first, second = effects["kind"].curves["y"]
    assert first - second == pytest.approx(1.4, abs=0.1)
    wave, expected = effects["age"].curves["y"], np.sin(effects["age"].places)
    assert wave - wave.mean() == pytest.approx(expected - expected.mean(), abs=0.2)


def test_the_page_has_pictures_words_and_numbers(model: GPRegressor, tmp_path: Path) -> None:
    assert model.report(tmp_path / "page.md") == tmp_path / "page.md"
    text = (tmp_path / "page.md").read_text(encoding="utf-8")
    assert "Automatic report on GPRegressor" in text
    assert "60 rows of 3 columns" in text
    assert "'mass' alone gives 0% of the variance of the predictions." in text
    assert "fitted kernel | SE" in text
    german = model.report(lang="de")
    assert "'mass' allein macht 0 % der Varianz der Vorhersagen aus." in " ".join(german.sentences())
    assert german.document.picture is not None
    assert [panel.title for panel in german.document.picture.panels][-1] == "mass"
    assert model.report().to_dict()["kernel"].startswith("SE[age](lengthscale=")
    with pytest.raises(NotFittedError):
        GPRegressor().report()


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore::autostatistician.gp.classes.approximations.SeparableWarning")
@pytest.mark.parametrize("name", QUICK)
def test_every_model_of_a_table_has_one(name: str, tmp_path: Path) -> None:
    made: Any = getattr(autostatistician, name)(**QUICK[name])
    made.fit(X, CLASSES if is_classifier(made) else Y)
    for suffix in ("html", "json"):
        assert made.report(tmp_path / f"page.{suffix}").stat().st_size > 1000
    assert made.report().effects[0].column == "age"


@pytest.mark.filterwarnings("ignore::autostatistician.gp.classes.approximations.SeparableWarning")
def test_outputs_and_classes_have_curves_of_their_own() -> None:
    outputs = MultiOutputGPRegressor(n_restarts=1).fit(X, pd.DataFrame({"up": Y, "down": -Y})).report()
    assert list(outputs.effects[0].curves) == ["up", "down"]
    thirds = np.array(["low", "mid", "top"])[np.digitize(Y + np.cos(40.0 * X["mass"]), [-0.4, 0.4])]
    classes = GPClassifier("SE + C", inference="laplace").fit(X.to_numpy(), thirds).report()
    assert list(classes.effects[0].curves) == ["low", "mid", "top"]
    two = GPClassifier("SE + C", inference="laplace").fit(X, CLASSES).report()
    assert list(two.effects[0].curves) == ["low"]
