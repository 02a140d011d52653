import { expect, test } from "bun:test";
import { asc, sql } from "drizzle-orm";
import { inTransaction } from "#db/client.ts";
import { outbox } from "#db/schema/outbox.ts";
import { findViewer } from "#src/people/sign-ins/find-sign-in.ts";
import { findSettling } from "#src/play/settlements/find-settling.ts";
import { paySettlement } from "#src/play/settlements/pay-settlement.ts";
import { findEventViews } from "#src/show/events/find-event-views.ts";
import { recomputeSettlement, showSettlement } from "#src/show/events/show-settlement.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildLargeEvent, expectBooksToAgree, payOnePart, readWalletsOf } from "./large-settlement.ts";

const { deps, db, by, timer, build, refused, payInParts } = await testWorld();
await payInParts({ atOnceMax: 3, partMax: 2 });
const admin = await build.admin();

const resolve = (eventId: number, result: "true" | "false" | "void", reason?: string) =>
  by(admin).resolve(eventId, result, { reason: reason ?? null });
const viewAsAdmin = () => findViewer(db, admin.id);

test("a large settlement has its result at once and is paid in parts; admins see the progress", async () => {
  const large = await buildLargeEvent(deps);
  const { eventId } = large;
  const paying = async () => {
    const viewing = { viewerId: null, publishedOnly: false, withPlan: true, now: new Date() };
    return (await findEventViews(db, { eventIds: [eventId], ...viewing }))[0]?.plan?.paying;
  };
  expect(await resolve(eventId, "true")).toMatchObject({ state: "resolved", result: "true" });
  expect(await readWalletsOf(deps, large)).toMatchObject({ posted: [10_000, 10_000, 10_000, 10_000] });
  expect(await paying()).toEqual({ paidCallsCount: 0, callsCount: 4 });
  expect(await findSettling(db)).toMatchObject([{ eventId, paidCallsCount: 0, callsCount: 4 }]);
  await expectBooksToAgree(deps);

  await payOnePart(deps, large);
  expect(await readWalletsOf(deps, large)).toMatchObject({ posted: [10_000, 10_000, 10_100, 9_700] });
  expect(await readWalletsOf(deps, large)).toMatchObject({ held: [100, 100, 0, 0] });
  expect(await paying()).toEqual({ paidCallsCount: 2, callsCount: 4 });
  await expectBooksToAgree(deps);

  await timer.pay();
  expect(await readWalletsOf(deps, large)).toMatchObject({ posted: [10_100, 10_100, 10_100, 9_700] });
  expect(await paying()).toBeNull();
  expect(await findSettling(db)).toEqual([]);
  await expectBooksToAgree(deps);
});

test("a job is queued for every result, and none for a decision that changes nothing", async () => {
  const jobs = () => deps.queues.byName.settlements.getJobs(["waiting", "delayed", "active"]);
  const large = await buildLargeEvent(deps);
  const { eventId } = large;
  const before = (await jobs()).length;
  const { version } = await resolve(eventId, "true");
  await resolve(eventId, "true");
  const queued = await jobs();
  expect(queued).toHaveLength(before + 1);
  const mine = queued.filter(({ deduplicationId }) => deduplicationId === `event-${eventId}-v${version}`);
  expect(mine.map(({ data }): unknown => data)).toMatchObject([{ eventId }]);
  await timer.pay();
});

test("only one process at a time pays a settlement", async () => {
  const large = await buildLargeEvent(deps);
  const { eventId } = large;
  await resolve(eventId, "true");
  await inTransaction(db, async (tx) => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(7705, ${eventId}::int)`);
    expect(await paySettlement(deps, eventId)).toBe("locked");
  });
  expect(await readWalletsOf(deps, large)).toMatchObject({ posted: [10_000, 10_000, 10_000, 10_000] });
  await timer.pay();
  expect(await readWalletsOf(deps, large)).toMatchObject({ posted: [10_100, 10_100, 10_100, 9_700] });
});

test("the payouts of an event are the same while it is being paid and afterwards", async () => {
  const large = await buildLargeEvent(deps);
  const { eventId } = large;
  await resolve(eventId, "true");
  const viewer = await viewAsAdmin();
  const show = () => showSettlement(db, { eventId, viewer }, new Date());
  const { callersCount, callsCount, payouts } = await show();
  expect({ callersCount, callsCount }).toEqual({ callersCount: 4, callsCount: 4 });
  await timer.pay();
  expect(await show()).toMatchObject({ callersCount, callsCount, payouts });
});

test("recomputing is refused while an event is being paid, and agrees afterwards", async () => {
  const large = await buildLargeEvent(deps);
  const { eventId } = large;
  await resolve(eventId, "true");
  await payOnePart(deps, large);
  const viewer = await viewAsAdmin();
  const recompute = () => recomputeSettlement(deps, { eventId, viewer }, new Date());
  expect(await refused(() => recompute())).toMatchObject({
    status: 409,
    details: { detail: expect.stringContaining("2 of 4 calls") },
  });
  await timer.pay();
  const { recomputation } = await recompute();
  expect(recomputation).toMatchObject({ callsCount: 4, paidCents: 600, differencesCount: 0 });
});

test("each part broadcasts its own players, after the event has broadcast its result", async () => {
  const large = await buildLargeEvent(deps);
  const { eventId } = large;
  await resolve(eventId, "true");
  await timer.pay();
  const rows = await db
    .select()
    .from(outbox)
    .where(sql`payload ->> 'eventId' = ${String(eventId)}`)
    .orderBy(asc(outbox.id));
  const [first, second, third, fourth] = large.players;
  expect(rows.map(({ kind, payload }) => ({ kind, payload })).slice(-4)).toMatchObject([
    { kind: "event_changed", payload: { change: "resolve" } },
    { kind: "event_settled", payload: { fromUserId: third.id, toUserId: fourth.id } },
    { kind: "event_settled", payload: { fromUserId: first.id, toUserId: second.id } },
    { kind: "event_changed", payload: { change: "pay" } },
  ]);
});
