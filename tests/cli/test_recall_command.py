"""``mneme recall``, ``search`` and ``related``: from the store as the text has it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.conftest import Runner

MEMORY = """\
@ GOTCHA-0001  storage/cache
gist  Two processes that write one JSON file corrupt it
state live   conf high   since 2026-05-01   seen 2026-11-20
cue   cache corruption

@ DEC-0001  storage/cache
gist  Local cache uses JSON files
state superseded   conf high   since 2026-05-02   seen 2026-05-20
cue   cache files
link  superseded-by DEC-0002

@ DEC-0002  storage/cache
gist  Local cache uses SQLite, because JSON files were corrupted
state live   conf high   since 2026-06-03   seen 2026-11-20
cue   cache files / slow queries
link  supersedes DEC-0001
link  depends-on GOTCHA-0001

@ FACT-0001  api/tokens
gist  Tokens live for one hour
state live   conf low   since 2026-06-03   seen 2026-11-20
cue   token lifetime

@ FACT-0002  api/tokens
gist  Refresh tokens may live for a week
state proposed   conf med   since 2026-06-03   seen 2026-11-20
cue   token lifetime

@ FACT-0003  api/tokens
gist  Tokens lived for one day
state retired   conf med   since 2026-01-03   seen 2026-02-20
cue   token lifetime

