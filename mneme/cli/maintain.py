"""``mneme maintain``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mneme.cli import complete
from mneme.cli.common import format_option, print_json, put
from mneme.cli.hot import change_lines, data_dir_option, runtime_of, target_option
from mneme.errors import ExitCode

if TYPE_CHECKING:
    from mneme.cli.app import App


@click.group("maintain", context_settings={"help_option_names": ["-h", "--help"]})
def command() -> None:
    """Make room in hot memory: a model says what to merge, and it is done only if it keeps to every rule.

    \b
    Example:
      mneme maintain plan --target memory > plan.json
      mneme maintain apply plan.json answer.json
    """


@command.command("plan")
@target_option
@data_dir_option
@click.pass_obj
def plan(app: App, target: str, data_dir: str) -> ExitCode:
    """Print the request for a model: revision, numbered entries, budget, rules, and the JSON schema of the answer.

    \b
    Example:
      mneme maintain plan --target user
    """
    print_json(app, "maintenance-plan", runtime_of(app, data_dir).request(target))
    return ExitCode.OK


@command.command("apply")
@click.argument("plan_file", metavar="PLAN", shell_complete=complete.files)
@click.argument("answer_file", metavar="[ANSWER]", required=False, shell_complete=complete.files)
@data_dir_option
@format_option("text", "json")
@click.pass_obj
def apply(app: App, plan_file: str, answer_file: str | None, data_dir: str, format_: str) -> ExitCode:
    """Check an answer against its PLAN and commit it, with the pending change, in one step or not at all.

    PLAN is the request; ANSWER the answer, which may also stand in PLAN as its field "answer". A dash reads standard
    input. Exit code 14: a check failed, and which. 11: hot memory changed since.

    \b
    Example:
      mneme maintain apply plan.json answer.json
    """
    from mneme.memory.maintain import apply as commit

    request = _json(app, plan_file)
    answer = request.get("answer") if answer_file is None and isinstance(request, dict) else None
    if answer_file is not None:
        answer = _json(app, answer_file)
    done = commit(runtime_of(app, data_dir), request, answer)
    if format_ == "json":
        print_json(app, "maintenance", done.data())
    else:
        new = f", {done.id} written" if done.id else ""
        put(f"{done.target}: {done.message}{new}: {done.entry_count} entries, {done.used} of {done.limit} bytes\n")
    for line in change_lines(done.synced):
        app.say(f"mneme: {line}")
    return ExitCode.OK


def _json(app: App, name: str) -> object:
    import json

    from mneme.cli.app import read_stdin
    from mneme.errors import UnreadableFile

    path = app.cwd / Path(name).expanduser()
    try:
        data = read_stdin() if name == "-" else path.read_bytes()
        return json.loads(data.decode("utf-8-sig"))
    except OSError as error:
        raise UnreadableFile(name, error.strerror or str(error), line=0) from None
    except (ValueError, RecursionError) as error:
        from mneme.bridge.hot.checks import InvalidPlan

        raise InvalidPlan("structure", 0, f"{name} is not JSON ({error})") from None
