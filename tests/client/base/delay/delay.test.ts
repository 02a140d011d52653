import { beforeEach, expect, test } from "bun:test";
import { ApiError, createApi } from "#client/base/api/api.ts";
import { Unreachable } from "#client/base/api/request-with-retry.ts";
import { streamDelay } from "#client/base/api/stream-delay.ts";
import {
  createChangeTimes,
  createDelayLine,
  createTrueState,
  followStreamDelay,
  holdAnswers,
} from "#client/base/delay/follow-stream-delay.ts";
import { trueNow } from "#client/base/live/clock.ts";
import { CHANGED_AT_HEADER } from "#src/http/contract.ts";
import {
  buildEvent,
  buildPage,
  buildSession,
  buildViewer,
  inSeconds,
  NOW_MS,
} from "#tests/client/events/action-states.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";
import { untilPasses } from "#tests/support/wait-for.ts";

const DELAY_MS = 10_000;

/** A line on a clock of its own: `pass` moves it and lets the timer ring. */
function lineOnClock() {
  let nowMs = 0;
  let timer: { dueMs: number; act: () => void } | null = null;
  const push = createDelayLine({
    delayMs: DELAY_MS,
    nowMs: () => nowMs,
    after: (ms, act) => {
      const own = { dueMs: nowMs + ms, act };
      timer = own;
      return () => {
        if (timer === own) timer = null;
      };
    },
  });
  const shown: string[] = [];
  return {
    shown,
    push: (lane: string, atMs: number, text: string) => push(lane, atMs, () => void shown.push(text)),
    /** @param isLate the timer rings only at the end, as in a page in the background. */
    pass: (ms: number, { isLate = false } = {}) => {
      const endMs = nowMs + ms;
      while (timer !== null && timer.dueMs <= endMs) {
        const { dueMs, act } = timer;
        timer = null;
        nowMs = isLate ? endMs : Math.max(nowMs, dueMs);
        act();
      }
      nowMs = endMs;
    },
  };
}

test("messages that come late are shown at their time, and at once if that is over", () => {
  const { push, pass, shown } = lineOnClock();
  pass(15_000);
  push("session", 2_000, "missed long ago");
  push("session", 14_000, "just missed");
  pass(0);
  expect(shown).toEqual(["missed long ago"]);
  pass(9_000);
  expect(shown).toEqual(["missed long ago", "just missed"]);
});

test("messages of one stream keep their order, also if the times in them do not", () => {
  const { push, pass, shown } = lineOnClock();
  push("session", 500, "first");
  push("session", 400, "second");
  pass(DELAY_MS + 450);
  expect(shown).toEqual([]);
  pass(50);
  expect(shown).toEqual(["first", "second"]);
});

test("a page that was in the background shows all that is due, in its order", () => {
  const { push, pass, shown } = lineOnClock();
  for (const seconds of [3, 1, 2]) push(`stream ${seconds}`, seconds * 1_000, `${seconds} s`);
  pass(60_000, { isLate: true });
  expect(shown).toEqual(["1 s", "2 s", "3 s"]);
});

const shown = buildEvent({
  id: 1,
  state: "open",
  version: 3,
  openedAt: inSeconds(-20),
  closesAt: inSeconds(10),
});

const eventMessage = (changes: Partial<typeof shown>) => ({
  sourceType: "Event",
  eventType: "update",
  detail: { event: { ...shown, ...changes }, version: changes.version ?? 4, serverTime: inSeconds(0) },
});

test("without other news an event closes when the page says", () => {
  const truth = createTrueState();
  expect(truth.closeOf(shown, NOW_MS)).toEqual({ isOpen: true, leftMs: 10_000 });
  expect(truth.closeOf(shown, NOW_MS + 10_000)).toEqual({ isOpen: false, leftMs: 0 });
});

test("a later close counts, whether a message or an answer brings it; an older version does not", () => {
  const truth = createTrueState();
  truth.learnAnswer({ events: [{ ...shown, version: 5, closesAt: inSeconds(40) }] });
  truth.learnMessage(eventMessage({ state: "closed", version: 4 }));
  expect(truth.closeOf(shown, NOW_MS)).toEqual({ isOpen: true, leftMs: 40_000 });
});

test("an event that was reset and opened again takes no calls of the round that the page still shows", () => {
  const truth = createTrueState();
  truth.learnMessage(eventMessage({ version: 6, openedAt: inSeconds(-1), closesAt: inSeconds(30) }));
  expect(truth.closeOf(shown, NOW_MS).isOpen).toBe(false);
});

