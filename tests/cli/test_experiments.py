"""Experiments, runs, the gate and the baseline on the command line."""

import json
import subprocess
import threading
import xml.etree.ElementTree as ET
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from tests.cli.conftest import CommandLine
from tests.cli.trial_world import IDS, output, publish_cases, run_lines
from tests.cli.world import ANA, MIA, ROB

BEFORE = ("q-0001", "q-0002", "q-0003")


@pytest.fixture
def published(curation: CommandLine) -> CommandLine:
    """A home whose golden set has ten cases at golden/v3."""
    publish_cases(curation)
    return curation


def runs(line: CommandLine) -> tuple[str, str]:
    """Outputs of a baseline that misses three cases and a candidate that misses one."""
    return (
        line.file("before.jsonl", run_lines(*BEFORE, pipeline="rag 1")),
        line.file("after.jsonl", run_lines("q-0001", pipeline="rag 2")),
    )


def opened(line: CommandLine, component: str = "retriever", **more: str) -> str:
    options = [part for name, value in more.items() for part in (f"--{name}", value)]
    document = line.json(
        *("experiment", "open", "--component", component, "--hypothesis", "It finds more."),
        *("--as", MIA, *options),
    )
    return str(document["experiment_id"])


def recorded(
    line: CommandLine, experiment: str, candidate: str, baseline: str | None = None
) -> Any:
    options = ["--baseline", baseline] if baseline else []
    command = ["experiment", "record", experiment, "--candidate", candidate, "--as", MIA]
    return line.json(*command, *options)


def closed(
    line: CommandLine, experiment: str, decision: str, *, status: int = 0, who: str = MIA
) -> Any:
    command = ["experiment", "close", experiment, "--decision", decision, "--why", "See numbers."]
    return line.json(*command, "--as", who, status=status)


def test_an_opening_names_version_and_tree(published: CommandLine) -> None:
    document = published.json(
        *("experiment", "open", "--component", "chunker", "--hypothesis", "Smaller is better."),
        *("--as", MIA),
    )
    golden = published.home / "golden"
    tree = subprocess.check_output(["git", "-C", golden, "rev-parse", "golden/v3:cases"], text=True)
    assert document["experiment_id"] == "exp-001"
    assert document["version"] == "golden/v3"
    assert document["cases_tree"] == tree.strip()


def test_two_components_are_refused(published: CommandLine) -> None:
    refusal = published.json(
        *("experiment", "open", "--component", "chunker", "--component", "model"),
        *("--hypothesis", "Both.", "--as", MIA),
        status=1,
    )
    assert "chunker and model" in refusal["error"]


def test_the_freeze_is_told_and_what_waited_goes_out_in_one_go(published: CommandLine) -> None:
    exp = opened(published)
    line = published
    change = line.json(
        *("change", "propose", "--retire", "q-0001", "--why-retired", "outdated"),
        *("--reason", "Gone.", "--as", MIA),
    )
    line.run("change", "approve", change["change_id"], "--as", ANA)
    refused = line.json("publish", "--as", ROB, status=1)
    assert [each["change_id"] for each in refused["waiting"]] == [change["change_id"]]
    assert refused["open_experiments"][0]["experiment_id"] == exp
    done = closed(line, exp, "void")
    assert done["publishable"] == [change["change_id"]]
    assert line.json("publish", "--as", ROB)["version"] == "golden/v4"


def test_a_better_candidate_is_promoted_and_becomes_the_baseline(published: CommandLine) -> None:
    before, after = runs(published)
    exp = opened(published)
    result = recorded(published, exp, after, before)["results"][0]
    assert result["deltas"]["retrieval"] == pytest.approx(0.2)
    assert result["deltas"]["generation"] > 0
    assert result["gate"]["result"] == "pass"
    assert closed(published, exp, "promote")["decision"] == "promote"
    state = published.json("eval", "baseline", "show")
    assert state["baseline"]["pipeline"] == "rag 2"
    assert state["baseline"]["experiment"] == exp
    assert (state["stale"], state["outputs_kept"]) == (False, True)
    assert published.json("golden", "audit")["findings"] == []


