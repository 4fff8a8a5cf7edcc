"""A ranking list as a page shows it: what is hidden early, who moved, what the strip says."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from pipeline.web.locale import Texts
from pipeline.web.notation import hour, plain, signed, unsigned
from schemas.published import Open, Row, Standings, Status

OPEN_MATTERS: Final = ("missing", "unconfirmed", "disputed", "not_played", "waiting", "appeals")
PUBLIC: Final = frozenset({Status.OFFICIAL_OPEN, Status.OFFICIAL_CLOSED, Status.FINAL})
MOVED_FAR: Final = 4
"""Places from which a row is tinted."""


@dataclass(frozen=True, slots=True)
class Partner:
    """A name, and the same with initials for where it does not fit."""

    full: str
    short: str


@dataclass(frozen=True, slots=True)
class ShownRow:
    """A row in words and figures; `move` is places up (down below 0), None where nothing is known."""

    key: str
    place: str
    early: bool
    move: int | None
    number: str
    partners: tuple[Partner, ...]
    boards: int
    figure: str
    points: str
    notes: tuple[str, ...]

    @property
    def moved_far(self) -> bool:
        """Tell whether the row is tinted."""
        return self.move is not None and abs(self.move) >= MOVED_FAR


@dataclass(frozen=True, slots=True)
class Places:
    """The places of a list at an earlier moment, and how many boards they rested on."""

    of: Mapping[str, tuple[int | None, int]]


def initials(name: str) -> str:
    """Given names to initials, the surname whole.

    >>> initials("Anneke van Wolkenduin"), initials("Cher"), initials("Jean-Luc Doe")
    ('A. van Wolkenduin', 'Cher', 'J. Doe')
    """
    given, space, rest = name.partition(" ")
    return f"{given[0]}. {rest}" if space and given else name


def is_percentage(standings: Standings) -> bool:
    """Tell whether the list's figure is a percentage: of match points, not of anything signed."""
    return standings.method == "matchpoints"


def early_below(standings: Standings, show_min_boards: int) -> int:
    """From how many boards on a place is shown; all are once the score is official."""
    if standings.status in PUBLIC:
        return 0
    return min(show_min_boards, standings.boards_due) if standings.boards_due else show_min_boards


def shown_rows(
    standings: Standings,
    names: Mapping[str, str],
    places: Places | None,
    show_min_boards: int,
    texts: Texts,
) -> tuple[ShownRow, ...]:
    """Rows with a place first, as ranked; then those for whom it is too early, by number."""
    least = early_below(standings, show_min_boards)
    rows = standings.rows
    late = [row for row in rows if row.rank is not None and row.boards >= least]
    early = sorted(
        (row for row in rows if row.rank is None or row.boards < least),
        key=lambda row: (row.section or "", row.number or 0, row.contestant),
    )
    many_sections = len({row.section for row in rows}) > 1
    whole = all(plain(row.score).lstrip("-").isdigit() for row in rows)

    def shown(row: Row, *, is_early: bool) -> ShownRow:
        return ShownRow(
            key=str(row.contestant),
            place="–" if is_early or row.rank is None else f"{row.rank}=" if row.tied else str(row.rank),
            early=is_early,
            move=None if is_early else _move(row, places, least),
            number=numbered(row.section if many_sections else None, row.number, str(row.contestant)),
            partners=partners(row.players, names),
            boards=row.boards,
            figure=_figure(standings, row, is_early=is_early, whole=whole),
            points=_points(standings, row, whole=whole) if not is_early else "–",
            notes=_notes(row, texts),
        )

    return (*(shown(row, is_early=False) for row in late), *(shown(row, is_early=True) for row in early))


def numbered(section: str | None, number: int | None, contestant: str) -> str:
    """What a contestant is called by number."""
    return contestant if number is None else f"{section or ''}{number}"


