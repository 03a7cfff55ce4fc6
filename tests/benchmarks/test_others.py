import numpy as np
import pytest

import others


def row(series: str, method: str, rmse: float, coverage: float = 1.0) -> dict[str, str]:
    return {"series": series, "method": method, "rmse": str(rmse), "crps": str(rmse), "coverage95": str(coverage)}


def test_methods_are_compared_on_the_series_that_both_have() -> None:
    rows = [row("Nile", "AutoETS", 2.0), row("lynx", "AutoETS", 1.0), row("austres", "ours", 9.0)]
    rows += [row("Nile", "ours", 1.0, 0.5), row("lynx", "ours", 0.5)]
    ours = others.summary(rows)[1]
    assert ours == {"method": "ours", "series": 2, "RMSE / AutoETS": "0.500", "CRPS / AutoETS": "0.500",
                    "coverage": "0.750", "worst": "0.50"}  # fmt: skip


def test_the_last_tenth_of_the_time_is_predicted() -> None:
    split = others.Series(lambda: [float(value) for value in range(41)] + [float("nan")], 4.0, 4).split()
    assert split.train.n == 37
    assert split.test_y.tolist() == [37.0, 38.0, 39.0, 40.0]
    assert split.test_X[:, 0] == pytest.approx(np.array([37.0, 38.0, 39.0, 40.0]) / 4.0)
