"""W0505, proxy-configuration-as-full-scale: A number of the full configuration that was measured on a smaller one."""

import pytest
from dlaudit.rules.outcome import C3, CAVEAT, UNDERMINES, Outcome
from support.patches import arm, claim, with_

PASS, VIOLATION, NOT_SHOWN, NOT_APPLICABLE = Outcome.PASS, Outcome.VIOLATION, Outcome.NOT_SHOWN, Outcome.NOT_APPLICABLE


class TestProxyConfiguration:
    RATE = "129600"

    @pytest.mark.parametrize(
        ("observed", "outcome"),
        [
            ({"devices": 8}, VIOLATION),
            ({"devices": 64}, PASS),
            ({"devices": 128}, PASS),
            ({"data_parallel": 1}, VIOLATION),
            ({"data_parallel": 8}, PASS),
        ],
        ids=["fewer", "equal", "more", "a parallel size of 1", "other layout"],
    )
    def test_what_ran_against_what_is_declared(self, judged, observed, outcome):
        result = judged("strong-scaling", "W0505", "speedup", arm("n8", observed=observed))
        assert result.outcome is outcome
        if outcome is VIOLATION:
            assert (result.branch.branch, result.branch.effect, result.branch.confidence) == ("a", UNDERMINES, C3)

    @pytest.mark.parametrize(
        "more",
        [
            claim("speedup", said=[{"topic": "proxy_configuration", "quote": "measured on one node"}]),
            claim("speedup", said=[{"topic": "projection", "quote": "scaled up"}]),
            claim("speedup", statement="6.62x faster (measured on 8 GPUs)."),
        ],
    )
    def test_it_is_said(self, judged, more):
        result = judged("strong-scaling", "W0505", "speedup", with_(arm("n8", observed={"devices": 8}), more))
        assert (result.branch.branch, result.branch.effect) == ("b", CAVEAT)

    @staticmethod
    def rows(devices, value, **row):
        fields = {"label": "large", "arm": "a", "devices": devices, "values": {"rate": value}, **row}
        table = {"columns": {"rate": {"quantity": "rate", "unit": "images/s"}}, "rows": {"large": fields}}
        return {"tables": {"scale": table}} | claim("rate", row={"table": "scale", "row": "large"})

    @pytest.mark.parametrize(
        ("devices", "value", "outcome"),
        [(512, "2500", VIOLATION), (512, "1280000", VIOLATION), (512, "1150000", NOT_APPLICABLE), (1, "2500", PASS)],
        ids=["the arm's number", "times the devices", "another number", "the arm's size"],
    )
    def test_a_row_that_rests_on_a_smaller_arm(self, judged, devices, value, outcome):
        assert judged("rate", "W0505", "rate", self.rows(devices, value)).outcome is outcome

    @pytest.mark.parametrize(
        ("row", "model", "scope", "outcome"),
        [
            ({"parameters": 175e9}, "decoder 13B", "step", VIOLATION),
            ({"parameters": 6.7e9}, "decoder 7B", "step", PASS),
            ({"options": {"extra": {"layers": 96}}}, "decoder", "step", VIOLATION),
            ({"options": {"extra": {"layers": 96}}}, "decoder", "layer", PASS),
            ({"options": {"tensor_parallel": 8}}, "decoder", "step", VIOLATION),
            ({"options": {"model": "decoder 70B"}}, "decoder trained on 13B tokens", "step", PASS),
        ],
        ids=["parameters", "a rounded name", "layers", "one layer", "tensor parallel", "tokens are no parameters"],
    )
    def test_a_smaller_model(self, judged, row, model, scope, outcome):
        options = {"model": model, "tensor_parallel": 1, "extra": {"layers": 4}}
        patch = with_(self.rows(1, "2500", **row), arm("a", options=options) | claim("rate", scope=scope))
        assert judged("rate", "W0505", "rate", patch).outcome is outcome

    @pytest.mark.parametrize(
        ("statement", "outcome"),
        [
            ("ResNet-50 trains at 2500 images/s on 1,024 H100 GPUs.", VIOLATION),
            ("ResNet-50 trains at 2500 images/s on 1 A100 GPU.", PASS),
            ("ResNet-50 trains at 2500 images/s per device of 8 GPUs.", NOT_APPLICABLE),
            ("From 1 to 8 GPUs ResNet-50 gains nothing: 2500 images/s.", NOT_APPLICABLE),
            ("It took 300 GPU hours at 2500 images/s.", NOT_APPLICABLE),
            ("On a node of 8 GPUs: 2500 images/s.", NOT_APPLICABLE),
        ],
    )
    def test_a_count_in_the_sentence(self, judged, statement, outcome):
        assert judged("rate", "W0505", "rate", claim("rate", statement=statement)).outcome is outcome

    def test_sizes_that_are_not_known(self, judged):
        gone = {"arms": {"a": {"devices": None}}, "systems": {"node": {"nodes": None}}}
        assert judged("rate", "W0505", "rate", with_(gone, self.rows(512, "2500"))).outcome is NOT_SHOWN
        assert judged("rate", "W0505", "rate", gone).outcome is NOT_APPLICABLE
        assert judged("rate", "W0505", "rate", claim("rate", measured=None)).outcome is NOT_APPLICABLE
        stated = claim("rate", measured=None, statement="2500 images/s on 512 GPUs")
        assert judged("rate", "W0505", "rate", stated).outcome is NOT_SHOWN

    @pytest.mark.parametrize("basis", ["projected", "simulated"])
    def test_projections_are_no_measurements(self, judged, basis):
        patch = with_(self.rows(512, "2500"), claim("rate", basis=basis))
        assert judged("rate", "W0505", "rate", patch).outcome is NOT_APPLICABLE

    @pytest.mark.parametrize(
        ("statements", "outcome"),
        [
            (("6.62x faster", "efficient"), VIOLATION),
            (("6.62x faster on eight nodes", "efficient on one node"), NOT_APPLICABLE),
            (("6.62x faster on 64 GPUs", "efficient"), VIOLATION),
        ],
        ids=["no sizes", "both sizes", "one size"],
    )
    def test_one_headline_of_two_runs(self, judged, statements, outcome):
        shared = {"group": "headline", "row": None}
        patch = {
            "claims": {
                "speedup": {"statement": statements[0], **shared},
                "efficiency": {"statement": statements[1], "measured": {"arm": "n1"}, **shared},
            }
        }
        assert judged("strong-scaling", "W0505", "efficiency", patch).outcome is outcome
        assert judged("strong-scaling", "W0505", "speedup", patch).outcome is NOT_APPLICABLE

    def test_a_row_without_the_arms_number(self, judged):
        row = self.rows(512, "2500")
        row["tables"]["scale"]["columns"]["rate"]["unit"] = "batches/s"
        assert judged("rate", "W0505", "rate", row).outcome is NOT_APPLICABLE
        unnamed = with_(self.rows(512, "2500"), claim("rate", measured=None))
        assert judged("rate", "W0505", "rate", unnamed).outcome is NOT_APPLICABLE
        only = with_(unnamed, arm("a", performance={"end-to-end": None}))
        assert judged("rate", "W0505", "rate", only).outcome is VIOLATION

    def test_a_row_names_its_size(self, judged):
        patch = {
            "claims": {
                "speedup": {"statement": "faster", "group": "headline"},
                "efficiency": {"statement": "efficient", "group": "headline", "measured": {"arm": "n1"}},
            }
        }
        assert judged("strong-scaling", "W0505", "efficiency", patch).outcome is NOT_APPLICABLE

    def test_a_smaller_model_for_one_layer(self, judged):
        options = {"model": "decoder 13B"}
        patch = with_(self.rows(1, "2500", parameters=175e9), arm("a", options=options) | claim("rate", scope="layer"))
        assert judged("rate", "W0505", "rate", patch).outcome is PASS


