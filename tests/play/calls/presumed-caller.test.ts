import { beforeEach, expect, test } from "bun:test";
import { eq, sql } from "drizzle-orm";
import { signIns, users } from "#db/schema/users.ts";
import { CSRF_HEADER } from "#src/http/contract.ts";
import { createServer } from "#src/server.ts";
import { type BuiltUser } from "#tests/support/build.ts";
import { countStatements } from "#tests/support/count-statements.ts";
import type { Server } from "#tests/support/server.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";

// A process places the call of a viewer whom it has seen before without looking up the sign-in first. Whatever it refuses must be
// what a process answers that has never seen the sign-in.

const { deps, db, build, read, server, client, set, signIn } = await testWorld();

let player: BuiltUser;
let credentials: Record<string, string>;
let spotId: number;

beforeEach(async () => {
  player = await build.player();
  credentials = await signIn(player);
  spotId = (await read.spots((await build.event("open")).id)).true.id;
  // From now on the server knows the sign-in.
  expect(await post(server, {})).toMatchObject({ status: 201 });
});

type Sent = { call?: object; headers?: Record<string, string>; body?: string };

async function post(to: Server, { call = { spot_id: spotId, wager: 1 }, headers, body }: Sent) {
  const response = await to.handle(
    new Request("http://localhost:3000/api/v1/calls", {
      method: "POST",
      headers: {
        accept: "application/json",
        "content-type": "application/json",
        origin: "http://localhost:3000",
        ...credentials,
        ...headers,
      },
      body: body ?? JSON.stringify({ call }),
    }),
  );
  const { requestId: _id, ...answer }: Record<string, unknown> = await response.json();
  const names = response.headers.getSetCookie().map((cookie) => cookie.split("=")[0]);
  return { status: response.status, answer, cookies: names };
}

/** The answer of a process that has never seen the sign-in: what a process knows belongs to its pool. */
const postToStranger = (sent: Sent) => post(createServer({ ...deps, pool: { ...deps.pool } }), sent);

/** The cookie of the sign-in beside that of a signed-out browser, and the anti-forgery token of the latter. */
async function asVisitor(): Promise<Record<string, string>> {
  const visitor = (await client()).credentials();
  return {
    cookie: `${credentials["cookie"]}; ${visitor["cookie"]}`,
    [CSRF_HEADER]: visitor[CSRF_HEADER] ?? "",
  };
}

const ofPlayer = () => eq(signIns.userId, player.id);
const past = (interval: string) => sql`clock_timestamp() - ${interval}::interval`;

/** What makes a sign-in invalid. */
const ends: Record<string, () => Promise<unknown>> = {
  "has ended": () => set(signIns, ofPlayer(), { endedAt: past("0 seconds") }),
  "has expired": () => set(signIns, ofPlayer(), { expiresAt: past("0 seconds") }),
  "was idle for too long": () => set(signIns, ofPlayer(), { lastSeenAt: past("31 minutes") }),
  "is of a deactivated user": () =>
    db.update(users).set({ deactivatedAt: new Date() }).where(eq(users.id, player.id)),
  "is of a user who has not confirmed the address in time": () =>
    set(users, player.id, { confirmedAt: null, confirmBy: past("1 second") }),
  "is gone": () => db.delete(signIns).where(ofPlayer()),
};

for (const [end, endSignIn] of Object.entries(ends)) {
  test(`a sign-in that ${end} places nothing, and is refused as by a process that has never seen it`, async () => {
    await endSignIn();
    const before = await read.digest();
    const visitor = await asVisitor();
    const requests: Sent[] = [
      {},
      { headers: visitor },
      { headers: visitor, call: { spot_id: "x" } },
      { headers: visitor, body: "{" },
      { headers: visitor, call: { spot_id: 999_999_999, wager: 1 } },
      { headers: { ...visitor, "content-type": "text/plain" } },
      { headers: { ...visitor, origin: "http://elsewhere.test" } },
    ];
    const answers = await Promise.all(requests.map((sent) => post(server, sent)));
    expect(answers).toEqual(await Promise.all(requests.map(postToStranger)));
    expect(answers.map(({ status }) => status)).toEqual([422, 401, 401, 400, 401, 415, 422]);
    expect(await read.digest()).toBe(before);
  });
}

test("a forged cookie places nothing", async () => {
  const before = await read.digest();
  const visitor = await asVisitor();
  const [name, value = ""] = (credentials["cookie"] ?? "").split("=");
  const forged = { ...visitor, cookie: visitor["cookie"]?.replace(value, `${value.slice(0, -4)}AAAA`) ?? "" };
  expect(name).toBe("called_it");
  expect(await post(server, { headers: forged })).toMatchObject({ status: 401 });
  expect(await post(server, { headers: { ...credentials, [CSRF_HEADER]: "" } })).toMatchObject({
    status: 422,
  });
  expect(await read.digest()).toBe(before);
});

test("what is wrong with the call of a valid sign-in is refused as by a process that has never seen it", async () => {
  const before = await read.digest();
  const requests: Sent[] = [
    { call: { spot_id: spotId, wager: 0 } },
    { call: { spot_id: spotId, wager: 1, user_id: player.id + 1 } },
    { call: { spot_id: spotId, wager: 1_000 } },
    { body: "{" },
    { headers: { origin: "http://elsewhere.test" } },
    { headers: { "idempotency-key": "x".repeat(300) } },
  ];
  const answers = await Promise.all(requests.map((sent) => post(server, sent)));
  expect(answers).toEqual(await Promise.all(requests.map(postToStranger)));
  expect(answers.map(({ status }) => status)).toEqual([422, 422, 422, 400, 422, 422]);
  expect(await read.digest()).toBe(before);
});

test("of the calls of one moment those of an ended sign-in are refused, and the others are placed", async () => {
  const [ended, valid] = [credentials, await signIn(player)];
  await post(server, { headers: valid });
  const [idOfEnded] = await db.select({ id: signIns.id }).from(signIns).where(ofPlayer());
  await set(signIns, idOfEnded?.id ?? "", { endedAt: past("0 seconds") });
  const answers = await Promise.all([valid, ended, valid, ended].map((headers) => post(server, { headers })));
  expect(answers.map(({ status }) => status)).toEqual([201, 422, 201, 422]);
});

test("a call of a viewer whom the process knows takes one statement", async () => {
  const statements = countStatements(deps.pool);
  expect(await post(server, {})).toMatchObject({ status: 201 });
  expect(statements.count()).toBe(1);
  statements.stop();
});

test("placing a call updates when the sign-in was last seen", async () => {
  await set(signIns, ofPlayer(), { lastSeenAt: past("61 seconds") });
  await post(server, {});
  await waitFor("the time", async () => {
    const [signIn] = await db.select().from(signIns).where(ofPlayer());
    return (signIn?.lastSeenAt.getTime() ?? 0) > Date.now() - 30_000;
  });
});
