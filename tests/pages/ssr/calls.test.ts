import { expect, test } from "bun:test";
import { exclusions } from "#db/schema/exclusions.ts";
import { cancelCall, destroyCall } from "#src/play/calls/cancel-call.ts";
import { resetEvent } from "#src/show/events/reset-event.ts";
import { skipEvent } from "#src/show/events/skip-event.ts";
import { deactivateSession } from "#src/show/sessions/activate-session.ts";
import { testWorld } from "#tests/support/world.ts";
import { type Page, readerFor } from "./browser.ts";
import { parsePage, textsOf, factsOf, oneOf } from "./parse-page.ts";

const { deps, db, build, server, timer } = await testWorld();
const [player, rival] = [await build.player(), await build.player()];
const reader = await readerFor(deps, server, player);
const session = await build.runningSession({ name: "Derby" });
const slug = session.slug;
const event = await build.event("open", { sessionId: session.id, title: "A goal?", trueLabel: "Goal" });
await build.call({ userId: player.id, eventId: event.id, wagerCents: 200 });
await build.call({ userId: rival.id, eventId: event.id, wagerCents: 100 });
await build.call({ userId: rival.id, eventId: event.id, side: "false", wagerCents: 100 });
await timer.settle(event.id);

/** The text of a page, without its tags. */
const wordsOf = ({ html }: Page) =>
  html
    .replaceAll(/<script[\s\S]*?<\/script>|<!-- -->/g, "")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/\s+/g, " ");

test("without JavaScript an event is recomputed by a plain form", async () => {
  const path = `/sessions/${slug}/events/${event.id}`;
  const page = await reader.open(path);
  expect(wordsOf(page)).toContain("payout = $4.00 x wager / $3.00");
  expect(page.html).not.toContain(rival.username);
  expect(page.html).toContain('name="recompute"');
  expect(wordsOf(await reader.open(`${path}?recompute=1`))).toContain("Every payout is as the formula says.");
});

const admin = await build.admin();
const { id: sessionId } = await build.runningSession({ slug: "derby", name: "Derby" });

async function placeOn(title: string) {
  const { id: eventId } = await build.event("open", { sessionId, title });
  const callId = await build.call({ userId: player.id, eventId, wagerCents: 500 });
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

test("the history and its receipt show what the player took back, as destroyed and not as a refund", async () => {
  const [row] = textsOf(await open(history), ".all-calls li");
  expect(row).toContain("Taken back");
  expect(row).toContain("Destroyed");
  expect(row).not.toContain("Refunded");
  const receipt = oneOf(await open(`${history}/${own.callId}`), 'article[aria-label="Receipt"]');
  expect(receipt.textContent).toContain("Taken backDestroyed");
  expect(Object.keys(factsOf(receipt, "dl"))).toEqual(["You called", "Placed (server time)"]);
  const lines = textsOf(receipt, ".entries tbody th");
  expect(lines.map((line) => line.replace(/[\d:.]+ [AP]M$/, ""))).toEqual(["Wager", "Wager back"]);
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
    expect(lines.map((line) => line.replace(/[\d:.]+ [AP]M$/, ""))).toEqual(["Wager", "Refunded"]);
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

const [ana, ben] = [await build.player(), await build.player()];
const host = await readerFor(deps, server, admin);
const playerLed = await readerFor(deps, server, ana);
const sessionLed = await build.runningSession({ slug: "friday-derby", name: "Friday Derby" });
await deactivateSession(deps, { sessionId: session.id, actor: null });
const eventLed = await build.event("open", { sessionId: sessionLed.id });
await build.call({ userId: ana.id, eventId: eventLed.id, side: "true" });
await build.call({ userId: ben.id, eventId: eventLed.id, side: "false" });
await timer.settle(eventLed.id);
const LEADERS = "/sessions/friday-derby/leaders";

test("an excluded player sees the reason on the leaders, the leaderboard and the own record", async () => {
  const done = await host.sendForm(LEADERS, {
    intent: "exclude",
    session_id: "friday-derby",
    user_id: String(ana.id),
    reason: "Saw it early",
  });
  expect([done.status, done.location]).toEqual([303, LEADERS]);
  const here = await playerLed.open(LEADERS);
  expect(here.html).toContain("You are not ranked here: Saw it early");
  expect(here.html).not.toContain(`${ana.username} (you)`);
  const board = (await playerLed.open("/leaderboard")).html;
  expect(board).toContain(`${ana.username} (you)`);
  expect(board).toContain("A right call that nobody opposed counts as neither Won nor Lost.");
  expect((await host.open(LEADERS)).html).toContain("From Friday Derby");

  await host.sendForm("/leaderboard", { intent: "exclude", user_id: String(ana.id), reason: "A robot" });
  expect((await playerLed.open("/leaderboard")).html).toContain("You are not ranked here: A robot");
  const record = await playerLed.open(`/leaderboard/${ana.id}`);
  expect(record.html).toContain("You are not on the leaderboard: A robot");
  expect(record.html).not.toContain("Exclude");
  const seenByAdmin = await host.open(`/leaderboard/${ana.id}`);
  expect(seenByAdmin.html).toContain("Saw it early");

  for (const { id } of await db.select().from(exclusions)) {
    await host.sendForm("/leaderboard", { intent: "readmit", exclusion_id: String(id) });
  }
  expect((await playerLed.open(LEADERS)).html).toContain(`${ana.username} (you)`);
});
