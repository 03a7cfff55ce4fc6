"""Three models that the original system found, with their stored log parameters and likelihoods.

From the published results of Lloyd et al. 2014 (github.com/jamesrobertlloyd/gpss-research, MIT licence): raw data, zero
mean, noise through white-noise leaves only.
"""

from math import exp
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from autostatistician.kernels.kernel import Kernel, leaf

NLL = {"01-airline": 534.518354, "07-call-centre": 771.650723, "08-radio": 226.981830}


def series(folder: Path, name: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Inputs (n, 1) and targets (n,) of a benchmark series."""
    table = np.genfromtxt(folder / "timeseries" / f"{name}.csv", delimiter=",", skip_header=1)
    return table[:, :1], table[:, 1]


def _se(lengthscale: float, sd: float) -> Kernel:
    return leaf("SE", lengthscale=exp(lengthscale), sd=exp(sd))


def _per(lengthscale: float, period: float, sd: float) -> Kernel:
    return leaf("Per", lengthscale=exp(lengthscale), period=exp(period), sd=exp(sd))


def _lin(location: float, sd: float) -> Kernel:
    return leaf("Lin", location=location, sd=exp(sd))


def _wn(sd: float) -> Kernel:
    return leaf("WN", sd=exp(sd))


def _airline() -> Kernel:
    smooth = _se(-0.387583500802, 2.63171604565)
    trend = _lin(1946.06513634, 3.51148833758)
    noise = _wn(-3.37490107918) * _lin(1943.18335015, 2.7472319933)
    season = _se(3.13445905838, 3.6162952374) * _per(-0.327134232764, 0.00230477988619, 0.122893857676)
    return smooth + trend + noise + season * _lin(1945.46588239, -2.19576696531)


def _call_centre() -> Kernel:
    before = (
        _per(-0.750606276618, -0.00186668219689, 2.78963939394)
        + _lin(1953.83964332, 3.68144696581)
        + _se(-1.22036938417, 4.35360909653) * _lin(1964.086208, -2.15055737782)
    )
    after = _se(2.14476842791, 5.4195109769)
    change = Kernel.change_point(before, after, 1974.09933515, exp(3.76901516397))
    outside, inside = _wn(2.34780505308), _wn(3.45071090099)
    noise = Kernel.change_window(outside, inside, 1973.55690875, exp(2.89102778568), exp(-0.942830006091))
    return change + noise


def _radio() -> Kernel:
    season = _se(2.18311418122, 1.12977451001) * _per(0.152080369497, -0.000202603237919, -0.667792398409)
    outside = _se(-2.14485097994, -0.388324340305) + season
    inside = leaf("C", sd=exp(0.702580521029))
    window = Kernel.change_window(outside, inside, 1943.77303167, exp(-0.616133783549), exp(1.25546321553))
    return _wn(-1.15816236272) + leaf("C", sd=exp(2.02819666723)) + _se(0.835687978074, 0.84944412102) + window


KERNELS = {"01-airline": _airline(), "07-call-centre": _call_centre(), "08-radio": _radio()}
