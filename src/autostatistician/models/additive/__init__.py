"""Additive Gaussian processes: sums over all subsets of the columns, order by order (Duvenaud et al. 2011)."""
