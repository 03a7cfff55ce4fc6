"""The old home of two regressors; they live in `estimators`."""

from autostatistician.moved import moved

__all__: list[str] = []

__getattr__ = moved(
    __name__,
    {
        "MultiOutputGPRegressor": "autostatistician",
        "SemiParametricGPRegressor": "autostatistician",
        "stacked": "autostatistician.data.stacking",
    },
)
