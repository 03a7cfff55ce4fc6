"""Any table or series in, float64 out: files, times, roles of columns, checks, maps of the target, examples."""
