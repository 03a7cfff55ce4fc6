"""The classes of scikit-learn that estimators inherit; ``typed.pyi`` says the types that it does not publish.

A class that inherits from one without types takes any keyword and has any method for a type checker: a misspelt one
would pass.
"""

from sklearn.base import (
    BaseEstimator,
    ClassifierMixin,
    ClassNamePrefixFeaturesOutMixin,
    ClusterMixin,
    DensityMixin,
    RegressorMixin,
    TransformerMixin,
)

__all__ = [
    "BaseEstimator", "ClassNamePrefixFeaturesOutMixin", "ClassifierMixin", "ClusterMixin", "DensityMixin",
    "RegressorMixin", "TransformerMixin",
]  # fmt: skip
