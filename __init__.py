__version__ = "0.1.0"


def __getattr__(name: str) -> object:
    """Give `dlaudit.study` when it is asked for: a program that measures nothing loads nothing."""
    if name == "study":
        from .runners.meter.meter import study

        return study
    raise AttributeError(name)
