import { describe, expect, test } from "bun:test";
import { asc, eq } from "drizzle-orm";
import * as v from "valibot";
import { registrations } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import { createServer } from "#src/server.ts";
import { registrationAnswer, sessionAnswer } from "#src/show/sessions/schemas.ts";
import {
  buildAdmin,
  buildCall,
  buildEvent,
  buildPlayer,
  buildRunningSession,
  buildSession,
} from "#tests/support/build.ts";
import { signedInClient, type TestClient, signedOutClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { buildSessionIn } from "./fixtures.ts";

const deps = await testDeps();
const server = createServer(deps);
const player = await buildPlayer(deps);
const guest = await buildPlayer(deps);
await deps.pool.db.update(users).set({ guest: true, email: null }).where(eq(users.id, guest.id));
const signedOut = await signedOutClient(server);
const asPlayer = await signedInClient(deps, server, player);
const asOther = await signedInClient(deps, server, await buildPlayer(deps));
const asGuest = await signedInClient(deps, server, guest);
const asAdmin = await signedInClient(deps, server, await buildAdmin(deps));

const pathOf = (key: string | number) => `/api/v1/sessions/${key}/registrations`;
const readAll = () => deps.pool.db.select().from(registrations).orderBy(asc(registrations.id));
const join = async (visitor: TestClient, key: string | number, body?: unknown) => {
  const answer = await visitor.send("POST", pathOf(key), body);
  return { status: answer.status, ...v.parse(registrationAnswer, answer.body) };
};

describe("POST /api/v1/sessions/:id/registrations", () => {
  test("joins once, by slug or id: 201, then 200 with the same registration", async () => {
    const session = await buildSession(deps);
    const first = await join(asPlayer, session.slug);
    expect(first).toMatchObject({
      status: 201,
      registration: {
        sessionId: session.id,
        userId: player.id,
        displayName: player.username,
        state: "joined",
      },
    });
    const again = await join(asPlayer, session.id, { registration: { display_name: "Somebody else" } });
    expect(again).toEqual({ status: 200, registration: first.registration });
    const { body } = await asPlayer.get(`/api/v1/sessions/${session.slug}`);
    expect(v.parse(sessionAnswer, body).session).toMatchObject({ registered: true, registrationsCount: 1 });
    expect((await asOther.get(`/api/v1/sessions/${session.slug}`)).body).toMatchObject({
      session: { registered: false, registrationsCount: 1 },
    });
  });

  test("accepts a display name", async () => {
    const session = await buildSessionIn(deps, "running");
    const { registration } = await join(asPlayer, session.id, {
      registration: { display_name: " Ana of Ely " },
    });
    expect(registration.displayName).toBe("Ana of Ely");
  });

  test("many concurrent requests make one registration", async () => {
    const session = await buildSession(deps);
    const answers = await Promise.all(Array.from({ length: 8 }, () => join(asPlayer, session.id)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(7);
    expect(new Set(answers.map(({ registration }) => registration.id)).size).toBe(1);
    expect(await deps.pool.db.$count(registrations, eq(registrations.sessionId, session.id))).toBe(1);
  });

  test("a first call registers the player, who gets that registration even after the session is over", async () => {
    const session = await buildRunningSession(deps);
    const event = await buildEvent(deps, "open", { sessionId: session.id });
    await buildCall(deps, { userId: player.id, eventId: event.id });
    expect((await join(asPlayer, session.id)).status).toBe(200);
    await asAdmin.send("PUT", `/api/v1/sessions/${session.id}/stop`);
    expect((await join(asPlayer, session.id)).status).toBe(200);
  });
});

describe("POST /api/v1/sessions/:id/registrations that is refused", () => {
  test.each([
    [{ registration: { display_name: "" } }, 422, { displayName: ["can't be blank"] }],
    [
      { registration: { display_name: "x".repeat(41) } },
      422,
      { displayName: ["is too long (maximum is 40 characters)"] },
    ],
    [{ registration: { user_id: 1 } }, 422, { userId: ["is invalid"] }],
    [{ display_name: "Ana" }, 400, undefined],
  ])("refuses %j, and nobody is registered", async (body, status, errors) => {
    const session = await buildSession(deps);
    const before = await readAll();
    const answer = await asPlayer.send("POST", pathOf(session.id), body);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject(errors === undefined ? {} : { errors });
    expect(await readAll()).toEqual(before);
  });

  test("a stopped session accepts no new players", async () => {
    const session = await buildSessionIn(deps, "stopped");
    const before = await readAll();
    expect(await asPlayer.send("POST", pathOf(session.id))).toMatchObject({
      status: 422,
      body: { errors: { session: ["is invalid"] }, detail: "This session is over." },
    });
    expect(await readAll()).toEqual(before);
  });

  test("is refused for guests, signed-out clients and unknown sessions", async () => {
    const session = await buildSession(deps);
    const before = await readAll();
    expect(await asGuest.send("POST", pathOf(session.id))).toMatchObject({
      status: 403,
      body: { code: "guest" },
    });
    expect((await signedOut.send("POST", pathOf(session.id))).status).toBe(401);
    expect((await asPlayer.send("POST", pathOf("nowhere"))).status).toBe(404);
    expect((await asPlayer.send("POST", pathOf(999_999_999))).status).toBe(404);
    expect(await readAll()).toEqual(before);
  });
});

describe("GET /api/v1/sessions/:id/registrations/:id", () => {
  test("shows players their own and admins all; another player's is not found", async () => {
    const session = await buildSession(deps);
    const { registration } = await join(asPlayer, session.id);
    const path = `${pathOf(session.slug)}/${registration.id}`;
    expect(await asPlayer.get(path)).toMatchObject({ status: 200, body: { registration } });
    expect(await asAdmin.get(path)).toMatchObject({ status: 200, body: { registration } });
    expect(await asOther.get(path)).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect((await signedOut.get(path)).status).toBe(401);
  });

  test("shows a guest the registration made by a first call", async () => {
    const session = await buildRunningSession(deps);
    const event = await buildEvent(deps, "open", { sessionId: session.id });
    await buildCall(deps, { userId: guest.id, eventId: event.id });
    const [own] = await deps.pool.db.select().from(registrations).where(eq(registrations.userId, guest.id));
    expect((await asGuest.get(`${pathOf(session.id)}/${own?.id}`)).status).toBe(200);
  });

  test("finds none in another session, nor an unknown one", async () => {
    const [mine, other] = [await buildSession(deps), await buildSession(deps)];
    const { registration } = await join(asPlayer, mine.id);
    expect((await asPlayer.get(`${pathOf(other.id)}/${registration.id}`)).status).toBe(404);
    expect((await asPlayer.get(`${pathOf("nowhere")}/${registration.id}`)).status).toBe(404);
    expect((await asPlayer.get(`${pathOf(mine.id)}/999999999`)).status).toBe(404);
    expect((await asPlayer.get(`${pathOf(mine.id)}/me`)).status).toBe(404);
  });
});
