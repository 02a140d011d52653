import { expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { calls } from "#db/schema/calls.ts";
import { registrations } from "#db/schema/sessions.ts";
import { signIns, users } from "#db/schema/users.ts";
import type { Deps } from "#src/base/deps.ts";
import { hasUnsentFacts } from "#src/base/outbox/outbox-rows.ts";
import type { RedisClient } from "#src/base/redis.ts";
import { chatStream } from "#src/base/streams/broadcast.ts";
import { readMissedAfter } from "#src/base/streams/stream-offsets.ts";
import { createRelay } from "#src/live/relay/relay-outbox.ts";
import { findViewer } from "#src/people/sign-ins/find-sign-in.ts";
import { createMessage } from "#src/play/chat/create-message.ts";
import { sweepDeletedAccounts } from "#src/profiles/delete-account.ts";
import { createServer } from "#src/server.ts";
import { registerPlayer } from "#src/show/sessions/register-player.ts";
import { startCableServer } from "#tests/live/cable/cable-server.ts";
import { Client } from "#tests/live/cable/client.ts";
import { picture } from "#tests/people/pictures/pictures.ts";
import { PASSWORD, Person, givePassword } from "#tests/people/users/person.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import {
  buildAdmin,
  buildCall,
  buildEvent,
  buildPlayer,
  buildRunningSession,
  only,
} from "#tests/support/build.ts";
import { signedInClient } from "#tests/support/client.ts";
import { digestTables } from "#tests/support/database-digest.ts";
import { testDeps } from "#tests/support/deps.ts";
import { resolveAndPay } from "#tests/support/pay.ts";
import { waitFor } from "#tests/support/wait-for.ts";

const announced = v.object({
  signed_id: v.string(),
  direct_upload: v.object({ url: v.string(), headers: v.record(v.string(), v.string()) }),
});

/** Uploads a picture and makes it the avatar of this browser's user. */
async function uploadPicture(
  person: Person,
  userId: number,
  { filename, bytes }: { filename: string; bytes: Uint8Array },
): Promise<void> {
  const checksum = createHash("md5").update(bytes).digest("base64");
  const blob = { filename, content_type: "image/png", byte_size: bytes.length, checksum };
  const response = await person.send("POST", "/api/v1/storage/direct_uploads", { body: { blob } });
  expect(response.status).toBe(201);
  const { signed_id: avatar, direct_upload: upload } = v.parse(announced, await response.json());
  const url = new URL(upload.url, "http://localhost:3000");
  const put = new Request(url, { method: "PUT", headers: upload.headers, body: bytes.slice() });
  expect((await person.pass(put)).status).toBe(204);
  const change = await person.send("PATCH", `/api/v1/users/${userId}`, { body: { user: { avatar } } });
  expect(change.status).toBe(200);
}

const named = v.object({ name: v.string() });
const counted = v.object({ found: v.boolean() });

/** The tables, with their schema, that have one of these texts in any column of any row; upper and lower case are equal. */
async function findInTables(db: Queryable, texts: readonly string[]): Promise<string[]> {
  const tables = await db.execute(sql`SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables
    WHERE schemaname NOT IN ('pg_catalog', 'information_schema') ORDER BY 1`);
  const found: string[] = [];
  for (const table of tables) {
    const { name } = v.parse(named, table);
    for (const text of texts) {
      const [row] = await db.execute(
        sql`SELECT EXISTS (SELECT 1 FROM ${sql.raw(name)} AS t WHERE strpos(lower(t::text), ${text.toLowerCase()}) > 0) AS found`,
      );
      if (v.parse(counted, row).found) found.push(`${name}: ${text}`);
    }
  }
  return found;
}

/** The keys of Redis that have one of these texts, in their name or in what they hold. */
async function findInRedis(redis: RedisClient, texts: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const key of await redis.keys("*")) {
    const held = `${key} ${JSON.stringify(await read(redis, key))}`.toLowerCase();
    found.push(...texts.filter((text) => held.includes(text.toLowerCase())).map((text) => `${key}: ${text}`));
  }
  return found;
}

