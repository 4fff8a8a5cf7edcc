"""Where headers are believed, only this machine may ask: no page of another site by a borrowed name."""

from collections.abc import Awaitable, Callable, MutableMapping
from http import HTTPStatus
from typing import Any

from fastapi import Request

from pipeline.settings import is_loopback
from pipeline.web.problem import Problem

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class LoopbackOnly:
    """Answers 421 unless the Host is this machine's own (against DNS that is bound anew)."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """As ASGI has it."""
        if scope["type"] == "http":
            host = Request(scope).headers.get("Host", "")
            name = host if host.endswith("]") else host.rpartition(":")[0] or host
            if not is_loopback(name.removeprefix("[").removesuffix("]").lower()):
                problem = Problem(HTTPStatus.MISDIRECTED_REQUEST, "not-here", "this address is not ours")
                await problem.response()(scope, receive, send)
                return
        await self.app(scope, receive, send)
