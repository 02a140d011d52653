import { expect, spyOn, test } from "bun:test";
import { broadcast, sessionStream } from "#src/base/streams/broadcast.ts";
import { findStreamOffsets } from "#src/base/streams/stream-offsets.ts";
import type { RegisteredConnection } from "#src/live/cable/hub-api.ts";
import { SocketLimits } from "#src/live/cable/socket-limits.ts";
import { type SignedIn, buildSignedIn } from "#tests/live/cable/cable-server.ts";
import { type Client, sessionChannel, userChannel } from "#tests/live/cable/client.ts";
import { buildSession } from "#tests/support/build.ts";
import { untilPasses, waitFor } from "#tests/support/wait-for.ts";
import { EXTENDED, isRestored, openCable, sidOf } from "./open-cable.ts";

// What one signed-in client may cost the others.

const { deps, redis, redisUrl, redisPid, lines, connect } = await openCable();

test("sockets: one browser has 20; the next one takes the place of the oldest, which does not come back", async () => {
  const ana = await buildSignedIn(deps);
  const clients: Client[] = [];
  for (let count = 0; count < 21; count += 1) clients.push(await connect(ana));
  const [oldest, ...others] = clients;
  await waitFor("the oldest to end", () => oldest?.closed ?? null);
  const left = { type: "disconnect", reason: "too_many_connections", reconnect: false };
  expect(oldest?.frames.at(-1)).toEqual(left);
  expect(others.map(({ closed }) => closed)).toEqual(others.map(() => null));
  for (const client of others) client.close();
});

test("sockets: an address has a bound, and sockets that end make room", () => {
  const limits = new SocketLimits({ on: true });
  const connection = (address: string): RegisteredConnection => ({
    client: {
      viewer: { id: 1, username: "", guest: true, roles: [], hostOf: [] },
      token: null,
      signInId: null,
      protocol: "plain",
      address,
      sid: "",
      previousSid: null,
    },
    subscriptions: { sessionIds: [], shut: () => undefined },
    disconnect: () => undefined,
    probe: () => undefined,
    watch: () => undefined,
    roundTripMs: () => null,
  });
  const all = Array.from({ length: 10_000 }, () => connection("198.51.100.1"));
  for (const each of all) limits.add(each);
  expect(limits.hasRoomFor("198.51.100.1")).toBe(false);
  expect(limits.hasRoomFor("198.51.100.2")).toBe(true);
  for (const each of all.slice(0, 1)) limits.remove(each);
  expect(limits.hasRoomFor("198.51.100.1")).toBe(true);
});

test("commands of one player share a budget, over all sockets", () => {
  const now = spyOn(performance, "now").mockReturnValue(1_000_000);
  const limits = new SocketLimits({ on: true });
  const waits = Array.from({ length: 180 }, () => limits.takeCommand(7));
  expect(waits.slice(0, 120).every((waitMs) => waitMs === 0)).toBe(true);
  expect(Math.round(waits.at(-1) ?? 0)).toBe(1_000);
  expect(limits.takeCommand(8)).toBe(0);
  now.mockReturnValue(1_010_000);
  expect(limits.takeCommand(7)).toBe(0);
  now.mockRestore();
});

test("commands: 1,000 subscriptions at once are each answered: 100 are confirmed, the others rejected at once", async () => {
  const ana = await buildSignedIn(deps);
  const client = await connect(ana);
  const sessions = await Promise.all(Array.from({ length: 100 }, () => buildSession(deps)));
  const more = Array.from({ length: 900 }, (_, index) => ` ${" ".repeat(index)}${userChannel(ana.gid)}`);
  const identifiers = [...sessions.map(({ id }) => sessionChannel(id)), ...more];
  // As a stock client repeats those that wait for their answer.
  for (const identifier of [...identifiers, ...identifiers.slice(0, 100)])
    client.send({ command: "subscribe", identifier });
  await waitFor("the rejections", () => client.ofType("reject_subscription").length >= 900);
  await waitFor("the confirmations", () => client.ofType("confirm_subscription").length >= 100);
  const answered = (type: string) => client.ofType(type).map(({ identifier }) => identifier ?? "");
  expect(answered("confirm_subscription")).toEqual(identifiers.slice(0, 100));
  expect(answered("reject_subscription")).toEqual(identifiers.slice(100));
  // One that ends makes room.
  client.send({ command: "unsubscribe", identifier: identifiers[0] });
  await client.follow(identifiers[100] ?? "");
  client.close();
});

