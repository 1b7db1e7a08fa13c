"""Frequency of the processors and their interrupts, on trees of files as Linux has them."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from dlaudit.runners.environment import watch
from dlaudit.runners.environment.control import reserved, turned
from dlaudit.runners.environment.knobs import cpu_frequency_mhz, irq_free
from dlaudit.runners.environment.knobs.interface import Refused
from dlaudit.runners.environment.setting import Setting
from dlaudit.runners.environment.watch import Watch
from dlaudit.schemas.errors import EnvironmentRefused
from dlaudit.schemas.model import to_model
from dlaudit.schemas.spec import Spec
from hypothesis import given
from hypothesis import strategies as st

CPUFREQ = "sys/devices/system/cpu/cpufreq"
LIMITS = {0: (800_000, 3_500_000), 1: (800_000, 3_500_000), 2: (1_000_000, 3_000_000), 3: (3_200_000, 3_500_000)}
"""Of the policies, one a processor, in kHz; the last one lies above what the tests ask for."""
IRQS = {"1": "0-3", "9": "0", "24": "2", "25": "2-3", "120": "0-1"}


@pytest.fixture
def machine(tmp_path, monkeypatch):
    """A host of four processors below a folder, and folders for journal and locks."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("DLAUDIT_LOCKS", str(tmp_path))
    # A slow machine would space the samples out; here one is due after every event.
    monkeypatch.setattr(watch, "CORE_SHARE", 1.0)
    root = tmp_path / "root"
    for number, (low, high) in LIMITS.items():
        policy = {
            "affected_cpus": number,
            "cpuinfo_min_freq": 800_000,
            "cpuinfo_max_freq": 3_500_000,
            "scaling_min_freq": low,
            "scaling_max_freq": high,
            "scaling_cur_freq": 1_234_000,
        }
        fill(root, {f"{CPUFREQ}/policy{number}/{name}": f"{value}\n" for name, value in policy.items()})
    fill(root, {f"proc/irq/{number}/smp_affinity_list": f"{cpus}\n" for number, cpus in IRQS.items()})
    fill(root, {"proc/irq/default_smp_affinity": "f\n", "sys/devices/system/cpu/online": "0-3\n"})
    work(root, 0)
    interrupt(root)
    return root


def fill(root, files):
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)


def work(root, ticks, processors=range(4)):
    """Let processors have worked for some ticks, and been idle for as many as the others."""
    lines = [
        f"cpu{n} {ticks} 0 0 100 0 0 0 0" if n in processors else f"cpu{n} 0 0 0 {100 + ticks} 0 0 0 0"
        for n in range(4)
    ]
    fill(root, {"proc/stat": "\n".join(["cpu  0 0 0 0 0 0 0 0 0 0", *lines, "intr 5 1 2"])})


def interrupt(root, **counts):
    """Let interrupts have come to the processors: `irq24=(0, 0, 5, 0)`."""
    lines = [
        f"{number:>4}: " + " ".join(map(str, counts.get(f"irq{number}", (7, 0, 0, 0)))) + "  chip  x" for number in IRQS
    ]
    heads = "     CPU0 CPU1 CPU2 CPU3\n"
    fill(root, {"proc/interrupts": heads + "\n".join([*lines, " LOC: 9 9 9 9  Local timer interrupts"])})


def clock(root, khz, processors=range(4)):
    fill(root, {f"{CPUFREQ}/policy{number}/scaling_cur_freq": f"{khz}\n" for number in processors})


def limits(root):
    names = ("scaling_min_freq", "scaling_max_freq")
    return {
        number: tuple(int((root / CPUFREQ / f"policy{number}" / name).read_text()) for name in names)
        for number in LIMITS
    }


def affinities(root):
    return {number: (root / f"proc/irq/{number}/smp_affinity_list").read_text().strip() for number in IRQS}


def session(root, *events, **controls):
    """Turn knobs as a study does, with a sample after each event of one trial; return the record of each, its
    restoration, and the lines for the user.
    """
    value = {"dlaudit": "spec/1", "title": "t", "workload": {"command": ["true"]}, "throughput": {"iterations": 5}}
    lines = []
    with reserved(to_model({**value, "controls": controls}, Spec), lines.append, root) as held:
        with turned(held, "s", lines.append):
            watched = held.watch()
            for event in events:
                event()
                time.sleep(0.2)
                watched.sample()
            found = watched.end()
        return {record.knob: record for record in found}, held.restorations(), lines


