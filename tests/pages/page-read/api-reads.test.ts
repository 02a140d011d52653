import { expect, spyOn, test } from "bun:test";
import { eq } from "drizzle-orm";
import { signIns, users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { createServer } from "#src/server.ts";
import { signedInClient, signInDirectly } from "#tests/support/client.ts";
import { createTestRedis } from "#tests/support/redis.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { readApi, readByQueries, readsOf } from "./read-api.ts";
import { type Credentials, readByEndpoints, readPage } from "./read-page.ts";

const { deps, db, build, read, timer } = await testWorld();
const server = createServer(deps);

async function buildShow() {
  const session = await build.runningSession();
  const [player, guest] = [await build.player(), await build.player()];
  await db.update(users).set({ guest: true, email: null }).where(eq(users.id, guest.id));
  for (const end of ["resolved", "open"] as const) {
    const event = await build.event("open", { sessionId: session.id, durationSeconds: 600 });
    for (const { id: userId } of [player, guest]) await build.call({ userId, eventId: event.id });
    if (end === "resolved") await timer.settle(event.id);
  }
  await build.event("draft", { sessionId: session.id });
  const former = await build.player();
  const callers: Record<string, Credentials> = {
    player: await signInDirectly(deps, player),
    guest: await signInDirectly(deps, guest),
    admin: await signInDirectly(deps, await build.admin()),
    "signed out": {},
    "whose sign-in was ended": await signInDirectly(deps, former),
  };
  await db.update(signIns).set({ endedAt: new Date() }).where(eq(signIns.userId, former.id));
  return { session, callers };
}

async function expectSameAnswers(name: string, callers: Record<string, Credentials>): Promise<number[]> {
  const statuses: number[] = [];
  for (const read of readsOf(name)) {
    for (const [caller, credentials] of Object.entries(callers)) {
      const answer = await readApi(server, read.path, credentials);
      const expected = await readByQueries(server, read, credentials);
      expect({ read, caller, answer }).toEqual({ read, caller, answer: expected });
      statuses.push(answer.status);
    }
  }
  return statuses;
}

test("every caller gets from the page read what the endpoint's own queries answer, headers included", async () => {
  const { session, callers } = await buildShow();
  const bySlug = await expectSameAnswers(session.slug, callers);
  expect(new Set(bySlug)).toEqual(new Set([200, 401]));
  await expectSameAnswers(String(session.id), callers);
  await timer.stop(session.id);
  await expectSameAnswers(session.slug, callers);
});

test("refusals are those of the endpoints: sessions that are not live, unknown ones, and invalid parameters", async () => {
  const { session, callers } = await buildShow();
  const planned = await build.session();
  await expectSameAnswers(planned.slug, callers);
  expect(new Set(await expectSameAnswers("no-such-show", callers))).toEqual(new Set([401, 404]));
  expect(new Set(await expectSameAnswers("999999999999999999999", callers))).toEqual(new Set([401, 404]));
  const credentials = callers["player"] ?? {};
  const refused = [
    `/api/v1/sessions/${session.slug}/events?page=0`,
    `/api/v1/sessions/${session.slug}/events?per_page=many`,
    `/api/v1/scores/leaders?session_id=${session.slug}&limit=0`,
  ];
  for (const path of refused) expect((await readApi(server, path, credentials)).status).toBe(422);
});

test("of a session that is named twice, the leaders are those that the endpoint chooses", async () => {
  const [one, other] = [await buildShow(), await buildShow()];
  const credentials = one.callers["player"] ?? {};
  for (const [first, second] of [
    [one, other],
    [other, one],
  ]) {
    const query = `session_id=${first?.session.slug}&session_id=${second?.session.slug}`;
    const path = `/api/v1/scores/leaders?${query}`;
    const encodedPath = path.replaceAll("=session", "=%73ession");
    const answer = await readApi(server, path, credentials);
    expect(answer).toEqual(await readByQueries(server, { path, encodedPath }, credentials));
  }
});

test("a client that has the answer gets 304, whichever way it was read", async () => {
  const { session, callers } = await buildShow();
  for (const read of readsOf(session.slug)) {
    for (const credentials of Object.values(callers)) {
      const { status, headers } = await readApi(server, read.path, credentials);
      if (status !== 200) continue;
      const unchanged = { ...credentials, "if-none-match": headers["etag"] ?? "" };
      const again = await readApi(server, read.path, unchanged);
      expect(again).toMatchObject({ status: 304, text: "", headers: { etag: headers["etag"] } });
      expect(again).toEqual(await readByQueries(server, read, unchanged));
    }
  }
});

test("players who read their scores at the same moment each get their own", async () => {
  const { session } = await buildShow();
  const event = await build.event("open", { sessionId: session.id, durationSeconds: 600 });
  const players = await Promise.all(Array.from({ length: 30 }, () => build.player()));
  for (const { id: userId } of players) await build.call({ userId, eventId: event.id });
  await timer.settle(event.id, "false");
  const all = await Promise.all(players.map((player) => signInDirectly(deps, player)));
  const path = `/api/v1/scores/leaders?session_id=${session.id}&limit=1`;
  const readAll = () => Promise.all(all.map((credentials) => readApi(server, path, credentials)));
  for (const [index, { text }] of (await readAll()).entries())
    expect(JSON.parse(text)).toMatchObject({ leaders: [{}], me: { userId: players[index]?.id } });
});

test("after a call was placed, the next read of the events has it and its pool", async () => {
  const { session } = await buildShow();
  const { id: eventId } = await build.event("open", { sessionId: session.id, durationSeconds: 600 });
  const { true: spot } = await read.spots(eventId);
  const player = await signedInClient(deps, server, await build.player());
  const path = `/api/v1/sessions/${session.slug}/events`;
  await player.get(path);
  for (const callsCount of [1, 2]) {
    const call = { spotId: spot.id, wager: 1 };
    const placed = await player.send(
      "POST",
      "/api/v1/calls",
      { call },
      { "idempotency-key": crypto.randomUUID() },
    );
    expect(placed.status).toBe(201);
    const { body } = await player.get(path);
    expect(body).toHaveProperty("events.2", expect.objectContaining({ id: eventId, callsCount }));
    expect(body).toHaveProperty("events.2.pool.totalCents", 100 * callsCount);
    expect(body).toHaveProperty("events.2.myCalls.length", callsCount);
  }
});

async function buildVisit() {
  const session = await build.runningSession();
  const player = await build.player();
  const credentials = await signInDirectly(deps, player);
  return { path: `/sessions/${session.slug}`, session, player, credentials };
}

test("while Redis does not answer, only the first pages wait for it, and the offsets are unknown until it answers again", async () => {
  const server = await createTestRedis();
  const paused: Deps = { ...deps, redis: server.redis };
  const { path, player, session, credentials } = await buildVisit();
  expect((await readPage(paused, path, credentials)).offsets.user).not.toBeNull();
  process.kill(server.pid, "SIGSTOP");
  try {
    const unknown = { user: null, session: null };
    expect((await readPage(paused, path, credentials)).offsets).toEqual(unknown);
    const commands = spyOn(server.redis, "sendCommand");
    const page = await readPage(paused, path, credentials);
    expect(page.offsets).toEqual(unknown);
    expect(page.session).toMatchObject({ id: session.id, playersOnline: 0 });
    expect(page.frame?.wallet.balanceCents).toBe(10_000);
    // The connection also pings, by itself.
    expect(commands.mock.calls.filter(([{ name }]) => name !== "ping")).toEqual([]);
    commands.mockRestore();
  } finally {
    process.kill(server.pid, "SIGCONT");
  }
  await waitFor("the offsets to be known again", async () => {
    return (await readPage(paused, path, credentials)).offsets.user !== null;
  });
  expect(await readPage(paused, path, credentials)).toMatchObject({
    offsets: { session: { id: session.id } },
  });
  expect(player.id).toBeGreaterThan(0);
  await server.stop();
});

test("without Redis a page has all its data", async () => {
  const { path, session, player, credentials } = await buildVisit();
  const server = await createTestRedis();
  await server.stop();
  const away: Deps = { ...deps, redis: server.redis };
  const page = await readPage(away, path, credentials);
  const expected = await readByEndpoints(away, player.id, session.slug);
  const time = page.action?.serverTime ?? "";
  expect(JSON.parse(withTime(page, time))).toEqual(JSON.parse(withTime(expected, time)));
});

/** JSON with the server's times replaced. */
function withTime(page: unknown, time: string): string {
  return JSON.stringify(page, (key, value: unknown) => (key === "serverTime" ? time : value));
}
