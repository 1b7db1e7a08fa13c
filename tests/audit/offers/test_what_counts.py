"""What of a hand-in counts: a claim that is contradicted does, a number from another spec does not."""

import json
import re
import shutil

import pytest
from click.testing import CliRunner
from dlaudit.audit.cli import cli


def judged(hand, issued, trust, *options):
    words = ("offers", hand, "--tender", issued.path, "--trust", trust, *options)
    done = CliRunner().invoke(cli, [*map(str, words), "--format", "json"], standalone_mode=False)
    assert done.exception is None or isinstance(done.exception, SystemExit), done.exception
    return json.loads(done.stdout[: done.stdout.rindex("}") + 1])


@pytest.fixture
def one(tender, tmp_path):
    """The honest vendor's hand-in alone."""
    issued, hand, trust = tender
    shutil.copytree(hand / "vendor-a", tmp_path / "hand" / "vendor-a")
    return issued, tmp_path / "hand", trust


def test_a_contradicted_claim_decides_whether_its_number_is_asked_for_or_not(one, mixed, tmp_path):
    issued, hand, trust = one
    (hand / "vendor-a" / "leaflet.yaml").write_text(mixed)
    vendor = judged(hand, issued, trust, "--out", tmp_path / "out")["vendors"]["vendor-a"]
    assert vendor["figures"]["digits-rate"]["verdict"] == "PASS"
    assert (vendor["verdict"], vendor["meets"]) == ("FAIL", False)
    assert "speed and quality come from different settings" in vendor["problems"][0]
    assert "31000 samples per second and reaches 97.7 %" in vendor["problems"][0]
    for name in ("offers.html", "vendor-a/letter.txt"):
        words = " ".join((tmp_path / "out" / name).read_text().split())
        assert "speed and quality come from different settings" in words
    assert "Nothing in it contradicts" not in (tmp_path / "out" / "vendor-a" / "letter.txt").read_text()


def test_a_number_from_another_spec_stands_beside_no_other(tender, tmp_path, make, key):
    issued, _, trust = tender
    fewer = issued.nonced("digits", "vendor-d").replace(b"every_samples: 2048", b"every_samples: 1024")
    make(tmp_path / "hand" / "vendor-d" / "digits", fewer, key)
    (tmp_path / "hand" / "vendor-d" / "offer.yaml").write_text(
        "dlaudit: offer/1\nvendor: vendor-d\nprice: {amount: 1000, currency: EUR, per: system}\n"
    )
    vendor = judged(tmp_path / "hand", issued, trust, "--out", tmp_path / "out")["vendors"]["vendor-d"]
    figure = vendor["figures"]["digits-rate"]
    assert figure["not_comparable"] == "another spec was run: other convergence"
    assert (figure["verdict"], vendor["verdict"]) == ("INSUFFICIENT EVIDENCE", "INSUFFICIENT EVIDENCE")
    assert {each["value"] for each in figure["per"].values()} == {None}
    page = (tmp_path / "out" / "offers.html").read_text()
    assert "not comparable" in page.lower()
    assert '<strong class="value' not in page


def test_a_number_in_another_unit_is_said_to_be_that(one, tmp_path):
    issued, hand, trust = one
    folder = tmp_path / "tender"
    shutil.copytree(issued.path.parent, folder)
    path = folder / "tender.yaml"
    path.write_text(path.read_text().replace('unit: "samples/s"', 'unit: "tokens/s"'))
    from dlaudit.audit.tender.tender import read_tender

    vendor = judged(hand, read_tender(path), trust)["vendors"]["vendor-a"]
    assert "Rate of digits: handed in as samples/s, the tender asks for tokens/s" in vendor["problems"]