async function read(redis: RedisClient, key: string): Promise<unknown> {
  const type = await redis.type(key);
  if (type === "string") return redis.get(key);
  if (type === "hash") return redis.hgetall(key);
  if (type === "list") return redis.lrange(key, 0, -1);
  if (type === "set") return redis.smembers(key);
  if (type === "zset") return redis.zrange(key, "0", "-1");
  return type === "stream" ? redis.xrange(key, "-", "+") : null;
}

const plain = await testDeps();
const relay = createRelay(plain);
afterFile(() => relay.stop());
const deps: Deps = { ...plain, notifyRelay: () => relay.notify() };
const { db } = deps.pool;
const server = createServer(deps);
const stops: (() => Promise<void>)[] = [];
afterTest(async () => {
  for (const stop of stops.splice(0)) await stop();
});

const PHONE = "+14155550177";
let lastNumber = 0;

/** A player with a name of its own that occurs nowhere by chance, signed in. */
async function buildPerson() {
  lastNumber += 1;
  const name = `Zerlina${lastNumber}`;
  const email = `${name.toLowerCase()}@example.test`;
  const user = await buildPlayer(deps);
  await db.update(users).set({ username: name, email, phone: PHONE }).where(eq(users.id, user.id));
  await givePassword(deps, user.id);
  const person = new Person(server);
  expect((await person.signIn(email)).status).toBe(200);
  const put = (body: object) =>
    person.send("PUT", "/api/v1/users/me/delete", {
      body: { user: { current_password: PASSWORD, ...body } },
    });
  return { id: user.id, name, email, person, put };
}

const waitForRelay = () => waitFor("the facts to be broadcast", async () => !(await hasUnsentFacts(db)));
const rowOf = async (id: number) => only(await db.select().from(users).where(eq(users.id, id)));

test("after the deletion no table and no key of Redis has the name, the address, the phone or a message", async () => {
  const { id, name, email, person, put } = await buildPerson();
  const session = await buildRunningSession(deps);
  const event = await buildEvent(deps, "open", { sessionId: session.id });
  const viewer = await findViewer(db, id);
  await registerPlayer(deps, { slugOrId: session.slug, viewer, displayName: `The real ${name}` });
  const callId = await buildCall(deps, { userId: id, eventId: event.id });
  await resolveAndPay(deps, { eventId: event.id, actor: null, result: "true" });
  const body = `My number is with ${name}`;
  await createMessage(deps, { viewer, sessionId: session.slug, body, clientId: crypto.randomUUID() });
  await waitFor("the message to be broadcast", async () => {
    const { messages } = await readMissedAfter(deps.redis, chatStream(session.id), { after: null });
    return messages.length > 0;
  });
  await uploadPicture(person, id, { filename: `${name}.png`, bytes: await picture("png") });
  const share = { kind: "call", target_id: callId, time_zone: "UTC" };
  expect((await person.send("POST", "/api/v1/shares", { body: { share } })).status).toBe(201);
  await person.send("PUT", "/api/v1/users/me/email", {
    body: { user: { email: `new-${email}`, current_password: PASSWORD } },
  });
  await new Person(server).signIn(email, "a guess");
  const admin = await signedInClient(deps, server, await buildAdmin(deps));
  for (const username of [`${name}_x`, name])
    await admin.send("PATCH", `/api/v1/users/${id}`, { user: { username } }, { "if-match": "*" });
  const texts = [name, email, PHONE];
  expect((await findInTables(db, texts)).length).toBeGreaterThan(5);
  expect((await findInRedis(deps.redis, texts)).length).toBeGreaterThan(1);

  expect((await put({})).status).toBe(204);
  await waitForRelay();
  expect(await findInTables(db, texts)).toEqual([]);
  expect(await findInRedis(deps.redis, texts)).toEqual([]);
  const { messages } = await readMissedAfter(deps.redis, chatStream(session.id), { after: null });
  expect(messages.every(({ text }) => !text.includes(body))).toBe(true);

  // The books keep the calls and the wallet, which testDeps() checks at the end.
  expect(await rowOf(id)).toMatchObject({
    username: `gone_${id}`,
    email: null,
    phone: null,
    passwordHash: null,
  });
  expect(await db.$count(calls, eq(calls.userId, id))).toBe(1);
  const board = await admin.get(`/api/v1/scores/leaders?session_id=${session.id}`);
  expect(JSON.stringify(board.body)).toContain(`gone_${id}`);
  const seen = await admin.get(`/api/v1/users/${id}`);
  expect(seen).toMatchObject({ status: 200, body: { user: { username: `gone_${id}`, email: null } } });
});

