import { expect, test } from "bun:test";
import { and, eq, inArray, sql } from "drizzle-orm";
import { placeCalls } from "#db/ledger/place-calls.ts";
import { audit } from "#db/schema/audit.ts";
import { calls } from "#db/schema/calls.ts";
import { events } from "#db/schema/events.ts";
import { settlements } from "#db/schema/ledger.ts";
import { outbox } from "#db/schema/outbox.ts";
import type { Deps } from "#src/base/deps.ts";
import { Refusal } from "#src/base/refusal.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import type { EventRow } from "#src/show/events/with-event.ts";
import { performTransition } from "#src/show/timers/perform-transition.ts";
import { alarmOf, buildDueEvent } from "#tests/jobs/due-events.ts";
import { refusalOf, testWorld } from "#tests/support/world.ts";
import { buildDue, countTraces, stateAfter, transitions } from "../timers/due-together.ts";

const { deps, db, by, timer, build, read, payInParts, set } = await testWorld({}, { poolSize: 10 });

const performAll = (made: readonly EventRow[], by: Deps = deps) =>
  Promise.allSettled(made.map((event) => performTransition(by, alarmOf(event))));
const statesOf = async (made: readonly EventRow[]) =>
  Promise.all(made.map(async ({ id }) => (await read.event(id)).state));
/** How many transactions have moved these events last. */
async function countTransactions(made: readonly EventRow[]): Promise<number> {
  const ids = made.map(({ id }) => id);
  const rows = await db
    .selectDistinct({ by: sql<string>`${events}.xmin::text` })
    .from(events)
    .where(inArray(events.id, ids));
  return rows.length;
}

for (const transition of transitions) {
  test(`${transition} of twenty events that are due at once shares a transaction, and each leaves its traces`, async () => {
    const { id: sessionId } = await build.runningSession();
    const made: EventRow[] = [];
    for (let built = 0; built < 20; built += 1)
      made.push(await buildDue(deps, transition, -10, { sessionId }));
    await performAll(made);
    expect(new Set(await statesOf(made))).toEqual(new Set([stateAfter[transition]]));
    expect(await countTransactions(made)).toBeLessThanOrEqual(2);
    for (const { id, version } of made) {
      expect((await read.event(id)).version).toBe(version + 1);
      const settled = transition === "resolve" ? 1 : 0;
      expect(await countTraces(deps, id, transition)).toEqual({ facts: 1, lines: 1, settled, logged: 1 });
    }
    await timer.pay();
  });

  test(`${transition} that fails for one event does not fail for the others`, async () => {
    const { id: sessionId } = await build.runningSession();
    const made: EventRow[] = [];
    for (let built = 0; built < 7; built += 1) {
      const title = built === 3 ? "It breaks" : "Will it happen?";
      made.push(await buildDue(deps, transition, -10, { sessionId, title }));
    }
    await deps.pool.sql`CREATE TRIGGER breaks BEFORE UPDATE ON events FOR EACH ROW
      WHEN (NEW.title = 'It breaks' AND NEW.state <> OLD.state) EXECUTE FUNCTION deny_transition()`;
    const outcomes = await performAll(made);
    await deps.pool.sql`DROP TRIGGER breaks ON events`;
    expect(outcomes.map(({ status }) => status)).toEqual(
      made.map((_, index) => (index === 3 ? "rejected" : "fulfilled")),
    );
    const [broken] = made.splice(3, 1);
    expect(new Set(await statesOf(made))).toEqual(new Set([stateAfter[transition]]));
    expect(broken && (await read.event(broken.id))).toEqual(broken);
    expect(broken && (await countTraces(deps, broken.id, transition)).facts).toBe(0);
    await timer.pay();
  });
}

