"""Relations between columns, in words."""

from __future__ import annotations

import numpy as np

from autostatistician.data.exact_fits import ExactFit
from autostatistician.data.leak_notes import EARLIER, equation, product, relative
from autostatistician.wording.messages import again, note, spoken_in


def test_equations_in_words() -> None:
    assert equation(ExactFit(np.array([-1.0, 1.0]), 0.0), ["'b'", "'a'"], 1.0) == "'a' - 'b'"
    assert equation(ExactFit(np.array([-1.0]), -2.0), ["'b'"], 1.0) == "minus 'b' - 2"
    assert equation(ExactFit(np.array([0.5, 1.0]), 1e-9), ["'a'", "'b'"], 1.0) == "0.5 times 'a' + 'b'"


def test_products_in_words() -> None:
    assert (
        product(ExactFit(np.array([1.0, 1.0, -1.0]), np.log(2.0)), ["a", "b", "c"])
        == "2 times 'a' times 'b' divided by 'c'"
    )
    assert product(ExactFit(np.array([-1.0, -0.5]), 0.0), ["a", "b"]) == "1 divided by 'a' and 'b' to the power 0.5"


def test_reasons_are_said_again_in_another_language() -> None:
    text = equation(ExactFit(np.array([0.5]), 0.0), [note("the target")], 1.0)
    with spoken_in("de"):
        assert again(text) == "0,5 mal die Zielgröße"
        said = again(relative(EARLIER, "last", 1))
        assert said.startswith("Spalte 'last' ist die Zielgröße, wie sie 1 Zeile zuvor war")
