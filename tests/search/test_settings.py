"""The settings of a search: what a saved model or a checkpoint holds of them."""

from __future__ import annotations

import json
from dataclasses import asdict

from autostatistician.search import run
from autostatistician.search.settings import Settings


def test_settings_come_back_from_plain_values() -> None:
    settings = Settings(max_depth=3, criterion="loo", time_budget=2.5, outliers="keep")
    assert Settings(**json.loads(json.dumps(asdict(settings)))) == settings


def test_the_loop_offers_them_under_their_first_name() -> None:
    assert run.Settings is Settings
