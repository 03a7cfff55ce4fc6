"""Many series of one table: searched side by side with what they share, recorded in plain values, forecast together."""
