"""The demo's way to `serve`: plain HTTP over one kept connection, as a scoring program would come."""

import json
from collections.abc import Mapping
from http.client import HTTPConnection, HTTPException
from typing import Any, Final
from urllib.parse import quote, urlsplit

from schemas.codec import AnyRecord, write_record
from schemas.published import PersonNamed

SECONDS: Final = 10.0


class ServerGone(Exception):
    """The server did not answer as it must."""


class Caller:
    """One connection, in one thread."""

    def __init__(self, address: str) -> None:
        """Connect at the first request."""
        host = urlsplit(address).netloc
        self._connection = HTTPConnection(host, timeout=SECONDS)
        self._tags: dict[str, tuple[str, Any]] = {}

    def send(self, record: AnyRecord) -> int:
        """Send a record in the name of its source; answer the offset that the log gave it."""
        payload = json.loads(write_record(record))
        for ours in ("event", "source", "role"):
            payload.pop(ours, None)
        headers = {"X-Barometer-Role": str(record.role), "X-Barometer-Source": str(record.source)}
        told = self._ask("POST", f"/events/{quote(record.event)}/records", payload, headers)
        return int(told["stamp"]["offset"])

    def name(self, person: PersonNamed) -> None:
        """Say what somebody is called."""
        payload = {"name": person.name}
        if person.member_number is not None:
            payload["member_number"] = person.member_number
        path = f"/events/{quote(person.event)}/people/{quote(person.person)}"
        self._ask("PUT", path, payload, {"X-Barometer-Role": "organiser"})

    def get(self, path: str, role: str | None = None) -> Any:  # noqa: ANN401 - JSON
        """Read something; what has not changed is not sent again."""
        held = self._tags.get(path)
        headers = {} if held is None else {"If-None-Match": held[0]}
        if role is not None:
            headers["X-Barometer-Role"] = role
        return self._ask("GET", path, None, headers)

    def close(self) -> None:
        """Hang up."""
        self._connection.close()

    def _ask(self, method: str, path: str, payload: object, headers: Mapping[str, str]) -> Any:  # noqa: ANN401 - JSON
        body = None if payload is None else json.dumps(payload).encode()
        sent = {**headers, **({"Content-Type": "application/json"} if body else {})}
        try:
            self._connection.request(method, path, body, sent)
            answer = self._connection.getresponse()
            data = answer.read()
        except (OSError, HTTPException) as error:
            self._connection.close()
            raise ServerGone(f"{method} {path}: {error}") from error
        if answer.status == 304:
            return self._tags[path][1]
        if answer.status >= 300:
            raise ServerGone(f"{method} {path}: {answer.status} {data[:300].decode(errors='replace')}")
        told = json.loads(data) if data else None
        tag = answer.getheader("ETag")
        if tag is not None:
            self._tags[path] = (tag, told)
        return told
