import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { asc, eq, inArray, sql } from "drizzle-orm";
import { listUnpaidSettlements } from "#db/ledger/list-unpaid-settlements.ts";
import { listDifferences } from "#db/ledger/reconcile.ts";
import { readWallet } from "#db/ledger/read-wallet.ts";
import { calls } from "#db/schema/calls.ts";
import { notifications } from "#db/schema/notifications.ts";
import { outbox } from "#db/schema/outbox.ts";
import { showReceipt } from "#src/calls/show-receipt.ts";
import { closeEvent } from "#src/events/close-event.ts";
import { findEventView } from "#src/events/find-event-views.ts";
import { findSettling } from "#src/events/find-settling.ts";
import { hideEvent } from "#src/events/hide-event.ts";
import { paySettlement } from "#src/events/pay-settlement.ts";
import { recomputeSettlement } from "#src/events/recompute-settlement.ts";
import { resetEvent } from "#src/events/reset-event.ts";
import { resolveEvent } from "#src/events/resolve-event.ts";
import { showSettlement } from "#src/events/show-settlement.ts";
import { skipEvent } from "#src/events/skip-event.ts";
import { sweepSettlements } from "#src/events/sweep-settlements.ts";
import { findViewer } from "#src/users/find-viewer.ts";
import { compareScores } from "#src/leaderboard/compare-scores.ts";
import { listEntries } from "#db/ledger/list-entries.ts";
import {
  buildAdmin,
  buildCall,
  buildEvent,
  buildPlayer,
  buildRunningSession,
  type BuiltUser,
  readEvent,
} from "#tests/support/build.ts";
import { payInParts } from "#tests/support/database.ts";
import { buildDeps, type TestDeps } from "#tests/support/deps.ts";
import { refusalOf } from "#tests/support/refusals.ts";

let deps: TestDeps;
let admin: BuiltUser;
let players: BuiltUser[];
beforeAll(async () => {
  deps = await buildDeps();
  await payInParts(deps.pool, { atOnceMax: 3, partMax: 2 });
  admin = await buildAdmin(deps);
});
beforeEach(async () => {
  players = [];
  for (let n = 0; n < 4; n += 1) players.push(await buildPlayer(deps));
});
afterAll(async () => {
  await expectBooksToAgree();
  await deps.close();
});

async function expectBooksToAgree(): Promise<void> {
  expect(await listDifferences(deps.pool.db)).toEqual([]);
  const { results, scores } = await compareScores(deps.pool.db);
  expect({ results, scores }).toEqual({ results: 0, scores: 0 });
}

/** An open event of a running session: the first three players have 1.00 on True, the fourth 3.00 on False. */
async function buildCrowd(): Promise<number> {
  const { id: sessionId } = await buildRunningSession(deps);
  const { id: eventId } = await buildEvent(deps, "open", { sessionId });
  for (const [index, { id: userId }] of players.entries()) {
    const stake = index < 3 ? { side: "true" as const } : { side: "false" as const, wagerCents: 300 };
    await buildCall(deps, { userId, eventId, ...stake });
  }
  return eventId;
}

const resolve = (eventId: number, result: "true" | "false" | "void", reason?: string) =>
  resolveEvent(deps, { eventId, actor: admin, result, reason: reason ?? null });
const posted = () =>
  Promise.all(players.map(async ({ id }) => (await readWallet(deps.pool.db, id)).postedCents));
const held = () => Promise.all(players.map(async ({ id }) => (await readWallet(deps.pool.db, id)).heldCents));
const newsOf = async ({ id }: BuiltUser) => {
  const rows = await deps.pool.db.select().from(notifications).where(eq(notifications.userId, id));
  return rows.map(({ kind, body }) => ({ kind, body }));
};
/** What the sweep pays in a turn, which in a test is everything. */
const payAll = () => sweepSettlements(deps);

const viewAsAdmin = () => findViewer(deps.pool.db, admin.id);

async function payOnePart(eventId: number): Promise<void> {
  const [unpaid] = await listUnpaidSettlements(deps.pool.db, [eventId]);
  if (unpaid === undefined) throw new Error("nothing is to be paid");
  expect(await paySettlement(deps, unpaid, { turnMs: 0 })).toBe("more");
}

