"""A series judged by the priors of a panel: its search, its other scale and its saved file go by them."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from autostatistician.data.dataset import Dataset
from autostatistician.inference.parameters.learned import Place
from autostatistician.model.fitted import Model
from autostatistician.model.fitting import fit_model
from autostatistician.model.predictions import Options
from autostatistician.model.storage import Saved, load, save
from autostatistician.search.run import Settings
from autostatistician.search.scores.series_priors import SeriesPriors

PACKAGE = SeriesPriors.of_package()
NOISE = ("WN", "sd", Place.TERM)
X = np.arange(16.0)[:, None]
Y = 50.0 + np.cumsum(np.random.default_rng(2).normal(0.5, 2.0, 16))
DATA = Dataset(X, Y, ("x",), "y", None)


def _fitted(priors: SeriesPriors | None) -> Model:
    return fit_model(DATA, "extended", Settings(max_depth=1, n_jobs=1), priors=priors)


@pytest.fixture(scope="module")
def quiet() -> SeriesPriors:
    """A panel that is nearly free of noise."""
    rows = {**PACKAGE.rows, NOISE: replace(PACKAGE.rows[NOISE], mean=-4.0)}
    return replace(PACKAGE, rows=rows)


def test_the_priors_of_the_package_change_nothing() -> None:
    plain, same = _fitted(None), _fitted(PACKAGE)
    assert plain.search.best == same.search.best
    assert plain.choice == same.choice


def test_a_panel_moves_search_scale_and_other_scale(quiet: SeriesPriors) -> None:
    plain, judged = _fitted(None), _fitted(quiet)
    assert judged.priors is quiet
    assert judged.choice.gain != plain.choice.gain
    assert judged.search.best.score != plain.search.best.score
    assert judged.on_other_scale is not None
    assert judged.on_other_scale.priors is quiet


def test_they_are_saved_with_the_model(quiet: SeriesPriors, tmp_path: Path) -> None:
    judged = _fitted(quiet)
    save(Saved(judged, Options(), "error", "auto", ()), tmp_path / "model.json")
    assert load(tmp_path / "model.json").model.priors == quiet
