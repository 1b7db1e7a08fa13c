"""Knobs of the machine: `interface.py` says what one is, `registry.py` lists them."""
