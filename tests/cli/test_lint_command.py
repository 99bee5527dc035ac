"""``mneme lint``: options, formats, exit codes, streams. What the rules find is tested beside the rules."""

from __future__ import annotations

import json
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.conftest import Runner, cell

DUPLICATE = cell("DEC-0001") + "\n" + cell("DEC-0001", gist="Tokens live for one hour")
OVERDUE = cell("DEC-0001", gist="Releases leave on Mondays", seen="2026-08-01", since="2026-08-01")


def write(folder: Path, text: str, name: str = "project.mneme") -> Path:
    path = folder / name
    path.write_bytes(text.encode())
    return path


def codes(out: str) -> list[str]:
    return [finding["name"] for finding in json.loads(out)["findings"]]


# --- exit codes ---------------------------------------------------------------------------------------


def test_clean_is_zero(mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, cell())
    result = mneme("lint")
    assert (result.code, result.out, result.err) == (0, "1 cell in 1 file: all clear\n", "")


def test_errors_fail_and_warnings_only_when_strict(mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, DUPLICATE)
    assert mneme("lint").code == 1
    assert mneme("lint", "--exit-zero").code == 0
    write(tmp_path, OVERDUE)
    assert mneme("lint").code == 0
    assert mneme("lint", "--strict").code == 1
    assert mneme("lint", "--strict", "--exit-zero").code == 0


def test_an_unreadable_file_is_two_and_the_others_are_checked(mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, DUPLICATE)
    (tmp_path / "utf16.mneme").write_bytes("@ DEC-1".encode("utf-16"))
    (tmp_path / "nul.mneme").write_bytes(b"@ DEC-0002  x\ngist a\x00b\n")
    (tmp_path / "latin.mneme").write_bytes(b"\n\ngist caf\xe9\n")
    result = mneme("lint", "--format", "concise")
    assert result.code == 2
    assert "latin.mneme:3:9: error MN001 unreadable-file: not valid UTF-8: byte 0xe9 at byte offset 10" in result.out
    assert "nul.mneme:2:7: error MN001" in result.out
    assert "utf16.mneme:1:1: error MN001 unreadable-file: the file is UTF-16" in result.out
    assert "duplicate-id" in result.out
    assert mneme("lint", "--exit-zero").code == 2


@pytest.mark.parametrize("name", ["nosuch.mneme", "dangling.mneme"])
def test_a_file_that_is_not_there(mneme: Runner, tmp_path: Path, name: str) -> None:
    (tmp_path / "dangling.mneme").symlink_to("nowhere")
    result = mneme("lint", name)
    assert result.code == 2
    assert name in result.out


def test_a_folder_called_like_a_file_and_an_empty_file(mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / "d.mneme").mkdir()
    write(tmp_path / "d.mneme", DUPLICATE, "in.mneme")
    assert mneme("lint", "d.mneme").code == 1
    write(tmp_path, "", "empty.mneme")
    assert mneme("lint", "empty.mneme").out == "0 cells in 1 file: all clear\n"
    assert mneme("lint").code == 1


def test_reading_never_writes(mneme: Runner, tmp_path: Path) -> None:
    path = write(tmp_path, "\ufeff" + DUPLICATE.replace("\n", "\r\n"))
    before = (path.read_bytes(), path.stat().st_mtime_ns)
    for arguments in (["lint"], ["lint", "--diff"], ["spine"], ["new-id", "DEC"], ["lint", "--format", "sarif"]):
        mneme(*arguments)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert [entry.name for entry in tmp_path.iterdir()] == ["project.mneme"]


# --- selection ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ([], ["duplicate-id", "overdue"]),
        (["--select", "MN101"], ["duplicate-id"]),
        (["--select", "MN4"], ["overdue"]),
        (["--select", "overdue,duplicate-id"], ["duplicate-id", "overdue"]),
        (["--select", "ALL", "--ignore", "duplicate-id"], ["overdue"]),
        (["--ignore", "MN1,MN4"], []),
        (["--select", "MN1", "--extend-select", "overdue"], ["duplicate-id", "overdue"]),
    ],
)
def test_codes_names_and_beginnings(mneme: Runner, tmp_path: Path, options: list[str], found: list[str]) -> None:
    write(tmp_path, DUPLICATE + "\n" + cell("FACT-0002", gist="Two nodes", seen="2026-08-01", since="2026-08-01"))
    assert codes(mneme("lint", "--format", "json", *options).out) == found


