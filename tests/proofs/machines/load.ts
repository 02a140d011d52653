import { eq } from "drizzle-orm";
import * as v from "valibot";
import { calls } from "#db/schema/calls.ts";
import type { Deps } from "#src/base/deps.ts";
import { sessionStream } from "#src/base/streams/broadcast.ts";
import { findStreamOffsets } from "#src/base/streams/stream-offsets.ts";
import { sessionChannel } from "#tests/live/cable/client.ts";
import { buildEvent, buildPlayer, buildRunningSession, readSpots } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { Listener } from "./listener.ts";

const DURATION_S = 1_500;
const BALANCE_CENTS = 10_000_000;
const RETRY_AFTER_MS = 200;
const PAUSE_MS = 10;
const GIVE_UP_AFTER_MS = 30_000;

const placed = v.object({ call: v.object({ id: v.number() }) });

type Size = { readers: number; callers: number; sockets: number };
type Address = { origin: string };
type Headers = Record<string, string>;
/** Where people play, and how another one of them signs in. The headers go with each request. */
export type Show = {
  id: number;
  slug: string;
  eventId: number;
  spotIds: readonly [number, number];
  signIn: () => Promise<Headers>;
};

/** An answer that was no success: its status, or the code of an error. */
export type Met = { what: string; atMs: number };

/** What players need: a page or an answer of the API, a call that is placed, and a message. All of them need the database. */
export const kinds = ["page", "call", "message"] as const;
type Kind = (typeof kinds)[number];

export type LoadReport = {
  /** Requests that were answered as they should. */
  answered: number;
  /** Everything else, by status or error code. A call that was refused is sent again with its key, until it is placed. */
  others: Record<string, number>;
  /** The longest time in which nothing was answered, in milliseconds. */
  longestGapMs: number;
  calls: { acknowledged: number; lost: number; unknown: number };
  messages: typeof Listener.counts;
};

/** People on a show: readers of pages and of the API, callers, and sockets that count what they miss by its offset. */
export class Load {
  readonly #deps: Deps;
  readonly #origin: string;
  readonly #ids = new Set<number>();
  readonly #met: Met[] = [];
  readonly #listeners: Listener[] = [];
  readonly #robots: Promise<void>[] = [];
  #running = true;
  #answered = 0;
  #answeredAtMs = performance.now();
  /** When each kind first succeeded since `#watchedSinceMs`. */
  readonly #first = new Map<Kind, number>();
  #watchedSinceMs = 0;
  #longestGapMs = 0;
  #sessionId = 0;
  #eventId = 0;

  constructor(deps: Deps, { origin }: Address) {
    this.#deps = deps;
    this.#origin = origin;
  }

  /** How many requests were answered as they should. */
  get answered(): number {
    return this.#answered;
  }

  /** Forgets what has succeeded: only what begins from now on counts in `first`. */
  watch(): void {
    this.#watchedSinceMs = performance.now();
    this.#first.clear();
  }

  /** After how many milliseconds each kind has succeeded since `watch`; null if it has not yet. */
  first(kind: Kind): number | null {
    const atMs = this.#first.get(kind);
    return atMs === undefined ? null : atMs - this.#watchedSinceMs;
  }

  /** The answers that were no success, and the errors. */
  get others(): readonly Met[] {
    return this.#met;
  }

