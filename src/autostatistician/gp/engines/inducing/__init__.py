"""Tables of many rows by inducing points: the collapsed bound of Titsias, its gradient and its posterior."""
