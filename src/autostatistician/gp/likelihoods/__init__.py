"""How observations come about from the function behind them."""