test("every browser is signed out, its sockets are closed, and the address is free again", async () => {
  const { id, email, person, put } = await buildPerson();
  const phone = new Person(server);
  await phone.signIn(email);
  const stage = startCableServer(deps);
  stops.push(() => stage.stop());
  const cookie = `called_it=${phone.cookies.get("called_it")}`;
  const socket = await new Client(stage.url, { origin: stage.origin, cookie }).welcomed();
  await socket.follow(JSON.stringify({ channel: "UserChannel", id: `gid://called-it/User/${id}` }));
  const response = await put({});
  expect([response.status, response.headers.get("clear-site-data")]).toEqual([204, '"cache"']);
  expect(await socket.waitForClose()).toBe(1_000);
  for (const browser of [person, phone]) expect((await browser.get("/api/v1/users/me")).status).toBe(401);
  expect((await new Person(server).signIn(email)).status).toBe(401);
  const newcomer = new Person(server);
  await newcomer.get("/api/v1/users/me");
  const user = { email, username: `again_${id}`, password: PASSWORD, password_confirmation: PASSWORD };
  expect((await newcomer.send("POST", "/users/guest_registration", { body: { user } })).status).toBe(201);
});

test("a wrong password is refused, and nothing is deleted", async () => {
  const { id, put } = await buildPerson();
  const before = await rowOf(id);
  const response = await put({ current_password: "not it" });
  expect([response.status, await response.json()]).toMatchObject([
    422,
    { errors: { currentPassword: ["is invalid"] } },
  ]);
  expect(await rowOf(id)).toEqual(before);
  expect(await db.$count(signIns, eq(signIns.userId, id))).toBe(1);
});

test("a player with an open call has to wait for it, and nothing changes", async () => {
  const { id, put } = await buildPerson();
  const event = await buildEvent(deps, "open");
  await buildCall(deps, { userId: id, eventId: event.id });
  await waitForRelay();
  const before = await digestTables(db);
  const response = await put({});
  expect([response.status, await response.json()]).toMatchObject([
    409,
    { code: "open_calls", error: "You have an open call." },
  ]);
  expect(await digestTables(db)).toBe(before);
});

test("an admin cannot delete their own account, so that there is always one left", async () => {
  const admin = await buildAdmin(deps);
  await givePassword(deps, admin.id);
  const person = new Person(server);
  await person.signIn(admin.email);
  const body = { user: { current_password: PASSWORD } };
  expect((await person.send("PUT", "/api/v1/users/me/delete", { body })).status).toBe(403);
  expect(await rowOf(admin.id)).toMatchObject({ email: admin.email, deletedAt: null });
});

test("an admin cannot change or reactivate a deleted account", async () => {
  const { id, put } = await buildPerson();
  expect((await put({})).status).toBe(204);
  const admin = await signedInClient(deps, server, await buildAdmin(deps));
  const before = await rowOf(id);
  for (const [action, user] of [
    ["reactivate", {}],
    ["unlock", {}],
    ["roles", { roles: ["admin"] }],
  ] as const) {
    const { status } = await admin.send(
      "PUT",
      `/api/v1/users/${id}/${action}`,
      { user },
      { "if-match": "*" },
    );
    expect([action, status]).toEqual([action, 422]);
  }
  const named = await admin.send(
    "PATCH",
    `/api/v1/users/${id}`,
    { user: { username: "Back" } },
    { "if-match": "*" },
  );
  expect(named.status).toBe(422);
  expect(await rowOf(id)).toEqual(before);
});

test("what a request under way still writes is erased by the sweep", async () => {
  const { id, name, put } = await buildPerson();
  const session = await buildRunningSession(deps);
  expect((await put({})).status).toBe(204);
  await db.insert(registrations).values({ sessionId: session.id, userId: id, displayName: name });
  expect(await findInTables(db, [name])).toHaveLength(1);
  await sweepDeletedAccounts(deps);
  expect(await findInTables(db, [name])).toEqual([]);
});
