"""A whole Barometer without a socket: the application, its hub and its log, and a client to call it."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qsl

import httpx2 as httpx

from pipeline.bootstrap import Whole, whole
from pipeline.settings import read_settings
from pipeline.web.guard import App
from schemas.codec import AnyRecord, write_record
from tests.builders import EVENT, HandClock

DIRECTOR: Final = {"X-Barometer-Role": "director"}
HERE: Final = "http://127.0.0.1"


def payload_of(record: AnyRecord) -> tuple[dict[str, Any], dict[str, str]]:
    """A record as a client sends it: the payload, and headers for who says it."""
    payload = json.loads(write_record(record))
    headers = {"X-Barometer-Role": payload.pop("role"), "X-Barometer-Source": payload.pop("source")}
    return payload, headers


@dataclass
class Called:
    """A Barometer that runs in this process; what is read is no older than what was said here."""

    whole: Whole
    client: httpx.AsyncClient
    clock: HandClock
    said: int = -1

    async def post(
        self, payload: object, headers: Mapping[str, str] = DIRECTOR, event: str = EVENT
    ) -> httpx.Response:
        """POST whatever it is as JSON."""
        return await self.client.post(f"/events/{event}/records", json=payload, headers=headers)

    async def say(self, *records: AnyRecord) -> int:
        """Say records one after another, each with its 202; return the offset of the last."""
        offset = -1
        for record in records:
            payload, headers = payload_of(record)
            answer = await self.post(payload, headers, record.event)
            assert answer.status_code == 202, answer.text
            offset = max(offset, answer.json()["stamp"]["offset"])
        assert await self.whole.hub.wait_folded(offset, 10)
        self.said = max(self.said, offset)
        return offset

    async def get(
        self, path: str, headers: Mapping[str, str] | None = None, **asked: object
    ) -> httpx.Response:
        """GET something of the event; a path with a slash in front is taken as it is."""
        where, _, query = (path if path.startswith("/") else f"/events/{EVENT}/{path}").partition("?")
        asked = {**dict(parse_qsl(query)), **asked}
        if "/" in where.removeprefix("/events/") or where == f"/events/{EVENT}":
            asked.setdefault("after", self.said)
        parameters = {name.rstrip("_"): str(value) for name, value in asked.items()}
        return await self.client.get(where, params=parameters, headers=headers)

    async def ticks(
        self, headers: Mapping[str, str] | None = None, event: str = EVENT
    ) -> AsyncIterator[dict[str, Any]]:
        """Server-sent events as they come: `id` and what is in `data`, and beats; ends with the stream."""
        async for block in streamed(self.whole.app, f"/events/{event}/ticks", headers or {}):
            fields = dict(line.partition(": ")[::2] for line in block.splitlines())
            if "data" in fields:
                yield {"id": fields["id"], **json.loads(fields["data"])}
            elif block.startswith(":"):
                yield {"beat": True}


async def streamed(app: App, path: str, headers: Mapping[str, str]) -> AsyncIterator[str]:
    """Call an ASGI application and yield the blocks of its answer as they come."""
    chunks: asyncio.Queue[bytes | None] = asyncio.Queue()
    gone = asyncio.Event()

    async def receive() -> dict[str, Any]:
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: Mapping[str, Any]) -> None:
        if message["type"] == "http.response.start":
            assert message["status"] == 200, message
        elif message["type"] == "http.response.body":
            await chunks.put(message.get("body", b""))
            if not message.get("more_body"):
                await chunks.put(None)

    sent = {"host": "127.0.0.1", **headers}
    scope = {
        "type": "http",
        "asgi": {"version": "3.0", "spec_version": "2.3"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"",
        "headers": [(name.lower().encode(), value.encode()) for name, value in sent.items()],
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }
    task = asyncio.ensure_future(app(scope, receive, send))
    rest = ""
    try:
        while (chunk := await asyncio.wait_for(chunks.get(), 10)) is not None:
            *blocks, rest = (rest + chunk.decode()).split("\n\n")
            for block in blocks:
                yield block
    finally:
        gone.set()
        await asyncio.wait_for(asyncio.gather(task, return_exceptions=True), 10)


@asynccontextmanager
async def called(
    path: Path,
    environment: Mapping[str, str] | None = None,
    *,
    clock: HandClock | None = None,
    heartbeat_seconds: float | None = None,
) -> AsyncIterator[Called]:
    """Run a Barometer over this log file."""
    settings = read_settings(environment or {}, log=path)
    hand = clock or HandClock()
    async with whole(settings, hand, heartbeat_seconds=heartbeat_seconds) as process:
        await process.hub.caught_up()
        transport = httpx.ASGITransport(process.app)
        async with httpx.AsyncClient(transport=transport, base_url=HERE) as client:
            yield Called(process, client, hand)


def fields_of(answer: httpx.Response) -> set[str]:
    """The fields that a problem names."""
    assert answer.headers["content-type"] == "application/problem+json"
    errors: Iterable[Mapping[str, Any]] = answer.json()["errors"]
    for error in errors:
        assert error["rule"]
        assert "value" in error
    return {error["field"] for error in errors}
