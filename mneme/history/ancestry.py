"""Which commits stand on which, over a stretch of history that was listed once."""

from __future__ import annotations


class Ancestry:
    """Which of the commits of a stretch of history are ancestors of which: of lines ``commit parent…``."""

    def __init__(self, listing: str) -> None:
        self._parents = {commit: parents for commit, *parents in map(str.split, listing.splitlines())}
        self._known: dict[str, frozenset[str]] = {}

    def is_after(self, commit: str, since: str) -> bool:
        """Whether ``commit`` is no part of what ``since`` stands on; commits outside of the stretch lie before it."""
        if since not in self._known:
            reached: set[str] = set()
            waiting = [since]
            while waiting:
                here = waiting.pop()
                if here not in reached:
                    reached.add(here)
                    waiting += self._parents.get(here, ())
            self._known[since] = frozenset(reached)
        return commit in self._parents and commit not in self._known[since]
