import { CHANGED_AT_HEADER } from "#src/http/contract.ts";
import type { SessionMessage } from "#src/live/relay/schemas.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { type Api, ApiError, createApi } from "../api/api.ts";
import { type Received, streamDelay } from "../api/stream-delay.ts";
import { pause } from "../browser/pause.ts";
import { minutes } from "../format/countdown.ts";
import { estimateServerTime, measureServerTime, trueNow } from "../live/clock.ts";
import type { Page } from "../page/page.ts";
import { WAIT_ID, WAIT_LEFT_ID, WAIT_OFF_ID } from "./delay-texts.ts";
import { chooseDelay } from "./device-delay.ts";

const TICK_MS = 250;
/** The true close is announced so long before. */
const WARNED_BEFORE_MS = 10_000;
/** The lane of what is no message. */
const ANSWERS = "answers";

/** Shows everything later by the page's delay. Call it before anything is received. @returns the API whose answers wait as well. */
export function followStreamDelay({ delaySeconds, viewer }: Page, quickApi: Api): Api {
  const delayMs = delaySeconds * 1_000;
  const { renderedAt, changedAtMs } = readRendering();
  if (renderedAt !== "") estimateServerTime(renderedAt);
  void measureServerTime();
  const push = createDelayLine({ delayMs, nowMs: trueNow, after });
  const truth = createTrueState();
  const changes = createChangeTimes(trueNow);
  const show = (act: () => unknown, received?: Received) => {
    if (received === undefined) return push(ANSWERS, trueNow(), act);
    const { stream, message } = received;
    truth.learnMessage(message);
    // What the viewer has written is no news to the viewer.
    if (isReplyTo(viewer?.id ?? null, message)) act();
    else push(stream, sentAtMs(message) ?? trueNow(), act);
  };
  Object.assign(streamDelay, {
    delayMs,
    quickApi,
    show,
    arrived: (answer: unknown, headers: Headers) => {
      changes.learn(answer, headers);
      truth.learnAnswer(answer);
    },
    ...closeWarnings(truth, delaySeconds),
  } satisfies typeof streamDelay);
  showPageAt(changedAtMs + delayMs, trueNow);
  return holdAnswers(quickApi, async (answer, signal) => {
    const dueMs = changes.of(answer) + delayMs;
    const stopShowing = showCatchingUp(dueMs, trueNow);
    await until(dueMs, signal);
    stopShowing();
  });
}

/** When the server rendered the page, and when anything of the game had changed last. */
function readRendering(): { renderedAt: string; changedAtMs: number } {
  const { renderedAt = "", changedAt = "" } = document.querySelector<HTMLElement>("#root")?.dataset ?? {};
  return { renderedAt, changedAtMs: Number(changedAt) };
}

/** Warnings before the true close, and after it. Both are also said aloud, once per event. */
function closeWarnings(truth: ReturnType<typeof createTrueState>, seconds: number) {
  const said = new Set<string>();
  const sayOnce = (key: string, text: string) => {
    if (!said.has(key)) sayAloud(text);
    said.add(key);
  };
  const isShownOpen = (event: EventView | null): event is EventView => event?.state === "open";
  return {
    isClosed: (event: EventView | null) => isShownOpen(event) && !truth.closeOf(event, trueNow()).isOpen,
    warningFor: (event: EventView | null) => {
      if (!isShownOpen(event)) return "";
      const { isOpen, leftMs } = truth.closeOf(event, trueNow());
      if (isOpen && !(leftMs <= WARNED_BEFORE_MS)) return "";
      const text = isOpen
        ? `Calls really close in ${minutes(leftMs)} (your delay is ${seconds} s).`
        : `Calls have really closed (your delay is ${seconds} s).`;
      sayOnce(`${event.id} ${event.openedAt} ${isOpen}`, text);
      return text;
    },
  };
}

/** The server's time in a message; null for a message without one. */
function sentAtMs(message: object): number | null {
  const { detail } = withDetail(message);
  const ms = Date.parse(detail?.serverTime ?? "");
  return Number.isNaN(ms) ? null : ms;
}

/** True for a chat message of the viewer: the page that has sent it waits for it. */
function isReplyTo(viewerId: number | null, message: object): boolean {
  const { sourceType, detail } = withDetail(message);
  return sourceType === "Message" && viewerId !== null && detail?.message?.userId === viewerId;
}

type AnyMessage = {
  sourceType?: string;
  detail?: { serverTime?: string; message?: { userId?: number } };
};

function withDetail(message: object): AnyMessage {
  return message;
}