def images(ran, native, statement, **more):
    fields = {"options": {"input_shape": ran}, "native_input": {"shape": native} if native else None}
    return with_(with_(arm("n8", **fields), claim("speedup", statement=statement)), more)


class TestCutImages:
    PLAIN = "At the same global batch, eight nodes train 6.61x faster than one (strong scaling)."

    @pytest.mark.parametrize(
        ("ran", "native", "outcome"),
        [
            ([3, 96, 96], [3, 224, 224], VIOLATION),
            ([3, 216, 216], [3, 224, 224], PASS),
            ([3, 288, 288], [3, 224, 224], PASS),
            ([96, 96], [224, 224], PASS),
            ([3, 96, 96], None, PASS),
            ([96, 96, 3], [3, 224, 224], PASS),
        ],
        ids=["cut", "nearly", "larger", "a matrix", "no own size", "another order"],
    )
    def test_images_against_the_models_own(self, judged, ran, native, outcome):
        result = judged("strong-scaling", "W0505", "speedup", images(ran, native, self.PLAIN))
        assert result.outcome is outcome
        if outcome is VIOLATION:
            assert (result.branch.branch, result.branch.effect) == ("c", CAVEAT)

    @pytest.mark.parametrize(
        "patch",
        [
            images([3, 96, 96], [3, 224, 224], "Eight nodes train 6.61x faster than one on 96 x 96 images."),
            images([3, 96, 96], [3, 224, 224], PLAIN, tables={"nodes": {"caption": "Images/s at 96 x 96"}}),
            images([3, 96, 96], [3, 224, 224], PLAIN, disclosures=[{"topic": "problem_size", "quote": "Crops of 96."}]),
        ],
        ids=["sentence", "caption", "disclosure"],
    )
    def test_words_that_give_the_size(self, judged, patch):
        assert judged("strong-scaling", "W0505", "speedup", patch).outcome is PASS


