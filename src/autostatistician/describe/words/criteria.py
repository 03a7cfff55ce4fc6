"""How the score that a search went by is told: its name, its unit, which way is better, and what it means."""

from __future__ import annotations

from dataclasses import dataclass, replace

from autostatistician.describe.facts.search import SearchFindings
from autostatistician.wording.messages import message, say
from autostatistician.wording.numbers import fixed

__all__ = ["Told", "fit_text", "told_of_models", "told_of_path"]

BIC_NOTE = message(
    "BIC weighs how well an expression fits against how many numbers it needs (Bayesian information criterion): "
    "twice the negative log likelihood plus, for each number, the logarithm of the count of the data. Lower is "
    "better, and a difference of 10 is a clear one."
)
EVIDENCE_NOTE = message(
    "log P is the logarithm of the probability of the data and of a model of this form: how often such forms are found "
    "in other series, times how probable the data are under all values that the numbers of the model may have. Higher "
    "is better, and a difference of 5 is a clear one."
)
OF_TABLES_NOTE = message(
    "The evidence is minus twice the logarithm of the probability of the data under all values that the numbers of "
    "the model may have, with what the choice of its columns costs: by it the model was chosen. Lower is better, and a "
    "difference of 10 is a clear one."
)
LOWER, HIGHER = message("lower is better"), message("higher is better")


@dataclass(frozen=True)
class Told:
    """How scores are told: their name, what they are multiplied by, which way is better, and their meaning."""

    name: str
    factor: float
    better: str
    note: str = ""

    def value(self, score: float) -> str:
        """A score as it is told.

        >>> Told("log P", -0.5, HIGHER).value(20.0)
        '−10.0'
        """
        return fixed(self.factor * score, 1)


# In English: what is told of them is said in the language of the moment.
_EVIDENCE = Told(message("log P"), -0.5, HIGHER, EVIDENCE_NOTE)
_OF_TABLES = Told(message("evidence"), 1.0, LOWER, OF_TABLES_NOTE)


def _said(told: Told) -> Told:
    return replace(told, name=say(told.name), better=say(told.better), note=say(told.note) if told.note else "")


def _is_of_table(search: SearchFindings) -> bool:
    """Whether a table was searched by evidence, which is told as a score: of series it is told as a probability."""
    return search.criterion == "evidence" and not search.by_evidence


def told_of_models(search: SearchFindings) -> Told:
    """How the scores of the models that were tried are told."""
    if _is_of_table(search):
        return _said(_OF_TABLES)
    return _said(_EVIDENCE if search.by_evidence else Told(search.criterion.upper(), 1.0, LOWER))


def told_of_path(search: SearchFindings) -> Told:
    """How the path of a search is told: in BIC, unless it went by evidence."""
    if _is_of_table(search):
        return _said(_OF_TABLES)
    return _said(_EVIDENCE if search.by_evidence else Told("BIC", 1.0, LOWER, BIC_NOTE))


def fit_text(search: SearchFindings) -> str:
    """How well the chosen model fits, for the end of a sentence."""
    misfit, bic = fixed(search.nll, 1), fixed(search.bic, 1)
    if search.by_evidence and search.tried:
        return _fit_by_evidence(search, misfit)
    if _is_of_table(search):
        return say(
            "its negative log likelihood is {misfit}, and its BIC is {bic}; of both, lower is better, but the choice "
            "was by evidence", misfit=misfit, bic=bic,
        )  # fmt: skip
    return say(
        "its negative log likelihood is {misfit}, and its BIC is {bic}; of both, lower is better", misfit=misfit,
        bic=bic,
    )  # fmt: skip


def _fit_by_evidence(search: SearchFindings, misfit: str) -> str:
    probability = _EVIDENCE.value(search.tried[0].score)
    best = _EVIDENCE.value(min(model.score for model in search.tried))
    text = say(
        "its negative log likelihood is {misfit} (lower is better), and the logarithm of the probability of the data "
        "and of a model of this form is {probability} (higher is better)", misfit=misfit, probability=probability,
    )  # fmt: skip
    if best == probability:
        return text
    return say("{text}; it was chosen as simpler than the most probable one ({best})", text=text, best=best)
