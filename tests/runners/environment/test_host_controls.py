"""Knobs of the host on trees of files as Linux has them, and the knobs of a trial's process on this very machine."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from dlaudit.runners.environment import cgroup, effective_clock, load
from dlaudit.runners.environment.control import reserved, turned
from dlaudit.runners.environment.knobs import governor, smt, transparent_huge_pages, turbo
from dlaudit.runners.environment.knobs.interface import Refused
from dlaudit.runners.trial import address_layout, disturbance, events, memory_nodes
from dlaudit.schemas.errors import EnvironmentRefused
from dlaudit.schemas.model import to_model
from dlaudit.schemas.spec import Spec

linux = pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
CPU = "sys/devices/system/cpu"
MACHINE = {
    **{f"{CPU}/cpu{n}/cpufreq/scaling_governor": "powersave\n" for n in range(4)},
    **{f"{CPU}/cpu{n}/cpufreq/scaling_available_governors": "performance powersave\n" for n in range(4)},
    f"{CPU}/intel_pstate/no_turbo": "0\n",
    f"{CPU}/smt/control": "on\n",
    f"{CPU}/smt/active": "1\n",
    "sys/kernel/mm/transparent_hugepage/enabled": "always [madvise] never\n",
}


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A host's files below a folder, and folders for journal and locks."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("DLAUDIT_LOCKS", str(tmp_path))
    root = tmp_path / "root"
    fill(root, MACHINE)
    return root


def fill(root, files):
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def snapshot(root):
    return {name: (root / name).read_text().strip() for name in MACHINE}


def spec(**controls):
    throughput = {"iterations": 5}
    workload = {"command": ["true"]}
    return to_model(
        {"dlaudit": "spec/1", "title": "t", "workload": workload, "throughput": throughput, "controls": controls}, Spec
    )


def session(root, during=lambda: None, **controls):
    """Turn knobs as a study does; return the record of each, its restoration and the lines for the user."""
    lines = []
    with reserved(spec(**controls), lines.append, root) as held:
        with turned(held, "s", lines.append):
            watch = held.watch()
            during()
            found = watch.end()
        return {record.knob: record for record in found}, held.restorations(), lines


def test_what_is_asked_is_set_seen_and_put_back(machine):
    before, seen = snapshot(machine), {}
    records, restored, lines = session(
        machine, lambda: seen.update(snapshot(machine)), governor="performance", turbo=False
    )
    assert {seen[f"{CPU}/cpu{n}/cpufreq/scaling_governor"] for n in range(4)} == {"performance"}
    assert seen[f"{CPU}/intel_pstate/no_turbo"] == "1"
    assert {name: record.verified for name, record in records.items()} == {"governor": "verified", "turbo": "verified"}
    assert (records["governor"].found, records["turbo"].found) == ("performance", False)
    assert {name: one["restored"] for name, one in restored.items()} == {"governor": "restored", "turbo": "restored"}
    assert (snapshot(machine), lines) == (before, [])


def test_what_is_not_asked_is_left_alone(machine):
    seen = {}
    session(machine, lambda: seen.update(snapshot(machine)), turbo=False)
    assert seen | {f"{CPU}/intel_pstate/no_turbo": "0"} == snapshot(machine)


def test_a_governor_that_changes_while_a_trial_runs_contradicts(machine):
    file = machine / CPU / "cpu2/cpufreq/scaling_governor"
    records, *_ = session(machine, lambda: file.write_text("powersave\n"), governor="performance")
    assert records["governor"].verified == "contradicted"
    assert records["governor"].found == "performance powersave"


def test_a_switch_without_effect_contradicts(machine):
    records, restored, _ = session(machine, smt=False)
    assert (records["smt"].verified, records["smt"].found) == ("contradicted", True)
    assert restored["smt"]["restored"] == "restored"
    assert (machine / CPU / "smt/control").read_text() == "on"


def test_boost_of_amd_is_the_other_way_round(machine):
    (machine / CPU / "intel_pstate/no_turbo").unlink()
    fill(machine, {f"{CPU}/cpufreq/boost": "1\n"})
    seen = []
    records, *_ = session(machine, lambda: seen.append((machine / CPU / "cpufreq/boost").read_text()), turbo=False)
    assert (seen, records["turbo"].verified) == (["0"], "verified")
    assert (machine / CPU / "cpufreq/boost").read_text() == "1"


@pytest.mark.parametrize("module", [governor, turbo, smt, transparent_huge_pages])
def test_a_machine_without_such_a_thing_says_so(tmp_path, module):
    with pytest.raises(Refused) as refused:
        module.read(str(tmp_path))
    assert refused.value.state == "unverifiable"


@pytest.mark.parametrize(
    ("changes", "controls", "words"),
    [
        ({}, {"governor": "schedutil"}, "performance or powersave"),
        ({f"{CPU}/smt/control": "notsupported\n"}, {"smt": False}, "cannot be switched"),
        ({"sys/kernel/mm/transparent_hugepage/enabled": "x"}, {"transparent_huge_pages": "never"}, "no choice"),
    ],
)
def test_what_cannot_be_had_is_recorded_and_changes_nothing(machine, changes, controls, words):
    fill(machine, changes)
    before = snapshot(machine)
    records, _, lines = session(machine, **controls)
    (record,) = records.values()
    assert record.verified == "unverifiable"
    assert words in record.evidence
    assert words in lines[0]
    assert snapshot(machine) == before
    with pytest.raises(EnvironmentRefused):
        session(machine, **controls, required=True)


def up_to_the_temporary_one(path):
    """The folder and those above it that are not everybody's already, which another account has to pass."""
    top = Path(tempfile.gettempdir()).resolve()
    return [folder for folder in (path, *path.parents) if top in folder.parents]


