"""Every face for scikit-learn: what fits, predicts and explains, with nothing but these rooms' functions behind it."""

from autostatistician.moved import moved

__getattr__ = moved(
    __name__,
    {
        "AutomaticStatistician": "autostatistician",
        "Part": "autostatistician.estimators.parts",
        "Search": "autostatistician.estimators.parts",
    },
)
