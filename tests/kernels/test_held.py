"""A kernel that is held: called, as matrices, its gradient, its parameters by name."""

import numpy as np
import pandas as pd
import pytest

from autostatistician.errors import InputError
from autostatistician.gp.covariance import covariance
from autostatistician.kernels.kernel import Kernel, leaf
from autostatistician.kernels.text import format_kernel, parse, parse_kernel

X = np.array([0.0, 0.7, 2.0])
TEXTS = [
    "SE(lengthscale=2, sd=1.5) * Per(lengthscale=1, period=3, sd=1) + WN(sd=0.1)",
    "CP(Lin(sd=1, location=0.5), Matern32(lengthscale=2, sd=1); location=1, steepness=3) + C(sd=2)",
    "CW(SE(lengthscale=1, sd=1), SE(lengthscale=3, sd=1); location=1, steepness=3, width=2)",
]


@pytest.mark.parametrize("text", TEXTS)
def test_a_kernel_is_its_matrices(text: str) -> None:
    kernel = parse_kernel(text)
    np.testing.assert_array_equal(kernel.matrix(X), covariance(kernel, X))
    np.testing.assert_array_equal(kernel(X, X[:2]), covariance(kernel, X, X[:2]))
    np.testing.assert_allclose(kernel.diag(X), kernel.matrix(X).diagonal(), rtol=1e-12)
    assert kernel(0.0, 0.7) == kernel(X, X)[0, 1]
    assert parse_kernel(format_kernel(kernel)) == kernel


def test_kernels_add_and_multiply_as_their_matrices_do() -> None:
    one, other = map(parse_kernel, TEXTS[:2])
    np.testing.assert_allclose((one + other)(X, X), one(X, X) + other(X, X))
    np.testing.assert_allclose((one * other)(X, X), one(X, X) * other(X, X))


def test_the_gradient_is_that_of_the_formula() -> None:
    kernel = leaf("SE", lengthscale=2.0, sd=1.5) + leaf("WN", sd=0.1)
    gradient, square = kernel.gradient(X), np.subtract.outer(X, X) ** 2
    smooth = 2.25 * np.exp(-square / 8.0)
    np.testing.assert_allclose(gradient["SE.lengthscale"], smooth * square / 8.0, rtol=1e-9, atol=1e-11)
    np.testing.assert_allclose(gradient["SE.sd"], 2.0 * smooth / 1.5, rtol=1e-9)
    np.testing.assert_allclose(gradient["WN.sd"], 0.2 * np.eye(3), rtol=1e-9, atol=1e-11)


@pytest.mark.parametrize(
    "text",
    [
        *TEXTS,
        "Wiener(sd=0.7, location=-1) * Lin(sd=2, location=0.5) + WN(sd=0.3) * Lin(sd=2, location=0.5)",
        "CP(SE(lengthscale=1, sd=1) + WN(sd=0.2), C(sd=2) * WN(sd=3); location=1, steepness=3)",
    ],
)
@pytest.mark.parametrize("Z", [None, X[:2] + 0.3])
def test_the_gradient_is_that_of_differences(text: str, Z: np.ndarray | None) -> None:
    kernel, step = parse_kernel(text), 1e-6
    for name, slope in kernel.gradient(X, Z).items():
        above, below = (
            kernel.with_parameters({name: kernel.parameters[name] + sign * step}).matrix(X, Z) for sign in (1.0, -1.0)
        )
        np.testing.assert_allclose(slope, (above - below) / (2.0 * step), rtol=1e-6, atol=1e-7, err_msg=name)


def test_the_gradient_of_a_covariance_between_categories_is_that_of_differences() -> None:
    kernel, codes, step = Kernel(parse("Cat3r1"), (0.5, -0.4, 0.8, 0.3, 0.2, 0.6)), np.array([0.0, 2.0, 1.0]), 1e-6
    found = list(kernel.gradient(codes).values())
    for index, slope in enumerate(found):
        above, below = (
            Kernel(kernel.expr, tuple(np.array(kernel.values) + sign * step * np.eye(6)[index])).matrix(codes)
            for sign in (1.0, -1.0)
        )
        np.testing.assert_allclose(slope, (above - below) / (2.0 * step), atol=1e-8)


def test_parameters_have_names_of_their_own() -> None:
    kernel = parse_kernel(TEXTS[2])
    names = ["ChangeWindow.location", "ChangeWindow.steepness", "ChangeWindow.width"]
    names += ["SE.lengthscale", "SE.sd", "SE_2.lengthscale", "SE_2.sd"]
    assert list(kernel.parameters) == names
    changed = kernel.with_parameters({"SE_2.sd": 9.0})
    assert changed.parameters == kernel.parameters | {"SE_2.sd": 9.0}
    with pytest.raises(InputError, match=r"parameters among .*; found 'SE_3\.sd'"):
        kernel.with_parameters({"SE_3.sd": 1.0})


def test_columns_of_frames_are_those_of_the_leaves() -> None:
    frame = pd.DataFrame({"a": X, "b": X[::-1]})
    kernel = leaf("SE", "b", lengthscale=2.0, sd=1.0)
    np.testing.assert_allclose(kernel(frame), leaf("SE", lengthscale=2.0, sd=1.0)(X[::-1]))
    with pytest.raises(InputError, match="a number for each parameter of the kernel"):
        leaf("SE", "b", sd=1.0).diag(frame)