test("in a pause and after the end of the session no calls are taken, and again when it goes on", () => {
  const truth = createTrueState();
  const session = (state: "running" | "paused" | "stopped", version: number) => ({
    sourceType: "Session",
    eventType: "update",
    detail: { session: buildSession({ id: shown.sessionId ?? 0, state, version }), serverTime: inSeconds(0) },
  });
  truth.learnMessage(session("paused", 2));
  expect(truth.closeOf(shown, NOW_MS).isOpen).toBe(false);
  truth.learnMessage(session("running", 3));
  expect(truth.closeOf(shown, NOW_MS).isOpen).toBe(true);
  truth.learnAnswer(session("stopped", 4).detail);
  expect(truth.closeOf(shown, NOW_MS).isOpen).toBe(false);
});

const READ_AT_MS = 1_000_000;
const changedAt = (ms: number | string) => new Headers({ [CHANGED_AT_HEADER]: String(ms) });

test("an answer or a refusal is as old as the last change that it may contain; without that time it may be of now, and never of the future", () => {
  const changes = createChangeTimes(() => READ_AT_MS);
  const [answer, silent, early] = [{}, {}, {}];
  changes.learn(answer, changedAt(400_000));
  const refused = new ApiError(new Response("{}", { status: 404, headers: changedAt(7) }), null);
  expect([changes.of(answer), changes.of(refused)]).toEqual([400_000, 7]);
  changes.learn(silent, new Headers());
  changes.learn(early, changedAt(READ_AT_MS + 500));
  expect([changes.of(silent), changes.of(early), changes.of({}), changes.of(null)]).toEqual(
    Array(4).fill(READ_AT_MS),
  );
});

/** An API behind which nothing is shown until `release`. */
function heldApi(carry: () => Promise<unknown>) {
  const { promise, resolve } = Promise.withResolvers<void>();
  const held: unknown[] = [];
  const api = holdAnswers(createApi({ inProcess: false, carry }), async (answer) => {
    held.push(answer);
    await promise;
  });
  return { api, held, release: resolve };
}

test("the answer to a call of the player does not wait; marking notifications as read answers with news, and waits", async () => {
  const { api, held, release } = heldApi(async () => ({ call: 1 }));
  expect(await api.request<object>("POST", "/api/v1/calls")).toEqual({ call: 1 });
  expect(held).toEqual([]);
  const marking = api.request("PUT", "/api/v1/users/1/notifications/read");
  await Bun.sleep(0);
  expect(held.length).toBe(1);
  release();
  await marking;
});

test("a refusal of a read waits too, and a request without an answer fails at once", async () => {
  const refusal = new ApiError(new Response("{}", { status: 401 }), null);
  const refused = heldApi(async () => Promise.reject(refusal));
  const reading = refused.api.request("GET", "/api/v1/sessions").catch((error: unknown) => error);
  await Bun.sleep(0);
  expect(refused.held).toEqual([refusal]);
  refused.release();
  expect(await reading).toBe(refusal);
  const offline = heldApi(async () => Promise.reject(new Unreachable("Away.")));
  expect(
    await offline.api.request("GET", "/api/v1/sessions").catch((error: unknown) => error),
  ).toBeInstanceOf(Unreachable);
  expect(offline.held).toEqual([]);
});

const closeDom = openDom();
const usual = { ...streamDelay };
afterFile(async () => {
  Object.assign(streamDelay, usual);
  await closeDom();
});

const DELAY_S = 20;
const BEHIND_MS = DELAY_S * 1_000;
const viewer = buildViewer();
const api = createApi({ inProcess: false, carry: async () => ({ calls: [] }) });
const at = (ms: number) => new Date(ms).toISOString();

/** A delayed page, as the server writes it, whose game changed last so many milliseconds ago. */
function buildPageContext(changedMsAgo: number): void {
  const now = Date.now();
  document.body.innerHTML = `<main id="catching-up"><b id="catching-up-left"></b>
    <button id="catching-up-off">Off</button></main>
    <div id="root" hidden data-rendered-at="${at(now)}" data-changed-at="${now - changedMsAgo}"></div>`;
  Object.assign(streamDelay, usual);
  followStreamDelay({ ...buildPage(), viewer, delaySeconds: DELAY_S }, api);
}

beforeEach(() => buildPageContext(0));

test("a message waits, also one that was sent without a time; what was sent long ago does not", async () => {
  const shown: string[] = [];
  const receive = (text: string, detail: object) =>
    streamDelay.show(() => shown.push(text), { stream: text, message: { sourceType: "Score", detail } });
  receive("now", { serverTime: at(trueNow()) });
  receive("without a time", {});
  receive("long ago", { serverTime: at(trueNow() - BEHIND_MS - 1_000) });
  await untilPasses(() => expect(shown).toEqual(["long ago"]));
});

test("a chat message of the viewer does not wait, and one of somebody else does", () => {
  const shown: string[] = [];
  for (const [text, userId] of [
    ["own", viewer.id],
    ["other", 8],
  ] as const) {
    const detail = { serverTime: at(trueNow()), message: { userId } };
    const message = { sourceType: "Message", eventType: "create", detail };
    streamDelay.show(() => shown.push(text), { stream: "chat", message });
  }
  expect(shown).toEqual(["own"]);
});
