"""Texts that do not depend on the data: the method, how to read the pictures, what the symbols mean, sources."""

from __future__ import annotations

from autostatistician.describe.facts.search import SearchFindings
from autostatistician.i18n.messages import message, say

__all__ = [
    "METHOD_OF_CLASSES", "METHOD_OF_TABLES", "READING_OF_CLASSES", "READING_OF_TABLES", "bands_text", "citations",
    "legend", "method_of_series",
]  # fmt: skip

_BY_BIC = message(
    "The search starts from simple models and changes the best one step by step: it adds, multiplies, replaces or "
    "drops a part, or lets one begin or end at some point. Of all candidates, each fitted to the data, it keeps the "
    "one with the lowest BIC, a score that charges for every number. A better model may have been missed."
)
_BY_EVIDENCE = message(
    "The search starts from sums of a level, a trend, a cycle and noise, and adds, multiplies, replaces or drops parts "
    "step by step. A model is judged by how probable it makes the data and by how common its form is in other series; "
    "each further number needs odds of about forty to one. A better model may have been missed."
)

_GOING_TOGETHER = message(
    "A better model may have been missed. Where columns go together in the data, the effect of one may be taken "
    "for that of the other."
)

METHOD_OF_TABLES = (
    message(
        "The search starts from simple models and changes the best one step by step: it adds, multiplies, replaces or"
        " drops an effect of a column. It keeps the model with the lowest BIC, a score that charges for every number."
    ),
    message(
        "A value that is left out is predicted from all the others with the numbers of the whole fit, and the form of "
        "the model was found on all rows, so truly new rows may be predicted somewhat worse."
    ),
    _GOING_TOGETHER,
)

METHOD_OF_CLASSES = (
    message(
        "The search starts from the same chance for every row and changes the best model step by step: it adds, "
        "multiplies, replaces or drops an effect of a column. It keeps the most probable model (by Laplace's "
        "approximation); a further effect of a column needs odds of about ten to one."
    ),
    message(
        "A row that is left out is foreseen from all the others with the numbers of the whole fit, and the form of the "
        "model was found on all rows, so truly new rows may be foreseen somewhat worse. The order of two rows is that "
        "which they have when both are left out."
    ),
    _GOING_TOGETHER,
)

READING_OF_CLASSES = message(
    "How to read the pictures: a curve is the chance along a column where all other effects are as on average over the "
    "data. The band around it holds the true chance with a probability of 95% at every place. A heat map shows the "
    "chance over two columns: the stronger the colour, the higher."
)

READING_OF_TABLES = message(
    "How to read the pictures: an effect is the difference that a column makes to the prediction, compared with the "
    "mean over the data. The band around it holds the true effect with a chance of 95% at every place. Points are "
    "partial residuals: each value with all other effects taken away. A heat map shows what two columns do together; "
    "one colour stands for more than the mean, the other for less."
)

_BANDS = message(
    "A line is the most plausible course; the band around it holds the true course with a chance of 95% at every "
    "position. Bands of parts leave the noise out."
)


def method_of_series(search: SearchFindings) -> str:
    """How a model of a series was found."""
    return say(_BY_EVIDENCE if search.by_evidence else _BY_BIC)


def bands_text(*, averaged: bool) -> str:
    """How to read the pictures, and which bands hold the doubt about the model: where forecasts are averaged, theirs.

    >>> bands_text(averaged=False)[-57:]
    'No band includes the doubt about the choice of the model.'
    """
    doubt = (
        say(
            "Only the range of the forecast, and the claims about the course, include the doubt about the choice of "
            "the model."
        )
        if averaged
        else say("No band includes the doubt about the choice of the model.")
    )
    return f"{say(_BANDS)} {doubt}"


def citations(search: SearchFindings) -> tuple[str, ...]:
    """The sources of the method that a search went by."""
    return (*_CITATIONS, *(_OF_PRIORS if search.by_evidence else ()))


_OF_PRIORS = ("G. Corani et al. (2021). Time Series Forecasting with Gaussian Processes Needs Priors. ECML PKDD.",)
_CITATIONS = (
    "D. Duvenaud et al. (2013). Structure Discovery in Nonparametric Regression through Compositional Kernel Search. "
    "ICML.",
    "J. R. Lloyd et al. (2014). Automatic Construction and Natural-Language Description of Nonparametric Regression "
    "Models. AAAI.",
)

_OPERATORS = {
    "CP": message("CP(a, b): a before a change point and b after it."),
    "CW": message("CW(a, b): a outside of a window and b inside it."),
    "+": message('"+" adds parts up.'),
    "*": message('"*" multiplies: the product has the properties of all its factors.'),
}


def legend(search: SearchFindings) -> tuple[str, ...]:
    """What the symbols of the chosen expression mean."""
    leaves = [
        say("{symbol}: {noun} ({name}).", symbol=symbol, noun=say(noun), name=say(name))
        for symbol, noun, name in search.leaves
    ]
    return (*leaves, *(say(text) for symbol, text in _OPERATORS.items() if symbol in search.operators))
