"""Patches of a suite's result and of the description of its system."""

ARM = "retinanet"


def arm(**fields):
    return {"arms": {ARM: fields}}


def server(**fields):
    return {"systems": {"server": fields}}
