import * as v from "valibot";
import { CSRF_HEADER } from "#src/http/contract.ts";
import { type HttpConnection, openConnection, type RawAnswer, requestBytes } from "../http-connection.ts";
import { FROM, type Joining, momentMs, type ShowReport } from "./contract.ts";

const CALLING_SHARE = 0.6;
/** Of those who call, so many do it at the end of the question. */
const LATE_SHARE = 0.5;
const LATE_WITHIN_MS = 3_000;
/** A person who sends later than this cannot expect to be in time. */
const IN_TIME_MS = 100;
const FIRST_AFTER_MS = 500;
const RETRY_AFTER_MS = 300;
const WAGER_MAX_CENTS = 100;
const TOO_MANY = 429;
const SERVER_ERRORS = 500;
const CALL_ID = /"call":\{"id":(\d+)/;
const CODE = /"code":"(\w+)"/;

/** Of the message that an event has opened. */
const openedFrame = v.object({
  message: v.object({
    detail: v.object({
      serverTime: v.string(),
      event: v.object({
        id: v.number(),
        closesAt: v.string(),
        spots: v.tuple([v.object({ id: v.number() }), v.object({ id: v.number() })]),
      }),
    }),
  }),
});
type Question = { id: number; closesAtMs: number; spotIds: readonly [number, number] };
type Call = ShowReport["calls"][number];

/** What a process notes about the calls of its players. */
export class ShowCalls {
  readonly callMs: number[] = [];
  readonly rushMs: number[] = [];
  readonly openings: Record<string, number[]> = {};
  readonly refused: Record<string, number> = {};
  readonly #calls = new Map<number, Call>();
  /** Each player has one call on a question: `event player`. */
  readonly #own = new Map<string, Call>();
  /** Calls that were heard of before they were acknowledged. */
  readonly #heard = new Set<number>();
  readonly #questions = new Map<number, Question>();
  /** Those who have decided about a question already, by another device: `event player`. */
  readonly #decided = new Set<string>();
  readonly #client: ShowClient;
  lateInTime = 0;

  constructor(client: ShowClient) {
    this.#client = client;
  }

  get all(): Call[] {
    for (const id of this.#heard) {
      const call = this.#calls.get(id);
      if (call !== undefined) call.isHeard = true;
    }
    return [...this.#calls.values()];
  }

  /** A device of this player got a message. */
  hear(browser: Browser, frame: string): void {
    if (frame.includes('"eventType":"open_event"')) return this.#hearOpening(browser, frame);
    if (frame.includes('"eventType":"place_call"')) return void this.#heard.add(callIn(frame));
    if (frame.includes('"eventType":"resolve"')) return this.#hearResult(browser, frame);
    if (frame.includes('"eventType":"resolve_call"')) this.#hearPayment(frame);
  }

  #hearOpening(browser: Browser, frame: string): void {
    const eventId = eventIn(frame);
    const question = this.#questions.get(eventId) ?? this.#readQuestion(frame);
    (this.openings[question.id] ??= []).push(momentMs());
    const decision = `${question.id} ${browser.cookie}`;
    if (this.#decided.has(decision)) return;
    this.#decided.add(decision);
    if (Math.random() > CALLING_SHARE) return;
    const nowMs = momentMs();
    const rushAtMs = question.closesAtMs - LATE_WITHIN_MS;
    const [from, to] =
      Math.random() < LATE_SHARE
        ? [rushAtMs, question.closesAtMs - IN_TIME_MS]
        : [nowMs + FIRST_AFTER_MS, rushAtMs];
    const plannedAtMs = from + Math.random() * (to - from);
    setTimeout(() => void this.#place(browser, question, plannedAtMs), plannedAtMs - nowMs);
  }

  #readQuestion(frame: string): Question {
    const { event } = v.parse(openedFrame, JSON.parse(frame)).message.detail;
    const [yes, no] = event.spots;
    const question: Question = {
      id: event.id,
      closesAtMs: Date.parse(event.closesAt),
      spotIds: [yes.id, no.id],
    };
    this.#questions.set(event.id, question);
    return question;
  }

  /** From what a result pays a page knows the own payout. */
  #hearResult({ cookie }: Browser, frame: string): void {
    const call = this.#own.get(`${eventIn(frame)} ${cookie}`);
    if (call !== undefined && frame.includes('"payoutTerms":{')) call.resultAtMs ??= momentMs();
  }

  #hearPayment(frame: string): void {
    const call = this.#calls.get(callIn(frame));
    if (call === undefined) return;
    const atMs = momentMs();
    call.resultAtMs ??= atMs;
    call.paymentsAtMs.push(atMs);
  }

  /** Places a call; sends it again with its key where the server had no time for it, as the app does. */
  async #place(browser: Browser, question: Question, plannedAtMs: number): Promise<void> {
    const { id: eventId, closesAtMs, spotIds } = question;
    const call = {
      key: crypto.randomUUID(),
      spotId: spotIds[Math.random() < 0.5 ? 0 : 1],
      wagerCents: 1 + Math.floor(Math.random() * WAGER_MAX_CENTS),
    };
    let sentAtMs = Infinity;
    const onSent = () => (sentAtMs = Math.min(sentAtMs, momentMs()));
    for (;;) {
      const answer = await this.#client.placeCall(browser, call, onSent).catch(() => null);
      const text = answer?.body.toString("latin1") ?? "";
      if (answer?.status === 201) {
        const id = callIn(text);
        const own: Call = { id, eventId, isHeard: false, resultAtMs: null, paymentsAtMs: [] };
        this.#calls.set(id, own);
        this.#own.set(`${eventId} ${browser.cookie}`, own);
      } else this.#noteRefusal(answer?.status ?? null, text, { isInTime: sentAtMs < closesAtMs });
      if (answer !== null && isFinal(answer.status)) break;
      await Bun.sleep(RETRY_AFTER_MS);
    }
    this.#client.sentLateMs.push(sentAtMs - plannedAtMs);
    const tookMs = momentMs() - plannedAtMs;
    this.callMs.push(tookMs);
    if (plannedAtMs > closesAtMs - LATE_WITHIN_MS) this.rushMs.push(tookMs);
  }

  #noteRefusal(status: number | null, text: string, { isInTime }: { isInTime: boolean }): void {
    const code = CODE.exec(text)?.[1] ?? "";
    const reason = `${status ?? "no answer"} ${code}`.trim();
    this.refused[reason] = (this.refused[reason] ?? 0) + 1;
    if (code === "late" && isInTime) this.lateInTime += 1;
  }
}

