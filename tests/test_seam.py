"""The seam holds: another engine and another likelihood go through search, report and forecast as they are."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import approx_fprime

from autostatistician.data.dataset import from_arrays
from autostatistician.data.transform import Transform
from autostatistician.describe.tell import document, sentences
from autostatistician.inference.covariance import covariance
from autostatistician.inference.engines import choice
from autostatistician.inference.factor import NotPositiveDefinite
from autostatistician.inference.posterior import ExactPosterior, conditioned_on
from autostatistician.inference.predictive import Predictive
from autostatistician.inference.problem import Problem
from autostatistician.language.expr import Expr, Leaf
from autostatistician.language.kernel import Kernel, parameters
from autostatistician.language.traits import is_noise

Array = NDArray[np.float64]
