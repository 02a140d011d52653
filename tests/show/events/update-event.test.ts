import { describe, expect, test } from "bun:test";
import { and, eq } from "drizzle-orm";
import * as v from "valibot";
import { cancelCall } from "#db/ledger/cancel-call.ts";
import { type EventState, eventStates } from "#db/lists/events.ts";
import { audit } from "#db/schema/audit.ts";
import { createServer } from "#src/server.ts";
import { eventAnswer, type UpdateEventBody } from "#src/show/events/schemas.ts";
import { updateEvent } from "#src/show/events/update-event.ts";
import { pauseSession, resumeSession } from "#src/show/sessions/pause-session.ts";
import {
  buildAdmin,
  buildCall,
  buildDraft,
  buildEvent,
  buildPlayer,
  buildRunningSession,
  readEvent,
} from "#tests/support/build.ts";
import { signedInClient, signedOutClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { refusalOf } from "#tests/support/refusals.ts";

const deps = await testDeps();
const admin = await buildAdmin(deps);

const update = (eventId: number, changes: UpdateEventBody) =>
  updateEvent(deps, { eventId, actor: admin, changes });
const states = eventStates.filter((state) => state !== "soft_destroyed");
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000);
const between = (from: Date | null, to: Date | null) =>
  ((to?.getTime() ?? 0) - (from?.getTime() ?? 0)) / 1_000;

const changesOf: [name: string, changes: UpdateEventBody, states: readonly EventState[]][] = [
  ["title", { title: "Another?", description: "More" }, states],
  ["trueLabel", { trueLabel: "Aye" }, states],
  ["durationSeconds", { durationSeconds: 300 }, ["draft", "visible", "open"]],
  ["resolveWithinSeconds", { resolveWithinSeconds: 300 }, ["draft", "visible", "open", "closed"]],
  ["minWager", { minWager: 0.5 }, ["draft"]],
  ["maxWager", { maxWager: 5 }, ["draft"]],
  ["autoResult", { autoResult: "true" }, ["draft"]],
  ["offsetSeconds", { offsetSeconds: 5 }, ["draft"]],
  ["startMode", { startMode: "by_hand" }, ["draft"]],
];

describe.each(changesOf)("%s", (field, changes, allowed) => {
  test.each(states.filter((state) => allowed.includes(state)))(
    "changes when %s, with an audit line",
    async (state) => {
      const event = await buildEvent(deps, state);
      const updated = await update(event.id, changes);
      expect(updated.version).toBe(event.version + 1);
      expect(updated.state).toBe(state);
      const ofEvent = and(eq(audit.subjectId, event.id), eq(audit.action, "update_event"));
      expect(await deps.pool.db.select().from(audit).where(ofEvent)).toHaveLength(1);
      expect(await update(event.id, changes)).toEqual(updated);
    },
  );

  test.each(states.filter((state) => !allowed.includes(state)))(
    "is refused when %s, and nothing changes",
    async (state) => {
      const event = await buildEvent(deps, state);
      const refusal = await refusalOf(update(event.id, changes));
      expect(refusal.details.errors).toEqual({ [field]: ["is invalid"] });
      expect(await readEvent(deps, event.id)).toEqual(event);
    },
  );
});

test("the question and its labels cannot change after the first call, until it is cancelled", async () => {
  const event = await buildEvent(deps, "open");
  const player = await buildPlayer(deps);
  const callId = await buildCall(deps, { userId: player.id, eventId: event.id });
  const refusal = await refusalOf(update(event.id, { falseLabel: "Nay" }));
  expect(refusal.details).toMatchObject({
    errors: { falseLabel: ["is invalid"] },
    detail: "Somebody has called: the question and its labels stand.",
  });
  expect((await refusalOf(update(event.id, { title: "Still?" }))).status).toBe(422);
  await cancelCall(deps.pool.db, { userId: player.id, callId });
  expect((await update(event.id, { falseLabel: "Nay" })).falseLabel).toBe("Nay");
});

