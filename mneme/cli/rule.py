"""``mneme rule``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from mneme.cli import complete
from mneme.cli.common import format_option, print_json
from mneme.errors import ExitCode

if TYPE_CHECKING:
    from mneme.cli.app import App


@click.command("rule")
@click.argument("rule", required=False, shell_complete=complete.rules)
@format_option("text", "json")
@click.pass_obj
def command(app: App, rule: str | None, format_: str) -> ExitCode:
    """Explain a lint rule: what it finds, why, a bad and a good sample, the fix.

    RULE is a code or a name; the beginning of a code lists a family; without RULE all are listed.

    \b
    Example:
      mneme rule key-slip
      mneme rule MN006
      mneme rule MN2
    """
    from mneme.lint.explain import rule_data, rule_text, rules_table
    from mneme.lint.rules import RULES
    from mneme.lint.select import resolve

    found = list(RULES) if rule is None else resolve(rule, RULES)
    one = rule is not None and len(found) == 1
    if format_ == "json":
        data = [rule_data(entry) for entry in found]
        print_json(app, "rule" if one else "rules", data[0] if one else {"rules": data})
    else:
        click.echo(rule_text(found[0]) if one else rules_table(found), nl=False)
    return ExitCode.OK
