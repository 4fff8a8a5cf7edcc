"""The scoreboard in Debian's Chromium, over a real server: the process that `serve` is."""

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import replace
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, Request, expect, sync_playwright

from schemas.codec import AnyRecord, write_record
from schemas.terms import PersonId
from tests.builders import (
    EVENT,
    conditions,
    described,
    entered,
    mitchell,
    movement,
    play_ended,
    replaced,
    result,
    round_ended,
    score_published,
    session_finalised,
)

pytestmark = pytest.mark.browser
SERVE: Final = "from pipeline.cli import main; main()"
CHROMIUM: Final = "/usr/bin/chromium"
TABLES: Final = 3
NAMES: Final = (
    "Maximiliane Hohenstauffenberger",
    "Bo Ek",
    "Åse Ångström-Gjøvåg",
    "Κωνσταντίνος Παπαδιαμαντόπουλος",
    "Надежда Черничниковская",
    "Q. Žygis",
)
SETTINGS: Final = {"show.min_boards": "3", "rank.winners": "per-direction"}
WCAG_AA: Final = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}
}
SIZES: Final = {"hall": (1920, 1080), "projector": (1024, 768), "laptop": (1366, 768), "phone": (360, 740)}


class Server:
    """`barometer serve` as a process of its own."""

    def __init__(self, log: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", SERVE, "serve", "--log", str(log), "--port", "0"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self.process.stdout is not None
        found = re.search(r"http://\S+", self.process.stdout.readline())
        if found is None:
            self.dies()
            pytest.fail("the server did not say where it listens")
        self.address = found[0].rstrip("/")
        self.offset = -1

    def ask(self, method: str, path: str, body: object = None, **headers: str) -> tuple[int, str]:
        with closing(HTTPConnection(urlsplit(self.address).netloc, timeout=20)) as connection:
            sent = {"Content-Type": "application/json"} if body is not None else {}
            connection.request(method, path, None if body is None else json.dumps(body), {**sent, **headers})
            answer = connection.getresponse()
            return answer.status, answer.read().decode()

    def say(self, *records: AnyRecord) -> None:
        for record in records:
            payload = json.loads(write_record(record))
            role, source = payload.pop("role"), payload.pop("source")
            path = f"/events/{record.event}/records"
            status, text = self.ask(
                "POST", path, payload, **{"X-Barometer-Role": role, "X-Barometer-Source": source}
            )
            assert status == 202, text
            self.offset = json.loads(text)["stamp"]["offset"]

    def standings(self, name: str = "event/NS") -> dict[str, Any]:
        status, text = self.ask("GET", f"/events/{EVENT}/standings/{name}?after={self.offset}")
        assert status == 200, text
        found: dict[str, Any] = json.loads(text)
        return found

    def dies(self) -> None:
        self.process.kill()
        self.process.wait(timeout=20)
        if self.process.stdout is not None:
            self.process.stdout.close()


def set_up() -> Iterable[AnyRecord]:
    yield described("Spring Pairs")
    yield conditions("exact", SETTINGS)
    for direction in ("NS", "EW"):
        for number in range(1, TABLES + 1):
            first = (number - 1) * 2 + (0 if direction == "NS" else len(NAMES))
            players = tuple(PersonId(f"p{first + seat}") for seat in (1, 2))
            yield replace(entered(f"{direction}-{number}", number, direction), players=players)
    yield movement(mitchell(TABLES))


def boards_of(table: int, number: int) -> tuple[int, int]:
    """Tables 1 to 3 begin with boards 1-2, 3-4 and 5-6; the boards come down a table each round."""
    first = ((table - 1 + number - 1) % TABLES) * 2 + 1
    return first, first + 1


def round_of(number: int) -> list[AnyRecord]:
    return [
        result(board, table=table, round=number, tricks=7 + (board + table * number) % 5)
        for table in range(1, TABLES + 1)
        for board in boards_of(table, number)
    ]


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    found = Server(tmp_path / "log.sqlite")
    try:
        found.say(*set_up())
        for person, name in enumerate((*NAMES, *reversed(NAMES)), start=1):
            status, text = found.ask(
                "PUT", f"/events/{EVENT}/people/p{person}", {"name": name}, **{"X-Barometer-Role": "director"}
            )
            assert status == 204, text
        yield found
    finally:
        found.dies()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        found = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield found
        found.close()


@contextmanager
def page_of(browser: Browser, size: str = "laptop", **look: Any) -> Iterator[Page]:  # noqa: ANN401 - a browser's own
    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height}, **look)
    try:
        page = context.new_page()
        page.set_default_timeout(20_000)
        yield page
    finally:
        context.close()


