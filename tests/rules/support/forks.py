"""Programs in forks of a process that has loaded their libraries, and `dlaudit` among them."""

import atexit
import json
import os
import signal
import socket
import stat
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
DLAUDIT = str(Path(sys.executable).with_name("dlaudit"))
LOADED = ("dlaudit.audit.commands.run", "support.loaded", "matplotlib.figure", "matplotlib.backends.backend_svg")


class Forks:
    """A process that has loaded libraries, and runs programs in forks of itself; it ends with the one that made it."""

    def __init__(self, *libraries, environment=None):
        self._folder = tempfile.TemporaryDirectory(prefix="dlaudit-forks-")
        self.address = f"{self._folder.name}/socket"
        with socket.socket(socket.AF_UNIX) as listening:
            listening.bind(self.address)
            listening.listen()
            command = [sys.executable, "-P", str(HERE / "forking.py"), str(listening.fileno()), *libraries]
            kept = {"pass_fds": [listening.fileno()], "stdin": subprocess.PIPE, "env": environment}
            self._process = subprocess.Popen(command, **kept)
        atexit.register(self.end)

    def run(self, arguments, folder, environment):
        """Run a program and return what it printed and its exit code; one that was killed tells none."""
        order = {"arguments": arguments, "folder": str(folder), "environment": environment}
        with (
            Path(os.devnull).open() as nothing,
            tempfile.TemporaryFile("w+") as printed,
            tempfile.TemporaryFile("w+") as log,
            socket.socket(socket.AF_UNIX) as connection,
        ):
            connection.connect(self.address)
            socket.send_fds(connection, [b"."], [one.fileno() for one in (nothing, printed, log)])
            connection.sendall(json.dumps(order).encode())
            connection.shutdown(socket.SHUT_WR)
            with connection.makefile() as told:
                _, code = told.readline(), told.readline()
            found = [file.seek(0) or file.read() for file in (printed, log)]
        return subprocess.CompletedProcess(arguments, int(code) if code else -signal.SIGKILL, *found)

    def end(self):
        atexit.unregister(self.end)
        self._process.stdin.close()
        self._process.wait()
        self._folder.cleanup()


SHELL = """\
#!{python} -IS
import json, os, signal, socket, sys
connection = socket.socket(socket.AF_UNIX)
connection.connect({address!r})
socket.send_fds(connection, [b"."], [0, 1, 2])
order = {{"arguments": [{program!r}, *sys.argv[1:]], "folder": os.getcwd(), "environment": dict(os.environ)}}
connection.sendall(json.dumps(order).encode())
connection.shutdown(socket.SHUT_WR)
told = connection.makefile()
fork = int(told.readline())
for number in (signal.SIGHUP, signal.SIGINT, signal.SIGTERM):
    signal.signal(number, lambda number, _: os.kill(fork, number))
code = told.readline()
os._exit(int(code)) if code else os.kill(os.getpid(), signal.SIGKILL)
"""


@cache
def _forks():
    return Forks(*LOADED, environment=os.environ | {"PYTHONPATH": str(HERE.parent)})


def program(arguments, folder, environment=os.environ):
    """Run a program that uses `dlaudit`, without the second that its libraries take to load."""
    return _forks().run([*map(str, arguments)], folder, dict(environment))


def dlaudit(arguments, folder, environment=os.environ):
    """Run `dlaudit` as a shell would."""
    return program([DLAUDIT, *arguments], folder, environment)


@cache
def shell_folder():
    """Return a folder with a program `dlaudit` for shells, which runs it in a fork."""
    program = Path(_forks().address).with_name("dlaudit")
    program.write_text(SHELL.format(python=sys.executable, address=_forks().address, program=DLAUDIT))
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return program.parent