def loaded(root, khz=2_000_000):
    """Return events of a trial: every processor works, at a clock."""
    return lambda: clock(root, khz), lambda: work(root, 60)


def test_every_policy_is_held_at_one_frequency_and_put_back(machine):
    seen = []
    records, restored, lines = session(
        machine, *loaded(machine), lambda: seen.append(limits(machine)), cpu_frequency_mhz=2000
    )
    assert seen == [dict.fromkeys(LIMITS, (2_000_000, 2_000_000))]
    record = records["cpu_frequency_mhz"]
    assert (record.requested, record.applied, record.found, record.verified) == (2000, 2000, 2000, "verified")
    assert record.measured["samples_loaded"] == 4
    assert restored["cpu_frequency_mhz"]["restored"] == "restored"
    assert (limits(machine), lines) == (LIMITS, [])


@pytest.mark.parametrize("khz", [1_900_000, 2_100_000])
def test_one_processor_at_another_clock_contradicts_though_the_limits_stand(machine, khz):
    events = (*loaded(machine), lambda: (clock(machine, khz, [3]), work(machine, 90)))
    record = session(machine, *events, cpu_frequency_mhz=2000)[0]["cpu_frequency_mhz"]
    assert record.verified == "contradicted"
    assert "8 samples under load" in record.evidence
    assert "1 of them more than 3% off" in record.evidence


def test_the_clock_of_an_idle_processor_tells_nothing(machine):
    events = (lambda: clock(machine, 2_000_000, [0, 1]), lambda: work(machine, 60, [0, 1]))
    record = session(machine, *events, cpu_frequency_mhz=2000)[0]["cpu_frequency_mhz"]
    assert (record.verified, record.measured["samples_loaded"]) == ("verified", 2)


def test_without_a_sample_under_load_nobody_can_tell(machine):
    record = session(machine, lambda: clock(machine, 2_000_000), cpu_frequency_mhz=2000)[0]["cpu_frequency_mhz"]
    assert record.verified == "unverifiable"
    assert "no sample of the clock" in record.evidence


def test_limits_that_somebody_moves_while_a_trial_runs_contradict(machine):
    moved = {f"{CPUFREQ}/policy2/scaling_max_freq": "2500000\n"}
    record = session(machine, *loaded(machine), lambda: fill(machine, moved), cpu_frequency_mhz=2000)[0]
    assert record["cpu_frequency_mhz"].verified == "contradicted"
    assert limits(machine) == LIMITS


def test_the_nearest_frequency_that_the_processors_have_is_taken(machine):
    for number in LIMITS:
        fill(machine, {f"{CPUFREQ}/policy{number}/scaling_available_frequencies": "3500000 2593750 800000 \n"})
    record = session(machine, *loaded(machine, 2_593_750), cpu_frequency_mhz=2600)[0]["cpu_frequency_mhz"]
    assert (record.requested, record.applied, record.verified) == (2600, 2593.75, "verified")


@pytest.mark.parametrize(
    ("files", "mhz", "words"),
    [
        ({}, 4000, "policy0 runs at 800 to 3500 MHz"),
        ({f"{CPUFREQ}/policy1/scaling_available_frequencies": "2100000 800000"}, 2000, "2000, 2100 MHz"),
    ],
)
def test_a_frequency_that_cannot_be_had_changes_nothing(machine, files, mhz, words):
    fill(machine, files)
    records, _, lines = session(machine, lambda: None, cpu_frequency_mhz=mhz)
    assert records["cpu_frequency_mhz"].verified == "unverifiable"
    assert words in lines[0]
    assert limits(machine) == LIMITS
    with pytest.raises(EnvironmentRefused):
        session(machine, cpu_frequency_mhz=mhz, required=True)


def test_a_policy_whose_processors_are_offline_is_left_alone(machine):
    fill(machine, {f"{CPUFREQ}/policy3/affected_cpus": "\n"})
    seen = []
    record = session(machine, *loaded(machine), lambda: seen.append(limits(machine)[3]), cpu_frequency_mhz=2000)[0]
    assert (record["cpu_frequency_mhz"].verified, seen) == ("verified", [LIMITS[3]])


