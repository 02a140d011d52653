import * as v from "valibot";
import { momentMs, type ShowReport } from "./contract.ts";
import type { Browser, ShowClient } from "./show-client.ts";

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
  readonly openings: Record<string, number[]> = {};
  readonly refused: Record<string, number> = {};
  readonly #calls = new Map<number, Call>();
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
    if (frame.includes('"eventType":"resolve_call"')) this.#hearResult(frame);
  }

  #hearOpening(browser: Browser, frame: string): void {
    const eventId = Number(/"event":\{"id":(\d+)/.exec(frame)?.[1]);
    const question = this.#questions.get(eventId) ?? this.#readQuestion(frame);
    (this.openings[question.id] ??= []).push(momentMs());
    const decision = `${question.id} ${browser.cookie}`;
    if (this.#decided.has(decision)) return;
    this.#decided.add(decision);
    if (Math.random() > CALLING_SHARE) return;
    const leftMs = question.closesAtMs - momentMs();
    const latestMs = leftMs - IN_TIME_MS;
    const rushMs = leftMs - LATE_WITHIN_MS;
    const [from, to] = Math.random() < LATE_SHARE ? [rushMs, latestMs] : [FIRST_AFTER_MS, rushMs];
    setTimeout(() => void this.#place(browser, question), from + Math.random() * (to - from));
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

  #hearResult(frame: string): void {
    const call = this.#calls.get(callIn(frame));
    if (call === undefined) return;
    call.resultsAtMs.push(momentMs());
  }

  /** Places a call; sends it again with its key where the server had no time for it, as the app does. */
  async #place(browser: Browser, { id: eventId, closesAtMs, spotIds }: Question): Promise<void> {
    const call = {
      key: crypto.randomUUID(),
      spotId: spotIds[Math.random() < 0.5 ? 0 : 1],
      wagerCents: 1 + Math.floor(Math.random() * WAGER_MAX_CENTS),
    };
    const sentAtMs = momentMs();
    for (;;) {
      const answer = await this.#client.placeCall(browser, call).catch(() => null);
      const text = answer?.body.toString("latin1") ?? "";
      if (answer?.status === 201) {
        this.callMs.push(momentMs() - sentAtMs);
        const id = callIn(text);
        this.#calls.set(id, { id, eventId, isHeard: false, resultsAtMs: [] });
        return;
      }
      this.#noteRefusal(answer?.status ?? null, text, { isInTime: sentAtMs < closesAtMs });
      if (answer !== null && isFinal(answer.status)) return;
      await Bun.sleep(RETRY_AFTER_MS);
    }
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

function callIn(text: string): number {
  return Number(CALL_ID.exec(text)?.[1]);
}
