"""A bucket in place of a folder: the same rows as from disk, under the bucket's names, from a real S3 server."""

import json
import shutil
import sys
from copy import deepcopy
from pathlib import Path

import pytest
from dlaudit.audit.cli import run
from dlaudit.audit.lint.settings import Settings
from dlaudit.audit.scale import bucket as buckets
from dlaudit.audit.scale.engines import by_processes, by_ray, entries
from dlaudit.rules.bases import base
from msgspec.structs import asdict

ROOT = Path(__file__).parents[3]
SETTINGS = Settings("reviewer")
SPACED = "with its study"


@pytest.fixture(scope="module")
def server():
    moto = pytest.importorskip("moto.server", reason="moto[server] is not installed")
    pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("AWS_ACCESS_KEY_ID", "somebody")
        patch.setenv("AWS_SECRET_ACCESS_KEY", "secret")
        patch.setenv("AWS_EC2_METADATA_DISABLED", "true")
        started = moto.ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        started.start()
        host, port = started.get_host_and_port()
        yield f"region=us-east-1&scheme=http&endpoint_override={host}:{port}"
        started.stop()


@pytest.fixture
def put(server, request):
    """Return a function that puts files, by key, into a bucket of the test's own and returns its address."""
    from pyarrow.fs import FileSystem

    name = f"b{abs(hash(request.node.name))}"
    system, _ = FileSystem.from_uri(f"s3://{name}?{server}&allow_bucket_creation=true")
    system.create_dir(name)

    def put_files(files):
        for key, data in files.items():
            with system.open_output_stream(f"{name}/{key}") as written:
                written.write(data)
        return f"s3://{name}/all?{server}"

    return put_files


@pytest.fixture
def folder(tmp_path):
    """Submissions, each in a folder of its own, one with its study; one as a file; one that cannot be read."""
    inside = tmp_path / "all"
    for name in ("rate", "kernel"):
        (inside / name).mkdir(parents=True)
        (inside / name / "submission.json").write_text(json.dumps(base(name)))
    shutil.copytree(ROOT / "examples" / "honest" / "study", inside / SPACED)
    (inside / "alone.json").write_text(json.dumps(base("energy")))
    (inside / "broken.json").write_text('{"dlaudit": "submission/1", ')
    return inside


def files_of(folder):
    return {
        str(path.relative_to(folder.parent)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()
    }


def rows(found):
    return [row for part in by_processes(found, SETTINGS, 1) for row in part]


def test_the_rows_are_those_of_the_folder_under_the_names_of_the_bucket(folder, put):
    address = put(files_of(folder))
    from_disk, from_bucket = rows(entries([str(folder)])), rows(entries([address]))
    plain = address.partition("?")[0]
    assert len(from_bucket) > 5
    assert [asdict(row) for row in from_bucket] == [
        json.loads(
            json.dumps(asdict(row)).replace(str(folder), plain).replace(SPACED, SPACED.replace(" ", "%20")),
            object_hook=tuples,
        )
        for row in from_disk
    ]


def tuples(value):
    return {key: tuple(item) if isinstance(item, list) else item for key, item in value.items()}


def test_it_is_named_on_the_command_line(folder, put, tmp_path, capsys):
    parquet = pytest.importorskip("pyarrow.parquet")
    address = put(files_of(folder))
    assert run(["lint", address, "--out", str(tmp_path / "v.parquet"), "--jobs", "2", "--no-config"]) == 2
    assert "unreadable" in capsys.readouterr().out
    written = parquet.read_table(tmp_path / "v.parquet")
    assert set(written["entry"].to_pylist()) == {
        f"{address.partition('?')[0]}/{name}".replace(" ", "%20")
        for name in ("alone.json", "broken.json", "kernel", "rate", SPACED)
    }
    assert not any("/tmp" in str(row) or "endpoint_override" in str(row) for row in written.to_pylist())


def test_a_single_file_of_it_is_judged(put):
    address = put({"all/a.json": json.dumps(base("rate")).encode()})
    one = address.replace("/all?", "/all/a.json?")
    assert entries([one]) == [one]
    assert rows([one])[0].document == one.partition("?")[0]


def test_a_file_whose_evidence_lies_beside_it_is_not_judged_without_it(put, folder):
    study = folder / SPACED
    address = put({f"all/{name}": (study / name).read_bytes() for name in ("submission.json", "manifest.json")})
    found = rows(entries([address]))
    assert {row.verdict for row in found} == {"unreadable"}
    assert all("put it with them into a folder of its own" in row.why for row in found)


def test_an_entry_that_is_too_large_is_a_row_that_says_so(put, folder, monkeypatch):
    monkeypatch.setattr(buckets, "MOST_FILES", 3)
    found = {row.entry.rpartition("/")[2]: row for row in rows(entries([put(files_of(folder))]))}
    assert "more than 3 files" in found["with%20its%20study"].why
    assert found["alone.json"].verdict != "unreadable"


def test_nothing_of_a_copy_stays(put, folder, tmp_path, monkeypatch):
    (tmp_path / "scratch").mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "scratch"))
    rows(entries([put(files_of(folder))]))
    assert not list((tmp_path / "scratch").iterdir())


