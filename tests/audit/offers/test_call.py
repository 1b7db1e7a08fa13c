"""Calling vendors: what is asked for is what their studies can give, and what was sent is what offers are held to."""

import re

import pytest
from click.testing import CliRunner
from dlaudit.audit.cli import cli
from dlaudit.audit.tender.tender import read_tender
from dlaudit.schemas.errors import UserError

SERVICE = """\
dlaudit: spec/1
title: "A decoder at 30 requests a second"
workload: {name: serving, parameters: {rate: 30, ttft_ms: 500, tpot_ms: 50}}
throughput: {warmup: 30, iterations: 400, trials: 8}
claims: {purpose: serving_objective, mode: inference}
"""


def call(*arguments):
    done = CliRunner().invoke(cli, [*map(str, arguments)], standalone_mode=False)
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.output


@pytest.fixture
def begun(tmp_path):
    """A tender for a service."""
    (tmp_path / "chat.yaml").write_text(SERVICE)
    words = ("tender", "init", tmp_path / "t", "--spec", tmp_path / "chat.yaml", "--vendor", "One")
    call(*words, "--title", "t", "--buyer", "b", "--contact", "Ann <a@example.org>")
    return tmp_path / "t" / "tender.yaml"


def test_of_a_service_goodput_and_waits_are_asked_for_in_the_units_of_its_studies(begun):
    metrics = read_tender(begun).content.metrics
    asked = {metric.metric: (metric.unit, metric.tier) for metric in metrics.values()}
    assert asked == {
        "goodput": ("requests/s", "T4"),
        "ttft_p99": ("s", "T3"),
        "tpot_p99": ("s", "T3"),
        "rate": ("tokens/s", "T4"),
    }
    assert not any(metric.per for metric in metrics.values())
    assert "work per cost compares prices alone" in begun.read_text()
    assert "T4 is asked for" not in call("tender", "call", begun)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('"tokens/s"', '"samples/s"', "asked for in samples/s, and a study of chat gives tokens/s"),
        ('arm: "base"', 'arm: "bass"', "has no arm 'bass'"),
    ],
)
def test_what_no_study_can_give_is_refused_before_it_is_sent(begun, old, new, why):
    begun.write_text(begun.read_text().replace(old, new))
    with pytest.raises(UserError, match=why):
        call("tender", "call", begun)
    assert not (begun.parent / "call").exists()


def refused(path):
    """Return why a call is refused, and make sure that it wrote nothing."""
    with pytest.raises(UserError) as caught:
        call("tender", "call", path)
    assert not (path.parent / "call").exists()
    assert not (path.parent / "tender.called.yaml").exists()
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_a_tier_that_a_drafted_submission_does_not_reach_is_refused_with_the_way_out(begun):
    begun.write_text(begun.read_text().replace("tier: T3", "tier: T4"))
    why = refused(begun)
    assert "dlaudit run drafts no claim of ttft_p99" in why
    assert why.endswith("write tier: T3")


def limited(begun, metric, **limits):
    """Give a number of the tender limits."""
    before, head, after = begun.read_text().partition(f"    metric: {metric}\n")
    lines = "".join(f'    {name}: "{value}"\n' for name, value in limits.items())
    begun.write_text(before + head + lines + after)
    return begun


@pytest.mark.parametrize(
    ("metric", "limits", "why", "todo"),
    [
        (
            '"goodput"',
            {"least": 30},
            "the load of chat offers 29.26 requests/s: no server can reach it",
            "ask for less",
        ),
        ('"goodput"', {"least": 29}, "no server can be shown to keep the limit", "ask for at most 28.2"),
        ('"rate"', {"most": 500}, "a server that keeps up with the load of chat gives 702.3 tokens/s", "write least"),
        ('"ttft_p99"', {"most": 60}, "requests are given up after 60 s", "longer timeout_s"),
    ],
)
def test_a_limit_that_the_drawn_load_makes_meaningless_is_refused(begun, metric, limits, why, todo):
    said = refused(limited(begun, metric, **limits))
    assert why in said
    assert todo in said


