import { expect, test } from "bun:test";
import * as v from "valibot";
import { mutes } from "#db/schema/messages.ts";
import { registrations } from "#db/schema/sessions.ts";
import { sessionStream } from "#src/base/streams/broadcast.ts";
import { readMissedAfter } from "#src/base/streams/stream-offsets.ts";
import { sessionMessage } from "#src/live/relay/schemas.ts";
import { createGuest } from "#src/people/users/create-guest.ts";
import { createServer } from "#src/server.ts";
import { signedInClient, type TestClient } from "#tests/support/client.ts";
import { untilPasses, waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";

const { deps, db, build, server, timer } = await testWorld();

async function join(sessionId: number, userId: number): Promise<void> {
  await db.insert(registrations).values({ sessionId, userId, displayName: "Player" });
}

async function joined() {
  const session = await build.runningSession();
  const player = await build.player();
  await join(session.id, player.id);
  return { session, player, client: await signedInClient(deps, server, player) };
}

const send = (client: TestClient, slug: string, kind: unknown = "love") =>
  client.send("POST", `/api/v1/sessions/${slug}/reactions`, { reaction: { kind } });

/** The reactions that a session has received, in their order. */
async function received(sessionId: number) {
  const { messages } = await readMissedAfter(deps.redis, sessionStream(sessionId), { after: null });
  return messages
    .map(({ text }) => v.parse(sessionMessage, JSON.parse(text)))
    .filter((message) => message.sourceType === "Reaction")
    .map(({ detail }) => detail.counts);
}

/** Expects that a request is refused, and that no reaction follows: the next one is the only one that the session receives. */
async function refused(request: () => Promise<{ status: number; body: unknown }>, sessionId: number) {
  const answer = await request();
  const player = await build.player();
  await join(sessionId, player.id);
  const another = await signedInClient(deps, server, player);
  if ((await send(another, String(sessionId), "wow")).status === 204) {
    await untilPasses(async () => expect(await received(sessionId)).toEqual([{ wow: 1 }]));
  } else expect(await received(sessionId)).toEqual([]);
  return answer;
}

/** Waits until these reactions were received, after the first one, and expects them in one message a second. */
async function receivedTogether(sessionId: number, expected: Record<string, number>): Promise<void> {
  await untilPasses(async () => {
    const sums: Record<string, number> = {};
    for (const [kind, count] of (await received(sessionId)).slice(1).flatMap(Object.entries))
      sums[kind] = (sums[kind] ?? 0) + Number(count);
    expect(sums).toEqual(expected);
  });
}

test("a reaction reaches the session at once, and the following come together", async () => {
  const { session, client } = await joined();
  const startMs = performance.now();
  expect((await send(client, session.slug)).status).toBe(204);
  await untilPasses(async () => expect(await received(session.id)).toEqual([{ love: 1 }]));
  for (const kind of ["love", "love", "fire"]) await send(client, session.slug, kind);
  await receivedTogether(session.id, { love: 2, fire: 1 });
  // On a machine that takes more than a second for them they come in more messages.
  expect((await received(session.id)).length).toBeLessThanOrEqual((performance.now() - startMs) / 1_000 + 1);
});

test("the reactions of two processes come in one message", async () => {
  const { session, client, player } = await joined();
  const second = await signedInClient(deps, createServer(deps), player);
  const startMs = performance.now();
  await send(client, session.slug);
  await untilPasses(async () => expect(await received(session.id)).toEqual([{ love: 1 }]));
  await Promise.all([send(client, session.slug, "fire"), send(second, session.slug, "wow")]);
  await receivedTogether(session.id, { fire: 1, wow: 1 });
  expect((await received(session.id)).length).toBeLessThanOrEqual((performance.now() - startMs) / 1_000 + 1);
});

test("a guest who has called may react", async () => {
  const session = await build.runningSession();
  const { viewer: guest } = await createGuest(deps, { address: "", userAgent: null });
  const client = await signedInClient(deps, server, guest);
  expect(await refused(() => send(client, session.slug), session.id)).toMatchObject({
    status: 403,
    body: { code: "not_joined", error: "Place a call first, then you can react." },
  });
  await join(session.id, guest.id);
  expect((await send(client, session.slug)).status).toBe(204);
});

test("a reaction is refused, and nothing is counted: of a muted player, until the mute is over", async () => {
  const { session, player, client } = await joined();
  const mute = { sessionId: session.id, userId: player.id, reason: "Too loud" };
  await db.insert(mutes).values({ ...mute, until: new Date(Date.now() + 60_000) });
  const { status, body } = await refused(() => send(client, session.slug), session.id);
  expect([status, body]).toMatchObject([403, { code: "muted" }]);
  await db.update(mutes).set({ until: new Date(0) });
  expect((await send(client, session.slug)).status).toBe(204);
});

test("a reaction is refused, and nothing is counted: in a session that is over", async () => {
  const session = await build.runningSession();
  await timer.stop(session.id);
  const player = await build.player();
  await join(session.id, player.id);
  const client = await signedInClient(deps, server, player);
  const { status, body } = await refused(() => send(client, session.slug), session.id);
  expect([status, body]).toMatchObject([409, { code: "over" }]);
});

test("a reaction is refused, and nothing is counted: more than ten within ten seconds", async () => {
  const { session, client } = await joined();
  const statuses: number[] = [];
  for (let times = 0; times < 11; times += 1) statuses.push((await send(client, session.slug)).status);
  expect(statuses).toEqual([...Array<number>(10).fill(204), 429]);
  const sum = async () => (await received(session.id)).reduce((total, { love = 0 }) => total + love, 0);
  await waitFor("all that were accepted", async () => (await sum()) === 10);
});
