import { afterEach, expect, test } from "bun:test";
import * as v from "valibot";
import { sessionMessage } from "#src/relay/schemas.ts";
import { buildSession } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { Client, sessionChannel } from "./client.ts";
import { buildSignedIn, type SignedIn, type Stage, startStage } from "./stage.ts";
const stages: Stage[] = [];

const deps = await testDeps();
const ana = await buildSignedIn(deps);
const ben = await buildSignedIn(deps);

afterEach(async () => {
  for (const stage of stages.splice(0)) await stage.stop();
});

function open(): Stage {
  const stage = startStage(deps);
  stages.push(stage);
  return stage;
}
async function join(stage: Stage, who: SignedIn, sessionId: number): Promise<Client> {
  const client = await new Client(stage.url, { origin: stage.origin, cookie: who.cookie }).welcomed();
  await client.follow(sessionChannel(sessionId));
  return client;
}
const online = (sessionId: number) => deps.redis.get(`presence:session:${sessionId}`);
const told = (client: Client, sessionId: number) =>
  client.messages(sessionChannel(sessionId)).map((message) => v.parse(sessionMessage, message));

test("a player counts once, however many pages in however many processes, and until the last of them is left", async () => {
  const { id } = await buildSession(deps);
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

test("whoever listens hears the number when it changes, at most once a second", async () => {
  const { id } = await buildSession(deps);
  const stage = open();
  const his = await join(stage, ben, id);
  const startMs = performance.now();
  await waitFor("the first count", () => told(his, id).length > 0);
  expect(told(his, id)[0]).toMatchObject({
    sourceType: "Presence",
    eventType: "count",
    detail: { playersOnline: 1 },
  });
  const crowd = await Promise.all(Array.from({ length: 5 }, () => buildSignedIn(deps)));
  for (const player of crowd) {
    await join(stage, player, id);
    await Bun.sleep(100);
  }
  await waitFor("the last count", () =>
    told(his, id).some((message) => "playersOnline" in message.detail && message.detail.playersOnline === 6),
  );
  const elapsedS = (performance.now() - startMs) / 1_000;
  expect(told(his, id).length).toBeLessThanOrEqual(elapsedS + 1);
});

test("a process that stops takes its players with it", async () => {
  const { id } = await buildSession(deps);
  const stage = startStage(deps);
  await join(stage, ana, id);
  await waitFor("one player", async () => (await online(id)) === "1");
  await stage.stop();
  expect(await online(id)).toBe("0");
});

test("the players of a process that was killed are forgotten half a minute after it was last seen", async () => {
  const { id } = await buildSession(deps);
  const key = `presence:session:${id}`;
  // What it leaves behind: one who was seen too long ago, and one who was seen just now.
  await deps.redis.zadd(`${key}:players`, String(Date.now() - 1), "999998 killed");
  await deps.redis.zadd(`${key}:players`, String(Date.now() + 20_000), "999999 killed");
  await join(open(), ana, id);
  await waitFor("two players", async () => (await online(id)) === "2");
  expect(await deps.redis.zrange(`${key}:players`, "0", "-1")).not.toContain("999998 killed");
  // And where nobody is left to count, nothing stands for longer than that.
  for (const name of [key, `${key}:players`, `${key}:broadcast`]) {
    const leftMs = await deps.redis.pttl(name);
    expect([name, leftMs > 0 && leftMs <= 30_000]).toEqual([name, true]);
  }
});
