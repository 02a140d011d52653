import { expect, test } from "bun:test";
import { pino } from "pino";
import { connect } from "#db/client.ts";
import { broadcast, sessionStream, userStream } from "#src/base/streams/broadcast.ts";
import { findStreamOffsets } from "#src/base/streams/stream-offsets.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { createTestRedis } from "#tests/support/redis.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildSignedIn, type CableServer, type SignedIn, startCableServer } from "./cable-server.ts";
import { Client, sessionChannel, userChannel } from "./client.ts";
import { handshake, RawSocket } from "./raw-socket.ts";

// After a break all players of a show connect, subscribe and catch up at the same moment. What they ask for is read together, and
// each of them must get the own answer.

const { deps, build } = await testWorld();
const server = startCableServer(deps);
afterFile(() => server.stop());

const PLAYERS = 30;
const buildPlayers = (count = PLAYERS) =>
  Promise.all(Array.from({ length: count }, () => buildSignedIn(deps)));
const open = ({ cookie }: Pick<SignedIn, "cookie">, where: CableServer = server) =>
  new Client(where.url, { origin: where.origin, cookie });
const say = (stream: string, detail: unknown) =>
  broadcast(deps.redis, [{ stream, text: JSON.stringify({ sourceType: "Test", detail }) }]);

test("players who connect together are each found, and get the own messages only", async () => {
  const players = await buildPlayers();
  const clients = players.map((player) => open(player));
  await Promise.all(clients.map((client) => client.welcomed()));
  await Promise.all(players.map(async ({ gid }, index) => clients[index]?.follow(userChannel(gid))));
  await Promise.all(players.map(({ user }) => say(userStream(user.id), user.id)));
  for (const [index, { gid, user }] of players.entries()) {
    const client = clients[index];
    await waitFor("the message", () => client?.messages(userChannel(gid)).length === 1);
    expect(client?.frames.flatMap(({ message }) => message?.["detail"] ?? [])).toEqual([user.id]);
    client?.close();
  }
});

test("pages that ask together what they have missed get it from their own places", async () => {
  const { id } = await build.session();
  const stream = sessionStream(id);
  const channel = sessionChannel(id);
  for (let number = 1; number <= 5; number += 1) await say(stream, number);
  const [latest] = await findStreamOffsets(deps.redis, [stream]);
  const clients = await Promise.all((await buildPlayers(12)).map((player) => open(player).welcomed()));
  await Promise.all(clients.map((client) => client.follow(channel)));
  // Two at each place; the last two have missed nothing.
  for (const [index, client] of clients.entries())
    client.perform(channel, "since", { epoch: latest?.epoch, offset: Math.floor(index / 2) });
  for (const [index, client] of clients.entries()) {
    await waitFor("the end", () => client.messages(channel).some((message) => "caughtUp" in message));
    const missed = client
      .messagesWithOffsets(channel)
      .flatMap(({ offset, detail }) =>
        detail === undefined || typeof detail === "object" ? [] : [{ offset, detail }],
      );
    const from = Math.floor(index / 2);
    expect(missed).toEqual(
      Array.from({ length: 5 - from }, (_, more) => ({ offset: from + more + 1, detail: from + more + 1 })),
    );
    client.close();
  }
});

test("while Redis does not answer, all pages that ask together are answered with a gap", async () => {
  const own = await createTestRedis();
  const where = startCableServer({ ...deps, redis: own.redis, env: { ...deps.env, redisUrl: own.url } });
  const players = await buildPlayers(10);
  const clients = await Promise.all(players.map((player) => open(player, where).welcomed()));
  await Promise.all(players.map(async ({ gid }, index) => clients[index]?.follow(userChannel(gid))));
  process.kill(own.pid, "SIGSTOP");
  for (const [index, { gid }] of players.entries())
    clients[index]?.perform(userChannel(gid), "since", { epoch: "none", offset: 1 });
  for (const client of clients) {
    const { message } = await client.waitForFrame(
      "the gap",
      ({ identifier, message: said }) => identifier !== undefined && said !== undefined,
    );
    expect(message).toEqual({ gap: true, epoch: "", offset: 0 });
    expect(client.closed).toBeNull();
  }
  process.kill(own.pid, "SIGCONT");
  await where.stop();
  await own.stop();
});

test("while the database is away, a handshake is refused with 503, and its answer has the headers of all answers", async () => {
  const pool = connect("postgres://nobody@127.0.0.1:1/nothing");
  const where = startCableServer({ ...deps, pool });
  const players = await buildPlayers(3);
  const sockets = players.map(
    ({ cookie }) => new RawSocket(where.port, handshake(where.origin, { Cookie: cookie })),
  );
  for (const socket of sockets) {
    const head = await socket.answered();
    expect(head).toStartWith("HTTP/1.1 503");
    expect(head.toLowerCase()).toContain("x-request-id: ");
    expect(head.toLowerCase()).toContain("x-content-type-options: nosniff");
    expect(head.toLowerCase()).toContain("retry-after: ");
    socket.destroy();
  }
  expect(where.hub.load.sockets).toBe(0);
  await where.stop();
  await pool.close();
});

test("the log has one line for each handshake, with its status and who it was", async () => {
  const lines: string[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(line) });
  const where = startCableServer({ ...deps, log });
  const [ana] = await buildPlayers(1);
  if (ana === undefined) throw new Error("no player");
  const client = await open(ana, where).welcomed();
  const foreign = new RawSocket(
    where.port,
    handshake(where.origin, { Cookie: ana.cookie, Origin: "https://evil.example" }),
  );
  await foreign.answered();
  const broken = new RawSocket(where.port, handshake(where.origin, { "Sec-WebSocket-Key": null }));
  await broken.answered();
  const old = new RawSocket(where.port, handshake(where.origin, { "Sec-WebSocket-Version": "8" }));
  await old.answered();
  await waitFor("the lines", () => lines.length === 4);
  const logged = lines.map((line) => {
    const { method, path, status, userId }: Record<string, unknown> = JSON.parse(line);
    return [method, path, status, userId];
  });
  expect(logged).toEqual([
    ["GET", "/cable", 101, ana.user.id],
    ["GET", "/cable", 404, ana.user.id],
    ["GET", "/cable", 400, null],
    ["GET", "/cable", 426, null],
  ]);
  client.close();
  await where.stop();
});
