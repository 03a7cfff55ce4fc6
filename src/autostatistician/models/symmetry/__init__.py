"""Symmetries: priors and a regressor for functions that do not change, or change sign, under a finite group of maps."""

from autostatistician.models.symmetry.elements import Group as Group
from autostatistician.models.symmetry.elements import generated as generated
from autostatistician.models.symmetry.elements import group as group
from autostatistician.models.symmetry.elements import permutations as permutations
from autostatistician.models.symmetry.elements import reflection as reflection
from autostatistician.models.symmetry.elements import rotations as rotations
from autostatistician.models.symmetry.elements import shifts_and_turns as shifts_and_turns
from autostatistician.models.symmetry.elements import swap as swap
from autostatistician.models.symmetry.elements import translations as translations
from autostatistician.models.symmetry.search import Symmetry as Symmetry
from autostatistician.models.symmetry.search import beforehand as beforehand
from autostatistician.models.symmetry.views import Chain as Chain
from autostatistician.models.symmetry.views import Inputs as Inputs
from autostatistician.models.symmetry.views import Multiplier as Multiplier
from autostatistician.models.symmetry.views import OrbitProduct as OrbitProduct
from autostatistician.models.symmetry.views import OrbitSum as OrbitSum
from autostatistician.models.symmetry.views import Projection as Projection
from autostatistician.models.symmetry.views import view_covariance as view_covariance

__all__ = [
    "Chain",
    "Group",
    "Inputs",
    "Multiplier",
    "OrbitProduct",
    "OrbitSum",
    "Projection",
    "Symmetry",
    "beforehand",
    "generated",
    "group",
    "permutations",
    "reflection",
    "rotations",
    "shifts_and_turns",
    "swap",
    "translations",
    "view_covariance",
]
