"""The posterior of a function: its parts at test points, and what new observations do to it."""

from autostatistician.gp.posterior.functionals import (
    ColumnPrior,
    Covariances,
    Functional,
    Means,
    PartLevel,
    Prior,
    Values,
)
from autostatistician.gp.posterior.posterior import (
    Conditioned,
    ExactPosterior,
    Posterior,
    conditioned,
    conditioned_on,
    covariance_of,
    given_before,
    misfit,
    with_functions,
)
from autostatistician.gp.posterior.projection import (
    Dense,
    Projection,
    Reduction,
    draw,
    repeated,
    root,
    spread_normals,
    total,
)

__all__ = [
    "ColumnPrior",
    "Conditioned",
    "Covariances",
    "Dense",
    "ExactPosterior",
    "Functional",
    "Means",
    "PartLevel",
    "Posterior",
    "Prior",
    "Projection",
    "Reduction",
    "Values",
    "conditioned",
    "conditioned_on",
    "covariance_of",
    "draw",
    "given_before",
    "misfit",
    "repeated",
    "root",
    "spread_normals",
    "total",
    "with_functions",
]
