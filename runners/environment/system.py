"""Operating system, kernel, boot, container and virtual machine."""

from __future__ import annotations

import platform
from pathlib import Path

from .fact import Fact, Facts, read_text, unverifiable

CONTAINER_MARKS = (
    ("/.dockerenv", "docker"),
    ("/run/.containerenv", "podman"),
    ("/.singularity.d", "singularity"),
)
HYPERVISORS = (
    "kvm",
    "qemu",
    "vmware",
    "virtualbox",
    "xen",
    "hyper-v",
    "microsoft",
    "amazon",
    "google",
    "openstack",
    "firecracker",
)


def operating_system(sysroot: Path) -> Facts:
    """Return the distribution, kernel and boot id of this node."""
    release = read_text(sysroot, "/etc/os-release")
    name = None
    if release.known:
        for line in str(release.value).splitlines():
            if line.startswith("PRETTY_NAME="):
                name = line.partition("=")[2].strip("\"'")
    kernel = read_text(sysroot, "/proc/sys/kernel/osrelease")
    return {
        "distribution": Fact(name) if name else unverifiable("/etc/os-release does not tell"),
        "kernel": kernel if kernel.known else Fact(platform.release()),
        "boot_id": read_text(sysroot, "/proc/sys/kernel/random/boot_id"),
    }


def container(sysroot: Path) -> Fact:
    """Return the kind of container that this process runs in, or `none`."""
    for mark, kind in CONTAINER_MARKS:
        if (sysroot / mark.lstrip("/")).exists():
            return Fact(kind)
    groups = read_text(sysroot, "/proc/1/cgroup")
    if not groups.known:
        return groups
    for kind in ("docker", "kubepods", "containerd", "lxc", "libpod"):
        if kind in str(groups.value):
            return Fact(kind)
    return Fact("none")


def virtual_machine(sysroot: Path) -> Fact:
    """Return the hypervisor below this system, or `none`."""
    for path in ("/sys/hypervisor/type", "/sys/class/dmi/id/sys_vendor", "/sys/class/dmi/id/product_name"):
        text = read_text(sysroot, path)
        if text.known:
            found = next((name for name in HYPERVISORS if name in str(text.value).lower()), None)
            if found:
                return Fact(found)
    flags = read_text(sysroot, "/proc/cpuinfo")
    if not flags.known:
        return flags
    flagged = any(
        line.startswith("flags") and "hypervisor" in line.partition(":")[2].split()
        for line in str(flags.value).splitlines()
    )
    return Fact("unnamed hypervisor") if flagged else Fact("none")
