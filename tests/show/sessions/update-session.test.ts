import { describe, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { sessionStates } from "#db/lists/sessions.ts";
import { events } from "#db/schema/events.ts";
import { createServer } from "#src/server.ts";
import { sessionAnswer } from "#src/show/sessions/schemas.ts";
import { buildAdmin, buildDraft, buildPlayer, buildSession, readEvent } from "#tests/support/build.ts";
import { signedInClient, signedOutClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { buildSessionIn, listChanges, readEverything, readLastAudit, invalidFields } from "./fixtures.ts";

const deps = await testDeps();
const server = createServer(deps);
const admin = await buildAdmin(deps);
const player = await buildPlayer(deps);
const signedOut = await signedOutClient(server);
const asPlayer = await signedInClient(deps, server, player);
const asAdmin = await signedInClient(deps, server, admin);

const PATH = "/api/v1/sessions";
const patch = (key: string | number, session: object) => asAdmin.send("PATCH", `${PATH}/${key}`, { session });

describe("PATCH /api/v1/sessions/:id", () => {
  test.each(sessionStates.filter((state) => state !== "stopped"))(
    "changes the given fields of a %s session, keeps its slug, and broadcasts the change",
    async (state) => {
      const session = await buildSessionIn(deps, state);
      const { status, body } = await patch(session.slug, {
        name: "Renamed",
        starts_at: "2027-01-01T00:00:00Z",
        settings: { settlement_delay_seconds: 5 },
      });
      expect(status).toBe(200);
      expect(v.parse(sessionAnswer, body).session).toMatchObject({
        id: session.id,
        slug: session.slug,
        name: "Renamed",
        description: session.description,
        startsAt: "2027-01-01T00:00:00.000Z",
        state,
        settings: { leadSeconds: 10, settlementDelaySeconds: 5, smallRoom: false },
        version: session.version + 1,
      });
      expect((await listChanges(deps, session.id))[0]).toBe("update");
      expect(await readLastAudit(deps)).toMatchObject({
        actorId: admin.id,
        action: "update_session",
        sessionId: session.id,
        before: { name: session.name },
        after: { name: "Renamed", settings: { settlementDelaySeconds: 5 } },
      });
      expect((await patch(session.id, { starts_at: null })).body).toMatchObject({
        session: { startsAt: null },
      });
    },
  );

  test("a new lead applies to the drafts of a pending session, and not to a live schedule", async () => {
    const pending = await buildSession(deps);
    const draft = await buildDraft(deps, { sessionId: pending.id });
    await patch(pending.id, { settings: { lead_seconds: 25 } });
    expect((await readEvent(deps, draft.id)).leadSeconds).toBe(25);
    const running = await buildSessionIn(deps, "running");
    const ofRunning = eq(events.sessionId, running.id);
    const before = await deps.pool.db.select().from(events).where(ofRunning);
    await patch(running.id, { settings: { lead_seconds: 25 } });
    expect(await deps.pool.db.select().from(events).where(ofRunning)).toEqual(before);
  });
});

describe("PATCH /api/v1/sessions/:id with invalid data", () => {
  test.each<[object, string, string]>([...invalidFields, [{ slug: "another" }, "slug", "is invalid"]])(
    "refuses %j, and nothing changes",
    async (changes, field, text) => {
      const session = await buildSessionIn(deps, "pending");
      const before = await readEverything(deps);
      const answer = await patch(session.id, changes);
      expect(answer).toMatchObject({ status: 422, body: { errors: { [field]: [text] } } });
      expect(await readEverything(deps)).toEqual(before);
      expect(await listChanges(deps, session.id)).toEqual([]);
    },
  );

  test.each(["running", "paused"] as const)(
    "a small room is set before the start: a %s session keeps the setting, and nothing changes",
    async (state) => {
      const session = await buildSessionIn(deps, state);
      const before = await readEverything(deps);
      expect(await patch(session.id, { name: "Ours", settings: { small_room: true } })).toMatchObject({
        status: 422,
        body: { errors: { "settings.smallRoom": ["is invalid"] } },
      });
      expect(await readEverything(deps)).toEqual(before);
      // With its current value it is no change.
      expect((await patch(session.id, { name: "Ours", settings: { small_room: false } })).status).toBe(200);
      const pending = await buildSessionIn(deps, "pending");
      expect((await patch(pending.id, { settings: { small_room: true } })).status).toBe(200);
    },
  );

  test("a stopped session cannot be changed", async () => {
    const session = await buildSessionIn(deps, "stopped");
    const before = await readEverything(deps);
    const changes = await listChanges(deps, session.id);
    expect(await patch(session.id, { name: "Rewritten" })).toMatchObject({
      status: 422,
      body: {
        errors: { state: ["cannot transition when Stopped"] },
        detail: "This session is over. It stays as it was played.",
      },
    });
    expect(await readEverything(deps)).toEqual(before);
    expect(await listChanges(deps, session.id)).toEqual(changes);
  });
});

test("only admins can change sessions; otherwise nothing changes", async () => {
  const session = await buildSession(deps);
  const path = `${PATH}/${session.slug}`;
  const body = { session: { name: "Mine" } };
  const before = await readEverything(deps);
  expect((await signedOut.send("PATCH", path, body)).status).toBe(401);
  expect(await asPlayer.send("PATCH", path, body)).toMatchObject({
    status: 403,
    body: { code: "forbidden" },
  });
  expect(await readEverything(deps)).toEqual(before);
});

test.each(["nowhere", "999999999"])("%s is not found", async (key) => {
  expect((await patch(key, { name: "A" })).status).toBe(404);
});