def test_a_candidate_that_harms_the_protected_slice_is_kept_as_a_reject(
    published: CommandLine,
) -> None:
    before, _ = runs(published)
    worse = published.file("worse.jsonl", run_lines("q-0010", pipeline="rag 3"))
    exp = opened(published)
    gate = recorded(published, exp, worse, before)["results"][0]["gate"]
    assert gate["result"] == "fail"
    refusal = closed(published, exp, "promote", status=1)
    assert "protected slice regressed: ['billing']" in refusal["error"]
    closed(published, exp, "reject")
    row = published.json("experiment", "list")["experiments"][0]
    assert row["decision"] == "reject"
    assert row["delta_retrieval"] == pytest.approx(0.2)
    assert row["worst_slice"]["retrieval"]["slice"] == "billing"
    assert row["worst_slice"]["retrieval"]["protected"] is True
    assert "billing −0.500 (n 2, protected)" in published.run("experiment", "list")


def test_the_next_experiment_needs_no_baseline_run(published: CommandLine) -> None:
    before, after = runs(published)
    exp = opened(published)
    recorded(published, exp, after, before)
    closed(published, exp, "promote")
    second = opened(published)
    best = published.file("best.jsonl", run_lines(pipeline="rag 3"))
    result = recorded(published, second, best)["results"][0]
    assert result["deltas"]["retrieval"] == pytest.approx(0.1)
    other = run_refused(published, second, best, before)
    assert "pinned" in other


def run_refused(line: CommandLine, exp: str, candidate: str, baseline: str) -> str:
    document = line.json(
        *("experiment", "record", exp, "--candidate", candidate, "--baseline", baseline),
        *("--as", MIA),
        status=1,
    )
    return str(document["error"])


def test_a_baseline_whose_outputs_are_lost_is_taken_from_git(published: CommandLine) -> None:
    before, after = runs(published)
    exp = opened(published)
    recorded(published, exp, after, before)
    closed(published, exp, "promote")
    # The store is gone; the repository is all there is.
    for file in published.home.glob("curation.sqlite3*"):
        file.unlink()
    assert published.json("eval", "baseline", "show")["outputs_kept"] is False
    second = opened(published)
    best = published.file("best.jsonl", run_lines(pipeline="rag 3"))
    result = recorded(published, second, best)["results"][0]
    assert result["deltas"]["retrieval"] == pytest.approx(0.1)
    assert result["gate"]["result"] == "pass"


def test_without_a_baseline_the_first_record_must_bring_one(published: CommandLine) -> None:
    _, after = runs(published)
    exp = opened(published)
    document = published.json(
        *("experiment", "record", exp, "--candidate", after, "--as", MIA), status=1
    )
    assert "--baseline" in document["error"]


def test_a_run_of_a_kept_hash_and_of_a_report_can_be_recorded(published: CommandLine) -> None:
    before, after = runs(published)
    report = str(published.folder / "after.json")
    published.run("eval", "run", "--run", after, "--out", report)
    kept = published.json("eval", "run", "--run", before)["pins"]["run_sha256"]
    exp = opened(published)
    done = recorded(published, exp, report, kept[:12])
    assert done["results"][0]["gate"]["result"] == "pass"


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ({"retriever": "a", "model": "m"}, {"retriever": "b", "model": "m"}, None),
        ({"retriever": "a"}, {"retriever": "a"}, "Nothing changed"),
        ({"retriever": "a", "model": "m"}, {"retriever": "b", "model": "n"}, "retriever, model"),
    ],
)
def test_manifests_must_show_exactly_the_declared_component(
    published: CommandLine, before: dict[str, str], after: dict[str, str], said: str | None
) -> None:
    line, exp = published, opened(published)
    old = line.file("old.jsonl", run_lines(*BEFORE, pipeline="rag 1", manifest=before))
    new = line.file("new.jsonl", run_lines(pipeline="rag 2", manifest=after))
    if said is None:
        done = recorded(line, exp, new, old)
        assert done["results"][0]["component"] == "component: retriever, proven by the manifests"
    else:
        assert said in run_refused(line, exp, new, old)


def test_only_an_admin_overrides_the_gate(published: CommandLine) -> None:
    before, after = runs(published)
    exp = opened(published)
    recorded(published, exp, before, after)
    config = published.home / "curation.toml"
    people = '\n[people]\n"mia@example.org" = "approver"\n"ana@example.org" = "admin"\n'
    config.write_text(config.read_text() + people)
    command = ["experiment", "close", exp, "--decision", "promote", "--why", "Legal needs it."]
    override = ["--override", "Contract 12."]
    assert "admin" in published.json(*command, *override, "--as", MIA, status=1)["error"]
    done = published.json(*command, *override, "--as", ANA)
    assert done["override"] == {"why": "Contract 12.", "by": ANA}
    notices = published.json("golden", "audit")["notices"]
    assert "override" in {notice["kind"] for notice in notices}


