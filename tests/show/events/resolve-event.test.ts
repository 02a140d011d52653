import { expect, test } from "bun:test";
import { eq, inArray } from "drizzle-orm";
import { calls } from "#db/schema/calls.ts";
import { settlements } from "#db/schema/ledger.ts";
import { outbox } from "#db/schema/outbox.ts";
import { resetEvent } from "#src/show/events/reset-event.ts";
import { type BuiltUser } from "#tests/support/build.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, by, timer, build, read, refused } = await testWorld();
const admin = await build.admin();
const { id: sessionId } = await build.runningSession();

/** An open event with one call of $1.00 on each side. */
async function buildContest() {
  const event = await build.event("open", { sessionId });
  const [ana, ben] = await Promise.all([build.player(), build.player()]);
  const won = await build.call({ userId: ana.id, eventId: event.id, side: "true" });
  const lost = await build.call({ userId: ben.id, eventId: event.id, side: "false" });
  return { event, ana, won, lost };
}

async function readCall(callId: number) {
  const [row] = await db.select().from(calls).where(eq(calls.id, callId));
  return row;
}

const liveSettlements = (eventId: number) =>
  db.select().from(settlements).where(eq(settlements.eventId, eventId));

test("resolving an open event closes it first and pays the pool to the winning side", async () => {
  const { event, won, lost } = await buildContest();
  const resolved = await by(admin).settle(event.id);
  expect(resolved).toMatchObject({ state: "resolved", result: "true", nextTransition: null, dueAt: null });
  expect(resolved.closedAt).not.toBeNull();
  expect(await readCall(won)).toMatchObject({ state: "resolved", outcome: "won", payoutCents: 200 });
  expect(await readCall(lost)).toMatchObject({ state: "resolved", outcome: "lost", payoutCents: 0 });
  const spots = await read.spots(event.id);
  expect(spots.true).toMatchObject({ state: "closed", won: true });
  expect(spots.false).toMatchObject({ state: "closed", won: false });
});

test("an effective time in the future is refused, and nothing changes", async () => {
  const { event } = await buildContest();
  const effectiveAt = new Date(Date.now() + 60_000);
  const refusal = await refused(() => by(admin).settle(event.id, "true", { effectiveAt }));
  expect(refusal.details.errors).toEqual({ effectiveAt: ["is invalid"] });
});

test("a correction notifies the players whose payout changes; a void notifies the refunded ones", async () => {
  const { event, ana } = await buildContest();
  await by(admin).settle(event.id, "void", { reason: "Rained off" });
  expect(await read.told(ana.id)).toMatchObject([
    { kind: "refund", title: "$1.00 back: the question was called off", body: `${event.title} Rained off` },
  ]);
  await by(admin).settle(event.id, "true", { reason: "It was played" });
  expect((await read.told(ana.id)).at(-1)).toMatchObject({
    kind: "correction",
    title: "Result corrected to True: $1.00 more, net +$1.00",
    body: `${event.title} It was played`,
  });
});

test("of two concurrent different results one is settled, and the other is refused", async () => {
  const { event } = await buildContest();
  const resolve = (actor: BuiltUser, result: "true" | "false") => by(actor).settle(event.id, result);
  const outcomes = await Promise.allSettled([resolve(admin, "true"), resolve(await build.admin(), "false")]);
  expect(outcomes.filter((outcome) => outcome.status === "fulfilled")).toHaveLength(1);
  const all = await liveSettlements(event.id);
  expect(all).toHaveLength(1);
  expect(all[0]?.result).toBe((await read.event(event.id)).result ?? undefined);
});

/** An event of a running session with calls of two players, in that state. */
async function buildPlayed(state: "open" | "resolved" | "hidden") {
  const session = await build.runningSession();
  const { id: eventId } = await build.event("open", { sessionId: session.id });
  const [ana, ben] = await Promise.all([build.player(), build.player()]);
  await build.call({ userId: ana.id, eventId, side: "true", wagerCents: 300 });
  await build.call({ userId: ana.id, eventId, side: "true", wagerCents: 200 });
  await build.call({ userId: ben.id, eventId, side: "false", wagerCents: 400 });
  if (state === "resolved" || state === "hidden") await timer.settle(eventId);
  if (state === "hidden") await timer.hide(eventId);
  return { session, eventId, ana, ben, event: await read.event(eventId) };
}
const reset = (eventId: number, reason?: string) =>
  resetEvent(deps, { eventId, actor: admin, ...(reason === undefined ? {} : { reason }) });
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
  for (const player of [ana, ben]) expect(await read.wallet(player.id)).toMatchObject(untouched);
  const rows = await db.select().from(calls).where(eq(calls.eventId, eventId));
  expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(["soft_destroyed"]));
  expect(await read.spots(eventId)).toMatchObject({
    true: { state: "closed", won: null, poolCents: 0, callsCount: 0, openedAt: null },
    false: { state: "closed", poolCents: 0 },
  });
  const newest = Math.max(...rows.filter(({ userId }) => userId === ana.id).map(({ id }) => id));
  expect(await read.told(ana.id)).toMatchObject([
    {
      kind: "refund",
      title: "$5.00 back: the host reset it",
      body: `${event.title} The question was wrong`,
      url: `/sessions/${session.slug}/history/${newest}`,
    },
  ]);
  const facts = await db
    .select()
    .from(outbox)
    .where(inArray(outbox.kind, ["call_cancelled", "event_changed"]));
  for (const { id: callId } of rows) {
    expect(facts).toContainEqual(expect.objectContaining({ kind: "call_cancelled", payload: { callId } }));
  }
  const line = await read.lastAudit();
  expect(line).toMatchObject({ action: "reset", actorId: admin.id, reason: "The question was wrong" });
});

test.each(["resolved", "hidden"] as const)("a reset reverses the payouts of a %s event", async (state) => {
  const { eventId, ana, ben, event } = await buildPlayed(state);
  expect(await read.balance(ana.id)).toBe(10_400);
  const draft = await reset(eventId, "Wrong tape");
  expect(draft).toMatchObject({ state: "draft", round: event.round + 1, result: null, resultReason: null });
  for (const player of [ana, ben]) expect(await read.wallet(player.id)).toMatchObject(untouched);
  expect((await read.spots(eventId)).true).toMatchObject({ won: null, resolvedAt: null, poolCents: 0 });
  const body = `${event.title} Wrong tape`;
  const title = "Result withdrawn: $4.00 taken back, net $0.00";
  expect((await read.told(ana.id)).at(-1)).toMatchObject({ kind: "correction", title, body });
  expect((await read.told(ben.id)).at(-1)).toMatchObject({
    title: title.replace("taken back", "more"),
    body,
  });
});

test("winnings that were spent before the reset are owed, and the wallet stays above zero", async () => {
  const { eventId, ana } = await buildPlayed("resolved");
  const other = await build.event("open");
  await build.call({ userId: ana.id, eventId: other.id, wagerCents: 10_400 });
  await reset(eventId, "Wrong tape");
  expect(await read.wallet(ana.id)).toMatchObject({ availableCents: 0, owedCents: 400 });
});

test.each(["open", "resolved", "hidden"] as const)(
  "is refused, and nothing changes, without a reason if money moves: %s",
  async (state) => {
    const { eventId, ana } = await buildPlayed(state);
    const wallet = await read.wallet(ana.id);
    const refusal = await refused(() => reset(eventId));
    expect(refusal.details.errors).toEqual({ reason: ["is required"] });
    expect(await read.wallet(ana.id)).toEqual(wallet);
  },
);
