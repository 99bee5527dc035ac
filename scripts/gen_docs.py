#!/usr/bin/env python3
"""Write the documentation that comes out of the code.

    python scripts/gen_docs.py            write what changed, delete what is no longer made
    python scripts/gen_docs.py --check    write nothing; exit 1 when something would change

GENERATORS is the whole list: a generator makes pages (path from the top of the repository, and text) and owns the files
that match its patterns, so a page whose source is gone goes too.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
MARK = "<!-- Made by scripts/gen_docs.py from {source}. Change that, not this page. -->\n\n"
SKILL_MARK = "<!-- Made by scripts/gen_docs.py of mneme from {source}. -->\n\n"
REFERENCE = "skills/mneme/reference"
HELP_WIDTH = 100

Pages = dict[str, str]


class Generator(NamedTuple):
    """What makes pages, and the patterns of the files that are there only because it made them."""

    make: Callable[[], Pages]
    owns: tuple[str, ...]


def rule_pages() -> Pages:
    """Return ``docs/rules/``: a page a rule, and the index."""
    from mneme.lint.explain import index_page, rule_page
    from mneme.lint.rules import RULES

    pages = {
        f"docs/rules/{rule.name}.md": MARK.format(source="the rule's docstring") + rule_page(rule) for rule in RULES
    }
    return {"docs/rules/README.md": MARK.format(source="mneme/lint/rules/") + index_page(RULES), **pages}


def command_pages() -> Pages:
    """Return the help of every command, for the documentation and for the skill."""
    import click

    from mneme.cli.main import COMMANDS, cli

    def helps(command: click.Command, name: str, parent: click.Context | None) -> Iterator[str]:
        width = {"terminal_width": HELP_WIDTH, "max_content_width": HELP_WIDTH}
        context = click.Context(command, info_name=name, parent=parent, **{**command.context_settings, **width})
        text = "\n".join([line.rstrip() for line in command.get_help(context).splitlines()])
        yield f"## {context.command_path}\n\n```text\n{text}\n```\n"
        if isinstance(command, click.Group):
            for inner in command.list_commands(context):
                found = command.get_command(context, inner)
                assert found is not None, inner
                yield from helps(found, inner, context)

    rows = [f"| [mneme {name}](#mneme-{name}) | {short} |\n" for name, (_, short) in COMMANDS.items()]
    head = (
        "# Commands\n\n"
        "`python -m mneme` is the same as `mneme`; so is `python3 mneme.pyz`, the whole of it in one file. Exit codes:"
        " 0 fine, 1 errors found (or: `--check` would change something), 2 usage, configuration or unreadable input,"
        " 3 a bug of ours, 10 to 14 what hot memory refuses (docs/runtime.md), 130 interrupted.\n\n"
        f"| Command | |\n|---|---|\n{''.join(rows)}\n"
    )
    text = head + "\n".join(helps(cli, "mneme", None))
    return {
        "docs/cli.md": MARK.format(source="the commands' help texts") + text,
        f"{REFERENCE}/cli.md": SKILL_MARK.format(source="the commands' help texts") + text,
    }


def rules_reference() -> Pages:
    """Return the skill's table of rules."""
    from mneme.lint.rules import RULES

    def cell(text: str) -> str:
        return " ".join(text.split()).replace("|", "\\|")

    rows = [
        f"| {rule.code} | {rule.name} | {rule.severity}{'' if rule.default else ' (off)'} | {cell(rule.what)}"
        f" | {cell(rule.sections['fix'])} |\n"
        for rule in RULES
    ]
    text = (
        "# Lint rules\n\n"
        "Errors fail; warnings fail under `--strict`; notes never do. `mneme rule NAME` gives the reason and samples."
        " One cell can be excused by a comment line above it: `# mneme: ignore[NAME]`.\n\n"
        f"| Code | Name | Severity | What it finds | Fix |\n|---|---|---|---|---|\n{''.join(rows)}"
    )
    return {f"{REFERENCE}/rules.md": SKILL_MARK.format(source="mneme/lint/rules/") + text}


