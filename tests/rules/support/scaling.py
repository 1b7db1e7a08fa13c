"""Patches of a table that grows in devices."""


def rows(**changes):
    return {"tables": {"nodes": {"rows": changes}}}


RUNS = tuple(f"s{i}" for i in range(1, 6))
NAMES = ("r1", "r2", "r4", "r8")


def batches(*sizes, label="strong", claim_label=None, **more):
    rows = {name: {"options": {"global_batch": size}} for name, size in zip(NAMES, sizes, strict=True)}
    table = {"rows": rows, "label": label}
    claim = {"label": claim_label, **more}
    return {"tables": {"nodes": table}, "claims": {"speedup": claim}}


def unknown(*names):
    """Rows on device counts of their own, which no arm's batch describes."""
    counts = {"r1": 9, "r2": 18, "r4": 36, "r8": 72}
    rows = {name: {"devices": counts[name], "options": None} for name in names}
    return {"tables": {"nodes": {"rows": rows}}}
