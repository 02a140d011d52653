import { expect, test } from "bun:test";
import { asc, eq } from "drizzle-orm";
import fc from "fast-check";
import { callStates, outcomes } from "#db/lists/calls.ts";
import { calls } from "#db/schema/calls.ts";
import { events } from "#db/schema/events.ts";
import { findViewer } from "#src/people/sign-ins/find-sign-in.ts";
import { takeCallBack } from "#src/play/calls/cancel-call.ts";
import { listCalls } from "#src/play/calls/list-calls.ts";
import { listResults } from "#src/play/calls/list-results.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import { skipEvent } from "#src/show/events/skip-event.ts";
import { buildAdmin, buildCall, buildEvent, buildPlayer, buildRunningSession } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";

const RUNS = 120;

const deps = await testDeps();
const { db } = deps.pool;
const [ana, ben, admin] = [await buildPlayer(deps), await buildPlayer(deps), await buildAdmin(deps)];
const sessions = [await buildRunningSession(deps), await buildRunningSession(deps)];
const now = new Date();

// Each event ends in another way; both players have calls on it, and cancel one of them.
for (const [index, end] of (["won", "lost", "void", "skip", "open", "corrected"] as const).entries()) {
  const session = sessions[index % sessions.length];
  const { id: eventId } = await buildEvent(deps, "open", { sessionId: session?.id });
  for (const { id: userId } of [ana, ben, ana]) {
    await buildCall(deps, {
      eventId,
      userId,
      side: userId === ana.id ? "true" : "false",
      wagerCents: 10 + index,
    });
  }
  const cancelled = await buildCall(deps, { eventId, userId: ana.id, wagerCents: 5 });
  await takeCallBack(deps, { viewer: await findViewer(db, ana.id), callId: cancelled, reason: null });
  if (end === "open") continue;
  if (end === "skip") {
    await skipEvent(deps, { eventId, actor: admin });
    continue;
  }
  await closeEvent(deps, { eventId, actor: admin });
  const result = ({ won: "true", lost: "false", void: "void", corrected: "true" } as const)[end];
  await resolveAndPay(deps, { eventId, actor: admin, result });
  if (end === "corrected") {
    await resolveAndPay(deps, { eventId, actor: admin, result: "false", reason: "Looked again" });
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
