"""GET how the process is: /metrics and /healthz."""

from http import HTTPStatus

from fastapi import APIRouter, Response
from pydantic_core import to_json

from pipeline.metrics import Metrics
from pipeline.ports import LiveScores


def process_routes(live: LiveScores, metrics: Metrics) -> APIRouter:
    """Routes for those who watch the process."""
    router = APIRouter(tags=["process"])

    @router.get("/metrics", response_class=Response)
    async def get_metrics() -> Response:
        """Every metric, in the text format of Prometheus."""
        return Response(metrics.page(), media_type="text/plain; version=0.0.4; charset=utf-8")

    @router.get("/healthz", response_class=Response, responses={503: {"description": "Not ready"}})
    async def get_health() -> Response:
        """200 when the log is folded and its loop lives, else 503 and why not."""
        trouble = live.trouble()
        status = HTTPStatus.OK if trouble is None else HTTPStatus.SERVICE_UNAVAILABLE
        told = {"status": trouble or "ready", "folded": live.folded, "log": live.log_id}
        return Response(
            to_json(told), status, media_type="application/json", headers={"Cache-Control": "no-store"}
        )

    return router
