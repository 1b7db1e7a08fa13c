"""A tender with four vendors and a broken hand-in: the page shows each for what it is, and ranks nobody."""

import json
import re
import zipfile

import html5lib
import pytest
from click.testing import CliRunner
from dlaudit.audit.cli import cli
from dlaudit.audit.tender.tender import read_tender
from dlaudit.schemas.validation import validate


def call(*arguments):
    done = CliRunner().invoke(cli, [*map(str, arguments)], standalone_mode=False)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.return_value, done.output


@pytest.fixture(scope="module")
def out(tender, tmp_path_factory):
    """The folder that `dlaudit offers` writes, and what it prints as JSON."""
    issued, hand, trust = tender
    (hand / "somebody-else").mkdir(exist_ok=True)
    folder = tmp_path_factory.mktemp("out")
    code, printed = call("offers", hand, "--tender", issued.path, "--trust", trust, "--out", folder, "--format", "json")
    assert code == 0
    return folder, json.loads(printed[: printed.rindex("}") + 1])["vendors"]


def cells(page, heading):
    """Return the texts of a row's cells, as a browser would show them."""
    tree = html5lib.parse(page, namespaceHTMLElements=False)
    for row in tree.iter("tr"):
        first, *rest = list(row)
        if "".join(first.itertext()).startswith(heading):
            return [" ".join("".join(cell.itertext()).split()) for cell in rest]
    raise AssertionError(heading)


def test_the_honest_vendor_meets_the_tender(out):
    vendor = out[1]["vendor-a"]
    assert (vendor["verdict"], vendor["meets"], vendor["problems"]) == ("PASS", True, [])
    figure = vendor["figures"]["digits-rate"]
    assert (figure["tier"], figure["verdict"], figure["limit"]) == ("T4", "PASS", "kept")
    assert figure["interval"] is not None
    assert vendor["unproven"] == ["runs that are not in the ledger (nobody witnessed it)"]


def test_a_replayed_manifest_fails_by_its_nonce_whatever_its_signature(out):
    vendor = out[1]["vendor-b"]
    assert (vendor["verdict"], vendor["meets"]) == ("FAIL", False)
    assert "measured for another call, or before this one" in vendor["problems"][0]
    assert vendor["figures"]["digits-rate"]["tier"] == "T4"


def test_mixed_option_sets_fail_and_are_said_to_be_mixed(out):
    vendor = out[1]["vendor-c"]
    assert (vendor["verdict"], vendor["meets"]) == ("FAIL", False)
    assert "speed and quality come from different settings" in vendor["problems"][0]
    figure = vendor["figures"]["digits-rate"]
    assert (figure["tier"], figure["interval"]) == ("T1", None)


def test_slower_and_cheaper_per_joule_are_both_shown_and_neither_ranks(out):
    vendors = out[1]
    fast, frugal = (vendors[name]["figures"]["digits-rate"] for name in ("vendor-a", "vendor-d"))
    assert float(frugal["value"]) < float(fast["value"])
    assert frugal["per"]["joule"]["value"] == 75 > fast["per"]["joule"]["value"]
    assert vendors["vendor-d"]["meets"]
    assert list(vendors) == [f"vendor-{letter}" for letter in "abcde"]
    page = (out[0] / "offers.html").read_text()
    assert not re.search(r"score[^s]|\bbest\b|\brank(?!s)", page)


def test_a_hand_in_that_cannot_be_read_stands_beside_the_others(out):
    vendor = out[1]["vendor-e"]
    assert (vendor["verdict"], vendor["figures"]) == (None, {})
    assert "not readable as JSON" in vendor["unread"]
    assert "<script>" not in (out[0] / "vendor-e" / "report.html").read_text()


