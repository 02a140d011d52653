import { beforeEach, expect, test } from "bun:test";
import { createApi } from "#client/base/api/api.ts";
import { streamDelay } from "#client/base/api/stream-delay.ts";
import { followStreamDelay } from "#client/base/delay/follow-stream-delay.ts";
import { trueNow } from "#client/base/live/clock.ts";
import { buildPage, buildViewer } from "#tests/client/events/action-states.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { openDom } from "#tests/support/dom.ts";
import { untilPasses } from "#tests/support/wait-for.ts";

const closeDom = openDom();
const usual = { ...streamDelay };
afterFile(async () => {
  Object.assign(streamDelay, usual);
  await closeDom();
});

const DELAY_S = 20;
const DELAY_MS = DELAY_S * 1_000;
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
  receive("long ago", { serverTime: at(trueNow() - DELAY_MS - 1_000) });
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
