import { expect, test } from "bun:test";
import { and, eq, inArray, sql } from "drizzle-orm";
import { audit } from "#db/schema/audit.ts";
import { calls } from "#db/schema/calls.ts";
import { events } from "#db/schema/events.ts";
import { settlements } from "#db/schema/ledger.ts";
import type { Deps } from "#src/base/deps.ts";
import { openEvent } from "#src/show/events/open-event.ts";
import { publishEvent } from "#src/show/events/publish-event.ts";
import { resolveEvent } from "#src/show/events/resolve-event.ts";
import type { EventRow } from "#src/show/events/with-event.ts";
import { startSession } from "#src/show/sessions/start-session.ts";
import { performTransition } from "#src/show/timers/perform-transition.ts";
import { alarmOf } from "#tests/jobs/due-events.ts";
import {
  buildAdmin,
  buildDraft,
  buildEvent,
  buildRunningSession,
  buildSession,
  readEvent,
  readSpots,
} from "#tests/support/build.ts";
import { payInParts, usualParts } from "#tests/support/database.ts";
import { testDeps } from "#tests/support/deps.ts";
import { payNow } from "#tests/support/pay.ts";
import { buildDue, countTraces, stateAfter, transitions } from "../timers/due-together.ts";

const deps = await testDeps({}, { poolSize: 4 });

const performAll = (made: readonly EventRow[], by: Deps = deps) =>
  Promise.allSettled(made.map((event) => performTransition(by, alarmOf(event))));
const statesOf = async (made: readonly EventRow[]) =>
  Promise.all(made.map(async ({ id }) => (await readEvent(deps, id)).state));
/** How many transactions have moved these events last. */
async function countTransactions(made: readonly EventRow[]): Promise<number> {
  const ids = made.map(({ id }) => id);
  const rows = await deps.pool.db
    .selectDistinct({ by: sql<string>`${events}.xmin::text` })
    .from(events)
    .where(inArray(events.id, ids));
  return rows.length;
}

for (const transition of transitions) {
  test(`${transition} of twenty events that are due at once shares a transaction, and each leaves its traces`, async () => {
    const { id: sessionId } = await buildRunningSession(deps);
    const made: EventRow[] = [];
    for (let built = 0; built < 20; built += 1)
      made.push(await buildDue(deps, transition, -10, { sessionId }));
    await performAll(made);
    expect(new Set(await statesOf(made))).toEqual(new Set([stateAfter[transition]]));
    expect(await countTransactions(made)).toBeLessThanOrEqual(2);
    for (const { id, version } of made) {
      expect((await readEvent(deps, id)).version).toBe(version + 1);
      const settled = transition === "resolve" ? 1 : 0;
      expect(await countTraces(deps, id, transition)).toEqual({ facts: 1, lines: 1, settled, logged: 1 });
    }
    await payNow(deps);
  });

  test(`${transition} that fails for one event does not fail for the others`, async () => {
    const { id: sessionId } = await buildRunningSession(deps);
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
    expect(broken && (await readEvent(deps, broken.id))).toEqual(broken);
    expect(broken && (await countTraces(deps, broken.id, transition)).facts).toBe(0);
    await payNow(deps);
  });
}

test("a timer publishes and opens with the same effects as an admin", async () => {
  const admin = await buildAdmin(deps);
  const { id: sessionId } = await buildRunningSession(deps);
  for (const [transition, byHand] of [
    ["publish_event", publishEvent],
    ["open_event", openEvent],
  ] as const) {
    const [one, other] = [
      await buildDue(deps, transition, -10, { sessionId }),
      await buildDue(deps, transition, -10, { sessionId }),
    ];
    await performAll([one]);
    await byHand(deps, { eventId: other.id, actor: admin });
    const gist = async ({ id }: EventRow) => {
      const {
        state,
        version,
        scheduleVersion,
        nextTransition,
        dueAt,
        opensAt,
        closesAt,
        resolveBy,
        publishedAt,
        openedAt,
      } = await readEvent(deps, id);
      const { true: yes, false: no } = await readSpots(deps, id);
      return {
        state,
        version,
        scheduleVersion,
        nextTransition,
        spots: [yes.state, no.state],
        dueIsPlanned: dueAt?.getTime() === (state === "open" ? closesAt : opensAt)?.getTime(),
        times: [opensAt, closesAt, resolveBy, publishedAt, openedAt].map((time) => time !== null),
        traces: await countTraces(deps, id, transition),
      };
    };
    expect(await gist(one)).toEqual(await gist(other));
  }
});