test("commands with an identifier that is too long are rejected", async () => {
  const client = await connect(await buildSignedIn(deps));
  const identifier = JSON.stringify({ channel: "UserChannel", id: "x".repeat(1_100) });
  client.send({ command: "subscribe", identifier });
  await client.waitForFrame("the rejection", (frame) => frame.type === "reject_subscription");
  expect(client.ofType("reject_subscription")).toEqual([{ identifier, type: "reject_subscription" }]);
  client.close();
});

test("commands whose data cannot be read are logged ten times, and the connection stays open", async () => {
  const ana = await buildSignedIn(deps);
  const client = await connect(ana);
  await client.follow(userChannel(ana.gid));
  lines.length = 0;
  for (let index = 0; index < 15; index += 1)
    client.send({
      command: "message",
      identifier: userChannel(ana.gid),
      data: '{"action":"since","epoch":5}',
    });
  client.perform(userChannel(ana.gid), "since", {});
  await client.waitForFrame("the answer", ({ message }) => message?.["gap"] === true);
  expect(lines.length).toBe(10);
  expect(lines.every((line) => line.includes("data that cannot be read"))).toBe(true);
  client.close();
});

test("an earlier connection is resumed once", async () => {
  const ana = await buildSignedIn(deps);
  const sessions = await Promise.all(Array.from({ length: 5 }, () => buildSession(deps)));
  const first = await connect(ana, { protocols: EXTENDED });
  for (const { id } of sessions) await first.follow(sessionChannel(id));
  const sid = sidOf(first);
  first.close();
  await waitFor("it to be stored", async () => (await redis.exists(`cable:connection:${sid}`)) === 1);
  const second = await connect(ana, { protocols: EXTENDED, sid });
  expect(isRestored(second)).toBe(true);
  const third = await connect(ana, { protocols: EXTENDED, sid });
  expect(isRestored(third)).toBe(false);
  for (const client of [second, third]) client.close();
});

// The history of a stream, which any player may ask for again and again.

const KB = 1_024;

const say = (sessionId: number, ...texts: string[]) =>
  broadcast(
    redis,
    texts.map((text) => ({ stream: sessionStream(sessionId), text: JSON.stringify({ text }) })),
  );
const historyAnswers = (client: Client) =>
  client.frames.flatMap(({ type }) =>
    type === "confirm_history" || type === "reject_history" ? [type] : [],
  );
/**
 * Notes each read of messages in a stream. A broadcast looks at the oldest message of its stream too, and that is none. By a socket of
 * its own: ioredis fails where a command is monitored in the moment in which it begins.
 */
async function watchReads(): Promise<{ reads: string[]; stop: () => void }> {
  const reads: string[] = [];
  const begun = Promise.withResolvers<void>();
  const decoder = new TextDecoder();
  let rest = "";
  const socket = await Bun.connect({
    unix: new URL(redisUrl).pathname,
    socket: {
      data: (_, bytes) => {
        const lines = (rest + decoder.decode(bytes, { stream: true })).split("\r\n");
        rest = lines.pop() ?? "";
        if (lines.includes("+OK")) begun.resolve();
        for (const line of lines) {
          const [, command, key, from] = /"(x(?:rev)?range)" "([^"]*)" "([^"]*)"/i.exec(line) ?? [];
          if (command !== undefined && from !== "-") reads.push(`${command} ${key} ${from}`);
        }
      },
    },
  });
  socket.write("MONITOR\r\n");
  await begun.promise;
  return { reads, stop: () => socket.end() };
}

/** What was said in the session. Counts of players come too, when they are due. */
const textsOf = (client: Client, sessionId: number) =>
  client.messages(sessionChannel(sessionId)).flatMap(({ text }) => text ?? []);