def test_a_limit_that_tells_servers_apart_is_sent(begun):
    assert "send" in call("tender", "call", limited(begun, '"goodput"', least=28))


@pytest.fixture
def tendered(tmp_path):
    """Return a function that begins a tender for another service."""

    def begin(old, new):
        (tmp_path / "other.yaml").write_text(SERVICE.replace(old, new))
        words = ("tender", "init", tmp_path / "o", "--spec", tmp_path / "other.yaml", "--vendor", "One")
        call(*words, "--title", "t", "--buyer", "b")
        return tmp_path / "o" / "tender.yaml"

    return begin


def test_arrivals_that_make_every_interval_too_wide_are_refused_and_constant_ones_are_not(tendered, tmp_path):
    few = tendered("iterations: 400, trials: 8", "iterations: 110, trials: 5")
    why = refused(few)
    assert "reaches 13 % from its value, and 10 % is the widest" in why
    assert "arrival: constant or about iterations: 199" in why
    few.write_text(few.read_text().replace("widest_interval: 0.1", "widest_interval: 0.15"))
    assert "send" in call("tender", "call", few)


def test_constant_arrivals_spread_nothing(tendered):
    few = tendered("{rate: 30,", "{arrival: constant, rate: 30,")
    assert "send" in call("tender", "call", few)


def test_a_percentile_of_too_few_requests_is_refused(tendered):
    few = tendered(
        "parameters: {rate: 30, ttft_ms: 500, tpot_ms: 50}}\nthroughput: {warmup: 30, iterations: 400, trials: 8}",
        "parameters: {rate: 30, arrival: constant, ttft_ms: 500}}\nthroughput: {warmup: 3, iterations: 60, trials: 5}",
    )
    assert "ttft_p90" in few.read_text()
    few.write_text(few.read_text().replace("ttft_p90", "ttft_p99"))
    why = refused(few)
    assert "a study of other measures no ttft_p99" in why
    assert "5 trials draw 300" in why
    assert "iterations: 100" in why


def test_an_objective_that_no_answer_misses_is_refused(tendered):
    lax = tendered("ttft_ms: 500, tpot_ms: 50}", "ttft_ms: 60000}")
    assert "given up after 60 s: all keep the objective" in refused(lax)


def test_an_accuracy_is_held_against_what_its_examples_can_show(tendered):
    tender = tendered("{rate: 30,", "{arrival: constant, rate: 30, test_examples: 100,")
    text = tender.read_text()
    tender.write_text(text.replace('# least: "0.94"', 'least: "0.97"'))
    why = refused(tender)
    assert "100 examples that are all answered correctly show 0.963 to 1: no server can be shown to keep" in why
    assert why.endswith("ask for at most 0.963, or begin the tender anew with another spec of 125 examples")
    tender.write_text(text.replace('# least: "0.94"', 'least: "0.9"'))
    call("tender", "call", tender)
    sent = (tender.parent / "call" / "one" / "READ-ME-FIRST.txt").read_text()
    assert "Accuracy of other: 100 examples made by dlaudit, the same for everybody." in sent


def test_nothing_is_written_where_a_program_was_changed(tmp_path):
    (tmp_path / "p.py").write_text("print(1)\n")
    (tmp_path / "own.yaml").write_text(
        "dlaudit: spec/1\ntitle: t\nworkload: {command: [python3, p.py]}\n"
        "throughput: {warmup: 1, iterations: 8, trials: 3}\n"
    )
    words = ("tender", "init", tmp_path / "t", "--spec", tmp_path / "own.yaml", "--vendor", "One")
    call(*words, "--title", "t", "--buyer", "b")
    (tmp_path / "t" / "p.py").write_text("print(2)\n")
    assert "this is not the file that the tender names" in refused(tmp_path / "t" / "tender.yaml")


