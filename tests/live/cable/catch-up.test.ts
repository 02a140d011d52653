import { expect, setSystemTime, test } from "bun:test";
import * as v from "valibot";
import { broadcast, userStream } from "#src/base/streams/broadcast.ts";
import type { StreamOffset } from "#src/base/streams/contract.ts";
import { findStreamOffsets, readMissedAfter } from "#src/base/streams/stream-offsets.ts";
import { afterFile, afterTest } from "#tests/support/after-file.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { buildSignedIn, type SignedIn, startCableServer } from "./cable-server.ts";
import { type Client, userChannel } from "./client.ts";
import { openOwnRedis } from "./own-redis.ts";
let ana: SignedIn;
let channel: string;
const clients: Client[] = [];

const deps = await testDeps();
const server = startCableServer(deps);
afterFile(() => server.stop());

afterTest(() => {
  for (const client of clients.splice(0)) client.close();
});

/** Each test has its own player and stream. */
async function connect(): Promise<Client> {
  ana = await buildSignedIn(deps);
  channel = userChannel(ana.gid);
  const client = await server.connect(ana);
  clients.push(client);
  await client.follow(channel);
  return client;
}
async function say(from: number, to: number): Promise<void> {
  const stream = userStream(ana.user.id);
  const numbers = Array.from({ length: to - from + 1 }, (_, index) => from + index);
  await broadcast(
    deps.redis,
    numbers.map((number) => ({ stream, text: JSON.stringify({ number }) })),
  );
}
async function newestOffset(): Promise<StreamOffset> {
  const [offset] = await findStreamOffsets(deps.redis, [userStream(ana.user.id)]);
  return offset ?? { epoch: "", offset: Number.NaN };
}
const caughtUp = (client: Client) =>
  client.waitForFrame(
    "the end",
    ({ message }) => message?.["caughtUp"] !== undefined || message?.["gap"] === true,
  );
const receivedNumbers = (client: Client) => client.messages(channel).flatMap(({ number }) => number ?? []);

test("a player's history is bounded: about 8 messages, and those of five minutes", async () => {
  await connect();
  const length = () => deps.redis.xlen(userStream(ana.user.id));
  await say(1, 600);
  // Redis drops a block of them at a time.
  expect(await length()).toBeWithin(8, 120);
  setSystemTime(Date.now() + 301_000);
  await say(601, 602);
  setSystemTime();
  // With the newest of the old ones, behind which nothing is missing.
  expect(await length()).toBe(3);
});

test("a page that has missed more than the history has is told so, and one that has missed less gets it", async () => {
  const client = await connect();
  await say(1, 1);
  const early = await newestOffset();
  await say(2, 300);
  const late = await newestOffset();
  await say(301, 315);
  await waitFor("all", () => client.messages(channel).length === 315);
  for (const [since, expected] of [
    [early, [{ gap: true, ...(await newestOffset()) }]],
    [late, [...Array.from({ length: 15 }, (_, index) => 301 + index), { caughtUp: await newestOffset() }]],
  ] as const) {
    client.frames.length = 0;
    client.perform(channel, "since", since);
    await caughtUp(client);
    // A ping may come between them.
    const answer = client.frames.flatMap(({ type, message }) =>
      type !== undefined || message === undefined ? [] : [message["number"] ?? message],
    );
    expect<unknown[]>(answer).toEqual([...expected]);
  }
});

test("a page that asks for the messages behind an offset gets them on its own subscription only", async () => {
  const client = await connect();
  const other = await server.connect(ana);
  clients.push(other);
  await other.follow(channel);
  const last = await newestOffset();
  await say(1, 3);
  await waitFor("all", () => other.messages(channel).length === 3);
  client.perform(channel, "since", last);
  await caughtUp(client);
  await other.settled();
  expect(other.messages(channel)).toHaveLength(3);
});

test.each<[string, (last: StreamOffset) => object]>([
  ["of another epoch", (last) => ({ ...last, epoch: "another" })],
  ["that does not exist yet", (last) => ({ ...last, offset: last.offset + 100 })],
  ["that is missing", () => ({})],
])("a gap is reported with the newest offset, for an offset %s", async (_name, request) => {
  const client = await connect();
  await say(1, 3);
  const at = await newestOffset();
  await waitFor("all", () => client.messages(channel).length === 3);
  client.perform(channel, "since", request(at));
  expect((await caughtUp(client)).message).toEqual({ gap: true, ...at });
  expect(receivedNumbers(client)).toEqual([1, 2, 3]);
});

test("a gap is reported if the history was deleted; the stream keeps its offset", async () => {
  const client = await connect();
  const last = await newestOffset();
  await say(1, 2);
  await deps.redis.del(userStream(ana.user.id));
  client.perform(channel, "since", last);
  expect((await caughtUp(client)).message).toMatchObject({ gap: true, offset: last.offset + 2 });
  client.frames.length = 0;
  client.perform(channel, "since", await newestOffset());
  expect((await caughtUp(client)).message).toEqual({ caughtUp: await newestOffset() });
});

test("a history expires five minutes after its last message, the offset after a day", async () => {
  await connect();
  await say(1, 2);
  const stream = userStream(ana.user.id);
  const expiry = v.pipe(v.number(), v.minValue(1));
  expect(v.parse(expiry, await deps.redis.ttl(stream))).toBeLessThanOrEqual(300);
  expect(v.parse(expiry, await deps.redis.ttl(`${stream}:at`))).toBeLessThanOrEqual(86_400);
});

test("a restarted Redis begins another epoch, so that lost messages are noticed", async () => {
  const own = await openOwnRedis();
  const stream = userStream(1);
  const broadcastOne = () => broadcast(own.redis, [{ stream, text: '{"number":1}' }]);
  await waitFor("Redis", () =>
    broadcastOne().then(
      () => true,
      () => false,
    ),
  );
  const [before] = await findStreamOffsets(own.redis, [stream]);
  await own.stop();
  await own.restart();
  await waitFor("its return", () =>
    broadcastOne().then(
      () => true,
      () => false,
    ),
  );
  const [after] = await findStreamOffsets(own.redis, [stream]);
  expect(after?.epoch).not.toBe(before?.epoch);
  expect(await readMissedAfter(own.redis, stream, { after: before ?? null })).toMatchObject({
    complete: false,
  });
  await own.close();
});
