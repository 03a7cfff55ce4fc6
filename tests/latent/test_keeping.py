"""Chains in a file: whole, the same bytes, and only for the data and settings they are of."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from autostatistician.errors import CheckpointError
from autostatistician.latent.chain import MixturePrior
from autostatistician.latent.chains import MarkovChain, Plan, run, started
from autostatistician.latent.keeping import identity, read, write
from autostatistician.latent.normal_wishart import NormalWishart

Y = np.random.default_rng(0).standard_normal((8, 2))
PRIOR, PLAN = MixturePrior(NormalWishart.standard(2), 1.0), Plan(10, 5, 1)


@pytest.fixture(scope="module")
def half() -> list[MarkovChain]:
    return run([started(Y, 2, PRIOR, PLAN, np.random.default_rng(0))], Y, PRIOR, PLAN, budget=0.0)


def test_chains_go_on_from_a_file_as_if_nothing_had_been(half: list[MarkovChain], tmp_path: Path) -> None:
    write(tmp_path / "chains", half, "these")
    kept = read(tmp_path / "chains", "these")
    assert kept is not None
    assert kept[0].state.sweeps == 1
    whole = run([started(Y, 2, PRIOR, PLAN, np.random.default_rng(0))], Y, PRIOR, PLAN)
    np.testing.assert_array_equal(run(kept, Y, PRIOR, PLAN)[0].trace, whole[0].trace)


def test_the_same_chains_are_the_same_bytes(half: list[MarkovChain], tmp_path: Path) -> None:
    for name in ("one", "other"):
        write(tmp_path / name, half, "these")
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()


def test_what_is_no_file_of_these_chains_is_refused(half: list[MarkovChain], tmp_path: Path) -> None:
    place = tmp_path / "chains"
    assert read(place, "these") is None
    write(place, half, "these")
    with pytest.raises(CheckpointError, match="other data or settings"):
        read(place, "others")
    whole = place.read_bytes()
    for content in (b"", b"PK", whole[: len(whole) // 2], b"text"):
        place.write_bytes(content)
        with pytest.raises(CheckpointError, match="fault"):
            read(place, "these")
    with pytest.raises(CheckpointError, match="no file"):
        read(tmp_path, "these")


def test_data_and_settings_are_told_apart() -> None:
    hashes = {identity(Y, {"a": 1}), identity(Y, {"a": 2}), identity(Y + 1e-12, {"a": 1}), identity(Y.T, {"a": 1})}
    assert len(hashes) == 4
