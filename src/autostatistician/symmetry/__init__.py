"""Symmetries: priors and a regressor for functions that do not change, or change sign, under a finite group of maps."""

from autostatistician.symmetry.elements import Group as Group
from autostatistician.symmetry.elements import generated as generated
from autostatistician.symmetry.elements import group as group
from autostatistician.symmetry.elements import permutations as permutations
from autostatistician.symmetry.elements import reflection as reflection
from autostatistician.symmetry.elements import rotations as rotations
from autostatistician.symmetry.elements import shifts_and_turns as shifts_and_turns
from autostatistician.symmetry.elements import swap as swap
from autostatistician.symmetry.elements import translations as translations
from autostatistician.symmetry.search import Symmetry as Symmetry
from autostatistician.symmetry.search import beforehand as beforehand
from autostatistician.symmetry.views import Chain as Chain
from autostatistician.symmetry.views import Inputs as Inputs
from autostatistician.symmetry.views import Multiplier as Multiplier
from autostatistician.symmetry.views import OrbitProduct as OrbitProduct
from autostatistician.symmetry.views import OrbitSum as OrbitSum
from autostatistician.symmetry.views import Projection as Projection
from autostatistician.symmetry.views import view_covariance as view_covariance

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
