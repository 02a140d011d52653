import { expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { connect } from "#db/client.ts";
import { idempotencyKeys } from "#db/schema/idempotency-keys.ts";
import { users } from "#db/schema/users.ts";
import { pruneTable } from "#jobs/schedule.ts";
import { viewerAnswer } from "#src/people/sign-ins/schemas.ts";
import { createServer } from "#src/server.ts";
import { type Answer, signedInClient, signedOutClient, type TestClient } from "#tests/support/client.ts";
import { holdTable } from "#tests/support/hold-table.ts";
import { untilFree } from "#tests/support/until-free.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";

const RACERS = 8;

const { deps, read, server, db, build } = await testWorld();
const asAdmin = await signedInClient(deps, server, await build.admin());

/** A request, and what is one more once it is done. */
type Keyed = { client: TestClient; path: string; body: object; count: () => Promise<number> };

/** @param counted the list that has one more, and who reads it if not the client. */
const keyedBy = (
  client: TestClient,
  path: string,
  body: object,
  [list, reader = client]: [list: string, reader?: TestClient],
): Keyed => ({ client, path: `/api/v1${path}`, body, count: () => totalOf(reader, `/api/v1${list}`) });
const asPlayer = async (balanceCents = 10_000) => {
  const player = await build.player({ balanceCents });
  return { player, client: await signedInClient(deps, server, player) };
};

/**
 * A request of each kind: those whose rows hold their keys, and those whose keys are kept beside. What each endpoint answers to a key that
 * was used is in tests/api/walk.test.ts.
 */
const keyed: Record<string, () => Promise<Keyed>> = {
  "a call": async () => {
    const spots = await read.spots((await build.event("open")).id);
    const call = { spot_id: spots.true.id, wager: 2 };
    return keyedBy((await asPlayer()).client, "/calls", { call }, ["/calls"]);
  },
  "a payment": async () =>
    keyedBy((await asPlayer()).client, "/payments", { payment: { amount: 5 } }, ["/payments"]),
  "an adjustment": async () => {
    const { id } = await build.player({ balanceCents: 0 });
    const adjustment = { amount: 2, reason: "A gift" };
    return keyedBy(asAdmin, `/users/${id}/wallet/adjustments`, { adjustment }, [
      `/transactions?user_id=${id}`,
    ]);
  },
  "a top-up": buildTopUp,
  "a question": async () => {
    const { id } = await build.session();
    return keyedBy(asAdmin, "/events", { event: { session_id: id, title: "Rain?" } }, [
      `/sessions/${id}/events`,
    ]);
  },
  "an announcement": async () => {
    const { player, client } = await asPlayer();
    const announcement = { title: "Doors open at eight" };
    return keyedBy(asAdmin, "/announcements", { announcement }, [
      `/users/${player.id}/notifications`,
      client,
    ]);
  },
};

async function buildTopUp(): Promise<Keyed> {
  const { player, client } = await asPlayer(0);
  return keyedBy(client, `/users/${player.id}/wallet/top_up`, {}, ["/transactions"]);
}

async function totalOf(client: TestClient, path: string): Promise<number> {
  const { body } = await client.get(path);
  return Number(/"totalCount":(\d+)/.exec(JSON.stringify(body))?.[1]);
}

const send = ({ client, path, body }: Omit<Keyed, "count">, key: string) =>
  client.send("POST", path, body, { "idempotency-key": key });
const replayed = ({ headers }: Answer) => headers.get("idempotent-replayed");

test.each(Object.entries(keyed))(
  "%s under one key is done once by concurrent requests, and all get the same status",
  async (_, build) => {
    const one = await build();
    const before = await one.count();
    const sent = Array.from({ length: RACERS }, () => untilFree(() => send(one, "race")));
    const answers = await Promise.all(sent);
    expect(new Set(answers.map(({ status }) => status)).size).toBe(1);
    expect(answers[0]?.status).toBeWithin(200, 300);
    expect(answers.filter((answer) => replayed(answer) === "false")).toHaveLength(1);
    expect(await one.count()).toBe(before + 1);
  },
);

function withoutTime(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body).replaceAll(/"serverTime":"[^"]*"/g, '"serverTime":""'));
}

