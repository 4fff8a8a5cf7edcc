// Makes a scoreboard live: it fetches its own page again by ETag and changes in place what differs.
import { Ticks } from "./live.js";

const hall = document.documentElement.dataset.screen === "hall";
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const COALESCE_MS = hall ? 250 : 1000;
const PAGE_MS = 10_000;
const ROW_MS = 400;
const CHANGED_MS = 2000;

const board = () => document.getElementById("board");
const state = { tag: "", address: location.href, ticks: null, timer: 0, lastAt: -Infinity, clock: null, live: null, rows: null };

// ---- Fetching, by ETag and coalesced ----

async function fetchPage(address, tag) {
  const answer = await fetch(address, { headers: tag ? { "If-None-Match": tag } : {}, cache: "no-store" });
  const clock = answer.headers.get("X-Barometer-Clock");
  if (clock) state.clock = { seconds: clock.split(":").reduce((sum, part) => sum * 60 + Number(part), 0), at: performance.now() };
  if (answer.status === 304) return null;
  if (!answer.ok) throw new Error(String(answer.status));
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  return { tag: answer.headers.get("ETag") ?? "", title: page.title, board: document.adoptNode(page.getElementById("board")) };
}

function refreshSoon() {
  if (state.timer) return;
  const wait = Math.max(0, state.lastAt + COALESCE_MS - performance.now());
  state.timer = setTimeout(refresh, wait);
}

async function refresh() {
  state.timer = 0;
  state.lastAt = performance.now();
  const address = state.address;
  try {
    const page = await fetchPage(address, state.tag);
    if (page === null || address !== state.address) return;
    if (!page.board) throw new Error("no board");
    state.tag = page.tag;
    document.title = page.title;
    update(page.board);
  } catch {
    setTimeout(refreshSoon, 2000);
  }
}

// ---- Changing in place ----

function update(fresh) {
  const here = board();
  // A hall screen keeps its order until the page comes round; what cannot be mended in place is put in anew.
  const before = new Map([...here.querySelectorAll("tbody tr")].map((row) => [row.dataset.key, row]));
  const after = [...fresh.querySelectorAll("tbody tr")];
  const sameColumns = here.querySelector("thead")?.innerHTML === fresh.querySelector("thead")?.innerHTML;
  if (!sameColumns || (hall && (after.length !== before.size || after.some((row) => !before.has(row.dataset.key))))) {
    return replace(fresh);
  }
  mendParts(here, fresh);
  const body = here.querySelector("tbody");
  const tops = hall || calm.matches ? null : new Map([...before].map(([key, row]) => [key, row.getBoundingClientRect().top]));
  for (const row of after) {
    const known = before.get(row.dataset.key);
    if (known) mendRow(known, row, hall ? ".figure, .points, .boards" : "*");
  }
  if (hall) {
    state.rows = after; // places and their order wait until a page is turned
    return;
  }
  const wanted = after.map((row) => before.get(row.dataset.key) ?? row);
  const focused = document.activeElement;
  if (wanted.length !== body.rows.length || wanted.some((row, index) => body.rows[index] !== row)) {
    const scroll = scrollY;
    body.replaceChildren(...wanted);
    scrollTo(scrollX, scroll);
    if (tops) slide(wanted, tops);
    if (focused?.isConnected) focused.focus({ preventScroll: true });
  }
  fitNames();
}