test("results that are due together are each that of their event: planned, pending, uncalled and unresolved", async () => {
  const session = await buildRunningSession(deps, { settings: { settlementDelaySeconds: 60 } });
  const admin = await buildAdmin(deps);
  const planned = await buildDue(deps, "resolve", -10, { sessionId: session.id });
  const opposite = await buildDue(deps, "resolve", -10, { sessionId: session.id, autoResult: "false" });
  const pending = await buildDue(deps, "resolve", -10, { sessionId: session.id, autoResult: null });
  await resolveEvent(deps, { eventId: pending.id, actor: admin, result: "false", reason: "It was seen." });
  const unresolved = await buildDue(deps, "resolve", -10, { sessionId: session.id, autoResult: null });
  const uncalled = await buildEvent(deps, "closed", { sessionId: session.id });
  const made = [planned, opposite, pending, unresolved, uncalled];
  const ids = made.map(({ id }) => id);
  await deps.pool.db
    .update(events)
    .set({ dueAt: sql`game_now()`, nextTransition: "resolve" })
    .where(inArray(events.id, ids));
  await performAll(await Promise.all(ids.map((id) => readEvent(deps, id))));
  const rows = await Promise.all(ids.map((id) => readEvent(deps, id)));
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
  const lines = await deps.pool.db
    .select({ id: audit.subjectId, actorId: audit.actorId, reason: audit.reason })
    .from(audit)
    .where(and(eq(audit.action, "resolve"), inArray(audit.subjectId, ids)))
    .orderBy(audit.subjectId);
  expect(lines).toEqual(
    rows.map(({ id, decidedById, resultReason }) => ({ id, actorId: decidedById, reason: resultReason })),
  );
  for (const { id, result } of rows) {
    const { true: yes, false: no } = await readSpots(deps, id);
    expect([yes.won, no.won]).toEqual(
      result === "void" ? [null, null] : [result === "true", result === "false"],
    );
    const [settlement] = await deps.pool.db.select().from(settlements).where(eq(settlements.eventId, id));
    expect<string | null | undefined>(settlement?.result).toBe(result);
  }
  await payNow(deps);
  const paid = await deps.pool.db.select().from(calls).where(inArray(calls.eventId, ids));
  expect(new Set(paid.map(({ state }) => state))).toEqual(new Set(["resolved"]));
});

test("a large settlement is decided alone, and the others together", async () => {
  await payInParts(deps.pool, { atOnceMax: 1, partMax: 500 });
  const { id: sessionId } = await buildRunningSession(deps);
  const large = await buildDue(deps, "resolve", -10, { sessionId });
  const small = await Promise.all(
    Array.from({ length: 6 }, () =>
      buildEvent(deps, "closed", { sessionId, autoResult: "true", resolveWithinSeconds: 0 }),
    ),
  );
  await performAll([...small, large]);
  await payInParts(deps.pool, usualParts);
  expect(new Set(await statesOf([...small, large]))).toEqual(new Set(["resolved"]));
  expect(await countTransactions(small)).toBe(1);
  expect(await countTransactions([...small, large])).toBe(2);
  await payNow(deps);
});

test("events of several sessions that wait for results that come together get their times", async () => {
  const shows = await Promise.all(
    [1, 2, 3].map(async () => {
      const session = await buildSession(deps);
      const first = await buildDraft(deps, {
        sessionId: session.id,
        position: 1,
        autoResult: "true",
        durationSeconds: 5,
        resolveWithinSeconds: 0,
      });
      const next = await buildDraft(deps, {
        sessionId: session.id,
        position: 2,
        startMode: "after_result",
        offsetSeconds: 8,
      });
      await startSession(deps, { sessionId: session.id, actor: null });
      return { first: first.id, next: next.id };
    }),
  );
  for (const transition of transitions) {
    const ids = shows.map(({ first }) => first);
    await deps.pool.db
      .update(events)
      .set({ dueAt: sql`game_now()` })
      .where(inArray(events.id, ids));
    const due = await Promise.all(ids.map((id) => readEvent(deps, id)));
    expect(due.map(({ nextTransition }) => nextTransition)).toEqual(due.map(() => transition));
    expect(await Promise.all(shows.map(async ({ next }) => (await readEvent(deps, next)).opensAt))).toEqual([
      null,
      null,
      null,
    ]);
    await performAll(due);
  }
  for (const { first, next } of shows) {
    const resolvedAt = (await readEvent(deps, first)).resolvedAt?.getTime() ?? Number.NaN;
    const waiting = await readEvent(deps, next);
    expect(waiting.opensAt?.getTime()).toBe(resolvedAt + 8_000);
    expect(waiting).toMatchObject({ nextTransition: "publish_event" });
  }
});
