"""Deep processes are told."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from tests.describe.sentences import check_document

from autostatistician import DeepGPRegressor
from autostatistician.language.text import parse
from autostatistician.seeds import generator

RNG = np.random.default_rng(6)
X = RNG.uniform(0.0, 10.0, (80, 1))
Y = np.where(X[:, 0] > 5.0, 30.0, 10.0) + RNG.normal(size=80)
QUICK: dict[str, Any] = {"n_inducing": 15, "paths": 100, "max_iter": 60, "n_restarts": 1}


@pytest.fixture(scope="module")
def model() -> DeepGPRegressor:
    return DeepGPRegressor(**QUICK).fit(X, Y)


@pytest.mark.slow
def test_a_kernel_for_every_layer() -> None:
    frame = pd.DataFrame({"x": X[:, 0]})
    found = DeepGPRegressor(2, kernel=["Matern32", "SE + Lin"], **QUICK | {"max_iter": 60, "n_restarts": 1}).fit(
        frame, Y
    )
    assert found.predict(pd.DataFrame({"x": [2.0, 8.0]})) == pytest.approx([10.0, 30.0], abs=1.5)
    assert np.array_equal(pickle.loads(pickle.dumps(found)).predict(frame), found.predict(frame))
    told = found.report(name="height")
    assert [row[1] for row in _kernels(told.document)] == ["Matern32[x]", "SE[x] + Lin[x]"]
    assert any(sentence.startswith("Of 16 rows that were left out, ") for sentence in told.sentences())
    check_document(told.document)


@pytest.mark.parametrize(("kernel", "of_inputs"), [(parse("Lin"), "Lin"), (("Lin", "SE"), "Lin"), ("SE", "SE")])
def test_the_single_layer_beside_it_has_the_kernel_of_the_inputs(kernel: Any, of_inputs: str) -> None:
    quick: dict[str, Any] = QUICK | {"max_iter": 3, "paths": 10}
    rows, y = X[:25], Y[:25]
    held = DeepGPRegressor(2, kernel=kernel, **quick).fit(rows, y).report().explanation.held_out
    assert held is not None
    new, own = np.split(generator(0).permutation(25), [5])
    single = DeepGPRegressor(1, kernel=of_inputs, **quick).fit(rows[own], y[own])
    assert held.of_one_layer == pytest.approx(single.log_density(rows[new], y[new]).mean())


def _kernels(document: Any) -> Any:
    tables = [
        block for section in document.sections for block in section.blocks if getattr(block, "id", "") == "tab-kernels"
    ]
    return tables[0].rows


def test_it_is_told(model: DeepGPRegressor, tmp_path: Path) -> None:
    told = model.report(tmp_path / "deep.html", check=False)
    check_document(told.document)
    assert "<svg" in (tmp_path / "deep.html").read_text(encoding="utf-8")
    assert model.describe() == told.sentences()
    assert model.describe()[0] == "The model has two layers; no other number of layers was tried."
    assert 0.0 < model.bends()[0] <= 1.0
    assert told.result()["layers"] == 2
