"""Faces for other libraries of forecasting; each module needs the library that it is named after, and says so."""