@pytest.mark.parametrize(
    ("statement", "outcome"),
    [
        ("On 64 A100 the training processes 2500 images/s.", Outcome.VIOLATION),
        ("On 1 A100 the training processes 2500 images/s.", PASS),
        ("From 1 to 64 A100 the training processes 2500 images/s.", NOT_APPLICABLE),
        ("It took 64 A100 hours to process 2500 images/s.", NOT_APPLICABLE),
        ("ResNet-50 FP32, GPUs 1: 2500 images/s", NOT_APPLICABLE),
        ("ResNet-50 A100: 2500 images/s", NOT_APPLICABLE),
        ("ResNet 50 INT16: 2500 images/s", NOT_APPLICABLE),
    ],
)
def test_devices_that_the_sentence_names_by_their_model(judged, statement, outcome):
    assert judged("rate", "W0505", "rate", {"claims": {"rate": {"statement": statement}}}).outcome is outcome


@pytest.mark.parametrize(
    ("statement", "outcome"),
    [
        ("The 70B decoder trains at 2500 images/s.", Outcome.VIOLATION),
        ("The 6.7B decoder trains at 2500 images/s.", PASS),
        ("Over 70B tokens the decoder trains at 2500 images/s.", NOT_APPLICABLE),
    ],
)
def test_a_model_that_the_sentence_names_by_its_size(judged, statement, outcome):
    patch = {"claims": {"rate": {"statement": statement}}, "arms": {"a": {"options": {"model": "decoder 6.7B"}}}}
    assert judged("rate", "W0505", "rate", patch).outcome is outcome


def test_a_model_of_which_some_layers_ran(judged):
    patch = {"arms": {"a": {"options": {"model": "ViT-L/16 with 6 of its 24 blocks"}}}}
    assert judged("rate", "W0505", "rate", patch).branch.effect is UNDERMINES
    patch["claims"] = {"rate": {"statement": "With 6 of 24 blocks, ViT-L/16 trains at 2500 images/s."}}
    assert judged("rate", "W0505", "rate", patch).branch.effect is CAVEAT
