"""Files in the dialects of many programs and countries, as rows of cells."""
