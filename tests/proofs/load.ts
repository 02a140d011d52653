import { expect } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { isDatabaseAway } from "#db/pool/database-errors.ts";
import { calls } from "#db/schema/calls.ts";
import type { Deps } from "#src/base/deps.ts";
import { sessionStream } from "#src/base/streams/broadcast.ts";
import { findStreamOffsets } from "#src/base/streams/stream-offsets.ts";
import { rates } from "#src/http/rates.ts";
import { browserSocket } from "#tests/live/cable/browser-socket.ts";
import { sessionChannel } from "#tests/live/cable/client.ts";
import { listDifferences } from "#tests/support/books.ts";
import { buildEvent, buildPlayer, buildRunningSession, readSpots } from "#tests/support/build.ts";
import { signInDirectly } from "#tests/support/client.ts";
import { waitFor } from "#tests/support/wait-for.ts";

const OPEN_S = 1_500;
const BALANCE_CENTS = 10_000_000;
/** Calls often enough to see a return, and a fifth less often than an account may. */
const PAUSE_MS = (1.2 * 1_000 * rates.placeCall.withinS) / rates.placeCall.perAccount;
const RETRY_AFTER_MS = 200;
const READ_BOOKS_EVERY_MS = 200;
const GIVE_UP_AFTER_MS = 30_000;

const placed = v.object({ call: v.object({ id: v.number() }) });
type Headers = Record<string, string>;

/** Where people play, and how another one of them signs in. The headers go with each request. */
export type Show = {
  id: number;
  slug: string;
  eventId: number;
  spotIds: readonly [number, number];
  signIn: () => Promise<Headers>;
};

/** A running show with an event that takes calls for longer than all of a proof. */
export async function openShow(deps: Deps): Promise<Show> {
  const { id, slug } = await buildRunningSession(deps);
  const event = await buildEvent(deps, "open", { sessionId: id, durationSeconds: OPEN_S });
  const spots = await readSpots(deps, event.id);
  const signIn = async () => signInDirectly(deps, await buildPlayer(deps, { balanceCents: BALANCE_CENTS }));
  return { id, slug, eventId: event.id, spotIds: [spots.true.id, spots.false.id], signIn };
}

/** What people do, and how fast. */
type LoadOptions = {
  origin: string;
  show: Show;
  readers?: number;
  callers?: number;
  sockets?: number;
  /** The pages and answers of the API that are read, in turn. */
  paths?: readonly string[];
  /** Between two requests of a person. */
  pauseMs?: number;
  /** False where the database is not of this release all the time: its books are read at the end alone. */
  readsBooks?: boolean;
};

/** What players need: a page or an answer of the API, a call that is placed, and a message. All of them need the database. */
export const kinds = ["page", "call", "message"] as const;
type Kind = (typeof kinds)[number];

/** An answer as a client met it. Status 0: there was none, because of an error with this code. */
type Met = {
  what: "page" | "call";
  status: number;
  code: string;
  retryAfter: string | null;
  atMs: number;
  tookMs: number;
};
const isGood = ({ status }: Met) => status >= 200 && status < 300;

/** What is true at the end. */
export type LoadReport = {
  answered: number;
  /** Every answer that was no success, by status or code. A call that was refused is sent again with its key, until it is placed. */
  others: Record<string, number>;
  /** The longest time in which nothing was answered, in milliseconds. */
  longestGapMs: number;
  acknowledged: number;
  /** The ids of acknowledged calls that are not in the books, and of others that are. */
  lost: number[];
  unknown: number[];
  /** What the reader of the books has ever found. */
  differences: unknown[];
  messages: typeof Listener.counts;
};

/** People on a show: readers, callers, sockets that count what they miss by its offset, and a reader of the books beside them. */
export class Load {
  readonly met: Met[] = [];
  readonly #deps: Deps;
  readonly #options: LoadOptions;
  /** The calls that were there before, and those that were acknowledged. */
  #before = new Set<number>();
  readonly #ids = new Set<number>();
  readonly #listeners: Listener[] = [];
  readonly #differences: unknown[] = [];
  #work: Promise<unknown> = Promise.resolve();
  #running = true;
  #watchedSinceMs = 0;
  #messageAtMs: number | null = null;