function mendParts(here, fresh) {
  for (const part of ["strip", "as-of", "early", "beside", "left"]) {
    const [old, now] = [here, fresh].map((root) => root.querySelector(`[data-part="${part}"]`));
    if (old && now && (old.innerHTML !== now.innerHTML || old.className !== now.className)) {
      const focused = old.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
      old.className = now.className;
      old.replaceChildren(...now.childNodes);
      if (focused) old.querySelector(`[href="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
    } else if (!old && now) {
      here.querySelector("main").prepend(now);
    } else if (old && !now) {
      old.remove();
    }
  }
  for (const selector of [".since", ".next"]) {
    const [old, now] = [here, fresh].map((root) => root.querySelector(`.foot ${selector}`));
    if (old && now && old.innerHTML !== now.innerHTML) old.replaceChildren(...now.childNodes);
  }
  if (fresh.dataset.next) here.dataset.next = fresh.dataset.next;
  const [table, now] = [here, fresh].map((root) => root.querySelector("table.standings"));
  table.hidden = now.hidden;
}

function mendRow(row, fresh, which) {
  if (which === "*") {
    row.dataset.place = fresh.dataset.place;
    row.className = fresh.className;
  }
  const cells = [...row.cells];
  [...fresh.cells].forEach((cell, index) => {
    const old = cells[index];
    if (!cell.matches(which) || comparable(old) === comparable(cell)) return;
    const figure = "figure" in old.dataset;
    old.replaceChildren(...[...cell.childNodes].map((node) => node.cloneNode(true)));
    if (figure) {
      old.classList.add("changed");
      setTimeout(() => old.classList.remove("changed"), CHANGED_MS);
    }
  });
}

// Which form of a name is shown is this page's own doing and no change.
const comparable = (cell) => cell.innerHTML.replaceAll(/ hidden(="")?/g, "");

function slide(rows, tops) {
  for (const row of rows) {
    const from = tops.get(row.dataset.key);
    const by = from === undefined ? 0 : from - row.getBoundingClientRect().top;
    if (by) row.animate([{ transform: `translateY(${by}px)` }, { transform: "none" }], { duration: 250, easing: "ease-out" });
  }
}

function replace(fresh) {
  board().replaceWith(fresh);
  const live = state.live;
  state.live = null;
  if (live !== null) setLive(live);
  state.rows = null;
  if (hall) startTurning();
  else fitNames();
}

// ---- Live or not ----

function setLive(live) {
  if (state.live === live) return;
  state.live = live;
  const shown = document.getElementById("live");
  if (!shown) return;
  shown.classList.toggle("stale", !live);
  shown.classList.toggle("is-live", live);
  board().classList.toggle("not-live", !live);
  shown.querySelector(".state").hidden = false;
  shown.querySelector(".state-word").textContent = live
    ? shown.dataset.live
    : shown.dataset.notLive.replace("{time}", timeOfHall(state.ticks?.heardAt ?? performance.now()));
}

function timeOfHall(moment) {
  if (!state.clock) return "";
  const seconds = state.clock.seconds + (moment - state.clock.at) / 1000;
  const minutes = Math.floor((((seconds % 86_400) + 86_400) % 86_400) / 60);
  return [Math.floor(minutes / 60), minutes % 60].map((part) => String(part).padStart(2, "0")).join(":");
}

function listen() {
  const { ticks, scope } = board().dataset;
  if (state.ticks?.address === ticks) return;
  state.ticks?.close();
  const mine = new Ticks(
    ticks,
    (tick) => {
      if (tick.whole || tick.boards.length || tick.scopes.some((name) => name === board().dataset.scope || board().dataset.scope === "event")) refreshSoon();
    },
    (live) => {
      if (state.ticks === mine || state.ticks === null) setLive(live);
    },
  );
  state.ticks = mine;
}

// ---- Names: initials where a pair does not fit, each partner on their own ----

function fitNames() {
  for (const pair of document.querySelectorAll(".partners")) {
    if (!pair.offsetParent) continue;
    show(pair, "full");
    if (tooLong(pair)) show(pair, "short");
  }
}

const tooLong = (pair) => [...pair.children].some((part) => part.scrollWidth > part.clientWidth + 1);

function show(pair, form) {
  for (const name of pair.querySelectorAll(".full, .short")) name.hidden = !name.classList.contains(form);
}

// ---- A hall screen turns its pages ----

const turn = { first: 0, frame: 0, startedAt: 0, lasts: 0 };

function capacity() {
  const area = board().querySelector("main");
  const table = area.querySelector("table");
  table.style.removeProperty("--row");
  const row = table.tBodies[0].rows[turn.first] ?? table.tBodies[0].rows[0];
  if (!row) return 1;
  const rows = [...table.tBodies[0].rows];
  rows.forEach((one) => (one.hidden = one !== row));
  const space = area.getBoundingClientRect().bottom - row.getBoundingClientRect().top;
  const height = row.getBoundingClientRect().height;
  const fits = Math.max(1, Math.floor((space + 1) / height));
  if (rows.length > fits / 2) table.style.setProperty("--row", `${Math.floor((space / fits) * 10) / 10}px`); // no half row, no gap
  return fits;
}

function showRows() {
  const table = board().querySelector("main table");
  const body = table.tBodies[0];
  if (state.rows) {
    const known = new Map([...body.rows].map((row) => [row.dataset.key, row]));
    for (const row of state.rows) mendRow(known.get(row.dataset.key), row, "*");
    body.replaceChildren(...state.rows.map((row) => known.get(row.dataset.key)));
    state.rows = null;
  }
  const rows = [...body.rows];
  if (turn.first >= rows.length) turn.first = 0;
  const fits = capacity();
  rows.forEach((row, index) => (row.hidden = index < turn.first || index >= turn.first + fits));
  const last = Math.min(turn.first + fits, rows.length);
  const ranks = board().querySelector(".ranks");
  if (ranks && rows.length > fits) {
    const text = ranks.dataset.template.replace("{first}", turn.first + 1).replace("{last}", last).replace("{all}", rows.length);
    ranks.textContent = text;
    ranks.hidden = false;
  } else if (ranks) {
    ranks.hidden = true;
  }
  turn.next = last < rows.length ? last : 0;
  turn.lasts = PAGE_MS + ROW_MS * (last - turn.first);
  turn.startedAt = performance.now();
  fitNames();
  tickBar();
}

function startTurning() {
  turn.first = 0;
  showRows();
}

function tickBar() {
  const done = board().querySelector(".turning .done");
  const alone = turn.next === 0 && !board().dataset.next;
  const share = Math.min(1, (performance.now() - turn.startedAt) / turn.lasts);
  if (done) done.style.width = alone ? "0" : `${Math.round(share * 100)}%`;
  board().querySelector(".turning")?.classList.toggle("idle", alone);
  if (share >= 1 && !turn.busy) turnPage();
}

async function turnPage() {
  if (turn.next !== 0) {
    turn.first = turn.next;
    return showRows();
  }
  const address = board().dataset.next;
  if (!address) return startTurning();
  turn.busy = true;
  try {
    const page = await fetchPage(address, "");
    if (page?.board) {
      state.address = new URL(address, location.href).href;
      state.tag = page.tag;
      history.replaceState(null, "", address);
      document.title = page.title;
      replace(page.board);
      listen();
    }
  } catch {
    startTurning(); // the server is away: what is known goes round
  } finally {
    turn.busy = false;
  }
}

// ---- Begin ----

if (hall) {
  document.documentElement.classList.add("turns");
  startTurning();
  setInterval(tickBar, 250);
  addEventListener("resize", showRows);
} else {
  fitNames();
  addEventListener("resize", fitNames);
}
listen();