def test_the_page_shows_what_was_judged_in_the_order_of_the_tender(out):
    page = (out[0] / "offers.html").read_text()
    assert cells(page, "Decision") == [
        "✓ meets the tenderevidence: PASS",
        "✗ does not meet the tenderevidence: FAIL",
        "✗ does not meet the tenderevidence: FAIL",
        "✓ meets the tenderevidence: PASS",
        "– not readevidence: NO VERDICT",
    ]
    assert re.search(r"digits measures digits-cnn: .*\btrials \d", page)
    rates = cells(page, "Rate of digits")
    assert [cell[:6] for cell in rates] == ["15800 ", "19750 ", "31000 ", "11280 ", "not sh"]
    per_joule = [re.search(r"(\S+) samples per joule", cell) for cell in rates]
    assert [found and found[1] for found in per_joule] == ["53.33", None, None, "75", None]
    tiers = [re.search(r"T\d(?= [A-Z])", cell) for cell in rates]
    assert [found and found[0] for found in tiers] == ["T4", "T4", "T1", "T4", None]
    assert "not judged: somebody-else" in page
    assert "http" not in page.replace('http-equiv="Content-Security-Policy"', "")


def test_the_letter_says_what_to_supply_and_the_spec_that_would_measure_it(out, tender):
    issued = tender[0]
    letter = (out[0] / "vendor-c" / "letter.txt").read_text()
    assert "Were performance and quality obtained with the same options and software?" in letter
    assert f'nonce: "{issued.content.vendors["vendor-c"].nonce}"' in letter
    assert not any(vendor.nonce in letter for name, vendor in issued.content.vendors.items() if name != "vendor-c")
    assert "What to supply, and how" not in (out[0] / "vendor-a" / "letter.txt").read_text()
    assert max(map(len, letter.split("What to supply, and how")[0].splitlines())) <= 92


def test_the_archive_holds_what_was_asked_handed_in_and_judged(out):
    with zipfile.ZipFile(out[0] / "archive.zip") as archive:
        names = set(archive.namelist())
        listed = archive.read("handed-in.sha256").decode()
    assert {"tender/tender.yaml", "tender/digits.yaml", "offers.html", "vendor-b/letter.txt"} <= names
    assert {"handed-in/vendor-a/digits/manifest.dsse.json", "handed-in/vendor-c/leaflet.yaml"} <= names
    assert "vendor-a/digits/trials/digits-t1.samples.json" in listed


def test_text_says_the_same_and_without_an_offer_that_meets_the_code_is_1(tender, tmp_path):
    issued, hand, trust = tender
    code, printed = call("offers", hand, "--tender", issued.path, "--trust", trust)
    assert (code, "Vendor D: meets the tender (PASS)" in printed) == (0, True)
    code, printed = call("offers", hand, "--tender", issued.path)
    assert (code, "Vendor A: does not meet the tender" in printed) == (1, True)
    code, printed = call("offers", tmp_path, "--tender", issued.path)
    assert (code, printed.count("nothing was handed in")) == (1, 5)


def test_another_spec_and_a_study_handed_in_twice_are_said(tender, tmp_path, make, key, spec_bytes):
    import shutil

    issued, hand, trust = tender
    copy = tmp_path / "hand"
    for name in ("vendor-a", "vendor-b"):
        shutil.copytree(hand / "vendor-a", copy / name)
    (copy / "vendor-b" / "offer.yaml").write_bytes((hand / "vendor-b" / "offer.yaml").read_bytes())
    fewer = issued.nonced("digits", "vendor-d").replace(b"every_samples: 2048", b"every_samples: 1024")
    (copy / "vendor-d").mkdir()
    (copy / "vendor-d" / "offer.yaml").write_bytes((hand / "vendor-d" / "offer.yaml").read_bytes())
    make(copy / "vendor-d" / "digits", fewer, key)
    _, printed = call("offers", copy, "--tender", issued.path, "--trust", trust, "--out", tmp_path / "out")
    assert "Vendor A: meets the tender (PASS)" in printed
    for name in ("vendor-a", "vendor-b"):
        others = [each for key, each in issued.content.vendors.items() if key != name]
        for path in (tmp_path / "out" / name).iterdir():
            text = path.read_text()
            assert not [each for each in others if each.name in text or each.nonce in text], path
        assert "the same study was handed in by another bidder" in (tmp_path / "out" / name / "letter.txt").read_text()
    assert "caveat    the same study was handed in by Vendor B; it carries this vendor's own nonce" in printed
    assert "Vendor B: does not meet the tender (FAIL)" in printed
    assert "against   the same study was handed in by Vendor A" in printed
    assert "did not run what was asked for: other convergence" in printed


