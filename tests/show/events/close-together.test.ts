import { expect, test } from "bun:test";
import { and, eq, inArray, sql } from "drizzle-orm";
import { audit } from "#db/schema/audit.ts";
import { events } from "#db/schema/events.ts";
import { outbox } from "#db/schema/outbox.ts";
import type { Deps } from "#src/base/deps.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import type { EventRow } from "#src/show/events/with-event.ts";
import { buildDueEvent } from "#tests/jobs/due-events.ts";
import { refusalOf } from "#tests/support/refusals.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, timer, build, read } = await testWorld({}, { poolSize: 10 });

const buildDue = (count: number) =>
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
  const fitting = await buildDue(5);
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
  const [event] = await buildDue(1);
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
