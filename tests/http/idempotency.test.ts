import { describe, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { connect } from "#db/client.ts";
import { idempotencyKeys } from "#db/schema/idempotency-keys.ts";
import { users } from "#db/schema/users.ts";
import { pruneIdempotencyKeys } from "#src/base/once.ts";
import { viewerAnswer } from "#src/people/sign-ins/schemas.ts";
import { createServer } from "#src/server.ts";
import { buildAdmin, buildEvent, buildPlayer, buildSession, readSpots } from "#tests/support/build.ts";
import { type Answer, signedInClient, signedOutClient, type TestClient } from "#tests/support/client.ts";
import { testDeps } from "#tests/support/deps.ts";
import { holdTable } from "#tests/support/hold-table.ts";
import { untilFree } from "#tests/support/until-free.ts";
import { waitFor } from "#tests/support/wait-for.ts";

const RACERS = 8;

const deps = await testDeps();
const server = createServer(deps);
const asAdmin = await signedInClient(deps, server, await buildAdmin(deps));

type KeyedRequest = {
  client: TestClient;
  path: string;
  body: object;
  another: object | null;
  status: number;
  count: () => Promise<number>;
};

/** Requests of each kind: those whose rows hold their keys, and those whose keys are kept beside. */
const keyed: Record<string, () => Promise<KeyedRequest>> = {
  "a call": async () => {
    const player = await buildPlayer(deps);
    const event = await buildEvent(deps, "open");
    const spots = await readSpots(deps, event.id);
    const client = await signedInClient(deps, server, player);
    return {
      client,
      path: "/api/v1/calls",
      body: { call: { spot_id: spots.true.id, wager: 2 } },
      another: { call: { spot_id: spots.true.id, wager: 3 } },
      status: 201,
      count: () => totalOf(client, "/api/v1/calls"),
    };
  },
  "a payment": async () => {
    const client = await signedInClient(deps, server, await buildPlayer(deps));
    return {
      client,
      path: "/api/v1/payments",
      body: { payment: { amount: 5 } },
      another: { payment: { amount: 6 } },
      status: 201,
      count: () => totalOf(client, "/api/v1/payments"),
    };
  },
  "an adjustment": async () => {
    const player = await buildPlayer(deps, { balanceCents: 0 });
    const adjustment = { amount: 2, reason: "A gift" };
    return {
      client: asAdmin,
      path: `/api/v1/users/${player.id}/wallet/adjustments`,
      body: { adjustment },
      another: { adjustment: { ...adjustment, reason: "Another gift" } },
      status: 201,
      count: () => totalOf(asAdmin, `/api/v1/transactions?user_id=${player.id}`),
    };
  },
  "a top-up": buildTopUp,
  "a question": async () => {
    const { id } = await buildSession(deps);
    const event = { session_id: id, title: "Rain by noon?" };
    return {
      client: asAdmin,
      path: "/api/v1/events",
      body: { event },
      another: { event: { ...event, title: "Sun by noon?" } },
      status: 201,
      count: () => totalOf(asAdmin, `/api/v1/sessions/${id}/events`),
    };
  },
  "an announcement": async () => {
    const player = await buildPlayer(deps);
    const client = await signedInClient(deps, server, player);
    const announcement = { title: "Doors open at eight" };
    return {
      client: asAdmin,
      path: "/api/v1/announcements",
      body: { announcement },
      another: { announcement: { title: "Doors open at nine" } },
      status: 201,
      count: () => totalOf(client, `/api/v1/users/${player.id}/notifications`),
    };
  },
};

async function buildTopUp(): Promise<KeyedRequest> {
  const player = await buildPlayer(deps, { balanceCents: 0 });
  const client = await signedInClient(deps, server, player);
  return {
    client,
    path: `/api/v1/users/${player.id}/wallet/top_up`,
    body: {},
    another: null,
    status: 200,
    count: () => totalOf(client, "/api/v1/transactions"),
  };
}

async function totalOf(client: TestClient, path: string): Promise<number> {
  const { body } = await client.get(path);
  return Number(/"totalCount":(\d+)/.exec(JSON.stringify(body))?.[1]);
}

const send = ({ client, path }: KeyedRequest, key: string, body: object) =>
  client.send("POST", path, body, { "idempotency-key": key });
const replayed = ({ headers }: Answer) => headers.get("idempotent-replayed");

describe.each(Object.entries(keyed))("%s under one key", (_, build) => {
  test("is done once, and a repeated request gets the same answer", async () => {
    const one = await build();
    const before = await one.count();
    const first = await send(one, "once", one.body);
    expect([first.status, replayed(first)]).toEqual([one.status, "false"]);
    const again = await send(one, "once", one.body);
    expect([again.status, replayed(again)]).toEqual([one.status, "true"]);
    expect(withoutTime(again.body)).toEqual(withoutTime(first.body));
    expect(await one.count()).toBe(before + 1);
  });

  test("is done once by concurrent requests, and all get the same status", async () => {
    const one = await build();
    const before = await one.count();
    const sent = Array.from({ length: RACERS }, () => untilFree(() => send(one, "race", one.body)));
    const answers = await Promise.all(sent);
    expect(answers.map(({ status }) => status)).toEqual(Array(RACERS).fill(one.status));
    expect(answers.filter((answer) => replayed(answer) === "false")).toHaveLength(1);
    expect(await one.count()).toBe(before + 1);
  });

  test("with another body is refused, and nothing is done", async () => {
    const one = await build();
    if (one.another === null) return;
    await send(one, "other", one.body);
    const before = await one.count();
    expect(await send(one, "other", one.another)).toMatchObject({
      status: 422,
      body: { code: "idempotency_key_reused", errors: { idempotencyKey: ["has already been taken"] } },
    });
    expect(await one.count()).toBe(before);
  });

  test("with a key that is too long is refused, and nothing is done", async () => {
    const one = await build();
    const before = await one.count();
    const { status, body } = await send(one, "x".repeat(129), one.body);
    expect([status, body]).toMatchObject([
      422,
      { errors: { idempotencyKey: ["is too long (maximum is 128 characters)"] } },
    ]);
    expect(await one.count()).toBe(before);
  });
});

function withoutTime(body: unknown): unknown {
  return JSON.parse(JSON.stringify(body).replaceAll(/"serverTime":"[^"]*"/g, '"serverTime":""'));
}

test("a process that dies before it has committed leaves the work to the next one, and its answer is found by a third", async () => {
  const { id } = await buildSession(deps);
  const admin = await buildAdmin(deps);
  const pools = [1, 2].map(() => connect(deps.env.databaseUrl, { poolSize: 2 }));
  const processes = await Promise.all(
    [deps, ...pools.map((pool) => ({ ...deps, pool }))].map(async (one) =>
      signedInClient(one, createServer(one), admin),
    ),
  );
  const [dying, second, third] = processes;
  if (dying === undefined || second === undefined || third === undefined) throw new Error("three processes");
  const ask = (client: TestClient) =>
    client.send(
      "POST",
      "/api/v1/events",
      { event: { session_id: id, title: "Rain?" } },
      {
        "idempotency-key": "over processes",
      },
    );
  await using held = await holdTable(deps.env.databaseUrl, "audit");
  const lost = ask(dying);
  const [pid] = await held.awaited();
  const waiting = ask(second);
  await waitFor("the second process, which waits for the key", async () => {
    const { db } = deps.pool;
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
  const before = await deps.pool.db.$count(users);
  const answers = await Promise.all([one, one, one, one, other].map(ask));
  expect(answers.map(({ status }) => status)).toEqual(Array(5).fill(201));
  const ids = answers.map(({ body }) => v.parse(viewerAnswer, body).user.id);
  expect([new Set(ids.slice(0, 4)).size, new Set(ids).size]).toEqual([1, 2]);
  expect(await deps.pool.db.$count(users)).toBe(before + 2);
});

test("a refused request leaves its key free", async () => {
  const player = await buildPlayer(deps, { balanceCents: 500 });
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
    const answer = await send(each, "the same", each.body);
    expect([answer.status, replayed(answer)]).toEqual([200, "false"]);
  }
});

test("keys are deleted after a day", async () => {
  const { db } = deps.pool;
  await send(await buildTopUp(), "old", {});
  await send(await buildTopUp(), "new", {});
  const dayAgo = new Date(Date.now() - 25 * 3_600_000);
  await db.update(idempotencyKeys).set({ createdAt: dayAgo }).where(eq(idempotencyKeys.key, "old"));
  await pruneIdempotencyKeys(deps);
  expect(await db.$count(idempotencyKeys, eq(idempotencyKeys.key, "old"))).toBe(0);
  expect(await db.$count(idempotencyKeys, eq(idempotencyKeys.key, "new"))).toBe(1);
});
