"""The parts of a model as numbers: they add up to its prediction, and their names tell them apart."""

from __future__ import annotations

import numpy as np
import pytest

from autostatistician.data.dataset import Dataset, from_arrays
from autostatistician.errors import InputError
from autostatistician.estimators.components import Components
from autostatistician.language.kernel import Kernel
from autostatistician.language.text import parse_kernel
from autostatistician.model.fitted import Model
from autostatistician.search.run import Settings
from autostatistician.search.state import Candidate, SearchResult

X = np.arange(24.0)
LINE = from_arrays(X, 0.3 * X + np.sin(X) + 5.0)
PLANE = from_arrays(np.column_stack([X, X**2 % 7.0]), np.sin(X), ("a", "b"))
TWICE = "SE(lengthscale=2, sd=1) + SE(lengthscale=30, sd=3) + Lin(sd=0.3, location=4) + WN(sd=0.5)"


def _model(kernel: Kernel, data: Dataset) -> Model:
    best = Candidate(kernel, 1.0, 2.0, 0)
    return Model(data, "full", Settings(criterion="bic"), SearchResult(best, (best,), (), 1, 0.0, "", False))


def test_parts_of_one_expression_are_numbered() -> None:
    assert sorted(Components(_model(parse_kernel(TWICE), LINE)).names) == ["Lin", "SE", "SE (2)"]


def test_means_add_up_to_the_signal_and_covariances_to_its_covariance() -> None:
    model, at = _model(parse_kernel(TWICE), LINE), np.array([[-1.0], [3.5], [40.0]])
    found = Components(model)
    mean, cov = model.posterior.signal_joint(at)
    np.testing.assert_allclose(found.means(at).sum(axis=1), mean)
    np.testing.assert_allclose(found.covariance(at).sum(axis=(0, 1)), cov, atol=1e-9)
    assert found.covariance().shape == (3, 3, 24, 24)
    shared = found.correlation(at)
    np.testing.assert_allclose(np.einsum("iiaa->ia", shared), 1.0)
    assert np.abs(shared).max() <= 1.0


def test_the_rows_by_default_are_those_of_the_data_in_their_order() -> None:
    turned = Dataset(LINE.X[::-1], LINE.y[::-1], LINE.columns, LINE.target, LINE.axis)
    one, other = (Components(_model(parse_kernel(TWICE), data)).covariance() for data in (LINE, turned))
    np.testing.assert_allclose(other, one[:, :, ::-1, ::-1], atol=1e-12)


def test_noise_alone_has_no_parts() -> None:
    found = Components(_model(parse_kernel("WN(sd=1)"), LINE))
    assert found.parts == ()
    assert found.means(LINE.X).shape == (24, 0)


def test_a_model_of_products_over_columns_cannot_be_drawn_along_one() -> None:
    both = parse_kernel("SE[a](lengthscale=2, sd=1) * SE[b](lengthscale=3, sd=1) + WN(sd=0.5)")
    with pytest.raises(InputError, match="along a single column"):
        Components(_model(both, PLANE)).correlation_figure(9)
