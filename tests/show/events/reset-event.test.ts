import { describe, expect, test } from "bun:test";
import { asc, desc, eq, inArray } from "drizzle-orm";
import { audit } from "#db/schema/audit.ts";
import { calls } from "#db/schema/calls.ts";
import { notifications } from "#db/schema/notifications.ts";
import { outbox } from "#db/schema/outbox.ts";
import { hideEvent } from "#src/show/events/change-event-state.ts";
import { openEvent } from "#src/show/events/open-event.ts";
import { publishEvent } from "#src/show/events/publish-event.ts";
import { resetEvent } from "#src/show/events/reset-event.ts";
import { readWallet } from "#tests/support/books.ts";
import {
  buildAdmin,
  buildCall,
  buildEvent,
  buildPlayer,
  buildRunningSession,
  readEvent,
  readSpots,
} from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import { refusalOf } from "#tests/support/refusals.ts";

const deps = await testDeps();
const admin = await buildAdmin(deps);

/** An event of a running session with calls of two players, in that state. */
async function buildPlayed(state: "open" | "resolved" | "hidden") {
  const session = await buildRunningSession(deps);
  const { id: eventId } = await buildEvent(deps, "open", { sessionId: session.id });
  const [ana, ben] = await Promise.all([buildPlayer(deps), buildPlayer(deps)]);
  await buildCall(deps, { userId: ana.id, eventId, side: "true", wagerCents: 300 });
  await buildCall(deps, { userId: ana.id, eventId, side: "true", wagerCents: 200 });
  await buildCall(deps, { userId: ben.id, eventId, side: "false", wagerCents: 400 });
  const order = { eventId, actor: null };
  if (state === "resolved" || state === "hidden") await resolveAndPay(deps, { ...order, result: "true" });
  if (state === "hidden") await hideEvent(deps, order);
  return { session, eventId, ana, ben, event: await readEvent(deps, eventId) };
}
const reset = (eventId: number, reason?: string) =>
  resetEvent(deps, { eventId, actor: admin, ...(reason === undefined ? {} : { reason }) });
const newsOf = (userId: number) =>
  deps.pool.db
    .select()
    .from(notifications)
    .where(eq(notifications.userId, userId))
    .orderBy(asc(notifications.id));
const untouched = { postedCents: 10_000, heldCents: 0, availableCents: 10_000, owedCents: 0 };

test("a reset refunds the calls of an open event, notifies the players, and starts a new round as a draft", async () => {
  const { session, eventId, ana, ben, event } = await buildPlayed("open");
  const draft = await reset(eventId, "The question was wrong");
  expect(draft).toMatchObject({
    state: "draft",
    round: event.round + 1,
    result: null,
    opensAt: null,
    closesAt: null,
  });
  expect(draft).toMatchObject({ publishedAt: null, openedAt: null, nextTransition: null, dueAt: null });
  for (const player of [ana, ben]) expect(await readWallet(deps.pool.db, player.id)).toMatchObject(untouched);
  const rows = await deps.pool.db.select().from(calls).where(eq(calls.eventId, eventId));
  expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(["soft_destroyed"]));
  expect(await readSpots(deps, eventId)).toMatchObject({
    true: { state: "closed", won: null, poolCents: 0, callsCount: 0, openedAt: null },
    false: { state: "closed", poolCents: 0 },
  });
  const newest = Math.max(...rows.filter(({ userId }) => userId === ana.id).map(({ id }) => id));
  expect(await newsOf(ana.id)).toMatchObject([
    {
      kind: "refund",
      title: "$5.00 back: the host reset it",
      body: `${event.title} The question was wrong`,
      url: `/sessions/${session.slug}/history/${newest}`,
    },
  ]);
  const facts = await deps.pool.db
    .select()
    .from(outbox)
    .where(inArray(outbox.kind, ["call_cancelled", "event_changed"]));
  for (const { id: callId } of rows) {
    expect(facts).toContainEqual(expect.objectContaining({ kind: "call_cancelled", payload: { callId } }));
  }
  const [line] = await deps.pool.db.select().from(audit).orderBy(desc(audit.id)).limit(1);
  expect(line).toMatchObject({ action: "reset", actorId: admin.id, reason: "The question was wrong" });
});

