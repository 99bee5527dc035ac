"""Looking again at what is due: the reasons, the cell, the evidence as it changed, and what can be done about it."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from mneme.format.model import Placed
from mneme.format.trust import Trust
from mneme.history.doubt import Doubt, Judged, Kind
from mneme.history.evidence import EvidenceWatch
from mneme.history.repo import GitError, Repository
from mneme.memory.due import Due
from mneme.memory.evidence import doubt_data
from mneme.memory.links import LinkIndex
from mneme.memory.show import View
from mneme.text.visible import visible
from mneme.workspace import Workspace, git_top


def judge_evidence(
    workspace: Workspace, placed: Sequence[Placed], repository: Repository, *, cache: Path | None = None
) -> Judged:
    """Judge the evidence of the live cells among ``placed``; outside of git there is none to judge.

    Raises:
        GitError: git refused.
    """
    if git_top(workspace.root) is None:
        return Judged([], [])
    live = [place for place in placed if place.cell.status.state == "live"]
    return EvidenceWatch(repository, workspace, dirty=True, cache=cache).judge(live)


def evidence_diff(repository: Repository, doubt: Doubt) -> str:
    """Return how changed evidence differs now from what it was when the cell was confirmed; nothing for what is gone.

    Raises:
        GitError: git refused.
    """
    if doubt.kind is not Kind.CHANGED:
        return ""
    base = doubt.since
    if not base and doubt.commits:
        base = _parent(repository, doubt.commits[-1].id)
    patterns = [f":(top,literal){path}" for path in doubt.paths]
    answer = repository.run(
        "diff", "--no-ext-diff", "--no-textconv", "--no-color", "-M", base or "HEAD", "--", *patterns
    )
    return answer.decode("utf-8", "replace")


def _parent(repository: Repository, commit: str) -> str:
    try:
        return os.fsdecode(repository.run("rev-parse", "--verify", "--quiet", f"{commit}^")).strip()
    except GitError:  # the first commit: everything is new
        return os.fsdecode(repository.run("hash-object", "-t", "tree", "--stdin")).strip()


def actions(due: Due) -> dict[str, str]:
    """Return what can be done about a cell, as commands."""
    cell_id = due.place.cell.id
    found = {"confirm": f"mneme seen {cell_id}"}
    if due.place.cell.status.state == "proposed":
        found = {"accept": f"mneme accept {cell_id}"}
    elif due.place.cell.status.state == "live":
        found["stale"] = f"mneme set {cell_id} --state stale"
    found["supersede"] = f'mneme supersede {cell_id} "NEW GIST"'
    found["retire"] = f"mneme retire {cell_id}"
    return found


def due_text(due: Due, number: int, total: int, links: LinkIndex, trusted: Trust, view_day: Any) -> str:
    """Return what a person reads before they decide: where it stands, why it is due, the cell whole."""
    head = f"# {number} of {total}: {visible(due.place.cell.id)}\n"
    reasons = "".join([f"# due: {visible(reason)}\n" for reason in due.reasons])
    return head + reasons + View(due.place, links, trusted, view_day).text()


def due_line(due: Due) -> str:
    """Return a cell that is due as one line."""
    cell = due.place.cell
    return f"{visible(cell.id)}  {visible('; '.join(due.reasons))}  {visible(cell.gist)}"


def due_data(due: Due, repository: Repository | None, most_lines: int) -> dict[str, Any]:
    """Return a cell that is due for JSON, with the evidence's diff (``most_lines`` lines each) and the commands."""
    cell = due.place.cell
    doubts = []
    for doubt in due.doubts:
        diff = evidence_diff(repository, doubt).splitlines() if repository else []
        entry = doubt_data(doubt)
        doubts.append(
            {**entry, "diff": "\n".join(diff[:most_lines]), "diff_lines_left_out": max(0, len(diff) - most_lines)}
        )
    return {
        "id": cell.id, "gist": cell.gist, "topic": cell.topic, "state": cell.status.state, "seen": cell.status.seen,
        "seen_days_ago": due.age, "path": due.place.document.name, "text": cell.text,
        "urgency": due.urgency.name.lower(), "reasons": list(due.reasons), "evidence": doubts, "actions": actions(due),
    }  # fmt: skip
