"""A real `barometer serve`, and clients that keep what it answered; and what is left when it is killed."""

import http.client
import json
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from random import Random
from typing import Any, Final
from urllib.parse import urlsplit

ROOT: Final = Path(__file__).parent.parent.parent
COMMAND: Final = (sys.executable, "-c", "from pipeline.cli import main; main()", "serve")
CLIENTS: Final = 16
SECONDS: Final = 30


@dataclass(frozen=True)
class Server:
    """A process that serves."""

    process: subprocess.Popen[str]
    host: str
    port: int

    def connection(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(self.host, self.port, timeout=SECONDS)

    def ask(self, method: str, path: str, payload: object = None, **headers: str) -> tuple[int, bytes]:
        """One request on a connection of its own: status and body."""
        connection = self.connection()
        try:
            body = None if payload is None else json.dumps(payload)
            sent = {"Content-Type": "application/json"} if body is not None else {}
            connection.request(
                method, path, body, {**sent, **{k.replace("_", "-"): v for k, v in headers.items()}}
            )
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()


def run_serve(
    log: Path, *arguments: str, environment: Mapping[str, str] | None = None
) -> subprocess.Popen[str]:
    """Start the command."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BAROMETER_")}
    return subprocess.Popen(
        [*COMMAND, "--log", str(log), *arguments],
        cwd=ROOT,
        env={**kept, **(environment or {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@contextmanager
def serving(log: Path, environment: Mapping[str, str] | None = None) -> Iterator[Server]:
    """A server on a free port, for as long as it is needed."""
    process = run_serve(log, "--port", "0", environment=environment)
    assert process.stdout is not None
    assert process.stderr is not None
    drained = threading.Thread(target=process.stderr.read, daemon=True)  # a full pipe would stop it
    drained.start()
    try:
        line = process.stdout.readline()
        assert line.startswith("Barometer listens at http://"), line
        address = urlsplit(line.split()[-1])
        assert address.hostname
        assert address.port
        yield Server(process, address.hostname, address.port)
    finally:
        with suppress(ProcessLookupError):
            process.kill()
        process.wait(timeout=SECONDS)
        drained.join(timeout=SECONDS)
        process.stdout.close()
        process.stderr.close()


def result_payload(number: int) -> dict[str, Any]:
    """A result that is like no other."""
    return {
        "kind": "board_result",
        "id": f"r{number}",
        "slot": {
            "session": "1",
            "section": "A",
            "round": 1,
            "table": number % 999 + 1,
            "board": number % 36 + 1,
        },
        "result": {"outcome": "passed_out"},
    }


@dataclass
class Answered:
    """What clients were told: id to stamp; and when enough was told."""

    enough: int
    stamps: dict[str, tuple[int, int]] = field(default_factory=dict)
    reached: threading.Event = field(default_factory=threading.Event)

    def take(self, record: str, stamp: Mapping[str, int]) -> None:
        self.stamps[record] = (stamp["offset"], stamp["time_us"])
        if len(self.stamps) >= self.enough:
            self.reached.set()


def send_until_it_dies(server: Server, numbers: Iterator[int], answered: Answered) -> None:
    """One client: the next result as soon as the one before is answered."""
    connection = server.connection()
    headers = {"Content-Type": "application/json", "X-Barometer-Role": "table"}
    with suppress(OSError, http.client.HTTPException):
        for number in numbers:
            connection.request(
                "POST", "/events/congress/records", json.dumps(result_payload(number)), headers
            )
            answer = connection.getresponse()
            told = json.loads(answer.read())
            assert answer.status == 202, told
            answered.take(told["record"], told["stamp"])
    connection.close()
    answered.reached.set()


def kill_while_it_takes(log: Path, round_number: int, dice: Random) -> dict[str, tuple[int, int]]:
    """Send with many clients, and kill the server without notice after some answers; return all of them."""
    numbers = count(round_number * 1_000_000)
    answered = Answered(dice.choice((1, dice.randint(2, 100), dice.randint(100, 800))))
    with serving(log) as server:
        clients = [
            threading.Thread(target=send_until_it_dies, args=(server, numbers, answered))
            for _ in range(CLIENTS)
        ]
        for client in clients:
            client.start()
        assert answered.reached.wait(SECONDS)
        server.process.send_signal(signal.SIGKILL)
        for client in clients:
            client.join(timeout=SECONDS)
        assert server.process.wait(timeout=SECONDS) == -signal.SIGKILL
    return answered.stamps


def exported(server: Server) -> list[dict[str, Any]]:
    """Every record that the server has folded."""
    while server.ask("GET", "/healthz")[0] != 200:
        assert server.process.poll() is None
    status, body = server.ask("GET", "/events/congress/export", X_Barometer_Role="director")
    assert status == 200, body
    return [json.loads(line) for line in body.splitlines()]


def kill_again_and_again(log: Path, rounds: int, seed: int) -> None:
    """What was answered is there after each restart, under its stamp, and nothing is there twice."""
    dice = Random(seed)  # noqa: S311 - seeded dice, no secret
    answered: dict[str, tuple[int, int]] = {}
    for round_number in range(rounds):
        said = kill_while_it_takes(log, round_number, dice)
        assert said
        assert not said.keys() & answered.keys()
        answered |= said
        with serving(log) as server:
            lines = exported(server)
        there = {
            f"{line['record']['source']}/{line['record']['id']}": (
                line["stamp"]["offset"],
                line["stamp"]["time_us"],
            )
            for line in lines
        }
        assert len(there) == len(lines)
        assert sorted(offset for offset, _ in there.values()) == list(range(len(lines)))
        lost = dict(answered.items() - there.items())
        assert not lost, f"{len(lost)} answered and not there, such as {next(iter(lost))}"
