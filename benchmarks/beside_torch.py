"""GPyTorch in `beside.py`: exact, by interpolation on a grid (SKI), and stochastic with inducing points (SVGP)."""

import math
from typing import Any

import gpytorch
import numpy as np
import torch

from beside_engines import PERIODIC, Array, Engine, Numbers

STEPS, RATE = 50, 0.1  # of Adam, as in the examples of GPyTorch
STEPS_OF_BATCHES, RATE_OF_BATCHES = 100, 0.05
MOST_POINTS, BATCH = 500, 1024

torch.set_num_threads(1)
torch.set_default_dtype(torch.float64)


def covariance(of: Numbers) -> Any:
    """The same sum of kernels as ours."""
    kernels = gpytorch.kernels

    def sized(kernel: Any, sd: float, share: float = 1.0) -> Any:
        made = kernels.ScaleKernel(kernel)
        made.outputscale = sd**2 / share
        return made

    def smooth(scale: float) -> Any:
        made = kernels.RBFKernel()
        made.lengthscale = scale
        return made

    def cycle(name: str) -> Any:
        made = kernels.PeriodicKernel()
        made.lengthscale, made.period_length = of[f"{name}_shape"] ** 2, of[f"{name}_period"]
        return made

    return (
        sized(smooth(of["slow_scale"]), of["slow_sd"])
        + sized(smooth(of["drift_scale"]) * cycle("day"), of["day_sd"], PERIODIC)
        + sized(cycle("week"), of["week_sd"], PERIODIC)
        + sized(smooth(of["quick_scale"]), of["quick_sd"])
    )


class _Matrix(gpytorch.models.ExactGP):
    def __init__(self, x: Any, y: Any, likelihood: Any, covariance: Any) -> None:
        super().__init__(x, y, likelihood)
        self.mean_module, self.covar_module = gpytorch.means.ZeroMean(), covariance

    def forward(self, x: Any) -> Any:
        return gpytorch.distributions.MultivariateNormal(self.mean_module(x), self.covar_module(x))


class _Sparse(gpytorch.models.ApproximateGP):
    def __init__(self, points: Any, covariance: Any) -> None:
        free = gpytorch.variational.CholeskyVariationalDistribution(len(points))
        super().__init__(gpytorch.variational.VariationalStrategy(self, points, free))
        self.mean_module, self.covar_module = gpytorch.means.ZeroMean(), covariance

    def forward(self, x: Any) -> Any:
        return gpytorch.distributions.MultivariateNormal(self.mean_module(x), self.covar_module(x))


class _Exact(Engine):
    """One matrix and its Cholesky factor, at every size."""

    package = "gpytorch"
    note = "Cholesky, 50 steps of Adam"
    most_cholesky = 10**7

    def begin(self) -> None:
        self.x, self.y = torch.as_tensor(self.data.x), torch.as_tensor(self.data.y)
        self.noise = gpytorch.likelihoods.GaussianLikelihood()
        self.noise.noise = self.numbers["noise_sd"] ** 2
        self.model = _Matrix(self.x, self.y, self.noise, self.kernel())
        self.misfit = gpytorch.mlls.ExactMarginalLogLikelihood(self.noise, self.model)

    def kernel(self) -> Any:
        return covariance(self.numbers)

    def likelihood(self) -> float | None:
        self.model.train()
        self.model.zero_grad()
        with gpytorch.settings.max_cholesky_size(self.most_cholesky):
            loss = -self.misfit(self.model(self.x), self.y)
            loss.backward()
        return float(loss) * len(self.y)

    def fit(self) -> float | None:
        adam = torch.optim.Adam(self.model.parameters(), lr=RATE)
        value = math.nan
        for _ in range(STEPS):
            value = self.likelihood()
            adam.step()
        return value

    def predict(self) -> tuple[Array, Array | None]:
        self.model.eval()
        self.noise.eval()
        most = gpytorch.settings.max_cholesky_size(self.most_cholesky)
        with torch.no_grad(), most, gpytorch.settings.fast_pred_var():
            found = self.noise(self.model(torch.as_tensor(self.data.x_new)))
            return found.mean.numpy(), np.sqrt(found.variance.numpy())


class _Ski(_Exact):
    """As many places of a grid as there are rows, conjugate gradients from 800 rows on, both as by default."""

    note = "a place of the grid for each row, conjugate gradients, 50 steps of Adam"
    most_cholesky = 800

    def kernel(self) -> Any:
        every = np.concatenate([self.data.x, self.data.x_new])
        ends = (float(every.min()), float(every.max()))
        return gpytorch.kernels.GridInterpolationKernel(
            super().kernel(), grid_size=len(every), num_dims=1, grid_bounds=[ends]
        )


class _Svgp(Engine):
    """Minibatches of 1024 rows, equally many whatever the number of rows."""

    package = "gpytorch"
    note = "500 inducing points, minibatches of 1024: of all rows once, 100 steps of Adam in a fit"

    def begin(self) -> None:
        x, n = self.data.x, len(self.data.y)
        self.x, self.y = torch.as_tensor(x)[:, None], torch.as_tensor(self.data.y)
        points = np.linspace(x[0], x[-1], min(MOST_POINTS, n // 2))
        self.noise = gpytorch.likelihoods.GaussianLikelihood()
        self.noise.noise = self.numbers["noise_sd"] ** 2
        self.model = _Sparse(torch.as_tensor(points)[:, None], covariance(self.numbers))
        self.misfit = gpytorch.mlls.VariationalELBO(self.noise, self.model, n)

    def likelihood(self) -> float | None:
        """The whole bound with its gradient; before a fit its value tells nothing."""
        self.model.zero_grad()
        for begin in range(0, len(self.y), BATCH):
            x, y = self.x[begin : begin + BATCH], self.y[begin : begin + BATCH]
            (-self.misfit(self.model(x), y) * len(y) / len(self.y)).backward()
        return None

    def fit(self) -> float | None:
        n = len(self.y)
        drawn = torch.Generator().manual_seed(0)
        adam = torch.optim.Adam([*self.model.parameters(), *self.noise.parameters()], lr=RATE_OF_BATCHES)
        left: list[Any] = []
        for _ in range(STEPS_OF_BATCHES):
            left = left or list(torch.randperm(n, generator=drawn).split(BATCH))
            rows = left.pop()
            self.model.zero_grad()
            loss = -self.misfit(self.model(self.x[rows]), self.y[rows])
            loss.backward()
            adam.step()
        return None

    def predict(self) -> tuple[Array, Array | None]:
        self.model.eval()
        with torch.no_grad():
            found = self.noise(self.model(torch.as_tensor(self.data.x_new)[:, None]))
            return found.mean.numpy(), np.sqrt(found.variance.numpy())


ENGINES = {"GPyTorch": _Exact, "GPyTorch SKI": _Ski, "GPyTorch SVGP": _Svgp}
