"""What is decided about the data before a search: values that are set aside, and the scale of the target."""

from autostatistician.search.before.outliers import screened
from autostatistician.search.before.transforms import Choice, chosen_beside, chosen_transform, may_have_logarithm

__all__ = ["Choice", "chosen_beside", "chosen_transform", "may_have_logarithm", "screened"]