const askFor = async (who: SignedIn, sessionId: number) => {
  const client = await connect(who, { protocols: EXTENDED });
  await client.follow(sessionChannel(sessionId));
  return {
    client,
    ask: (history: object) =>
      client.send({ command: "history", identifier: sessionChannel(sessionId), history }),
  };
};

test("a history of more than 512 KB is rejected, by offset and by time", async () => {
  const ana = await buildSignedIn(deps);
  const { id } = await buildSession(deps);
  const { client, ask } = await askFor(ana, id);
  await say(id, ...Array.from({ length: 30 }, () => "x".repeat(20 * KB)));
  await waitFor("the messages", () => textsOf(client, id).length === 30);
  const [first] = client.messagesWithOffsets(sessionChannel(id));
  ask({ streams: { [sessionStream(id)]: { epoch: first?.["epoch"], offset: 0 } } });
  ask({ since: 1 });
  await untilPasses(() => expect(historyAnswers(client)).toEqual(["reject_history", "reject_history"]));
  expect(textsOf(client, id)).toHaveLength(30);
  client.close();
});

test("a history is not overtaken by live messages, and none comes twice", async () => {
  const ana = await buildSignedIn(deps);
  const { id } = await buildSession(deps);
  const { client } = await askFor(ana, id);
  const sid = sidOf(client);
  await say(id, "0");
  await waitFor("the message", () => textsOf(client, id).length === 1);
  const said = client.messagesWithOffsets(sessionChannel(id)).find(({ text }) => text === "0");
  const { offset, epoch } = said ?? {};
  client.close();
  await waitFor("it to be stored", async () => (await redis.exists(`cable:connection:${sid}`)) === 1);
  await say(id, "1", "2", "3");
  const back = await connect(ana, { protocols: EXTENDED, sid });
  expect(isRestored(back)).toBe(true);
  await say(id, "4", "5");
  const history = { streams: { [sessionStream(id)]: { epoch, offset } } };
  back.send({ command: "history", identifier: sessionChannel(id), history });
  await say(id, "6");
  const texts = () => textsOf(back, id);
  await waitFor("all", () => texts().includes("6"));
  await say(id, "7");
  await waitFor("the next", () => texts().includes("7"));
  expect(texts()).toEqual(["1", "2", "3", "4", "5", "6", "7"]);
  expect(historyAnswers(back)).toEqual(["confirm_history"]);
  back.close();
});

test("a history without an offset is a gap, for which no message is read", async () => {
  const ana = await buildSignedIn(deps);
  const { id } = await buildSession(deps);
  await say(id, "1", "2");
  const client = await connect(ana);
  await client.follow(sessionChannel(id));
  const { reads, stop } = await watchReads();
  client.perform(sessionChannel(id), "since", {});
  client.perform(sessionChannel(id), "since", { epoch: "another", offset: 1 });
  const gaps = () => client.frames.filter(({ message }) => message?.["gap"] === true).length;
  await waitFor("the gaps", () => gaps() === 2);
  expect(reads).toEqual([]);
  const [offset] = await findStreamOffsets(redis, [sessionStream(id)]);
  client.perform(sessionChannel(id), "since", { ...offset, offset: 1 });
  await waitFor("a read that is seen", () => reads.length > 0);
  stop();
  client.close();
});

// The last one: connections that were stopped may still be replaced after it.
test("a history that cannot be read because Redis is stopped is rejected, and live messages follow", async () => {
  const ana = await buildSignedIn(deps);
  const { id } = await buildSession(deps);
  const { client, ask } = await askFor(ana, id);
  await say(id, "1");
  await waitFor("the message", () => textsOf(client, id).length === 1);
  process.kill(redisPid, "SIGSTOP");
  ask({ since: Math.floor(Date.now() / 1_000) - 60 });
  await waitFor("the answer", () => historyAnswers(client).length === 1);
  process.kill(redisPid, "SIGCONT");
  expect(historyAnswers(client)).toEqual(["reject_history"]);
  await waitFor("Redis", () =>
    say(id, "2").then(
      () => true,
      () => false,
    ),
  );
  await waitFor("the next message", () => textsOf(client, id).length >= 2);
  client.close();
});
