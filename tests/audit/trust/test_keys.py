"""Keys: where they lie, who may read them, which formats and passphrases open them."""

import os
import shutil
import stat
import subprocess

import pytest
from dlaudit.audit.trust import keys
from dlaudit.schemas.errors import UserError

MESSAGE = b"a message"


def never():
    raise AssertionError("no passphrase may be asked for")


def verifies(signer):
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

    Ed25519PublicKey.from_public_bytes(signer.public_raw).verify(signer.sign(MESSAGE), MESSAGE)


def test_keygen_writes_a_private_and_a_public_file(cli, tmp_path):
    code, text = cli("keygen", "--no-passphrase")
    assert code == 0
    (path,) = keys.keys_folder().glob("*.key")
    assert path.stem in text
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    signer = keys.load_signer(path, never)
    assert path.stem == signer.keyid[:8]
    assert keys.load_public(path.with_suffix(".pub")) == signer.public_raw
    verifies(signer)
    assert signer.public_raw.hex() not in path.read_text()


def test_passphrase_from_a_file_protects_the_key(cli, tmp_path, monkeypatch):
    monkeypatch.setattr(keys, "BCRYPT_ROUNDS", 8)
    secret = tmp_path / "secret"
    secret.write_text("correct horse\n")
    monkeypatch.setenv(keys.PASSPHRASE_FILE, str(secret))
    assert cli("keygen")[0] == 0
    (path,) = keys.keys_folder().glob("*.key")
    verifies(keys.load_signer(path, keys.passphrase_source(None)))
    with pytest.raises(UserError, match="passphrase does not open"):
        keys.load_signer(path, lambda: b"wrong horse")


def test_passphrase_from_a_descriptor(cli, make_study):
    reader, writer = os.pipe()
    os.write(writer, b"correct horse\n")
    os.close(writer)
    assert cli("keygen", "--passphrase-fd", reader)[0] == 0
    os.close(reader)
    folder = make_study()
    reader, writer = os.pipe()
    os.write(writer, b"correct horse\r\n")
    os.close(writer)
    assert cli("sign", folder, "--passphrase-fd", reader)[0] == 0
    os.close(reader)


def test_without_a_terminal_the_passphrase_sources_are_named(cli):
    code, text = cli("keygen")
    assert code == 2
    assert keys.PASSPHRASE_FILE in text
    code, text = cli("keygen", "--passphrase-fd", 99)
    assert code == 2
    assert "file descriptor 99" in text


def test_empty_passphrase_is_refused(cli, tmp_path, monkeypatch):
    (tmp_path / "empty").write_text("\n")
    monkeypatch.setenv(keys.PASSPHRASE_FILE, str(tmp_path / "empty"))
    code, text = cli("keygen")
    assert code == 2
    assert "--no-passphrase" in text


@pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX")
@pytest.mark.parametrize("mode", [0o640, 0o604, 0o660])
def test_a_key_that_others_may_read_is_refused(make_key, mode):
    _, path = make_key()
    path.chmod(mode)
    with pytest.raises(UserError, match="chmod 600"):
        keys.load_signer(path, never)


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
@pytest.mark.parametrize("protection", [[], ["-scrypt"], ["-v2", "aes-256-cbc", "-iter", "100000"]])
def test_pkcs8_made_by_openssl(tmp_path, protection):
    plain, path = tmp_path / "plain.pem", tmp_path / "key.pem"
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", plain], check=True, capture_output=True)
    if protection:
        command = ["openssl", "pkcs8", "-topk8", "-in", plain, "-out", path, "-passout", "pass:horse", *protection]
        subprocess.run(command, check=True, capture_output=True)
    else:
        plain.rename(path)
    path.chmod(0o600)
    verifies(keys.load_signer(path, (lambda: b"horse") if protection else never))


@pytest.mark.skipif(shutil.which("ssh-keygen") is None, reason="ssh-keygen is not installed")
def test_ssh_keygen_reads_the_key(tmp_path):
    import base64

    signer, path = keys.generate(tmp_path / "k", b"horse", rounds=4)
    done = subprocess.run(["ssh-keygen", "-y", "-P", "horse", "-f", path], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert base64.b64decode(done.stdout.split()[1])[-32:] == signer.public_raw
    assert subprocess.run(["ssh-keygen", "-y", "-P", "no", "-f", path], capture_output=True).returncode != 0


@pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
def test_other_kinds_of_key_are_refused(tmp_path):
    path = tmp_path / "key.pem"
    ec = ["openssl", "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:P-256", "-out", path]
    subprocess.run(ec, check=True, capture_output=True)
    path.chmod(0o600)
    with pytest.raises(UserError, match="not an Ed25519 key"):
        keys.load_signer(path, never)
    public = tmp_path / "key.pub"
    subprocess.run(["openssl", "pkey", "-in", path, "-pubout", "-out", public], check=True, capture_output=True)
    with pytest.raises(UserError, match="not an Ed25519 public key"):
        keys.load_public(public)
    with pytest.raises(UserError, match="not a public key"):
        keys.load_public(path)
    path.write_text("garbage")
    with pytest.raises(UserError, match="not a private key"):
        keys.load_signer(path, never)


def test_which_key_is_meant(make_key, cli):
    with pytest.raises(UserError, match="no signing key"):
        keys.find_key(None)
    signer, path = make_key()
    assert keys.find_key(None) == path
    make_key()
    with pytest.raises(UserError, match="several keys match"):
        keys.find_key(None)
    assert keys.find_key(signer.keyid) == keys.find_key(signer.keyid[:6]) == path
    assert keys.find_key(str(path)) == path
    with pytest.raises(UserError, match="no signing key is called"):
        keys.find_key("zz")


def test_a_signer_prints_no_secret(make_key):
    signer, _ = make_key()
    assert "PRIVATE" not in repr(signer)
    assert len(repr(signer)) < 400
