"""One vocabulary of claims: what may be said of a series, with its number, its probability and a second witness."""
