"""``mneme lint --base``: what the branch would merge to is judged before it is merged, in real repositories."""

from __future__ import annotations

import json
import re
import shlex
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.conftest import Result, Runner, cell
from tests.past import Past

Files = dict[str, str | None]

ONE = cell("DEC-0001", gist="Page size is capped at 100", topic="api/limits", cue="paging")
TWO = cell("DEC-0002", gist="Tokens live for one hour", topic="api/auth", cue="tokens")
OLD = cell("DEC-0001", gist="Page size is capped at 100", topic="api/limits", cue="paging", state="superseded")


def note(cell_id: str, gist: str, topic: str = "ops", **values: str) -> str:
    return cell(cell_id, gist=gist, topic=topic, cue=gist.lower(), **values)


def text(*cells: str) -> str:
    return "\n".join(cells)


def superseded(by: str) -> str:
    return f"{OLD}link  superseded-by {by}\n"


class Case(NamedTuple):
    """What the trunk and the branch each did to ``project.mneme`` with ONE and TWO; what is found, and where.

    ``plain``: whether git merges the two by lines without a conflict.
    """

    trunk: Files
    branch: Files
    found: list[str]
    plain: bool = True


LOGS = note("DEC-0003", "Logs rotate daily")
MAILS = note("DEC-0003", "Mails are sent at night")
FORKED = "merged with main: DEC-0001 is superseded by 2 live cells: DEC-0003, DEC-0004"
FORKING = {"more": "link  supersedes DEC-0001\n"}
CASES = {
    "one number, in one file": Case(
        {"project.mneme": text(ONE, TWO, LOGS)},
        {"project.mneme": text(ONE, TWO, MAILS)},
        ["error project.mneme:11 id-reused DEC-0003: taken on main too"],
        plain=False,
    ),
    "one number, across files": Case(
        {"project.mneme": text(ONE, TWO, LOGS)},
        {"topics/mail.mneme": MAILS},
        ["error topics/mail.mneme:1 id-reused DEC-0003: taken on main too"],
    ),
    "one number in two spellings, across files": Case(
        {"logs.mneme": LOGS},
        {"topics/mail.mneme": MAILS.replace("DEC-0003", "DEC-3")},
        ["error topics/mail.mneme:1 id-reused DEC-3: there DEC-0003 is 'Logs rotate daily' (logs.mneme)"],
    ),
    "two numbers, in one file and across files": Case(
        {"project.mneme": text(ONE, TWO, LOGS), "logs.mneme": note("DEC-0004", "Logs are kept for a week")},
        {"project.mneme": text(ONE, TWO, MAILS), "mail.mneme": note("DEC-0004", "Mails are kept for a month")},
        [
            "error mail.mneme:1 id-reused DEC-0004: taken on main too",
            "error project.mneme:11 id-reused DEC-0003: taken on main too",
        ],
        plain=False,
    ),
    "a fork, in one file": Case(
        {"project.mneme": text(superseded("DEC-0003"), TWO, note("DEC-0003", "Pages hold 1 MB", **FORKING))},
        {"project.mneme": text(superseded("DEC-0004"), TWO, note("DEC-0004", "Clients choose", **FORKING))},
        [f"error project.mneme:16 forked-supersession DEC-0004: {FORKED}"],
        plain=False,
    ),
    "a fork, across files": Case(
        {"a.mneme": note("DEC-0003", "Pages hold 1 MB", **FORKING)},
        {"b.mneme": note("DEC-0004", "Clients choose", seen="2026-11-24", **FORKING)},
        [f"error b.mneme:1 forked-supersession DEC-0004: {FORKED}"],
    ),
    "a contradiction": Case(
        {"a.mneme": note("DEC-0003", "Idle sessions end after 30 minutes", "api/auth")},
        {"b.mneme": note("DEC-0004", "Idle sessions end after 90 minutes", "api/auth")},
        ["warning b.mneme:2 contradiction DEC-0004: merged with main: DEC-0004 contradicts DEC-0003 on api/auth"],
    ),
    "the branch leans on what the trunk retired": Case(
        {"project.mneme": text(ONE.replace("live", "retired"), TWO)},
        {"b.mneme": note("DEC-0004", "Clients cache pages", more="link  depends-on DEC-0001\n")},
        ["warning b.mneme:5 dead-dependency DEC-0004: merged with main: "],
    ),
    "the trunk leans on what the branch retired": Case(
        {"a.mneme": note("DEC-0003", "Clients cache pages", more="link  depends-on DEC-0001\n")},
        {"project.mneme": text(ONE.replace("live", "retired"), TWO)},
        ["warning project.mneme:1 dead-dependency DEC-0001: merged with main: DEC-0003"],
    ),
    "the branch links to a cell that the trunk let go": Case(
        {"project.mneme": TWO},
        {"b.mneme": note("DEC-0004", "Clients cache pages", more="link  relates DEC-0001\n")},
        ["warning b.mneme:5 dangling-link DEC-0004: merged with main: "],
    ),
    "both add to one file": Case(
        {"project.mneme": text(ONE, TWO, LOGS)},
        {"project.mneme": text(ONE, TWO, note("DEC-0004", "Mails are sent at night"))},
        [],
        plain=False,
    ),
    "one confirms what the other gives up": Case(
        {"project.mneme": text(ONE.replace("seen 2026-11-20", "seen 2026-11-24"), TWO)},
        {"project.mneme": text(ONE.replace("live", "retired"), TWO)},
        [],
        plain=False,
    ),
    "the trunk moved and archived what the branch adds to": Case(
        {"project.mneme": None, "topics/auth.mneme": TWO, "archive/2026.mneme": ONE.replace("live", "retired")},
        {"project.mneme": text(ONE, TWO, LOGS)},
        [],
        plain=False,
    ),
    "both have one cell": Case(
        {"a.mneme": LOGS}, {"b.mneme": note("DEC-0004", "Mails are sent at night"), "a.mneme": LOGS}, [],
    ),
    "what the trunk has wrong is told there": Case(
        {
            "a.mneme": note("DEC-0003", "Idle sessions end after 30 minutes", "api/auth"),
            "b.mneme": note("DEC-0004", "Idle sessions end after 90 minutes", "api/auth"),
        },
        {"c.mneme": note("DEC-0005", "Mails are sent at night")},
        [],
    ),
}  # fmt: skip


