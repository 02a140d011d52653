import { describe, expect, test } from "bun:test";
import { and, asc, desc, eq } from "drizzle-orm";
import { audit } from "#db/schema/audit.ts";
import { events } from "#db/schema/events.ts";
import { notifications } from "#db/schema/notifications.ts";
import { advanceEvent } from "#src/show/events/advance-event.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import { delayEvent } from "#src/show/events/delay-event.ts";
import { openEvent } from "#src/show/events/open-event.ts";
import { publishEvent } from "#src/show/events/publish-event.ts";
import { skipEvent } from "#src/show/events/skip-event.ts";
import type { EventRow } from "#src/show/events/with-event.ts";
import { pauseSession, resumeSession } from "#src/show/sessions/pause-session.ts";
import { startSession } from "#src/show/sessions/start-session.ts";
import { performTransition } from "#src/show/timers/perform-transition.ts";
import { readWallet } from "#tests/support/books.ts";
import {
  buildAdmin,
  buildCall,
  buildDraft,
  buildPlayer,
  buildSession,
  readEvent,
} from "#tests/support/build.ts";
import { stopClockAt } from "#tests/support/database.ts";
import { testDeps } from "#tests/support/deps.ts";
import { refusalOf } from "#tests/support/refusals.ts";

const deps = await testDeps();
const admin = await buildAdmin(deps);
const now = new Date();
await stopClockAt(deps.pool, now);

/** A running session of three drafts: the first opens in 60 s, each is open for 30 s, with 10 s between them. */
async function buildShow() {
  const { id: sessionId } = await buildSession(deps);
  const terms = { sessionId, leadSeconds: 5, durationSeconds: 30 };
  await buildDraft(deps, { ...terms, position: 1, offsetSeconds: 60 });
  for (const position of [2, 3]) await buildDraft(deps, { ...terms, position, offsetSeconds: 10 });
  await startSession(deps, { sessionId, actor: null });
  return { sessionId, ids: (await runOf(sessionId)).map(({ id }) => id) };
}

const runOf = (sessionId: number) =>
  deps.pool.db.select().from(events).where(eq(events.sessionId, sessionId)).orderBy(asc(events.position));
const by = (eventId: number | undefined) => ({ eventId: eventId ?? 0, actor: admin });
const secondsUntil = (moment: Date | null) => ((moment?.getTime() ?? Number.NaN) - now.getTime()) / 1_000;
const opensIn = async (id: number) => (await runOf(id)).map(({ opensAt }) => secondsUntil(opensAt));
const lastLine = async (eventId: number | undefined, action: string) => {
  const ofEvent = and(eq(audit.subjectId, eventId ?? 0), eq(audit.action, action));
  return (await deps.pool.db.select().from(audit).where(ofEvent).orderBy(desc(audit.id)).limit(1))[0];
};

/** Checks that a refused action changes no event of the session. */
async function unchanged(sessionId: number, refused: () => Promise<unknown>) {
  const before = await runOf(sessionId);
  const refusal = await refusalOf(refused());
  expect(await runOf(sessionId)).toEqual(before);
  expect(refusal.status).toBe(422);
  return refusal.details;
}

describe("advance", () => {
  test("performs an event's transitions one by one, and moves later events forward by the same time", async () => {
    const { sessionId, ids } = await buildShow();
    const published = await advanceEvent(deps, by(ids[0]));
    expect(published).toMatchObject({ state: "visible", nextTransition: "open_event" });
    expect(await opensIn(sessionId)).toEqual([5, 45, 85]);
    const opened = await advanceEvent(deps, by(ids[0]));
    expect(opened).toMatchObject({ state: "open", nextTransition: "close_event" });
    expect(secondsUntil(opened.closesAt)).toBe(30);
    expect((await opensIn(sessionId)).slice(1)).toEqual([40, 80]);
    expect(await advanceEvent(deps, by(ids[0]))).toMatchObject({ state: "closed", nextTransition: null });
    expect((await opensIn(sessionId)).slice(1)).toEqual([10, 50]);
    const closed = await advanceEvent(deps, by(ids[0]));
    expect(closed).toMatchObject({ id: ids[0], state: "closed", result: null });
    expect(await readEvent(deps, ids[1] ?? 0)).toMatchObject({ state: "open" });
    expect((await opensIn(sessionId)).slice(2)).toEqual([40]);
    expect(await lastLine(ids[0], "advance")).toMatchObject({
      actorId: admin.id,
      sessionId,
      before: { state: "closed" },
      after: { state: "closed", moved: 2 },
    });
  });

  test("a moved event has a new alarm, and the old one does nothing", async () => {
    const { ids } = await buildShow();
    const before = await readEvent(deps, ids[1] ?? 0);
    await advanceEvent(deps, by(ids[0]));
    const after = await readEvent(deps, ids[1] ?? 0);
    expect(after.scheduleVersion).toBe(before.scheduleVersion + 1);
    const old = { eventId: after.id, transition: "publish_event", version: before.scheduleVersion } as const;
    expect(await performTransition(deps, old)).toBe(0);
    expect(await readEvent(deps, after.id)).toEqual(after);
  });
});

