"""From records to facts: the only place of the words' room that sees kernels and records."""
