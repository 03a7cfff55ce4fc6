"""The settings of a search: what a saved model or a checkpoint holds of them."""

from __future__ import annotations

import json
from dataclasses import asdict

import numpy as np
import pytest
from tests.test_seam import KnownNoise

from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.language.languages import LANGUAGES
from autostatistician.search import run
from autostatistician.search.settings import Settings, resolved

SERIES = from_arrays(np.arange(5.0), np.ones(5))
TABLE = from_arrays(np.arange(10.0).reshape(5, 2), np.ones(5), ("a", "b"))


def test_settings_come_back_from_plain_values() -> None:
    settings = Settings(max_depth=3, criterion="loo", time_budget=2.5, outliers="keep")
    assert Settings(**json.loads(json.dumps(asdict(settings)))) == settings


def test_the_loop_offers_them_under_their_first_name() -> None:
    assert run.Settings is Settings


@pytest.mark.parametrize(
    ("dataset", "language", "expected"),
    [(SERIES, "extended", "evidence"), (TABLE, "extended", "bic"),
     *((SERIES, name, "bic") for name in LANGUAGES if name != "extended")],
)  # fmt: skip
def test_an_open_criterion_is_that_of_the_kind_and_the_language(dataset: Dataset, language: str, expected: str) -> None:
    assert resolved(Settings(), dataset, LANGUAGES[language]) == Settings(criterion=expected)


def test_evidence_is_not_taken_for_very_many_rows_or_another_noise(monkeypatch: pytest.MonkeyPatch) -> None:
    assert resolved(Settings(), SERIES, LANGUAGES["extended"], KnownNoise(1.0)).criterion == "bic"
    for most, expected in ((5, "evidence"), (4, "bic")):
        monkeypatch.setattr("autostatistician.search.settings.MOST_ROWS_BY_EVIDENCE", most)
        assert resolved(Settings(), SERIES, LANGUAGES["extended"]).criterion == expected


@pytest.mark.parametrize("asked", ["bic", "evidence", "loo"])
def test_a_criterion_that_was_asked_for_stays(asked: str) -> None:
    settings = Settings(criterion=asked)
    for dataset, language in ((SERIES, "extended"), (SERIES, "full"), (TABLE, "extended")):
        assert resolved(settings, dataset, LANGUAGES[language]) is settings
