"""Facts about printed numbers: intervals, units, ratios, and how far two numbers lie apart."""
