"""The ``mneme`` command: a lazy table of commands, and the one place where errors become exit codes."""

from __future__ import annotations

import codecs
import contextlib
import errno
import gc
import importlib
import os
import sys
from collections.abc import Mapping, Sequence

import click

from mneme import __version__
from mneme.cli.app import App, working_folder
from mneme.errors import ExitCode, MnemeError

COMMANDS: Mapping[str, tuple[str, str]] = {
    "spine": ("mneme.cli.spine", "Print the working memory, one line a cell."),
    "show": ("mneme.cli.show", "Print cells whole, with their trust."),
    "why": ("mneme.cli.why", "Print the chain of cells that led to one, each whole."),
    "find": ("mneme.cli.find", "Find cells by words of cue, topic and gist."),
    "add": ("mneme.cli.add", "Add a cell."),
    "supersede": ("mneme.cli.supersede", "Replace a belief: a new cell, the old one marked."),
    "seen": ("mneme.cli.seen", "Confirm that cells still hold."),
    "set": ("mneme.cli.set", "Set a cell's state, confidence or importance."),
    "accept": ("mneme.cli.accept", "Make proposed cells live."),
    "retire": ("mneme.cli.retire", "Retire cells: no longer true, nothing follows."),
    "redact": ("mneme.cli.redact", "Blank what a cell says, for what must not be kept."),
    "renumber": ("mneme.cli.renumber", "Repair a number that two cells took, with its links."),
    "new-id": ("mneme.cli.new_id", "Print the next free cell ID for a prefix."),
    "diff": ("mneme.cli.diff", "Show what became of the memory, by cell."),
    "conflicts": ("mneme.cli.conflicts", "List live cells that disagree, and what settles it."),
    "history": ("mneme.cli.history", "Print what happened to a cell, commit by commit."),
    "at": ("mneme.cli.at", "Read the memory as it was at a revision or on a day."),
    "blame": ("mneme.cli.blame", "Print who established and who last confirmed each live cell."),
    "lint": ("mneme.cli.lint", "Check memory files; exit 1 on errors."),
    "review": ("mneme.cli.review", "Look again at what is due, worst first."),
    "decay": ("mneme.cli.decay", "Mark stale what nobody confirmed for too long."),
    "archive": ("mneme.cli.archive", "Move superseded and retired cells out of the way, byte for byte."),
    "check-evidence": ("mneme.cli.check_evidence", "Report cells whose code changed since they were confirmed."),
    "rule": ("mneme.cli.rule", "Explain a lint rule, or list them all."),
    "fmt": ("mneme.cli.fmt", "Canonical spacing; never changes a digest."),
    "init": ("mneme.cli.init", "Start a memory in this project."),
    "install-hook": ("mneme.cli.install_hook", "Guard every commit, without the pre-commit framework."),
    "install-git": ("mneme.cli.install_git", "Merge and show memory files by cell in this clone."),
    "resolve": ("mneme.cli.resolve", "Merge by cell what git left in conflict."),
    "merge-driver": ("mneme.cli.merge_driver", "Merge three versions of a file by cell, for git."),
    "remember": ("mneme.cli.remember", "Remember a text as a cell, compiled, and told what it resembles."),
    "link": ("mneme.cli.link", "Link two cells, in the text and in the graph."),
    "forget": ("mneme.cli.forget", "Forget a cell: retired, without edges, kept in the text."),
    "recall": ("mneme.cli.recall", "Recall what memory holds about a question."),
    "search": ("mneme.cli.search", "Find insights by their words, in the store."),
    "embed": ("mneme.cli.embed", "Give insights vectors, so that recall finds other words and languages."),
    "related": ("mneme.cli.related", "Print what is linked with an insight."),
    "status": ("mneme.cli.status", "Print how much a graph store holds."),
    "log": ("mneme.cli.log", "Print what was done to a graph store."),
    "receipt": ("mneme.cli.receipt", "The same without content: digests for IDs and details."),
    "viz": ("mneme.cli.viz", "Draw the graph, for Graphviz or a browser."),
    "store": ("mneme.cli.store", "List, make, choose and remove graph stores."),
    "import": ("mneme.cli.import_", "Import a draft of insights as cells."),
    "import-memory": ("mneme.cli.import_memory", "Make cells of CLAUDE.md, rules, decision records, other memory."),
    "brief": ("mneme.cli.brief", "Print what must survive a compaction, within so many bytes."),
    "gc": ("mneme.cli.gc", "List what is worth little; plan a review of cells."),
    "from-store": ("mneme.cli.from_store", "Turn a graph store into cells."),
    "project": ("mneme.cli.project", "Write USER.md, MEMORY.md and other files that hosts read."),
    "sync": ("mneme.cli.sync", "Bring cells and hot memory together, both ways."),
    "runtime": ("mneme.cli.runtime", "Add, replace, remove entries of hot memory; print its context."),
    "maintain": ("mneme.cli.maintain", "Make room in hot memory: plan a compaction, check it, commit it."),
    "compile": ("mneme.cli.compile", "Compile cells into the graph store that recall walks."),
    "skill": ("mneme.cli.skill", "Teach an agent host the protocol."),
    "completion": ("mneme.cli.completion", "Print the completion script of a shell."),
}
"""Name, module (the command is its attribute ``command``), and the line that ``--help`` shows without importing it."""


