import { describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { disabledReasonForAct, disabledReasonForMove } from "#client/screens/show/disabled-reason.ts";
import { cancelCall } from "#db/ledger/cancel-call.ts";
import { type EventState, eventStates } from "#db/lists/events.ts";
import { type SessionState, sessionStates } from "#db/lists/sessions.ts";
import { audit } from "#db/schema/audit.ts";
import { calls } from "#db/schema/calls.ts";
import { events } from "#db/schema/events.ts";
import { outbox } from "#db/schema/outbox.ts";
import { advanceEvent } from "#src/show/events/advance-event.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import { delayEvent } from "#src/show/events/delay-event.ts";
import { destroyEvent } from "#src/show/events/destroy-event.ts";
import { withdrawResult } from "#src/show/events/note-result.ts";
import { resetEvent } from "#src/show/events/reset-event.ts";
import { resolveEvent } from "#src/show/events/resolve-event.ts";
import { skipEvent } from "#src/show/events/skip-event.ts";
import { updateEvent } from "#src/show/events/update-event.ts";
import type { EventRow } from "#src/show/events/with-event.ts";
import { pauseSession } from "#src/show/sessions/pause-session.ts";
import { stopSession } from "#src/show/sessions/stop-session.ts";
import {
  buildAdmin,
  buildCall,
  buildDraft,
  buildEvent,
  buildPlayer,
  buildRunningSession,
  buildSession,
  type BuiltUser,
  readEvent,
} from "#tests/support/build.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { testDeps } from "#tests/support/deps.ts";
import { refusalOf } from "#tests/support/refusals.ts";
import { readHostView } from "./host-view.ts";

const deps = await testDeps();
const host = await buildAdmin(deps);
const other = await buildAdmin(deps);

type Settings = { settlementDelaySeconds?: number; smallRoom?: boolean };

/** An open event of a running session, with a call of the host. */
async function buildStake(settings: Settings = {}) {
  const session = await buildRunningSession(deps, { settings });
  const event = await buildEvent(deps, "open", { sessionId: session.id });
  const callId = await buildCall(deps, { userId: host.id, eventId: event.id });
  return { eventId: event.id, sessionId: session.id, callId };
}

/** What a host can do to an open event with calls. */
const acts: Record<string, (eventId: number, actor: BuiltUser) => Promise<unknown>> = {
  "close it": (eventId, actor) => closeEvent(deps, { eventId, actor }),
  "advance it": (eventId, actor) => advanceEvent(deps, { eventId, actor }),
  "delay it": (eventId, actor) => delayEvent(deps, { eventId, actor, seconds: 30 }),
  "prolong it": (eventId, actor) => updateEvent(deps, { eventId, actor, changes: { durationSeconds: 900 } }),
  "give its result more time": (eventId, actor) =>
    updateEvent(deps, { eventId, actor, changes: { resolveWithinSeconds: 900 } }),
  "resolve it": (eventId, actor) => resolveEvent(deps, { eventId, actor, result: "true" }),
  "reset it": (eventId, actor) => resetEvent(deps, { eventId, actor, reason: "Again" }),
};

describe("a host with a call on an open event", () => {
  test.each(Object.entries(acts))("cannot %s, and nothing changes; another host can", async (_, act) => {
    const { eventId } = await buildStake();
    const before = await digestTables(deps.pool.db);
    const refusal = await refusalOf(act(eventId, host));
    expect(refusal).toMatchObject({ status: 403, code: "forbidden" });
    expect(refusal.details.detail).toMatch(/^You have a call on this event\. Somebody else must /);
    expect(await digestTables(deps.pool.db)).toBe(before);
    await act(eventId, other);
  });

  test.each(Object.entries(acts))("can %s after taking the call back", async (_, act) => {
    const { eventId, callId } = await buildStake();
    await cancelCall(deps.pool.db, { userId: host.id, callId });
    await act(eventId, host);
  });

  test.each(Object.entries(acts))("can %s in a small room", async (_, act) => {
    const { eventId } = await buildStake({ smallRoom: true });
    await act(eventId, host);
  });

  test("cannot close it beside hosts who close other events, and these are closed", async () => {
    const staked = await buildStake();
    const session = await buildRunningSession(deps);
    const free = await buildEvent(deps, "open", { sessionId: session.id });
    const [refusal] = await Promise.all([
      refusalOf(closeEvent(deps, { eventId: staked.eventId, actor: host })),
      closeEvent(deps, { eventId: free.id, actor: host }),
    ]);
    expect(refusal.status).toBe(403);
    expect((await readEvent(deps, staked.eventId)).state).toBe("open");
    expect((await readEvent(deps, free.id)).state).toBe("closed");
  });
});

test.each(["open", "closed"])(
  "a host skips an event that is %s with own calls, which come back with the others",
  async (state) => {
    const { eventId, callId } = await buildStake();
    const player = await buildPlayer(deps);
    await buildCall(deps, { userId: host.id, eventId, side: "false", wagerCents: 50 });
    await buildCall(deps, { userId: player.id, eventId, wagerCents: 400 });
    if (state === "closed") await closeEvent(deps, { eventId, actor: null });
    const skipped = await skipEvent(deps, { eventId, actor: host, reason: "No time" });
    expect(skipped).toMatchObject({ state: "hidden" });
    const rows = await deps.pool.db.select().from(calls).where(eq(calls.eventId, eventId));
    expect(rows.map((call) => [call.state, call.refundedBy])).toEqual(
      Array.from({ length: 3 }, () => ["soft_destroyed", "skip"]),
    );
    expect(rows.map(({ id }) => id)).toContain(callId);
    const lines = await deps.pool.db.select().from(audit).where(eq(audit.subjectId, eventId));
    const line = lines.find(({ action, subjectType }) => action === "skip" && subjectType === "event");
    expect(line).toMatchObject({ actorId: host.id, reason: "No time", after: { takenBackCents: 150 } });
  },
);

test("what a host without a call skips says nothing of own calls", async () => {
  const { eventId } = await buildStake();
  await skipEvent(deps, { eventId, actor: other });
  const lines = await deps.pool.db.select().from(audit).where(eq(audit.subjectId, eventId));
  expect(lines.find(({ action }) => action === "skip")?.after).not.toHaveProperty("takenBackCents");
});

test("a host with a call cannot withdraw the pending result, and nothing changes", async () => {
  const { eventId } = await buildStake({ settlementDelaySeconds: 30 });
  await resolveEvent(deps, { eventId, actor: other, result: "true" });
  const before = await digestTables(deps.pool.db);
  expect((await refusalOf(withdrawResult(deps, { eventId, actor: host }))).status).toBe(403);
  expect(await digestTables(deps.pool.db)).toBe(before);
  await withdrawResult(deps, { eventId, actor: other });
});

test("the clock closes an event also where its host has a call", async () => {
  const { eventId } = await buildStake();
  expect(await closeEvent(deps, { eventId, actor: null })).toMatchObject({ state: "closed" });
});

test.each([
  ["title", "Will it rain?"],
  ["description", "At noon"],
  ["trueLabel", "Rain"],
  ["falseLabel", "Sun"],
])("the %s stands from the first call on, for every host, and nothing changes", async (field, text) => {
  const { eventId, callId } = await buildStake();
  const before = await digestTables(deps.pool.db);
  const change = () => updateEvent(deps, { eventId, actor: other, changes: { [field]: text } });
  expect(await refusalOf(change())).toMatchObject({
    status: 422,
    details: {
      errors: { [field]: ["is invalid"] },
      detail: "Somebody has called: the question and its labels stand.",
    },
  });
  expect(await digestTables(deps.pool.db)).toBe(before);
  await cancelCall(deps.pool.db, { userId: host.id, callId });
  expect(await change()).toMatchObject({ [field]: text });
});

const admin = await buildAdmin(deps);

const by = ({ id }: EventRow) => ({ eventId: id, actor: admin });
const verbs = {
  advance: (event: EventRow) => advanceEvent(deps, by(event)),
  skip: (event: EventRow) => skipEvent(deps, by(event)),
  delay: (event: EventRow) => delayEvent(deps, { ...by(event), seconds: 30 }),
  destroy: (event: EventRow) => destroyEvent(deps, by(event)),
};
/** Written independently of the product's tables: a wrong row there must fail here. */
const table: Record<keyof typeof verbs, { from: EventState[]; label: string }> = {
  advance: { from: ["draft", "visible", "open", "closed"], label: "Advance" },
  skip: { from: ["visible", "open", "closed"], label: "Skip" },
  delay: { from: ["draft", "visible", "open", "closed"], label: "Delay" },
  destroy: { from: ["draft", "visible", "hidden"], label: "Destroy" },
};
/** The state that each action leads to. Destroying is not an action of the running order. */
const leadsTo = {
  advance: { draft: "visible", visible: "open", open: "closed", closed: "closed" },
  skip: { visible: "hidden", open: "hidden", closed: "hidden" },
  delay: { draft: "draft", visible: "visible", open: "open", closed: "closed" },
  destroy: { draft: "soft_destroyed", visible: "soft_destroyed", hidden: "soft_destroyed" },
} as const satisfies Record<keyof typeof verbs, Partial<Record<EventState, EventState>>>;

/** An event of a running session in that state, with another one after it. It is planned if it has not opened. */
async function buildPlanned(state: EventState, sessionId: number): Promise<EventRow> {
  await buildDraft(deps, { sessionId, position: 9 });
  const event = await buildEvent(deps, state, { sessionId, autoResult: "true", resolveWithinSeconds: 600 });
  if (state !== "draft" && state !== "visible") return event;
  const inSeconds = (seconds: number) => sql`game_now() + make_interval(secs => ${seconds}::int)`;
  await deps.pool.db
    .update(events)
    .set({
      opensAt: inSeconds(60),
      closesAt: inSeconds(90),
      nextTransition: state === "draft" ? "publish_event" : "open_event",
      dueAt: inSeconds(state === "draft" ? 50 : 60),
    })
    .where(eq(events.id, event.id));
  return readEvent(deps, event.id);
}

/** Why the host's browser disables the button; null: it is enabled. */
async function disabledReason({ id: eventId }: EventRow, sessionId: number, action: keyof typeof verbs) {
  const { session, event } = await readHostView(deps, { eventId, sessionId });
  return action === "destroy"
    ? disabledReasonForMove(session, event, action)
    : disabledReasonForAct(session, event, action);
}

const counts = async () => [await deps.pool.db.$count(audit), await deps.pool.db.$count(outbox)];

describe.each(["advance", "skip", "delay", "destroy"] as const)("%s", (action) => {
  const { from, label } = table[action];

  test.each(eventStates.filter((state) => from.includes(state)))("is done when %s", async (state) => {
    const { id: sessionId } = await buildRunningSession(deps);
    const event = await buildPlanned(state, sessionId);
    expect(await disabledReason(event, sessionId, action)).toBeNull();
    const wanted: Partial<Record<EventState, EventState>> = leadsTo[action];
    expect((await verbs[action](event)).state).toBe(wanted[state] ?? "draft");
  });

  test.each(eventStates.filter((state) => !from.includes(state) && state !== "soft_destroyed"))(
    "is refused when %s, and nothing changes",
    async (state) => {
      const { id: sessionId } = await buildRunningSession(deps);
      const event = await buildPlanned(state, sessionId);
      expect(await disabledReason(event, sessionId, action)).not.toBeNull();
      const before = await counts();
      const refusal = await refusalOf(verbs[action](event));
      expect(refusal.status).toBe(422);
      expect(refusal.details.errors).toEqual({ state: [`cannot transition via "${label}"`] });
      expect(await readEvent(deps, event.id)).toEqual(event);
      expect(await counts()).toEqual(before);
    },
  );

  test("answers 404 for a destroyed event", async () => {
    const event = await buildEvent(deps, "soft_destroyed");
    expect((await refusalOf(verbs[action](event))).status).toBe(404);
    expect(await readEvent(deps, event.id)).toEqual(event);
  });
});

async function buildSessionWithDraft(state: SessionState): Promise<EventRow> {
  const session = state === "pending" ? await buildSession(deps) : await buildRunningSession(deps);
  const event = await buildPlanned("visible", session.id);
  const order = { sessionId: session.id, actor: admin };
  if (state === "paused") await pauseSession(deps, order);
  if (state === "stopped") await stopSession(deps, order);
  return readEvent(deps, event.id);
}

test.each(sessionStates.filter((state) => state === "pending" || state === "stopped"))(
  "actions are refused in a %s session, and nothing changes",
  async (state) => {
    const event = await buildSessionWithDraft(state);
    for (const action of ["advance", "skip", "delay"] as const) {
      const refusal = await refusalOf(verbs[action](event));
      expect(refusal.details).toMatchObject({
        errors: { state: [`cannot transition via "${table[action].label}"`] },
        detail: "The session is not running.",
      });
    }
    expect(await readEvent(deps, event.id)).toEqual(event);
  },
);

test("delay and skip shift the remaining times of a paused session", async () => {
  const event = await buildSessionWithDraft("paused");
  const delayed = await verbs.delay(event);
  expect(delayed).toMatchObject({ dueAt: null, remainingMs: (event.remainingMs ?? 0) + 30_000 });
  expect(await verbs.skip(event)).toMatchObject({ state: "hidden", remainingMs: null });
});
