"""Configuration files of LoadGen, as user.conf and mlperf.conf: settings by model and scenario."""

from __future__ import annotations

from ....schemas.pattern import Pattern

LONGEST_LINE, MOST_LINES = 400, 2000
_SETTING = Pattern(r"\s*([\w.*-]{1,80})\.(\w{1,20}|\*)\.(\w{1,60})\s*=\s*([^#]{1,60}?)\s*(?:#.*)?\Z")


def read_settings(text: str, benchmark: str, scenario: str) -> dict[str, str]:
    """Return the settings of a file that hold for a benchmark in a scenario.

    LoadGen lets a line for a model or a scenario win over one for all. The file's name of a model may be shorter than
    the benchmark's: "llama2-70b" is that of "llama2-70b-99".
    """
    found: dict[str, tuple[int, str]] = {}
    for line in text.split("\n")[:MOST_LINES]:
        matched = _SETTING.match(line.rstrip("\r")) if len(line) <= LONGEST_LINE else None
        if matched is None:
            continue
        model, place, name, value = matched.groups()
        if (model != "*" and not _is_model(model, benchmark)) or place.casefold() not in {"*", scenario.casefold()}:
            continue
        weight = 2 * (place != "*") + (model != "*")
        if name not in found or weight >= found[name][0]:
            found[name] = weight, value
    return {name: value for name, (_, value) in found.items()}


def _is_model(model: str, benchmark: str) -> bool:
    """Whether a file's name of a model is that of a benchmark, which may bear a share of the reference accuracy."""
    name, full = model.casefold(), benchmark.casefold()
    return full in {name, f"{name}-99", f"{name}-99.9"} or {name, full} == {"resnet", "resnet50"}