def test_an_unknown_rule_names_the_nearest(mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, cell())
    result = mneme("lint", "--select", "duplicate-ids")
    assert (result.code, result.out) == (2, "")
    assert "did you mean duplicate-id?" in result.err
    (tmp_path / "mneme.toml").write_text('[lint]\nignore = ["overdu"]\n')
    result = mneme("lint")
    assert result.code == 2
    assert "mneme.toml" in result.err
    assert "did you mean overdue?" in result.err


def test_configuration_decides(mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, DUPLICATE)
    write(tmp_path, OVERDUE.replace("DEC-0001", "DEC-0002"), "old.mneme")
    (tmp_path / "mneme.toml").write_text(
        'per-file-ignores = { "old.mneme" = ["overdue"] }\n[lint]\nseverity = { duplicate-id = "note" }\n'
    )
    result = mneme("lint", "--format", "json")
    assert result.code == 0
    assert [(f["name"], f["severity"]) for f in json.loads(result.out)["findings"]] == [("duplicate-id", "note")]
    (tmp_path / "mneme.toml").write_text('[lint.severity]\nduplicate-id = "off"\noverdue = "error"\n')
    result = mneme("lint", "--format", "json")
    assert (result.code, codes(result.out)) == (1, ["overdue"])


# --- suppressions ---------------------------------------------------------------------------------------


def test_a_comment_above_the_cell_suppresses(mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, f"# mneme: ignore[overdue]\n{OVERDUE}")
    assert codes(mneme("lint", "--format", "json").out) == []
    write(tmp_path, f"# mneme: ignore[MN401]\n\n{OVERDUE}")
    assert codes(mneme("lint", "--format", "json").out) == []
    write(tmp_path, f"{cell('DEC-0009', gist='Other')}# mneme: ignore[overdue]\n{OVERDUE}")
    assert codes(mneme("lint", "--format", "json").out) == []
    write(tmp_path, f"# mneme: ignore-file[overdue]\n\n{cell('DEC-0009', gist='Other')}\n{OVERDUE}")
    assert codes(mneme("lint", "--format", "json").out) == []


@pytest.mark.parametrize("kind", ["ignore", "ignore-file"])
def test_a_comment_behind_a_byte_order_mark_suppresses(mneme: Runner, tmp_path: Path, kind: str) -> None:
    write(tmp_path, f"\ufeff# mneme: {kind}[overdue]\n{OVERDUE}")
    assert codes(mneme("lint", "--format", "json").out) == []
    write(tmp_path, f"\ufeff# mneme: {kind}(overdue)\n{OVERDUE}")
    assert codes(mneme("lint", "--format", "json").out) == ["unknown-suppression", "overdue"]


def test_an_unused_suppression_is_reported_and_removed(mneme: Runner, tmp_path: Path) -> None:
    path = write(tmp_path, f"# mneme: ignore[overdue, duplicate-id]\n{OVERDUE}")
    result = mneme("lint", "--format", "concise")
    assert result.code == 0
    assert "1:1: warning MN901 unused-suppression: DEC-0001: nothing to suppress here: duplicate-id" in result.out
    assert mneme("lint", "--fix").code == 0
    assert path.read_text() == f"# mneme: ignore[overdue]\n{OVERDUE}"
    # A rule that does not run is not judged.
    write(tmp_path, f"# mneme: ignore[duplicate-id]\n{cell()}")
    assert codes(mneme("lint", "--format", "json", "--ignore", "duplicate-id").out) == []
    assert codes(mneme("lint", "--format", "json").out) == ["unused-suppression"]


def test_a_suppression_of_a_rule_that_does_not_exist(mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, f"# mneme: ignore[overdu]\n{cell()}")
    assert codes(mneme("lint", "--format", "json").out) == ["unknown-suppression"]