test("a process that dies before it has committed leaves the work to the next one, and its answer is found by a third", async () => {
  const { id } = await build.session();
  const admin = await build.admin();
  const pools = [1, 2].map(() => connect(deps.env.databaseUrl, { poolSize: 2 }));
  const processes = await Promise.all(
    [deps, ...pools.map((pool) => ({ ...deps, pool }))].map(async (one) =>
      signedInClient(one, createServer(one), admin),
    ),
  );
  const [dying, second, third] = processes;
  if (dying === undefined || second === undefined || third === undefined) throw new Error("three processes");
  const ask = (client: TestClient) =>
    send(
      { client, path: "/api/v1/events", body: { event: { session_id: id, title: "Rain?" } } },
      "over processes",
    );
  await using held = await holdTable(deps.env.databaseUrl, "audit");
  const lost = ask(dying);
  const [pid] = await held.awaited();
  const waiting = ask(second);
  await waitFor("the second process, which waits for the key", async () => {
    const isBlocked = sql`datname = current_database() AND ${pid ?? 0} = ANY (pg_blocking_pids(pid))`;
    return [...(await db.execute(sql`SELECT 1 FROM pg_stat_activity WHERE ${isBlocked}`))].length > 0;
  });
  await deps.pool.sql`SELECT pg_terminate_backend(${pid ?? 0})`;
  expect((await lost).status).toBeGreaterThanOrEqual(500);
  await held.release();
  const done = await waiting;
  const found = await ask(third);
  expect([done.status, replayed(done), found.status, replayed(found)]).toEqual([201, "false", 201, "true"]);
  expect(withoutTime(found.body)).toEqual(withoutTime(done.body));
  expect(await totalOf(asAdmin, `/api/v1/sessions/${id}/events`)).toBe(1);
  await Promise.all(pools.map((pool) => pool.close()));
});

test("a browser makes one guest under a key, however often it asks; the same key of another browser makes another", async () => {
  const [one, other] = [await signedOutClient(server), await signedOutClient(server)];
  const ask = (client: TestClient) => client.send("POST", "/users/guest", {}, { "idempotency-key": "guest" });
  const before = await db.$count(users);
  const answers = await Promise.all([one, one, one, one, other].map(ask));
  expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(201));
  const ids = answers.map(({ body }) => v.parse(viewerAnswer, body).user.id);
  expect([new Set(ids.slice(0, 4)).size, new Set(ids).size]).toEqual([1, 2]);
  expect(await db.$count(users)).toBe(before + 2);
});

test("a refused request leaves its key free", async () => {
  const player = await build.player({ balanceCents: 500 });
  const client = await signedInClient(deps, server, player);
  const path = `/api/v1/users/${player.id}/wallet/top_up`;
  const key = { "idempotency-key": "soon" };
  expect((await client.send("POST", path, {}, key)).status).toBe(422);
  const spent = { adjustment: { amount: -5, reason: "Spent" } };
  await asAdmin.send("POST", `/api/v1/users/${player.id}/wallet/adjustments`, spent);
  const topped = await client.send("POST", path, {}, key);
  expect([topped.status, replayed(topped)]).toEqual([200, "false"]);
});

test("equal keys of different users do not conflict", async () => {
  for (const each of [await buildTopUp(), await buildTopUp()]) {
    const answer = await send(each, "the same");
    expect([answer.status, replayed(answer)]).toEqual([200, "false"]);
  }
});

test("keys are deleted after a day", async () => {
  await send(await buildTopUp(), "old");
  await send(await buildTopUp(), "new");
  const dayAgo = new Date(Date.now() - 25 * 3_600_000);
  await db.update(idempotencyKeys).set({ createdAt: dayAgo }).where(eq(idempotencyKeys.key, "old"));
  await pruneTable(deps, idempotencyKeys);
  expect(await db.$count(idempotencyKeys, eq(idempotencyKeys.key, "old"))).toBe(0);
  expect(await db.$count(idempotencyKeys, eq(idempotencyKeys.key, "new"))).toBe(1);
});
