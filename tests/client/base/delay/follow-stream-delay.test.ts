import { beforeEach, expect, test } from "bun:test";
import { createApi } from "#client/base/api/api.ts";
import { streamDelay } from "#client/base/api/stream-delay.ts";
import { followStreamDelay } from "#client/base/delay/follow-stream-delay.ts";
import { serverNow, trueNow } from "#client/base/live/clock.ts";
import { buildEvent, buildPage } from "#tests/client/events/action-states.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";
import { untilPasses, waitFor } from "#tests/support/wait-for.ts";

const closeDom = openDom();
const usual = { ...streamDelay };
afterFile(async () => {
  Object.assign(streamDelay, usual);
  await closeDom();
});

const DELAY_S = 20;
const DELAY_MS = DELAY_S * 1_000;
const api = createApi({ inProcess: false, carry: async () => ({ calls: [] }) });
const at = (ms: number) => new Date(ms).toISOString();

/** A delayed page, as the server writes it, whose game changed last so many milliseconds ago. */
function buildPageContext(changedMsAgo: number): void {
  const now = Date.now();
  document.body.innerHTML = `<main id="catching-up"><b id="catching-up-left"></b>
    <button id="catching-up-off">Off</button></main>
    <div id="root" hidden data-rendered-at="${at(now)}" data-changed-at="${now - changedMsAgo}"></div>`;
  Object.assign(streamDelay, usual);
  followStreamDelay({ ...buildPage(), delaySeconds: DELAY_S }, api);
}

beforeEach(() => buildPageContext(0));

test("the page's clock is late by the delay", () => {
  const late = serverNow();
  expect(trueNow() - late).toBeGreaterThanOrEqual(DELAY_MS);
});

test("the page stays hidden until its last change may be shown, and says how long that takes", async () => {
  const root = document.querySelector<HTMLElement>("#root");
  expect(root?.hidden).toBe(true);
  expect(document.querySelector("#catching-up-left")?.textContent).toMatch(/^0:(?:20|19)$/);
  buildPageContext(DELAY_MS - 300);
  await waitFor("the notice to go", () => document.querySelector("#catching-up") === null);
  expect(document.querySelector<HTMLElement>("#root")?.hidden).toBe(false);
});

test("a message waits, also one that was sent without a time; what was sent long ago does not", async () => {
  const shown: string[] = [];
  const receive = (text: string, detail: object) =>
    streamDelay.show(() => shown.push(text), { stream: text, message: { sourceType: "Score", detail } });
  receive("now", { serverTime: at(trueNow()) });
  receive("without a time", {});
  receive("long ago", { serverTime: at(trueNow() - DELAY_MS - 1_000) });
  await untilPasses(() => expect(shown).toEqual(["long ago"]));
});

test("the refusal of an own chat message does not wait", () => {
  const shown: string[] = [];
  const message = { sourceType: "Message", eventType: "refuse", detail: { serverTime: at(trueNow()) } };
  streamDelay.show(() => shown.push("refused"), { stream: "chat", message });
  expect(shown).toEqual(["refused"]);
});

test("the last ten seconds before the true close are counted down, and after it calls are closed", () => {
  const open = (leftMs: number) =>
    buildEvent({ state: "open", version: 1, closesAt: at(trueNow() + leftMs) });
  expect([streamDelay.warningFor(open(30_000)), streamDelay.isClosed(open(30_000))]).toEqual(["", false]);
  expect(streamDelay.warningFor(open(3_900))).toBe("Calls really close in 0:04 (your delay is 20 s).");
  expect(streamDelay.isClosed(open(3_900))).toBe(false);
  expect(streamDelay.warningFor(open(-1))).toBe("Calls have really closed (your delay is 20 s).");
  expect(streamDelay.isClosed(open(-1))).toBe(true);
  const visible = buildEvent({ state: "visible", closesAt: at(trueNow()) });
  expect([
    streamDelay.warningFor(visible),
    streamDelay.isClosed(visible),
    streamDelay.warningFor(null),
  ]).toEqual(["", false, ""]);
});

test("a close by the host closes calls at once, while its message waits", () => {
  const event = buildEvent({ state: "open", version: 1, closesAt: at(trueNow() + 60_000) });
  const shown: string[] = [];
  streamDelay.show(() => shown.push("closed"), {
    stream: "session",
    message: {
      sourceType: "Event",
      eventType: "close",
      detail: { event: { ...event, state: "closed", version: 2 }, serverTime: at(trueNow()) },
    },
  });
  expect([shown, streamDelay.isClosed(event)]).toEqual([[], true]);
  // Screen readers hear it once.
  expect(streamDelay.warningFor(event)).toContain("really closed");
  expect(document.querySelector("[aria-live=assertive]")?.textContent).toContain("really closed");
});
