"""The small server's engine gives the tokens of the whole model, whatever else it serves meanwhile."""

import torch
from dlaudit.runners.serving.engine import Engine, Sequence
from dlaudit.runners.serving.model import digest, rounded, trained
from dlaudit.runners.workloads.parameters import Serving

ASKED = Serving(length=32, width=16, layers=2, heads=2, train_steps=2, prompt_tokens=8, output_tokens=8)


def greedy(model, prompt, count):
    words = list(prompt)
    with torch.inference_mode():
        for _ in range(count):
            words.append(int(model(torch.tensor([words]))[0, -1].argmax()))
    return words[len(prompt) :]


def served(engine, arrivals):
    """Run the engine to its end; requests join before the step that they name."""
    found = {id(one): [] for _, one in arrivals}
    for step in range(100):
        for at, one in arrivals:
            if at == step:
                engine.add(one)
        for one, token, last in engine.step():
            found[id(one)].append(token)
            assert last == (len(found[id(one)]) == 8)
    assert engine.idle
    assert sorted(engine.free) == list(range(engine.slots))
    return [found[id(one)] for _, one in arrivals]


def test_requests_that_join_and_leave_get_the_tokens_of_the_whole_model():
    model = trained(ASKED)
    prompts = [[1, 2, 3], [4, 5, 6, 7, 8], [9], [3, 1, 4, 1, 5, 9, 2, 6], [2, 7]]
    arrivals = [(2 * index, Sequence(prompt, 8)) for index, prompt in enumerate(prompts)]
    assert served(Engine(model, slots=2), arrivals) == [greedy(model, prompt, 8) for prompt in prompts]


def test_what_prefill_and_decode_compute_and_move_is_counted():
    model = trained(ASKED)
    engine = Engine(model, slots=2)
    served(engine, [(0, Sequence([1, 2, 3], 8)), (0, Sequence([4, 5], 8))])
    inner, head, layers, width = 2 * 12 * 16 * 16, 24 * 16, 2, 16
    prefill, decode = engine.prefilled, engine.decoded
    assert (prefill.calls, prefill.tokens, decode.calls, decode.tokens) == (2, 5, 7, 14)
    assert prefill.operations == 2 * (5 * inner + 2 * head) + 4 * width * layers * (6 + 3)
    contexts = sum(range(4, 11)) + sum(range(3, 10))
    assert decode.operations == 2 * 14 * (inner + head) + 4 * width * layers * contexts
    assert prefill.bytes == 4 * (2 * (inner + head) + 2 * layers * width * 5)
    assert decode.bytes == 4 * (7 * (inner + head) + 2 * layers * width * (14 + contexts))
    assert min(prefill.seconds, decode.seconds) > 0


def test_a_request_whose_client_has_gone_gives_its_slot_back():
    engine = Engine(trained(ASKED), slots=1)
    gone, next_one = Sequence([1, 2], 8), Sequence([3], 8)
    engine.add(gone)
    engine.add(next_one)
    engine.step()
    engine.drop(gone)
    assert [one for one, _, _ in engine.step()] == [next_one]


def test_an_answer_ends_at_its_last_word():
    model = trained(ASKED)
    first = greedy(model, [1, 2, 3], 1)[0]
    engine = Engine(model, slots=1)
    engine.add(Sequence([1, 2, 3], 8, end=first))
    assert [last for _, _, last in engine.step()] == [True]


def test_one_seed_gives_one_model_and_rounding_another():
    model = trained(ASKED)
    assert digest(model) == digest(trained(ASKED)) == digest(rounded(model, "none"))
    assert digest(rounded(model, "int8")) != digest(model)
    assert len(rounded(model, "int4").head.weight[0].unique()) <= 15
