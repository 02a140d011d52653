import type { EventView } from "#src/show/events/schemas.ts";
import type { Api } from "../api/api.ts";
import { type Received, streamDelay } from "../api/stream-delay.ts";
import { minutes } from "../format/countdown.ts";
import { estimateServerTime, measureServerTime, trueNow } from "../live/clock.ts";
import type { Page } from "../page/page.ts";
import { createDelayLine } from "./delay-line.ts";
import { WAIT_ID, WAIT_LEFT_ID, WAIT_OFF_ID } from "./delay-texts.ts";
import { chooseDelay } from "./device-delay.ts";
import { createChangeTimes, holdAnswers } from "./hold-answers.ts";
import { createTrueState } from "./true-state.ts";

const TICK_MS = 250;
const SECOND_MS = 1_000;
/** The true close is announced so long before. */
const WARNED_BEFORE_MS = 10_000;
/** The lane of what is no message. */
const ANSWERS = "answers";

/**
 * Starts to show everything later by the page's delay. Call it before anything is received.
 * @param quickApi gives its answers at once.
 * @returns the API of the page, whose answers come when they may be shown.
 */
export function followStreamDelay({ delaySeconds, viewer }: Page, quickApi: Api): Api {
  const delayMs = delaySeconds * SECOND_MS;
  const { renderedAt, changedAtMs } = readRendering();
  if (renderedAt !== "") estimateServerTime(renderedAt);
  void measureServerTime();
  const line = createDelayLine({ delayMs, nowMs: trueNow, after });
  const truth = createTrueState();
  const changes = createChangeTimes(trueNow);
  const show = (act: () => unknown, received?: Received) => {
    if (received === undefined) return line.push(ANSWERS, trueNow(), act);
    const { stream, message } = received;
    truth.learnMessage(message);
    // What the viewer has written is no news to the viewer.
    if (isReplyTo(viewer?.id ?? null, message)) act();
    else line.push(stream, sentAtMs(message) ?? trueNow(), act);
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

/** True for a chat message of the viewer, and for the refusal of one: the page that has sent it waits for them. */
function isReplyTo(viewerId: number | null, message: object): boolean {
  const { sourceType, eventType, detail } = withDetail(message);
  if (sourceType !== "Message") return false;
  return eventType === "refuse" || (viewerId !== null && detail?.message?.userId === viewerId);
}

type AnyMessage = {
  sourceType?: string;
  eventType?: string;
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
  while (trueNow() < dueMs && signal?.aborted !== true)
    await new Promise((resolve) => setTimeout(resolve, Math.min(SECOND_MS, dueMs - trueNow())));
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

/**
 * Says how long the page waits for an answer that may not be shown yet, where the player waits for it too.
 * @returns ends it.
 */
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
