"""What may be said: facts with a number, a unit, an interval and the evidence for it."""
