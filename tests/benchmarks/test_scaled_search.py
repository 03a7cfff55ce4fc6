"""The search with a matrix of all rows, beside which the one on parts of them is judged."""

from importlib import import_module

import numpy as np

from autostatistician.data.dataset import Dataset
from autostatistician.gp.engines.choice import engine_for
from autostatistician.gp.engines.lag_space import LagSpace
from autostatistician.gp.problem import Problem
from autostatistician.kernels.grammar import LANGUAGES
from autostatistician.kernels.text import parse, parse_kernel
from autostatistician.search.stages.rows import rows_of_stages


def test_with_one_matrix_all_rows_are_searched_at_once() -> None:
    made = import_module("scaled_search")
    x = np.arange(1000.0)
    data, problem = Dataset(x[:, None], np.ones(1000), ("x",), "y", None), Problem(x, np.ones(1000))
    with made.one_matrix():
        assert len(rows_of_stages(data, LANGUAGES["extended"], 0)) == 1
        assert engine_for(parse("SE + WN"), problem).name == "Toeplitz"
        assert engine_for(parse("CP(SE, Lin) + WN"), problem).name == made.MATRIX
        clean, values = parse("SE + WN"), (500.0, 1.0, 1e-9)
        by_matrix = LagSpace().objective(clean, problem).value(values)
        assert engine_for(clean, problem).objective(clean, problem).value(values) == by_matrix
    assert len(rows_of_stages(data, LANGUAGES["extended"], 0)) > 1
    assert engine_for(parse("CP(SE, Lin) + WN"), problem).name == "semiseparable"


def test_both_engines_give_the_same_densities() -> None:
    made = import_module("scaled_search")
    x = np.arange(400.0)
    kernel = parse_kernel("SE(lengthscale=9, sd=1) + WN(sd=0.3)")
    y = np.sin(x / 9.0)
    assert 0.0 < made.difference(kernel, Problem(x[:380], y[:380]), x[380:], y[380:]) < 1e-2
