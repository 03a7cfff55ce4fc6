"""A finished search as one value: fitted, explained, averaged, saved."""

from autostatistician.moved import moved

__getattr__ = moved(
    __name__,
    {
        "Model": "autostatistician.model.fitted",
        "fit_model": "autostatistician.model.fitted",
        "decomposition": "autostatistician.model.explanation",
    },
)