test("a crowd has its result at once and its money part by part; admins see how far it is", async () => {
  const eventId = await buildCrowd();
  const paying = async () => {
    const viewing = { viewerId: null, publishedOnly: false, withPlan: true, now: new Date() };
    return (await findEventView(deps.pool.db, eventId, viewing))?.plan?.paying;
  };
  expect(await resolve(eventId, "true")).toMatchObject({ state: "resolved", result: "true" });
  expect(await posted()).toEqual([10_000, 10_000, 10_000, 10_000]);
  expect(await paying()).toEqual({ paidCallsCount: 0, callsCount: 4 });
  expect(await findSettling(deps.pool.db)).toMatchObject([{ eventId, paidCallsCount: 0, callsCount: 4 }]);
  await expectBooksToAgree();

  await payOnePart(eventId);
  expect(await posted()).toEqual([10_000, 10_000, 10_100, 9_700]);
  expect(await held()).toEqual([100, 100, 0, 0]);
  expect(await paying()).toEqual({ paidCallsCount: 2, callsCount: 4 });
  await expectBooksToAgree();

  await payAll();
  expect(await posted()).toEqual([10_100, 10_100, 10_100, 9_700]);
  expect(await paying()).toBeNull();
  expect(await findSettling(deps.pool.db)).toEqual([]);
  await expectBooksToAgree();
});

test("a worker is asked to pay a crowd, and none for fewer", async () => {
  const jobsCount = () => deps.queues.settlements.getJobCountByTypes("waiting", "delayed", "active");
  const eventId = await buildCrowd();
  const before = await jobsCount();
  await resolve(eventId, "true");
  expect(await jobsCount()).toBe(before + 1);
  await payAll();
  const { id: small } = await buildEvent(deps, "open");
  await buildCall(deps, { userId: players[0]?.id ?? 0, eventId: small });
  await resolve(small, "true");
  expect(await jobsCount()).toBe(before + 1);
  expect(await listUnpaidSettlements(deps.pool.db)).toEqual([]);
});

test("a crowd is paid although Redis did not take the job", async () => {
  const eventId = await buildCrowd();
  const queues = { ...deps.queues, paySettlement: () => Promise.reject(new Error("Redis is away")) };
  await resolveEvent({ ...deps, queues }, { eventId, actor: admin, result: "false" });
  await payAll();
  expect(await posted()).toEqual([9_900, 9_900, 9_900, 10_300]);
});

test("while somebody pays a settlement, nobody else does", async () => {
  const eventId = await buildCrowd();
  await resolve(eventId, "true");
  const turns = await Promise.all(Array.from({ length: 4 }, () => sweepOf(eventId)));
  expect(turns).toContain("paid");
  expect(turns).toContain("elsewhere");
  expect(await posted()).toEqual([10_100, 10_100, 10_100, 9_700]);
});

async function sweepOf(eventId: number) {
  const [unpaid] = await listUnpaidSettlements(deps.pool.db, [eventId]);
  return unpaid === undefined ? "paid" : paySettlement(deps, unpaid);
}

test("an undo need not wait until all are paid: each gets the difference to what was paid, once", async () => {
  const eventId = await buildCrowd();
  await resolve(eventId, "true");
  await payOnePart(eventId);
  expect(await resolve(eventId, "false")).toMatchObject({ result: "false" });
  await expectBooksToAgree();
  await payAll();
  await expectBooksToAgree();
  expect(await posted()).toEqual([9_900, 9_900, 9_900, 10_300]);
  expect(await held()).toEqual([0, 0, 0, 0]);
  const [first, , third, fourth] = players;
  if (first === undefined || third === undefined || fourth === undefined) throw new Error("four play");
  // Only who was paid already is corrected.
  expect(await newsOf(first)).toEqual([]);
  expect(await newsOf(third)).toMatchObject([
    { kind: "correction", body: expect.stringContaining("-$2.00") },
  ]);
  const movesOf = async ({ id: userId }: BuiltUser) => {
    const { transactions } = await listEntries(deps.pool.db, { userId, limit: 10, offset: 0 });
    return transactions.map(({ kind, amountCents, availableAfterCents }) => [
      kind,
      amountCents,
      availableAfterCents,
    ]);
  };
  expect(await movesOf(first)).toEqual([
    ["settle", 0, 9_900],
    ["hold", -100, 9_900],
    ["grant", 10_000, 10_000],
  ]);
  expect(await movesOf(fourth)).toEqual([
    ["correction", 600, 10_300],
    ["settle", 0, 9_700],
    ["hold", -300, 9_700],
    ["grant", 10_000, 10_000],
  ]);
  const [call] = await deps.pool.db.select().from(calls).where(eq(calls.userId, first.id));
  const viewer = await viewAsAdmin();
  const { receipt } = await showReceipt(deps.pool.db, { viewer, callId: call?.id ?? 0 }, new Date());
  expect(receipt.settlements).toMatchObject([{ result: "false", payoutCents: 0 }]);
});

test("who paid how much to whom is told while it is being paid as it is afterwards", async () => {
  const eventId = await buildCrowd();
  await resolve(eventId, "true");
  const viewer = await viewAsAdmin();
  const show = () => showSettlement(deps.pool.db, { eventId, viewer }, new Date());
  const { callersCount, callsCount, payouts } = await show();
  expect({ callersCount, callsCount }).toEqual({ callersCount: 4, callsCount: 4 });
  await payAll();
  expect(await show()).toMatchObject({ callersCount, callsCount, payouts });
});