test.each(["resolved", "hidden"] as const)("a reset reverses the payouts of a %s event", async (state) => {
  const { eventId, ana, ben, event } = await buildPlayed(state);
  expect((await readWallet(deps.pool.db, ana.id)).postedCents).toBe(10_400);
  const draft = await reset(eventId, "Wrong tape");
  expect(draft).toMatchObject({ state: "draft", round: event.round + 1, result: null, resultReason: null });
  for (const player of [ana, ben]) expect(await readWallet(deps.pool.db, player.id)).toMatchObject(untouched);
  expect((await readSpots(deps, eventId)).true).toMatchObject({ won: null, resolvedAt: null, poolCents: 0 });
  const body = `${event.title} Wrong tape`;
  const title = "Result withdrawn: $4.00 taken back, net $0.00";
  expect((await newsOf(ana.id)).at(-1)).toMatchObject({ kind: "correction", title, body });
  expect((await newsOf(ben.id)).at(-1)).toMatchObject({ title: title.replace("taken back", "more"), body });
});

test("winnings that were spent before the reset are owed, and the wallet stays above zero", async () => {
  const { eventId, ana } = await buildPlayed("resolved");
  const other = await buildEvent(deps, "open");
  await buildCall(deps, { userId: ana.id, eventId: other.id, wagerCents: 10_400 });
  await reset(eventId, "Wrong tape");
  expect(await readWallet(deps.pool.db, ana.id)).toMatchObject({ availableCents: 0, owedCents: 400 });
});

test("after a reset the event can be played again, and the new round is settled separately", async () => {
  const { eventId, ana, ben } = await buildPlayed("resolved");
  await reset(eventId, "Once more");
  const order = { eventId, actor: null };
  await publishEvent(deps, order);
  await openEvent(deps, order);
  await buildCall(deps, { userId: ben.id, eventId, side: "true" });
  await buildCall(deps, { userId: ana.id, eventId, side: "false" });
  await resolveAndPay(deps, { eventId, actor: null, result: "true" });
  expect((await readWallet(deps.pool.db, ben.id)).postedCents).toBe(10_100);
});

describe("is refused, and nothing changes,", () => {
  test.each(["open", "resolved", "hidden"] as const)("without a reason if money moves: %s", async (state) => {
    const { eventId, ana, event } = await buildPlayed(state);
    const wallet = await readWallet(deps.pool.db, ana.id);
    const refusal = await refusalOf(reset(eventId));
    expect(refusal.details.errors).toEqual({ reason: ["is required"] });
    expect(await readEvent(deps, eventId)).toEqual(event);
    expect(await readWallet(deps.pool.db, ana.id)).toEqual(wallet);
  });

  test.each(["open", "resolved"] as const)("for an admin with a call on the %s event", async (state) => {
    const { eventId, ana, event } = await buildPlayed(state);
    const refusal = await refusalOf(resetEvent(deps, { eventId, actor: ana, reason: "I lost" }));
    expect(refusal.status).toBe(403);
    expect(refusal.details.detail).toBe("You have a call on this event. Somebody else must reset it.");
    expect(await readEvent(deps, eventId)).toEqual(event);
  });
});

test.each(["visible", "open", "closed", "resolved", "hidden"] as const)(
  "a %s event without calls needs no reason",
  async (state) => {
    const event = await buildEvent(deps, state);
    expect(await reset(event.id)).toMatchObject({ state: "draft", round: 2 });
  },
);

test("a voided event needs no reason", async () => {
  const { eventId, ana } = await buildPlayed("open");
  await resolveAndPay(deps, { eventId, actor: admin, result: "void" });
  expect(await reset(eventId)).toMatchObject({ state: "draft" });
  expect(await readWallet(deps.pool.db, ana.id)).toMatchObject(untouched);
});
