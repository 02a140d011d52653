import { expect, test } from "bun:test";
import { asc, eq, sql } from "drizzle-orm";
import fc from "fast-check";
import { callStates, outcomes } from "#db/lists/calls.ts";
import { calls } from "#db/schema/calls.ts";
import { events } from "#db/schema/events.ts";
import { findViewer } from "#src/people/sign-ins/find-sign-in.ts";
import { cancelCall, takeCallBack } from "#src/play/calls/cancel-call.ts";
import { findCallViews } from "#src/play/calls/find-call-views.ts";
import { listCalls, listResults } from "#src/play/calls/list-calls.ts";
import { refusalOf, testWorld } from "#tests/support/world.ts";

const RUNS = 120;

const { deps, db, by, timer, build, runClock } = await testWorld();
const [ana, ben, admin] = [await build.player(), await build.player(), await build.admin()];
const sessions = [await build.runningSession(), await build.runningSession()];
const now = new Date();

// Each event ends in another way; both players have calls on it, and cancel one of them.
for (const [index, end] of (["won", "lost", "void", "skip", "open", "corrected"] as const).entries()) {
  const session = sessions[index % sessions.length];
  const { id: eventId } = await build.event("open", { sessionId: session?.id });
  for (const { id: userId } of [ana, ben, ana]) {
    await build.call({ eventId, userId, side: userId === ana.id ? "true" : "false", wagerCents: 10 + index });
  }
  const cancelled = await build.call({ eventId, userId: ana.id, wagerCents: 5 });
  await takeCallBack(deps, { viewer: await findViewer(db, ana.id), callId: cancelled, reason: null });
  if (end === "open") continue;
  if (end === "skip") {
    await by(admin).skip(eventId);
    continue;
  }
  await by(admin).close(eventId);
  const result = ({ won: "true", lost: "false", void: "void", corrected: "true" } as const)[end];
  await by(admin).settle(eventId, result);
  if (end === "corrected") {
    await by(admin).settle(eventId, "false", { reason: "Looked again" });
  }
}

const rows = await db
  .select({ call: calls, sessionId: events.sessionId })
  .from(calls)
  .innerJoin(events, eq(events.id, calls.eventId))
  .orderBy(asc(calls.id));
type Row = (typeof rows)[number];

const pageOf = fc.record({ number: fc.integer({ min: 1, max: 5 }), perPage: fc.integer({ min: 1, max: 8 }) });
const pageFor = ({ number, perPage }: { number: number; perPage: number }) => ({
  page: number,
  perPage,
  offset: (number - 1) * perPage,
});
const query = fc.record({
  sessionId: fc.option(fc.constantFrom(...sessions.map(({ id }) => String(id))), { nil: undefined }),
  eventId: fc.option(fc.constantFrom(...rows.map(({ call }) => call.eventId)), { nil: undefined }),
  state: fc.option(fc.constantFrom(...callStates), { nil: undefined }),
  active: fc.option(fc.constantFrom("true" as const, "false" as const), { nil: undefined }),
  outcome: fc.option(fc.constantFrom(...outcomes), { nil: undefined }),
});
type Query = typeof query extends fc.Arbitrary<infer Value> ? Value : never;

/** What the API's reference says about each filter. */
function matches({ call, sessionId }: Row, filter: Query): boolean {
  const active = call.state === "placed" || call.state === "closed";
  const outcome = call.refundedBy === null ? call.outcome : "refunded";
  return (
    (filter.eventId === undefined || call.eventId === filter.eventId) &&
    (filter.state === undefined || call.state === filter.state) &&
    (filter.sessionId === undefined || String(sessionId) === filter.sessionId) &&
    (filter.active === undefined || String(active) === filter.active) &&
    (filter.outcome === undefined || outcome === filter.outcome)
  );
}

test("any page of a player's calls has what each filter says, newest first, and the count of all", async () => {
  const property = fc.asyncProperty(fc.constantFrom(ana, ben), query, pageOf, async (player, filter, at) => {
    const expected = rows
      .filter((row) => row.call.userId === player.id && matches(row, filter))
      .map(({ call }) => call.id)
      .toReversed();
    const page = pageFor(at);
    const listed = await listCalls(db, { viewer: player, query: filter, page }, { now, asker: "host" });
    expect(listed.calls.map(({ id }) => id)).toEqual(expected.slice(page.offset, page.offset + page.perPage));
    expect(listed.meta).toMatchObject({
      totalCount: expected.length,
      totalPages: Math.max(1, Math.ceil(expected.length / page.perPage)),
    });
  });
  await fc.assert(property, { numRuns: RUNS });
});

test("any page of a player's results has the resolved calls, newest result first, and the count of all", async () => {
  const property = fc.asyncProperty(fc.constantFrom(ana, ben), pageOf, async (player, at) => {
    const endedAt = ({ call }: Row) => call.endedAt?.getTime() ?? 0;
    const expected = rows
      .filter(({ call }) => call.userId === player.id && call.state === "resolved")
      .toSorted((a, b) => endedAt(b) - endedAt(a) || b.call.id - a.call.id)
      .map(({ call }) => call.id);
    const page = pageFor(at);
    const listed = await listResults(db, { userId: player.id, page }, now);
    expect(listed.results.map(({ id }) => id)).toEqual(
      expected.slice(page.offset, page.offset + page.perPage),
    );
    expect(listed.meta).toMatchObject({ totalCount: expected.length });
  });
  await fc.assert(property, { numRuns: RUNS });
});

async function stateOf(callId: number) {
  const [call] = await db.select({ state: calls.state }).from(calls).where(eq(calls.id, callId));
  return call?.state;
}

test("a player is offered to take a call back during a pause as the clock of the session says", async () => {
  const { session, event } = await build.openShow();
  const { id: userId } = await build.player();
  const callId = await build.call({ userId, eventId: event.id });
  await timer.pause(session.id);
  const anHourLater = new Date(Date.now() + 3_600_000);
  const offered = async () => {
    const [call] = await findCallViews(db, { callIds: [callId] }, anHourLater);
    return call?.cancellable;
  };

  expect(await offered()).toBe(true);
  await db.execute(sql`UPDATE events SET closes_at =
    (SELECT paused_at FROM sessions WHERE id = ${session.id}) + interval '4.9 s' WHERE id = ${event.id}`);
  expect(await offered()).toBe(false);
});

test("in a pause only a call of the 10 seconds before it can be taken back, and the others after the resume", async () => {
  const { session, event } = await build.openShow({ durationSeconds: 600 });
  const { id: userId } = await build.player();
  const callId = await build.call({ userId, eventId: event.id });
  await runClock({ aheadMs: 10_500 });
  const late = await build.call({ userId, eventId: event.id });
  await timer.pause(session.id);
  const views = await findCallViews(db, { callIds: [callId, late] }, new Date());
  expect(views.map(({ cancellable }) => cancellable)).toEqual([false, true]);

  expect((await refusalOf(cancelCall(deps, { viewer: { id: userId }, callId }))).details.detail).toBe(
    "The session is paused: only a call of the last 10 seconds before the pause can be taken back. Try again once the session goes on.",
  );
  expect(await stateOf(callId)).toBe("placed");
  await cancelCall(deps, { viewer: { id: userId }, callId: late });
  await timer.resume(session.id);
  await cancelCall(deps, { viewer: { id: userId }, callId });
  expect(await Promise.all([callId, late].map(stateOf))).toEqual(["soft_destroyed", "soft_destroyed"]);
  await runClock();
});