def test_a_number_counts_for_the_workload_that_its_study_ran_alone(tmp_path, make, key, spec_bytes):
    other = spec_bytes.replace(b"every_samples: 2048", b"every_samples: 1024")
    for name, data in (("digits", spec_bytes), ("often", other)):
        (tmp_path / f"{name}.yaml").write_bytes(data)
    specs = ("--spec", tmp_path / "digits.yaml", "--spec", tmp_path / "often.yaml")
    call("tender", "init", tmp_path / "t", *specs, "--vendor", "One", "--title", "t", "--buyer", "b")
    issued = read_tender(tmp_path / "t" / "tender.yaml")
    (tmp_path / "hand" / "one").mkdir(parents=True)
    make(tmp_path / "hand" / "one" / "s", issued.nonced("often", "one"), key)
    _, printed = call("offers", tmp_path / "hand", "--tender", issued.path)
    assert "against   Rate of digits: not in what was handed in" in printed
    assert "Rate of often: 15800 samples/s" in printed


def test_what_lies_behind_a_link_is_not_opened(tender, tmp_path):
    issued, hand, _ = tender
    (tmp_path / "vendor-a").mkdir()
    (tmp_path / "vendor-a" / "offer.yaml").symlink_to(hand / "vendor-a" / "offer.yaml")
    (tmp_path / "vendor-b").symlink_to(hand / "vendor-b")
    _, printed = call("offers", tmp_path, "--tender", issued.path)
    assert "a symbolic link" in printed
    assert "EUR" not in printed
    assert printed.count("nothing was handed in") == 4


def test_the_acceptance_test_of_a_tender_takes_its_margins_and_refuses_other_specs(tender, tmp_path, make, spec_bytes):
    from dlaudit.schemas.errors import UserError

    issued, hand, trust = tender
    study = hand / "vendor-a" / "digits"
    make(tmp_path / "delivered", issued.nonced("digits", "vendor-a"), None)
    words = ("reproduce", study, "--tender", issued.path, "--trust", trust, "--unsigned")
    code, printed = call(*words, "--measured", tmp_path / "delivered", "--out", tmp_path / "o")
    terms = json.loads((tmp_path / "o" / "reproduction.json").read_text())["predicate"]["terms"]
    assert (code, terms["quality_margin"]) == (0, 0.01), printed
    other = make(tmp_path / "other", spec_bytes.replace(b"every_samples: 2048", b"every_samples: 1024"), None)
    with pytest.raises(UserError, match="not a spec of the tender: different convergence"):
        call("reproduce", other, *words[2:], "--out", tmp_path / "p")


@pytest.fixture
def begun(tmp_path, spec_bytes):
    (tmp_path / "digits.yaml").write_bytes(spec_bytes)
    words = ("tender", "init", tmp_path / "t", "--spec", tmp_path / "digits.yaml", "--vendor", 'Ä & B: "x"')
    call(*words, "--vendor", "Two", "--title", "A title: with # signs", "--buyer", "We")
    return tmp_path / "t" / "tender.yaml"


def test_a_tender_is_written_once_with_a_nonce_for_each_and_sent_with_its_own_alone(begun):
    from dlaudit.schemas.source import read

    value = read(begun).value
    assert validate("tender", value) == ()
    first, second = (vendor["nonce"] for vendor in value["vendors"].values())
    _, printed = call("tender", "call", begun)
    assert printed.count("send") == 2
    sent = begun.parent / "call" / "two"
    assert second in (sent / "digits.yaml").read_text()
    assert not any(first in path.read_text() for path in sent.iterdir())
    from dlaudit.schemas.errors import UserError

    with pytest.raises(UserError, match="written already"):
        call("tender", "call", begun)


def test_a_spec_that_was_changed_after_the_call_is_refused(begun, tmp_path):
    from dlaudit.schemas.errors import UserError

    spec = begun.parent / "digits.yaml"
    spec.write_bytes(spec.read_bytes() + b"# easier\n")
    with pytest.raises(UserError, match="not the one that the tender was issued with"):
        call("offers", tmp_path, "--tender", begun)