@pytest.mark.skipif(os.geteuid() != 0, reason="changes to another account for a while")
def test_without_the_right_to_write_none_of_the_processors_is_changed(machine):
    for path in machine.rglob("*"):
        path.chmod(0o777 if path.is_dir() else 0o666)
    for folder in up_to_the_temporary_one(machine):
        folder.chmod(0o777)
    (machine / CPU / "cpu3/cpufreq/scaling_governor").chmod(0o444)
    before = snapshot(machine)
    os.seteuid(65534)
    try:
        with pytest.raises(Refused) as refused:
            governor.apply(str(machine), "performance")
    finally:
        os.seteuid(0)
    assert refused.value.state == "not_permitted"
    assert snapshot(machine) == before


SUDO = """#!/bin/bash
# A shell whose effective account is not its real one, root here, becomes the real one.
case "$1 $3" in "-n "*/no_turbo) shift; exec "$@" ;; esac
exit 1
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="changes to another account for a while")
def test_one_line_for_sudoers_is_enough_for_its_file(machine, tmp_path, monkeypatch):
    sudo = tmp_path / "bin/sudo"
    sudo.parent.mkdir()
    sudo.write_text(SUDO)
    for path in (tmp_path, *tmp_path.rglob("*"), *up_to_the_temporary_one(tmp_path)):
        path.chmod(0o755)
    monkeypatch.setenv("PATH", f"{sudo.parent}:{os.environ['PATH']}")
    os.seteuid(65534)
    try:
        turbo.apply(str(machine), False)
        with pytest.raises(Refused):
            smt.apply(str(machine), False)
    finally:
        os.seteuid(0)
    assert turbo.read(str(machine)) == {f"/{CPU}/intel_pstate/no_turbo": "1"}


def test_a_killed_session_is_put_back_by_the_next_one(machine):
    before = snapshot(machine)
    program = f"""
