"""Portable Bridge Notation 2.1: results of team matches (tags) and of pairs events (ScoreTable)."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from pipeline.formats.imported import BadFile, Imported, Note, NoteKind
from pipeline.formats.notation import decoded, event_of
from pipeline.formats.pbn_pairs import SCORES, Pairs
from pipeline.formats.pbn_tags import Game, read_games
from pipeline.formats.pbn_teams import SESSION, SOURCE, Teams
from schemas.codec import AnyRecord
from schemas.control import ConditionsPublished, ContestantKind, EventDescribed, PlayEnded, SessionPlan
from schemas.record import Role
from schemas.terms import EventId, RecordId

# Deals, auctions and plays: the log has no record for them.
_WITHOUT_A_RECORD: Final = (
    "Deal",
    "Auction",
    "Play",
    "OptimumResultTable",
    "DoubleDummyTricks",
    "OptimumScore",
)


def read_pbn(data: bytes) -> Imported:
    """Read a file of results; the ScoreIMP, MP and totals it prints come along as published.

    Raises BadFile for a file without results, and for whatever in it cannot be read.
    """
    if not data.strip():
        raise BadFile("pbn", "file", f"{len(data)} bytes", "the file is empty")
    games = read_games(decoded(data))
    event = EventId(event_of("pbn", data))
    teams = [game for game in games if game.tag("HomeTeam") and game.tag("VisitTeam") and game.tag("Board")]
    tables = [game for game in games if SCORES in game.sections]
    notes = _left_out(games, teams, tables)
    if teams:
        read = Teams(teams, event)
        return _imported(games, read, "teams_imps", notes, ContestantKind.TEAM)
    if tables:
        pairs = Pairs(games, event)
        return _imported(games, pairs, _preset(games), notes, ContestantKind.PAIR)
    place = f"{len(games)} games"
    raise BadFile("pbn", place, "no result", "HomeTeam and VisitTeam, or a ScoreTable, say who played whom")


def _imported(
    games: Sequence[Game],
    read: Teams | Pairs,
    preset: str,
    notes: Sequence[Note],
    contest: ContestantKind,
) -> Imported:
    title = _first(games, "Event") or "PBN event"
    settings = {"confirm.by": "not-asked"}
    if isinstance(read, Pairs) and read.two_fields:
        settings["rank.winners"] = "per-direction"
    plan = SessionPlan(id=SESSION, sections=read.sections, date=_first(games, "Date")[:40] or None)
    records: tuple[AnyRecord, ...] = (
        EventDescribed(
            event=read.event,
            id=RecordId("event"),
            source=SOURCE,
            role=Role.IMPORTER,
            title=title[:500],
            place=_first(games, "Site")[:500] or None,
            contest=contest,
            sessions=(plan,),
        ),
        ConditionsPublished(
            event=read.event,
            id=RecordId("conditions"),
            source=SOURCE,
            role=Role.IMPORTER,
            preset=preset,
            settings=settings,
        ),
        *read.records,
        PlayEnded(
            event=read.event,
            id=RecordId("play-ended"),
            source=SOURCE,
            role=Role.IMPORTER,
            session=SESSION,
        ),
    )
    return Imported(
        event=read.event,
        title=title,
        records=records,
        people=read.people,
        suggested_preset=preset,
        suggested_settings=settings,
        published_lines=tuple(read.lines),
        published_totals=tuple(read.totals) if isinstance(read, Pairs) else (),
        line_unit=read.line_unit if isinstance(read, Pairs) else Fraction(1),
        notes=(*notes, *read.notes),
    )


def _first(games: Sequence[Game], name: str) -> str:
    return next((game.tag(name) for game in games if game.tag(name)), "")


def _left_out(games: Sequence[Game], teams: Sequence[Game], tables: Sequence[Game]) -> list[Note]:
    notes = [
        Note(NoteKind.NOT_CARRIED, f"tag {name}", f"{count} games")
        for name in _WITHOUT_A_RECORD
        if (count := sum(1 for game in games if game.tag(name) or game.sections.get(name)))
    ]
    taken = {id(game) for game in teams or tables}
    rest = [
        game for game in games if id(game) not in taken and (game.tag("Contract") or SCORES in game.sections)
    ]
    missing = "HomeTeam and VisitTeam" if teams else "a ScoreTable"
    notes += [
        Note(NoteKind.NOT_CARRIED, game.place("Contract"), f"a result without {missing}") for game in rest
    ]
    return notes


def _preset(games: Sequence[Game]) -> str:
    scoring = _first(games, "Scoring").lower()
    if "butler" in scoring or "mean" in scoring or "median" in scoring:
        return "butler"
    return "cross_imps" if "imp" in scoring else "exact"