def partners(players: Sequence[str], names: Mapping[str, str]) -> tuple[Partner, ...]:
    """The names of a contestant's players that are known."""
    return tuple(Partner(names[player], initials(names[player])) for player in players if player in names)


def _move(row: Row, places: Places | None, least: int) -> int | None:
    known = None if places is None else places.of.get(row.contestant)
    if known is None or known[0] is None or known[1] < least or row.rank is None:
        return None
    return known[0] - row.rank


def _figure(standings: Standings, row: Row, *, is_early: bool, whole: bool) -> str:
    if is_percentage(standings):
        return "–" if is_early or row.percentage is None else unsigned(row.percentage)
    return "–" if is_early and not row.boards else _points(standings, row, whole=whole)


def _points(standings: Standings, row: Row, *, whole: bool) -> str:
    text = plain(row.score) if whole else row.score
    return unsigned(text) if is_percentage(standings) else signed(text)


def _notes(row: Row, texts: Texts) -> tuple[str, ...]:
    found = []
    if row.penalty is not None:
        amount = plain(row.penalty)
        key = "list.compensated" if amount.startswith("-") else "list.penalised"
        found.append(texts(key, amount=amount.lstrip("-")))
    if row.carry_over is not None:
        found.append(texts("list.carried", amount=signed(plain(row.carry_over))))
    return tuple(found)


def open_matters(standings: Standings, texts: Texts, *, play_ended: bool) -> tuple[str, ...]:
    """What is still open, in words, the most urgent first; during play a missing result is no matter."""
    left: Open = standings.open
    found = [
        texts.count(f"open.{matter}", getattr(left, matter))
        for matter in OPEN_MATTERS
        if getattr(left, matter) and (matter != "missing" or play_ended)
    ]
    if standings.incomplete:
        found.append(texts.count("open.incomplete", standings.incomplete))
    return tuple(found)


def line_title(line: str, texts: Texts) -> str:
    """A line in words: a direction, a section, or both.

    >>> from pipeline.web.locale import texts
    >>> line_title("A-NS", texts()), line_title("EW", texts()), line_title("C", texts())
    ('Section A · North–South', 'East–West', 'Section C')
    """
    if f"line.{line}" in texts and line in {"all", "NS", "EW"}:
        return texts(f"line.{line}")
    section, _, direction = line.rpartition("-")
    if direction in {"NS", "EW"}:
        return texts("line.section-direction", section=section, direction=texts(f"line.{direction}"))
    return texts("line.section", section=line)


def strip_parts(
    standings: Standings,
    round_now: tuple[int, int] | None,
    *,
    play_ended: bool,
    corrections: int,
    texts: Texts,
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What the strip says beside its word: what is always there, and what may go where it is narrow."""
    counted = {"counted": standings.boards_counted, "due": standings.boards_due}
    until, appeals = standings.correction_until_us, standings.appeal_until_us
    match standings.status:
        case Status.SCHEDULED:
            return (), ()
        case Status.PLAYING | Status.PROVISIONAL:
            round_text: tuple[str, ...] = ()
            if play_ended:
                round_text = (texts("strip.play-ended"),)
            elif round_now is not None:
                round_text = (texts("strip.round", round=round_now[0], rounds=round_now[1]),)
            return (texts("strip.counted", **counted),), round_text
        case Status.OFFICIAL_OPEN:
            main = () if until is None else (texts("strip.until", time=hour(until)),)
            return (*main, texts("strip.complete", **counted)), (
                texts.count("strip.corrections-so-far", corrections),
            )
        case Status.OFFICIAL_CLOSED:
            main = () if until is None else (texts("strip.closed", time=hour(until)),)
            more = () if appeals is None else (texts("strip.appeals-until", time=hour(appeals)),)
            return main, (*more, texts.count("strip.corrections-so-far", corrections))
        case Status.FINAL:
            main = () if until is None else (texts("strip.closed-plain", time=hour(until)),)
            return (*main, texts("strip.complete", **counted)), (
                texts.count("strip.corrections", corrections),
            )