def test_a_letter_asks_for_what_decides_and_holds_every_list_in_full(tender, tmp_path):
    issued, hand, trust = tender
    vendors = judged(hand, issued, trust, "--out", tmp_path)["vendors"]
    letter = (tmp_path / "vendor-c" / "letter.txt").read_text()
    words = " ".join(letter.split())
    for item in (*vendors["vendor-c"]["problems"], *vendors["vendor-c"]["unproven"], *vendors["vendor-c"]["caveats"]):
        assert " ".join(item.split()) in words
    assert "Please answer Computing centre. Offers close on 2027-01-29." in words
    asked = [line.split(". ", 1)[1] for line in letter.splitlines() if line.startswith("  ") and ". " in line[:6]]
    assert len(asked) == len(set(asked)) > 0
    assert "T4: recomputed from raw samples" in words
    page = (tmp_path / "offers.html").read_text()
    assert "more: vendor-c/letter.txt" in page


def retold(issued, folder, *changes):
    """Return a copy of a tender with some words changed."""
    from dlaudit.audit.tender.tender import read_tender

    shutil.copytree(issued.path.parent, folder)
    path = folder / "tender.yaml"
    text = path.read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    path.write_text(text)
    return read_tender(path)


def test_an_interval_wider_than_the_margin_of_acceptance_is_told(one, tmp_path):
    issued, hand, trust = one
    narrow = retold(issued, tmp_path / "tender", ("margin: 0.05", "margin: 0.0001"))
    vendor = judged(hand, narrow, trust)["vendors"]["vendor-a"]
    (doubt,) = vendor["figures"]["digits-rate"]["doubts"]
    assert "acceptance allows 0.01 %" in doubt
    assert vendor["meets"]


def test_a_limit_within_the_interval_cannot_be_told_to_be_kept(one, tmp_path):
    issued, hand, trust = one
    low, high = map(float, judged(hand, issued, trust)["vendors"]["vendor-a"]["figures"]["digits-rate"]["interval"])
    limit = f"{low + (high - low) / 4:.2f}"
    across = retold(issued, tmp_path / "tender", ('least: "9000"', f'least: "{limit}"'))
    vendor = judged(hand, across, trust, "--out", tmp_path / "out")["vendors"]["vendor-a"]
    assert (vendor["meets"], vendor["problems"]) == (False, [])
    assert vendor["figures"]["digits-rate"]["limit"] == "cannot tell"
    (words,) = vendor["open"]
    assert re.search(rf"cannot tell whether it is at least {limit}, .*; about \d+ trials would tell", words)
    assert "cannot tell whether it meets the tender" in (tmp_path / "out" / "offers.html").read_text()
    letter = " ".join((tmp_path / "out" / "vendor-a" / "letter.txt").read_text().split())
    assert words in letter
    assert "We may send you a second call of this tender: the same spec with more of them and a new nonce." in letter
    assert re.findall(r"Annex (\d)", letter) == ["1", "2"]


NARROW = ("widest_interval: 0.1", "widest_interval: 0.02")


def test_an_interval_wider_than_the_tender_accepts_is_not_signed_without_a_limit(one, tmp_path):
    issued, hand, trust = one
    narrow = retold(issued, tmp_path / "tender", NARROW, ('    least: "9000"\n', ""))
    vendor = judged(hand, narrow, trust, "--out", tmp_path / "out")["vendors"]["vendor-a"]
    assert (vendor["meets"], vendor["problems"]) == (False, [])
    (words,) = vendor["open"]
    assert "2 % is accepted; about" in words
    assert "cannot be signed yet (too wide: ±" in (tmp_path / "out" / "offers.html").read_text()
    of_number = retold(
        narrow, tmp_path / "of-number", ('    unit: "samples/s"', '    unit: "samples/s"\n    widest_interval: 1')
    )
    assert judged(hand, of_number, trust)["vendors"]["vendor-a"]["meets"]


