import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { cancelCall } from "#db/ledger/cancel-call.ts";
import { audit } from "#db/schema/audit.ts";
import { calls } from "#db/schema/calls.ts";
import { advanceEvent } from "#src/show/events/advance-event.ts";
import { closeEvent } from "#src/show/events/close-event.ts";
import { delayEvent } from "#src/show/events/delay-event.ts";
import { withdrawResult } from "#src/show/events/note-result.ts";
import { resetEvent } from "#src/show/events/reset-event.ts";
import { resolveEvent } from "#src/show/events/resolve-event.ts";
import { skipEvent } from "#src/show/events/skip-event.ts";
import { updateEvent } from "#src/show/events/update-event.ts";
import {
  buildAdmin,
  buildCall,
  buildEvent,
  buildPlayer,
  buildRunningSession,
  type BuiltUser,
  readEvent,
} from "#tests/support/build.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { testDeps } from "#tests/support/deps.ts";
import { refusalOf } from "#tests/support/refusals.ts";

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
