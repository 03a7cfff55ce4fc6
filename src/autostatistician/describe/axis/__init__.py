"""What words need to know of the data: positions and lengths along their axis, and the scale of their values."""
