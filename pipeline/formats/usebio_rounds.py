"""Rounds and tables for lines that name neither: every pairing once, nobody twice in a round."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from pipeline.formats.usebio_lines import Line
from schemas.control import Placement
from schemas.record import Slot
from schemas.terms import ContestantId, SectionId, SessionId

_Pairing = tuple[ContestantId, ContestantId, int | None, int]


def placed(lines: Sequence[Line]) -> tuple[tuple[Placement, ...], tuple[Slot, ...]]:
    """Seat the lines of one section in one session; returns the placements and each line's slot.

    USEBIO knows no round and no table (a match knows its round). So all boards that two pairs played against
    each other are one placement, in the order of the file: in the lowest round in which neither is seated and
    nobody else plays these boards, or where that would take more rounds than the busiest pair has opponents,
    in the lowest one in which neither is seated. Tables count from 1 in each round. A board that two pairs
    are said to have played twice makes a second placement.
    """
    boards: dict[_Pairing, list[Line]] = {}
    key_of = []
    times: Counter[tuple[ContestantId, ContestantId, int | None, int]] = Counter()
    for line in lines:
        played = (line.ns, line.ew, line.round, line.board)
        key = (line.ns, line.ew, line.round, times[played])
        times[played] += 1
        boards.setdefault(key, []).append(line)
        key_of.append(key)
    meetings: Counter[str] = Counter()
    for ns, ew, _, _ in boards:
        meetings.update((ns, ew))
    usual = max(meetings.values(), default=0)
    seated: defaultdict[int, set[str]] = defaultdict(set)
    in_play: defaultdict[int, set[int]] = defaultdict(set)
    tables: Counter[int] = Counter()
    at = {}
    for key, together in boards.items():
        ns, ew, told, _ = key
        numbers = {int(line.board) for line in together}
        number = told or next(
            _free(seated, in_play, {ns, ew}, numbers, usual), next(_free(seated, in_play, {ns, ew}, set(), 0))
        )
        seated[number] |= {ns, ew}
        in_play[number] |= numbers
        tables[number] += 1
        at[key] = number, tables[number]
    placements = tuple(
        Placement(*at[key], together[0].ns, together[0].ew, tuple(line.board for line in together))
        for key, together in sorted(boards.items(), key=lambda item: at[item[0]])
    )
    slots = tuple(
        Slot(SessionId(line.session), SectionId(line.section), *at[key], line.board)
        for line, key in zip(lines, key_of, strict=True)
    )
    return placements, slots


def _free(
    seated: defaultdict[int, set[str]],
    in_play: defaultdict[int, set[int]],
    pairs: set[str],
    boards: set[int],
    last: int,
) -> Iterator[int]:
    """Go through the rounds that suit; `last` 0 knows no end."""
    number = 1
    while not last or number <= last:
        if not seated[number] & pairs and not in_play[number] & boards:
            yield number
        number += 1
