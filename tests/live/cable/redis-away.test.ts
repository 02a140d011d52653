import { expect, test } from "bun:test";
import { isNull } from "drizzle-orm";
import * as v from "valibot";
import { outbox } from "#db/schema/outbox.ts";
import { writeFact } from "#src/base/outbox/write-fact.ts";
import { connectRedis } from "#src/base/redis.ts";
import { createRelay } from "#src/live/relay/relay-outbox.ts";
import { sessionMessage } from "#src/live/relay/schemas.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildSignedIn, startCableServer } from "./cable-server.ts";
import { type Client, sessionChannel } from "./client.ts";
import { openOwnRedis } from "./own-redis.ts";

const { deps, db, build } = await testWorld();
const own = await openOwnRedis();
const web = { ...deps, redis: own.redis, env: { ...deps.env, redisUrl: own.url } };
const server = startCableServer(web);
const relay = createRelay(web);
const ana = await buildSignedIn(deps);
const session = await build.session();
afterFile(async () => {
  await relay.stop();
  await server.stop();
  await own.close();
});

const connect = () => server.connect(ana);
const unsent = () => db.$count(outbox, isNull(outbox.sentAt));
/** Writes a change of the session. @returns its version, which no other change has. */
async function change(): Promise<number> {
  const [row] = await deps.pool
    .sql`UPDATE sessions SET version = version + 1 WHERE id = ${session.id} RETURNING version`;
  await writeFact(db, { kind: "session_changed", sessionId: session.id, change: "update" });
  relay.notify();
  return v.parse(v.object({ version: v.number() }), row).version;
}
const versions = (client: Client) =>
  client
    .messages(sessionChannel(session.id))
    .map((message) => v.parse(sessionMessage, message))
    .flatMap(({ sourceType, detail }) => (sourceType === "Session" ? [detail.version] : []));

test("changes made while Redis is away arrive once after its return, on the open sockets", async () => {
  const client = await connect();
  await client.follow(sessionChannel(session.id));
  const before = await change();
  await waitFor("the change before", () => versions(client).length === 1);
  await own.stop();
  for (let number = 0; number < 5; number += 1) await change();
  await Bun.sleep(1_200);
  expect(await unsent()).toBe(5);
  await own.restart();
  const after = before + 5;
  await waitFor("the changes meanwhile", () => versions(client).length >= 6);
  const later = await change();
  await waitFor("the change after", () => versions(client).at(-1) === later);
  // Messages show the current state, so the five waiting facts all have the last version.
  expect(versions(client)).toEqual([before, after, after, after, after, after, later]);
  await waitFor("all to be sent", async () => (await unsent()) === 0);
  client.close();
});

test("a subscription while Redis is away is confirmed after its return and misses nothing from then on", async () => {
  const client = await connect();
  await own.stop();
  client.send({ command: "subscribe", identifier: sessionChannel(session.id) });
  await Bun.sleep(300);
  expect(client.ofType("confirm_subscription")).toEqual([]);
  await own.restart();
  await client.waitForFrame("the confirm", ({ type }) => type === "confirm_subscription");
  const version = await change();
  await waitFor("the change", () => versions(client).at(-1) === version);
  client.close();
});

test("messages missed by the Redis subscription are read from the history, in order and once", async () => {
  const client = await connect();
  await client.follow(sessionChannel(session.id));
  const first = await change();
  await waitFor("the first change", () => versions(client).at(-1) === first);
  const admin = connectRedis(own.url, "worker");
  const countBefore = versions(client).length;
  for (let round = 0; round < 3; round += 1) {
    // Only the subscribing connection is cut; broadcasts go on.
    await admin.call("CLIENT", "KILL", "TYPE", "pubsub");
    const last = await Promise.all(Array.from({ length: 4 }, () => change()));
    await waitFor("the last of them", () => versions(client).at(-1) === Math.max(...last));
  }
  await waitFor("all of them", () => versions(client).length === countBefore + 12);
  const received = versions(client);
  expect(received).toEqual(received.toSorted((one, other) => one - other));
  admin.disconnect();
  client.close();
});

test("a connected player is counted again when Redis is back", async () => {
  const client = await connect();
  await client.follow(sessionChannel(session.id));
  const counted = () =>
    waitFor("the count", async () => {
      const count = await own.redis.get(`presence:session:${session.id}`).catch(() => null);
      return count === "1";
    });
  await counted();
  await own.stop();
  await own.restart();
  await counted();
  client.close();
});

test("a Redis that refuses channels for a while broadcasts again when it allows them, and nothing is lost", async () => {
  const client = await connect();
  await client.follow(sessionChannel(session.id));
  const before = await change();
  await waitFor("the change before", () => versions(client).at(-1) === before);
  await own.redis.call("ACL", "SETUSER", "default", "resetchannels");
  const meanwhile = await change();
  await waitFor("it to be refused", () => relay.isStuck());
  await own.redis.call("ACL", "SETUSER", "default", "&*");
  await waitFor("the change meanwhile", () => versions(client).at(-1) === meanwhile);
  const after = await change();
  await waitFor("the change after", () => versions(client).at(-1) === after);
  await waitFor("all to be sent", async () => (await unsent()) === 0);
  client.close();
});
