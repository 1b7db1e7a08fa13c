"""The trace of LoadGen as queries."""

import pytest
from dlaudit.runners.scenarios.trace import read
from dlaudit.schemas.errors import UserError

LINE = (
    '{"name":"Sample","cat":"default","ph":"b","pid":1,"id":%d,"ts":%s,"args":{"sample_seq":%d,"query_seq":%d,'
    '"sample_idx":%d,"issue_start_ns":%d,"complete_ns":%d}},'
)
OTHER = '{"name":"Sample","cat":"default","ph":"e", "pid":1,"id":0,"ts":2251.830},\n{"name":"Wait","ph":"X","ts":1.0},'


def trace(*samples):
    return "\n".join(['{"traceEvents":[', *(LINE % sample for sample in samples), OTHER, "]}"]).encode()


def test_samples_of_a_query_end_with_the_last_of_them():
    data = trace((1, "1000.5", 1, 0, 7, 20, 3000), (0, "1000.5", 0, 0, 5, 20, 9000), (2, "2000.0", 2, 1, 6, 10, 50))
    one, other = read(data, whole=True)
    assert (one.samples, one.order) == ((5, 7), (0, 1))
    assert one.due_s == pytest.approx(1.0005e-3)
    assert one.sent_s - one.due_s == pytest.approx(20e-9)
    assert one.ended_s - one.due_s == pytest.approx(9e-6)
    assert other.samples == (6,)
    assert [query.samples for query in read(data, whole=False)] == [(5,), (7,), (6,)]


def test_a_damaged_sample_is_one_clear_error():
    with pytest.raises(UserError, match="no sample"):
        read(trace((0, "x", 0, 0, 0, 0, 0)), whole=True)


def test_no_samples_are_no_queries():
    assert read(b"{}", whole=True) == ()
