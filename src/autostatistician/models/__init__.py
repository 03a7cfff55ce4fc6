"""Models with a mathematics of their own, without words or pages."""