test("a void refunds a crowd in parts, and tells each player when that one's turn has come", async () => {
  const eventId = await buildCrowd();
  await resolve(eventId, "void", "The tape was torn");
  const last = players.at(-1);
  const [first] = players;
  if (first === undefined || last === undefined) throw new Error("four play");
  await payOnePart(eventId);
  expect(await newsOf(first)).toEqual([]);
  expect(await newsOf(last)).toEqual([
    { kind: "refund", body: "$3.00 is back in your wallet. The tape was torn" },
  ]);
  await payAll();
  expect(await newsOf(first)).toEqual([
    { kind: "refund", body: "$1.00 is back in your wallet. The tape was torn" },
  ]);
  expect(await posted()).toEqual([10_000, 10_000, 10_000, 10_000]);
  expect(await held()).toEqual([0, 0, 0, 0]);
});

test("recomputing is refused while an event is being paid, and agrees afterwards", async () => {
  const eventId = await buildCrowd();
  await resolve(eventId, "true");
  await payOnePart(eventId);
  const viewer = await viewAsAdmin();
  const recompute = () => recomputeSettlement(deps.pool.db, { eventId, viewer }, new Date());
  const before = await readEvent(deps, eventId);
  expect(await refusalOf(recompute())).toMatchObject({
    status: 409,
    details: { detail: expect.stringContaining("2 of 4 calls") },
  });
  expect(await readEvent(deps, eventId)).toEqual(before);
  await payAll();
  const { recomputation } = await recompute();
  expect(recomputation).toMatchObject({ callsCount: 4, paidCents: 600, differencesCount: 0 });
});

test("an event can be hidden while it is being paid", async () => {
  const eventId = await buildCrowd();
  await resolve(eventId, "true");
  await hideEvent(deps, { eventId, actor: admin });
  await expectBooksToAgree();
  await payAll();
  expect(await posted()).toEqual([10_100, 10_100, 10_100, 9_700]);
});

test("a reset of a crowd is refused until it is void and everybody is refunded, and nothing changes", async () => {
  const eventId = await buildCrowd();
  const reset = () => resetEvent(deps, { eventId, actor: admin, reason: "Asked wrongly" });
  const refused = async (detail: string) => {
    const before = await readEvent(deps, eventId);
    expect(await refusalOf(reset())).toMatchObject({
      status: 409,
      details: { detail: expect.stringContaining(detail) },
    });
    expect(await readEvent(deps, eventId)).toEqual(before);
  };
  await refused("Resolve it as void");
  await closeEvent(deps, { eventId, actor: admin });
  await resolve(eventId, "true");
  await refused("0 of 4 calls");
  await payAll();
  await refused("Resolve it as void");
  await resolve(eventId, "void", "Asked wrongly");
  await refused("0 of 4 calls");
  await payAll();
  expect(await reset()).toMatchObject({ state: "draft", round: 2, result: null });
  expect(await posted()).toEqual([10_000, 10_000, 10_000, 10_000]);
});

test("skipping a crowd's event takes it out of the show at once and refunds in parts", async () => {
  const eventId = await buildCrowd();
  const skipped = await skipEvent(deps, { eventId, actor: admin, reason: "No time left" });
  expect(skipped).toMatchObject({ state: "hidden", result: "void" });
  expect(await held()).toEqual([100, 100, 100, 300]);
  await expectBooksToAgree();
  await payAll();
  expect(await held()).toEqual([0, 0, 0, 0]);
  const rows = await deps.pool.db.select().from(calls).where(eq(calls.eventId, eventId));
  expect(new Set(rows.map(({ outcome }) => outcome))).toEqual(new Set(["refunded"]));
  const ids = players.map(({ id }) => id);
  const news = await deps.pool.db.select().from(notifications).where(inArray(notifications.userId, ids));
  expect(news.map(({ body }) => body)).toContain("$3.00 is back in your wallet. No time left");
});

test("each part tells of its own players, after the event has told of its result", async () => {
  const eventId = await buildCrowd();
  await resolve(eventId, "true");
  await payAll();
  const rows = await deps.pool.db
    .select()
    .from(outbox)
    .where(sql`payload ->> 'eventId' = ${String(eventId)}`)
    .orderBy(asc(outbox.id));
  const [, second, third, fourth] = players;
  expect(rows.map(({ kind, payload }) => ({ kind, payload })).slice(-3)).toMatchObject([
    { kind: "event_changed", payload: { change: "resolve" } },
    { kind: "event_settled", payload: { fromUserId: third?.id, toUserId: fourth?.id } },
    { kind: "event_settled", payload: { fromUserId: players[0]?.id, toUserId: second?.id } },
  ]);
});