test("results that are due together are each that of their event: planned, pending, uncalled and unresolved", async () => {
  const session = await build.runningSession({ settings: { settlementDelaySeconds: 60 } });
  const admin = await build.admin();
  const planned = await buildDue(deps, "resolve", -10, { sessionId: session.id });
  const opposite = await buildDue(deps, "resolve", -10, { sessionId: session.id, autoResult: "false" });
  const pending = await buildDue(deps, "resolve", -10, { sessionId: session.id, autoResult: null });
  await by(admin).resolve(pending.id, "false", { reason: "It was seen." });
  const unresolved = await buildDue(deps, "resolve", -10, { sessionId: session.id, autoResult: null });
  const uncalled = await build.event("closed", { sessionId: session.id });
  const made = [planned, opposite, pending, unresolved, uncalled];
  const ids = made.map(({ id }) => id);
  await set(events, inArray(events.id, ids), { dueAt: sql`game_now()`, nextTransition: "resolve" });
  await performAll(await Promise.all(ids.map((id) => read.event(id))));
  const rows = await Promise.all(ids.map((id) => read.event(id)));
  expect(
    rows.map(({ result, resultReason, decidedById, pendingResult }) => [
      result,
      resultReason,
      decidedById,
      pendingResult,
    ]),
  ).toEqual([
    ["true", null, null, null],
    ["false", null, null, null],
    ["false", "It was seen.", admin.id, null],
    ["void", "Nobody resolved it in time.", null, null],
    ["void", "Nobody called it.", null, null],
  ]);
  const lines = await db
    .select({ id: audit.subjectId, actorId: audit.actorId, reason: audit.reason })
    .from(audit)
    .where(and(eq(audit.action, "resolve"), inArray(audit.subjectId, ids)))
    .orderBy(audit.subjectId);
  expect(lines).toEqual(
    rows.map(({ id, decidedById, resultReason }) => ({ id, actorId: decidedById, reason: resultReason })),
  );
  for (const { id, result } of rows) {
    const { true: yes, false: no } = await read.spots(id);
    expect([yes.won, no.won]).toEqual(
      result === "void" ? [null, null] : [result === "true", result === "false"],
    );
    const [settlement] = await db.select().from(settlements).where(eq(settlements.eventId, id));
    expect<string | null | undefined>(settlement?.result).toBe(result);
  }
  await timer.pay();
  const paid = await db.select().from(calls).where(inArray(calls.eventId, ids));
  expect(new Set(paid.map(({ state }) => state))).toEqual(new Set(["resolved"]));
});

test("a large settlement is decided alone, and the others together", async () => {
  await payInParts({ atOnceMax: 1, partMax: 500 });
  const { id: sessionId } = await build.runningSession();
  const large = await buildDue(deps, "resolve", -10, { sessionId });
  const small = await Promise.all(
    Array.from({ length: 6 }, () =>
      build.event("closed", { sessionId, autoResult: "true", resolveWithinSeconds: 0 }),
    ),
  );
  await performAll([...small, large]);
  await payInParts();
  expect(new Set(await statesOf([...small, large]))).toEqual(new Set(["resolved"]));
  expect(await countTransactions(small)).toBe(1);
  expect(await countTransactions([...small, large])).toBe(2);
  await timer.pay();
});

const HANDS = 6;
const TURNS = 60;
const admin = await build.admin();

/** An action succeeds or is refused. Any other error, such as a deadlock, is a bug. */
async function doneOrRefused(action: Promise<unknown>): Promise<void> {
  await action.catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
  });
}

function anyOf<Item>(items: readonly Item[]): Item {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error("there is nothing to choose from");
  return item;
}

test("concurrent random actions of admins succeed or are refused, and the books agree", async () => {
  const { id: sessionId } = await build.runningSession();
  await Promise.all([2, 3, 4].map((position) => build.event("open", { sessionId, position })));
  await Promise.all([5, 6, 7].map((position) => build.draft({ sessionId, position })));
  const players = await Promise.all(Array.from({ length: 5 }, () => build.player()));
  const ids = (await db.select({ id: events.id }).from(events).where(eq(events.sessionId, sessionId))).map(
    ({ id }) => id,
  );
  const place = async (eventId: number) => {
    const spot = (await read.spots(eventId))[anyOf(["true", "false"] as const)];
    const call = {
      userId: anyOf(players).id,
      spotId: spot.id,
      wagerCents: 10,
      idempotencyKey: crypto.randomUUID(),
    };
    return placeCalls(deps.pool, [call]);
  };
  const host = by(admin);
  const presses: ((eventId: number) => Promise<unknown>)[] = [
    place,
    place,
    place,
    host.publish,
    host.open,
    host.close,
    (id) => host.settle(id, anyOf(["true", "false", "void"]), { reason: "Because" }),
    (id) => host.reset(id, "Once more"),
    (id) => host.hide(id),
    host.unhide,
    host.advance,
    (id) => host.skip(id),
    (id) => host.delay(id, anyOf([-10, 30])),
    (id) => host.update(id, { durationSeconds: anyOf([20, 60, 90]) }),
    () => host.pause(sessionId),
    () => host.resume(sessionId),
    () => host.resume(sessionId),
  ];
  const hand = async () => {
    for (let turn = 0; turn < TURNS; turn += 1) await doneOrRefused(anyOf(presses)(anyOf(ids)));
  };
  await Promise.all(Array.from({ length: HANDS }, hand));

  expect(await read.differences()).toEqual([]);
  const { state } = await read.session(sessionId);
  const left = await db.select().from(events).where(eq(events.sessionId, sessionId));
  for (const event of left) expectScheduled(event, { paused: state === "paused" });
});

