"""The test set of a service: all of it, or a part that is told as one."""

import json

import pytest
from dlaudit.runners.serving import client, process, quality
from dlaudit.runners.workloads.parameters import Serving
from dlaudit.schemas.errors import UserError

SMALL = {"width": 16, "layers": 1, "heads": 2, "train_steps": 0, "length": 16, "prompt_tokens": 4, "output_tokens": 4}


@pytest.fixture
def test_set(tmp_path):
    path = tmp_path / "set.jsonl"
    path.write_text("".join(json.dumps({"prompt": f"w{n} w2", "answer": "w"}) + "\n" for n in range(5)))
    return str(path)


@pytest.mark.slow
def test_the_whole_set_is_asked_and_a_part_is_told_as_one(test_set):
    asked = Serving(**SMALL, test_set=test_set)
    with process.started("server", SMALL) as url:
        to = client.Endpoint(url=url, model=asked.model, api=asked.api, timeout_s=60.0)
        whole, lengths = quality.measured(asked, to)
        part, _ = quality.measured(Serving(**SMALL, test_set=test_set, test_examples=2), to)
    assert (whole.split, whole.examples, whole.correct) == ("test", 5, 5)
    assert lengths.generated == lengths.reference
    assert (part.split, part.examples) == ("held_out", 2)


def test_an_empty_set_is_one_clear_error(tmp_path):
    (tmp_path / "set.jsonl").write_text("\n")
    asked = Serving(**SMALL, test_set=str(tmp_path / "set.jsonl"))
    with pytest.raises(UserError, match="the test set is empty"):
        list(quality.measured(asked, None))
