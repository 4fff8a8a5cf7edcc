// Listens to the ticks of an event. Written on fetch, because EventSource hides the comments that are the heartbeat.
const STALE_MS = 20_000;
const RETRY_MS = 2_000;

export class Ticks {
  /**
   * @param {string} address where the ticks of the event are
   * @param {(tick: {whole: boolean, scopes: string[], boards: unknown[]}) => void} onTick
   * @param {(live: boolean) => void} onState
   */
  constructor(address, onTick, onState) {
    this.address = address;
    this.onTick = onTick;
    this.onState = onState;
    this.lastId = "";
    this.heardAt = performance.now();
    this.aborter = new AbortController();
    this.watch = setInterval(() => this.#judge(), 1000);
    this.#run();
  }

  close() {
    clearInterval(this.watch);
    this.aborter.abort();
  }

  #judge() {
    if (performance.now() - this.heardAt > STALE_MS) this.onState(false);
  }

  #heard() {
    this.heardAt = performance.now();
    this.onState(true);
  }

  async #run() {
    while (!this.aborter.signal.aborted) {
      try {
        const headers = this.lastId ? { "Last-Event-ID": this.lastId } : {};
        const answer = await fetch(this.address, { headers, signal: this.aborter.signal, cache: "no-store" });
        if (answer.ok) await this.#read(answer.body.pipeThrough(new TextDecoderStream()).getReader());
        else this.onState(false);
      } catch {
        if (!this.aborter.signal.aborted) this.onState(false);
      }
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }

  async #read(reader) {
    let buffer = "";
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      this.#heard();
      buffer += value;
      const parts = buffer.split("\n\n");
      buffer = parts.pop();
      parts.forEach((part) => this.#take(part));
    }
  }

  #take(part) {
    const fields = new Map();
    for (const line of part.split("\n")) {
      const [, name, text] = /^([^:]*): ?(.*)$/.exec(line) ?? [];
      if (name) fields.set(name, text);
    }
    if (fields.has("id")) this.lastId = fields.get("id");
    if (fields.has("data")) this.onTick(JSON.parse(fields.get("data")));
  }
}
