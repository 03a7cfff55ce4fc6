"""TODO: one line that says what the room holds."""
