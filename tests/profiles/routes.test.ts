import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { users } from "#db/schema/users.ts";
import { writeNotifications } from "#src/people/notifications/write-notifications.ts";
import { profileAnswer } from "#src/profiles/schemas.ts";
import { createServer } from "#src/server.ts";
import { buildAdmin, buildCall, buildEvent, buildPlayer, buildRunningSession } from "#tests/support/build.ts";
import { signedInClient, signedOutClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";

const deps = await testDeps();
const server = createServer(deps);

test("the own profile has the wallet, the calls newest first, and the joined sessions", async () => {
  const session = await buildRunningSession(deps);
  const event = await buildEvent(deps, "open", { sessionId: session.id });
  const [player, rival] = [await buildPlayer(deps), await buildPlayer(deps)];
  const first = await buildCall(deps, { userId: player.id, eventId: event.id });
  await buildCall(deps, { userId: rival.id, eventId: event.id });
  const second = await buildCall(deps, { userId: player.id, eventId: event.id, wagerCents: 250 });
  const browser = await signedInClient(deps, server, player);

  const { status, body } = await browser.get("/api/v1/users/me");

  expect(status).toBe(200);
  const { user } = v.parse(profileAnswer, body);
  expect(user).toMatchObject({
    id: player.id,
    gid: `gid://called-it/User/${player.id}`,
    email: player.email,
    username: player.username,
    phone: null,
    roles: [],
    guest: false,
    notificationCount: 0,
    wallet: { balance: 100, availableBalance: 96.5, metrics: { callsPlaced: 2 } },
    sessions: [{ id: session.id, slug: session.slug, name: session.name }],
  });
  expect(user.calls.map(({ id }) => id)).toEqual([second, first]);
});

test("the profile has the admin role; guests have a profile too", async () => {
  const admin = await signedInClient(deps, server, await buildAdmin(deps));
  const player = await buildPlayer(deps);
  await deps.pool.db.update(users).set({ guest: true, email: null }).where(eq(users.id, player.id));
  const guest = await signedInClient(deps, server, player);

  expect(v.parse(profileAnswer, (await admin.get("/api/v1/users/me")).body).user.roles).toEqual(["admin"]);
  expect(v.parse(profileAnswer, (await guest.get("/api/v1/users/me")).body).user).toMatchObject({
    guest: true,
    email: null,
    calls: [],
  });
});

test("signed-out clients have no profile", async () => {
  const stranger = await signedOutClient(server);
  expect(await stranger.get("/api/v1/users/me")).toMatchObject({
    status: 401,
    body: { code: "unauthenticated", error: "You need to sign in or sign up before continuing." },
  });
});

test("the own profile counts unread notifications and has the newest", async () => {
  const player = await buildPlayer(deps);
  const news = { userId: player.id, kind: "refund" as const, body: "", url: null };
  await writeNotifications(deps.pool.db, [
    { ...news, title: "Older" },
    { ...news, title: "Newer" },
  ]);
  const { body } = await (await signedInClient(deps, server, player)).get("/api/v1/users/me");
  expect(body).toMatchObject({
    user: { notificationCount: 2, notifications: [{ title: "Newer" }, { title: "Older" }] },
  });
});

test("an admin who reads another user's profile reads no notifications", async () => {
  const player = await buildPlayer(deps);
  const news = { userId: player.id, kind: "refund" as const, title: "Secret", body: "", url: null };
  await writeNotifications(deps.pool.db, [news]);
  const admin = await signedInClient(deps, server, await buildAdmin(deps));
  const read = await admin.get(`/api/v1/users/${player.id}`);
  const changed = await admin.send("PATCH", `/api/v1/users/${player.id}`, { user: {} });
  for (const { status, body } of [read, changed]) {
    expect(status).toBe(200);
    expect(body).toMatchObject({ user: { id: player.id, notificationCount: 0, notifications: [] } });
  }
});
