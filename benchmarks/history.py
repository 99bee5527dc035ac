"""How much does the past cost? Builds a repository with ``git fast-import`` and times the commands that read it.

    python benchmarks/history.py [--commits 5000] [--cells 400] [--repeat 3]

Every commit changes a source file. One in two also changes the memory: a cell is added, confirmed, or superseded by a
new one, and each hundredth commit is a merge. The memory grows to ``--cells`` cells; then the oldest superseded ones
are dropped. Each figure is the CPU time of a whole process with git's share in it.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

from generate import TODAY, words
from lint import cpu

DAY = 86_400


class Project:
    """The memory of a made-up project, as one person after another changes it."""

    def __init__(self, seed: int, size: int, first: date) -> None:
        self.rng = random.Random(seed)
        self.words = words(self.rng)
        self.size = size
        self.today = first
        self.live: list[dict[str, str]] = []
        self.past: list[dict[str, str]] = []
        self.number = 0

    def add(self, link: str = "") -> dict[str, str]:
        """Add a cell; ``link`` is a link line."""
        self.number += 1
        path = f"src/part{self.rng.randint(0, 40)}.py"
        cell = {
            "id": f"DEC-{self.number:04d}", "topic": f"{self.rng.choice(self.words)}/{self.rng.choice(self.words)}",
            "gist": " ".join(self.rng.choice(self.words) for _ in range(9)), "since": self.today.isoformat(),
            "seen": self.today.isoformat(), "state": "live", "links": link, "body": f"> See {path}.\n",
        }  # fmt: skip
        self.live.append(cell)
        return cell

    def step(self) -> None:
        """Change the memory as a day's work does."""
        choice = self.rng.random()
        if choice < 0.3 and len(self.live) < 0.6 * self.size:
            self.add()
        elif choice < 0.7 and self.live:
            self.rng.choice(self.live)["seen"] = self.today.isoformat()
        elif self.live:
            old = self.live.pop(self.rng.randrange(len(self.live)))
            new = self.add(f"link  supersedes {old['id']}\n")
            old["state"] = "superseded"
            old["links"] += f"link  superseded-by {new['id']}\n"
            self.past.append(old)
        while len(self.live) + len(self.past) > self.size:
            self.past.pop(0)

    def text(self) -> str:
        """Return the memory file."""
        return "# generated for measuring\n\n" + "\n".join([
            f"@ {cell['id']}  {cell['topic']}\ngist  {cell['gist']}\n"
            f"state {cell['state']}   conf high   since {cell['since']}   seen {cell['seen']}\n"
            f"cue   {cell['topic'].replace('/', ' / ')}\n{cell['body']}{cell['links']}"
            for cell in sorted([*self.past, *self.live], key=lambda cell: cell["id"])
        ])  # fmt: skip


def build(folder: Path, commits: int, cells: int) -> Project:
    """Make the repository and check out its last commit."""
    project = Project(1, cells, TODAY - timedelta(days=commits // 8))
    subprocess.run(["git", "init", "-q", "-b", "main", folder], check=True)
    feed = subprocess.Popen(["git", "-C", folder, "fast-import", "--quiet"], stdin=subprocess.PIPE)
    assert feed.stdin is not None
    write: Callable[[bytes], object] = feed.stdin.write
    for number in range(1, commits + 1):
        project.today = TODAY - timedelta(days=(commits - number) // 8)
        stamp = (project.today - date(1970, 1, 1)).days * DAY + 8 * 3600 + number % 8 * 600
        who = f"P{number % 7} <p{number % 7}@example.invalid> {stamp} +0000"
        head = f"commit refs/heads/main\nmark :{number}\nauthor {who}\ncommitter {who}\n"
        message = f"Change number {number}".encode()
        write(head.encode() + f"data {len(message)}\n".encode() + message + b"\n")
        if number % 100 == 0:
            write(f"from :{number - 1}\nmerge :{number - 50}\n".encode())
        changes = {f"src/part{number % 41}.py": f"value = {number}\n" * 20}
        if number % 2 or number == 2:
            project.step()
            changes["project.mneme"] = project.text()
        for path, text in changes.items():
            data = text.encode()
            write(f"M 100644 inline {path}\ndata {len(data)}\n".encode() + data + b"\n")
    feed.stdin.close()
    assert feed.wait() == 0
    subprocess.run(["git", "-C", folder, "checkout", "-q", "-f", "main"], check=True)
    return project


def main() -> None:
    """Measure and print a table."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--commits", type=int, default=5000)
    arguments.add_argument("--cells", type=int, default=400)
    arguments.add_argument("--repeat", type=int, default=3)
    options = arguments.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name, "repository")
        project = build(folder, options.commits, options.cells)
        env = {**os.environ, "HOME": name, "MNEME_CACHE_DIR": f"{name}/cache", "MNEME_TODAY": TODAY.isoformat()}
        for name_, arguments_, prepare in commands(project, Path(name)):
            mneme = [sys.executable, "-m", "mneme", "-C", str(folder), *arguments_]
            times = []
            for _ in range(options.repeat):
                prepare()
                times.append(cpu(mneme, env)[0])
            print(f"{name_:<34} {statistics.median(times):6.2f} s CPU", flush=True)


def commands(project: Project, folder: Path) -> list[tuple[str, list[str], Callable[[], object]]]:
    """Return what is measured: a name, the arguments, and what to do before each run."""

    def nothing() -> None:
        return None

    def forget() -> None:
        subprocess.run(["rm", "-rf", str(folder / "cache")], check=True)

    middle = sorted(cell["id"] for cell in project.live)[len(project.live) // 2]
    return [
        ("history (a cell in the middle)", ["history", middle], nothing),
        ("blame", ["blame"], nothing),
        ("at a year ago, spine", ["at", (TODAY - timedelta(days=365)).isoformat(), "spine"], nothing),
        ("new-id, cold", ["new-id", "DEC"], forget),
        ("new-id, warm", ["new-id", "DEC"], nothing),
        ("check-evidence", ["check-evidence"], nothing),
    ]


if __name__ == "__main__":
    main()