def test_a_reader_opens_nothing_and_a_reviewer_closes_only_their_own(
    published: CommandLine,
) -> None:
    exp = opened(published)
    config = published.home / "curation.toml"
    config.write_text(config.read_text() + f'\n[people]\n"{email(ROB)}" = "reviewer"\n')
    assert "reviewer" in str(
        published.json(
            *("experiment", "open", "--component", "model", "--hypothesis", "x", "--as", ANA),
            status=1,
        )["error"]
    )
    assert "admin" in closed(published, exp, "void", status=1, who=ROB)["error"]


def email(person: str) -> str:
    return person.partition("<")[2].rstrip(">")


def test_a_report_names_its_version_and_every_pin(published: CommandLine) -> None:
    before, _ = runs(published)
    report = published.json("eval", "run", "--version", "golden/v3", "--run", before)
    assert (report["version"], report["n"]) == ("golden/v3", 10)
    assert report["metrics"]["recall@k"] == {
        **report["metrics"]["recall@k"],
        "value": pytest.approx(0.7),
        "n": 10,
        "unscored": 0,
    }
    assert report["slices"]["billing"]["metrics"]["recall@k"]["value"] == 1.0
    assert [case["id"] for case in report["cases"]] == IDS
    pins = report["pins"]
    for name in ("commit", "cases_tree", "policy_blob", "k", "hit_rule", "scorer", "run_sha256"):
        assert pins[name], name


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (lambda lines: lines[:-1], "q-0010"),
        (lambda lines: [*lines, output("q-0011")], "q-0011"),
        (lambda lines: [*lines, output("q-0001")], "q-0001"),
        (lambda lines: [*lines[:-1], output("q-0010", answer=None, error="boom")], "q-0010"),
    ],
)
def test_a_run_that_is_not_one_output_a_case_is_an_error_with_names(
    published: CommandLine, change: Callable[[list[Any]], list[Any]], named: str
) -> None:
    file = published.file("odd.jsonl", change(run_lines()))
    assert named in published.json("eval", "run", "--run", file, status=2)["error"]


def test_failures_can_count_as_wrong(published: CommandLine) -> None:
    lines = [*run_lines()[:-1], output("q-0010", answer=None, error="boom")]
    report = published.json(
        "eval", "run", "--failures-as-wrong", "--run", published.file("odd.jsonl", lines)
    )
    assert report["failed"] == ["q-0010"]
    assert report["metrics"]["recall@k"]["value"] == pytest.approx(0.9)


def test_a_run_of_another_version_is_refused(published: CommandLine) -> None:
    lines = run_lines()
    lines[0]["version"] = "golden/v1"
    file = published.file("old.jsonl", lines)
    said = published.json("eval", "run", "--run", file, status=2)["error"]
    assert "golden/v1" in said
    assert "golden/v3" in said


def test_gate_and_compare_on_reports_and_outputs(published: CommandLine) -> None:
    before, after = runs(published)
    report = str(published.folder / "after.json")
    published.run("eval", "run", "--run", after, "--out", report)
    document = published.json("eval", "gate", report, before, "--profile", "promote")
    assert (document["result"], document["profile"]) == ("pass", "promote")
    assert document["rescored"] is True
    assert "PROMOTE" in published.run("eval", "gate", after, before)
    failing = published.json("eval", "gate", before, after, "--profile", "ci", status=1)
    assert "recall@k" in {reason["metric"] for reason in failing["reasons"]}
    compared = published.json("eval", "compare", before, after)
    assert compared["n"] == 10
    assert "0.700" in published.run("eval", "compare", before, after)


def test_a_gate_without_a_baseline_could_not_judge(published: CommandLine) -> None:
    _, after = runs(published)
    document = published.json("eval", "gate", after, status=2)
    assert document["result"] == "undecided"


def test_a_stale_baseline_could_not_judge(published: CommandLine) -> None:
    before, after = runs(published)
    exp = opened(published)
    recorded(published, exp, after, before)
    closed(published, exp, "promote")
    retire = published.json(
        *("change", "propose", "--retire", "q-0001", "--why-retired", "outdated"),
        *("--reason", "Gone.", "--as", MIA),
    )
    published.run("change", "approve", retire["change_id"], "--as", ANA)
    published.run("publish", "--as", ROB)
    lines = [{"pipeline": "rag 3", "version": "golden/v4"}]
    lines += [output(case_id) for case_id in IDS[1:]]
    document = published.json("eval", "gate", published.file("new.jsonl", lines), status=2)
    said = "undecided — baseline was measured on golden/v3, run it on golden/v4"
    assert document["text"] == said
    assert published.json("eval", "baseline", "show")["stale"] is True


