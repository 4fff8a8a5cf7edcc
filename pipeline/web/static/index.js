// The list of events brings itself up to date: rarely looked at, so it asks every few seconds instead of listening.
const EVERY_MS = 3000;
let tag = "";

async function refresh() {
  if (document.hidden) return;
  try {
    const answer = await fetch(location.href, { headers: tag ? { "If-None-Match": tag } : {}, cache: "no-store" });
    if (answer.status !== 200) return;
    tag = answer.headers.get("ETag") ?? "";
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const focused = document.activeElement?.getAttribute("href");
    if (!fresh.getElementById("content") || !fresh.body.classList.contains("index")) return location.reload();
    document.getElementById("content").replaceChildren(...fresh.getElementById("content").childNodes);
    if (focused) document.querySelector(`#content [href="${CSS.escape(focused)}"]`)?.focus();
  } catch {
    // The server is away: what is shown stays, and the next round asks again.
  }
}

setInterval(refresh, EVERY_MS);
