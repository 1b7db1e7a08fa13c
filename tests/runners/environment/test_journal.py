"""Originals on disk, and locks: what a killed process leaves behind, whoever starts next.

The knob is a file below a folder, so that state outlives every process; the registry is the real one with this knob
beside its own.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from dlaudit.runners.environment import journal, lock
from dlaudit.runners.environment.knobs import registry
from dlaudit.runners.environment.knobs.interface import Refused, Restoration
from dlaudit.schemas.errors import EnvironmentRefused, UserError


def restore(target, original):
    """Write the original back into a file named by the target."""
    path = Path(target)
    if path.with_suffix(".denied").exists():
        raise Refused("not_permitted", "denied", "ask")
    path.write_text(original)
    return Restoration("restored", f"read back: {path.read_text()}")


FILE_KNOB = SimpleNamespace(NAME="a_file", SCOPE="host", SAMPLED=False, restore=restore)


@pytest.fixture(autouse=True)
def machine(tmp_path, monkeypatch):
    """A state folder, a lock folder and two files that a knob changes."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("DLAUDIT_LOCKS", str(tmp_path))
    monkeypatch.setattr(registry, "KNOBS", (*registry.KNOBS, FILE_KNOB))
    for name in ("one", "two"):
        (tmp_path / name).write_text("before")
    return tmp_path


def entries(folder, *names):
    return [journal.Entry(knob="a_file", target=str(folder / name), original="before") for name in names]


def killed(kept):
    """Let a journal's holder vanish: the kernel drops its lock, and nothing else happens."""
    os.close(kept._descriptor)


def change(kept, index):
    kept.applying(index)
    Path(kept.entries[index].target).write_text("after")


def left():
    return sorted(path.name for path in journal.folder().glob("*.jsonl"))


def test_what_was_changed_is_put_back_and_the_journal_goes(machine):
    kept = journal.begin("s", entries(machine, "one", "two"))
    change(kept, 0)
    killed(kept)
    (found,) = journal.recover()
    assert (found.study, found.knob, found.restoration.restored) == ("s", "a_file", "restored")
    assert (machine / "one").read_text() == "before"
    assert left() == []
    assert journal.recover() == ()


def test_what_was_never_changed_is_left_alone(machine):
    kept = journal.begin("s", entries(machine, "one", "two"))
    change(kept, 0)
    killed(kept)
    (machine / "two").write_text("somebody else's")
    journal.recover()
    assert (machine / "two").read_text() == "somebody else's"


def test_what_had_been_put_back_is_not_put_back_again(machine):
    kept = journal.begin("s", entries(machine, "one", "two"))
    change(kept, 0)
    change(kept, 1)
    kept.restored(1)
    killed(kept)
    (machine / "two").write_text("somebody else's")
    assert [one.target for one in journal.recover()] == [str(machine / "one")]
    assert (machine / "two").read_text() == "somebody else's"


def test_a_living_process_keeps_its_changes(machine):
    kept = journal.begin("s", entries(machine, "one"))
    change(kept, 0)
    program = "from dlaudit.runners.environment import journal; assert journal.recover() == ()"
    subprocess.run([sys.executable, "-c", program], check=True)
    assert (machine / "one").read_text() == "after"
    kept.restored(0)
    kept.close()
    assert left() == []


def test_of_two_killed_sessions_the_first_original_comes_last(machine):
    first = journal.begin("s", entries(machine, "one"))
    change(first, 0)
    killed(first)
    second = journal.begin("s", [journal.Entry(knob="a_file", target=str(machine / "one"), original="after")])
    second.applying(0)
    (machine / "one").write_text("after that")
    killed(second)
    assert len(journal.recover()) == 2
    assert (machine / "one").read_text() == "before"


def test_what_cannot_be_put_back_stays_on_disk_until_it_can(machine):
    kept = journal.begin("s", entries(machine, "one", "two"))
    change(kept, 0)
    change(kept, 1)
    killed(kept)
    (machine / "two.denied").touch()
    found = journal.recover()
    assert [one.restoration.restored for one in found] == ["failed", "restored"]
    assert len(left()) == 1
    (machine / "two.denied").unlink()
    assert [one.target for one in journal.recover()] == [str(machine / "two")]
    assert (machine / "two").read_text() == "before"
    assert left() == []


@pytest.mark.parametrize("cut", [1, 5, 20])
def test_a_line_that_a_power_loss_cut_off_does_not_count(machine, cut):
    kept = journal.begin("s", entries(machine, "one"))
    change(kept, 0)
    killed(kept)
    data = kept.path.read_bytes()
    kept.path.write_bytes(data + b'{"restored":0}\n'[:-cut] if cut < 15 else data[:-cut])
    found = journal.recover()
    assert [one.restoration.restored for one in found] == (["restored"] if cut < 15 else [])
    assert left() == []