/** In a paused session an event has a remaining time and no due time; in a running one the other way round. */
function expectScheduled(event: EventRow, { paused }: { paused: boolean }): void {
  const { id, dueAt, remainingMs, closesAt, opensAt, nextTransition } = event;
  const isPlanned = nextTransition !== null;
  expect({ id, due: dueAt !== null, remains: remainingMs !== null }).toEqual({
    id,
    due: isPlanned && !paused,
    remains: isPlanned && paused,
  });
  if (event.state === "open") expect(nextTransition).toBe("close_event");
  if (dueAt === null) return;
  if (event.state === "open") expect(dueAt.getTime()).toBe(closesAt?.getTime() ?? Number.NaN);
  if (event.state === "visible") expect(dueAt.getTime()).toBe(opensAt?.getTime() ?? Number.NaN);
}

const buildDueClose = (count: number) =>
  Promise.all(Array.from({ length: count }, () => buildDueEvent(deps, -10)));
const closeByTimer = (event: EventRow, by: Deps = deps) =>
  closeEvent(by, { eventId: event.id, actor: null, version: event.scheduleVersion });
const ascending = (numbers: readonly number[]) => numbers.toSorted((one, other) => one - other);
const idsOf = (made: readonly EventRow[]) => made.map(({ id }) => id);

/** The facts and the audit lines of the closes of these events, in the order in which they were written. */
async function listTraces(made: readonly EventRow[]) {
  const ids = idsOf(made);
  const facts = await db
    .select({ eventId: sql<number>`(payload ->> 'eventId')::int` })
    .from(outbox)
    .where(and(eq(outbox.kind, "event_changed"), sql`payload ->> 'change' = 'close_event'`))
    .orderBy(outbox.id);
  const lines = await db
    .select({ eventId: audit.subjectId, actorId: audit.actorId })
    .from(audit)
    .where(and(eq(audit.action, "close_event"), inArray(audit.subjectId, ids)))
    .orderBy(audit.id);
  return { facts: facts.map(({ eventId }) => eventId).filter((id) => ids.includes(id)), lines };
}

async function expectClosedOnce(made: readonly EventRow[]): Promise<void> {
  for (const event of made) {
    const closed = await read.event(event.id);
    expect(closed).toMatchObject({ state: "closed", version: event.version + 1, nextTransition: null });
    expect(closed.scheduleVersion).toBe(event.scheduleVersion + 1);
    const { true: yes, false: no } = await read.spots(event.id);
    expect([yes.state, no.state]).toEqual(["closed", "closed"]);
  }
  const { facts, lines } = await listTraces(made);
  expect(ascending(facts)).toEqual(ascending(idsOf(made)));
  expect(ascending(lines.map(({ eventId }) => eventId))).toEqual(ascending(idsOf(made)));
}

test("an event that a batch cannot close runs alone, and the others close", async () => {
  const fitting = await buildDueClose(5);
  const [moved, done] = [await buildDueEvent(deps, -10), await build.event("closed")];
  const { session: paused, event: waiting } = await build.openShow();
  const byHand = await build.event("open", { sessionId: paused.id, autoResult: "true" });
  await timer.pause(paused.id);
  const kept = await read.event(waiting.id);
  const asked = [
    ...fitting.slice(0, 3).map((event) => closeByTimer(event)),
    closeEvent(deps, { eventId: moved.id, actor: null, version: moved.scheduleVersion - 1 }),
    closeByTimer(waiting),
    timer.close(byHand.id),
    ...fitting.slice(3).map((event) => closeByTimer(event)),
  ];
  const refused = [refusalOf(timer.close(done.id)), refusalOf(timer.close(999_999_999))];
  await Promise.all(asked);
  expect((await Promise.all(refused)).map(({ status }) => status)).toEqual([422, 404]);
  await expectClosedOnce(fitting);
  expect(await read.event(moved.id)).toEqual(moved);
  expect(await read.event(done.id)).toEqual(done);
  expect(await read.event(waiting.id)).toEqual(kept);
  // An admin closes it during the pause; its next transition waits for the resume.
  expect(await read.event(byHand.id)).toMatchObject({
    state: "closed",
    nextTransition: "resolve",
    dueAt: null,
  });
  expect((await read.event(byHand.id)).remainingMs).toBeGreaterThan(0);
});

test("an event is left out by the holder of an older lock, and closed by the next holder, also after tokens of a clock that is ahead", async () => {
  const [event] = await buildDueClose(1);
  if (event === undefined) throw new Error("no event");
  const newer = (Date.now() + 60_000) * 1_000;
  await db.update(events).set({ fence: newer }).where(eq(events.id, event.id));
  const { rows } = await closeWithToken(event, newer - 1);
  expect(rows).toEqual([]);
  expect(await read.event(event.id)).toEqual({ ...event, fence: newer });
  await deps.redis.flushall();
  await closeByTimer(event);
  await expectClosedOnce([event]);
  expect((await read.event(event.id)).fence).toBeGreaterThan(newer);
});

async function closeWithToken({ id }: EventRow, token: number) {
  const rows = await db.execute(
    sql`SELECT id FROM close_due_events(ARRAY[${id}]::bigint[], ARRAY[NULL]::int[], ARRAY[${token}]::bigint[])`,
  );
  return { rows: [...rows] };
}
