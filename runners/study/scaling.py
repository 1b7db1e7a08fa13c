"""A scaling study: one workload at several sizes, each an arm. What stays constant is declared, and enforced here.

    strong           one global batch at every size: how much sooner is the same step made?
    weak             one batch per rank: how much more work is done in the same time?
    time_to_target   trainings towards the target at every size: how much sooner is the same quality reached?

The base case is one process; where sizes take several nodes, a single node as full as theirs is measured as well.
Options are equal at all sizes, except for those that `varies` names. Convergence is checked at the largest size, whose
batch no other exceeds; a study of time to a target trains at all of them. Pure: from a spec to a spec.
"""

from __future__ import annotations

from typing import Any, Literal

from msgspec.structs import replace

from ...schemas.errors import UserError
from ...schemas.spec import ArmRequest, Launch, Scaling, Size, Spec
from ..workloads.parameters import BY_WORKLOAD, METRICS

Mode = Literal["strong", "weak", "time_to_target"]
BATCH = "global_batch"
AT = "/scaling"
RATES_ALONE = "kernel_benchmark"
"""Purpose of a study that says nothing of a training."""


def expanded(spec: Spec) -> Spec:
    """Return the spec with an arm for each size, and the smallest as the baseline; the same where it is none.

    Raises:
        UserError: the sizes leave open what scales, or convergence is not checked.
    """
    scaling = spec.scaling
    if scaling is None:
        return spec
    if spec.matrix is not None or {name: replace(arm, at="") for name, arm in spec.arms.items()} != {
        "base": ArmRequest()
    }:
        raise UserError("a scaling study has sizes, and this one has arms, too", "leave one of them out", AT)
    _check_sizes(scaling)
    _check_options(scaling)
    _check_trials(spec, scaling)
    arms = {name_of(size): _arm(scaling, size) for size in ordered(scaling)}
    claims = replace(spec.claims, baseline=next(iter(arms)))
    return replace(spec, arms=arms, claims=claims)


def ordered(scaling: Scaling) -> list[Size]:
    """Return the sizes, the smallest first."""
    return sorted(scaling.sizes, key=lambda size: (size.ranks, size.nodes))


def name_of(size: Size) -> str:
    """Return the arm of a size."""
    return f"ranks{size.ranks}" + (f"-nodes{size.nodes}" if size.nodes > 1 else "")


def trains(spec: Spec, arm: str) -> bool:
    """Whether an arm has the trials of the convergence check: in a scaling study the largest size, or all."""
    scaling = spec.scaling
    if scaling is None or scaling.mode == "time_to_target":
        return True
    return arm == name_of(ordered(scaling)[-1])


def _arm(scaling: Scaling, size: Size) -> ArmRequest:
    batch = scaling.global_batch
    if scaling.mode == "weak" and scaling.batch_per_rank is not None:
        batch = scaling.batch_per_rank * size.ranks
    options: dict[str, Any] = {**scaling.options, BATCH: batch, **size.options}
    ranks = f"{size.ranks} rank" + ("s" if size.ranks > 1 else "")
    label = ranks + (f" on {size.nodes} nodes" if size.nodes > 1 else " on 1 node")
    return ArmRequest(label=label, options=options, launch=Launch(ranks=size.ranks, nodes=size.nodes))


def _check_sizes(scaling: Scaling) -> None:
    sizes = ordered(scaling)
    if len({(size.ranks, size.nodes) for size in sizes}) < len(sizes):
        raise UserError("two sizes are the same", "leave one out", f"{AT}/sizes")
    if sizes[0].ranks != 1:
        todo = "add a size of one rank"
        raise UserError(
            f"the smallest size has {sizes[0].ranks} ranks, and the base is one process", todo, f"{AT}/sizes"
        )
    for size in sizes:
        full = size.ranks // size.nodes
        if size.nodes > 1 and not any(one.nodes == 1 and one.ranks == full for one in sizes):
            raise UserError(
                f"{size.ranks} ranks on {size.nodes} nodes have no single node as full beside them",
                f"add a size of {full} ranks on one node",
                f"{AT}/sizes",
            )


def _check_options(scaling: Scaling) -> None:
    wanted, other = ("batch_per_rank", BATCH) if scaling.mode == "weak" else (BATCH, "batch_per_rank")
    if getattr(scaling, wanted) is None or getattr(scaling, other) is not None:
        raise UserError(f"{scaling.mode} scaling is described by {wanted} alone", f"give {wanted}", f"{AT}/{wanted}")
    fixed = {BATCH} if scaling.mode != "time_to_target" else set()
    for index, size in enumerate(scaling.sizes):
        held = sorted(set(size.options) & fixed)
        unnamed = sorted(set(size.options) - set(scaling.varies))
        if held:
            todo = "leave it out of the sizes, or measure the time to a target"
            raise UserError(f"{scaling.mode} scaling itself sets {held[0]}", todo, f"{AT}/sizes/{index}/options")
        if unnamed:
            todo = f"name it in {AT}/varies, or give it to all sizes in {AT}/options"
            raise UserError(f"{', '.join(unnamed)} differs from size to size", todo, f"{AT}/sizes/{index}/options")
    if BATCH in scaling.options:
        raise UserError(f"{BATCH} is among the options", f"give it as {AT}/{BATCH}", f"{AT}/options")
    for size in scaling.sizes:
        batch = size.options.get(BATCH, scaling.global_batch)
        if isinstance(batch, int) and batch % size.ranks:
            todo = "make it a multiple of every size"
            raise UserError(f"a global batch of {batch} does not divide over {size.ranks} ranks", todo, f"{AT}/{BATCH}")


def _check_trials(spec: Spec, scaling: Scaling) -> None:
    if scaling.mode == "time_to_target":
        if spec.convergence is None:
            raise UserError("time to a target needs training runs", "add `convergence`", "/convergence")
        return
    if spec.throughput is None:
        raise UserError(f"{scaling.mode} scaling needs timed iterations", "add `throughput`", "/throughput")
    name = spec.workload.name
    untrained = name in BY_WORKLOAD and name not in METRICS
    if spec.convergence is None and not untrained and spec.claims.purpose != RATES_ALONE:
        raise UserError(
            "nothing shows that the largest size still learns",
            f"add `convergence`, or say claims.purpose: {RATES_ALONE}",
            "/convergence",
        )
