"""Give it a table; it returns a model, a forecast and the page that explains them."""