def test_the_text_for_a_vendor_says_how_to_install_sign_and_whom_to_ask(begun):
    call("tender", "call", begun)
    text = (begun.parent / "call" / "one" / "READ-ME-FIRST.txt").read_text()
    for words in ("Ann <a@example.org>", "'.[run,serving]'", "--key keys/*.key", "8 trials", "evidence T4"):
        assert words in text
    assert "or better" not in text
    assert "tuning_effort" not in text


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--per", "hour", "--basis", "net, per hour"), "--basis: per says hour already; take 'per hour' out of"),
        (("--closes", "2020-01-01"), "--closes: offers close on 2020-01-01, before"),
    ],
)
def test_nothing_is_begun_where_price_or_dates_say_two_things(tmp_path, words, why):
    (tmp_path / "chat.yaml").write_text(SERVICE)
    facts = ("--spec", tmp_path / "chat.yaml", "--vendor", "One", "--title", "t", "--buyer", "b")
    with pytest.raises(UserError, match=why):
        call("tender", "init", tmp_path / "t", *facts, *words)
    assert not (tmp_path / "t").exists()


def test_what_a_load_caps_is_shown_per_cost_with_what_that_means(begun, tmp_path):
    begun.write_text(begun.read_text().replace("# per: [cost]", "per: [cost]"))
    (tmp_path / "hand").mkdir()
    call("offers", tmp_path / "hand", "--tender", begun, "--out", tmp_path / "out")
    assert "prices and power alone are compared" in (tmp_path / "out" / "offers.html").read_text()


def test_a_tender_that_was_changed_after_the_call_says_so(begun, tmp_path):
    call("tender", "call", begun)
    (tmp_path / "hand").mkdir()
    assert "differs from what was called" not in call("offers", tmp_path / "hand", "--tender", begun)
    begun.write_text(begun.read_text().replace("tier: T4", "tier: T2"))
    printed = call("offers", tmp_path / "hand", "--tender", begun, "--out", tmp_path / "out")
    words = "The tender differs from what was called: metrics.chat-goodput.tier, metrics.chat-rate.tier."
    assert words in printed
    assert words in (tmp_path / "out" / "offers.html").read_text()


@pytest.fixture
def called(begun):
    """A tender that its vendor was called by."""
    call("tender", "call", begun)
    return begun


def nonces(path):
    """Return the nonce of each vendor, by id."""
    return {name: vendor.nonce for name, vendor in read_tender(path).content.vendors.items()}


def test_a_vendor_is_called_late_and_again_and_what_the_others_were_sent_stands(called):
    first = nonces(called)["one"]
    sent = {file.name: file.read_bytes() for file in (called.parent / "call" / "one").iterdir()}
    assert call("tender", "call", called, "--late", "Number Two") == f"send  {called.parent}/call/number-two\n"
    second = nonces(called)["number-two"]
    told = call("tender", "call", called, "--again", "number-two")
    assert "counts no more" in told
    assert "number-two.replaced-1" in told
    third = nonces(called)["number-two"]
    assert nonces(called) == {"one": first, "number-two": third}
    assert third != second
    assert {file.name: file.read_bytes() for file in (called.parent / "call" / "one").iterdir()} == sent
    spec = (called.parent / "call" / "number-two" / "chat.yaml").read_text()
    assert [nonce for nonce in (first, second, third) if nonce in spec] == [third]
    call("tender", "call", called, "--again", "one")
    vendors = read_tender(called).content.vendors.values()
    assert all(vendor.called for vendor in vendors)
    page = CliRunner().invoke(cli, ["offers", str(called.parent / "call"), "--tender", str(called)]).output
    assert "The tender differs" not in page
    assert f"Number Two was called alone on {next(iter(vendors)).called}." in page


def test_a_vendor_of_a_tender_in_the_users_own_layout_is_called_again(called):
    nonce = nonces(called)["one"]
    laid_out = called.read_text().replace(
        f'  one: {{name: "One", nonce: "{nonce}"}}', f'  one:\n    name: "One"\n    nonce: "{nonce}"'
    )
    for path in (called, called.parent / "tender.called.yaml"):
        path.write_text(laid_out)
    call("tender", "call", called, "--again", "one")
    again = nonces(called)["one"]
    assert again != nonce
    for path in (called, called.parent / "tender.called.yaml"):
        path.write_text(re.sub(r'called: "[0-9-]+"', 'called: "2026-01-02"', path.read_text()))
    call("tender", "call", called, "--again", "one")
    assert nonces(called)["one"] not in {nonce, again}
    assert read_tender(called).content.vendors["one"].called > "2026-01-02"


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("--again", "two"), "there is no vendor 'two'"),
        (("--late", "One"), "one is in the tender"),
        (("--late", "Two", "--again", "one"), "are two calls"),
    ],
)
def test_a_call_of_one_vendor_that_names_nobody_is_refused(called, arguments, why):
    before = called.read_bytes()
    with pytest.raises(UserError, match=why):
        call("tender", "call", called, *arguments)
    assert called.read_bytes() == before