def test_an_unused_suppression_is_about_the_cell_below_it(mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, f"{cell('DEC-0006', gist='Two nodes')}\n# mneme: ignore[overdue, nosuch]\n{cell('FACT-0009')}")
    found = json.loads(mneme("lint", "--format", "json").out)["findings"]
    assert [(entry["name"], entry["cell"]) for entry in found] == [
        ("unused-suppression", "FACT-0009"), ("unknown-suppression", "FACT-0009"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("above", "words"),
    [
        ("# mneme: ignore", "write: # mneme: ignore[RULE]"),
        ("# mneme: ignore overdue, MN208", "write: # mneme: ignore[overdue, MN208]"),
        ("# mneme: ignroe[overdue]", "write: # mneme: ignore[overdue]"),
        ("# Mneme: Ignore[overdue]", "write: # mneme: ignore[overdue]"),
        ("#mneme： ignore【overdue】", "write: # mneme: ignore[overdue]"),
        ("# mneme: ignore_file(overdue)", "write: # mneme: ignore-file[overdue]"),
    ],
)
def test_a_suppression_gone_wrong_is_told_with_what_to_write(
    mneme: Runner, tmp_path: Path, above: str, words: str
) -> None:
    write(tmp_path, f"{above}\n{OVERDUE}")
    found = json.loads(mneme("lint", "--format", "json").out)["findings"]
    assert [entry["name"] for entry in found] == ["unknown-suppression", "overdue"]
    assert found[0]["hint"] == words
    assert found[0]["line"] == 1


def test_a_suppression_where_it_has_no_effect(mneme: Runner, tmp_path: Path) -> None:
    head, _, rest = OVERDUE.partition("\n")
    comment = "# mneme: ignore[overdue]\n"
    write(tmp_path, f"{head}\n{comment}# mneme: ignore-file[overdue]\n{rest}{comment}")
    found = json.loads(mneme("lint", "--format", "json").out)["findings"]
    assert [(entry["line"], entry["name"], entry["cell"]) for entry in found] == [
        (2, "unknown-suppression", "DEC-0001"),
        (3, "unknown-suppression", "DEC-0001"),
        (5, "overdue", "DEC-0001"),
        (len(OVERDUE.splitlines()) + 3, "unknown-suppression", "DEC-0001"),
    ]
    assert "above the cell" in found[0]["hint"]
    assert "before the first cell" in found[1]["hint"]
    assert "no cell below" in found[3]["message"]


@pytest.mark.parametrize("comment", ["# mneme: ignores what is new", "# mneme: our memory", "# mneme ignore it"])
def test_prose_in_a_comment_is_no_suppression(mneme: Runner, tmp_path: Path, comment: str) -> None:
    write(tmp_path, f"{comment}\n{cell()}")
    assert codes(mneme("lint", "--format", "json").out) == []


def test_add_ignore_makes_a_baseline(mneme: Runner, tmp_path: Path) -> None:
    text = (OVERDUE.replace("cue", "#") + "\n" + OVERDUE.replace("DEC-0001", "DEC-0007")).replace("\n", "\r\n")
    path = write(tmp_path, text)
    assert mneme("lint", "--strict").code == 1
    result = mneme("lint", "--add-ignore")
    assert (result.code, result.out) == (0, "")
    assert result.err == "mneme: 2 comments for 4 findings in 1 file\n"
    after = path.read_bytes().decode()
    assert after.count("# mneme: ignore[") == 2
    assert "\n" not in after.replace("\r\n", "")
    assert "".join([line for line in after.splitlines(keepends=True) if "mneme:" not in line]) == text
    assert mneme("lint", "--strict").out.endswith("all clear\n")
    assert mneme("lint", "--add-ignore").err == "mneme: 0 comments for 0 findings in 0 files\n"
    assert path.read_bytes().decode() == after


def test_a_baseline_leaves_errors_unless_they_are_named(mneme: Runner, tmp_path: Path) -> None:
    path = write(tmp_path, "stray\n" + DUPLICATE + "\n" + OVERDUE.replace("DEC-0001", "DEC-0007"))
    result = mneme("lint", "--add-ignore", "--no-history")
    assert result.code == 1
    assert result.err == (
        "mneme: 1 comment for 1 finding in 1 file\n"
        "mneme: not suppressed: text-outside-cell 1, duplicate-id 1\n"
        "  hint: mneme lint shows them; --select NAME --add-ignore suppresses an error, too\n"
    )
    assert codes(mneme("lint", "--format", "json").out) == ["text-outside-cell", "duplicate-id"]
    assert mneme("lint", "--select", "MN1", "--add-ignore").code == 1
    result = mneme("lint", "--select", "MN101", "--add-ignore")
    assert (result.code, result.err) == (0, "mneme: 1 comment for 1 finding (1 of them errors) in 1 file\n")
    assert path.read_text().count("# mneme: ignore[duplicate-id]\n@ DEC-0001") == 1
    assert codes(mneme("lint", "--format", "json").out) == ["text-outside-cell"]


def test_a_baseline_is_made_once(mneme: Runner, tmp_path: Path) -> None:
    path = write(
        tmp_path, f"\ufeff{cell('DEC-0009', gist='Other')}\n# mneme: ignore[no-cue]\n# mneme: ignore[x]\n{OVERDUE}"
    )
    for comments, findings in (("1 comment", "1 finding in 1 file"), ("0 comments", "0 findings in 0 files")):
        result = mneme("lint", "--add-ignore")
        assert result.err.splitlines()[:2] == [
            f"mneme: {comments} for {findings}",
            "mneme: not suppressed: unused-suppression 1, unknown-suppression 1",
        ]
    assert path.read_text(encoding="utf-8").count("ignore[overdue]\n@ DEC-0001") == 1
    write(tmp_path, f"\ufeff{OVERDUE}")
    assert mneme("lint", "--add-ignore").err == "mneme: 1 comment for 1 finding in 1 file\n"
    assert mneme("lint", "--add-ignore").err == "mneme: 0 comments for 0 findings in 0 files\n"


def test_what_only_the_configuration_calls_an_error_can_be_baselined(mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, OVERDUE)
    (tmp_path / "mneme.toml").write_text('[lint.severity]\noverdue = "error"\n')
    result = mneme("lint", "--add-ignore")
    assert (result.code, result.err) == (0, "mneme: 1 comment for 1 finding (1 of them errors) in 1 file\n")


# --- fixes ---------------------------------------------------------------------------------------------


def test_diff_shows_and_does_not_write(mneme: Runner, tmp_path: Path) -> None:
    text = f"# mneme: ignore[duplicate-id]\n{cell()}"
    path = write(tmp_path, text)
    result = mneme("lint", "--diff")
    assert result.code == 1
    assert result.out.startswith(
        "--- a/project.mneme\n+++ b/project.mneme\n@@ -1,4 +1,3 @@\n-# mneme: ignore[duplicate-id]\n"
    )
    assert path.read_text() == text
    write(tmp_path, cell())
    assert mneme("lint", "--diff").code == 0


def test_fix_keeps_mode_and_link(mneme: Runner, tmp_path: Path) -> None:
    path = write(tmp_path, f"# mneme: ignore[duplicate-id]\n{cell()}", "real.txt")
    path.chmod(0o640)
    (tmp_path / "project.mneme").symlink_to("real.txt")
    assert mneme("lint", "--fix").code == 0
    assert (tmp_path / "project.mneme").is_symlink()
    assert path.read_text() == cell()
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_standard_input_is_fixed_to_standard_output(mneme: Runner, tmp_path: Path) -> None:
    result = mneme("lint", "--fix", "-", stdin=f"# mneme: ignore[duplicate-id]\n{cell()}".encode())
    assert result.out == cell()
    assert result.err.endswith("1 cell in 1 file: all clear\n")


RAW = cell(gist="Prompt is \x1b[31mred\x1b[0m on the build host", cue="prompt / colour").replace("\n", "\r\n")


@pytest.mark.parametrize("head", ["", "# mneme: ignore[duplicate-id]\r\n"])
@pytest.mark.parametrize("options", [["--fix"], ["--fix", "--format", "json"], ["--add-ignore"]])
def test_standard_input_comes_out_to_the_letter_fixed_or_not(mneme: Runner, options: list[str], head: str) -> None:
    result = mneme("lint", *options, "-", stdin=f"\ufeff{head}{RAW}".encode())
    assert result.out.endswith(RAW)
    assert result.out.startswith("\ufeff")
    assert "MN" in result.err or "comment" in result.err


def test_git_applies_the_difference_of_a_file_with_escape_codes(
    mneme: Runner, git: Callable[..., str], tmp_path: Path
) -> None:
    path = write(tmp_path, f"# mneme: ignore[duplicate-id]\n{RAW}")
    (tmp_path / "a.patch").write_bytes(mneme("lint", "--fix", "--diff").out.encode())
    git("init", "-q")
    git("apply", "a.patch")
    assert path.read_bytes() == RAW.encode()


# --- formats -------------------------------------------------------------------------------------------


def test_full_shows_line_caret_rule_and_hint(mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, DUPLICATE)
    assert mneme("lint").out == (
        "project.mneme:6:3: error[MN101 duplicate-id]: duplicate ID: DEC-0001 is taken by the cell at project.mneme:1\n"
        "  |\n"
        "6 | @ DEC-0001  storage/cache\n"
        "  |   ^^^^^^^^\n"
        "  hint: give one of the two a number of its own: mneme renumber DEC-0001\n"
        "\n"
        "2 cells in 1 file: 1 error\n"
    )


def test_the_caret_stands_below_wide_and_hidden_characters(mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, "\ufeff" + cell(topic="存储/缓存") + cell(topic="x\u202ey"))
    out = mneme("lint", "--select", "MN101").out
    assert "5 | @ DEC-0001  x<U+202E>y\n  |   ^^^^^^^^\n" in out


def test_colours_only_when_asked(mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, DUPLICATE)
    assert "\x1b[" not in mneme("lint").out
    assert "\x1b[31merror" in mneme("--color", "always", "lint").out
    assert "\x1b[" not in mneme("--color", "always", "lint", "--format", "json").out


def test_github_annotations_escape(mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, DUPLICATE, "a,b%.mneme")
    out = mneme("lint", "--format", "github").out
    assert out.startswith("::error file=a%2Cb%25.mneme,line=6,col=3,title=MN101 duplicate-id::duplicate ID: DEC-0001")
    assert "%0Ahint: give one of the two a number of its own: mneme renumber DEC-0001\n" in out


def test_sarif_is_complete(mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, DUPLICATE, "b c.mneme")
    log = json.loads(mneme("lint", "--format", "sarif").out)
    (run,) = log["runs"]
    (result,) = run["results"]
    assert log["version"] == "2.1.0"
    assert run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "MN101"
    place = result["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "b%20c.mneme"
    assert place["region"] == {"startLine": 6, "startColumn": 3, "endLine": 6, "endColumn": 11}


def test_json_says_everything(mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, DUPLICATE)
    data = json.loads(mneme("lint", "--format", "json").out)
    assert (data["version"], data["cells"], data["files"], data["counts"]["error"]) == (1, 2, 1, 1)
    assert data["findings"] == [{
        "path": "project.mneme", "line": 6, "column": 3, "code": "MN101", "name": "duplicate-id", "severity": "error",
        "cell": "DEC-0001", "message": "duplicate ID: DEC-0001 is taken by the cell at project.mneme:1",
        "hint": "give one of the two a number of its own: mneme renumber DEC-0001", "end_line": 6, "end_column": 11,
    }]  # fmt: skip


def test_statistics(mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, DUPLICATE + DUPLICATE.replace("0001", "0002") + OVERDUE.replace("0001", "0003"))
    out = mneme("lint", "--statistics", "--select", "duplicate-id,overdue").out
    assert out.splitlines()[:2] == ["2  MN101  error    duplicate-id", "1  MN401  warning  overdue"]


def test_compat_is_the_classic_report(mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, DUPLICATE + OVERDUE.replace("0001", "0003"))
    result = mneme("lint", "--format", "compat")
    assert result.code == 1
    assert result.out == (
        "  WARN DEC-0003 live but seen 116d ago → verify or mark stale\n"
        "  ERR  duplicate id: DEC-0001\n"
        "\n"
        "lint: 3 cells, 1 error, 1 warn\n"
    )


# --- streams -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "env",
    [
        {"PYTHONUTF8": "0", "PYTHONIOENCODING": "cp1252"},
        {"PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0", "LC_ALL": "C"},
    ],
)
@pytest.mark.parametrize("command", ["spine", "lint"])
def test_any_terminal_encoding(mneme_process: Runner, tmp_path: Path, env: dict[str, str], command: str) -> None:
    write(tmp_path, cell(gist="本地缓存改用数据库文件 → 不再写 ✓", seen="2026-08-01", since="2026-08-01"))
    result = mneme_process(command, env=env)
    assert result.code == 0
    assert "Error" not in result.err
    assert "DEC-0001" in result.out


def test_a_reader_that_stops_early(tmp_path: Path) -> None:
    write(tmp_path, "".join(cell(f"FACT-{number:04d}") for number in range(1, 4001)))
    with subprocess.Popen(
        [sys.executable, "-m", "mneme", "spine"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline().startswith(b"FACT-0001")
        process.stdout.close()
        assert process.stderr.read() == b""
        assert process.wait(30) == 0


def test_files_given_by_folder_and_another_folder(mneme: Runner, tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    write(tmp_path / "sub", DUPLICATE, "a.mneme")
    assert "sub/a.mneme:6:3" in mneme("lint", "sub").out
    assert "a.mneme:6:3" in mneme("-C", "sub", "lint").out
    result = mneme("-C", "nosuch", "lint")
    assert (result.code, "nosuch" in result.err) == (2, True)
    result = mneme("--config", "nosuch.toml", "lint")
    assert (result.code, "nosuch.toml" in result.err) == (2, True)


def test_an_unknown_command_names_the_nearest(mneme: Runner) -> None:
    result = mneme("lnt")
    assert result.code == 2
    assert "Did you mean 'lint'?" in result.err


def test_a_bug_ends_in_a_log_file(mneme: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.setattr("mneme.workspace.Workspace.world", lambda *_args, **_values: 1 / 0)
    result = mneme("spine")
    assert result.code == 3
    assert "this is a bug in mneme: ZeroDivisionError" in result.err
    (log,) = tmp_path.glob("mneme-bug-*.log")
    assert "Traceback" in log.read_text()


def test_fix_says_what_it_did(mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, cell().replace("gist  ", "Gist: "))
    write(tmp_path, cell("DEC-0002", gist="Two nodes").replace("gist", "  gist"), "b.mneme")
    assert mneme("lint", "--fix").err == "mneme: 2 findings fixed in 2 files\n"
    assert mneme("lint", "--fix").err == ""
    assert mneme("-q", "lint", "--fix").err == ""


def test_unsafe_fixes_alone_is_refused(mneme: Runner, tmp_path: Path) -> None:
    write(tmp_path, cell())
    result = mneme("lint", "--unsafe-fixes")
    assert result.code == 2
    assert "add --fix" in result.err


def test_no_memory_file_is_told(mneme: Runner, tmp_path: Path) -> None:
    result = mneme("lint")
    assert (result.code, result.out) == (0, "0 cells in 0 files: all clear\n")
    assert f"no memory file in {tmp_path}" in result.err


def test_inside_of_the_pre_commit_framework_the_summary_names_a_command_that_exists(
    mneme: Runner, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(
        tmp_path, "\n".join([OVERDUE.replace("0001", f"000{n}").replace("Releases", f"Build {n}") for n in range(1, 8)])
    )
    monkeypatch.setattr(sys, "argv", ["/home/p/my env/bin/mneme", "lint"])
    assert mneme("lint", "--select", "overdue", "--format", "hook").out.endswith("; mneme lint --staged shows all\n")
    monkeypatch.setenv("PRE_COMMIT", "1")
    result = mneme("lint", "--select", "overdue", "--format", "hook")
    assert result.out.endswith("; '/home/p/my env/bin/mneme' lint --staged shows all\n")
    monkeypatch.setattr(sys, "argv", ["/usr/lib/python3/mneme/__main__.py", "lint"])
    assert mneme("lint", "--select", "overdue", "--format", "hook").out.endswith("; mneme lint --staged shows all\n")


@pytest.mark.parametrize("name", ["Overdue", "OVERDUE", "mn401", "MN401"])
def test_case_does_not_matter_in_the_name_of_a_rule(mneme: Runner, tmp_path: Path, name: str) -> None:
    write(tmp_path, OVERDUE)
    assert codes(mneme("lint", "--select", name, "--format", "json").out) == ["overdue"]
    assert mneme("rule", name).out.startswith("MN401 overdue: ")


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("ignroe = []", "did you mean lint.ignore?"),
        ("decay-day = 3", "did you mean decay-days?"),
        ("max-gist-widht = 3", "did you mean lint.max-gist-width?"),
        ("[lint]\nselct = []", "did you mean lint.select?"),
        ("[lint]\nfile-per = 'topic'", "did you mean file-per?"),
        ("zzz = 1", "known keys: "),
    ],
)
def test_an_unknown_key_of_the_configuration_names_the_nearest(
    mneme: Runner, tmp_path: Path, text: str, hint: str
) -> None:
    (tmp_path / "mneme.toml").write_text(text + "\n")
    result = mneme("lint")
    assert result.code == 2
    assert f"  hint: {hint}" in result.err
