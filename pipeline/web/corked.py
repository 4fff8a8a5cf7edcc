"""A connection whose answer leaves in one piece: head and body in one packet and one call to the system."""

import asyncio
from typing import Any


class Corked(asyncio.Transport):
    """Keeps what is written until the running step of the loop is over, then writes it at once."""

    def __init__(self, transport: asyncio.Transport) -> None:
        """Everything but writing and ending is the transport's own."""
        super().__init__()
        self._transport = transport
        self._kept: list[bytes] = []
        self._loop = asyncio.get_running_loop()

    def write(self, data: Any) -> None:  # noqa: ANN401 - whatever has bytes
        """Keep it for a moment."""
        if not self._kept:
            self._loop.call_soon(self._flush)
        self._kept.append(bytes(data))

    def close(self) -> None:
        """End after what was written."""
        self._flush()
        self._transport.close()

    def get_extra_info(self, name: str, default: Any = None) -> Any:  # noqa: ANN401 - as asyncio has it
        """What is known of the connection."""
        return self._transport.get_extra_info(name, default)

    def is_closing(self) -> bool:
        """Tell whether it has ended."""
        return self._transport.is_closing()

    def pause_reading(self) -> None:
        """Read no further."""
        self._transport.pause_reading()

    def resume_reading(self) -> None:
        """Read on."""
        self._transport.resume_reading()

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        """Hand the connection over."""
        self._transport.set_protocol(protocol)

    def _flush(self) -> None:
        if self._kept:
            data = b"".join(self._kept)
            self._kept.clear()
            self._transport.write(data)