describe("a blocked advance", () => {
  test("is refused after the last event has closed, and nothing changes", async () => {
    const { sessionId, ids } = await buildShow();
    for (const verb of [publishEvent, openEvent, closeEvent]) await verb(deps, by(ids[2]));
    expect(await unchanged(sessionId, () => advanceEvent(deps, by(ids[2])))).toMatchObject({
      errors: { state: ['cannot transition via "Advance"'] },
      detail: "Nothing comes after it.",
    });
  });

  test("publishes and closes during a pause, but opens nothing", async () => {
    const { sessionId, ids } = await buildShow();
    const order = { sessionId, actor: admin };
    await advanceEvent(deps, by(ids[0]));
    await advanceEvent(deps, by(ids[0]));
    await pauseSession(deps, order);
    expect(await advanceEvent(deps, by(ids[1]))).toMatchObject({ state: "visible", dueAt: null });
    expect(await unchanged(sessionId, () => advanceEvent(deps, by(ids[1])))).toMatchObject({
      errors: { state: ['cannot transition via "Advance"'] },
      detail: "The session is paused.",
    });
    expect(await advanceEvent(deps, by(ids[0]))).toMatchObject({ state: "closed" });
    await unchanged(sessionId, () => advanceEvent(deps, by(ids[0])));
    await resumeSession(deps, order);
    const next = await readEvent(deps, ids[1] ?? 0);
    expect(next.dueAt).toEqual(next.opensAt);
  });
});

describe("skip", () => {
  test("hides a visible event, and the next one opens at its time", async () => {
    const { sessionId, ids } = await buildShow();
    await publishEvent(deps, by(ids[0]));
    expect(await skipEvent(deps, by(ids[0]))).toMatchObject({
      state: "hidden",
      nextTransition: null,
      dueAt: null,
    });
    expect((await opensIn(sessionId)).slice(1)).toEqual([60, 100]);
    expect(await lastLine(ids[0], "skip")).toMatchObject({ actorId: admin.id, after: { state: "hidden" } });
  });

  test.each(["open", "closed"])(
    "refunds and hides an %s event, and notifies the players of the reason",
    async (state) => {
      const { sessionId, ids } = await buildShow();
      const player = await buildPlayer(deps);
      const eventId = ids[0] ?? 0;
      await advanceEvent(deps, by(eventId));
      await advanceEvent(deps, by(eventId));
      await buildCall(deps, { userId: player.id, eventId, wagerCents: 700 });
      if (state === "closed") await closeEvent(deps, by(eventId));
      const before = await opensIn(sessionId);
      await skipEvent(deps, { ...by(eventId), reason: "The tape tore" });
      expect(await readEvent(deps, eventId)).toMatchObject({ state: "hidden", result: null, dueAt: null });
      expect(await readWallet(deps.pool.db, player.id)).toMatchObject({ postedCents: 10_000, heldCents: 0 });
      const news = deps.pool.db.select().from(notifications).where(eq(notifications.userId, player.id));
      expect(await news).toMatchObject([{ kind: "refund", title: "$7.00 back: the host skipped it" }]);
      expect((await opensIn(sessionId)).slice(1)).toEqual(state === "open" ? [10, 50] : before.slice(1));
    },
  );
});