  /** Opens the sockets of a show, and starts the requests. Without a show it builds one. */
  async start({ readers, callers, sockets }: Size, show?: Show): Promise<void> {
    const { id, slug, eventId, spotIds, signIn } = show ?? (await this.#buildShow());
    this.#sessionId = id;
    this.#eventId = eventId;
    const people = await Promise.all(Array.from({ length: readers + callers }, signIn));
    const cookies = people.map(({ cookie }) => cookie ?? "");
    for (let index = 0; index < sockets; index += 1) {
      const cookie = cookies[index % cookies.length] ?? "";
      this.#listeners.push(
        new Listener({
          origin: this.#origin,
          identifier: sessionChannel(id),
          cookie,
          address: "",
          onMessage: () => this.#first.has("call") && this.#succeed("message"),
        }),
      );
    }
    await Promise.all(this.#listeners.map(({ ready }) => ready));
    const paths = [`/api/v1/events/${eventId}`, `/sessions/${slug}`];
    const read = (headers: Headers, index: number) => this.#read(headers, paths[index % paths.length] ?? "");
    const place = (headers: Headers, index: number) => this.#place(headers, spotIds[index % 2 === 0 ? 0 : 1]);
    this.#answeredAtMs = performance.now();
    this.#robots.push(
      ...people.slice(0, readers).map((headers) => this.#repeat((index) => read(headers, index))),
      ...people.slice(readers).map((headers) => this.#repeat((index) => place(headers, index))),
    );
  }

  /** Ends the requests, waits until each socket has the last message, and counts. */
  async stop(): Promise<LoadReport> {
    this.#running = false;
    await Promise.all(this.#robots);
    const ofEvent = eq(calls.eventId, this.#eventId);
    const rows = await this.#deps.pool.db.select({ id: calls.id }).from(calls).where(ofEvent);
    const inBooks = new Set(rows.map(({ id }) => id));
    await this.#untilAllHaveTheLast();
    return {
      answered: this.#answered,
      others: countOf(this.#met),
      longestGapMs: Math.round(this.#longestGapMs),
      calls: {
        acknowledged: this.#ids.size,
        lost: this.#ids.difference(inBooks).size,
        unknown: inBooks.difference(this.#ids).size,
      },
      messages: Listener.counts,
    };
  }

  async #untilAllHaveTheLast(): Promise<void> {
    const behind = async () => {
      const [last] = await findStreamOffsets(this.#deps.redis, [sessionStream(this.#sessionId)]);
      return this.#listeners.filter(({ at }) => (at?.offset ?? 0) < (last?.offset ?? 0)).length;
    };
    await waitFor("all sockets to have the last message", async () => (await behind()) === 0);
  }

  async #buildShow(): Promise<Show> {
    const { id, slug } = await buildRunningSession(this.#deps);
    const event = await buildEvent(this.#deps, "open", { sessionId: id, durationSeconds: DURATION_S });
    const spots = await readSpots(this.#deps, event.id);
    const signIn = async () =>
      signInDirectly(this.#deps, await buildPlayer(this.#deps, { balanceCents: BALANCE_CENTS }));
    return { id, slug, eventId: event.id, spotIds: [spots.true.id, spots.false.id], signIn };
  }

  async #repeat(work: (index: number) => Promise<void>): Promise<void> {
    let index = 0;
    while (this.#running) {
      await work(index);
      index += 1;
      await Bun.sleep(PAUSE_MS);
    }
  }

  /** Every other request has a connection of its own. */
  async #read(headers: Headers, path: string): Promise<void> {
    const keepalive = this.#answered % 2 === 0;
    await this.#send("page", path, { headers: { ...headers, accept: "*/*" }, keepalive });
  }

  async #place(headers: Headers, spotId: number): Promise<void> {
    const init = {
      method: "POST",
      headers: {
        ...headers,
        origin: this.#origin,
        "content-type": "application/json",
        "idempotency-key": crypto.randomUUID(),
      },
      body: JSON.stringify({ call: { spot_id: spotId, wager: 0.01 } }),
    };
    for (;;) {
      const body = await this.#send("call", "/api/v1/calls", init);
      if (body !== null) {
        this.#ids.add(v.parse(placed, JSON.parse(body)).call.id);
        return;
      }
      await Bun.sleep(RETRY_AFTER_MS);
    }
  }

  /** @returns the body; null if the answer was no success, or none. */
  async #send(kind: Kind, path: string, init: RequestInit): Promise<string | null> {
    const begunMs = performance.now();
    const signal = AbortSignal.timeout(GIVE_UP_AFTER_MS);
    try {
      const response = await fetch(`${this.#origin}${path}`, { ...init, signal });
      const body = await response.text();
      if (response.ok) {
        this.#countAnswer();
        if (begunMs >= this.#watchedSinceMs) this.#succeed(kind);
        return body;
      }
      this.#countOther(String(response.status));
    } catch (error) {
      this.#countOther(codeOf(error));
    }
    return null;
  }

  #countAnswer(): void {
    const now = performance.now();
    this.#longestGapMs = Math.max(this.#longestGapMs, now - this.#answeredAtMs);
    this.#answeredAtMs = now;
    this.#answered += 1;
  }

  #succeed(kind: Kind): void {
    if (!this.#first.has(kind)) this.#first.set(kind, performance.now());
  }

  #countOther(what: string): void {
    this.#met.push({ what, atMs: performance.now() });
  }
}

/** How many there are of each status or code. */
export function countOf(met: readonly Met[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { what } of met) counts[what] = (counts[what] ?? 0) + 1;
  return counts;
}

function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return "unknown";
  if ("code" in error && typeof error.code === "string") return error.code;
  return error instanceof Error ? error.name : "unknown";
}
