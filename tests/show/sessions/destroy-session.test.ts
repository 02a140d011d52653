import { describe, expect, test } from "bun:test";
import { and, eq } from "drizzle-orm";
import { calls } from "#db/schema/calls.ts";
import { events, spots } from "#db/schema/events.ts";
import { messages } from "#db/schema/messages.ts";
import { registrations, sessions } from "#db/schema/sessions.ts";
import { createServer } from "#src/server.ts";
import {
  buildAdmin,
  buildCall,
  buildDraft,
  buildEvent,
  buildPlayer,
  buildRunningSession,
  buildSession,
} from "#tests/support/build.ts";
import { signedInClient, signedOutClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { buildSessionIn, readEverything, readLastAudit } from "./fixtures.ts";

const deps = await testDeps();
const server = createServer(deps);
const admin = await buildAdmin(deps);
const player = await buildPlayer(deps);
const signedOut = await signedOutClient(server);
const asPlayer = await signedInClient(deps, server, player);
const asAdmin = await signedInClient(deps, server, admin);

const PATH = "/api/v1/sessions";
const destroy = (key: string | number) => asAdmin.send("DELETE", `${PATH}/${key}`);

describe("DELETE /api/v1/sessions/:id", () => {
  test("deletes a pending session with its events, and writes to the audit log", async () => {
    const session = await buildSessionIn(deps, "pending");
    const { id: destroyedId } = await buildDraft(deps, { sessionId: session.id });
    await asAdmin.send("PUT", `${PATH}/${session.id}/activate`);
    expect(await destroy(session.slug)).toMatchObject({ status: 204, body: null });
    expect((await asAdmin.get(`${PATH}/${session.id}`)).status).toBe(404);
    expect(await deps.pool.db.$count(events, eq(events.sessionId, session.id))).toBe(0);
    expect(await deps.pool.db.$count(spots, eq(spots.eventId, destroyedId))).toBe(0);
    expect(await deps.pool.db.$count(sessions, eq(sessions.active, true))).toBe(0);
    expect(await readLastAudit(deps)).toMatchObject({
      actorId: admin.id,
      action: "destroy_session",
      subjectId: session.id,
      before: { slug: session.slug },
    });
    expect((await destroy(session.id)).status).toBe(404);
  });
});

describe("DELETE /api/v1/sessions/:id of a session in use", () => {
  test.each(["running", "paused", "stopped"] as const)(
    "is refused for a %s one, whose events are history, and nothing changes",
    async (state) => {
      const session = await buildSessionIn(deps, state);
      const before = await readEverything(deps);
      expect(await destroy(session.id)).toMatchObject({
        status: 422,
        body: {
          error: "Cannot delete record because dependent events exist",
          errors: { base: ["Cannot delete record because dependent events exist"] },
        },
      });
      expect(await readEverything(deps)).toEqual(before);
    },
  );

  test.each(["registrations", "messages"])(
    "is refused where there are %s, and nothing changes",
    async (what) => {
      const session = await buildSessionIn(deps, "pending");
      const who = { sessionId: session.id, userId: player.id };
      if (what === "messages")
        await deps.pool.db.insert(messages).values({ ...who, body: "Hello", clientId: "1" });
      else await deps.pool.db.insert(registrations).values({ ...who, displayName: "Ana" });
      const before = await readEverything(deps);
      expect(await destroy(session.id)).toMatchObject({
        status: 422,
        body: { error: `Cannot delete record because dependent ${what} exist` },
      });
      expect(await readEverything(deps)).toEqual(before);
    },
  );

  test("is refused if the session has calls, and no wager moves", async () => {
    const session = await buildRunningSession(deps);
    const event = await buildEvent(deps, "open", { sessionId: session.id });
    const callId = await buildCall(deps, { userId: player.id, eventId: event.id });
    const before = await readEverything(deps);
    expect(await destroy(session.id)).toMatchObject({
      status: 422,
      body: { error: "Cannot delete record because dependent calls exist", code: "dependents" },
    });
    expect(await readEverything(deps)).toEqual(before);
    expect(await deps.pool.db.select({ state: calls.state }).from(calls).where(eq(calls.id, callId))).toEqual(
      [{ state: "placed" }],
    );
  });
});

test("a session deleted during a registration either stays or has no registration", async () => {
  for (let round = 0; round < 8; round += 1) {
    const session = await buildSession(deps);
    const [deleted, registered] = await Promise.all([
      destroy(session.id),
      asPlayer.send("POST", `${PATH}/${session.id}/registrations`),
    ]);
    const won = [deleted.status, registered.status];
    expect([
      [204, 404],
      [422, 201],
    ]).toContainEqual(won);
    const mine = and(eq(registrations.sessionId, session.id), eq(registrations.userId, player.id));
    expect(await deps.pool.db.$count(registrations, mine)).toBe(registered.status === 201 ? 1 : 0);
  }
});

test("an event added during the deletion of its session is deleted with it or refused", async () => {
  for (let round = 0; round < 8; round += 1) {
    const session = await buildSession(deps);
    const [created, deleted] = await Promise.all([
      asAdmin.send("POST", "/api/v1/events", { event: { session_id: session.id, title: "Rain?" } }),
      destroy(session.id),
    ]);
    expect(deleted.status).toBe(204);
    // 404: the event was deleted between its creation and the answer.
    expect([201, 404, 422]).toContain(created.status);
    if (created.status === 422) expect(created.body).toMatchObject({ errors: { session: ["must exist"] } });
    expect(await deps.pool.db.$count(events, eq(events.sessionId, session.id))).toBe(0);
  }
});

test("only admins can delete sessions; otherwise nothing changes", async () => {
  const session = await buildSession(deps);
  const path = `${PATH}/${session.slug}`;
  const body = { session: { name: "Mine" } };
  const before = await readEverything(deps);
  expect((await signedOut.send("DELETE", path, body)).status).toBe(401);
  expect(await asPlayer.send("DELETE", path, body)).toMatchObject({
    status: 403,
    body: { code: "forbidden" },
  });
  expect(await readEverything(deps)).toEqual(before);
});

test.each(["nowhere", "999999999"])("%s is not found", async (key) => {
  expect((await destroy(key)).status).toBe(404);
});
