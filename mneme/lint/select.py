"""Which rules run, and how much they weigh: codes, prefixes of codes, names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mneme.config import Config
from mneme.errors import ConfigError, UsageError
from mneme.lint.rule import Rule, Severity

ALL = "ALL"


@dataclass(frozen=True)
class Selection:
    """The rules that run, in table order, and the severities that differ from their own."""

    rules: tuple[Rule, ...]
    severities: Mapping[str, Severity]

    def severity(self, rule: Rule) -> Severity:
        """Return the severity of ``rule`` under this configuration."""
        return self.severities.get(rule.code, rule.severity)


def resolve(token: str, rules: Sequence[Rule]) -> list[Rule]:
    """Return the rules that ``token`` means: a code, the beginning of codes, a name, or ``ALL``.

    Raises:
        UsageError: it means none; the nearest name is given.
    """
    if token == ALL:
        return list(rules)
    found = [rule for rule in rules if token.casefold() in (rule.name, rule.code.casefold())]
    if not found and token[:2].upper() == "MN":
        found = [rule for rule in rules if rule.code.startswith(token.upper())]
    if found:
        return found
    known = [name for rule in rules for name in (rule.name, rule.code)]
    import difflib

    near = difflib.get_close_matches(token, known, 1, 0.6)
    raise UsageError(f"unknown rule {token!r}", f"did you mean {near[0]}?" if near else "mneme rule lists them all")


def split(values: Iterable[str]) -> list[str]:
    """Return the tokens of repeated, comma-separated options."""
    return [token for value in values for part in value.split(",") if (token := part.strip())]


def make_selection(
    rules: Sequence[Rule],
    config: Config,
    *,
    select: Sequence[str] = (),
    ignore: Sequence[str] = (),
    extend_select: Sequence[str] = (),
) -> Selection:
    """Combine configuration and command line: a ``select`` here replaces the configured one, the others add up.

    Raises:
        UsageError: a token on the command line names no rule.
        ConfigError: one in the configuration does.
    """
    severities: dict[str, Severity] = {}
    off: set[str] = set()
    try:
        for token, level in config.lint.severity.items():
            for rule in resolve(token, rules):
                if level == "off":
                    off.add(rule.code)
                else:
                    severities[rule.code] = Severity(level)
        configured = _codes(config.lint.select, rules) or {rule.code for rule in rules if rule.default}
        configured |= _codes(config.lint.extend_select, rules)
        dropped = off | _codes(config.lint.ignore, rules)
        for codes in config.per_file_ignores.values():
            _codes(codes, rules)
    except UsageError as error:
        raise ConfigError(f"{config.source}: {error.message}", error.hint) from None
    chosen = _codes(split(select), rules) if select else configured - dropped
    chosen |= _codes(split(extend_select), rules)
    chosen -= _codes(split(ignore), rules)
    return Selection(tuple(rule for rule in rules if rule.code in chosen), severities)


def _codes(tokens: Iterable[str], rules: Sequence[Rule]) -> set[str]:
    return {rule.code for token in tokens for rule in resolve(token, rules)}