@ PREF-0001  存储/本地
gist  并发写入时先取得锁
state live   conf high   since 2026-06-03   seen 2026-06-04
cue   并发写入
"""


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    (tmp_path / "mneme.toml").touch()
    (tmp_path / "notes.mneme").write_text(MEMORY, encoding="utf-8")
    return tmp_path


def first(text: str) -> list[str]:
    return [line.split()[0] for line in text.splitlines()]


def test_a_hit_a_line_with_state_gist_topic_and_trust(memory: Path, mneme: Runner) -> None:
    mneme("compile")
    result = mneme("recall", "token", "lifetime")
    assert (result.code, result.err) == (0, "")
    assert result.out.splitlines()[0] == (
        "FACT-0001  live  Tokens live for one hour  [api/tokens]  (verify: confidence is low, conf low, seen 5 d ago)"
    )


def test_the_successor_before_what_it_superseded(memory: Path, mneme: Runner) -> None:
    found = first(mneme("recall", "local cache uses JSON files").out)
    assert found.index("DEC-0002") < found.index("DEC-0001")


def test_why_has_causes_first(memory: Path, mneme: Runner) -> None:
    found = first(mneme("recall", "why does the local cache use SQLite").out)
    assert found.index("GOTCHA-0001") < found.index("DEC-0002")


def test_proposed_and_retired_only_when_asked(memory: Path, mneme: Runner) -> None:
    assert not {"FACT-0002", "FACT-0003"} & set(first(mneme("recall", "token lifetime").out))
    assert {"FACT-0002", "FACT-0003"} <= set(first(mneme("recall", "--all", "token lifetime").out))


@pytest.mark.parametrize("question", ["并发写入", "写入"])
def test_two_characters_are_enough(memory: Path, mneme: Runner, question: str) -> None:
    assert first(mneme("recall", question).out)[0] == "PREF-0001"


@pytest.mark.parametrize(
    "question", ["DEC-0002", "cache AND", '"half open', "cache*", "gist:cache", "(", "NOT", "-x", "'"]
)
def test_a_question_is_never_syntax(memory: Path, mneme: Runner, question: str) -> None:
    result = mneme("recall", "--", question)
    assert result.code == 0
    if question == "DEC-0002":
        assert first(result.out)[0] == "DEC-0002"


def test_nothing_here_is_about_that(memory: Path, mneme: Runner) -> None:
    result = mneme("recall", "quantum", "chromodynamics")
    assert (result.code, result.out, "nothing here is about that" in result.err) == (0, "", True)
    data = json.loads(mneme("recall", "quantum", "chromodynamics", "--format", "json").out)
    assert data["results"] == []
    assert data["meta"]["answerable"] < 0.2


def test_an_empty_question_is_refused(memory: Path, mneme: Runner) -> None:
    assert mneme("recall", " ").code == 2
    assert mneme("recall").code == 2
    assert memory.exists()


def test_several_questions_have_one_answer(memory: Path, mneme: Runner) -> None:
    result = mneme("recall", "token lifetime", "slow queries of the cache", "--format", "json")
    hits = {hit["id"]: hit["answers"] for hit in json.loads(result.out)["results"]}
    assert hits["FACT-0001"] == ["token lifetime"]
    assert hits["DEC-0002"] == ["slow queries of the cache"]


def test_what_links_bring_can_hang_on_the_hit(memory: Path, mneme: Runner) -> None:
    data = json.loads(mneme("recall", "slow queries", "--attach", "2", "--format", "json").out)
    (hit,) = [one for one in data["results"] if one["id"] == "DEC-0002"]
    assert hit["attached"][0]["id"] == "GOTCHA-0001"
    assert hit["attached"][0]["trust"] == "use"


def test_json_has_the_keys_of_the_engine_and_ours(memory: Path, mneme: Runner) -> None:
    hit = json.loads(mneme("recall", "token lifetime", "--format", "json").out)["results"][0]
    engine = ["id", "content", "category", "importance", "intent", "matched_via", "confidence", "score"]
    assert list(hit)[: len(engine)] == engine
    assert {key: hit[key] for key in ("state", "conf", "seen", "age_days", "trust", "verify")} == {
        "state": "live", "conf": "low", "seen": "2026-11-20", "age_days": 5, "trust": "verify",
        "verify": "confidence is low",
    }  # fmt: skip
    verbose = json.loads(mneme("recall", "token lifetime", "--verbose").out)
    assert list(verbose["results"][0])[:5] == ["insight", "score", "intent", "via", "signals"]
    assert verbose["meta"]["intent_source"] == "auto"
    brief = mneme("recall", "token lifetime", "--brief", "--excerpt-chars", "12").out
    assert brief.count("\n") == 1
    assert json.loads(brief)["detail_command"] == "mneme show <id>"
    assert mneme("recall", "x", "--brief", "--verbose").code == 2
    basic = json.loads(mneme("recall", "--basic", "for one hour", "--format", "json").out)
    assert [one["id"] for one in basic] == ["FACT-0001"]


def test_filters_and_the_engines_own_ranker(memory: Path, mneme: Runner) -> None:
    assert first(mneme("recall", "cache", "--cat", "insight").out) == ["GOTCHA-0001"]
    assert mneme("recall", "cache", "--source", "agent").out == ""
    assert "DEC-0002" in first(mneme("recall", "cache", "--ranker", "magma", "--limit", "4").out)
    wrong = mneme("recall", "cache", "--ranker", "fast")
    assert (wrong.code, "magma" in wrong.err) == (2, True)
    assert mneme("recall", "cache", "--intent", "how").code == 2


def test_what_changed_since_is_taken_from_the_text(memory: Path, mneme: Runner) -> None:
    mneme("compile")
    store = memory / ".mnemon/data/default/mnemon.db"
    before = store.read_bytes()
    notes = memory / "notes.mneme"
    notes.write_text(MEMORY.replace("Tokens live for one hour", "Tokens live for ten minutes"), encoding="utf-8")
    with notes.open("a", encoding="utf-8") as file:
        file.write("\n@ FACT-0007  api/tokens\ngist  Walruses have tokens\n"
                   "state live   conf high   since 2026-11-20   seen 2026-11-20\ncue   walrus\n")  # fmt: skip
    result = mneme("recall", "walrus")
    assert first(result.out)[0] == "FACT-0007"
    assert "2 cells behind the text (1 added, 1 changed)" in result.err
    assert "ten minutes" in mneme("recall", "token lifetime").out
    assert store.read_bytes() == before
    notes.write_text("", encoding="utf-8")
    assert mneme("recall", "token lifetime").out == ""


def test_without_a_store_the_text_is_read(memory: Path, mneme: Runner) -> None:
    assert first(mneme("recall", "--readonly", "token lifetime").out)[0] == "FACT-0001"
    assert not (memory / ".mnemon").exists()


def test_a_store_that_is_named_must_exist(memory: Path, mneme: Runner) -> None:
    result = mneme("recall", "--db", "none.db", "token")
    assert (result.code, "none.db" in result.err) == (2, True)
    assert not (memory / "none.db").exists()


def test_a_named_store_knows_its_own_files_only(memory: Path, mneme: Runner) -> None:
    (memory / "other.mneme").write_text(MEMORY.replace("Tokens", "Walrus tokens").replace("-00", "-10"), "utf-8")
    mneme("compile", "--db", "s.db", "notes.mneme")
    assert "Walrus" not in mneme("recall", "--db", "s.db", "walrus tokens").out
    (memory / "notes.mneme").unlink()
    assert mneme("recall", "--db", "s.db", "tokens").out == ""


def test_a_damaged_file_is_left_out_and_said(memory: Path, mneme: Runner) -> None:
    (memory / "broken.mneme").write_text("@ FACT-0009  x\ngist  tokens\n<<<<<<< HEAD\n", encoding="utf-8")
    result = mneme("recall", "token lifetime")
    assert (result.code, first(result.out)[0]) == (2, "FACT-0001")
    assert "broken.mneme:3" in result.err


def test_personal_cells_answer_too(memory: Path, mneme: Runner) -> None:
    (memory / "me.local.mneme").write_text(
        "@ PREF-a1b2  style\ngist  I prefer short tokens\nstate live   conf high   since 2026-11-20   seen 2026-11-20\n"
        "cue   token length\n", encoding="utf-8",
    )  # fmt: skip
    for _ in range(2):
        assert "PREF-a1b2" in first(mneme("recall", "token length").out)
        mneme("compile")


def test_use_is_counted_beside_the_stores(memory: Path, mneme: Runner) -> None:
    from mneme.graph.usage import counted

    usage = memory / ".mnemon/state/usage.db"
    mneme("compile")
    mneme("recall", "--readonly", "token lifetime")
    mneme("compile", "--db", "s.db", "notes.mneme")
    mneme("recall", "--db", "s.db", "token lifetime")
    assert not usage.exists()
    mneme("recall", "token lifetime")
    mneme("search", "token lifetime")
    assert counted(usage, "default", ["FACT-0001"])["FACT-0001"].accesses == 2
    usage.unlink()
    usage.mkdir()
    assert mneme("recall", "token lifetime").code == 0


def test_search_and_related(memory: Path, mneme: Runner) -> None:
    assert first(mneme("search", "token lifetime").out)[0] == "FACT-0001"
    found = json.loads(mneme("search", "token lifetime", "--format", "json").out)
    assert list(found[0]) == ["id", "content", "category", "importance", "tags", "score"]
    assert "GOTCHA-0001" in first(mneme("related", "DEC-0002", "--edge", "causal").out)
    near = json.loads(mneme("related", "DEC-0002", "--edge", "supersedes", "--format", "json").out)
    assert [(one["id"], one["depth"], one["via_edge_type"]) for one in near] == [("DEC-0001", 1, "supersedes")]
    unknown = mneme("related", "DEC-0099")
    assert (unknown.code, "DEC-0099" in unknown.err) == (2, True)


def test_show_from_a_store(memory: Path, mneme: Runner) -> None:
    mneme("compile", "--db", "s.db", "notes.mneme")
    shown = json.loads(mneme("show", "--db", "s.db", "FACT-0001", "--format", "json").out)
    assert (shown["content"], shown["importance"], shown["trust"]) == ("Tokens live for one hour", 2, "verify")
    assert "  Tokens live for one hour\n" in mneme("show", "--db", "s.db", "FACT-0001").out
    for gone in ("FACT-0003", "FACT-0099"):
        refused = mneme("show", "--db", "s.db", gone)
        assert (refused.code, gone in refused.err) == (2, True)
    assert mneme("show", "--db", "s.db", "--file", "notes.mneme", "FACT-0001").code == 2


def test_a_store_that_is_misspelled_is_no_empty_memory(memory: Path, mneme: Runner) -> None:
    for words in (("recall", "token"), ("search", "token"), ("status",), ("related", "DEC-0002")):
        refused = mneme(*words, "--store", "nope")
        assert (refused.code, "there is no store nope" in refused.err) == (2, True)
    assert not (memory / ".mnemon").exists()


def test_what_two_links_lead_to_hangs_on_a_hit_once(memory: Path, mneme: Runner) -> None:
    notes = memory / "notes.mneme"
    notes.write_text(
        MEMORY.replace("link  supersedes DEC-0001\n", "link  supersedes DEC-0001\nlink  refines DEC-0001\n"), "utf-8"
    )
    data = json.loads(mneme("recall", "slow queries", "--limit", "1", "--attach", "5", "--format", "json").out)
    attached = [one["id"] for one in data["results"][0]["attached"]]
    assert sorted(attached) == ["DEC-0001", "GOTCHA-0001"]
