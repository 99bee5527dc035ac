"""Which layout of a team's memory merges best? Counts conflicts for a team's pull requests, one real merge each.

    python benchmarks/merge_layouts.py [--authors 5] [--pulls 50] [--seed 1]

Every author has one pull request open at a time, begun where the trunk stood when the last one was merged, so that the
others are merged meanwhile. What a pull request does is the same under every layout, and done with the verbs of this
project: new cells, cells confirmed, superseded and retired, two thirds of them in the author's own area. Nobody sees
the branches of the others, so that all that are open at a time take the same numbers. The first rows are what ``mneme
init --team --file-per …`` sets up; then the same with sequential numbers, as without ``--team``.

``conflict``: pull requests that git (or the driver) leaves to a person. ``wrong``: merged without a conflict, and lint
finds an error in what came out that was in neither side: a number that stands twice, a cell with two successors. The
trunk goes on with the driver's outcome, put right as lint says. The same seed gives the same figures everywhere.
"""

from __future__ import annotations

import argparse
import os
import random
import subprocess
import tempfile
from collections import Counter
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import NamedTuple

from mneme.config import FILE_LAYOUTS
from mneme.format.model import Placed
from mneme.format.parser import parse
from mneme.history.content import content_key
from mneme.history.merge.identity import Known
from mneme.history.merge.three_way import merge
from mneme.history.moments import CommitTree
from mneme.history.repo import Repository
from mneme.lint.session import Session, failing
from mneme.memory import new_cell
from mneme.memory.add import add
from mneme.memory.conflicts import FORK, conflicts
from mneme.memory.new_cell import Given
from mneme.memory.renumber import renumber
from mneme.memory.start import start
from mneme.memory.status import confirm, retire
from mneme.memory.supersede import give_way, supersede
from mneme.memory.target import Wanted
from mneme.workspace import Workspace

AREAS = ("api", "auth", "billing", "cache", "deploy", "docs", "search", "storage")
PARTS = ("limits", "errors", "format", "names", "tests")
WORDS = ("keeps", "drops", "signs", "caches", "sorts", "counts", "sends", "reads", "splits", "joins", "hides", "logs")
FIRST = date(2026, 8, 3)
DAYS = 90
"""How long the team takes for all of its pull requests."""

Texts = dict[str, str]


class Row(NamedTuple):
    """One layout, and what became of the pull requests under it."""

    layout: str
    ids: str
    files: int
    counts: Counter[str]


def main() -> None:
    """Measure and print a table."""
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--authors", type=int, default=5)
    arguments.add_argument("--pulls", type=int, default=50, help="pull requests of each author")
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    pulls = options.authors * options.pulls
    print(f"{pulls} pull requests: {options.authors} authors x {options.pulls}\n")
    print("| layout | IDs | files | git alone: conflict | wrong | with the driver: conflict | wrong |")
    print("|---|---|--:|--:|--:|--:|--:|")
    for ids in ("random", "sequential"):
        for layout in FILE_LAYOUTS:
            with tempfile.TemporaryDirectory() as folder:
                row = Team(Path(folder), layout, ids, options.authors, options.seed).run(options.pulls)
            shares = [
                f"{row.counts[what]} ({row.counts[what] / pulls:.1%})"
                for what in ("git conflict", "git wrong", "driver conflict", "driver wrong")
            ]
            print(f"| {row.layout} | {row.ids} | {row.files} | {' | '.join(shares)} |", flush=True)