def test_a_wide_interval_that_keeps_its_limit_as_a_whole_is_a_caveat(one, tmp_path):
    issued, hand, trust = one
    narrow = retold(issued, tmp_path / "tender", NARROW)
    words = ("offers", hand, "--tender", narrow.path, "--trust", trust, "--out", tmp_path / "out")
    done = CliRunner().invoke(cli, [*map(str, words)], standalone_mode=False)
    assert done.return_value == 0, done.output
    assert re.search(r"Vendor A: meets the tender \(wide: ±[\d.]+ %\)\n", done.output)
    assert "caveat    Rate of digits: wide: its interval reaches" in done.output
    assert "meets the tender (wide: ±" in (tmp_path / "out" / "offers.html").read_text()
    letter = " ".join((tmp_path / "out" / "vendor-a" / "letter.txt").read_text().split())
    assert "Your hand-in shows every number that the tender asks for, on the evidence" in letter


def test_a_busy_machine_is_told_in_the_row_on_the_vendors_page_and_in_the_letter(tender, tmp_path, make):
    from dlaudit.audit.trust import keys

    issued, hand, trust = tender
    shutil.copytree(hand / "vendor-a", tmp_path / "hand" / "vendor-a")
    study = tmp_path / "hand" / "vendor-a" / "digits"
    shutil.rmtree(study)
    (private,) = (hand.parent / "keys" / "vendor-a").glob("*.key")
    signer = keys.load_signer(private, None)
    make(study, issued.nonced("digits", "vendor-a"), signer, busy=0.3)
    vendor = judged(tmp_path / "hand", issued, trust, "--out", tmp_path / "out")["vendors"]["vendor-a"]
    words = "the machine was busy: 5 of 5 trials lost more than 5 % of their time to other programs, at most 30 %"
    assert words in vendor["caveats"]
    assert "busy machine: 5 of 5 trials disturbed" in vendor["figures"]["digits-rate"]["doubts"]
    assert "busy machine: 5 of 5 trials disturbed" in (tmp_path / "out" / "offers.html").read_text()
    for name in ("offers.html", "vendor-a/report.html", "vendor-a/letter.txt"):
        assert words[1:] in " ".join((tmp_path / "out" / name).read_text().split())


def test_a_letter_opens_with_what_fails_and_names_the_spec_that_settles_what(tender, tmp_path):
    issued, hand, trust = tender
    vendor = judged(hand, issued, trust, "--out", tmp_path)["vendors"]["vendor-b"]
    letter = " ".join((tmp_path / "vendor-b" / "letter.txt").read_text().split())
    first = " ".join(vendor["problems"][0].split())
    assert f"Your hand-in does not meet the tender. Why: - {first}" in letter
    leaflet = " ".join((tmp_path / "vendor-c" / "letter.txt").read_text().split())
    assert "Run digits.yaml, which carries your nonce: it measures Rate of digits." in leaflet


def test_a_limit_that_is_missed_is_told_with_value_and_interval_and_no_run_is_asked_for(one, tmp_path):
    issued, hand, trust = one
    high = retold(issued, tmp_path / "tender", ('least: "9000"', 'least: "90000"'))
    vendor = judged(hand, high, trust, "--out", tmp_path / "out")["vendors"]["vendor-a"]
    (why,) = vendor["problems"]
    low, end = (f"{float(each):.0f}" for each in vendor["figures"]["digits-rate"]["interval"])
    value = f"{float(vendor['figures']['digits-rate']['value']):.0f}"
    assert float(end) - float(low) > 100
    told = re.fullmatch(r"Rate of digits: (\d+) samples/s \((\d+) to (\d+)\), where at least 90000 is asked for", why)
    assert told
    assert [abs(int(a) - int(b)) < 10 for a, b in zip(told.groups(), (value, low, end), strict=True)] == [True] * 3
    letter = " ".join((tmp_path / "out" / "vendor-a" / "letter.txt").read_text().split())
    assert f"Why: - {why}" in letter
    assert "Rate of digits: measured as asked, beyond the limit." in letter
    assert "dlaudit run" not in letter