function after(ms: number, act: () => void): () => void {
  const timer = setTimeout(act, ms);
  return () => clearTimeout(timer);
}

/** Waits for a moment of the server's clock, in steps: the clock may be measured again meanwhile. */
async function until(dueMs: number, signal: AbortSignal | undefined): Promise<void> {
  while (trueNow() < dueMs && signal?.aborted !== true) await pause(Math.min(1_000, dueMs - trueNow()));
}

let region: HTMLElement | null = null;

/** Says a text by screen readers at once, and shows it nowhere. */
function sayAloud(text: string): void {
  if (region?.isConnected !== true) {
    region = document.createElement("p");
    region.className = "vh";
    region.setAttribute("aria-live", "assertive");
    document.body.append(region);
  }
  region.textContent = text;
}

/** Shows a delayed page at a moment of the server's clock, and counts down until then. */
function showPageAt(dueMs: number, nowMs: () => number): void {
  const notice = document.querySelector(`#${WAIT_ID}`);
  const root = document.querySelector<HTMLElement>("#root");
  if (notice === null || root === null) return;
  notice.querySelector(`#${WAIT_OFF_ID}`)?.addEventListener("click", () => chooseDelay(0));
  const left = notice.querySelector(`#${WAIT_LEFT_ID}`);
  const tick = () => {
    if (nowMs() < dueMs) {
      if (left !== null) left.textContent = minutes(dueMs - nowMs());
      return;
    }
    clearInterval(ticking);
    notice.remove();
    root.hidden = false;
  };
  const ticking = setInterval(tick, TICK_MS);
  tick();
}

/** A shorter wait needs no words. */
const SHOWN_FROM_MS = 1_000;
/** Something of the page waits for its data: the next page, or a part of this one. */
const WAITING = ".progress, .loading";

let note: HTMLElement | null = null;
const waits = new Set<number>();
let ticking: ReturnType<typeof setInterval> | undefined;

/** Says how long the page waits for an answer that may not be shown yet. @returns ends it. */
function showCatchingUp(dueMs: number, nowMs: () => number): () => void {
  if (dueMs - nowMs() < SHOWN_FROM_MS) return () => undefined;
  waits.add(dueMs);
  ticking ??= setInterval(() => showLeft(nowMs()), TICK_MS);
  return () => {
    waits.delete(dueMs);
    showLeft(nowMs());
  };
}

function showLeft(nowMs: number): void {
  if (waits.size === 0) {
    clearInterval(ticking);
    ticking = undefined;
  }
  const isWaiting = waits.size > 0 && document.querySelector(WAITING) !== null;
  if (!isWaiting) {
    note?.remove();
    note = null;
    return;
  }
  note ??= createNote();
  const text = `Catching up with your delay: shows in ${minutes(Math.max(...waits) - nowMs)}`;
  if (note.textContent !== text) note.textContent = text;
}

function createNote(): HTMLElement {
  const element = document.createElement("p");
  element.className = "stream-delay-note";
  element.setAttribute("role", "timer");
  document.body.append(element);
  return element;
}

/** The clock and the timer that a line uses. */
type LineTimes = {
  delayMs: number;
  /** The server's time now, in milliseconds. */
  nowMs: () => number;
  /** Calls `act` after so many milliseconds. @returns cancels it. */
  after: (ms: number, act: () => void) => () => void;
};

/** Does `act` when what happened at `atMs` is to be shown: not earlier, and in the order of its lane. */
type Push = (lane: string, atMs: number, act: () => void) => void;

/** Lets everything through so many milliseconds after it happened; after a late timer all that is due, in its order. */
export function createDelayLine({ delayMs, nowMs, after }: LineTimes): Push {
  const entries: { dueMs: number; act: () => void }[] = [];
  const lastDueMs = new Map<string, number>();
  let cancel: (() => void) | null = null;

  const release = () => {
    cancel = null;
    for (let first = entries[0]; first !== undefined && first.dueMs <= nowMs(); first = entries[0]) {
      entries.shift();
      runSafely(first.act);
    }
    wait();
  };
  const wait = () => {
    cancel?.();
    const [first] = entries;
    cancel = first === undefined ? null : after(Math.max(0, first.dueMs - nowMs()), release);
  };

  return (lane, atMs, act) => {
    const dueMs = Math.max(atMs + delayMs, lastDueMs.get(lane) ?? 0);
    lastDueMs.set(lane, dueMs);
    const later = entries.findIndex((entry) => entry.dueMs > dueMs);
    entries.splice(later < 0 ? entries.length : later, 0, { dueMs, act });
    if (entries[0]?.act === act) wait();
  };
}