class Team:
    """Authors, a repository, and what happens to it."""

    def __init__(self, folder: Path, layout: str, ids: str, authors: int, seed: int) -> None:
        self.folder = folder
        self.layout = layout
        self.ids = ids
        self.authors = [f"Author {number}" for number in range(1, authors + 1)]
        self.seed = seed
        self.day = FIRST
        self.counts: Counter[str] = Counter()
        suffixes = random.Random(seed)
        new_cell.suffixes = lambda: seeded(suffixes)
        self._git("init", "-q", "-b", "main")
        start(Workspace.find(folder), team=ids == "random", file_per=layout)
        self.workspace = Workspace.find(folder)
        self._repository = Repository(folder, os.environ)
        self._session = Session.open(self.workspace, FIRST + timedelta(days=DAYS))
        self._commit("start")

    def run(self, pulls: int) -> Row:
        """Let every author make their pull requests, and merge them in an order that is drawn."""
        turns = [author for author in range(len(self.authors)) for _ in range(pulls)]
        rng = random.Random(self.seed)
        rng.shuffle(turns)
        left = Counter(turns)
        for author in range(len(self.authors)):
            self._open(author, 0)
        for done, author in enumerate(turns):
            self.day = FIRST + timedelta(days=DAYS * done // len(turns))
            self._merge(author)
            left[author] -= 1
            if left[author]:
                self._open(author, pulls - left[author])
        files = len([path for path in self.workspace.files() if parse(path.read_text(encoding="utf-8")).cells])
        return Row(self.layout, self.ids, files, self.counts)

    # --- a pull request -------------------------------------------------------------------------------------------

    def _open(self, author: int, number: int) -> None:
        """Begin a branch where the trunk stands, and do its work."""
        self._git("checkout", "-q", "-B", f"work{author}", "main")
        rng = random.Random(f"{self.seed} {author} {number}")
        name = self.authors[author]
        for count in range(rng.choice((0, 1, 1, 1, 2))):
            topic = f"{self._area(author, rng)}/{rng.choice(PARTS)}"
            gist = f"The {topic.replace('/', ' ')} part {rng.choice(WORDS)} what {name} put there in {number}.{count}"
            given = Given(gist, topic, (f"{topic} {number}",), conf=rng.choice(("high", "med")))
            add(self.workspace, rng.choice(("DEC", "FACT")), given, Wanted(), today=self.day, author=lambda: name)
        for _ in range(rng.choice((0, 0, 1, 2))):
            self._on_one(author, rng, lambda cell_id: confirm(self.workspace, [cell_id], today=self.day))
        if rng.random() < 0.3:
            given = Given(f"What {name} put in place of it in {number}")
            self._on_one(
                author, rng,
                lambda old: supersede(
                    self.workspace, old, given, Wanted(), today=self.day, author=lambda: name
                ),
            )  # fmt: skip
        if rng.random() < 0.1:
            self._on_one(author, rng, lambda cell_id: retire(self.workspace, [cell_id]))
        self._commit(f"{name} {number}")

    def _area(self, author: int, rng: random.Random) -> str:
        own = AREAS[author % len(AREAS)]
        return own if rng.random() < 2 / 3 else rng.choice(AREAS)

    def _on_one(self, author: int, rng: random.Random, act: Callable[[str], object]) -> None:
        """Do something to a live cell, of the author's area if there is one; whatever the layout, to the same one."""
        live = sorted(
            (place.cell.gist, place.cell.id, place.cell.topic)
            for place in self._placed()
            if place.cell.status.state == "live"
        )
        area = self._area(author, rng)
        candidates = [entry for entry in live if entry[2].startswith(f"{area}/")] or live
        if candidates:
            act(rng.choice(candidates)[1])

    # --- its merge ------------------------------------------------------------------------------------------------

    def _merge(self, author: int) -> None:
        branch = f"work{author}"
        base = self._texts(self._git("merge-base", "main", branch).strip())
        ours, theirs = self._texts("main"), self._texts(branch)
        self._git("checkout", "-q", "main")
        self._git("merge", "-q", "--no-ff", "--no-commit", branch, check=False)
        if self._git("ls-files", "--unmerged"):
            self.counts["git conflict"] += 1
        else:
            self.counts["git wrong"] += self._is_wrong(self._present())
        merged = self._by_cell(base, ours, theirs)
        self._write(merged)
        if self._is_wrong(merged):
            self.counts["driver wrong"] += 1
            self._put_right(ours)
            assert not self._is_wrong(self._present())
        self._commit(f"merge {branch}")

    def _by_cell(self, base: Texts, ours: Texts, theirs: Texts) -> Texts:
        """Merge as the driver does, file by file."""
        cells = [cell for text in ours.values() for cell in parse(text).cells]
        held = {(cell.id, content_key(cell)) for cell in cells}
        known = Known(lambda cell: (cell.id, content_key(cell)) in held, lambda: [cell.id for cell in cells])
        outcome = {
            path: merge(base.get(path, ""), ours.get(path, ""), theirs.get(path, ""), known)
            for path in sorted({*ours, *theirs})
        }
        self.counts["driver conflict"] += any(merged.conflicts for merged in outcome.values())
        return {
            path: "".join([piece if isinstance(piece, str) else piece.one for piece in merged.pieces])
            for path, merged in outcome.items()
        }

    def _put_right(self, trunk: Texts) -> None:
        """Do what lint says: a new number for the pull request's cell, one of two successors superseded."""
        held = [cell for text in trunk.values() for cell in parse(text).cells]
        counts = Counter(place.cell.id for place in self._placed())
        for cell_id in [cell_id for cell_id, count in counts.items() if count > 1]:
            renumber(self.workspace, cell_id, None, "", lambda: held, ())
        session = Session.open(self.workspace, self.day, select=[FORK])
        while found := conflicts(session, self.workspace.world().documents):
            choice = found[0].choices[0]
            for place in found[0].cells:
                if place.cell is not choice.keep:
                    give_way(self.workspace, place.cell.id, choice.keep.id)

    # --- the repository -------------------------------------------------------------------------------------------

    def _placed(self) -> list[Placed]:
        return [place for document in self.workspace.world().documents for place in document.placed]

    def _is_wrong(self, texts: Texts) -> bool:
        """Whether lint finds an error; no branch has one by itself."""
        documents = [parse(text, name=path) for path, text in texts.items()]
        return bool(failing(self._session.lint(documents).findings))

    def _present(self) -> Texts:
        return {document.name: document.text for document in self.workspace.world().documents}

    def _texts(self, commit: str) -> Texts:
        tree = CommitTree(self._repository, commit)
        return {path: tree.source(path, path).text for path in tree.memory}

    def _write(self, texts: Texts) -> None:
        for path, text in texts.items():
            (self.folder / path).parent.mkdir(exist_ok=True)
            (self.folder / path).write_text(text, encoding="utf-8", newline="")

    def _commit(self, message: str) -> None:
        self._git("add", "-A")
        self._git("commit", "-q", "--allow-empty", "-m", message)

    def _git(self, *arguments: str, check: bool = True) -> str:
        who = {f"GIT_{role}_{fact}": "t" for role in ("AUTHOR", "COMMITTER") for fact in ("NAME", "EMAIL")}
        plain = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
        done = subprocess.run(
            ["git", *arguments], cwd=self.folder, env={**os.environ, **who, **plain}, capture_output=True,
            encoding="utf-8", check=False,
        )  # fmt: skip
        if check and done.returncode:
            raise SystemExit(f"git {' '.join(arguments)}: {done.stderr}")
        return done.stdout


def seeded(rng: random.Random) -> Iterator[str]:
    """Yield suffixes of random IDs."""
    while True:
        yield "".join(rng.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(8))


if __name__ == "__main__":
    main()
