import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { registrations } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import { registrationAnswer, sessionAnswer } from "#src/show/sessions/schemas.ts";
import { type TestClient } from "#tests/support/client.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildSessionIn } from "./fixtures.ts";

const { deps, db, build, client, unchanged } = await testWorld();
const player = await build.player();
const guest = await build.player();
await db.update(users).set({ guest: true, email: null }).where(eq(users.id, guest.id));
const asPlayer = await client(player);
const asOther = await client(await build.player());
const asGuest = await client(guest);
const asAdmin = await client(await build.admin());

const pathOf = (key: string | number) => `/api/v1/sessions/${key}/registrations`;
const join = async (visitor: TestClient, key: string | number, body?: unknown) => {
  const answer = await visitor.send("POST", pathOf(key), body);
  return { status: answer.status, ...v.parse(registrationAnswer, answer.body) };
};

test("POST /api/v1/sessions/:id/registrations joins once, by slug or id: 201, then 200 with the same registration", async () => {
  const session = await build.session();
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

test("POST /api/v1/sessions/:id/registrations: a first call registers the player, who gets that registration even after the session is over", async () => {
  const { session, event } = await build.openShow();
  await build.call({ userId: player.id, eventId: event.id });
  expect((await join(asPlayer, session.id)).status).toBe(200);
  await asAdmin.send("PUT", `/api/v1/sessions/${session.id}/stop`);
  expect((await join(asPlayer, session.id)).status).toBe(200);
});

test("POST /api/v1/sessions/:id/registrations: a stopped session accepts no new players", async () => {
  const session = await buildSessionIn(deps, "stopped");
  expect(await unchanged(() => asPlayer.send("POST", pathOf(session.id)))).toMatchObject({
    status: 422,
    body: { errors: { session: ["is invalid"] }, detail: "This session is over." },
  });
});

test("GET /api/v1/sessions/:id/registrations/:id shows a guest the registration made by a first call", async () => {
  const { session, event } = await build.openShow();
  await build.call({ userId: guest.id, eventId: event.id });
  const [own] = await db.select().from(registrations).where(eq(registrations.userId, guest.id));
  expect((await asGuest.get(`${pathOf(session.id)}/${own?.id}`)).status).toBe(200);
});

test("GET /api/v1/sessions/:id/registrations/:id finds none in another session", async () => {
  const [mine, other] = [await build.session(), await build.session()];
  const { registration } = await join(asPlayer, mine.id);
  expect((await asPlayer.get(`${pathOf(other.id)}/${registration.id}`)).status).toBe(404);
});