class Project:
    """A repository whose branch ``work`` and trunk ``main`` have each gone on by one commit."""

    def __init__(self, folder: Path, mneme: Runner) -> None:
        self.past = Past(folder)
        self.folder = folder
        self._mneme = mneme

    def start(self, trunk: Files, branch: Files) -> None:
        self.past.commit("start", {"project.mneme": text(ONE, TWO)})
        self.past.git("checkout", "-q", "-b", "work")
        self.past.commit("work", branch)
        self.past.git("checkout", "-q", "main")
        self.past.commit("trunk", trunk)
        self.past.git("checkout", "-q", "work")

    def mneme(self, *arguments: str) -> Result:
        return self._mneme(*arguments, cwd=self.folder)

    def found(self, *options: str, said: str = "") -> list[dict[str, str]]:
        """Return what lint finds besides what it finds on the branch alone; on standard error stands ``said``."""
        result = self.mneme("lint", "--format", "json", *options)
        assert said in result.err if said else not result.err, result.err
        findings: list[dict[str, str]] = json.loads(result.out)["findings"]
        errors = any(finding["severity"] == "error" for finding in findings)
        assert result.code == (1 if errors else 0)
        known = json.loads(self.mneme("lint", "--format", "json").out)["findings"] if options else []
        return [finding for finding in findings if finding not in known]


@pytest.fixture
def project(tmp_path: Path, mneme: Runner) -> Project:
    return Project(tmp_path / "project", mneme)


def shown(finding: dict[str, str]) -> str:
    place = f"{finding['severity']} {finding['path']}:{finding['line']} {finding['name']} {finding['cell']}"
    return f"{place}: {finding['message']}"


@pytest.mark.parametrize("base", ["main", "main...work", "main..."])
@pytest.mark.parametrize("title", CASES)
def test_case(title: str, base: str, project: Project) -> None:
    case = CASES[title]
    project.start(case.trunk, case.branch)
    found = [shown(finding) for finding in project.found("--base", base)]
    assert len(found) == len(case.found), found
    for line, expected in zip(found, case.found, strict=True):
        place, _, words = expected.partition(": ")
        assert line.startswith(f"{place}: ")
        assert words in line
    fork = project.past.git("merge-base", "main", "work").strip()
    assert project.found("--base", f"{fork}..work") == [], "a range that names two commits is judged as it is"


