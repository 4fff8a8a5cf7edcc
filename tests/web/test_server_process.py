"""A real `barometer serve`: killed, stopped, started wrongly, and fed what it cannot take."""

import json
import signal
import socket
import sqlite3
from contextlib import suppress
from pathlib import Path

import pytest

from tests.web.serving import Server, kill_again_and_again, result_payload, run_serve, serving


def test_five_kills_over_http_lose_nothing_that_was_answered(tmp_path: Path) -> None:
    kill_again_and_again(tmp_path / "log.sqlite", rounds=5, seed=1963)


@pytest.mark.faults
def test_fifty_kills_over_http_lose_nothing_that_was_answered(tmp_path: Path) -> None:
    kill_again_and_again(tmp_path / "log.sqlite", rounds=50, seed=2017)


def raw(server: Server, data: bytes) -> bytes:
    """Send bytes, whatever they are, and read what comes back."""
    found = b""
    # A server that closes on what it has not read resets the connection.
    with socket.create_connection((server.host, server.port), timeout=30) as connection, suppress(OSError):
        connection.sendall(data)
        connection.shutdown(socket.SHUT_WR)
        while part := connection.recv(65_536):
            found += part
    return found


def test_it_takes_shows_refuses_and_ends(tmp_path: Path) -> None:
    with serving(tmp_path / "log.sqlite") as server:
        status, body = server.ask(
            "POST", "/events/congress/records", result_payload(1), X_Barometer_Role="table"
        )
        assert status == 202
        offset = json.loads(body)["stamp"]["offset"]
        status, body = server.ask("GET", f"/events/congress/records/table/r1?after={offset}")
        assert (status, json.loads(body)["verdict"]) == (200, "accepted")

        # No HTTP, half a request, a head without end, and a body that is announced and never comes.
        raw(server, b"\x16\x03\x01\x02\x00\x01\x00\x01")
        raw(server, b"GET /events HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"x" * 200_000)
        raw(
            server,
            b"POST /events/congress/records HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 10\r\n\r\n{",
        )
        head = (
            b"POST /events/congress/records HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            b"Content-Length: 104857600\r\n\r\n"
        )
        assert raw(server, head).startswith(b"HTTP/1.1 413")
        assert server.ask("GET", "/healthz")[0] == 200

        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(timeout=30) == 0


def test_it_ends_though_somebody_watches_and_what_it_took_is_there(tmp_path: Path) -> None:
    with serving(tmp_path / "log.sqlite") as server:
        for number in range(20):
            server.ask("POST", "/events/congress/records", result_payload(number), X_Barometer_Role="table")
        connection = server.connection()
        connection.request("GET", "/events/congress/ticks")
        stream = connection.getresponse()
        assert stream.readline() == b"retry: 2000\n"
        server.process.send_signal(signal.SIGINT)
        assert server.process.wait(timeout=30) == 0
        connection.close()
    file = sqlite3.connect(tmp_path / "log.sqlite")
    assert file.execute("SELECT count(*) FROM entries").fetchone() == (20,)
    file.close()


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"BAROMETER_LOGS": "x"}, "BAROMETER_LOGS: no such setting"),
        ({"BAROMETER_MOST_WAITING": "none"}, "BAROMETER_MOST_WAITING"),
        ({"BAROMETER_TOKENS": "king=correct-horse"}, "entry 1: the role is one of"),
        ({"BAROMETER_TOKENS": "director=short"}, "at least 8 characters"),
        ({"BAROMETER_TOKENS": "@/nowhere"}, "cannot be read"),
    ],
)
def test_settings_that_cannot_be_end_it_with_status_1(
    tmp_path: Path, environment: dict[str, str], said: str
) -> None:
    process = run_serve(tmp_path / "log.sqlite", "--port", "0", environment=environment)
    output, errors = process.communicate(timeout=30)
    assert (process.returncode, output) == (1, "")
    assert said in errors
    assert "correct-horse" not in errors


def test_a_port_in_use_and_a_file_that_is_no_log_end_it_with_status_1(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        process = run_serve(tmp_path / "log.sqlite", "--port", str(taken.getsockname()[1]))
        _, errors = process.communicate(timeout=30)
        assert process.returncode == 1
        assert "cannot listen" in errors
    (tmp_path / "text").write_text("this is no log")
    process = run_serve(tmp_path / "text", "--port", "0")
    _, errors = process.communicate(timeout=30)
    assert process.returncode == 1
    assert "text: file is not a database" in errors


def test_a_log_has_one_server(tmp_path: Path) -> None:
    with serving(tmp_path / "log.sqlite"):
        second = run_serve(tmp_path / "log.sqlite", "--port", "0")
        _, errors = second.communicate(timeout=30)
        assert second.returncode == 1
        assert "another process has it open" in errors
