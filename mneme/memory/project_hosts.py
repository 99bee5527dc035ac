"""What is configured besides USER.md and MEMORY.md: marked blocks in people's files, Claude Code's own folder."""

from __future__ import annotations

import os
from pathlib import Path

from mneme.bridge.projection import blocks, claude
from mneme.bridge.projection.packing import is_note, note_of, pack
from mneme.errors import ConfigError, EditError
from mneme.format.entry import read_line
from mneme.memory.claude_folder import memory_folder
from mneme.memory.projection import NAMES, Material, Projection, changes, difference, listed, read_there, real_target
from mneme.text.source import Source, read_source

AUTO = "auto"
PATTERN_MARKS = frozenset("*?[")


class HostFiles:
    """The configured files of one workspace."""

    def __init__(self, material: Material) -> None:
        self.material = material

    def blocks(self) -> list[Projection]:
        """Return the configured files with our block in them."""
        found: dict[Path, Projection] = {}
        for name in self.material.workspace.config.projections.blocks:
            for path in self._block_files(name):
                target = real_target(path)  # CLAUDE.md is often a link to AGENTS.md
                if target not in found:
                    found[target] = self._block(path)
        return list(found.values())

    def _block_files(self, name: str) -> list[Path]:
        root = self.material.workspace.root
        path = Path(os.path.normpath(root / name))
        if root not in path.parents:
            place = self.material.workspace.config.source or root
            raise ConfigError(f"{place}: projections.blocks: {name!r} lies outside the workspace", "name a file in it")
        if not PATTERN_MARKS & set(name):
            return [path]
        matching = sorted(root.glob(name.removeprefix("./")))
        return [file for file in matching if file.is_file() and blocks.BEGIN[:15] in self._source(file).text]

    def _source(self, path: Path) -> Source:
        return read_source(path, self.material.workspace.display(path))

    def _block(self, path: Path) -> Projection:
        name = self.material.workspace.display(path)
        source = read_there(path, name)
        if self.material.asked.shared:
            self.material.is_private(path)
        shared = [entry for target in NAMES for entry in self.material.targets[target] if not entry.personal]
        limit = self.material.workspace.config.projections.block_limit
        listed = [entry._replace(text=f"- {entry.text}") for entry in shared]
        packed = pack(listed, limit, gap=1)
        note = ""
        if packed.left_out:
            room = min(200, limit)
            packed = pack(listed, limit - room - 1, gap=1)
            note = note_of(packed.left_out, limit, room)
        kept = [entry._replace(text=entry.text.removeprefix("- ")) for entry in packed.kept]
        front = blocks.RULE_FRONT if path.name.endswith(blocks.RULE_SUFFIX) else ""
        before = source.text if source else ""
        text = blocks.put_block(before, blocks.block_text(kept, note), name, front=front)
        size = sum(entry.size + 1 for entry in packed.kept) + (len(note.encode()) if note else -1)
        one = Projection(path, name, "block", source, text, max(size, 0), limit)
        one.entries = [entry.id for entry in kept]
        one.left_out = [entry.id for entry in packed.left_out]
        one.hand = len(blocks.outside(before, name).encode("utf-8", "surrogatepass"))
        self._say_changes(one, blocks.inside(before, name), blocks.inside(text, name))
        return one

    def _say_changes(self, one: Projection, before: list[str], after: list[str]) -> None:
        one.added, one.removed = difference(
            [line.removeprefix("- ") for line in before if not blocks.is_own_line(line)],
            [line.removeprefix("- ") for line in after if not blocks.is_own_line(line)],
        )
        for line in one.removed:
            if read_line(line) is None and not is_note(line):
                one.notes.append(f"{one.name}: a line that somebody wrote between the marks goes: {line}")

    def claude(self) -> list[Projection]:
        """Return the index and the topic files of Claude Code's own memory of this project."""
        named = self.material.workspace.config.projections.claude_memory
        if not named:
            return []
        if named == AUTO:
            folder = memory_folder(self.material.workspace.root, self.material.workspace.home, self.material.environ)
        else:
            folder = self.material.workspace.root / Path(named).expanduser()
        path = folder / claude.INDEX
        name = self.material.workspace.display(path)
        source = read_there(path, name)
        everything = [entry for target in NAMES for entry in self.material.targets[target]]
        found, personal_out = self.material.allowed(path, everything)
        before = source.text if source else ""
        plan = claude.auto_memory(found, before)
        if any(entry.personal for entry in found) and not all(
            self.material.is_private(folder / file) for file in plan.topics
        ):
            found = [entry for entry in found if not entry.personal]
            personal_out = len(everything) - len(found)
            plan = claude.auto_memory(found, before)
        topics = [self._topic(folder / file, block) for file, block in plan.topics.items()]
        topics += self._forlorn(folder, set(plan.topics))
        one = Projection(path, name, "index", source, plan.text, plan.size, claude.MAX_BYTES)
        one.personal_out = personal_out
        if personal_out:
            one.notes.append(f"{name} is not ignored by git: personal cells stay out of it ({personal_out})")
        one.entries = [entry.id for entry in plan.kept]
        one.left_out = [entry.id for entry in plan.left_out]
        one.hand = len(blocks.outside(before, name).encode("utf-8", "surrogatepass"))
        one.added, one.removed = changes(before, plan.text, name)
        room = f"{plan.size} of {claude.MAX_BYTES} bytes"
        one.notes.append(f"{name}: {plan.lines} of {claude.MAX_LINES} lines and {room}")
        if claude.is_over(plan.text):
            one.notes.append(f"{name}: Claude Code does not read all of it; shorten what else stands there")
        if path in self.material.private_paths:
            self.material.private_paths |= {topic.path for topic in topics}
        return [*topics, one]  # the index last: what it points at is there

    def _topic(self, path: Path, block: str) -> Projection:
        name = self.material.workspace.display(path)
        source = read_there(path, name)
        if source is not None and not claude.is_ours(source.text):
            raise EditError(f"{name} is in the way: mneme did not write it; nothing was written", "rename it")
        before = source.text if source else ""
        text = blocks.put_block(before, block, name, front=f"{claude.topic_front(path.name)}")
        one = Projection(path, name, "topic", source, text)
        one.added, one.removed = changes(before, text, name)
        return one

    def _forlorn(self, folder: Path, topics: set[str]) -> list[Projection]:
        """Return the topic files of ours that no cell speaks of any more: gone, or emptied if others wrote there."""
        found = []
        for path in sorted(folder.glob(f"{claude.PREFIX}*.md")) if folder.is_dir() else []:
            if path.name in topics or path.is_symlink() or not path.is_file():
                continue
            name = self.material.workspace.display(path)
            source = read_source(path, name)
            if not claude.is_ours(source.text):
                continue
            gone = claude.is_all_ours(source.text, path.name)
            text = None if gone else blocks.put_block(source.text, blocks.wrapped([claude.NOTHING]), name)
            one = Projection(path, name, "topic", source, text)
            one.removed = listed(blocks.inside(source.text, name))
            found.append(one)
        return found
