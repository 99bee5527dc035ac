"""Free IDs for many new cells at once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator

from mneme.format.ids import next_numbers, random_ids, suffixes


class Numbering:
    """Gives IDs that none of ``used`` is, and that it has not given before."""

    def __init__(self, used: Iterable[str], *, random: bool = False) -> None:
        self._used = list(used)
        self._random = random
        self._going: dict[str, Iterator[str]] = {}

    def __call__(self, prefix: str, also: Collection[str] = ()) -> str:
        """Return the next ID of ``prefix``; none of ``also`` either.

        Raises:
            UsageError: the prefix is malformed.
        """
        if prefix not in self._going:
            used = [*self._used, *also]
            self._going[prefix] = random_ids(prefix, used, suffixes()) if self._random else next_numbers(prefix, used)
        return next(token for token in self._going[prefix] if token not in also)
