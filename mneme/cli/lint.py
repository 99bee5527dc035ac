"""``mneme lint``."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from mneme.cli import complete
from mneme.cli.common import Function, paths_argument
from mneme.errors import ExitCode, UsageError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from mneme.cli.app import App
    from mneme.format.model import Document
    from mneme.history.worlds import Tree
    from mneme.lint.engine import Report
    from mneme.lint.past import History
    from mneme.lint.session import Session
    from mneme.workspace import Workspace, World


def _rules(name: str, help_text: str) -> Callable[[Function], Function]:
    return click.option(name, multiple=True, metavar="RULE", help=help_text, shell_complete=complete.rules)


@click.command("lint")
@paths_argument
@_rules("--select", "Run only these rules: codes, beginnings of codes, names, ALL.")
@_rules("--ignore", "Do not run these rules.")
@_rules("--extend-select", "Run these rules too.")
@click.option("--fix", "fix", is_flag=True, help="Repair what can be repaired safely.")
@click.option("--unsafe-fixes", is_flag=True, help="With --fix or --diff: also repairs that want a second look.")
@click.option("--diff", "show_diff", is_flag=True, help="Show what --fix would change, and write nothing.")
@click.option("--strict", is_flag=True, help="Warnings fail too.")
@click.option("--statistics", is_flag=True, help="Count findings by rule.")
@click.option("--exit-zero", is_flag=True, help="Exit 0 whatever was found.")
@click.option("--add-ignore", is_flag=True, help="Suppress present findings by comments: a baseline. Errors stay.")
@click.option("--staged", is_flag=True, help="Judge what is staged in git, not the work tree: the whole repository.")
@click.option("--repository", is_flag=True, help="Judge every workspace of this git repository, as a hook does.")
@click.option(
    "--base", metavar="REV|A..B|A...B", help="Compare with REV, or judge the commits of a range, instead of HEAD."
)
@click.option("--no-history", is_flag=True, help="Do not compare with what git has.")
@click.option("--no-cache", is_flag=True, help="Do not read or keep results.")
@click.option(
    "--format", "format_", type=click.Choice(["full", "concise", "json", "sarif", "github", "compat", "hook"]),
    default="full", show_default=True, help="How to print.",
)  # fmt: skip
@click.pass_obj
def command(
    app: App,
    paths: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    extend_select: tuple[str, ...],
    fix: bool,
    unsafe_fixes: bool,
    show_diff: bool,
    strict: bool,
    statistics: bool,
    exit_zero: bool,
    add_ignore: bool,
    staged: bool,
    repository: bool,
    base: str | None,
    no_history: bool,
    no_cache: bool,
    format_: str,
) -> ExitCode:
    """Check memory files. Errors fail (exit 1), warnings do not unless --strict; an unreadable file is exit 2.

    With no PATH: the whole workspace. A comment line above a cell, # mneme: ignore[rule], suppresses a rule there.
    Inside a git repository the files are held against what is committed (with --staged: what is staged is): content
    never changes, cells are never deleted. Named files limit what is reported, not what is looked at.
    With --staged or --repository, personal files count (their IDs are taken) and are not judged. With --base REV or
    A...B, what the branch would merge to is judged too, should the other have moved on: a number that both took fails.

    \b
    Example:
      mneme lint
      mneme lint project.mneme --fix --diff
      mneme lint --select MN3 --ignore dangling-link --format github
    """
    from mneme.lint.past import History
    from mneme.lint.session import Session

    def open_session(workspace: Workspace) -> Session:
        session = Session.open(
            workspace, app.today, select=select, ignore=ignore, extend_select=extend_select,
            cache_in=None if no_cache else app.cache,
        )  # fmt: skip
        for rule in session.idle:
            message = (
                f"mneme: {rule.name} finds nothing here: it needs the extra {rule.extra!r}, which is not installed"
            )
            app.say(message, level=0 if select or extend_select else 1)
        return session

    if unsafe_fixes and not (fix or show_diff):
        raise UsageError("--unsafe-fixes alone changes nothing", "add --fix, or --diff to see what it would change")
    history = History(app.environ, None if no_cache else app.cache)
    if base is not None and (staged or no_history):
        raise UsageError("--base says what to compare with: it goes without --staged and --no-history")
    if staged or repository or (base is not None and ".." in base):
        if paths or fix or show_diff or add_ignore or format_ == "compat":
            raise UsageError(
                "--staged, --repository and --base A..B judge whole workspaces and change nothing",
                "leave out PATH, --fix, --diff, --add-ignore and --format compat",
            )
        report = _of_repository(app, open_session, None if no_history else history, staged=staged, base=base)
        for note in history.notes:
            app.say(f"mneme: not checked: {note}")
        _print(app, report, format_, statistics)
        return Session.verdict(report, strict=strict, exit_zero=exit_zero)
    session = open_session(app.workspace_of(paths))
    world = app.world(paths)
    if not (paths or world.files or world.unreadable):
        app.say(f"mneme: no memory file in {session.workspace.root}; mneme init starts one")
    if format_ == "compat":
        return _compat(app, world, exit_zero)

    def lint(world: World) -> Report:
        past = None
        if (session.asks_git or base is not None) and not no_history:
            past = history.of_world(session.workspace, world, limited=bool(paths), base=base)
        return session.lint(world.documents, world.unreadable, past)

    report = lint(world)
    if sum((add_ignore, fix, show_diff)) > 1 and not (fix and show_diff):
        raise UsageError("--add-ignore goes alone: not with --fix or --diff")
    if add_ignore:
        return _add_ignore(app, world, session, report, (*select, *extend_select), strict=strict, exit_zero=exit_zero)
    if fix or show_diff:
        documents, applied, refused = session.fix(report, unsafe=unsafe_fixes)
        if refused:
            places = ", ".join([f"{finding.path}:{finding.line} {finding.name}" for finding in refused[:3]])
            more = f", and {len(refused) - 3} more" if len(refused) > 3 else ""
            app.say(f"mneme: fixes left out, since they would add an error or change too much: {places}{more}")
        if show_diff:
            return _diff(world, documents, report)
        changed = _write(app, world, documents)
        if applied:
            from mneme.lint.report.summary import counted

            app.say(f"mneme: {counted(applied, 'finding')} fixed in {counted(changed, 'file')}")
        report = lint(_with(world, documents))
    for note in history.notes:
        app.say(f"mneme: not checked: {note}")
    _print(app, report, format_, statistics, err=fix and "-" in paths)
    return session.verdict(report, strict=strict, exit_zero=exit_zero)


def _with(world: World, documents: Sequence[Document]) -> World:
    from mneme.workspace import MemoryFile, World

    files = [MemoryFile(file.source, document) for file, document in zip(world.files, documents, strict=True)]
    return World(files, world.unreadable)


def _of_repository(
    app: App, open_session: Callable[[Workspace], Session], history: History | None, *, staged: bool, base: str | None
) -> Report:
    from mneme.history.moments import CommitTree
    from mneme.history.range import parse_range
    from mneme.history.repo import Repository
    from mneme.history.worlds import DiskTree, StagedTree, holdings
    from mneme.lint.commit import judge

    repository = Repository(app.cwd, app.environ)
    between = parse_range(repository, base) if base is not None else None
    tree: Tree
    if between is not None and not between.on_disk:
        tree = CommitTree(repository, between.tip)
    else:
        # The pre-commit framework puts unstaged changes aside before a commit, and leaves untracked files lying.
        tree = StagedTree(repository) if staged else DiskTree(repository, tracked_only="PRE_COMMIT" in app.environ)
    witness = None
    if history is not None:
        trunk = app.workspace.config.trunk if between else ""
        witness = history.of_repository(repository, staged=staged, between=between, trunk=trunk)
    found = holdings(repository, tree, home=app.home, config_file=app.config_file, gone=witness.gone if witness else ())
    return judge(found, open_session, witness, with_personal=between is None or between.on_disk)


def _print(app: App, report: Report, format_: str, statistics: bool, *, err: bool = False) -> None:
    """Print the report: to standard error (``err``) where standard output holds the text that was fixed."""
    from mneme.cli.common import put, put_json
    from mneme.lint.report import REPORTERS
    from mneme.lint.report import summary as tables
    from mneme.lint.report.hook import hook

    coloured = app.coloured and (not err or app.color == "always")
    if statistics and format_ in ("full", "concise"):
        text = f"{tables.statistics(report.findings)}{tables.summary(report)}\n"
    elif format_ == "hook":
        text = hook(report, coloured, _program(app))
    else:
        text = REPORTERS[format_](report, coloured)
    (put_json if format_ in ("json", "sarif") else put)(text, err=err)


def _program(app: App) -> str:
    """Return what to type to start this program: its path where the pre-commit framework keeps it for itself."""
    if "PRE_COMMIT" not in app.environ:
        return "mneme"
    import shlex
    from pathlib import Path

    started = Path(sys.argv[0])
    return shlex.quote(str(started)) if started.name == "mneme" and started.is_absolute() else "mneme"


def _compat(app: App, world: World, exit_zero: bool) -> ExitCode:
    from mneme.cli.common import put, tell_unreadable
    from mneme.lint.classic import classic_report
    from mneme.lint.secrets import masked

    text, failed = classic_report([cell for document in world.documents for cell in document.cells], app.today)
    put(masked(text))
    code = tell_unreadable(app, world.unreadable)
    return code or (ExitCode.FINDINGS if failed and not exit_zero else ExitCode.OK)


def _diff(world: World, documents: Sequence[Document], report: Report) -> ExitCode:
    from mneme.cli.common import put_file
    from mneme.lint.conceal import concealed_diff

    changed = ExitCode.OK
    for file, document in zip(world.files, documents, strict=True):
        if document.text != file.source.text:
            own = [finding for finding in report.findings if finding.document is file.document]
            put_file(concealed_diff(file.source.text, document.text, file.source.name, own))
            changed = ExitCode.FINDINGS
    return changed


def _add_ignore(
    app: App, world: World, session: Session, report: Report, named: Sequence[str], *, strict: bool, exit_zero: bool
) -> ExitCode:
    from collections import Counter

    from mneme.lint.baseline import make_baseline
    from mneme.lint.report.summary import counted
    from mneme.lint.rule import Severity
    from mneme.lint.select import split

    made = make_baseline(report, frozenset(split(named)))
    files = _write(app, world, made.documents)
    errors = sum(finding.severity is Severity.ERROR for finding in made.suppressed)
    silenced = f" ({errors} of them errors)" if errors else ""
    comments, findings = counted(made.comments, "comment"), counted(len(made.suppressed), "finding")
    app.say(f"mneme: {comments} for {findings}{silenced} in {counted(files, 'file')}")
    if made.left:
        kinds = Counter(finding.name for finding in made.left).most_common()
        app.say(f"mneme: not suppressed: {', '.join([f'{name} {count}' for name, count in kinds])}")
        app.say("  hint: mneme lint shows them; --select NAME --add-ignore suppresses an error, too")
    return session.verdict(report._replace(findings=made.left), strict=strict, exit_zero=exit_zero)


def _write(app: App, world: World, documents: Sequence[Document]) -> int:
    """Write what has changed, and standard input to standard output in any case; return how many have changed."""
    from mneme.cli.common import put_file
    from mneme.memory.draft import write_texts

    changes = {}
    printed = 0
    for file, document in zip(world.files, documents, strict=True):
        if file.path is None:
            put_file(document.text)
            printed += document.text != file.source.text
        elif document.text != file.source.text:
            changes[file.path] = (file.source, document.text)
    if changes:
        write_texts(app.workspace, changes)
    for source, _ in changes.values():
        app.say(f"mneme: {source.name}: written", level=1)
    return printed + len(changes)