def test_the_example_of_the_method_comes_out_as_told(curation: CommandLine) -> None:
    before, after = {"billing": 0.72, "policy": 0.81}, {"billing": 0.65, "policy": 0.83}
    baseline = {"recall": 0.780, "faithfulness": 0.910, "slices": before}
    candidate = {"recall": 0.794, "faithfulness": 0.911, "slices": after}
    policy = curation.file("p.toml", "[slices]\nbilling = { protected = true }\n")
    text = curation.run(
        *("eval", "gate", curation.file("c.json", candidate), curation.file("b.json", baseline)),
        *("--policy", policy),
        status=None,
    )
    assert text.split("\n")[0] == "keep baseline — protected slice regressed: ['billing']"


@pytest.mark.parametrize("name", ["r.json", "r.md", "r.xml", "r.html"])
def test_the_ending_says_the_format(published: CommandLine, name: str) -> None:
    before, after = runs(published)
    out = published.folder / name
    published.run("eval", "gate", after, before, "--out", str(out))
    text = out.read_text(encoding="utf-8")
    if name == "r.json":
        assert json.loads(text)["result"] == "pass"
    elif name == "r.xml":
        cases = ET.fromstring(text).findall(".//testcase")
        assert {case.get("name") for case in cases} >= set(IDS)
    else:
        assert "PROMOTE" in text


def test_a_format_that_cannot_be_written_is_refused(published: CommandLine) -> None:
    before, after = runs(published)
    command = ["eval", "compare", before, after, "--format", "junit"]
    assert "junit" in published.json(*command, status=2)["error"]


def test_a_baseline_is_set_like_a_policy_is_changed(published: CommandLine) -> None:
    before, _ = runs(published)
    command = ["eval", "baseline", "set", before, "--reason", "What runs today.", "--as", MIA]
    change = published.json(*command)
    assert change["kind"] == "baseline"
    assert published.json("eval", "baseline", "show")["baseline"] is None
    published.run("change", "approve", change["change_id"], "--as", ANA)
    assert published.json("publish", "--as", ROB)["version"] == "golden/v4"
    state = published.json("eval", "baseline", "show")
    assert (state["baseline"]["pipeline"], state["stale"]) == ("rag 1", False)
    assert published.json("golden", "audit")["findings"] == []
    exp = opened(published)
    after = published.file("after.jsonl", run_lines("q-0001", pipeline="rag 2")[1:])
    assert recorded(published, exp, after)["results"][0]["gate"]["result"] == "pass"


def test_a_plain_file_is_measured_and_never_promoted(published: CommandLine) -> None:
    exported = published.folder / "plain"
    published.run("golden", "export", "--out", str(exported))
    lines = published.file("run.jsonl", run_lines("q-0001")[1:])
    better = published.file("better.jsonl", run_lines()[1:])
    source = ["--golden", str(exported / "golden.jsonl")]
    report = published.json("eval", "run", "--run", lines, *source)
    assert report["version"].startswith("unpinned:")
    assert report["n"] == 10
    document = published.json("eval", "gate", better, lines, *source, status=2)
    assert "no version" in document["text"]
    assert published.json("eval", "gate", better, lines, *source, "--profile", "ci")


def test_a_git_address_with_a_version_is_measured(published: CommandLine) -> None:
    golden = published.home / "golden"
    subprocess.check_call(["git", "clone", "-q", "--bare", golden, published.folder / "far.git"])
    lines = published.file("run.jsonl", run_lines())
    source = ["--golden", f"file://{published.folder}/far.git", "--version", "golden/v3"]
    far = published.json("eval", "run", "--run", lines, *source)
    near = published.json("eval", "run", "--run", lines)
    assert far["pins"] == near["pins"]
    assert far["metrics"] == near["metrics"]


def test_a_python_target_is_run_and_an_interrupted_run_goes_on(published: CommandLine) -> None:
    module = published.folder / "rag_target.py"
    module.write_text(
        "import json, pathlib\n"
        f"CALLS = pathlib.Path({str(published.folder / 'calls')!r})\n"
        "def answer(question, conversation):\n"
        "    with CALLS.open('a') as file:\n"
        "        file.write(question + chr(10))\n"
        "    if 'relay 7 ' in question and not CALLS.with_name('mended').exists():\n"
        "        raise RuntimeError('down')\n"
        "    return {'answer': 'It is 60 s.', 'hits': []}\n"
    )
    calls = published.folder / "calls"
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(published.folder)
        command = ["eval", "run", "--target", "rag_target:answer", "--retries", "0"]
        refusal = published.json(*command, status=2)
        assert "q-0007" in refusal["error"]
        assert len(calls.read_text().splitlines()) == 10
        (published.folder / "mended").touch()
        report = published.json(*command)
        assert len(calls.read_text().splitlines()) == 11
    assert report["pins"]["pipeline"] == "rag_target:answer"
    assert report["n"] == 10
    assert not list((published.home / "runs").glob("*.part.jsonl"))


