"""Every face for scikit-learn: what fits, predicts and explains, with nothing but these rooms' functions behind it."""