class LazyGroup(click.Group):
    """A group that imports a command when it is run, and lists commands without importing any."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002
        """Return the names in table order."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Import the command called ``cmd_name``."""
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        loaded = importlib.import_module(entry[0]).command
        assert isinstance(loaded, click.Command)
        return loaded

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the nearest command when there is none of that name."""
        if args and args[0] not in COMMANDS and not args[0].startswith("-") and not ctx.resilient_parsing:
            import difflib

            near = difflib.get_close_matches(args[0], COMMANDS, 1, 0.6)
            hint = f" Did you mean {near[0]!r}?" if near else " 'mneme --help' lists them."
            raise click.UsageError(f"No such command {args[0]!r}.{hint}", ctx)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the table of commands."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, entry[1]) for name, entry in COMMANDS.items()])


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "-C",
    "directory",
    metavar="DIR",
    multiple=True,
    help="Run as if started in DIR; a second one counts from the first.",
)
@click.option("--config", "config_file", metavar="FILE", help="Use this configuration file.")
@click.option("--today", metavar="YYYY-MM-DD", envvar="MNEME_TODAY", help="The date to judge by (also MNEME_TODAY).")
@click.option("--color", type=click.Choice(["auto", "always", "never"]), default="auto", help="Colours in reports.")
@click.option("-q", "--quiet", count=True, help="Say less on standard error.")
@click.option("-v", "--verbose", count=True, help="Say more on standard error.")
@click.version_option(__version__, prog_name="mneme", message="%(prog)s %(version)s")
@click.pass_context
def cli(
    ctx: click.Context,
    directory: tuple[str, ...],
    config_file: str | None,
    today: str | None,
    color: str,
    quiet: int,
    verbose: int,
) -> None:
    """Plain-text, git-native memory for coding agents and the people who work with them.

    \b
    Example:
      mneme lint                     check the memory files of this project
      mneme spine --topic 'storage/*'
      mneme add DEC "Local cache uses SQLite" --topic storage/cache --cue "slow queries"
    """
    for folder in directory:
        try:
            os.chdir(folder)
        except OSError as error:
            raise MnemeError(f"-C {folder}: {error.strerror}") from None
    ctx.obj = App.from_environment(
        os.environ, cwd=working_folder(), config_file=config_file, today=today, color=color, verbosity=verbose - quiet
    )
    ctx.call_on_close(ctx.obj.close)


def entry(arguments: Sequence[str] | None = None) -> None:
    """Run the command line and exit."""
    gc.disable()  # a short process that makes many objects and no cycles: each full collection would walk them all
    sys.exit(run(cli, arguments))


def run(command: click.Command, arguments: Sequence[str] | None = None, *, prog_name: str = "mneme") -> int:
    """Run ``command`` and return the exit code: the one handler for everything that can go wrong."""
    lost = _tame_streams()
    stdout = sys.stdout
    try:
        result = command.main(
            args=None if arguments is None else list(arguments), prog_name=prog_name, standalone_mode=False
        )
        sys.stdout.flush()
        if lost:
            _complain(f"standard output is {sys.stdout.encoding}: '?' stands for what it cannot hold", _UTF8, "warning")
    except MnemeError as error:
        _complain(error.message, error.hint)
        return error.exit_code
    except click.exceptions.Abort:
        return ExitCode.INTERRUPTED
    except click.ClickException as error:
        error.show()
        return ExitCode.UNUSABLE
    except SystemExit:
        if sys.stdout is not stdout:  # click met a broken pipe, and has replaced the stream by one that keeps quiet
            return ExitCode.OK
        raise
    except BrokenPipeError:
        _mute_stdout()  # the reader had enough
        return ExitCode.OK
    except OSError as error:
        if not _is_of_stdout(error):
            return _report_bug(error)
        _mute_stdout()
        _complain(f"standard output: {error.strerror}", "")
        return ExitCode.UNUSABLE
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except Exception as error:  # noqa: BLE001 - a bug of ours: a log file, no traceback on the screen
        return _report_bug(error)
    return int(result) if isinstance(result, int) else ExitCode.OK


_UTF8 = "set PYTHONUTF8=1 to write UTF-8"


def _tame_streams() -> list[str]:
    """Make printing safe whatever the streams are; return a list that will hold what standard output could not."""
    # The number of a closed stream would go to the next file that is opened, and what is printed would go into it.
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            with contextlib.suppress(OSError):
                os.open(os.devnull, os.O_RDWR)
            if number:
                setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115, PTH123 - until the end
    lost: list[str] = []

    def replace(error: UnicodeError) -> tuple[str, int]:
        if not isinstance(error, UnicodeEncodeError):
            raise error
        lost.append(error.object[error.start : error.end])
        return "?" * (error.end - error.start), error.end

    codecs.register_error("mneme-replace", replace)
    for stream, errors in ((sys.stdout, "mneme-replace"), (sys.stderr, "replace")):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors=errors)
    return lost


def _mute_stdout() -> None:
    """Drop what standard output was to get: the interpreter must not try again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _is_of_stdout(error: OSError) -> bool:
    """Whether ``error`` came from printing: a full disk, a device that is gone. Files say so by errors of their own."""
    if error.filename is not None:
        return False
    try:
        sys.stdout.flush()
    except OSError:
        return True
    return error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EBADF)


def _complain(message: str, hint: str, kind: str = "error") -> None:
    from mneme.text.visible import visible

    with contextlib.suppress(OSError):  # nobody can be told
        click.echo(f"mneme: {kind}: {visible(message)}", err=True)
        if hint:
            click.echo(f"  hint: {visible(hint)}", err=True)


def _report_bug(error: Exception) -> ExitCode:
    import tempfile
    import traceback

    handle, name = tempfile.mkstemp(prefix="mneme-bug-", suffix=".log")
    with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as log:
        log.write(f"mneme {__version__}, Python {sys.version}, {sys.platform}\narguments: {sys.argv[1:]}\n\n")
        traceback.print_exception(error, file=log)
    _complain(f"this is a bug in mneme: {type(error).__name__}: {error}", f"please report it with the log file {name}")
    return ExitCode.BUG