def board(server: Server, **asked: str) -> str:
    more = "".join(f"&{name}={value}" for name, value in asked.items())
    return f"{server.address}/board?event={EVENT}{more}"


def is_live(page: Page) -> None:
    expect(page.locator(".live.is-live")).to_be_visible()


def rows_shown(page: Page) -> list[tuple[str, str]]:
    rows = page.locator("table.standings tbody tr")
    return [
        (row.locator("td.place").inner_text(), row.locator("td.figure").inner_text()) for row in rows.all()
    ]


def rows_due(server: Server) -> list[tuple[str, str]]:
    rows = server.standings()["rows"]
    return [(f"{row['rank']}{'=' if row['tied'] else ''}", row["percentage"]) for row in rows]


def test_the_page_is_complete_without_scripts(server: Server, browser: Browser) -> None:
    server.say(*round_of(1), *round_of(2))
    with page_of(browser, java_script_enabled=False) as page:
        page.goto(board(server))
        assert rows_shown(page) == rows_due(server)
        expect(page.locator("h1")).to_have_text("Spring Pairs")
        expect(page.locator(".strip")).to_contain_text("4 of 6 boards counted")
        expect(page.locator(".live time")).to_contain_text("as of")
        expect(page.get_by_text("Maximiliane Hohenstauffenberger")).to_have_count(1)
        assert page.locator("html").get_attribute("lang") == "en"


def test_a_new_result_changes_figures_in_place_without_a_reload(server: Server, browser: Browser) -> None:
    first, second = round_of(1), round_of(2)
    server.say(*first, *second)
    with page_of(browser) as page:
        page.goto(board(server))
        is_live(page)
        before = rows_shown(page)
        page.evaluate("window.same = document.querySelector('table.standings')")
        server.say(replaced(first[0], tricks=1))  # type: ignore[arg-type]  # a result
        due = rows_due(server)
        assert due != before
        leader = server.standings()["rows"][0]["contestant"]
        expect(page.locator(f'tr[data-key="{leader}"] td.figure')).to_have_text(due[0][1])
        expect(page.locator("table.standings tbody tr").first).to_have_attribute("data-key", leader)
        assert rows_shown(page) == due
        assert page.evaluate("window.same === document.querySelector('table.standings')")


def test_moves_are_told_since_the_last_round_by_shape_and_number(server: Server, browser: Browser) -> None:
    server.say(*round_of(1), *round_of(2), round_ended(1), round_ended(2))
    places = {row["contestant"]: row["rank"] for row in server.standings()["rows"]}
    last = server.standings()["rows"][-1]["contestant"]
    table = int(last.removeprefix("NS-"))
    server.say(*(result(board, table=table, round=3, tricks=13) for board in boards_of(table, 3)))
    others = [number for number in range(1, TABLES + 1) if number != table]
    server.say(
        *(
            result(board, table=number, round=3, tricks=0)
            for number in others
            for board in boards_of(number, 3)
        )
    )
    with page_of(browser) as page:
        page.goto(board(server))
        is_live(page)
        expect(page.locator(".since")).to_contain_text("since round 2")
        moved = 0
        for row in server.standings()["rows"]:
            by = places[row["contestant"]] - row["rank"]
            cell = page.locator(f'tr[data-key="{row["contestant"]}"] td.move')
            word = "up" if by > 0 else "down" if by < 0 else "not moved"
            expect(cell).to_contain_text(f"{word} {abs(by)}" if by else word)
            expect(cell.locator("svg")).to_have_count(1 if by else 0)
            moved += by != 0
        assert moved, "the test moves nobody"


