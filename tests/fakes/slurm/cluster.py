"""A Slurm of two nodes on this machine: slurmctld, two slurmd and munge, real ones, on the loopback device.

Everything lies below one folder: keys, sockets, spool, logs. Each node runs in a name space of its own with its own
host name and one processor. Daemons are started here and stopped by their process ids; nothing is installed.
"""

import os
import shutil
import signal
import socket
import subprocess
import time
from pathlib import Path

PROGRAMS = ("slurmctld", "slurmd", "munged", "sbatch", "srun", "scontrol", "scancel", "sinfo", "unshare")
NODES = ("n1", "n2")
READY_S = 60

CONF = """\
ClusterName=dlaudit-test
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={port}
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket={folder}/munge/sock
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool/%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.%n.pid
SlurmctldLogFile={folder}/log/slurmctld.log
SlurmdLogFile={folder}/log/slurmd.%n.log
PlugStackConfig=/dev/null
ProctrackType=proctrack/linuxproc
TaskPlugin=task/affinity
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
ReturnToService=2
MpiDefault=none
SwitchType=switch/none
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=1,sched_min_interval=0
SlurmctldTimeout=60
SlurmdTimeout=300
KillWait=2
InactiveLimit=0
MinJobAge=300
CompleteWait=0
{nodes}
PartitionName=test Nodes=ALL Default=YES MaxTime=02:00:00 State=UP OverSubscribe=NO
"""
NODE = (
    "NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs={cpus} Boards=1 SocketsPerBoard=1 "
    "CoresPerSocket={cpus} ThreadsPerCore=1 RealMemory=2000 {special} State=UNKNOWN"
)


def why_not():
    """Return why there can be no cluster here; None where there can."""
    missing = [name for name in PROGRAMS if shutil.which(name) is None]
    if missing:
        return f"not installed: {', '.join(missing)} (Debian: slurmctld, slurmd, slurm-client, munge)"
    if os.geteuid() != 0:
        return "slurmd and the name spaces of its nodes need root"
    done = subprocess.run(["unshare", "--uts", "true"], capture_output=True, check=False)
    return None if done.returncode == 0 else "this container may not make name spaces"


class Cluster:
    """Two nodes.

    Args:
        folder: where everything lies.
    """

    def __init__(self, folder):
        self.folder = Path(folder)
        self.conf = self.folder / "slurm.conf"
        self.environment = {**os.environ, "SLURM_CONF": str(self.conf)}
        self._port = free_ports(1 + len(NODES))

    def start(self):
        """Start the daemons, and wait until both nodes are idle."""
        for part in ("state", "spool/n1", "spool/n2", "log", "munge"):
            (self.folder / part).mkdir(parents=True)
        munge = self.folder / "munge"
        (munge / "key").write_bytes(os.urandom(128))
        (munge / "key").chmod(0o400)
        options = {"key-file": "key", "socket": "sock", "pid-file": "pid", "log-file": "log", "seed-file": "seed"}
        self._check(["munged", "--force", *(f"--{name}={munge / file}" for name, file in options.items())])
        self.conf.write_text(self._configuration())
        self._check(["slurmctld", "-c"])
        for node in NODES:
            self.start_node(node)
        self.wait_idle()
        return self

    def start_node(self, name):
        """Start the daemon of a node."""
        self._check(["unshare", "--uts", "sh", "-c", f"hostname {name}; exec slurmd -N {name}"])

    def wait_idle(self):
        """Wait until both nodes are free."""
        given_up = time.monotonic() + READY_S
        while time.monotonic() < given_up:
            done = self.run("sinfo", "-h", "-t", "idle", "-o", "%D")
            if done.stdout.split() == [str(len(NODES))]:
                return
            time.sleep(0.1)
        raise AssertionError(self.run("sinfo", "-N").stdout + self.log())

    def run(self, *command):
        """Run a command of Slurm's."""
        return subprocess.run(command, env=self.environment, capture_output=True, text=True, check=False)

    def jobs(self):
        """Return the numbers of the jobs that run or wait."""
        return self.run("squeue", "-h", "-o", "%i").stdout.split()

    def kill_node(self, name):
        """Have a node die: its daemon and all that runs below it, at once; the controller learns of it."""
        os.kill(int((self.folder / f"slurmd.{name}.pid").read_text()), signal.SIGKILL)
        for process in processes_with(f"SLURMD_NODENAME={name}", f"SLURM_CONF={self.conf}"):
            kill(process)
        self.run("scontrol", "update", f"nodename={name}", "state=down", "reason=died")

    def log(self):
        """Return the end of the controller's log."""
        return (self.folder / "log" / "slurmctld.log").read_text()[-2000:]

    def stop(self):
        """Stop the daemons by their ids, and what they left."""
        self.run("scancel", "--user=root")
        files = [*self.folder.glob("slurmd.*.pid"), self.folder / "slurmctld.pid", self.folder / "munge" / "pid"]
        for path in files:
            if path.exists():
                kill(int(path.read_text() or 0), signal.SIGTERM)
        given_up = time.monotonic() + 5
        while any(path.exists() for path in files) and time.monotonic() < given_up:
            time.sleep(0.05)
        for process in processes_with(f"SLURM_CONF={self.conf}"):
            kill(process)

    def _configuration(self):
        host, cpus = socket.gethostname().partition(".")[0], os.cpu_count()
        nodes = []
        for number, name in enumerate(NODES):
            special = f"CpuSpecList={1 - number}" if cpus == len(NODES) else ""
            port = self._port + 1 + number
            nodes.append(NODE.format(name=name, host=host, port=port, cpus=cpus, special=special))
        return CONF.format(host=host, port=self._port, folder=self.folder, nodes="\n".join(nodes))

    def _check(self, command):
        # A daemon keeps the descriptors that it is given: a pipe would never end.
        with (self.folder / "log" / "started").open("ab") as log:
            done = subprocess.run(command, env=self.environment, stdout=log, stderr=log, check=False)
        assert done.returncode == 0, (self.folder / "log" / "started").read_text()


def free_ports(count):
    """Return the first of some ports in a row that are free."""
    for first in range(17000 + os.getpid() % 500 * 4, 32000, count):
        held = []
        try:
            held.extend(socket.create_server(("127.0.0.1", port)) for port in range(first, first + count))
            return first
        except OSError:
            continue
        finally:
            for one in held:
                one.close()
    raise AssertionError("no ports are free")


def processes_with(*variables):
    """Return the processes that have variables, such as SLURMD_NODENAME=n2, in their environment."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            there = (entry / "environ").read_bytes().split(b"\0")
            if {one.encode() for one in variables} <= set(there) and int(entry.name) != os.getpid():
                found.append(int(entry.name))
        except OSError:
            continue
    return found


def kill(process, number=signal.SIGKILL):
    """Send a signal; a process that is gone has what it takes."""
    try:
        os.kill(process, number)
    except ProcessLookupError:
        return
