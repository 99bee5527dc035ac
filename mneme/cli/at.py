"""``mneme at``: reading commands over the memory as it was."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import click

from mneme.cli.app import App
from mneme.errors import UsageError

if TYPE_CHECKING:
    from mneme.history.worlds import Holding
    from mneme.workspace import Workspace, World

READING = ("spine", "show", "find", "why")
"""The commands that look at cells and nothing else."""


@dataclasses.dataclass
class PastApp(App):
    """An invocation that stands at another day and reads another tree: commands do not see the difference."""

    commit: str = ""

    @cached_property
    def _held(self) -> Holding | None:
        from mneme.history.moments import holding_at
        from mneme.history.repo import Repository
        from mneme.workspace import Workspace

        now = Workspace.find(self.cwd, config_file=self.config_file, home=self.home)
        repository = Repository(self.cwd, self.environ)
        return holding_at(repository, self.commit, now, config_file=self.config_file)

    @cached_property
    def workspace(self) -> Workspace:
        """The workspace as it was configured then."""
        from mneme.workspace import Workspace

        if self._held is not None:
            return self._held.workspace
        return Workspace.find(self.cwd, config_file=self.config_file, home=self.home)

    def workspace_of(self, names: Sequence[str]) -> Workspace:  # noqa: ARG002 - one commit, one workspace
        """Return the workspace as it was configured then."""
        return self.workspace

    def world(
        self,
        names: Sequence[str],
        *,
        personal: bool = True,  # noqa: ARG002 - git holds no such file
        archive: bool = True,
    ) -> World:
        """Read what the commit held: of the workspace, or of the named files and folders.

        Raises:
            UsageError: standard input is named, or a path that the commit did not hold.
        """
        from mneme.workspace import World

        if "-" in names:
            raise UsageError("standard input has no past", "name files that were committed")
        world = self._held.world() if self._held else World([], [])
        if not names:
            kept = [file for file in world.files if archive or not self._in_archive(file.source.name)]
            return World(kept, world.unreadable)
        wanted = {name: (self.cwd / name).resolve() for name in names}
        paths = [(self.cwd / file.source.name).resolve() for file in world.files]
        for name, path in wanted.items():
            if not any(path == here or path in here.parents for here in paths):
                raise UsageError(
                    f"{name}: no memory file of that name then", f"mneme at {self.commit[:12]} spine --all"
                )
        chosen = [
            file
            for file, here in zip(world.files, paths, strict=True)
            if any(path == here or path in here.parents for path in wanted.values())
        ]
        return World(chosen, world.unreadable)

    def _in_archive(self, name: str) -> bool:
        return self.workspace.is_archive((self.cwd / name).resolve())


class ReadingGroup(click.Group):
    """The reading commands, imported when they are run."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return their names."""
        return list(READING)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import one."""
        import importlib

        if cmd_name not in READING:
            return None
        loaded = importlib.import_module(f"mneme.cli.{cmd_name}").command
        assert isinstance(loaded, click.Command)
        return _speaking_of_then(loaded, ctx.params.get("moment") or "HEAD")


def _speaking_of_then(command: click.Command, moment: str) -> click.Command:
    """Return a command whose help shows how it is called here."""
    import copy
    import re
    import shlex

    said = f"mneme at {shlex.quote(moment)}"
    told = copy.copy(command)
    told.params = [parameter for parameter in command.params if parameter.name not in OF_STORES]
    help_ = re.sub(r"^ +mneme .*--db .*\n?", "", command.help or "", flags=re.MULTILINE)
    told.help = re.sub(rf"^( +)mneme(?= {command.name}\b)", lambda at: at[1] + said, help_, flags=re.MULTILINE)
    return told


OF_STORES = frozenset({"db", "store_name", "data_dir", "readonly"})
"""Parameters that mean nothing here: a store is compiled from the text of today."""


@click.command("at", cls=ReadingGroup, subcommand_metavar="COMMAND [ARGS]...")
@click.argument("moment", metavar="REV|DATE")
@click.pass_context
def command(ctx: click.Context, moment: str) -> None:
    """Read the memory as it was: what was believed then, and how far it was to be trusted on that day.

    REV is any revision git knows, judged by the day of that commit. DATE (YYYY-MM-DD) is the last commit made on or
    before that day on the first-parent line of HEAD, judged by that day. Personal cells have no past: git does not hold
    them. --today overrules the day.

    \b
    Example:
      mneme at 2026-06-30 spine
      mneme at v1.2 show DEC-0042
      mneme at HEAD~20 find slow queries
    """
    from mneme.cli.app import parse_day
    from mneme.history.moments import moment as meant
    from mneme.history.repo import Repository

    app: App = ctx.obj
    found = meant(Repository(app.cwd, app.environ), moment)
    said = ctx.find_root().get_parameter_source("today") is click.core.ParameterSource.COMMANDLINE
    day = app.today if said else parse_day(found.day)
    app.say(f"mneme: as of {day}, commit {found.commit[:12]}", level=1)
    values = {field.name: getattr(app, field.name) for field in dataclasses.fields(App)}
    ctx.obj = PastApp(**{**values, "today": day}, commit=found.commit)
