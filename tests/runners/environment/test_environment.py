"""Facts about a machine, read from a small tree of /proc, /sys and /etc, and from this machine."""

import os
import subprocess
import sys

import pytest
from dlaudit.runners.environment import frequency, hardware, load, repository, software, system, variables
from dlaudit.runners.environment.collect import collect, restore
from dlaudit.runners.environment.fact import read_text
from dlaudit.runners.environment.paths import reduced

CPUINFO = "\n\n".join(
    f"processor\t: {n}\nmodel name\t: Imaginary 9000\nphysical id\t: {n // 4}\ncore id\t: {n // 2 % 2}\n"
    f"flags\t\t: fpu vme{' hypervisor' if n >= 0 else ''}"
    for n in range(8)
)


def write(root, files):
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def test_processor_and_memory(tmp_path):
    write(tmp_path, {"proc/cpuinfo": CPUINFO, "proc/meminfo": "MemTotal:       16777216 kB\nMemFree: 1 kB\n"})
    facts = hardware.processor(tmp_path)
    assert {name: fact.value for name, fact in facts.items()} == {
        "model": "Imaginary 9000",
        "sockets": 2,
        "cores": 4,
        "logical_processors": 8,
    }
    assert hardware.memory_gib(tmp_path).value == 16.0


def test_what_is_not_there_is_said_and_not_guessed(tmp_path):
    for fact in (
        *hardware.processor(tmp_path).values(),
        hardware.memory_gib(tmp_path),
        *frequency.policy(tmp_path).values(),
        *load.snapshot(tmp_path).values(),
        system.operating_system(tmp_path)["distribution"],
        system.container(tmp_path),
        system.virtual_machine(tmp_path),
    ):
        assert not fact.known
        assert len(fact.unverifiable) > 10


@pytest.mark.parametrize("text", ["", "\x00\xff", "cpu", "some total=x", "MemTotal: many"])
def test_nonsense_is_no_fact_and_no_crash(tmp_path, text):
    paths = ["cpuinfo", "meminfo", "loadavg", "stat", "pressure/cpu", "1/cgroup"]
    write(tmp_path, {f"proc/{path}": text for path in paths} | {"etc/os-release": text})
    assert not hardware.memory_gib(tmp_path).known
    assert not any(fact.known for fact in load.snapshot(tmp_path).values())
    hardware.processor(tmp_path)
    system.operating_system(tmp_path)
    system.virtual_machine(tmp_path)


def test_a_file_that_is_not_ours_to_read(tmp_path):
    path = tmp_path / "proc/secret"
    write(tmp_path, {"proc/secret": "x"})
    path.chmod(0)
    if os.access(path, os.R_OK):
        pytest.skip("this user reads everything")
    assert read_text(tmp_path, "/proc/secret").not_permitted


def test_frequency_policy(tmp_path):
    cpu = "sys/devices/system/cpu"
    write(
        tmp_path,
        {
            f"{cpu}/cpu0/cpufreq/scaling_governor": "performance\n",
            f"{cpu}/cpu1/cpufreq/scaling_governor": "powersave\n",
            f"{cpu}/cpufreq/boost": "1\n",
            f"{cpu}/smt/control": "off\n",
            f"{cpu}/smt/active": "0\n",
            f"{cpu}/cpufreq/policy0/affected_cpus": "0 1\n",
            f"{cpu}/cpufreq/policy0/scaling_min_freq": "800000\n",
            f"{cpu}/cpufreq/policy0/scaling_max_freq": "3500000\n",
            "proc/stat": "cpu 0 0 0 0\n",
        },
    )
    facts = frequency.policy(tmp_path)
    assert facts["governor"].value == "performance powersave"
    assert facts["turbo"].value is True
    assert facts["smt"].value is False
    assert facts["cpu_frequency_mhz"].value == "800 to 3500 MHz"
    write(tmp_path, {f"{cpu}/intel_pstate/no_turbo": "1\n"})
    assert frequency.policy(tmp_path)["turbo"].value is False


def test_load(tmp_path):
    write(
        tmp_path,
        {
            "proc/loadavg": "1.50 0.7 0.5 2/345 6789\n",
            "proc/pressure/cpu": "some avg10=0.00 avg60=0.00 avg300=0.00 total=4242\nfull avg10=0.00 total=1\n",
            "proc/stat": "cpu  1 2 3 4 5 6 7 88 9 10\ncpu0 1\n",
        },
    )
    facts = load.snapshot(tmp_path)
    assert [facts[name].value for name in ("load_1min", "cpu_pressure_us", "steal_ticks")] == [1.5, 4242, 88]


