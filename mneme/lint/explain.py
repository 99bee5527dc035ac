"""Rules explained: one text for ``mneme rule``, the pages of ``docs/rules/`` and machines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mneme.lint.detector import installed
from mneme.lint.rule import Rule, Scope, Severity
from mneme.lint.sample import has_escapes

ESCAPES_NOTE = (
    r"In the samples `\xNN` stands for a byte, `\uNNNN` for a character that a page cannot show, `\t` for a tab, `\r`"
    r" for a carriage return."
)
FILES_NOTE = "A line `--- NAME` in a sample begins another file."
PAST_NOTE = "`--- HEAD:NAME` begins the file NAME as it is committed; `--- NAME` is what lies on disk."

_WEIGHT = {
    Severity.ERROR: "fails the check",
    Severity.WARNING: "fails under --strict",
    Severity.NOTE: "never fails",
}


def rule_data(rule: Rule) -> dict[str, Any]:
    """Return everything there is to say about ``rule``, for JSON."""
    sections = rule.sections
    return {
        "code": rule.code, "name": rule.name, "severity": rule.severity.value, "default": rule.default,
        "what": sections["what"].strip(), "why": sections["why"], "bad": sections["bad"], "good": sections["good"],
        "fix": sections["fix"],
    }  # fmt: skip


def rule_text(rule: Rule) -> str:
    """Return the explanation of ``rule`` for a terminal."""
    data = rule_data(rule)
    parts = [
        f"{rule.code} {rule.name}: {rule.severity}, {_WEIGHT[rule.severity]}{_off(rule)}",
        data["what"],
        f"Why: {data['why']}",
        f"Bad:\n{_indented(data['bad'])}",
        f"Good:\n{_indented(data['good'])}",
        *[note.replace("`", "") for note in _notes(rule)],
        *_needs(rule),
        f"Fix: {data['fix']}",
        f"Allow it: {_inline(_allowing(rule))}".replace("`", ""),
    ]
    return "\n\n".join(parts) + "\n"


def rules_table(rules: Sequence[Rule]) -> str:
    """Return one line a rule: code, name, severity, what it finds."""
    width = max(len(rule.name) for rule in rules)
    return "".join(
        [f"{rule.code}  {rule.name:<{width}}  {rule.severity:<7}  {rule.what}{_off(rule)}\n" for rule in rules]
    )


def rule_page(rule: Rule) -> str:
    """Return the documentation page of ``rule``, in Markdown."""
    data = rule_data(rule)
    parts = [
        f"# {rule.name} ({rule.code})",
        f"Severity: {rule.severity} ({_WEIGHT[rule.severity].replace('--strict', '`--strict`')}){_off(rule)}.",
        data["what"],
        f"## Why\n\n{_sentence(data['why'])}",
        f"## Bad\n\n{_fenced(data['bad'])}",
        f"## Good\n\n{_fenced(data['good'])}",
        *_notes(rule),
        f"## Fix\n\n{_sentence(data['fix'])}",
        f"## Allowing it\n\n{_allowing(rule)}",
    ]
    return "\n\n".join(parts) + "\n"


def index_page(rules: Sequence[Rule]) -> str:
    """Return the page that lists all rules, in Markdown."""
    head = (
        "# Rules\n\n"
        "`mneme rule CODE` or `mneme rule NAME` prints the same text. Codes and names mean the same wherever a rule is"
        " named: in `--select` and `--ignore`, in the configuration, in a comment above a cell.\n\n"
        "| Code | Name | Severity | What it finds |\n|---|---|---|---|\n"
    )
    rows = [
        f"| {rule.code} | [{rule.name}]({rule.name}.md) | {rule.severity}{_off(rule)} | {_cell(rule.what)} |\n"
        for rule in rules
    ]
    return head + "".join(rows)


def _allowing(rule: Rule) -> str:
    comment = f"`# mneme: ignore[{rule.name}]` in a line above it"
    where = f"In one cell: {comment}."
    if rule.scope is Scope.FILE:
        where = f"In one file: `# mneme: ignore-file[{rule.name}]` in a line before its first cell."
    return f'{where} Everywhere: `ignore = ["{rule.name}"]` in the lint table of the configuration.'


def _sentence(text: str) -> str:
    """Return ``text`` with a capital at its beginning, as it stands under a heading of its own."""
    return text[:1].upper() + text[1:]


def _inline(text: str) -> str:
    """Return ``text`` without the capital at its beginning, as it stands behind a colon."""
    return text[:1].lower() + text[1:]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")


def _off(rule: Rule) -> str:
    return "" if rule.default else " (off unless selected)"


def _needs(rule: Rule) -> list[str]:
    if not rule.extra:
        return []
    return [f"Needs: the extra {rule.extra!r}: {installed() or 'not installed here, so the rule finds nothing'}"]


def _notes(rule: Rule) -> list[str]:
    samples = rule.sections["bad"] + "\n" + rule.sections["good"]
    notes = [ESCAPES_NOTE] if has_escapes(samples) else []
    if rule.history:
        return [*notes, PAST_NOTE]
    return [*notes, FILES_NOTE] if "\n--- " in f"\n{samples}" else notes


def _indented(text: str) -> str:
    return "\n".join([f"    {line}" if line else "" for line in text.split("\n")])


def _fenced(text: str) -> str:
    return f"```text\n{text}\n```"