/** Sent again, it would be answered in the same way. */
function isFinal(status: number): boolean {
  return status < SERVER_ERRORS && status !== TOO_MANY;
}

function eventIn(frame: string): number {
  return Number(/"event":\{"id":(\d+)/.exec(frame)?.[1]);
}

function callIn(text: string): number {
  return Number(CALL_ID.exec(text)?.[1]);
}

/** A player's browser, as requests see it. */
export type Browser = { cookie: string; csrfToken: string; address: string };

/** The requests of all players of a process. */
export class ShowClient {
  readonly sentLateMs: number[] = [];
  readonly #connections: Connections;
  readonly #host: string;
  readonly #session: Joining["session"];

  constructor({ port, session }: Pick<Joining, "port" | "session">) {
    this.#connections = new Connections(port);
    this.#host = `127.0.0.1:${port}`;
    this.#session = session;
  }

  /** Opens the Action page. */
  async openPage(browser: Browser, plannedAtMs: number): Promise<void> {
    const headers = { accept: "text/html", "accept-encoding": "gzip, deflate, br, zstd" };
    const onSent = () => this.sentLateMs.push(momentMs() - plannedAtMs);
    const answer = await this.#send(`GET /sessions/${this.#session.slug}`, browser, { headers, onSent });
    if (answer.status !== 200) throw new Error(`a page answers ${answer.status}`);
  }

  /** @param onSent called when it has been written to its connection. */
  placeCall(
    browser: Browser,
    { key, spotId, wagerCents }: { spotId: number; wagerCents: number; key: string },
    onSent: () => void,
  ): Promise<RawAnswer> {
    const body = { call: { spot_id: spotId, wager: wagerCents / 100 } };
    return this.#send("POST /api/v1/calls", browser, { headers: { "idempotency-key": key }, body, onSent });
  }

  async chat(browser: Browser, text: string): Promise<boolean> {
    const body = { message: { session_id: this.#session.id, body: text } };
    return (await this.#send("POST /api/v1/messages", browser, { body })).status === 201;
  }

  async react(browser: Browser): Promise<boolean> {
    const path = `POST /api/v1/sessions/${this.#session.slug}/reactions`;
    return (await this.#send(path, browser, { body: { reaction: { kind: "fire" } } })).status < 300;
  }

  close(): void {
    this.#connections.close();
  }

  #send(
    request: string,
    { cookie, csrfToken, address }: Browser,
    { headers = {}, body, onSent }: { headers?: Record<string, string>; body?: object; onSent?: () => void },
  ): Promise<RawAnswer> {
    const own = { host: this.#host, cookie, [FROM]: address };
    const forgery = body === undefined ? {} : { [CSRF_HEADER]: csrfToken };
    return this.#connections.request(requestBytes(request, { ...own, ...forgery, ...headers }, body), onSent);
  }
}

/** An unused connection is used again within this time, as proxies do: the server closes it later than that. */
const REUSED_WITHIN_MS = 60_000;

/** The connections of a proxy: as many as there are requests at once, each used again. No request waits for another one. */
class Connections {
  readonly #port: number;
  readonly #free: { connection: HttpConnection; sinceMs: number }[] = [];

  constructor(port: number) {
    this.#port = port;
  }

  async request(bytes: Buffer, onSent?: () => void): Promise<RawAnswer> {
    const connection = this.#take() ?? (await openConnection("127.0.0.1", this.#port));
    const answered = connection.request(bytes);
    onSent?.();
    const answer = await answered;
    this.#free.push({ connection, sinceMs: performance.now() });
    return answer;
  }

  close(): void {
    for (const { connection } of this.#free) connection.close();
  }

  #take(): HttpConnection | undefined {
    for (;;) {
      const free = this.#free.pop();
      if (free === undefined) return undefined;
      const isFresh = performance.now() - free.sinceMs < REUSED_WITHIN_MS;
      if (isFresh && free.connection.isOpen()) return free.connection;
      free.connection.close();
    }
  }
}
