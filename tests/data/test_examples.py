"""The bundled series: complete, documented, and what they claim to be."""

from pathlib import Path

import numpy as np
import pytest

from autostatistician.data.examples import example, example_names
from autostatistician.data.load import load, load_example
from autostatistician.errors import InputError

SHAPES = {"airline": (144, "month"), "mauna-loa": (521, "month"), "sunspots": (309, "year"), "nile": (100, "year"),
          "el-nino": (732, "month")}  # fmt: skip


@pytest.mark.parametrize("name", example_names())
def test_examples_load_and_know_their_source(name: str) -> None:
    data = load_example(name)
    assert data.axis is not None
    assert (data.n, data.axis.frequency) == SHAPES[name]
    assert load(name).to_json() == data.to_json()
    known = example(name)
    assert min(map(len, (known.title, known.source, known.licence, known.unit))) > 2


def test_airline_is_the_series_of_box_and_jenkins(shared_data: Path) -> None:
    stored = np.loadtxt(shared_data / "timeseries" / "01-airline.csv", delimiter=",", skiprows=1)[:, 1]
    assert np.array_equal(load_example("airline").y, stored)


def test_only_mauna_loa_has_missing_months_and_says_so() -> None:
    assert load_example("mauna-loa").warnings == ("5 rows without a value in column 'co2' left out.",)
    assert all(load_example(name).warnings == () for name in example_names() if name != "mauna-loa")


@pytest.mark.parametrize(("name", "hint"), [("airlin", "did you mean 'airline'"), ("zzz", "the examples are airline")])
def test_unknown_names_get_a_hint(name: str, hint: str) -> None:
    for function in (load_example, load):
        with pytest.raises(InputError, match=hint):
            function(name)