def test_system_container_and_hypervisor(tmp_path):
    write(
        tmp_path,
        {
            "etc/os-release": 'NAME="X"\nPRETTY_NAME="Imaginary Linux 1"\n',
            "proc/sys/kernel/osrelease": "6.0.1-test\n",
            "proc/sys/kernel/random/boot_id": "abc\n",
            "proc/1/cgroup": "0::/system.slice/kubepods-1\n",
            "proc/cpuinfo": CPUINFO,
        },
    )
    facts = system.operating_system(tmp_path)
    assert (facts["distribution"].value, facts["kernel"].value) == ("Imaginary Linux 1", "6.0.1-test")
    assert system.container(tmp_path).value == "kubepods"
    assert system.virtual_machine(tmp_path).value == "unnamed hypervisor"
    write(tmp_path, {"sys/class/dmi/id/sys_vendor": "QEMU\n", "run/.containerenv": ""})
    assert system.virtual_machine(tmp_path).value == "qemu"
    assert system.container(tmp_path).value == "podman"
    write(tmp_path / "bare", {"proc/1/cgroup": "0::/init.scope\n", "proc/cpuinfo": "processor: 0\nflags: fpu\n"})
    assert system.container(tmp_path / "bare").value == "none"
    assert system.virtual_machine(tmp_path / "bare").value == "none"


def test_only_allowed_variables_and_no_secret_leave_the_machine():
    found = variables.relevant(
        {
            "OMP_NUM_THREADS": "4",
            "CUDA_VISIBLE_DEVICES": "0",
            "AWS_SECRET_ACCESS_KEY": "s",
            "HF_TOKEN": "s",
            "NCCL_SECRET_TOKEN": "s",
            "PYTORCH_CACHE": "/home/ada/cache",
            "PATH": "/bin",
            "MKL_EMPTY": "",
        }
    )
    assert found == {"OMP_NUM_THREADS": "4", "CUDA_VISIBLE_DEVICES": "0", "PYTORCH_CACHE": "~/cache"}


def test_paths_do_not_name_their_user():
    assert reduced("/home/ada/x:/Users/bob/y:/srv/z") == "~/x:~/y:/srv/z"


def test_the_state_of_a_repository(tmp_path):
    def git(*arguments):
        who = ["-c", "user.name=n", "-c", "user.email=e"]
        subprocess.run(["git", *who, "-C", str(tmp_path), *arguments], check=True, capture_output=True)

    assert not repository.state(tmp_path)["commit"].known
    git("init")
    (tmp_path / "a.py").write_text("1")
    git("add", "a.py")
    git("commit", "-m", "one")
    clean = repository.state(tmp_path)
    assert len(clean["commit"].value) == 40
    assert (clean["dirty"].value, clean["untracked"].value) == (False, 0)
    (tmp_path / "new.txt").write_text("1")
    assert (repository.state(tmp_path)["dirty"].value, repository.state(tmp_path)["untracked"].value) == (False, 1)
    (tmp_path / "a.py").write_text("2")
    assert repository.state(tmp_path)["dirty"].value is True
    (tmp_path / "inside").mkdir()
    assert repository.state(tmp_path / "inside")["commit"].known
    assert not repository.state(tmp_path / "inside", root=True)["commit"].known


def test_a_repository_runs_no_program_of_its_own(tmp_path):
    for arguments in (["init"], ["config", "core.fsmonitor", f"touch {tmp_path}/ran; false"]):
        subprocess.run(["git", "-C", str(tmp_path), *arguments], check=True, capture_output=True)
    repository.state(tmp_path)
    assert not (tmp_path / "ran").exists()


def test_this_machine():
    facts = collect(uses_torch=False)
    assert facts.processor["logical_processors"].value >= 1
    assert facts.packages["click"]
    assert facts.torch.unverifiable
    assert restore(facts.document()) == facts
    assert facts.identity() == collect(uses_torch=False).identity()


def test_torch_is_asked_in_a_process_of_its_own():
    code = (
        "import sys; from dlaudit.runners.environment import software; fact = software.torch('cpu')[0];"
        "assert 'torch' not in sys.modules; print(fact.value['version'] if fact.known else fact.unverifiable)"
    )
    answer = subprocess.run([sys.executable, "-P", "-c", code], capture_output=True, text=True, timeout=500, check=True)
    versions = software.packages()
    assert answer.stdout.strip().startswith(versions.get("torch", "torch is not installed"))


def test_probes_tell_what_products_keep_per_setting():
    _, found = software.torch("cpu")
    bits = {name.removesuffix("_mantissa_bits"): fact.value for name, fact in found.items()}
    assert bits["matmul_fp32"] == bits["conv_fp32"] == 23
    assert bits["matmul_bf16"] == bits["conv_bf16"] == 7
    assert "CUDA" in found["matmul_tf32_mantissa_bits"].unverifiable
