"""Texts of reports on tables that do not depend on the data: the method, and how to read the pictures."""

from __future__ import annotations

__all__ = ["METHOD", "READING"]

METHOD = (
    "The model was not chosen by a person. The search starts from simple models and changes the best one again and "
    "again: it adds an effect of a column, multiplies an effect by that of another column, replaces one, or drops one. "
    "For every candidate the numbers inside it are fitted to the data, and the candidate with the best balance of fit "
    "and simplicity is kept (the one with the lowest BIC, a score that charges for every number).",
    "Each candidate is a Gaussian process: instead of one function of the columns it describes all functions of a "
    "certain kind (smooth, straight, repeating, alone or together with others) and how plausible each of them is once "
    "the data are known. The chosen model is a sum, so the prediction can be divided among its effects.",
    "A value that is left out is predicted from all the others with the numbers of the whole fit, and the form of the "
    "model was found on all rows, so truly new rows may be predicted somewhat worse.",
    "The statements of this report hold if the model is right. The search may have missed a better one, and where "
    "columns go together in the data, what one does may be told as what the other does.",
)

READING = (
    "How to read the pictures: an effect is the difference that a column makes to the prediction, compared with the "
    "mean over the data. The band around it holds the true effect with a chance of 95% at every place. Points are "
    "partial residuals: each value with all other effects taken away. A heat map shows what two columns do together; "
    "one colour stands for more than the mean, the other for less."
)