@pytest.mark.parametrize("title", CASES)
def test_what_plain_git_makes_of_it(title: str, project: Project) -> None:
    """Lint before the merge says what lint after it would say, where git alone merges the two."""
    case = CASES[title]
    project.start(case.trunk, case.branch)
    before = {finding["severity"] for finding in project.found("--base", "main")}
    merged = subprocess.run(["git", "merge", "-q", "main"], cwd=project.folder, capture_output=True, check=False)
    assert (merged.returncode == 0) == case.plain
    if case.plain:
        after = {finding["severity"] for finding in project.found()}
        assert after or not before
        assert before or "error" not in after


@pytest.mark.parametrize("title", [title for title in CASES if "number" in title])
def test_the_hint_is_what_to_type(title: str, project: Project) -> None:
    case = CASES[title]
    project.start(case.trunk, case.branch)
    for finding in project.found("--base", "main"):
        for command in finding["hint"].partition(": ")[2].split(", then "):
            program, *arguments = shlex.split(command)
            if program == "git":
                project.past.git(*arguments)
            else:
                assert project.mneme(*arguments).code == 0
    project.past.git("commit", "-q", "-a", "-m", "other numbers")
    for base in ("main", "main..."):
        assert project.found("--base", base) == []
    assert project.found() == []


def test_a_fork_is_settled_after_the_merge(project: Project) -> None:
    case = CASES["a fork, across files"]
    project.start(case.trunk, case.branch)
    [finding] = project.found("--base", "main")
    assert "DEC-0004 wins" in finding["hint"]
    project.past.git("merge", "-q", "main")
    [command] = re.findall("run: mneme (.*)", project.mneme("conflicts").out)
    assert project.mneme(*shlex.split(command)).code == 0
    assert [finding["name"] for finding in project.found("--base", "main") if finding["severity"] == "error"] == []


def test_a_checkout_of_the_merge_itself(project: Project) -> None:
    """On GitHub the workflow finds the pull request merged: the number stands there twice."""
    case = CASES["one number, across files"]
    project.start(case.trunk, case.branch)
    project.past.git("checkout", "-q", "--detach", "main")
    project.past.git("merge", "-q", "work")
    result = project.mneme("lint", "--base", "main", "--format", "json")
    [finding] = json.loads(result.out)["findings"]
    assert (result.code, finding["name"]) == (1, "duplicate-id")
    assert finding["hint"].endswith("mneme renumber DEC-0003")
    assert project.mneme("renumber", "DEC-0003").code == 0
    assert "@ DEC-0004" in (project.folder / "topics" / "mail.mneme").read_text(encoding="utf-8")
    assert project.mneme("lint", "--base", "main").code == 0


def test_a_target_that_is_not_the_trunk(project: Project) -> None:
    case = CASES["one number, across files"]
    project.start(case.trunk, case.branch)
    project.past.git("branch", "-q", "-m", "main", "release")
    project.past.git("branch", "main", "release~1")
    [finding] = project.found("--base", "release")
    assert finding["hint"].endswith(": git merge release, then mneme renumber DEC-0003")
    project.past.git("merge", "-q", "release")
    assert project.mneme("renumber", "DEC-0003").code == 0
    project.past.git("commit", "-q", "-a", "-m", "another number")
    assert project.found("--base", "release") == []


def test_the_work_tree_is_what_would_be_merged(project: Project) -> None:
    case = CASES["one number, across files"]
    project.start(case.trunk, case.branch)
    project.past.put({"topics/mail.mneme": None, "mail.mneme": note("DEC-0004", "Mails are sent at night")})
    assert [finding["name"] for finding in project.found("--base", "main")] == []
    assert [finding["name"] for finding in project.found("--base", "main...")] == ["id-reused"]


