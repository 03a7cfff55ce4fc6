"""What is decided about the data before a search: values that are set aside, and the scale of the target."""

from autostatistician.search.before.likelihoods import COUNTS, LAWS, LIKELIHOODS, check_counts, chosen_likelihood
from autostatistician.search.before.outliers import screened
from autostatistician.search.before.transforms import Choice, chosen_beside, chosen_transform, may_have_logarithm

__all__ = [
    "COUNTS",
    "LAWS",
    "LIKELIHOODS",
    "Choice",
    "check_counts",
    "chosen_beside",
    "chosen_likelihood",
    "chosen_transform",
    "may_have_logarithm",
    "screened",
]
