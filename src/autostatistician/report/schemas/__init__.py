"""JSON schemas (draft 2020-12) of what is printed and written for machines; `autostatistician schema` prints them."""