def test_no_setting_is_taken_from_a_bucket(put, tmp_path, monkeypatch):
    waiving = b'[profiles]\n[lint]\nfail-on = "never"\n'
    document = deepcopy(base("rate"))
    for claim in document["claims"].values():
        claim["value"] = "99999999"
    address = put({"all/a/dlaudit.toml": waiving, "all/a/submission.json": json.dumps(document).encode()})
    monkeypatch.chdir(tmp_path)
    assert run(["lint", address, "--out", "v.parquet"]) == 1


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("s3://somebody:secret@bucket/x", "credentials belong in the environment"),
        ("s3://bucket/x?client_secret=secret", 'the query says "client_secret"'),
        ("file:///etc", "begin it with s3://BUCKET"),
        ("s3://", "begin it with s3://BUCKET"),
        ("s3://[x/", "the bucket cannot be read"),
        ("s3://none-there/x?{server}", "no such file or folder in the bucket"),
        ("s3://bucket/x?region=us-east-1&endpoint_override=127.0.0.1:1&scheme=http", "the bucket cannot be read"),
    ],
)
def test_what_cannot_be_read_is_one_line(server, address, words, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert run(["lint", address.format(server=server), "--out", "v.parquet", "--no-config"]) == 2
    told = capsys.readouterr().err
    assert words in told
    assert "secret@" not in told
    assert told.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_an_empty_place_is_named(put, capsys):
    address = put({"other/a.json": b"{}"})
    assert run(["lint", address, "--engine", "processes", "--out", "/dev/null/v", "--no-config"]) == 2
    assert "no such file or folder in the bucket" in capsys.readouterr().err


def test_a_report_of_one_document_is_not_made_from_a_bucket(capsys):
    assert run(["lint", "s3://bucket/x", "--no-config"]) == 2
    assert "judge a bucket with --out FILE or --engine ray" in capsys.readouterr().err


@pytest.mark.slow
def test_ray_reads_it_and_so_does_the_example(put, folder, tmp_path, monkeypatch):
    ray = pytest.importorskip("ray", reason="Ray is not installed")
    import runpy

    parquet = pytest.importorskip("pyarrow.parquet")
    found = entries([put(files_of(folder))])
    try:
        by = [row for part in by_ray(found, SETTINGS, 2) for row in part]
        assert sorted(by, key=str) == sorted(rows(found), key=str)
        address = found[0].replace("/alone.json?", "?")
        monkeypatch.setattr(sys, "argv", ["on_ray.py", address, str(tmp_path / "out")])
        runpy.run_path(str(ROOT / "examples" / "scale" / "on_ray.py"), run_name="__main__")
        assert len(parquet.read_table(tmp_path / "out")) == len(by)
    finally:
        ray.shutdown()