@pytest.mark.parametrize("target", ["nothing", "no_such_module:answer", "json:nothing", "json:"])
def test_a_target_that_is_not_there_is_refused(published: CommandLine, target: str) -> None:
    assert "was not run" in published.json("eval", "run", "--target", target, status=2)["error"]


def test_one_of_run_target_and_http_is_needed(published: CommandLine) -> None:
    assert "--target" in published.json("eval", "run", status=2)["error"]


def test_a_rechunked_corpus_is_judged_by_quotes_while_the_set_is_frozen(
    published: CommandLine,
) -> None:
    before, _ = runs(published)
    lines = run_lines(pipeline="small chunks")
    for number, line in enumerate(lines[1:], start=1):
        line["hits"][0]["chunk_id"] = line["citations"][0]["chunk_id"] = f"piece-{number}"
    exp = opened(published, "chunker")
    after = published.file("rechunked.jsonl", lines)
    result = recorded(published, exp, after, before)["results"][0]
    assert result["hit_rule"] == "quote"
    assert result["candidate"]["recall@k"] == 1.0
    assert result["deltas"]["retrieval"] >= 0


def test_the_log_is_a_table_with_dashes_where_there_is_no_number(published: CommandLine) -> None:
    assert published.run("experiment", "list").strip() == "No experiments yet."
    exp = opened(published)
    closed(published, exp, "void")
    text = published.run("experiment", "list")
    head, row = text.strip().split("\n")
    assert head.split()[:3] == ["id", "date", "state"]
    assert row.split()[-4:] == ["–", "–", "–", "void"]
    assert "None" not in text
    assert published.json("experiment", "show", exp)["decision"] == "void"
    assert "Decision: void." in published.run("experiment", "show", exp)


def test_a_pipeline_over_http_is_run(published: CommandLine) -> None:
    class Pipeline(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            number = int(asked["question"].split("relay ")[1].split()[0])
            answer = {**output(f"q-{number:04d}"), "trace_id": self.headers["X-Key"]}
            del answer["case_id"]
            body = json.dumps(answer).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Pipeline) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}/ask"
        command = ["eval", "run", "--http", address, "--header", "X-Key: abc", "--repeat", "2"]
        report = published.json(*command)
        server.shutdown()
    assert report["metrics"]["recall@k"]["value"] == 1.0
    assert report["pins"]["repeats"] == 2
    assert report["pins"]["pipeline"] == address
    assert report["spread"]["recall@k"] == {"low": 1.0, "high": 1.0, "standard_deviation": 0.0}


@pytest.mark.parametrize("header", ["no colon", ": value", "X: a\nY: b"])
def test_a_header_of_another_form_is_not_sent(published: CommandLine, header: str) -> None:
    command = ["eval", "run", "--http", "http://127.0.0.1:9/", "--header", header]
    assert "--header" in published.json(*command, status=2)["error"]


def test_an_unsure_fact_is_listed_and_settled_by_a_person(published: CommandLine) -> None:
    before, _ = runs(published)
    lines = run_lines(pipeline="rag 2")
    lines[4]["answer"], lines[4]["outcome"] = "It might be 60 s.", "answered"
    doubtful = published.file("doubtful.jsonl", lines)
    (fact,) = published.json("eval", "unsure", doubtful)["facts"]
    assert (fact["case_id"], fact["fact_id"], fact["text"]) == ("q-0004", "f1", "60 s")
    assert "It might be 60 s." in published.run("eval", "unsure", doubtful)
    unsettled = published.json("eval", "gate", doubtful, before, status=2)
    assert any("q-0004" in reason["message"] for reason in unsettled["reasons"])
    command = ["eval", "settle", doubtful, "q-0004", "f1", "present", "--as", ANA]
    assert "word of why" in published.json(*command, "--why", " ", status=1)["error"]
    assert len(published.json(*command, "--why", "It says so.")["settled"]) == 1
    assert published.json("eval", "unsure", doubtful)["facts"] == []
    assert published.json("eval", "gate", doubtful, before)["result"] == "pass"
    again = published.json(*command, "--why", "It says so.", status=1)
    assert "not unsure" in again["error"]
