"""Results over HTTP into the log, each answer durable on disk: as many as go in, and at 200 a second.

A real `barometer serve` in a process of its own; the clients are in this one: the two cores are shared.
A client keeps one connection and sends its next result when the one before is answered. The records are those
of a simulated event, sent as the tables they come from; everything is folded while it comes in.
"""

import asyncio
import http.client
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from pipeline.simulation.event import simulate
from schemas.codec import AnyRecord, write_record
from schemas.results import BoardResult

ROOT: Final = Path(__file__).parent.parent.parent
TABLES: Final = 200
BOARDS: Final = 27
CLIENTS: Final = 64
AT_FULL_SPEED: Final = 10_000
A_SECOND: Final = 200
SECONDS: Final = 30
TOGETHER: Final = 50


@contextmanager
def served(folder: Path) -> Iterator[tuple[str, int, int]]:
    """A server on any free port: host, port, process id."""
    server = subprocess.Popen(
        [sys.executable, "-c", "from pipeline.cli import main; main()",
         "serve", "--log", str(folder / "log.sqlite"), "--port", "0"],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )  # fmt: skip
    assert server.stdout is not None
    try:
        address = urlsplit(server.stdout.readline().rsplit(" ", 1)[-1].strip())
        assert address.hostname
        assert address.port
        yield address.hostname, address.port, server.pid
    finally:
        server.terminate()
        server.wait(timeout=30)


def request_of(record: AnyRecord, *others: AnyRecord) -> bytes:
    """A record, or several of one sender, as the bytes of a request."""
    payloads = [json.loads(write_record(one)) for one in (record, *others)]
    for payload in payloads:
        del payload["source"], payload["role"]
    body = json.dumps(payloads if others else payloads[0], separators=(",", ":")).encode()
    head = (
        f"POST /events/{record.event}/records HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        f"Content-Type: application/json\r\nX-Barometer-Role: {record.role}\r\n"
        f"X-Barometer-Source: {record.source}\r\nContent-Length: {len(body)}\r\n\r\n"
    )
    return head.encode() + body


@dataclass(slots=True)
class Client:
    """One connection."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter
    seconds: list[float] = field(default_factory=list)

    async def send(self, request: bytes) -> None:
        """Send, and wait for the 202."""
        started = time.perf_counter()
        self.writer.write(request)
        head = await self.reader.readuntil(b"\r\n\r\n")
        length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
        body = await self.reader.readexactly(length)
        self.seconds.append(time.perf_counter() - started)
        if not head.startswith(b"HTTP/1.1 202"):
            raise AssertionError(head + body)


async def clients(host: str, port: int, count: int) -> list[Client]:
    return [Client(*await asyncio.open_connection(host, port)) for _ in range(count)]


async def at_full_speed(host: str, port: int, requests: list[bytes]) -> tuple[float, list[float]]:
    """Everybody sends as fast as the answers come: how long it took, and each answer's time."""
    waiting = iter(requests)
    found = await clients(host, port, CLIENTS)

    async def work(client: Client) -> None:
        for request in waiting:
            await client.send(request)

    started = time.perf_counter()
    await asyncio.gather(*map(work, found))
    return time.perf_counter() - started, _closed(found)


async def paced(host: str, port: int, requests: list[bytes]) -> list[float]:
    """Requests leave on the beat, whether or not the ones before are answered."""
    found = await clients(host, port, CLIENTS)
    idle = deque(found)
    sent: list[asyncio.Task[None]] = []
    started = time.perf_counter()

    async def one(request: bytes) -> None:
        if not idle:
            found.extend(fresh := await clients(host, port, 1))
            idle.extend(fresh)
        client = idle.popleft()
        await client.send(request)
        idle.append(client)

    for place, request in enumerate(requests):
        wait = started + place / A_SECOND - time.perf_counter()
        if wait > 0:
            await asyncio.sleep(wait)
        sent.append(asyncio.create_task(one(request)))
    await asyncio.gather(*sent)
    return _closed(found)


def _closed(found: list[Client]) -> list[float]:
    for client in found:
        client.writer.close()
    return sorted(second for client in found for second in client.seconds)


def _quantiles(seconds: list[float]) -> dict[str, float]:
    at = {"p50_ms": 0.50, "p99_ms": 0.99, "p999_ms": 0.999}
    return {name: round(1000 * seconds[int(len(seconds) * share)], 2) for name, share in at.items()} | {
        "max_ms": round(1000 * seconds[-1], 2)
    }


def _cpu_seconds(pid: int) -> float:
    parts = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return (int(parts[11]) + int(parts[12])) / os.sysconf("SC_CLK_TCK")


def _folded(host: str, port: int) -> int:
    connection = http.client.HTTPConnection(host, port, timeout=30)
    connection.request("GET", "/healthz")
    return int(json.loads(connection.getresponse().read())["folded"])


def _until_folded(host: str, port: int, count: int) -> float:
    started = time.perf_counter()
    while _folded(host, port) < count:
        assert time.perf_counter() < started + 60, "it is not folded"
        time.sleep(0.005)
    return time.perf_counter() - started


def run() -> dict[str, Any]:
    """Measure; every figure from a fresh server and log."""
    # Without what a table sends twice, so that every request is one more entry.
    said = list({record.identity: record for record in simulate(TABLES, BOARDS, seed=1925)}.values())
    first = next(place for place, record in enumerate(said) if isinstance(record, BoardResult))
    set_up = said[:first]
    played = [record for record in said[first:] if isinstance(record, BoardResult)]
    found: dict[str, Any] = {"tables": TABLES, "boards": BOARDS, "clients": CLIENTS}
    start = [request_of(record) for record in set_up]
    singly = [request_of(record) for record in islice(played, AT_FULL_SPEED)]

    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as (host, port, pid):
        asyncio.run(at_full_speed(host, port, start))
        before = _cpu_seconds(pid)
        took, seconds = asyncio.run(at_full_speed(host, port, singly))
        behind = _until_folded(host, port, len(start) + len(singly))
        found["full_speed"] = {
            "results": len(singly),
            "results_a_second": round(len(singly) / took),
            "server_cpu_microseconds_each": round(1e6 * (_cpu_seconds(pid) - before) / len(singly)),
            "folded_after_seconds": round(behind, 3),
            **_quantiles(seconds),
        }
    by_sender: dict[tuple[str, str], list[AnyRecord]] = {}
    for record in islice(played, AT_FULL_SPEED):
        by_sender.setdefault((record.source, record.role), []).append(record)
    lists = [
        request_of(*records[place : place + TOGETHER])
        for records in by_sender.values()
        for place in range(0, len(records), TOGETHER)
    ]
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as (host, port, _):
        asyncio.run(at_full_speed(host, port, start))
        took, _ = asyncio.run(at_full_speed(host, port, lists))
        found["lists"] = {
            "requests": len(lists),
            "results_a_second": round(min(len(played), AT_FULL_SPEED) / took),
        }
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as (host, port, pid):
        asyncio.run(at_full_speed(host, port, start))
        before = _cpu_seconds(pid)
        seconds = asyncio.run(paced(host, port, singly[: A_SECOND * SECONDS]))
        found["paced"] = {
            "results_a_second": A_SECOND,
            "seconds": SECONDS,
            "server_cpu_share": round((_cpu_seconds(pid) - before) / SECONDS, 3),
            **_quantiles(seconds),
        }
    return found
