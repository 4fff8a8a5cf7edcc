"""Team matches in PBN: the games of two tables paired by HomeTeam and VisitTeam."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from pipeline.formats.imported import BadFile, Note, NoteKind, PublishedLine
from pipeline.formats.notation import BadNotation, in_number_order, name_of, names_of, whole_number
from pipeline.formats.pbn_result import Said, ns_score, outcome, sides
from pipeline.formats.pbn_tags import Game
from schemas.codec import AnyRecord
from schemas.control import ContestantEntered, ContestantKind, MatchSet, TableOfMatch
from schemas.deal import NotPlayed, PassedOut, TableResult
from schemas.record import Role, Slot
from schemas.results import BoardResult
from schemas.terms import (
    BoardNumber,
    ContestantId,
    Direction,
    EventId,
    MatchId,
    PersonId,
    RecordId,
    SectionId,
    SessionId,
    SourceId,
)

SOURCE: Final = SourceId("pbn")
SESSION: Final = SessionId("1")
NOT_PLAYED: Final = NotPlayed()


@dataclass(slots=True)
class _Line:
    """A game of a match; `ns` is the team that sits North-South."""

    game: Game
    slot: Slot
    ns: str
    ew: str
    result: TableResult = NOT_PLAYED


class Teams:
    """The matches of a file as records, with what was printed and noticed."""

    def __init__(self, games: Sequence[Game], event: EventId) -> None:
        self.event = event
        self.notes: list[Note] = []
        self.lines: list[PublishedLine] = []
        self.records: list[AnyRecord] = []
        seats = _seats_by_tag(games)
        self._ids = names_of(sorted((team for pair in seats for team in pair), key=in_number_order))
        self.people = {PersonId(team): name for name, team in self._ids.items()}
        # A match is two teams in a round.
        matches: dict[tuple[frozenset[str], int], list[_Line]] = defaultdict(list)
        taken: dict[Slot, None] = {}
        for game in games:
            line = _line(game, seats)
            if line.slot in taken:
                raise BadFile("pbn", game.place("Board"), str(line.slot), "a table plays a board once")
            taken[line.slot] = None
            matches[frozenset((line.ns, line.ew)), line.slot.round].append(line)
        self.sections = tuple(dict.fromkeys(slot.section for slot in taken))
        self.records += self._entries()
        self.records += [self._match(lines) for lines in matches.values()]
        for lines in matches.values():
            self._tell(lines)
        for lines in matches.values():
            self.records += self._results(lines)

    def _entries(self) -> Iterator[ContestantEntered]:
        for number, team in enumerate(self._ids.values(), start=1):
            yield ContestantEntered(
                event=self.event,
                id=RecordId(f"contestant-{team}"),
                source=SOURCE,
                role=Role.IMPORTER,
                contestant=ContestantId(team),
                contestant_kind=ContestantKind.TEAM,
                number=number,
                # A team's name is kept apart like a person's.
                players=(PersonId(team),),
            )

    def _match(self, lines: Sequence[_Line]) -> MatchSet:
        first = lines[0]
        tables: dict[tuple[SectionId, int], Direction] = {}
        for line in lines:
            key = (line.slot.section, line.slot.table)
            home = Direction.NS if line.ns == first.ns else Direction.EW
            if tables.setdefault(key, home) is not home:
                place = line.game.place("HomeTeam")
                raise BadFile("pbn", place, line.ns, "a team keeps its direction at a table")
        if len(tables) > 8:
            raise BadFile(
                "pbn", first.game.place("Table"), f"{len(tables)} tables", "a match has at most 8 tables"
            )
        return MatchSet(
            event=self.event,
            id=RecordId(f"match-{self._match_id(first)}"),
            source=SOURCE,
            role=Role.IMPORTER,
            match=self._match_id(first),
            session=SESSION,
            round=first.slot.round,
            home=self._team(first.ns),
            visit=self._team(first.ew),
            tables=tuple(TableOfMatch(section, table, home) for (section, table), home in tables.items()),
            boards=tuple(sorted({line.slot.board for line in lines})),
        )

    def _match_id(self, line: _Line) -> MatchId:
        return MatchId(f"r{line.slot.round}t{line.slot.table}")

    def _tell(self, lines: Sequence[_Line]) -> None:
        """Work out every result; passes without a score mean nothing where the match has no score at all."""
        for line in lines:
            game = line.game
            declarer = game.tag("Declarer")
            score = ns_score(game.tag("Score"), declarer, game.place("Score"))
            said = Said(game.place("Contract"), game.tag("Contract"), declarer, game.tag("Result"), score)
            told = outcome(said, line.slot, self.notes)
            if told is None:
                self._note(NoteKind.NOT_PLAYED, line.slot, "neither Contract nor Score")
            else:
                line.result = told
        silent = [line for line in lines if not line.game.tag("Score") and isinstance(line.result, PassedOut)]
        unplayed = len(silent) == len(lines)
        for line in silent:
            self._note(NoteKind.PASSED_WITHOUT_SCORE, line.slot, "Pass without a Score")
            if unplayed:
                line.result = NOT_PLAYED
        if unplayed:
            teams = f"{lines[0].ns} - {lines[0].ew}"
            self.notes.append(Note(NoteKind.NOT_PLAYED, f"match {self._match_id(lines[0])}", teams))
        self._published(lines)

    def _published(self, lines: Sequence[_Line]) -> None:
        tables: dict[BoardNumber, set[int]] = defaultdict(set)
        for line in lines:
            tables[line.slot.board].add(line.slot.table)
        for line in lines:
            text = line.game.tag("ScoreIMP")
            if len(tables[line.slot.board]) == 1:
                self._note(NoteKind.ONE_TABLE_ONLY, line.slot, f"ScoreIMP {text}" if text else "one table")
            self.lines += (
                PublishedLine(line.slot, side, value)
                for side, value in sorted(sides(text).items(), reverse=True)
            )

    def _results(self, lines: Sequence[_Line]) -> Iterator[BoardResult]:
        for line in lines:
            slot = line.slot
            yield BoardResult(
                event=self.event,
                id=RecordId(f"r{slot.round}.{slot.section}.t{slot.table}.b{slot.board}"),
                source=SOURCE,
                role=Role.IMPORTER,
                slot=slot,
                result=line.result,
                ns=self._team(line.ns),
                ew=self._team(line.ew),
            )

    def _team(self, name: str) -> ContestantId:
        return ContestantId(self._ids[name])

    def _note(self, kind: NoteKind, slot: Slot, value: str) -> None:
        self.notes.append(Note(kind, str(slot), value))


def _seats_by_tag(games: Sequence[Game]) -> set[tuple[str, str]]:
    return {(game.tag("HomeTeam"), game.tag("VisitTeam")) for game in games}


def _line(game: Game, seats: set[tuple[str, str]]) -> _Line:
    home, visit = game.tag("HomeTeam"), game.tag("VisitTeam")
    if home == visit:
        raise BadFile("pbn", game.place("VisitTeam"), visit, "a team meets another team")
    slot = Slot(
        session=SESSION,
        section=SectionId(name_of(game.tag("Section")) if game.tag("Section") else "A"),
        round=_number(game, "Round", 999, absent=1),
        table=_number(game, "Table", 99_999, absent=2 if game.tag("Room").lower() == "closed" else 1),
        board=BoardNumber(_number(game, "Board", 9_999)),
    )
    return _Line(game, slot, *((home, visit) if _home_sits_ns(game, seats) else (visit, home)))


def _home_sits_ns(game: Game, seats: set[tuple[str, str]]) -> bool:
    """Tell whether the home team sits North-South: PairNS says so, or the room, or the order of the two tags.

    Programs that name no room name the North-South team first at either table.
    """
    home, visit = game.tag("HomeTeam"), game.tag("VisitTeam")
    if game.tag("PairNS") in {home, visit}:
        return game.tag("PairNS") == home
    room = game.tag("Room").lower()
    if room in {"open", "closed"}:
        return room == "open"
    if (visit, home) in seats:
        return True
    raise BadFile(
        "pbn", game.place("Room"), f"{home} - {visit}", "Room, PairNS or the order of teams seats them"
    )


def _number(game: Game, name: str, most: int, absent: int | None = None) -> int:
    text = game.tag(name)
    if not text and absent is not None:
        return absent
    try:
        return whole_number(text, 1, most)
    except BadNotation as bad:
        raise BadFile("pbn", game.place(name), bad.value, bad.rule) from bad
