"""Inference where the matrix of all rows is constant along its diagonals: stationary models on a grid."""
