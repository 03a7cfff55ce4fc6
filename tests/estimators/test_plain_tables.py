"""What estimators of plain tables share: rows in standard units, refusals, fits in one thread.

Pages of models of tables: what each column does, and the kernel and settings; of every such estimator.
"""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import NotFittedError
from tests.estimators.test_snapshots import CLASSES, QUICK, X, Y, fitted
from threadpoolctl import threadpool_info

from autostatistician import GPClassifier, GPRegressor, MultiOutputGPRegressor
from autostatistician.data.inputs import InputColumns
from autostatistician.errors import InputError
from autostatistician.estimators.plain_tables import TableEstimator, fitting, on_columns
from autostatistician.gp.covariance import NotPositiveDefinite
from autostatistician.gp.engines.exact import MOST_ROWS

PLANE = InputColumns(("size", "age"), {})
MIXED = InputColumns(("size", "colour"), {"colour": ("blue", "green", "red")})
LINE = InputColumns(("x",), {})


@pytest.mark.parametrize(
    ("text", "inputs", "rank", "written"),
    [
        ("SE + WN", LINE, None, "SE[x] + WN"),
        ("SE + WN", PLANE, None, "SE[age] * SE[size] + WN"),
        ("Lin + WN", PLANE, None, "Lin[age] + Lin[size] + WN"),
        ("SE", MIXED, None, "SE[size] * Cat[colour]"),
        ("SE * WN", MIXED, 2, "SE[size] * WN * Cat3r2[colour]"),
        ("SE[size] + Cat[colour]", MIXED, 5, "Cat3r3[colour] + SE[size]"),
        ("CP[size](C, Lin)", MIXED, None, "CP[size](C, Lin[size])"),
        ("C + WN", MIXED, None, "C + WN"),
    ],
)
def test_leaves_find_their_columns(text: str, inputs: InputColumns, rank: int | None, written: str) -> None:
    made = str(on_columns(text, inputs, rank))
    assert sorted(made.replace(" + ", " * ").split(" * ")) == sorted(written.replace(" + ", " * ").split(" * "))
    assert made.count("+") == written.count("+")


def test_numbers_that_are_there_stay() -> None:
    made = on_columns("SE[size](lengthscale=2, sd=3) + WN(sd=1)", MIXED)
    assert made.parts[0].named() == {"lengthscale": 2.0, "sd": 3.0}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("SE[weight]", "leaves on the columns"),
        ("SE[colour]", "SE on a column of numbers"),
        ("Cat[size]", "Cat on a column of categories"),
        ("Cat2r1[colour]", "write Cat3r1"),
        ("CP[colour](C, C)", "a change along numbers"),
    ],
)
def test_leaves_on_columns_of_another_kind_are_refused(text: str, words: str) -> None:
    with pytest.raises(InputError, match=words):
        on_columns(text, MIXED)


FRAME = pd.DataFrame({"size": [1.0, 2.0, 6.0], "colour": ["red", "blue", "red"]})


class Fitted(TableEstimator):
    """The least that scikit-learn takes for an estimator."""

    _is_standardised = True

    def fit(self, X: pd.DataFrame) -> "Fitted":
        self._read(X)
        return self


class Numbers(TableEstimator):
    """Of columns of numbers alone."""

    _most_rows = None
    _takes_categories = False


def test_numbers_are_standardised_and_categories_are_not() -> None:
    made = Fitted()
    rows = made._read(FRAME)
    assert rows[:, 0].mean() == pytest.approx(0.0)
    assert rows[:, 0].std() == pytest.approx(1.0)
    assert rows[:, 1].tolist() == [1.0, 0.0, 1.0]
    np.testing.assert_array_equal(made._new(FRAME.iloc[[1]]), rows[[1]])


def test_rows_of_a_table_keep_their_units() -> None:
    assert TableEstimator()._read(FRAME)[:, 0].tolist() == [1.0, 2.0, 6.0]


def test_what_cannot_be_read_is_refused() -> None:
    made = TableEstimator()
    made.unseen = "guess"
    with pytest.raises(InputError, match="unseen='error' or unseen='new'; found 'guess'"):
        made._read(FRAME)
    with pytest.raises(InputError, match=f"at most {MOST_ROWS} rows"):
        TableEstimator()._read(np.zeros((MOST_ROWS + 1, 1)))
    with pytest.raises(InputError, match="columns of numbers; found categories in column 'colour'"):
        Numbers()._read(FRAME)
    assert len(Numbers()._read(np.zeros((MOST_ROWS + 1, 1)))) == MOST_ROWS + 1


def test_a_fit_has_one_thread_and_its_faults_are_said() -> None:
    with fitting():
        assert {library["num_threads"] for library in threadpool_info() if library["user_api"] == "blas"} == {1}
    with (
        pytest.raises(InputError, match="a model can be fitted to; found nothing; leave it"),
        fitting(OSError, "leave it"),
    ):
        raise OSError("nothing")
    with pytest.raises(NotPositiveDefinite), fitting(OSError):
        raise NotPositiveDefinite("others pass")


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
    made = fitted(name)
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
