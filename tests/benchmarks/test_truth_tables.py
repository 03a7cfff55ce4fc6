"""The truths of made tables and classes against plain statistics of their data."""

import numpy as np
import pytest

import truth_makers as tables


def test_there_are_tables_and_classes() -> None:
    assert sum(name.startswith("table:") for name in tables.TABLES) >= 12
    assert sum(name.startswith("classes:") for name in tables.TABLES) >= 4


def test_the_target_is_the_signal_and_noise() -> None:
    for name, make in tables.TABLES.items():
        data = make(np.random.default_rng(1))
        signal = data.signal(data.columns)
        assert len({len(values) for values in data.table.values()}) == 1, name
        if data.is_class:
            chance = 1.0 / (1.0 + np.exp(-signal))
            came = np.array(data.target) == "yes"
            reach = 4.0 * float(np.sqrt((chance * (1.0 - chance)).sum()))
            assert abs(came.sum() - chance.sum()) < reach, name
        elif not data.carried:
            left = np.array(data.target) - signal
            assert left.std() == pytest.approx(data.noise, rel=0.4), name
            assert abs(left.mean()) < 4.0 * data.noise / np.sqrt(len(left)), name


def test_pairs_act_together_and_no_others_do() -> None:
    for name, make in tables.TABLES.items():
        data = make(np.random.default_rng(1))
        numeric = [one for one, values in data.columns.items() if values.dtype.kind != "U"]
        places = {one: np.unique(data.columns[one])[[0, -1]].tolist() for one in numeric}
        for at, first in enumerate(numeric):
            for second in numeric[at + 1 :]:
                low, high, below, above = (
                    data.signal(
                        data.columns | {first: np.full(len(data.target), x), second: np.full(len(data.target), z)}
                    )
                    for z in places[second]
                    for x in places[first]
                )
                apart = np.abs(above - below - high + low).max() > 1e-6
                assert apart == ((first, second) in data.pairs), (name, first, second)


def test_a_draw_is_the_same_for_the_same_seed() -> None:
    first, again, other = (tables.TABLES["table: category"](np.random.default_rng(seed)).table for seed in (3, 3, 4))
    assert first == again != other