def format_reference() -> Pages:
    """Return the skill's summary of the format: its words in tables, and the grammar."""
    from mneme.format import vocabulary as words

    lines = {
        "@ ID  topic/path": ("identity, and where it belongs", "id"),
        "gist": ("one line that stands alone; the spine shows it", "gist"),
        "state": ("what the cell counts for", "state"),
        "conf": (f"how sure: {', '.join(words.CONFIDENCES)}; {words.DEFAULT_CONFIDENCE} when left out", "conf"),
        "since": ("the date it was established", "since"),
        "seen": ("the date it was last confirmed", "seen"),
        "imp": (f"importance, {words.IMPORTANCES[0]} to {words.IMPORTANCES[-1]}", "imp"),
        "hot": ("`hot no` keeps it out of hot memory", "hot"),
        "cue": ("words to recall it by, separated by `/` or commas; several lines add up", "cue"),
        ">": ("body: one line of prose each", "body"),
        "link REL ID": ("a relation to another cell; links are added, never removed", "link"),
        "ref": ("files the memory leans on", "ref"),
        "origin": ("where the cell came from, `key=value`", "origin"),
    }
    heads = {head.split()[0] for head in lines} - {"@", ">"}
    assert heads == set(words.LINE_KEYS) | set(words.PAIR_KEYS), heads ^ (set(words.LINE_KEYS) | set(words.PAIR_KEYS))

    def kind(field: str) -> str:
        return "content" if field in words.CONTENT_FIELDS else "grows" if field == "link" else "state"

    rows = [
        f"| `{head}` | {meaning} | {'yes' if field in (*words.REQUIRED_FIELDS, 'id') else ''} | {kind(field)} |\n"
        for head, (meaning, field) in lines.items()
    ]
    states = [f"| `{one}` | {_listed(after) or 'nothing'} |\n" for one, after in words.TRANSITIONS.items()]
    grammar = (ROOT / "grammar" / "mneme.lark").read_text(encoding="utf-8")
    text = f"""\
# The format

A memory file (`{"`, `".join(f"*{suffix}" for suffix in words.MEMORY_SUFFIXES)}`) is UTF-8 text: a list of cells. A cell
runs from its `@` line to the next one. The first word of a line says what the line is; `#` in column 1 is a comment; a
line that nothing matches is ignored and kept. Files named `*{words.PERSONAL_SUFFIX}` belong to one person and stay out
of git.

| Line | Meaning | Required | Class |
|---|---|---|---|
{"".join(rows)}
Content never changes; what is of class state does, by the commands. `state`, `conf`, `since`, `seen`, `imp` and `hot`
are pairs of word and value, on one line or several. Dates are `YYYY-MM-DD`.

An ID is `PREFIX-SUFFIX`: an upper-case letter, upper-case letters or digits, a dash, then digits (or a random suffix of
lower-case letters and digits). It is never changed and never used again. Usual prefixes: \
{", ".join(f"`{prefix}` {meaning}" for prefix, meaning in words.PREFIXES.items())}.

| State | May become |
|---|---|
{"".join(states)}
The spine shows {_listed(sorted(words.WORKING_STATES))}. A live cell that was not seen for more than {words.DECAY_DAYS}
days is due: verify it.

Relations: {_listed(words.RELATIONS)}. `supersedes` and `superseded-by` are a pair, one on each of the two cells.

## Grammar

```lark
{grammar}```
"""
    return {f"{REFERENCE}/format.md": SKILL_MARK.format(source="mneme/format/vocabulary.py and grammar/") + text}


def _listed(words: Iterable[str]) -> str:
    return ", ".join(f"`{word}`" for word in words)


def skill_script() -> Pages:
    """Return the classic tool as the skill brings it along: scripts/ itself is in no package."""
    script = "scripts/mneme_tool.py"
    return {f"skills/mneme/{script}": (ROOT / script).read_text(encoding="utf-8")}


GENERATORS: tuple[Generator, ...] = (
    Generator(rule_pages, ("docs/rules/*.md",)),
    Generator(command_pages, ()),
    Generator(rules_reference, ()),
    Generator(format_reference, ()),
    Generator(skill_script, ("skills/mneme/scripts/*.py",)),
)


def changes(root: Path = ROOT) -> dict[Path, str | None]:
    """Return the files that are not as they should be, with the text they should have; None for one that should go."""
    wrong: dict[Path, str | None] = {}
    for generator in GENERATORS:
        pages = {root / name: text for name, text in generator.make().items()}
        wrong |= {path: text for path, text in pages.items() if _read(path) != text.encode()}
        for pattern in generator.owns:
            wrong |= {path: None for path in sorted(root.glob(pattern)) if path not in pages}
    return wrong


def _read(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def main(arguments: list[str] | None = None, root: Path = ROOT) -> int:
    parser = argparse.ArgumentParser(description="Write the documentation that comes out of the code.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 when something would change")
    check = parser.parse_args(arguments).check
    wrong = changes(root)
    for path, text in wrong.items():
        verb = "delete" if text is None else "write"
        print(f"would {verb} {path.relative_to(root)}" if check else f"{verb} {path.relative_to(root)}")
        if check:
            continue
        if text is None:
            path.unlink()
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(text.encode())
    return 1 if wrong and check else 0


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    sys.exit(main())
