"""Effects of columns beside a series: features with normal coefficients, integrated out together with the time."""