/** A bug in what one entry leads to must not keep the others back. It is reported like any uncaught error. */
function runSafely(act: () => void): void {
  try {
    act();
  } catch (error) {
    setTimeout(() => {
      throw error;
    });
  }
}

/** Other requests do what the player wants done, and their answers say nothing else. Marking as read answers with the list. */
function hasNews(method: string, path: string): boolean {
  return method === "GET" || (method === "PUT" && path.endsWith("/notifications/read"));
}

/**
 * When the answers change that the server gives: an answer says how everything is now, which is how it was since the last change.
 * So it may be shown together with that change, and at once where nothing has happened for long enough.
 */
export function createChangeTimes(nowMs: () => number) {
  const times = new WeakMap<object, number>();
  const timeIn = (headers: Headers) => {
    const text = headers.get(CHANGED_AT_HEADER);
    // Without the header nothing is known about the last change: it may have been now.
    return text === null ? nowMs() : Math.min(Number(text), nowMs());
  };
  return {
    /** Takes an answer as it arrives. */
    learn: (answer: unknown, headers: Headers) => {
      if (typeof answer === "object" && answer !== null) times.set(answer, timeIn(headers));
    },
    /** The last change that this answer or refusal may contain. */
    of: (answer: unknown) => {
      if (answer instanceof ApiError) return timeIn(answer.response.headers);
      return (typeof answer === "object" && answer !== null ? times.get(answer) : undefined) ?? nowMs();
    },
  };
}

/** An API whose answers and refusals come when `untilShown` says so. Without an answer a request fails at once. */
export function holdAnswers(
  api: Api,
  untilShown: (answer: unknown, signal: AbortSignal | undefined) => Promise<void>,
): Api {
  return createApi({
    inProcess: api.inProcess,
    carry: async (method, path, options) => {
      if (!hasNews(method, path)) return api.request(method, path, options);
      try {
        const answer = await api.request(method, path, options);
        await untilShown(answer, options.signal);
        return answer;
      } catch (error) {
        if (error instanceof ApiError) await untilShown(error, options.signal);
        throw error;
      }
    },
  });
}

/** How an event really is, whatever the page shows. */
type TrueClose = { isOpen: boolean; leftMs: number };

/** Remembers how the events really are, from all that the server sends, before the page shows it. */
export function createTrueState() {
  const events = new Map<number, Pick<EventView, "state" | "closesAt" | "openedAt" | "version">>();
  const sessions = new Map<number, Pick<SessionView, "state" | "version">>();
  const learnEvent = ({ id, state, closesAt, openedAt, version }: EventView) => {
    if (version >= (events.get(id)?.version ?? 0)) events.set(id, { state, closesAt, openedAt, version });
  };
  const learnSession = ({ id, state, version }: SessionView) => {
    if (version >= (sessions.get(id)?.version ?? 0)) sessions.set(id, { state, version });
  };
  return {
    /** Takes a message of the session's stream; others are ignored. */
    learnMessage: (message: object) => {
      if (!isSessionMessage(message)) return;
      if (message.sourceType === "Event") learnEvent(message.detail.event);
      else if (message.sourceType === "Session" && message.eventType !== "destroy")
        learnSession(message.detail.session);
    },
    /** Takes an answer of the API: a list of events, or a session. */
    learnAnswer: (answer: unknown) => {
      if (hasEvents(answer)) answer.events.forEach(learnEvent);
      if (hasSession(answer)) learnSession(answer.session);
    },
    /** When calls really close on an event that is shown as open. One that was opened again is another round. */
    closeOf: (shown: EventView, nowMs: number): TrueClose => {
      const known = events.get(shown.id);
      const current = known !== undefined && known.version > shown.version ? known : shown;
      const leftMs = Date.parse(current.closesAt ?? "") - nowMs;
      const isHalted = (sessions.get(shown.sessionId ?? 0)?.state ?? "running") !== "running";
      const isSameRound = current.openedAt === shown.openedAt;
      return { isOpen: current.state === "open" && isSameRound && !isHalted && !(leftMs <= 0), leftMs };
    },
  };
}

/** The cable brings messages of the user's and of the session's stream; both name their source. */
function isSessionMessage(message: object): message is SessionMessage {
  return "sourceType" in message && (message.sourceType === "Event" || message.sourceType === "Session");
}

function hasEvents(answer: unknown): answer is { events: EventView[] } {
  return isObject(answer) && "events" in answer && Array.isArray(answer.events);
}

function hasSession(answer: unknown): answer is { session: SessionView } {
  return isObject(answer) && "session" in answer && isObject(answer.session);
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