import os, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from pathlib import Path
from test_host_controls import session
session(Path({str(machine)!r}), lambda: os.kill(os.getpid(), 9), governor="performance", turbo=False)
"""
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == -9
    assert snapshot(machine) != before
    _, _, lines = session(machine)
    assert snapshot(machine) == before
    assert sum("it has been put back" in line for line in lines) == 2


@linux
@pytest.mark.skipif(not os.environ.get("DLAUDIT_TURN_HOST"), reason="turns a knob of this machine: DLAUDIT_TURN_HOST=1")
def test_huge_pages_of_this_machine(machine):
    now = transparent_huge_pages.read("/")
    other = "always" if now != "always" else "madvise"
    records, restored, _ = session(Path("/"), transparent_huge_pages=other)
    assert records["transparent_huge_pages"].verified == "verified"
    assert restored["transparent_huge_pages"]["restored"] == "restored"
    assert transparent_huge_pages.read("/") == now


@linux
@pytest.mark.skipif(not os.environ.get("DLAUDIT_TURN_HOST"), reason="turns a knob of this machine: DLAUDIT_TURN_HOST=1")
def test_a_control_group_of_this_machine_is_joined_and_removed_even_after_a_kill(machine, start_trial):
    made = cgroup.own_group(Path("/"))
    if made is None:
        pytest.skip("no control group here divides processors")
    cpu, seen = min(os.sched_getaffinity(0)), []
    small = {"name": "gemm", "m": 8, "n": 8, "k": 8}
    records, restored, _ = session(
        Path("/"), lambda: seen.append(start_trial(small, controls={"cpuset": [cpu], "threads": 1})), cpuset=[cpu]
    )
    assert (records["cpuset"].verified, restored["cpuset"]["restored"]) == ("verified", "restored")
    own = process_records(seen[0])
    assert (own["cpuset"].verified, own["affinity"].found) == ("verified", str(cpu))
    assert not Path(made.path).exists()
    program = f"""
