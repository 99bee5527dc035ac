"""``mneme runtime``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mneme.cli.common import format_option, print_json, put
from mneme.cli.hot import change_lines, data_dir_option, runtime_of, target_option
from mneme.errors import ExitCode

if TYPE_CHECKING:
    from collections.abc import Callable

    from mneme.cli.app import App
    from mneme.memory.runtime import Done

_importance = click.Choice(["critical", "normal", "low"])


@click.group("runtime", context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Hot memory: what a host loads at every turn. Add, replace, remove entries, show them, print the context.

    The entries are cells; memories.json, USER.md and MEMORY.md in .mnemon/runtime follow. What another program or a
    person wrote there is taken in first.

    \b
    Example:
      mneme runtime add "Answers in short sentences" --target user
      mneme runtime show
    """


@command.command("add")
@click.argument("content")
@target_option
@click.option("--importance", type=_importance, default="normal", show_default=True, help="What is kept first.")
@click.option("--personal", is_flag=True, help="Keep it to yourself: a *.local.mneme file that git ignores.")
@data_dir_option
@format_option("text", "json")
@click.pass_obj
def add(
    app: App, content: str, target: str, importance: str, data_dir: str, format_: str, *, personal: bool
) -> ExitCode:
    """Add an entry: a new cell. One that says the same is there already: nothing is written.

    Full, it is refused with exit code 10, and the request for a compaction is printed: see mneme maintain.

    \b
    Example:
      mneme runtime add "Answers in short sentences" --target user --importance critical
    """
    runtime = runtime_of(app, data_dir, personal=personal)
    return _run(app, lambda: runtime.add(target, content, importance), format_)


@command.command("replace")
@click.argument("old_text")
@click.argument("content")
@target_option
@click.option("--importance", type=_importance, default=None, help="A new importance.  [default: as it was]")
@data_dir_option
@format_option("text", "json")
@click.pass_obj
def replace(
    app: App, old_text: str, content: str, target: str, importance: str | None, data_dir: str, format_: str
) -> ExitCode:
    """Replace the one entry that holds OLD_TEXT: a new cell supersedes its cell.

    Exit code 13: no entry holds it. 12: more than one does. 10: it would grow beyond the limit.

    \b
    Example:
      mneme runtime replace "short sentences" "Answers in short, plain sentences" --target user
    """
    runtime = runtime_of(app, data_dir)
    return _run(app, lambda: runtime.replace(target, old_text, content, importance or ""), format_)


@command.command("remove")
@click.argument("old_text")
@target_option
@data_dir_option
@format_option("text", "json")
@click.pass_obj
def remove(app: App, old_text: str, target: str, data_dir: str, format_: str) -> ExitCode:
    """Remove the one entry that holds OLD_TEXT: its cell is retired, and stays in the text.

    \b
    Example:
      mneme runtime remove PREF-0001 --target user
    """
    runtime = runtime_of(app, data_dir)
    return _run(app, lambda: runtime.remove(target, old_text), format_)


def _run(app: App, verb: Callable[[], Done], format_: str) -> ExitCode:
    from mneme.memory.hot_request import CapacityError

    try:
        done = verb()
    except CapacityError as error:
        if error.request is not None:
            print_json(app, "maintenance-plan", dict(error.request))
        raise
    if format_ == "json":
        print_json(app, "runtime", done.data())
    else:
        entries = f"{done.entry_count} {'entry' if done.entry_count == 1 else 'entries'}"
        put(f"{done.id} {done.message}: {done.target} has {entries}, {done.used} of {done.limit} bytes\n")
    for line in change_lines(done.synced):
        app.say(f"mneme: {line}")
    return ExitCode.OK


@command.command("show")
@click.option("--target", type=click.Choice(["user", "memory"]), default=None, help="Only this one.")
@data_dir_option
@format_option("text", "json")
@click.pass_obj
def show(app: App, target: str | None, data_dir: str, format_: str) -> ExitCode:
    """Print the entries with used bytes, limits and the revision. Nothing is written.

    \b
    Example:
      mneme runtime show --target memory
    """
    from mneme.text.visible import visible

    runtime = runtime_of(app, data_dir)
    planned = runtime.show()
    targets = [one for one in ("user", "memory") if target in (None, one)]
    if format_ == "json":
        sizes = {
            one: {"used": planned.used(one), "limit": runtime.folder.limits[one], "left_out": planned.left_out[one]}
            for one in targets
        }
        entries = [{"id": one.id, **one.record.data()} for one in planned.noted if one.record.target in targets]
        print_json(app, "runtime-entries", {"revision": planned.revision, "targets": sizes, "entries": entries})
        return ExitCode.OK
    for one in targets:
        put(f"{one}: {planned.used(one)} of {runtime.folder.limits[one]} bytes\n")
        for record in planned.records:
            if record.target == one:
                put(f"  {record.importance:8}  {visible(record.content)}\n")
    put(f"revision {planned.revision}\n")
    return ExitCode.OK


@command.command("context")
@click.option("--templates", is_flag=True, help="The prompt expands {{name}}: write {{ as the variable mneme_braces.")
@click.option(
    "--part", type=click.Choice(["all", "protocol", "state"]), default="all", show_default=True, help="What to print."
)
@data_dir_option
@format_option("text", "json")
@click.pass_obj
def context(app: App, part: str, data_dir: str, format_: str, *, templates: bool) -> ExitCode:
    """Print what a host puts before a model: the protocol, which never changes, and the state, as quoted data.

    The files are repaired first, and what somebody wrote there is taken in.

    \b
    Example:
      mneme runtime context
      mneme runtime context --part state
    """
    from mneme.memory.hot_context import context_of

    runtime = runtime_of(app, data_dir)
    synced = runtime.sync()
    made = context_of(synced.planned, runtime.folder.limits, templates=templates)
    if format_ == "json":
        limits = runtime.folder.limits
        data = {
            "revision": synced.planned.revision, "protocol": made.protocol, "state": made.state,
            "protocol_bytes": len(made.protocol.encode()), "state_bytes": len(made.state.encode()),
            "targets": {one: {"used": synced.planned.used(one), "limit": limits[one]} for one in limits},
            "variables": {"mneme_braces": "{{"} if templates else {},
        }  # fmt: skip
        print_json(app, "runtime-context", data)
    elif part == "all":
        put(f"{made.protocol}\n{made.state}")
    else:
        put(made.protocol if part == "protocol" else made.state)
    for line in change_lines(synced.changes):
        app.say(f"mneme: {line}")
    return ExitCode.OK
