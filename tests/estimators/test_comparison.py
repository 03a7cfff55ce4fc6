"""An estimator compares new rows with its forecasts and stays as it is."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from tests.promoted import AHEAD, PROMOTION, ROWS, fitted, with_sales
from tests.there import there

from autostatistician import AutomaticStatistician
from autostatistician.cli.main import main
from autostatistician.errors import InputError
from autostatistician.fitted.predictions import Options
from autostatistician.fitted.storage import Saved, from_json, to_json

DAYS = pd.date_range("2024-01-01", periods=60, freq="D")
FRAME = pd.DataFrame({"day": DAYS, "sales": 50.0 + np.arange(60.0) + np.random.default_rng(0).standard_normal(60)})


def _fitted() -> AutomaticStatistician:
    return AutomaticStatistician(language="linear", max_depth=2, n_restarts=4, n_jobs=1).fit(FRAME[:40])


@pytest.mark.slow
def test_a_frame_with_all_rows_adds_those_that_are_new() -> None:
    model = _fitted()
    before = model.predict(FRAME[["day"]][55:], return_std=True)
    news = model.update(FRAME[:50])
    assert (news.rows, news.known, news.surprising, news.search_again) == (10, 40, False, False)
    assert str(news).endswith("keeps its expression and its numbers.")
    after = model.predict(FRAME[["day"]][55:], return_std=True)
    assert (after[1] < before[1]).all()
    assert model.update(FRAME["day"][50:], FRAME["sales"][50:]).search_again  # 60 are half as many again as 40
    assert model.dataset_.n == 60
    assert "20 rows added to the 40 of the search" in " ".join(model.to_dict()["warnings"])


def test_what_cannot_be_read_leaves_the_model_as_it_was() -> None:
    model = _fitted()
    for rows in (FRAME[:40], FRAME[["day"]], np.arange(4.0)[:, None]):
        with pytest.raises(InputError):
            model.update(rows)
    assert model.dataset_.n == 40


def test_the_command_writes_a_new_file_and_leaves_the_old_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    old, new = tmp_path / "model.json", tmp_path / "new.csv"
    _fitted().save(old)
    kept = old.read_bytes()
    FRAME[30:48].to_csv(new, index=False)
    assert main(["update", str(old), str(new)]) == 0
    told = capsys.readouterr().out
    assert "8 new rows lie within" in told
    assert "no surprise" in told
    assert old.read_bytes() == kept
    assert AutomaticStatistician.load(tmp_path / "model-updated.json").dataset_.n == 48
    assert main(["update", str(tmp_path / "model-updated.json"), str(new)]) == 2
    assert "already" in capsys.readouterr().err


# --- rows with columns --------------------------------------------------------------------------------------------


def test_new_rows_are_judged_with_their_columns_and_stay_beside_the_model() -> None:
    model, rows = AutomaticStatistician.from_saved(Saved(fitted().model_, Options())), with_sales()
    news = model.update(rows)
    assert (news.rows, news.known, news.surprising) == (AHEAD, ROWS, False)
    np.testing.assert_allclose(model.model_.observed, rows["sales"])
    np.testing.assert_array_equal(there(model.dataset_.covariates).of("promo", model.dataset_.x), rows["promo"])
    assert there(model.model_.effects).clock.last == model.dataset_.x[-1]
    assert model.kernel_ == fitted().kernel_
    again = from_json(json.loads(json.dumps(to_json(model.model_))))
    np.testing.assert_allclose(again.observed, rows["sales"])


def test_other_columns_in_new_rows_are_a_surprise() -> None:
    rows = with_sales()
    model = AutomaticStatistician.from_saved(Saved(fitted().model_, Options()))
    assert model.update(rows.assign(promo=1.0 - rows["promo"])[ROWS:]).surprising


def test_updates_new_rows_without_columns_are_said_to_have_none() -> None:
    model = AutomaticStatistician.from_saved(Saved(fitted().model_, Options()))
    news = model.update(with_sales()[["week", "sales"]])
    assert news.known == ROWS
    assert "New rows have no value of 'promo', 'price'" in str(news)


@pytest.mark.slow
def test_new_rows_are_compared_and_the_model_stays() -> None:
    model = fitted()
    news = model.compare(with_sales())
    assert (len(news.rows), news.surprising, news.search_again, news.moved) == (AHEAD, False, False, ())
    assert str(news).startswith("All 4 new rows lie within the 95% ranges that were forecast.")
    assert f"{ROWS} rows were there already." in news.sentences
    assert model.dataset_.n == ROWS


def test_new_rows_without_columns_are_said_to_have_none() -> None:
    news = fitted().compare(with_sales()[["week", "sales"]])
    assert "New rows have no value of 'promo', 'price'" in str(news)


def test_what_moved_is_named() -> None:
    news = fitted().compare(with_sales(-PROMOTION))
    assert news.surprising
    assert news.rows["missed"].sum() == 1
    (promo,) = [part for part in news.moved if part.name == "'promo'"]
    assert (promo.time, promo.change < 0.0) == ("2025-03-10", True)
    with pytest.raises(InputError, match="new rows"):
        fitted().compare(with_sales()[:ROWS])
