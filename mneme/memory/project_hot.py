"""USER.md and MEMORY.md: our entries, and around them what somebody wrote."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from mneme.bridge.projection.hand import Parted, compose, part, room_taken, used
from mneme.bridge.projection.packing import Filled, fill, is_note
from mneme.format.entry import MEMORY, USER, inert, read_line
from mneme.format.model import Cell
from mneme.history.notes import REDACTED
from mneme.memory.projection import NAMES, Material, Projection, difference, read_there


class HotFiles:
    """The two files of one folder."""

    def __init__(self, material: Material) -> None:
        self.material = material

    def planned(self, folder: Path | None) -> list[Projection]:
        """Return USER.md and MEMORY.md in ``folder``."""
        if folder is None:
            return []
        settings = self.material.workspace.config.projections
        limits = {USER: settings.user_limit, MEMORY: settings.memory_limit}
        return [self._hot_file(folder / name, target, limits[target]) for target, name in NAMES.items()]

    def _hot_file(self, path: Path, target: str, limit: int) -> Projection:
        name = self.material.workspace.display(path)
        source = read_there(path, name)
        chosen, personal_out = self.material.allowed(path, self.material.targets[target])
        strangers: list[str] = []
        parted = part(source.text if source else "", lambda line: self._is_ours(line, strangers))
        filled = fill(chosen, limit, taken=room_taken(parted.hand))
        text = compose(parted, filled.texts) if parted.ours or filled.texts or not source else source.text
        one = Projection(path, name, target, source, text, used(text), limit, personal_out=personal_out)
        self._account(one, parted, filled)
        if personal_out:
            one.notes.append(f"{name} is not ignored by git: personal cells stay out of it ({personal_out})")
        if one.hand > limit:
            one.notes.append(f"{name}: hand-written text alone takes more than the limit of {limit} bytes")
        for line in strangers:
            one.notes.append(f"{name}: an entry that no cell makes was kept as hand-written text: {line}")
        return one

    def _account(self, one: Projection, parted: Parted, filled: Filled) -> None:
        one.entries = [entry.id for entry in filled.kept]
        one.left_out = [entry.id for entry in filled.left_out]
        one.hand = len(parted.hand.encode("utf-8", "surrogatepass"))
        one.added, one.removed = difference(parted.ours, filled.texts)

    def _is_ours(self, line: str, strangers: list[str]) -> bool:
        if line in self.material.texts or is_note(line):
            return True
        said = read_line(line)
        if said is None:
            return False
        gists, blanked = self._known
        if said.gist in gists or said.id in blanked:
            return True
        if line not in strangers and said.id in self._ids:
            strangers.append(line)
        return False

    @cached_property
    def _everything(self) -> list[Cell]:
        """The cells of the whole workspace, and those named: what we may have written earlier."""
        worlds = [self.material.world]
        if self.material.asked.names:
            worlds.append(self.material.workspace.world())
        return [cell for world in worlds for file in world.files for cell in file.document.cells]

    @cached_property
    def _known(self) -> tuple[set[str], set[str]]:
        """What any cell says, whatever its state and ID; and the IDs of cells that were blanked since."""
        gists = {inert(cell.gist) for cell in self._everything if cell.gist}
        return gists, {cell.id for cell in self._everything if cell.gist == REDACTED}

    @cached_property
    def _ids(self) -> set[str]:
        return {cell.id for cell in self._everything}
