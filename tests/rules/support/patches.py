"""Pieces of merge patches, and how they are joined."""


def with_(patch, more):
    merged = dict(patch)
    for key, value in more.items():
        merged[key] = with_(merged.get(key) or {}, value) if isinstance(value, dict) else value
    return merged


def claim(name, **fields):
    return {"claims": {name: fields}}


def arm(name, **fields):
    return {"arms": {name: fields}}


def measured(**measurement):
    return {"arms": {"a": {"measurement": measurement}}}


def both(*patches):
    found = {}
    for patch in patches:
        for key, value in patch.items():
            found[key] = (
                both(found[key], value) if isinstance(found.get(key), dict) and isinstance(value, dict) else value
            )
    return found