describe("times", () => {
  test("a longer open event closes later, a shorter one earlier but never in the past", async () => {
    const event = await buildEvent(deps, "open", { durationSeconds: 30 });
    const longer = await update(event.id, { durationSeconds: 90 });
    expect(between(event.closesAt, longer.closesAt)).toBe(60);
    expect(longer).toMatchObject({ nextTransition: "close_event", dueAt: longer.closesAt });
    expect(longer.scheduleVersion).toBe(event.scheduleVersion + 1);
    await deps.pool
      .sql`UPDATE events SET closes_at = game_now() + interval '10 s', due_at = game_now() + interval '10 s',
      opens_at = game_now() - interval '80 s' WHERE id = ${event.id}`;
    const before = await readEvent(deps, event.id);
    const refusal = await refusalOf(update(event.id, { durationSeconds: 60 }));
    expect(refusal.details).toMatchObject({
      errors: { durationSeconds: ["is invalid"] },
      detail: "It would have closed already.",
    });
    expect(await readEvent(deps, event.id)).toEqual(before);
  });

  test("an opening time plans a draft that was added to a running session", async () => {
    const session = await buildRunningSession(deps);
    const { id } = await buildDraft(deps, { sessionId: session.id, durationSeconds: 20, leadSeconds: 5 });
    const opensAt = inSeconds(60);
    const planned = await update(id, { opensAt });
    expect(planned).toMatchObject({ opensAt, nextTransition: "publish_event" });
    expect(between(planned.dueAt, opensAt)).toBe(5);
    expect(between(opensAt, planned.closesAt)).toBe(20);
  });

  test("a new opening during a pause waits for the resume", async () => {
    const session = await buildRunningSession(deps);
    const visible = await buildEvent(deps, "visible", { sessionId: session.id });
    const order = { sessionId: session.id, actor: admin };
    await pauseSession(deps, order);
    expect(await update(visible.id, { opensAt: inSeconds(60) })).toMatchObject({
      nextTransition: "open_event",
      dueAt: null,
    });
    await resumeSession(deps, order);
    const resumed = await readEvent(deps, visible.id);
    expect(resumed.dueAt).not.toBeNull();
    expect(resumed.dueAt).toEqual(resumed.opensAt);
  });

  test("an opening in the past, or before the session has started, is refused, and nothing changes", async () => {
    const session = await buildRunningSession(deps);
    const live = await buildDraft(deps, { sessionId: session.id });
    const alone = await buildDraft(deps);
    for (const [event, opensAt] of [
      [live, inSeconds(-1)],
      [alone, inSeconds(60)],
    ] as const) {
      expect((await refusalOf(update(event.id, { opensAt }))).details.errors).toEqual({
        opensAt: ["is invalid"],
      });
      expect(await readEvent(deps, event.id)).toEqual(event);
    }
  });
});

test("limits that no wager can meet are refused, and nothing changes", async () => {
  const event = await buildDraft(deps, { maxWagerCents: 100 });
  const refusal = await refusalOf(update(event.id, { minWager: 2 }));
  expect(refusal.details.errors).toEqual({ maxWager: ["must be greater than or equal to 2"] });
  expect(await readEvent(deps, event.id)).toEqual(event);
});

test("an older version is refused with 409, and nothing changes", async () => {
  const event = await buildEvent(deps, "visible");
  const refusal = await refusalOf(update(event.id, { title: "Late?", version: event.version - 1 }));
  expect(refusal.status).toBe(409);
  expect(await readEvent(deps, event.id)).toEqual(event);
});

test("PATCH /api/v1/events/:id is for admins, and returns the event", async () => {
  const server = createServer(deps);
  const event = await buildEvent(deps, "visible");
  const path = `/api/v1/events/${event.id}`;
  const body = { event: { title: "Renamed?", true_label: "Up" } };
  expect((await (await signedOutClient(server)).send("PATCH", path, body)).status).toBe(401);
  expect(
    (await (await signedInClient(deps, server, await buildPlayer(deps))).send("PATCH", path, body)).status,
  ).toBe(403);
  expect(await readEvent(deps, event.id)).toEqual(event);
  const asAdmin = await signedInClient(deps, server, admin);
  const answer = await asAdmin.send("PATCH", path, body);
  expect(v.parse(eventAnswer, answer.body).event).toMatchObject({ title: "Renamed?", trueLabel: "Up" });
  expect((await asAdmin.send("PATCH", path, { event: { round: 2 } })).status).toBe(422);
  expect((await asAdmin.send("PATCH", "/api/v1/events/999999999", body)).status).toBe(404);
});
