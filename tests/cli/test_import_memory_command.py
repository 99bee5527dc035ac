"""``mneme import-memory``: stores, files, what is there already, what cannot be read."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from mneme.bridge.imports.table import KINDS
from mneme.cli import import_memory as command
from mneme.format.parser import parse
from tests import peer_store
from tests.conftest import Result, Runner, cell

ADR = "# {title}\n\n* Status: {status}\n* Date: 2026-0{number}-01\n\n## Decision\n\nWe do {title}.\n"


def written(folder: Path, name: str = "project.mneme") -> str:
    return (folder / name).read_text(encoding="utf-8")


def errors(result: Result) -> list[str]:
    return [line for line in result.err.splitlines() if "error:" in line]


def record(folder: Path, number: int, title: str, status: str) -> None:
    path = folder / "docs" / "adr" / f"000{number}-{title.lower()}.md"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(ADR.format(title=title, status=status, number=number), encoding="utf-8")


def test_the_choices_are_the_kinds() -> None:
    assert tuple(KINDS) == command._KINDS


@pytest.mark.parametrize("generation", ["old", "new"])
def test_a_store_of_the_engine(mneme: Runner, tmp_path: Path, generation: str) -> None:
    store = tmp_path / "mnemon.db"
    peer_store.write(store, new=generation == "new")
    before = store.read_bytes()
    converted = parse(mneme("from-store", "mnemon.db").out)
    shown = parse(mneme("import-memory", "mnemon.db").out)
    assert [cell.gist for cell in shown.cells] == [cell.gist for cell in converted.cells]
    for one, other in zip(shown.cells, converted.cells, strict=True):
        assert (one.id, one.since, one.status, one.body) == (other.id, other.since, other.status, other.body)
        assert {link[:2] for link in one.links} == {link[:2] for link in other.links}
        assert set(other.origin) <= set(one.origin)
    assert mneme("import-memory", "mnemon.db", "--apply").code == 0
    assert "nothing new" in mneme("import-memory", "mnemon.db", "--apply").err
    again = mneme("from-store", "mnemon.db", "--out", "project.mneme")
    assert "0 cells added" in again.err, "each knows what the other wrote"
    assert store.read_bytes() == before


def test_what_a_cell_says_already_is_not_written_again(mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / "project.mneme").write_text(cell("DEC-0007", gist="Logs rotate  daily"), encoding="utf-8")
    (tmp_path / "AGENTS.md").write_text("- logs rotate daily\n- Pages hold 200 rows\n", encoding="utf-8")
    result = mneme("import-memory", "AGENTS.md", "--format", "json")
    data = json.loads(result.out)
    assert (data["kind"], data["as"], data["applied"]) == ("import-memory", "agents-md", False)
    assert [one["id"] for one in data["same"]] == ["DEC-0007"]
    assert [(one["gist"], one["from"]) for one in data["cells"]] == [
        ("Pages hold 200 rows", {"path": "AGENTS.md", "line": 2, "item": ""})
    ]


def test_the_same_gist_with_another_text_is_told(mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / "project.mneme").write_text(cell(gist="Logs rotate daily", more="> since March\n"), encoding="utf-8")
    (tmp_path / "AGENTS.md").write_text("- Logs rotate daily\n  - at night\n", encoding="utf-8")
    result = mneme("import-memory", "AGENTS.md")
    assert "AGENTS.md:1: DEC-0001 has the same gist and says something else" in result.err
    assert "> - at night" in result.out


def test_a_record_that_came_later_supersedes_a_cell_of_before(mneme: Runner, tmp_path: Path) -> None:
    record(tmp_path, 1, "Redis", "accepted")
    assert mneme("import-memory", "docs/adr", "--apply").code == 0
    record(tmp_path, 1, "Redis", "superseded by [ADR-0002](0002-postgres.md)")
    record(tmp_path, 2, "Postgres", "accepted")
    result = mneme("import-memory", "docs/adr", "--apply")
    assert "links added to DEC-0001" in result.err
    old, new = parse(written(tmp_path)).cells
    assert (old.status.state, [link[:2] for link in old.links]) == ("superseded", [("superseded-by", "DEC-0002")])
    assert (new.status.state, [link[:2] for link in new.links]) == ("live", [("supersedes", "DEC-0001")])
    assert "0 error" in mneme("lint", "--format", "compat").out
    before = written(tmp_path)
    assert "nothing new" in mneme("import-memory", "docs/adr", "--apply").err
    assert written(tmp_path) == before


def test_a_proposal_replaces_nothing_yet(mneme: Runner, tmp_path: Path) -> None:
    record(tmp_path, 1, "Redis", "accepted")
    record(tmp_path, 2, "Postgres", "proposed, supersedes [ADR-0001](0001-redis.md)")
    old, new = parse(mneme("import-memory", "docs/adr").out).cells
    assert (old.status.state, old.links) == ("live", ())
    assert (new.status.state, [link[:2] for link in new.links]) == ("proposed", [("relates", "DEC-0001")])


@pytest.mark.parametrize(("status", "state"), [
    ("accepted", "live"), ("Accepted", "live"), ("draft", "proposed"), ("rejected", "retired"),
    ("deprecated", "retired"), ("superseded by ADR-0009", "retired"), ("", "live"),
])  # fmt: skip
def test_what_a_status_means(mneme: Runner, tmp_path: Path, status: str, state: str) -> None:
    record(tmp_path, 1, "Redis", status)
    (found,) = parse(mneme("import-memory", "docs/adr", "--as", "adr").out).cells
    assert found.status.state == state


def test_files_go_where_the_configuration_says(mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / "mneme.toml").write_text('file-per = "topic"\n', encoding="utf-8")
    (tmp_path / "AGENTS.md").write_text(
        "## Ops\n- Logs rotate daily\n## Api\n- Pages hold 200 rows\n", encoding="utf-8"
    )
    result = mneme("import-memory", "AGENTS.md", "--apply")
    assert "2 cells written to memory/ops.mneme, memory/api.mneme" in result.err
    assert "Pages hold" in written(tmp_path, "memory/api.mneme")
    assert "nothing new" in mneme("import-memory", "AGENTS.md", "--apply").err


def test_personal_notes_stay_personal(mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.local.md").write_text("- My test database is on port 5433\n", encoding="utf-8")
    result = mneme("import-memory", "CLAUDE.local.md", "--apply")
    assert "left out: personal notes, which --personal takes (1)" in result.err
    assert not (tmp_path / "project.mneme").exists()
    assert mneme("import-memory", "CLAUDE.local.md", "--personal", "--apply").code == 0
    assert "5433" in written(tmp_path, "project.local.mneme")
    assert not (tmp_path / "project.mneme").exists()


def test_a_shared_cell_is_written_though_a_personal_one_says_it(mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / "project.local.mneme").write_text(cell("FACT-0001", gist="Logs rotate daily"), encoding="utf-8")
    (tmp_path / "AGENTS.md").write_text("- Logs rotate daily\n", encoding="utf-8")
    assert mneme("import-memory", "AGENTS.md", "--apply").code == 0
    assert [one.id for one in parse(written(tmp_path)).cells] == ["FACT-0002"]


def test_a_prefix_for_all(mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / "AGENTS.md").write_text("- Always test\n- Logs rotate daily\n", encoding="utf-8")
    cells = parse(mneme("import-memory", "AGENTS.md", "--prefix", "RULE").out).cells
    assert [one.id for one in cells] == ["RULE-0001", "RULE-0002"]
    assert mneme("import-memory", "AGENTS.md", "--prefix", "rule").code == 2


def test_what_an_agent_imports_is_proposed_where_that_is_configured(
    mneme: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mneme.toml").write_text('agent-state = "proposed"\n', encoding="utf-8")
    (tmp_path / "AGENTS.md").write_text("- Logs rotate daily\n", encoding="utf-8")
    monkeypatch.setenv("MNEME_AGENT", "robot")
    (found,) = parse(mneme("import-memory", "AGENTS.md").out).cells
    assert (found.status.state, "agent=robot" in found.origin) == ("proposed", True)


def test_a_secret_is_told_of(mneme: Runner, tmp_path: Path) -> None:
    token = "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"
    (tmp_path / "AGENTS.md").write_text(f"- The deploy token is {token}\n", encoding="utf-8")
    result = mneme("-q", "import-memory", "AGENTS.md")
    assert "secret: FACT-0001 holds what looks like this" in result.err


# --- what mneme wrote itself --------------------------------------------------------------------------


def test_what_was_projected_from_cells_is_not_imported(mneme: Runner, tmp_path: Path) -> None:
    memory = tmp_path / "memory"
    memory.mkdir()
    (memory / "MEMORY.md").write_text("# Memory\n\n- The deploy job needs VPN\n", encoding="utf-8")
    (tmp_path / "CLAUDE.md").write_text("# Shop\n\n- Logs rotate daily\n", encoding="utf-8")
    (tmp_path / "mneme.toml").write_text(
        '[projections]\nblocks = ["CLAUDE.md"]\nclaude-memory = "memory"\nout = "runtime"\n', encoding="utf-8"
    )
    (tmp_path / "project.mneme").write_text(cell() + cell("PREF-0001", gist="Reports are tables"), encoding="utf-8")
    assert mneme("project").code == 0
    (tmp_path / "CLAUDE.md").write_text(written(tmp_path, "CLAUDE.md") + "\n- Pages hold 200 rows\n", encoding="utf-8")
    result = mneme("import-memory", "CLAUDE.md")
    found = [(one.gist, one.origin[-1]) for one in parse(result.out).cells]
    lines = written(tmp_path, "CLAUDE.md").splitlines()
    assert found == [
        ("Logs rotate daily", "line=3"), ("Pages hold 200 rows", f"line={lines.index('- Pages hold 200 rows') + 1}"),
    ]  # fmt: skip
    assert [one.gist for one in parse(mneme("import-memory", "memory").out).cells] == ["The deploy job needs VPN"]
    hot = tmp_path / "runtime" / "MEMORY.md"
    hot.write_text(hot.read_text(encoding="utf-8") + "§\nStaging has two nodes\n", encoding="utf-8")
    assert [one.gist for one in parse(mneme("import-memory", hot).out).cells] == ["Staging has two nodes"]


def test_marks_that_do_not_pair_up_are_told(mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").write_text("- One\n<!-- mneme:begin -->\n- Two\n", encoding="utf-8")
    result = mneme("import-memory", "CLAUDE.md")
    assert (result.code, result.out) == (2, "")
    assert "a begin mark (mneme:begin) without its end mark" in result.err


# --- what cannot be read, and what is hostile ---------------------------------------------------------


def test_bad_utf8_is_named_with_its_place_and_the_rest_is_read(mneme: Runner, tmp_path: Path) -> None:
    rules = tmp_path / ".cursor" / "rules"
    rules.mkdir(parents=True)
    (rules / "a.mdc").write_bytes(b"- fine\n- caf\xe9 au lait\n")
    (rules / "logs.mdc").write_text("- Logs rotate daily\n", encoding="utf-8")
    result = mneme("import-memory", ".cursor/rules", "--apply")
    assert result.code == 2
    assert errors(result) == ["mneme: error: .cursor/rules/a.mdc:2:6: not valid UTF-8: byte 0xe9 at byte offset 12"]
    assert [one.gist for one in parse(written(tmp_path)).cells] == ["Logs rotate daily"]


def test_a_huge_file_is_not_read(mneme: Runner, tmp_path: Path) -> None:
    with (tmp_path / "AGENTS.md").open("wb") as stream:
        stream.truncate(2 * 1024 * 1024)
    result = mneme("import-memory", "AGENTS.md")
    assert (result.code, errors(result)) == (2, ["mneme: error: AGENTS.md: larger than 1,024 KiB"])


def test_links_lead_nowhere(mneme: Runner, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret.mdc").write_text("- The key is under the mat\n", encoding="utf-8")
    rules = tmp_path / "rules"
    rules.mkdir()
    (rules / "a.mdc").write_text("- Logs rotate daily\n", encoding="utf-8")
    (rules / "b.mdc").symlink_to(outside / "secret.mdc")
    (rules / "c.mdc").symlink_to("c.mdc")
    (rules / "loop").symlink_to(rules)
    (rules / "away").symlink_to(outside)
    result = mneme("import-memory", "rules")
    assert [one.gist for one in parse(result.out).cells] == ["Logs rotate daily"]
    assert "links (4)" in result.err


def test_a_pipe_is_not_waited_for(mneme: Runner, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "AGENTS.md")
    result = mneme("import-memory", "AGENTS.md")
    assert (result.code, errors(result)) == (2, ["mneme: error: AGENTS.md: a pipe, not a file"])


@pytest.mark.parametrize(("name", "text", "reason"), [
    ("a.jsonl", "[" * 100_000 + "\n", "no JSON: nested too deeply"),
    ("a.jsonl", '{"type": ' + "9" * 5000 + "}\n", "no JSON: Exceeds the limit"),
    ("a.jsonl", "[1]\n", "not a JSON object"),
    ("memories.json", '{"version": 1', "no JSON"),
    ("memories.json", '{"version": 2, "entries": []}', "no memories.json of version 1"),
])  # fmt: skip
def test_json_that_is_none_of_what_it_should_be(
    mneme: Runner, tmp_path: Path, name: str, text: str, reason: str
) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    kind = "memories-json" if name == "memories.json" else "memory-server"
    result = mneme("import-memory", name, "--as", kind)
    assert (result.code, reason in result.err) == (2, True), result.err


@pytest.mark.parametrize(("name", "text"), [
    ("AGENTS.md", "## never " + "x" * 50_000 + "\n" + "- one two three four five six\n- a\n" * 200),
    ("AGENTS.md", "never " + "x" * 50_000 + ":\n\n" + "".join(f"- item {i}\n" for i in range(400))),
    ("AGENTS.md", "- never " + "x" * 50_000 + ":\n" + "".join(f"  - item {i}\n" for i in range(400))),
    ("a.mdc", f"---\nglobs: {'x' * 9}{',y' * 50_000}\n---\n" + "".join(f"- item {i}\n" for i in range(400))),
    ("a.md", f"---\npermalink: {'p' * 50_000}\ntitle: {'t' * 50_000}\ntags: [{'g,' * 50_000}]\n---\n"
     + "".join(f"- [fact] item {i}\n" for i in range(400))),
    ("a.jsonl", json.dumps({"type": "entity", "name": "n" * 50_000, "entityType": "t" * 50_000,
                            "observations": [f"item {i}" for i in range(400)]})),
])  # fmt: skip
def test_what_many_notes_share_is_not_repeated_at_length(mneme: Runner, tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    result = mneme("import-memory", name)
    assert result.code == 0
    assert "import=" in result.out
    assert len(result.out) < 8 * len(text)


def test_front_matter_expands_nothing(mneme: Runner, tmp_path: Path) -> None:
    bomb = "a: &a [x, x]\nb: &b [*a, *a]\nc: [*b, *b]\ndescription: !!python/object:os.system rm\n"
    (tmp_path / "a.mdc").write_text(f"---\n{bomb}---\n- Logs rotate daily\n", encoding="utf-8")
    (found,) = parse(mneme("import-memory", "a.mdc").out).cells
    assert found.gist == "Logs rotate daily"


@pytest.mark.parametrize("line", [
    "gist  x", "state live", "@ DEC-0001  topic", "> body", "link supersedes DEC-0001", "<<<<<<< ours", "=======",
    "# mneme: ignore-file[no-cue]", "origin a=b", "\u202eevil", "a \u2028 b", "x # y", "`@ DEC-1`", "/",  ", , ,",
])  # fmt: skip
def test_text_that_looks_like_syntax_stays_text(mneme: Runner, tmp_path: Path, line: str) -> None:
    text = json.dumps({"_type": "memory", "key": line, "value": f"{line}\n{line} and more"})
    (tmp_path / "issues.jsonl").write_text(f"{text}\n", encoding="utf-8")
    result = mneme("import-memory", "issues.jsonl", "--apply")
    assert result.code == 0
    found = parse(written(tmp_path)).cells
    assert [one.id for one in found] == ["FACT-0001"]
    assert found[0].links == ()
    report = json.loads(mneme("lint", "--no-cache", "--format", "json").out)
    assert [one["name"] for one in report["findings"] if one["severity"] == "error"] == []


def test_what_it_is_cannot_be_told(mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / "data.bin").write_bytes(b"\0\1")
    result = mneme("import-memory", "data.bin")
    assert (result.code, "say it: --as claude-md" in result.err) == (2, True)
    assert mneme("import-memory", "nothing.md").code == 2
    (tmp_path / "empty").mkdir()
    assert "it cannot be told what this is" in mneme("import-memory", "empty").err
    assert mneme("import-memory", "empty", "--as", "adr").code == 0


def test_a_project_is_no_source_but_holds_some(mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").write_text("- Logs rotate daily\n", encoding="utf-8")
    (tmp_path / "docs" / "adr").mkdir(parents=True)
    result = mneme("import-memory", ".")
    assert (result.code, "name what is meant: CLAUDE.md, docs/adr" in result.err) == (2, True)


def test_a_personal_cell_supersedes_no_shared_one(mneme: Runner, tmp_path: Path) -> None:
    record(tmp_path, 1, "Redis", "accepted")
    assert mneme("import-memory", "docs/adr", "--apply").code == 0
    before = written(tmp_path)
    record(tmp_path, 2, "Postgres", "accepted, supersedes [ADR-0001](0001-redis.md)")
    assert mneme("import-memory", "docs/adr", "--personal", "--apply").code == 0
    (own,) = parse(written(tmp_path, "project.local.mneme")).cells
    assert [link[:2] for link in own.links] == [("relates", "DEC-0001")]
    assert written(tmp_path) == before


def test_a_source_elsewhere_is_called_by_its_name_alone(mneme: Runner, tmp_path: Path) -> None:
    project, home = tmp_path / "project", tmp_path / "home of somebody"
    project.mkdir()
    home.mkdir()
    (home / "CLAUDE.md").write_text("- Logs rotate daily\n", encoding="utf-8")
    (project / "mneme.toml").write_text("", encoding="utf-8")
    result = mneme("import-memory", home / "CLAUDE.md", cwd=project)
    assert "path=CLAUDE.md line=1" in result.out
    assert "somebody" not in result.out
