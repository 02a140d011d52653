import { afterEach, describe, expect, test } from "bun:test";
import * as v from "valibot";
import { broadcast, userStream } from "#src/streams/broadcast.ts";
import type { StreamOffset } from "#src/streams/contract.ts";
import { findStreamOffsets, readHistory } from "#src/streams/stream-offsets.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { buildSignedIn, type SignedIn, startCableServer } from "./cable-server.ts";
import { Client, userChannel } from "./client.ts";
import { openOwnRedis } from "./own-redis.ts";
let ana: SignedIn;
let channel: string;
const clients: Client[] = [];

const deps = await testDeps();
const stage = startCableServer(deps);
afterFile(() => stage.stop());

afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

/** Each test has its own player and stream. */
async function connect(): Promise<Client> {
  ana = await buildSignedIn(deps);
  channel = userChannel(ana.gid);
  const client = await new Client(stage.url, { origin: stage.origin, cookie: ana.cookie }).welcomed();
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
async function place(): Promise<StreamOffset> {
  const [found] = await findStreamOffsets(deps.redis, [userStream(ana.user.id)]);
  return found ?? { epoch: "", offset: Number.NaN };
}
const caughtUp = (client: Client) =>
  client.waitForFrame(
    "the end",
    ({ message }) => message?.["caughtUp"] !== undefined || message?.["gap"] === true,
  );
const heardNumbers = (client: Client) => client.messages(channel).flatMap(({ number }) => number ?? []);

test("every message has its offset: one epoch, and no gap", async () => {
  const client = await connect();
  const before = await place();
  await say(1, 120);
  await waitFor("all", () => client.messages(channel).length === 120);
  expect(client.messagesWithOffsets(channel)).toEqual(
    Array.from({ length: 120 }, (_, index) => ({
      epoch: before.epoch,
      offset: before.offset + index + 1,
      number: index + 1,
    })),
  );
  expect(await place()).toEqual({ epoch: before.epoch, offset: before.offset + 120 });
});

describe("a page that asks for the messages behind an offset gets", () => {
  test("exactly these messages, in order, and then the newest offset", async () => {
    const client = await connect();
    await say(1, 5);
    const left = await place();
    await say(6, 12);
    await waitFor("all", () => client.messages(channel).length === 12);
    client.frames.length = 0;
    client.perform(channel, "since", left);
    expect((await caughtUp(client)).message).toEqual({ caughtUp: await place() });
    expect(heardNumbers(client)).toEqual([6, 7, 8, 9, 10, 11, 12]);
  });

  test("no message if it has missed none", async () => {
    const client = await connect();
    const left = await place();
    client.perform(channel, "since", left);
    expect((await caughtUp(client)).message).toEqual({ caughtUp: left });
    expect(client.messages(channel)).toHaveLength(1);
  });

  test("them on its own subscription only", async () => {
    const client = await connect();
    const other = await new Client(stage.url, { origin: stage.origin, cookie: ana.cookie }).welcomed();
    clients.push(other);
    await other.follow(channel);
    const left = await place();
    await say(1, 3);
    await waitFor("all", () => other.messages(channel).length === 3);
    client.perform(channel, "since", left);
    await caughtUp(client);
    await other.follow(` ${channel}`);
    expect(other.messages(channel)).toHaveLength(3);
  });
});

describe("a gap is reported", () => {
  test.each<[string, (left: StreamOffset) => object]>([
    ["of another epoch", (left) => ({ ...left, epoch: "another" })],
    ["that does not exist yet", (left) => ({ ...left, offset: left.offset + 100 })],
    ["that is missing", () => ({})],
  ])("with the newest offset, for an offset %s", async (_name, wish) => {
    const client = await connect();
    await say(1, 3);
    const at = await place();
    await waitFor("all", () => client.messages(channel).length === 3);
    client.perform(channel, "since", wish(at));
    expect((await caughtUp(client)).message).toEqual({ gap: true, ...at });
    expect(heardNumbers(client)).toEqual([1, 2, 3]);
  });

  test("if more messages came than the history stores", async () => {
    const client = await connect();
    const left = await place();
    await say(1, 1_300);
    client.perform(channel, "since", left);
    expect((await caughtUp(client)).message).toMatchObject({ gap: true });
  });

  test("if the history was deleted; the stream keeps its offset", async () => {
    const client = await connect();
    const left = await place();
    await say(1, 2);
    await deps.redis.del(userStream(ana.user.id));
    client.perform(channel, "since", left);
    expect((await caughtUp(client)).message).toMatchObject({ gap: true, offset: left.offset + 2 });
    client.frames.length = 0;
    client.perform(channel, "since", await place());
    expect((await caughtUp(client)).message).toEqual({ caughtUp: await place() });
  });
});

test("an invalid offset is ignored, and the connection stays open", async () => {
  const client = await connect();
  for (const wish of [{ epoch: 1 }, { offset: "x" }, { epoch: {}, offset: [] }])
    client.perform(channel, "since", wish);
  client.perform(channel, "until", {});
  await client.follow(` ${channel}`);
  expect(client.messages(channel)).toEqual([]);
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
  const tell = () => broadcast(own.redis, [{ stream, text: '{"number":1}' }]);
  await waitFor("Redis", () =>
    tell().then(
      () => true,
      () => false,
    ),
  );
  const [before] = await findStreamOffsets(own.redis, [stream]);
  await own.stop();
  await own.restart();
  await waitFor("its return", () =>
    tell().then(
      () => true,
      () => false,
    ),
  );
  const [after] = await findStreamOffsets(own.redis, [stream]);
  expect(after?.epoch).not.toBe(before?.epoch);
  expect(await readHistory(own.redis, stream, before ?? null)).toMatchObject({ gap: true });
  await own.close();
});
