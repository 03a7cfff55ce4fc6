"""What a deep process might have learned, made by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from autostatistician.decompose.records.deep import DeepCurve, DeepFound, DeepHeldOut, LayersTried

__all__ = ["CASES"]

TRIED = (LayersTried(1, 1.7), LayersTried(2, 15.6), LayersTried(3, 18.1))


def _curve(column: str, size: float) -> DeepCurve:
    x = np.linspace(0.0, 10.0, 11)
    mean = size * np.where(x > 5.0, 1.0, -1.0)
    return DeepCurve(column, x, mean, mean - 0.5, mean + 0.5)


def _step() -> DeepFound:
    """A step along one column."""
    rows = np.linspace(0.0, 10.0, 30)[:, None]
    return DeepFound(
        name="pressure", columns=("hours",), n=30, chosen=2, tried=TRIED, enough=3.0,
        forms=("SE", "SE + Lin"), bends=(0.234,),
        noise=0.2, curves=(_curve("hours", 1.0),), rows=rows, y=np.where(rows[:, 0] > 5.0, 1.0, -1.0),
        held_out=DeepHeldOut(6, 24, -0.31, -0.94, 0.96, 0.21, 1.0), notes=("One row was left out.",),
    )  # fmt: skip


def _wide(chosen: int, tried: tuple[LayersTried, ...], held_out: DeepHeldOut | None) -> DeepFound:
    names = tuple(f"column {place}" for place in range(1, 9))
    curves = tuple(_curve(name, float(place)) for place, name in enumerate(names))
    bends, forms = (0.002, 0.3)[: chosen - 1], ("SE",) * chosen
    return replace(
        _step(), forms=forms, columns=names, chosen=chosen, tried=tried, bends=bends, curves=curves, held_out=held_out
    )


CASES: dict[str, DeepFound] = {
    "deep": _step(),
    "deep of one layer": _wide(1, (*TRIED[:1], LayersTried(2, 3.1)), DeepHeldOut(6, 24, -0.31, None, 1.0, 0.2, 1)),
    "deep as told": _wide(3, TRIED[2:], None),
}