class Dear:
    """A knob whose reading takes some milliseconds of a core."""

    NAME, SCOPE, SAMPLED = "dear", "host", True
    taken = 0

    def read(self, _target):
        self.taken += 1
        until = time.thread_time() + 0.004
        while time.thread_time() < until:
            pass


def test_what_is_dear_to_read_is_read_less_often():
    knob = Dear()
    watch = Watch([Setting(knob, "/", "the host", 1, False)])
    until = time.monotonic() + 1.2
    while time.monotonic() < until:
        watch.sample()
        time.sleep(0.005)
    assert 2 <= knob.taken <= 5, "4 ms at 1 % of a core are a reading in 0.4 s"


ranges = st.tuples(st.integers(0, 9), st.integers(0, 9)).map(lambda ends: (min(ends), max(ends)))


@given(ranges, ranges)
def test_a_limit_never_crosses_the_other_on_its_way(now, wanted):
    there = {"scaling_min_freq": now[0], "scaling_max_freq": now[1]}
    for name, khz in cpu_frequency_mhz.writes(now, wanted):
        there[name] = khz
        assert there["scaling_min_freq"] <= there["scaling_max_freq"]
    assert tuple(there.values()) == wanted


def test_interrupts_are_kept_off_the_processors_and_put_back(machine):
    seen = []
    records, restored, lines = session(machine, lambda: seen.append(affinities(machine)), irq_free=[2, 3])
    assert seen == [{"1": "0-1", "9": "0", "24": "0-1", "25": "0-1", "120": "0-1"}]
    record = records["irq_free"]
    assert (record.applied, record.found, record.verified) == ("2-3", "2-3", "verified"), record.evidence
    assert record.measured["irqs_kept_off"] == 5
    assert restored["irq_free"]["restored"] == "restored"
    assert (affinities(machine), lines) == (IRQS, [])


def test_an_interrupt_that_somebody_moves_back_contradicts(machine):
    back = {"proc/irq/25/smp_affinity_list": "3\n"}
    fill(machine, {"proc/812/comm": "irqbalance\n", "proc/813/comm": "sh\n"})
    record = session(machine, lambda: fill(machine, back), irq_free=[2, 3])[0]["irq_free"]
    assert (record.verified, record.found) == ("contradicted", "2")
    assert "1 were moved back (25)" in record.evidence
    assert "irqbalance runs (process 812)" in record.evidence
    assert affinities(machine) == IRQS


def test_interrupts_that_come_all_the_same_contradict(machine):
    record = session(machine, lambda: interrupt(machine, irq24=(7, 0, 40, 0)), irq_free=[2, 3])[0]["irq_free"]
    assert (record.verified, record.measured["interrupts"]) == ("contradicted", 40)
    once = session(machine, lambda: interrupt(machine, irq24=(7, 0, 41, 0)), irq_free=[2, 3])[0]["irq_free"]
    assert (once.verified, once.measured["interrupts"]) == ("verified", 1), "an interrupt moves when it next comes"


def closed(file):
    """As a kernel of today shows an interrupt that it does not move."""
    file.chmod(0o444)


def refusing(file):
    """As before, when only the write failed: a file of the kernel's that takes no list."""
    score = Path("/proc/self/oom_score_adj")
    if not score.exists() or score.read_text().strip() != "0":
        pytest.skip("needs a process whose oom_score_adj is 0")
    file.unlink()
    file.symlink_to(score)


@pytest.fixture(params=[closed, refusing])
def immovable(machine, request):
    """An interrupt of processor 0 that does not move."""
    file = machine / "proc/irq/9/smp_affinity_list"
    request.param(file)
    return file


def test_an_interrupt_that_the_kernel_does_not_move_is_told_with_its_count(machine, immovable):
    record = session(machine, lambda: interrupt(machine, irq9=(107, 0, 0, 0)), irq_free=[0])[0]["irq_free"]
    assert record.verified == "verified"
    assert record.measured["irqs_not_movable"] == 1
    assert record.measured["interrupts_not_movable"] == 100
    assert "1 that the kernel does not move (9), 100 times" in record.evidence
    assert affinities(machine) == IRQS
    assert immovable.read_text() == "0\n"


