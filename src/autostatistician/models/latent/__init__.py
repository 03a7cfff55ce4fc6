"""Rows seen from places that nobody observed: latent coordinates, and densities and clusters by them."""
