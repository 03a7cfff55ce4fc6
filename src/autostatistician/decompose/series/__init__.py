"""Models of a series taken apart: the posterior of every part, its course, its checks."""
