"""What is decided about the data before a search: values that are set aside, and the scale of the target."""

from autostatistician.search.preprocessing.box_cox import first_kernel
from autostatistician.search.preprocessing.likelihoods import (
    COUNTS,
    LAWS,
    LIKELIHOODS,
    check_counts,
    choice_beside,
    chosen_likelihood,
    may_be_counts,
    said_of_counts,
)
from autostatistician.search.preprocessing.outliers import screened
from autostatistician.search.preprocessing.transforms import Choice, chosen_beside, chosen_transform, may_be_mapped

__all__ = [
    "COUNTS",
    "LAWS",
    "LIKELIHOODS",
    "Choice",
    "check_counts",
    "choice_beside",
    "chosen_beside",
    "chosen_likelihood",
    "chosen_transform",
    "first_kernel",
    "may_be_counts",
    "may_be_mapped",
    "said_of_counts",
    "screened",
]