describe("delay", () => {
  test("shifts the next due time and all later events, both ways", async () => {
    const { sessionId, ids } = await buildShow();
    const delay = (index: number, seconds: number) => delayEvent(deps, { ...by(ids[index]), seconds });
    const later = await delay(1, 30);
    expect(await opensIn(sessionId)).toEqual([60, 130, 170]);
    expect(secondsUntil(later.dueAt)).toBe(125);
    await delay(0, -50);
    expect(await opensIn(sessionId)).toEqual([10, 80, 120]);
    await advanceEvent(deps, by(ids[0]));
    const opened = await advanceEvent(deps, by(ids[0]));
    const longer = await delay(0, 600);
    expect((longer.closesAt?.getTime() ?? 0) - (opened.closesAt?.getTime() ?? 0)).toBe(600_000);
    expect(longer).toMatchObject({ dueAt: longer.closesAt, opensAt: opened.opensAt });
    expect(await lastLine(ids[0], "delay")).toMatchObject({
      after: { state: "open", shiftMs: 600_000, moved: 2 },
    });
  });

  test("two delays during a pause add up after the resume", async () => {
    const { sessionId, ids } = await buildShow();
    await pauseSession(deps, { sessionId, actor: admin });
    for (const seconds of [30, 30]) await delayEvent(deps, { ...by(ids[0]), seconds });
    await resumeSession(deps, { sessionId, actor: admin });
    expect(await opensIn(sessionId)).toEqual([120, 160, 200]);
    expect(secondsUntil((await readEvent(deps, ids[0] ?? 0)).dueAt)).toBe(115);
  });

  test("into the past is refused, and nothing changes", async () => {
    const { sessionId, ids } = await buildShow();
    const refused = await unchanged(sessionId, () => delayEvent(deps, { ...by(ids[0]), seconds: -60 }));
    const errors = { seconds: ["must be greater than or equal to -55"] };
    expect(refused).toMatchObject({ errors, detail: "It would lie in the past." });
  });

  test("of an event without a plan is refused, and nothing changes", async () => {
    const { sessionId, ids } = await buildShow();
    for (const verb of [publishEvent, openEvent, closeEvent]) await verb(deps, by(ids[0]));
    const refused = await unchanged(sessionId, () => delayEvent(deps, { ...by(ids[0]), seconds: 30 }));
    const errors = { state: ['cannot transition via "Delay"'] };
    expect(refused).toMatchObject({ errors, detail: "Nothing is planned for it." });
  });
});

test.each([
  ["Advance", (event: EventRow) => advanceEvent(deps, by(event.id))],
  ["Skip", (event: EventRow) => skipEvent(deps, by(event.id))],
  ["Delay", (event: EventRow) => delayEvent(deps, { ...by(event.id), seconds: 30 })],
])("%s is refused without a running session, and nothing changes", async (label, act) => {
  for (const terms of [{ sessionId: (await buildSession(deps)).id }, {}]) {
    const event = await buildDraft(deps, terms);
    const { details } = await refusalOf(act(event));
    expect(details.errors).toEqual({ state: [`cannot transition via "${label}"`] });
    expect(await readEvent(deps, event.id)).toEqual(event);
  }
});

test("a concurrent advance, skip, delay and pause run one at a time", async () => {
  const { sessionId, ids } = await buildShow();
  await publishEvent(deps, by(ids[0]));
  const outcomes = await Promise.allSettled([
    advanceEvent(deps, by(ids[0])),
    skipEvent(deps, by(ids[0])),
    delayEvent(deps, { ...by(ids[1]), seconds: 30 }),
    pauseSession(deps, { sessionId, actor: admin }),
    delayEvent(deps, { ...by(ids[2]), seconds: -10 }),
  ]);
  expect(outcomes.some(({ status }) => status === "fulfilled")).toBe(true);
  const [first, ...later] = await runOf(sessionId);
  expect(["open", "hidden", "visible"]).toContain(first?.state ?? "");
  for (const { closesAt, opensAt } of later)
    expect((closesAt?.getTime() ?? 0) - (opensAt?.getTime() ?? 0)).toBe(30_000);
});