import os, sys
sys.path.insert(0, {str(Path(__file__).parent)!r})
from pathlib import Path
from test_host_controls import session
from dlaudit.runners.study import group
session(Path("/"), lambda: (group.join(), os.kill(os.getpid(), 9)), cpuset=[{cpu}])
"""
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == -9
    assert Path(made.path).exists()
    session(machine)
    assert not Path(made.path).exists()
    refused = process_records(start_trial(small, controls={"cpuset": [cpu], "threads": 1}))["cpuset"]
    assert (refused.verified, refused.applied) == ("not_permitted", None)


def test_a_control_group_that_takes_no_processors_is_not_left_behind(machine):
    fill(
        machine, {"sys/fs/cgroup/cgroup.controllers": "cpuset cpu\n", "sys/fs/cgroup/cgroup.subtree_control": "cpuset"}
    )
    records, _, lines = session(machine, cpuset=[0])
    assert records["cpuset"].verified == "unverifiable"
    assert "cpuset.cpus does not exist" in lines[0]
    assert not (machine / "sys/fs/cgroup/dlaudit").exists()


def process_records(trial):
    return {record.knob: record for record in trial.only(events.Controls).records}


@linux
@pytest.mark.parametrize("wanted", [False, True])
def test_the_address_layout_is_seen_in_programs_that_start(start_trial, wanted):
    if not wanted and address_layout.refusal() is not None:
        pytest.skip(address_layout.refusal())
    small = {"name": "gemm", "m": 8, "n": 8, "k": 8}
    record = process_records(start_trial(small, controls={"aslr": wanted, "threads": 1}))["aslr"]
    assert (record.requested, record.found, record.verified) == (wanted, wanted, "verified")


@pytest.mark.slow
@linux
def test_memory_is_bound_and_seen_page_by_page(start_trial):
    nodes = memory_nodes.allowed()
    if nodes is None:
        pytest.skip("this kernel knows no memory nodes")
    node = int(nodes.split(",")[0].split("-")[0])
    why = memory_nodes_refusal(node)
    if why is not None:
        pytest.skip(why)
    small = {"name": "gemm", "m": 8, "n": 8, "k": 8}
    record = process_records(start_trial(small, controls={"numa_nodes": [node], "threads": 1}))["numa_nodes"]
    assert (record.verified, record.found) == ("verified", str(node))
    assert record.measured["pages"] > 1000
    refused = process_records(start_trial(small, controls={"numa_nodes": [1000], "threads": 1}))["numa_nodes"]
    assert (refused.verified, refused.applied) == ("unverifiable", None)
    assert "no NUMA node 1000" in refused.evidence


def memory_nodes_refusal(node):
    """Ask in a process of its own: a binding stays."""
    program = f"from dlaudit.runners.trial.memory_nodes import bind; print(bind([{node}]) or '')"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    return done.stdout.strip() or None


@linux
def test_memory_that_nobody_bound_contradicts():
    record = memory_nodes.record([0], None, os.getpid())
    assert record.verified in ("contradicted", "unverifiable")


def test_a_clock_is_probed_or_the_reason_told():
    found = effective_clock.ghz()
    assert found.unverifiable or 0.3 < found.value < 10


def test_without_a_compiler_the_clock_is_unverifiable():
    program = "from dlaudit.runners.environment import effective_clock as e; print(e.ghz().unverifiable)"
    environment = {**os.environ, "PATH": "/nowhere"}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert "no C compiler" in done.stdout


GROUPS = {
    "version 2": {
        "proc/self/cgroup": "0::/user.slice\n",
        "sys/fs/cgroup/user.slice/cpuset.cpus.effective": "0-3\n",
        "sys/fs/cgroup/user.slice/cpu.max": "150000 100000\n",
        "sys/fs/cgroup/user.slice/cpu.stat": "usage_usec 5\nnr_throttled 7\nthrottled_usec 1500000\n",
    },
    "version 1": {
        "proc/self/cgroup": "3:cpuset:/a\n2:cpu,cpuacct:/a\n0::/\n",
        "sys/fs/cgroup/unified/cpu.stat": "usage_usec 5\n",
        "sys/fs/cgroup/cpuset/a/cpuset.effective_cpus": "0-3\n",
        "sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_quota_us": "150000\n",
        "sys/fs/cgroup/cpu,cpuacct/a/cpu.cfs_period_us": "100000\n",
        "sys/fs/cgroup/cpu,cpuacct/a/cpu.stat": "nr_throttled 7\nthrottled_time 1500000000\n",
    },
    "version 1 in a container": {
        "proc/self/cgroup": "3:cpuset:/docker/0f\n2:cpu:/docker/0f\n",
        "sys/fs/cgroup/cpuset/cpuset.effective_cpus": "0-3\n",
        "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "150000\n",
        "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
        "sys/fs/cgroup/cpu/cpu.stat": "nr_throttled 7\nthrottled_time 1500000000\n",
    },
}


@pytest.mark.parametrize("name", GROUPS)
def test_control_groups_of_both_versions_tell_the_same(tmp_path, name):
    fill(tmp_path, GROUPS[name])
    found = {key: fact.value for key, fact in cgroup.state(tmp_path).items()}
    assert found == {"cpus": "0-3", "quota_cpus": 1.5, "throttled": 7, "throttled_us": 1_500_000}


def test_no_control_group_is_unverifiable(tmp_path):
    assert all(fact.unverifiable for fact in cgroup.state(tmp_path).values())


@linux
def test_control_groups_of_this_machine_tell_the_processors():
    found = cgroup.state(Path("/"))["cpus"]
    if not found.known:
        pytest.skip(found.unverifiable)
    assert found.value[0].isdigit()


def test_what_else_went_on_is_the_difference_of_two_snapshots(tmp_path):
    counters = {
        "proc/loadavg": "1.5 1 1 1/1 1\n",
        "proc/pressure/cpu": "some avg10=0 avg60=0 avg300=0 total={}000000\n",
        "proc/stat": "cpu 1 2 3 4 5 6 7 {}00 0 0\n",
        **GROUPS["version 2"],
    }
    seen = []
    for number in (1, 3):
        fill(tmp_path, {name: text.replace("{}", str(number)) for name, text in counters.items()})
        seen.append({name: {"value": fact.value} for name, fact in load.snapshot(tmp_path).items()})
    record = disturbance.record(*seen, 10.0)
    steal_s = 200 / os.sysconf("SC_CLK_TCK")
    told = {"cpu_pressure_s": 2.0, "steal_s": steal_s, "throttled_s": 0.0, "throttled_periods": 0.0}
    assert record.measured == told | {"load_1min": 1.5, "window_s": 10.0}
    assert "waited for a processor for 2 s of 10 s" in record.evidence
    assert disturbance.record({}, {}, 1.0) is None