def test_what_a_price_is_for_is_a_field_and_stands_on_the_page(one, tmp_path):
    issued, hand, trust = one
    devices = retold(issued, tmp_path / "d", ("per: system", "per: device"))
    vendor = judged(hand, devices, trust)["vendors"]["vendor-a"]
    assert vendor["unread"] == "offer.yaml: the price is per system; state it per device, as the tender asks"
    hours = retold(issued, tmp_path / "h", ("per: system", "per: hour"))
    offer = hand / "vendor-a" / "offer.yaml"
    offer.write_text(offer.read_text().replace("per: system", "per: hour").replace("90000", "9"))
    vendor = judged(hand, hours, trust, "--out", tmp_path / "out")["vendors"]["vendor-a"]
    cost = vendor["figures"]["digits-rate"]["per"]["cost"]
    assert (cost["unit"], round(cost["value"] / 15796.8, 3)) == ("samples per EUR", 400.0)
    assert "EUR per hour of the system, net" in (tmp_path / "out" / "offers.html").read_text()


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("  per: system", "  # per: system", "per"),
        ('basis: "net"', 'basis: "net, per GPU"', "basis says 'per GPU', and per says system"),
        ('basis: "net"', 'basis: "net, per system"', "per says system already; take 'per system' out of the basis"),
        ('closes: "2027-01-29"', 'closes: "2026-01-29"', "before the tender is issued"),
    ],
)
def test_a_tender_whose_price_or_dates_say_two_things_is_refused(tender, tmp_path, old, new, why):
    from dlaudit.schemas.errors import UserError

    with pytest.raises(UserError, match=why):
        retold(tender[0], tmp_path / "t", (old, new))


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({"leaflet.yaml": "dlaudit: submission/1\ntitle: t\nclaims: {c: {statement: s}}\n"}, r"^leaflet.yaml:3:\d+ "),
        ({"submission.json": "{"}, r"^submission.json:1:\d+: .*not readable as JSON"),
        ({"offer.yaml": "dlaudit: offer/1\nvendor: vendor-a\nprice: {amount: 1, currency: EUR}\n"}, "'per'; add it"),
        ({"offer.yaml": "dlaudit: offer/1\nvendor: vendor-b\n"}, "this offer is from 'vendor-b'; it lies in"),
        ({}, "^vendor-a holds no study and no claim; put the whole folder into it that dlaudit run wrote"),
    ],
)
def test_a_wrong_hand_in_is_one_line_with_what_where_and_what_to_do(tender, tmp_path, files, why):
    issued, _, trust = tender
    (tmp_path / "hand" / "vendor-a").mkdir(parents=True)
    for name, text in files.items():
        (tmp_path / "hand" / "vendor-a" / name).write_text(text)
    said = judged(tmp_path / "hand", issued, trust)["vendors"]["vendor-a"]["unread"]
    assert re.search(why, said), said
    assert "; " in said
    assert "\n" not in said


def test_a_letter_about_an_offer_in_a_wrong_folder_does_not_say_whose_it_is(tender, tmp_path):
    issued, _, trust = tender
    (tmp_path / "hand" / "vendor-a").mkdir(parents=True)
    (tmp_path / "hand" / "vendor-a" / "offer.yaml").write_text("dlaudit: offer/1\nvendor: vendor-b\n")
    judged(tmp_path / "hand", issued, trust, "--out", tmp_path / "out")
    letter = (tmp_path / "out" / "vendor-a" / "letter.txt").read_text()
    assert "this offer is from another bidder" in letter
    assert "vendor-b" not in letter


def test_a_folder_by_the_vendors_name_is_taken_for_a_slip(tender, tmp_path):
    issued, _, trust = tender
    (tmp_path / "hand" / "Vendor A").mkdir(parents=True)
    said = judged(tmp_path / "hand", issued, trust)["vendors"]["vendor-a"]["unread"]
    assert said.endswith("the folder Vendor A may be meant; name it vendor-a, the vendor's id")