def test_a_branch_that_is_up_to_date_is_not_merged(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    project.start({}, CASES["one number, across files"].branch)
    project.past.git("rebase", "-q", "main")

    def refuse(*_: object) -> None:
        raise AssertionError("it was merged")

    monkeypatch.setattr("mneme.history.would_be.merge", refuse)
    assert project.found("--base", "main") == []


def test_named_files_limit_what_is_told(project: Project) -> None:
    case = CASES["a fork, across files"]
    project.start(case.trunk, case.branch)
    rules = ("--select", "forked-supersession")
    assert project.found("--base", "main", *rules, "project.mneme") == []
    assert [finding["cell"] for finding in project.found("--base", "main", *rules, "b.mneme")] == ["DEC-0004"]


def test_selected_rules_alone_are_told_and_suppressions_hold(project: Project) -> None:
    case = CASES["a contradiction"]
    quiet: Files = {name: f"# mneme: ignore[contradiction]\n{text}" for name, text in case.branch.items()}
    project.start(case.trunk, quiet)
    assert project.mneme("lint", "--base", "main", "--strict").out.endswith("all clear\n")
    assert "MN901" in project.mneme("lint").out, "before the merge there is nothing to suppress yet"
    project.past.put(case.branch)
    assert [finding["name"] for finding in project.found("--base", "main")] == ["contradiction"]
    assert len(project.found("--base", "main", "--select", "contradiction")) == 1
    assert project.found("--base", "main", "--ignore", "contradiction") == []


def test_line_ends_make_no_difference(project: Project) -> None:
    case = CASES["both add to one file"]
    project.start(case.trunk, case.branch)
    path = project.folder / "project.mneme"
    path.write_bytes(path.read_bytes().replace(b"\n", b"\r\n"))
    assert project.found("--base", "main") == []


def test_what_cannot_be_merged_is_said(project: Project) -> None:
    project.start({"bad.mneme": "@ DEC-0009  a\ngist  \0\n"}, {"b.mneme": LOGS})
    said = "not checked: what a merge with main would bring: bad.mneme"
    assert project.found("--base", "main", said=said) == []


def test_a_cell_that_one_side_took_away_and_the_other_confirmed(project: Project) -> None:
    project.start(
        {"project.mneme": text(ONE, TWO.replace("seen 2026-11-20", "seen 2026-11-24"))}, {"project.mneme": ONE}
    )
    said = "not checked: what a merge with main would bring to project.mneme: a person must merge that"
    assert [finding["name"] for finding in project.found("--base", "main", said=said)] == ["cell-deleted"]


@pytest.mark.parametrize("where", ["main", "another workspace"])
def test_every_workspace_of_the_repository(where: str, project: Project) -> None:
    folder = "" if where == "main" else "inner/"
    case = CASES["one number, across files"]
    trunk: Files = {f"{folder}a.mneme": LOGS}
    branch: Files = {f"{folder}b.mneme": MAILS, "other/mneme.toml": "", "other/c.mneme": MAILS}
    assert case.found
    if folder:
        trunk["inner/mneme.toml"] = branch["inner/mneme.toml"] = ""
    project.start(trunk, branch)
    assert [finding["path"] for finding in project.found("--base", "main...")] == [f"{folder}b.mneme"]


# --- clones that do not hold everything ----------------------------------------------------------------------------


@pytest.fixture
def clone_of(project: Project, tmp_path: Path) -> Callable[..., Path]:
    """Clone the branch ``work`` of a project as a CI runner does."""

    def clone(*options: str, title: str = "one number, across files") -> Path:
        case = CASES[title]
        project.start(case.trunk, case.branch)
        folder = tmp_path / "runner"
        url = f"file://{project.folder}"
        subprocess.run(["git", "clone", "-q", "--no-single-branch", *options, url, folder], check=True)
        return folder

    return clone


def test_a_whole_clone(clone_of: Callable[..., Path], mneme: Runner) -> None:
    result = mneme("lint", "--base", "origin/main", cwd=clone_of())
    assert result.code == 1
    assert "DEC-0003 was taken on origin/main too" in result.out


def test_a_shallow_clone_without_the_common_ancestor_is_no_pass(clone_of: Callable[..., Path], mneme: Runner) -> None:
    folder = clone_of("--depth", "1")
    for base in ("origin/main", "origin/main...HEAD"):
        result = mneme("lint", "--base", base, cwd=folder)
        assert (result.code, result.out) == (2, "")
        assert "have no common ancestor here" in result.err
        assert "git fetch --unshallow" in result.err


def test_a_shallow_clone_with_the_common_ancestor(clone_of: Callable[..., Path], mneme: Runner) -> None:
    folder = clone_of("--depth", "2")
    result = mneme("lint", "--base", "origin/main", cwd=folder)
    assert result.code == 1
    assert "DEC-0003 was taken on origin/main too" in result.out


def test_a_clone_without_the_target_is_no_pass(clone_of: Callable[..., Path], mneme: Runner) -> None:
    folder = clone_of()
    subprocess.run(["git", "update-ref", "-d", "refs/remotes/origin/main"], cwd=folder, check=True)
    result = mneme("lint", "--base", "origin/main", cwd=folder)
    assert (result.code, result.out) == (2, "")
    assert "'origin/main' names no commit here" in result.err
