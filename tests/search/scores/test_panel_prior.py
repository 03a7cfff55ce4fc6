"""Series of a panel learn from each other: shares and moments move to theirs, and a series is taken off again."""

import json
from functools import cache

import numpy as np
import pytest

from autostatistician.data.dataset import Dataset
from autostatistician.inference import fit
from autostatistician.language.kernel import leaf
from autostatistician.language.text import parse
from autostatistician.search.scores.panel_prior import PanelPrior, SeenSeries, panel_prior, seen_series
from autostatistician.search.scores.series_priors import SeriesPriors
from autostatistician.search.starting.standardisation import standard

PACKAGE = SeriesPriors.of_package()
LINE = parse("Lin + C + WN")


@cache
def _line(seed: int) -> SeenSeries:
    x = np.arange(20.0)
    y = 10.0 + x + 0.3 * np.random.default_rng(seed).normal(size=20)
    _, problem, scales = standard(Dataset(x[:, None], y, ("x",), "y", None), priors=PACKAGE)
    start = leaf("Lin", sd=1.0, location=0.5) + leaf("C", sd=1.0) + leaf("WN", sd=0.1)
    best = fit(start, problem, scales, 30).kernel
    return seen_series([(best, 0.75), (leaf("C", sd=1.0) + leaf("WN", sd=0.5), 0.25)], problem, scales)


def _panel(count: int) -> PanelPrior:
    return panel_prior(map(_line, range(count)), PACKAGE)


def test_what_a_series_leaves_has_the_weights_of_its_models() -> None:
    seen = _line(0)
    assert (seen.counts, seen.shapes) == ({"1": 0.75, "0": 0.25}, {"Lin": 0.75})
    assert seen.numbers["WN", "sd", next(iter(seen.numbers))[2]].weight == pytest.approx(1.0)


def test_shares_and_parameters_move_to_those_of_the_panel() -> None:
    before, after = PACKAGE, _panel(12).priors
    assert after.plain.shapes["Lin"] > 2.0 * before.plain.shapes["Lin"]
    assert after.seasonal == before.seasonal
    assert sum(after.plain.shapes.values()) == pytest.approx(sum(before.plain.shapes.values()), abs=0.01)
    moved = [key for key, prior in after.rows.items() if prior != before.rows[key]]
    assert {key[:2] for key in moved} == {("Lin", "sd"), ("WN", "sd")}


def test_a_series_is_judged_by_all_others() -> None:
    others, left = panel_prior(map(_line, range(4)), PACKAGE).priors, _panel(5).without(_line(4)).priors
    assert left.plain.shapes == pytest.approx(others.plain.shapes)
    for key, prior in left.rows.items():
        assert prior.mean == pytest.approx(others.rows[key].mean)
        assert prior.width == pytest.approx(others.rows[key].width)


def test_structures_that_won_come_first_and_improbable_ones_are_not_proposed() -> None:
    panel, empty = _panel(30), panel_prior([], PACKAGE)
    assert panel.structures(has_season=False)[0] == LINE
    assert empty.structures(has_season=False) == []
    unlikely = parse("CW(Lin, SE) + Matern32 + Per + C + WN")
    assert panel.probable(LINE, has_season=False)
    assert not panel.probable(unlikely, has_season=False)
    assert empty.probable(unlikely, has_season=False)


def test_a_panel_comes_back_from_json() -> None:
    panel = _panel(3)
    assert PanelPrior.from_json(json.loads(json.dumps(panel.to_json()))).priors == panel.priors
