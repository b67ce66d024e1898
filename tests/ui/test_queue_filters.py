"""The queue's address."""

from hypothesis import given
from hypothesis import strategies as st

from curation.domain.answer import SignalKind
from curation.domain.queue import MetricBelow, QueueFilter, QueueState
from curation.ui.queue_filters import QueueView, read_address, write_address

VIEWS = st.builds(
    QueueView,
    filters=st.builds(
        QueueFilter,
        state=st.sampled_from(QueueState),
        slice=st.none() | st.text(min_size=1),
        signal=st.none() | st.sampled_from(SignalKind),
        metric_below=st.none()
        | st.builds(
            MetricBelow,
            metric=st.text(min_size=1),
            value=st.integers(-100, 100).map(lambda n: n / 10),
        ),
        pipeline_version=st.none() | st.text(min_size=1),
        words=st.text(),
    ),
    page=st.integers(1, 9999),
)


@given(VIEWS)
def test_an_address_that_was_written_reads_back(view: QueueView) -> None:
    assert read_address(write_address(view)) == view


@given(
    st.dictionaries(
        st.sampled_from(
            ["show", "slice", "signal", "metric", "below", "version", "words", "page", "x"]
        ),
        st.text() | st.sampled_from(["nan", "inf", "-1", "0", "²", "1e999"]),
    )
)
def test_any_address_is_read_without_a_failure(parameters: dict[str, str]) -> None:
    view = read_address(parameters)
    assert view.page >= 1
    assert read_address(write_address(view)) == view


def test_the_plain_queue_has_a_plain_address() -> None:
    assert write_address(QueueView()) == {}


def test_the_sample_has_an_address_of_its_own() -> None:
    view = QueueView(filters=QueueFilter(sample=True))
    assert write_address(view) == {"show": "sample"}
    assert read_address({"show": "sample"}) == view
