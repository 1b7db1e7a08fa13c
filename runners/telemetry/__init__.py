"""Sensors read while a trial runs, by a process of its own: clocks, power, energy, temperature, throttling, pressure.

`process.py` reads them into a raw file a trial; `session.py` is the runner's side of it; `readings.py` reads the raw
file; `energy.py` judges the counters.
"""
