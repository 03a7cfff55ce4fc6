"""How far the search went: what ended it before it was through, and what that means for probabilities."""

from __future__ import annotations

from dataclasses import dataclass, replace

from autostatistician.describe.facts.search import SearchFindings
from autostatistician.i18n.messages import message, say, say_count
from autostatistician.i18n.numbers import count, fixed

__all__ = [
    "among", "cut_text", "fit_text", "stages_text", "told_of_models",
]  # fmt: skip


LOWER, HIGHER = message("lower is better"), message("higher is better")


def cut_text(search: SearchFindings) -> str:
    """That the search was cut and what that means, in one sentence; "" where it ended by itself."""
    if not search.cut:
        return ""
    return say_count(
        search.levels,
        "The choice of the model: the search ended after {n} level, before it was through, so models that nobody has "
        "tried may be better, and probabilities are only among those that were tried.",
        "The choice of the model: the search ended after {n} levels, before it was through, so models that nobody has "
        "tried may be better, and probabilities are only among those that were tried.", n=count(search.levels),
    )  # fmt: skip


def stages_text(search: SearchFindings, *, by_chance: bool = False) -> str:
    """That the search looked at a part of the rows first; "" where it had all from the beginning.

    Of a table these are drawn ``by_chance``.
    """
    if len(search.stages) < 2:
        return ""
    first, *others, last = (fixed(rows, 0) for rows in search.stages)
    rows: str = say("{first} of the {all} rows", first=first, all=last)
    for more in others:
        rows = say("{rows}, then on {more}", rows=rows, more=more)
    looked = (
        say("The search looked for structure on {rows}, drawn by chance.", rows=rows)
        if by_chance
        else say(
            "The search looked for structure on {rows}: stretches of neighbours, and rows from all over.", rows=rows
        )
    )
    judged = say("The best models were then judged on all rows: every score and probability is of these.")
    return f"{looked} {judged}"


def among(search: SearchFindings) -> str:
    """Among which models something is probable.

    The probability of a model that a search did not come to is not known.
    """
    return say("that the search tried before it was cut") if search.cut else say("that the search looked at")


# --- How the score that a search went by is told --------------------------------------------------------------------


@dataclass(frozen=True)
class ScoreWords:
    """How scores are told: their name, what they are multiplied by, and which way is better."""

    name: str
    factor: float
    better: str

    def value(self, score: float) -> str:
        """A score as it is told.

        >>> ScoreWords("log P", -0.5, HIGHER).value(20.0)
        '−10.0'
        """
        return fixed(self.factor * score, 1)


# In English: what is told of them is said in the language of the moment.
_EVIDENCE = ScoreWords(message("log P"), -0.5, HIGHER)

_OF_TABLES = ScoreWords(message("evidence"), 1.0, LOWER)


def _said(told: ScoreWords) -> ScoreWords:
    return replace(told, name=say(told.name), better=say(told.better))


def _is_of_table(search: SearchFindings) -> bool:
    """Whether a table was searched by evidence, which is told as a score: of series it is told as a probability."""
    return search.criterion == "evidence" and not search.by_evidence


def told_of_models(search: SearchFindings) -> ScoreWords:
    """How the scores of the models that were tried are told."""
    if _is_of_table(search):
        return _said(_OF_TABLES)
    return _said(_EVIDENCE if search.by_evidence else ScoreWords(search.criterion.upper(), 1.0, LOWER))


def fit_text(search: SearchFindings) -> str:
    """How well the chosen model fits, for the end of a sentence."""
    misfit, bic = fixed(search.nll, 1), fixed(search.bic, 1)
    if search.by_evidence and search.tried:
        return _fit_by_evidence(search, misfit)
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