  private constructor(deps: Deps, options: LoadOptions) {
    this.#deps = deps;
    this.#options = options;
  }

  /** Opens the sockets and starts the requests. A call without a clear answer is sent again with its key until it has one, as clients do. */
  static async start(deps: Deps, options: LoadOptions): Promise<Load> {
    const load = new Load(deps, options);
    load.#before = await load.#listCalls();
    const { origin, show, readers = 4, callers = 4, sockets = 0, readsBooks = true } = options;
    const { paths = [`/api/v1/events/${show.eventId}`, `/sessions/${show.slug}`] } = options;
    const people = await Promise.all(Array.from({ length: readers + callers }, show.signIn));
    for (let index = 0; index < sockets; index += 1) {
      const cookie = people[index % people.length]?.["cookie"] ?? "";
      const onMessage = () => load.#hear();
      const identifier = sessionChannel(show.id);
      load.#listeners.push(new Listener({ origin, identifier, cookie, onMessage }));
    }
    await Promise.all(load.#listeners.map(({ ready }) => ready));
    load.#work = Promise.all([
      ...people
        .slice(0, readers)
        .map((headers) => load.#repeat((turn) => load.#read(headers, paths[turn % paths.length] ?? ""))),
      ...people
        .slice(readers)
        .map((headers) => load.#repeat((turn) => load.#place(headers, show.spotIds[turn % 2 === 0 ? 0 : 1]))),
      readsBooks ? load.#readBooks() : null,
    ]);
    return load;
  }

  get #pauseMs(): number {
    return this.#options.pauseMs ?? PAUSE_MS;
  }

  /** How many requests were answered as they should. */
  get answered(): number {
    return this.met.filter(isGood).length;
  }

  /** How many answers of this kind and status there were after a moment. */
  count(what: Met["what"], status: number, sinceMs = 0): number {
    return this.met.filter((each) => each.what === what && each.status === status && each.atMs > sinceMs)
      .length;
  }

  /** The first success of this kind whose request was sent after a moment. */
  firstGood(what: Met["what"], sinceMs: number): Met | undefined {
    return this.met.find((each) => each.what === what && isGood(each) && each.atMs - each.tookMs >= sinceMs);
  }

  /** Waits until so many more requests are answered as they should. */
  async untilMoreIsAnswered(more: number): Promise<void> {
    const before = this.answered;
    await waitFor("more answers", () => this.answered > before + more);
  }

  /** Forgets what has succeeded: only what begins from now on counts in `first`. */
  watch(): void {
    this.#watchedSinceMs = performance.now();
    this.#messageAtMs = null;
  }

  /** After how many milliseconds each kind has succeeded since `watch`; null if it has not yet. A message counts after a call. */
  first(kind: Kind): number | null {
    const atMs = kind === "message" ? this.#messageAtMs : this.firstGood(kind, this.#watchedSinceMs)?.atMs;
    return atMs == null ? null : atMs - this.#watchedSinceMs;
  }