def test_a_journal_cut_off_at_any_byte_never_stops_a_start(machine):
    kept = journal.begin("s", entries(machine, "one"))
    change(kept, 0)
    killed(kept)
    data = kept.path.read_bytes()
    for length in range(len(data)):
        kept.path.write_bytes(data[:length])
        assert journal.recover() == ()  # the first change is noted last
        assert left() == []


def test_a_damaged_journal_is_reported_and_kept(machine):
    kept = journal.begin("s", entries(machine, "one"))
    change(kept, 0)
    killed(kept)
    kept.path.write_bytes(b"{}\n" + kept.path.read_bytes())
    (found,) = journal.recover()
    assert found.restoration.restored == "failed"
    assert "damaged" in found.restoration.evidence
    assert len(left()) == 1


def test_the_journal_of_another_machine_is_left_alone(machine):
    kept = journal.begin("s", entries(machine, "one"))
    change(kept, 0)
    killed(kept)
    header, *steps = kept.path.read_bytes().splitlines()
    other = json.dumps(json.loads(header) | {"host": "elsewhere"}).encode()
    kept.path.write_bytes(b"\n".join([other, *steps, b""]))
    assert journal.recover() == ()
    assert (machine / "one").read_text() == "after"
    assert len(left()) == 1


def test_an_unknown_knob_and_a_damaged_original_are_failures_and_no_crash(machine):
    unknown = journal.Entry(knob="of_the_future", target="/", original=1)
    damaged = journal.Entry(knob="a_file", target=str(machine / "one"), original={})
    kept = journal.begin("s", [unknown, damaged])
    kept.applying(0)
    kept.applying(1)
    killed(kept)
    assert [one.restoration.restored for one in journal.recover()] == ["failed", "failed"]


def test_without_a_journal_nothing_may_be_changed(machine):
    (machine / "state").mkdir()
    (machine / "state" / "dlaudit").write_text("no folder")
    with pytest.raises(UserError, match="nothing may be changed"):
        journal.begin("s", entries(machine, "one"))


def test_a_held_device_names_its_holder(machine):
    program = """
from dlaudit.runners.environment import lock
with lock.held(["GPU-1"]) as hold:
    hold.changing()
    print("held", flush=True)
    input()
"""
    holder = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ
    )
    assert holder.stdout.readline() == "held\n"
    with pytest.raises(EnvironmentRefused, match=f"process {holder.pid}"), lock.held(["GPU-0", "GPU-1"]):
        pass
    with lock.held(["GPU-0"]) as hold:
        assert hold.left == ()
    holder.kill()
    holder.communicate()
    with lock.held(["GPU-1"]) as hold:
        assert len(hold.left) == 1
        assert str(holder.pid) in hold.left[0]
    with lock.held(["GPU-1"]) as hold:
        assert hold.left == (), "the file still names a holder that is gone"


def test_a_holder_that_was_killed_before_any_change_leaves_nothing_to_tell(machine):
    program = """
import os
from dlaudit.runners.environment import lock
with lock.held(["GPU-1"]):
    os.kill(os.getpid(), 9)
"""
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == -9
    assert (machine / "dlaudit-GPU-1.lock").read_bytes() != b""
    with lock.held(["GPU-1"]) as hold:
        assert hold.left == ()


def test_a_holder_that_could_not_put_back_stays_named(machine):
    with lock.held(["GPU-1"]) as hold:
        hold.changing()
        hold.put_back = False
    with lock.held(["GPU-1"]) as hold:
        assert len(hold.left) == 1


@pytest.mark.parametrize("content", [b"", b"\xff\xfe", b"[1]", b'{"pid": 1', b"[" * 999, b'{"pid": {"a": "\x1b[2J"}}'])
def test_whatever_stands_in_a_lock_file_is_no_obstacle(machine, content):
    (machine / "dlaudit-GPU-1.lock").write_bytes(content)
    with lock.held(["GPU-1"]) as hold:
        assert hold.left == ()


def test_what_others_write_into_a_lock_file_is_shown_as_plain_words(machine):
    held = {"user": "\x1b[31mroot\n", "pid": "1 \u202e", "since": "x" * 1000, "changes": True}
    (machine / "dlaudit-GPU-1.lock").write_text(json.dumps(held)[:999])
    (machine / "dlaudit-GPU-1.lock").write_text(json.dumps(held | {"since": "now"}))
    with lock.held(["GPU-1"]) as hold:
        assert hold.left == ("GPU-1 was not put back by the dlaudit of 31mroot (process 1, since now)",)


def test_a_link_in_the_place_of_a_lock_file_is_not_followed(machine):
    (machine / "precious").write_text("x")
    (machine / "dlaudit-GPU-1.lock").symlink_to(machine / "precious")
    with pytest.raises(UserError, match="lock file"), lock.held(["GPU-1"]):
        pass
    assert (machine / "precious").read_text() == "x"
