import { expect, test } from "bun:test";
import * as v from "valibot";
import { arrivedKey } from "#src/base/redis-keys.ts";
import { notePresence } from "#src/live/cable/presence-counter.ts";
import { sessionMessage } from "#src/live/relay/schemas.ts";
import { untilPasses, waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import {
  buildSignedIn,
  type SignedIn,
  type CableServer,
  openCableServer,
  startCableServer,
} from "./cable-server.ts";
import { type Client, sessionChannel } from "./client.ts";

const { deps, build } = await testWorld();
const ana = await buildSignedIn(deps);
const ben = await buildSignedIn(deps);

const open = () => openCableServer(deps);
async function join(server: CableServer, who: SignedIn, sessionId: number): Promise<Client> {
  const client = await server.connect(who);
  await client.follow(sessionChannel(sessionId));
  return client;
}
const online = (sessionId: number) => deps.redis.get(`presence:session:${sessionId}`);
const received = (client: Client, sessionId: number) =>
  client.messages(sessionChannel(sessionId)).map((message) => v.parse(sessionMessage, message));

test("a player with many pages in many processes counts once, until the last one is closed", async () => {
  const { id } = await build.session();
  const [one, two] = [open(), open()];
  const hers = await join(one, ana, id);
  await waitFor("one player", async () => (await online(id)) === "1");
  const pages = [await join(one, ana, id), await join(two, ana, id)];
  const his = await join(two, ben, id);
  await waitFor("two players", async () => (await online(id)) === "2");
  his.send({ command: "unsubscribe", identifier: sessionChannel(id) });
  await waitFor("one player", async () => (await online(id)) === "1");
  hers.close();
  for (const page of pages) page.close();
  await waitFor("nobody", async () => (await online(id)) === "0");
});

test("a host who looks at a session is no player of it, and a robot that has just called is one", async () => {
  const { id } = await build.session();
  const server = open();
  const host = await join(server, await buildSignedIn(deps, await build.admin()), id);
  await notePresence(deps, { sessionId: id, userId: 999_997 });
  const hers = await join(server, ana, id);
  await waitFor("a player and a robot", async () => (await online(id)) === "2");
  host.close();
  hers.close();
  await waitFor("the robot alone", async () => (await online(id)) === "1");
});

test("subscribers get the count when it changes, at most once a second", async () => {
  const { id } = await build.session();
  const server = open();
  const startMs = performance.now();
  const his = await join(server, ben, id);
  await untilPasses(() =>
    expect(received(his, id)[0]).toMatchObject({
      sourceType: "Presence",
      eventType: "count",
      detail: { playersOnline: 1 },
    }),
  );
  const players = await Promise.all(Array.from({ length: 5 }, () => buildSignedIn(deps)));
  for (const player of players) {
    await join(server, player, id);
    await Bun.sleep(100);
  }
  await waitFor("the last count", () =>
    received(his, id).some(
      (message) => "playersOnline" in message.detail && message.detail.playersOnline === 6,
    ),
  );
  const elapsedS = (performance.now() - startMs) / 1_000;
  expect(received(his, id).length).toBeLessThanOrEqual(elapsedS + 1);
});

test("a process that stops removes its players", async () => {
  const { id } = await build.session();
  const server = startCableServer(deps);
  await join(server, ana, id);
  await waitFor("one player", async () => (await online(id)) === "1");
  await server.stop();
  expect(await online(id)).toBe("0");
});

test("the players of a killed process expire 30 s after its last refresh", async () => {
  const { id } = await build.session();
  const key = `presence:session:${id}`;
  // What a killed process leaves: one expired player, and one that expires later.
  await deps.redis.zadd(`${key}:players`, String(Date.now() - 1), "999998 killed");
  await deps.redis.zadd(`${key}:players`, String(Date.now() + 20_000), "999999 killed");
  await join(open(), ana, id);
  await waitFor("two players", async () => (await online(id)) === "2");
  expect(await deps.redis.zrange(`${key}:players`, "0", "-1")).not.toContain("999998 killed");
  // Without any process, all keys expire within that time.
  for (const name of [key, `${key}:players`, `${key}:broadcast`]) {
    const leftMs = await deps.redis.pttl(name);
    expect([name, leftMs > 0 && leftMs <= 30_000]).toEqual([name, true]);
  }
});

test("who has come is known in the order of arrival, also once a phone is locked, and for three hours", async () => {
  const { id } = await build.session();
  const key = arrivedKey(deps.redis, id);
  const hoursAgo = (hours: number) => Date.now() - hours * 3_600_000;
  await deps.redis.zadd(key, hoursAgo(4), "999996", hoursAgo(3.5), String(ana.user.id));
  const server = open();
  const hers = await join(server, ana, id);
  await waitFor("one player", async () => (await online(id)) === "1");
  const his = await join(server, ben, id);
  await waitFor("two players", async () => (await online(id)) === "2");
  his.close();
  await waitFor("one player", async () => (await online(id)) === "1");
  expect(await deps.redis.zrange(key, "0", "-1")).toEqual([ana, ben].map(({ user }) => String(user.id)));
  hers.close();
});