  /** Ends the load, after each caller has an answer to the last call and each socket has the last message, and counts. */
  async stop(): Promise<LoadReport> {
    this.#running = false;
    await this.#work;
    const inBooks = (await this.#listCalls()).difference(this.#before);
    await this.#untilAllHaveTheLast();
    const goodAtMs = this.met.filter(isGood).map(({ atMs }) => atMs);
    const gaps = goodAtMs.slice(1).map((atMs, index) => atMs - (goodAtMs[index] ?? atMs));
    return {
      answered: this.answered,
      others: countOf(this.met),
      longestGapMs: Math.round(Math.max(0, ...gaps)),
      acknowledged: this.#ids.size,
      lost: [...this.#ids.difference(inBooks)],
      unknown: [...inBooks.difference(this.#ids)],
      differences: [...this.#differences, ...(await listDifferences(this.#deps.pool.db))],
      messages: Listener.counts,
    };
  }

  async #listCalls(): Promise<Set<number>> {
    const ofEvent = eq(calls.eventId, this.#options.show.eventId);
    const rows = await this.#deps.pool.db.select({ id: calls.id }).from(calls).where(ofEvent);
    return new Set(rows.map(({ id }) => id));
  }

  #hear(): void {
    if (this.#messageAtMs === null && this.firstGood("call", this.#watchedSinceMs) !== undefined)
      this.#messageAtMs = performance.now();
  }

  async #untilAllHaveTheLast(): Promise<void> {
    if (this.#listeners.length === 0) return;
    const behind = async () => {
      const stream = sessionStream(this.#options.show.id);
      const [last] = await findStreamOffsets(this.#deps.redis, [stream]);
      return this.#listeners.filter(({ at }) => (at?.offset ?? 0) < (last?.offset ?? 0)).length;
    };
    await waitFor("all sockets to have the last message", async () => (await behind()) === 0);
  }

  async #repeat(work: (turn: number) => Promise<void>): Promise<void> {
    for (let turn = 0; this.#running; turn += 1) {
      await work(turn);
      await Bun.sleep(this.#pauseMs);
    }
  }

  /** Every other request has a connection of its own. */
  async #read(headers: Headers, path: string): Promise<void> {
    const accept = path.startsWith("/api/") ? "*/*" : "text/html";
    const keepalive = this.met.length % 2 === 0;
    await this.#send("page", path, { headers: { ...headers, accept }, keepalive, redirect: "manual" });
  }

  async #place(headers: Headers, spotId: number): Promise<void> {
    const key = { "content-type": "application/json", "idempotency-key": crypto.randomUUID() };
    const init = {
      method: "POST",
      headers: { ...headers, origin: this.#options.origin, ...key },
      body: JSON.stringify({ call: { spot_id: spotId, wager: 0.01 } }),
    };
    for (;;) {
      const body = await this.#send("call", "/api/v1/calls", init);
      if (body !== null) return void this.#ids.add(v.parse(placed, JSON.parse(body)).call.id);
      await Bun.sleep(Math.max(RETRY_AFTER_MS, this.#pauseMs));
    }
  }

  /** @returns the body; null if the answer was no success, or none. */
  async #send(what: Met["what"], path: string, init: RequestInit): Promise<string | null> {
    const sentAtMs = performance.now();
    const note = (status: number, code: string, retryAfter: string | null = null) => {
      const atMs = performance.now();
      this.met.push({ what, status, code, retryAfter, atMs, tookMs: atMs - sentAtMs });
    };
    try {
      const signal = AbortSignal.timeout(GIVE_UP_AFTER_MS);
      const response = await fetch(`${this.#options.origin}${path}`, { ...init, signal });
      const body = await response.text();
      note(response.status, String(response.status), response.headers.get("retry-after"));
      return response.ok ? body : null;
    } catch (error) {
      note(0, codeOf(error));
      return null;
    }
  }

  async #readBooks(): Promise<void> {
    while (this.#running) {
      try {
        this.#differences.push(...(await listDifferences(this.#deps.pool.db)));
      } catch (error) {
        if (!isDatabaseAway(error)) throw error;
      }
      await Bun.sleep(READ_BOOKS_EVERY_MS);
    }
  }
}

/** How many answers that were no success there are of each status or code. */
export function countOf(met: readonly Met[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { code } of met.filter((each) => !isGood(each))) counts[code] = (counts[code] ?? 0) + 1;
  return counts;
}

function codeOf(error: unknown): string {
  if (typeof error !== "object" || error === null) return "unknown";
  if ("code" in error && typeof error.code === "string") return error.code;
  return error instanceof Error ? error.name : "unknown";
}

/** Ends the load: every acknowledged call is in the books, and no other, the books agreed all the time, and refusals were 503. */
export async function expectNothingLost(load: Load): Promise<void> {
  const { lost, unknown, differences, others, acknowledged } = await load.stop();
  expect({ lost, unknown, differences }).toEqual({ lost: [], unknown: [], differences: [] });
  expect(acknowledged).toBeGreaterThan(0);
  expect(Object.keys(others).filter((code) => code !== "503")).toEqual([]);
  expect(load.met.filter(({ status, retryAfter }) => status === 503 && retryAfter === null)).toEqual([]);
}

/** Takes a server away under load and gives it back: meanwhile calls are refused with 503, and nothing is lost. */
export async function expectRefusedMeanwhile(
  load: Load,
  { takeAway, giveBack }: { takeAway: () => Promise<unknown>; giveBack: () => Promise<unknown> },
): Promise<void> {
  await waitFor("a call", () => load.count("call", 201) > 0);
  const awayAtMs = performance.now();
  await takeAway();
  await waitFor("a refusal", () => load.count("call", 503, awayAtMs) > 0);
  await giveBack();
  const backAtMs = performance.now();
  await waitFor("a call afterwards", () => load.count("call", 201, backAtMs) > 0);
  await expectNothingLost(load);
}

const RECONNECT_WITHIN_MS = 1_000;
/** At the end of the frame of a message: where it is in its stream. */
const OFFSET = /"stream_id":("[^"]*"),"epoch":("[^"]*"),"offset":(\d+)\}$/;

type Listening = { origin: string; identifier: string; cookie: string; onMessage: () => void };

/**
 * A socket of a session. It speaks the extended protocol, reconnects when it is closed, asks for what it has missed, and counts what
 * did not come in order.
 */
class Listener {
  /** Of all listeners of this process. */
  static readonly counts = { messages: 0, missed: 0, doubled: 0, rejected: 0, reconnects: 0 };
  readonly #listening: Listening;
  readonly #subscribed = Promise.withResolvers<void>();
  /** Resolves when the socket is subscribed for the first time. */
  readonly ready = this.#subscribed.promise;
  at: { stream: string; epoch: string; offset: number } | null = null;

  constructor(listening: Listening) {
    this.#listening = listening;
    this.#connect();
  }

  #connect(): void {
    const { origin, cookie } = this.#listening;
    const Socket = browserSocket(() => ({ origin, cookie }));
    const socket = new Socket(`${origin.replace("http", "ws")}/cable`, ["actioncable-v1-ext-json"]);
    socket.addEventListener("message", ({ data }) => this.#receive(socket, String(data)));
    socket.addEventListener("close", () => {
      Listener.counts.reconnects += 1;
      setTimeout(() => this.#connect(), Math.random() * RECONNECT_WITHIN_MS);
    });
  }

  #receive(socket: WebSocket, frame: string): void {
    const found = OFFSET.exec(frame);
    if (found !== null) return this.#follow(found);
    if (frame.startsWith('{"type":"ping"')) return;
    const { type } = v.parse(v.object({ type: v.optional(v.string()) }), JSON.parse(frame));
    if (type === "welcome") this.#subscribe(socket);
    if (type === "confirm_subscription") this.#subscribed.resolve();
    if (type === "reject_history") Listener.counts.rejected += 1;
  }

  #subscribe(socket: WebSocket): void {
    const { identifier } = this.#listening;
    const { at } = this;
    const history =
      at === null ? {} : { history: { streams: { [at.stream]: { epoch: at.epoch, offset: at.offset } } } };
    socket.send(JSON.stringify({ command: "subscribe", identifier, ...history }));
  }

  #follow([, streamId = "", epochText = "", offsetText = ""]: RegExpExecArray): void {
    const stream: string = JSON.parse(streamId);
    const epoch: string = JSON.parse(epochText);
    const offset = Number(offsetText);
    const { counts } = Listener;
    counts.messages += 1;
    this.#listening.onMessage();
    if (this.at?.epoch === epoch) {
      const steps = offset - this.at.offset;
      if (steps < 1) counts.doubled += 1;
      else counts.missed += steps - 1;
    }
    this.at = { stream, epoch, offset };
  }
}
