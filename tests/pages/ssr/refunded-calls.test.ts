import { expect, test } from "bun:test";
import { cancelCall, destroyCall } from "#src/play/calls/cancel-call.ts";
import { createServer } from "#src/server.ts";
import { resetEvent } from "#src/show/events/reset-event.ts";
import { skipEvent } from "#src/show/events/skip-event.ts";
import { buildAdmin, buildCall, buildEvent, buildPlayer, buildRunningSession } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { readerFor } from "./browser.ts";
import { factsOf, oneOf, parsePage, textsOf } from "./parse-page.ts";

const deps = await testDeps();
const server = createServer(deps);
const admin = await buildAdmin(deps);
const player = await buildPlayer(deps);
const reader = await readerFor(deps, server, player);
const { id: sessionId } = await buildRunningSession(deps, { slug: "derby", name: "Derby" });

async function placeOn(title: string) {
  const { id: eventId } = await buildEvent(deps, "open", { sessionId, title });
  const callId = await buildCall(deps, { userId: player.id, eventId, wagerCents: 500 });
  return { eventId, callId, actor: admin };
}
const skipped = await placeOn("Skipped?");
await skipEvent(deps, skipped);
const reset = await placeOn("Reset?");
await resetEvent(deps, { ...reset, reason: "Wrong words" });
const taken = await placeOn("Taken?");
await destroyCall(deps, { ...taken, reason: null });
const own = await placeOn("Cancelled?");
await cancelCall(deps, { viewer: player, callId: own.callId });

const open = async (path: string) => parsePage((await reader.open(path)).html);
const history = "/sessions/derby/history";

test.each([
  { query: "?show=refunded", others: [] },
  { query: "", others: ["Cancelled?"] },
])("the history $query has the refunded calls with their causes", async ({ query, others }) => {
  const page = await open(history + query);
  expect(textsOf(page, ".all-calls a.call-title")).toEqual([...others, "Taken?", "Reset?", "Skipped?"]);
  const rows = textsOf(page, ".all-calls li");
  const words = ["The host took it back", "The host reset it", "The host skipped it"];
  for (const [index, text] of words.entries()) {
    expect(rows[index + others.length]).toContain(text);
    expect(rows[index + others.length]).toContain("Refunded");
  }
});

test("the history and its receipt show what the player took back, as destroyed and not as a refund", async () => {
  const [row] = textsOf(await open(history), ".all-calls li");
  expect(row).toContain("Taken back");
  expect(row).toContain("Destroyed");
  expect(row).not.toContain("Refunded");
  const receipt = oneOf(await open(`${history}/${own.callId}`), 'article[aria-label="Receipt"]');
  expect(receipt.textContent).toContain("DestroyedTaken back");
  expect(Object.keys(factsOf(receipt, "dl"))).toEqual(["You called", "Placed (server time)"]);
  const lines = textsOf(receipt, ".entries tbody th");
  expect(lines.map((line) => line.replace(/[\d:.]+$/, ""))).toEqual(["Wager", "Wager back"]);
});

test.each(["open", "won", "lost"])("the filter %s leaves them out", async (show) => {
  expect(textsOf(await open(`${history}?show=${show}`), ".all-calls a.call-title")).toEqual([]);
});

test.each([
  ["The host skipped it", skipped],
  ["The host reset it", reset],
  ["The host took it back", taken],
] as const)(
  "the receipt says that %s, and has the refund and no close and pool",
  async (words, { callId }) => {
    const receipt = oneOf(await open(`${history}/${callId}`), 'article[aria-label="Receipt"]');
    expect(receipt.textContent).toContain(`Refunded${words}`);
    expect(receipt.textContent).not.toContain("Destroyed");
    expect(Object.keys(factsOf(receipt, "dl"))).toEqual(["You called", "Placed (server time)"]);
    const lines = textsOf(receipt, ".entries tbody th");
    expect(lines.map((line) => line.replace(/[\d:.]+$/, ""))).toEqual(["Wager", "Refunded"]);
  },
);

test("the wallet says who took each call back", async () => {
  const { body } = await open("/profile/wallet");
  for (const memo of [
    "Refunded, the host skipped it: Skipped?",
    "Refunded, the host reset it: Reset?",
    "Refunded, the host took your call back: Taken?",
    "Call taken back by you: Cancelled?",
  ]) {
    expect(body.textContent).toContain(memo);
  }
});
