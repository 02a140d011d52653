import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { registrations } from "#db/schema/sessions.ts";
import { users } from "#db/schema/users.ts";
import { findViewer } from "#src/people/sign-ins/find-sign-in.ts";
import { findSessionView } from "#src/show/sessions/find-session-views.ts";
import { registerPlayer } from "#src/show/sessions/register-player.ts";
import { registrationAnswer, sessionAnswer } from "#src/show/sessions/schemas.ts";
import type { BuiltUser } from "#tests/support/build.ts";
import type { TestClient } from "#tests/support/client.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildSessionIn } from "./fixtures.ts";

const { deps, db, build, client, unchanged, read } = await testWorld();
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

const PLAYERS = 12;
const admin = await build.admin();
const players = await Promise.all(Array.from({ length: PLAYERS }, () => build.player()));

const playerAt = (index: number): BuiltUser => players[index % players.length] ?? admin;
const register = async (slugOrId: string, { id }: BuiltUser) =>
  registerPlayer(deps, { slugOrId, viewer: await findViewer(db, id) });
const countsOf = async (sessionId: number) => {
  const view = await findSessionView(db, sessionId, null);
  return [view?.eventsCount, view?.registrationsCount];
};
const failureOf = (work: () => PromiseLike<unknown>) =>
  Promise.resolve(work()).then(
    () => "done",
    (error: unknown) => String(error instanceof Error ? error.cause : error),
  );

test("concurrent registrations and first calls are all counted, each player once", async () => {
  const { session, event } = await build.openShow();
  await Promise.all(
    players.flatMap((player, index) => [
      register(session.slug, player),
      index % 2 === 0 ? build.call({ eventId: event.id, userId: player.id }) : register(session.slug, player),
    ]),
  );
  expect(await countsOf(session.id)).toEqual([2, PLAYERS]);
});

test("the counts cannot be written directly, also not by the owner of the tables", async () => {
  const session = await build.session();
  await register(session.slug, playerAt(0));
  for (const statement of [
    `UPDATE session_counts SET registrations_count = 7 WHERE session_id = ${session.id}`,
    `DELETE FROM session_counts WHERE session_id = ${session.id}`,
    "INSERT INTO totals (name, rows_count) VALUES ('users', 1)",
    "UPDATE totals SET rows_count = 0",
    "DELETE FROM totals",
  ]) {
    expect(await failureOf(() => db.execute(sql.raw(statement)))).toContain("illegal change of");
  }
  for (const table of ["session_counts", "totals"]) {
    expect(await failureOf(() => db.execute(sql.raw(`TRUNCATE ${table}`)))).toContain("is append-only");
  }
  expect(
    await failureOf(() => db.execute(sql.raw("UPDATE registrations SET session_id = session_id"))),
  ).toContain("illegal change of registrations");
  expect(await countsOf(session.id)).toEqual([0, 1]);
  expect(await read.differences()).toEqual([]);
});