def test_below_the_least_number_of_boards_there_is_neither_place_nor_percentage(
    server: Server, browser: Browser
) -> None:
    server.say(*round_of(1))
    with page_of(browser) as page:
        page.goto(board(server))
        assert rows_shown(page) == [("–", "too early")] * TABLES
        expect(page.get_by_text("shown from 3 boards")).to_be_visible()


def test_it_says_when_it_is_not_live_and_keeps_the_figures(server: Server, browser: Browser) -> None:
    server.say(*round_of(1), *round_of(2))
    with page_of(browser) as page:
        page.goto(board(server))
        is_live(page)
        shown = rows_shown(page)
        server.dies()
        expect(page.locator(".live.stale")).to_be_visible(timeout=30_000)
        expect(page.locator(".live")).to_contain_text(re.compile(r"not live since \d\d:\d\d"))
        assert rows_shown(page) == shown


def test_every_status_is_a_word_a_shape_and_an_hour(server: Server, browser: Browser) -> None:
    rounds = [record for number in (1, 2, 3) for record in round_of(number)]
    with page_of(browser) as page:
        page.goto(board(server))
        strip = page.locator(".strip")
        expect(strip.locator(".word")).to_have_text("Not started")
        server.say(*rounds)
        expect(strip.locator(".word")).to_have_text("Provisional")
        expect(strip.locator("use")).to_have_attribute("href", "#hatch")
        server.say(play_ended(), score_published(correction_minutes=30))
        expect(strip.locator(".word")).to_have_text("Official")
        expect(strip).to_contain_text(re.compile(r"corrections until \d\d:\d\d"))
        expect(strip.locator("use")).to_have_attribute("href", "#clock")
        server.say(replaced(rounds[0], tricks=3))  # type: ignore[arg-type]  # a result
        expect(strip).to_contain_text("1 correction so far")
        expect(page.locator(".changes")).to_contain_text("result corrected")


def test_a_final_list_says_so_by_a_word_a_filled_bar_and_when_it_closed(
    server: Server, browser: Browser
) -> None:
    at_once = {**SETTINGS, "correction.minutes": "0", "appeal.minutes": "0"}
    server.say(conditions("exact", at_once, id="at-once"))
    server.say(*(record for number in (1, 2, 3) for record in round_of(number)), play_ended())
    server.say(score_published(), session_finalised())
    with page_of(browser) as page:
        page.goto(board(server))
        strip = page.locator(".strip")
        expect(strip.locator(".word")).to_have_text("Final")
        expect(strip).to_contain_text(re.compile(r"closed \d\d:\d\d"))
        expect(strip.locator("use")).to_have_attribute("href", "#final")


def test_nothing_of_an_open_deal_is_shown(server: Server, browser: Browser) -> None:
    closed, still_open = 1, 6
    for number in (1, 2, 3):
        for record in round_of(number):
            if not (number == 3 and getattr(record, "slot").board == still_open):  # noqa: B009 - a result
                server.say(record)
    with page_of(browser) as page:
        page.goto(board(server))
        links = page.locator(".travellers .chips a")
        shown = [link.inner_text() for link in links.all()]
        assert str(closed) in shown
        assert str(still_open) not in shown
        traveller = f"{server.address}/board/traveller/{EVENT}/1/A"
        answer = page.goto(f"{traveller}/{still_open}")
        assert answer is not None
        assert answer.status == 403
        expect(page.locator("main")).to_contain_text("somebody still has to play it")
        assert not re.search(r"[+−]\d{2,4}", page.locator("body").inner_text())
        page.goto(f"{traveller}/{closed}")
        expect(page.locator("table.lines tbody tr")).to_have_count(TABLES)


def test_a_traveller_has_both_sides_and_adds_up(server: Server, browser: Browser) -> None:
    server.say(*(record for number in (1, 2, 3) for record in round_of(number)))
    with page_of(browser) as page:
        page.goto(f"{server.address}/board/traveller/{EVENT}/1/A/2")
        expect(page.locator(".line")).to_contain_text("East deals")  # Law 2: board 2, East, NS vulnerable
        expect(page.locator(".line")).to_contain_text("North–South vulnerable")
        for line in page.locator("table.lines tbody tr").all():
            ns, ew = (float(cell.inner_text()) for cell in line.locator("td.points").all())
            assert ns + ew == 4  # three results: top 4
            assert re.fullmatch(r"[+−]\d+", line.locator("td.score").inner_text())


