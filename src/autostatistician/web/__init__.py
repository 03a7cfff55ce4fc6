"""A web page where anyone can get a report: upload, watch, read (the extra ``web``)."""