def test_one_vendor_is_called_alone_by_the_tender_that_the_others_answer(called, begun):
    called.write_text(called.read_text().replace("margin: 0.05", "margin: 0.5"))
    with pytest.raises(UserError, match=r"differs from what was called: acceptance\.margin"):
        call("tender", "call", called, "--again", "one")


def test_nobody_is_called_alone_before_the_others(begun):
    with pytest.raises(UserError, match="no vendor was called yet"):
        call("tender", "call", begun, "--late", "Two")
    assert not (begun.parent / "call").exists()


def test_what_cannot_be_written_into_the_tender_is_refused_with_what_to_write(called):
    ahead, vendors = called.read_text().split("# Keep the nonces")
    for path in (called, called.parent / "tender.called.yaml"):
        path.write_text(f"# Keep the nonces{vendors}{ahead}")
    with pytest.raises(UserError, match="write vendors as the last key"):
        call("tender", "call", called, "--late", "Two")


def test_a_tender_without_a_limit_is_called_with_a_word(begun):
    assert "has a limit (least, most): any number that is shown meets it" in call("tender", "call", begun)


def test_a_tender_with_a_limit_is_called_without_one(begun):
    limited(begun, '"goodput"', least=28)
    assert "has a limit" not in call("tender", "call", begun)


TRAINED = """\
dlaudit: spec/1
title: digits
workload: {name: digits-cnn}
convergence:
  seeds: [1, 2, 3, 4, 5]
  evaluate_every_samples: 4096
  max_samples: 16384
  target: {metric: accuracy, value: "0.94", direction: higher}
"""


def a_training(folder, seeds="1, 2, 3, 4, 5"):
    folder.mkdir()
    (folder / "digits.yaml").write_text(TRAINED.replace("1, 2, 3, 4, 5", seeds))
    spec = str(folder / "digits.yaml")
    names = ("--vendor", "One", "--title", "Servers", "--buyer", "A")
    call("tender", "init", folder / "tender", "--spec", spec, *names)
    return folder / "tender" / "tender.yaml"


def test_few_seeds_for_a_narrow_interval_are_said_where_the_tender_is_written_and_at_the_call(tmp_path):
    tender = a_training(tmp_path / "few")
    words = "5 seeds keep the interval within 10 % only where they differ by less than about 8.1 %"
    assert f"# {words}" in tender.read_text()
    assert f"digits-time: {words}" in call("tender", "call", tender)


def test_many_seeds_a_limit_or_a_wide_interval_need_no_word(tmp_path):
    many = a_training(tmp_path / "many", ", ".join(str(seed) for seed in range(1, 21)))
    limited_one, wide = a_training(tmp_path / "limited"), a_training(tmp_path / "wide")
    limited_one.write_text(limited_one.read_text().replace('# most: "1000"', 'most: "1000"'))
    wide.write_text(wide.read_text().replace("widest_interval: 0.1\n", "widest_interval: 0.5\n"))
    assert "seeds" not in many.read_text().split("metrics:")[1]
    for tender in (many, limited_one, wide):
        assert "seeds keep" not in call("tender", "call", tender)


def test_a_vendor_of_a_training_is_asked_for_its_tuning_where_it_runs(tmp_path):
    tender = a_training(tmp_path / "asked")
    call("tender", "call", tender)
    sent = (tender.parent / "call" / "one" / "READ-ME-FIRST.txt").read_text()
    assert "dlaudit run digits.yaml --out digits --key keys/*.key --tuning" in sent
    assert "disclosures" not in sent
