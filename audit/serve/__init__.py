"""A local page over a folder of studies and verdicts: read-only, on this machine alone."""