@pytest.mark.parametrize("path", ["/", "/board?event={event}", "/board/traveller/{event}/1/A/1"])
def test_nothing_overflows_on_a_phone(server: Server, browser: Browser, path: str) -> None:
    server.say(*(record for number in (1, 2, 3) for record in round_of(number)))
    with page_of(browser, "phone") as page:
        for width in (360, 320):
            page.set_viewport_size({"width": width, "height": 740})
            page.goto(server.address + path.format(event=EVENT))
            wide = page.evaluate("document.documentElement.scrollWidth")
            assert wide <= width, f"{path} is {wide} px wide at {width}"


@pytest.mark.parametrize("size", ["hall", "projector"])
def test_a_hall_screen_shows_whole_rows_and_both_partners(
    server: Server, browser: Browser, size: str
) -> None:
    server.say(*round_of(1), *round_of(2))
    width, height = SIZES[size]
    with page_of(browser, size) as page:
        page.goto(board(server, screen="hall"))
        is_live(page)
        footer = page.locator(".foot").bounding_box()
        assert footer is not None
        for row in page.locator("table.standings tbody tr:visible").all():
            box = row.bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= footer["y"] + 1
            assert box["x"] + box["width"] <= width
            for partner in row.locator(".partner").all():
                seen = partner.bounding_box()
                assert seen is not None
                assert seen["width"] > 2 * height / 100, "a partner is squeezed away"
        assert page.evaluate("document.documentElement.scrollHeight") <= height
        expect(page.locator(".next")).to_contain_text("next: East–West")
        for wanted in (".strip .word", ".live", "table.standings td.figure >> nth=0"):
            assert page.locator(wanted).bounding_box() is not None


LOOKS: Final = {
    "events": ("/", "laptop", {}),
    "board": ("/board?event={event}", "laptop", {}),
    "board, dark": ("/board?event={event}", "laptop", {"color_scheme": "dark"}),
    "phone": ("/board?event={event}", "phone", {}),
    "hall": ("/board?event={event}&screen=hall", "hall", {}),
    "hall, light": ("/board?event={event}&screen=hall&theme=light", "projector", {}),
    "traveller": ("/board/traveller/{event}/1/A/1", "laptop", {}),
    "traveller, phone, dark": ("/board/traveller/{event}/1/A/1", "phone", {"color_scheme": "dark"}),
    "hidden": ("/board/traveller/{event}/1/A/99", "laptop", {}),
}


@pytest.mark.parametrize("look", LOOKS)
def test_axe_finds_nothing_against_wcag_aa(server: Server, browser: Browser, look: str) -> None:
    path, size, wishes = LOOKS[look]
    results = [record for number in (1, 2, 3) for record in round_of(number)]
    server.say(*results, play_ended(), score_published(correction_minutes=30))
    server.say(replaced(results[0], tricks=3))  # type: ignore[arg-type]  # a result
    with page_of(browser, size, **wishes) as page:
        page.goto(server.address + path.format(event=EVENT))
        if "/board?" in path:
            is_live(page)
        found = Axe().run(page, options=WCAG_AA)
        assert found.violations_count == 0, found.generate_report()


def test_the_page_asks_no_other_host_and_stays_small(server: Server, browser: Browser) -> None:
    server.say(*round_of(1))
    seen: list[Request] = []

    def note(request: Request) -> None:
        seen.append(request)

    with page_of(browser) as page:
        page.on("requestfinished", note)
        page.goto(board(server))
        is_live(page)
        assert all(request.url.startswith(server.address) for request in seen)
        files = [request for request in seen if "/static/" in request.url]
        for kind, most in {".js": 100_000, ".css": 30_000}.items():
            assert (
                0
                < sum(request.sizes()["responseBodySize"] for request in files if kind in request.url)
                <= most
            )