def test_where_nothing_can_be_moved_it_is_said_so(machine, immovable):
    for number in IRQS:
        if number != "9":
            (machine / f"proc/irq/{number}/smp_affinity_list").write_text("1-3")
    lines = session(machine, irq_free=[0])[2]
    assert "the kernel moves none of the interrupts on these processors: 9" in lines[0]


def test_some_processor_has_to_take_the_interrupts(machine):
    lines = session(machine, irq_free=[0, 1, 2, 3])[2]
    assert "no processor would be left for interrupts" in lines[0]
    assert affinities(machine) == IRQS


def test_a_processor_that_is_not_there_is_not_said_to_be_free_of_interrupts(machine):
    records, _, lines = session(machine, irq_free=[2, 7])
    assert "irq_free = [2, 7] on the host is not set, and recorded so: no processor 7 is online; 0-3 are" in lines[0]
    assert records["irq_free"].verified == "unverifiable"
    assert affinities(machine) == IRQS


@pytest.mark.parametrize(("knob", "value"), [(cpu_frequency_mhz, 2000), (irq_free, [2, 3])])
def test_a_machine_without_such_a_thing_says_so(tmp_path, knob, value):
    fill(tmp_path, {"proc/stat": "cpu 0 0 0 0", "sys/devices/system/cpu/online": "0-3"})
    with pytest.raises(Refused) as refused:
        knob.read(str(tmp_path))
    assert refused.value.state == "unverifiable"
    with pytest.raises(Refused):
        knob.apply(str(tmp_path), value)


@pytest.mark.skipif(os.geteuid() != 0, reason="changes to another account for a while")
@pytest.mark.parametrize(
    ("knob", "value", "closed"),
    [
        (cpu_frequency_mhz, 2000, f"{CPUFREQ}/policy3/scaling_min_freq"),
        (irq_free, [2, 3], "proc/irq/25/smp_affinity_list"),
    ],
)
def test_without_the_right_to_write_one_of_them_none_is_changed(machine, knob, value, closed):
    top = Path(tempfile.gettempdir()).resolve()
    for path in (*machine.rglob("*"), *(one for one in (machine, *machine.parents) if top in one.parents)):
        path.chmod(0o777 if path.is_dir() else 0o666)
    (machine / closed).chmod(0o644)
    os.seteuid(65534)
    try:
        with pytest.raises(Refused) as refused:
            knob.apply(str(machine), value)
    finally:
        os.seteuid(0)
    assert refused.value.state == "not_permitted"
    assert refused.value.todo
    assert (limits(machine), affinities(machine)) == (LIMITS, IRQS)


KILLED = """
import os, sys
from pathlib import Path
from dlaudit.runners.environment import watch
from dlaudit.runners.environment.control import reserved, turned
from dlaudit.schemas.model import to_model
from dlaudit.schemas.spec import Spec
spec = to_model({"dlaudit": "spec/1", "title": "t", "workload": {"command": ["true"]},
    "throughput": {"iterations": 5}, "controls": {"cpu_frequency_mhz": 2000, "irq_free": [2, 3]}}, Spec)
with reserved(spec, print, Path(sys.argv[1])) as held, turned(held, "s", print):
    os.kill(os.getpid(), 9)
"""


def test_a_killed_session_is_put_back_by_the_next_one(machine):
    assert subprocess.run([sys.executable, "-c", KILLED, str(machine)], check=False).returncode == -9
    assert limits(machine) != LIMITS
    assert affinities(machine) != IRQS
    lines = session(machine)[2]
    assert (limits(machine), affinities(machine)) == (LIMITS, IRQS)
    assert sum("it has been put back" in line for line in lines) == 2


@pytest.mark.skipif(not os.environ.get("DLAUDIT_TURN_HOST"), reason="turns a knob of this machine: DLAUDIT_TURN_HOST=1")
def test_interrupts_of_this_machine(machine):
    before = irq_free.read("/")["irqs"]
    last = max(os.sched_getaffinity(0))
    records, restored, _ = session(Path("/"), lambda: time.sleep(1), irq_free=[last])
    record = records["irq_free"]
    assert (record.verified, record.found) == ("verified", str(last)), record.evidence
    assert restored["irq_free"]["restored"] == "restored"
    assert irq_free.read("/")["irqs"] == before
