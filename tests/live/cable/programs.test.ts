import { expect, test } from "bun:test";
import { sql } from "drizzle-orm";
import { accessTokens } from "#db/schema/access-tokens.ts";
import { messages } from "#db/schema/messages.ts";
import { guides } from "#src/api/programs.ts";
import {
  broadcast,
  broadcastControl,
  chatStream,
  hostsStream,
  sessionStream,
} from "#src/base/streams/broadcast.ts";
import { revokeAccessToken } from "#src/people/access-tokens/make-access-token.ts";
import { changeRoles } from "#src/people/users/manage-user.ts";
import { buildToken } from "#tests/people/access-tokens/build-token.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildSignedIn, openCableServer } from "./cable-server.ts";
import { Client, sessionChannel, userChannel } from "./client.ts";
import { handshake, RawSocket } from "./raw-socket.ts";

const { deps, db, build, set } = await testWorld();
const admin = await buildSignedIn(deps, await build.admin());

const open = (intervals = {}) => openCableServer(deps, intervals);
const tokenOf = (scope: "read" | "run") => buildToken(deps, { userId: admin.user.id, scope });
const say = (stream: string, name: string) =>
  broadcast(deps.redis, [{ stream, text: JSON.stringify({ sourceType: name, detail: {} }) }]);
const sourcesOf = (client: Client, channel: string) =>
  client.messages(channel).map(({ sourceType }) => (typeof sourceType === "string" ? sourceType : ""));

test("a program hears a private session and its chat without an Origin, what hosts have armed with the scope run only, and no player's own channel", async () => {
  const server = open();
  const { id } = await build.session({ settings: { private: true } });
  const channel = sessionChannel(id);
  const programs = await Promise.all(
    (["read", "run"] as const).map(async (scope) => {
      const { secret } = await tokenOf(scope);
      const client = await new Client(server.url, { token: secret }).welcomed();
      await client.follow(channel);
      client.send({ command: "subscribe", identifier: userChannel(admin.gid) });
      await client.waitForFrame("the rejection", ({ type }) => type === "reject_subscription");
      return client;
    }),
  );
  const list = { sourceType: "Host", eventType: "list", detail: {} };
  await broadcastControl(deps.redis, { stream: hostsStream(id), message: list });
  await say(chatStream(id), "Message");
  await say(sessionStream(id), "Event");
  for (const client of programs)
    await waitFor("the last message", () => sourcesOf(client, channel).includes("Event"));
  const [reads, runs] = programs.map((client) =>
    sourcesOf(client, channel).toSorted((one, other) => one.localeCompare(other)),
  );
  expect([reads, runs]).toEqual([
    ["Event", "Message"],
    ["Event", "Host", "Message"],
  ]);
});

test("a program catches up by its offset, and changes nothing: no chat message, and nobody counts as online for it", async () => {
  const server = open();
  const { id } = await build.runningSession();
  const channel = sessionChannel(id);
  const { secret } = await tokenOf("run");
  await say(sessionStream(id), "First");
  await say(sessionStream(id), "Second");
  const client = await new Client(server.url, {
    token: secret,
    protocols: ["actioncable-v1-ext-json"],
  }).welcomed();
  await client.follow(channel);
  client.perform(channel, "since", {});
  const { message: gap } = await client.waitForFrame("the gap", ({ message }) => message?.["gap"] === true);
  const offset = Number(gap?.["offset"]) - 1;
  client.perform(channel, "since", { epoch: gap?.["epoch"], offset });
  await client.waitForFrame("the end", ({ message }) => message?.["caughtUp"] !== undefined);
  expect(sourcesOf(client, channel)).toContain("Second");
  expect(sourcesOf(client, channel)).not.toContain("First");
  client.perform(channel, "speak", { body: "Hello", clientId: "one" });
  const { message: refused } = await client.waitForFrame(
    "the refusal",
    ({ message }) => message?.["eventType"] === "refuse",
  );
  expect(refused).toMatchObject({ detail: { clientId: "one", status: 403, code: "outside_scope" } });
  client.send({ command: "join", identifier: channel });
  client.send({ command: "presence", identifier: channel });
  const present = await client.waitForFrame("who is present", ({ type }) => type === "presence");
  expect(present.message).toMatchObject({ total: 0 });
  expect(await db.$count(messages)).toBe(0);
});

test.each([
  ["is unknown", () => ({ secret: `ci_${"a".repeat(43)}` })],
  ["is no token", () => ({ secret: "ci_none" })],
  ["is revoked", () => buildToken(deps, { userId: admin.user.id, revoked: true })],
  ["has expired", () => buildToken(deps, { userId: admin.user.id, expired: true })],
  ["is of who is no admin", async () => buildToken(deps, { userId: (await build.player()).id })],
])("a handshake is refused with 401 if its token %s, also beside a cookie", async (_name, make) => {
  const server = open();
  const { secret } = await make();
  const headers = { Authorization: `Bearer ${secret}`, Cookie: admin.cookie, Origin: server.origin };
  const socket = new RawSocket(server.port, handshake(server.origin, headers));
  expect(await socket.answered()).toStartWith("HTTP/1.1 401");
  expect(server.hub.load.sockets).toBe(0);
  socket.destroy();
});

test("the sockets of a token are closed when it is revoked, and those of another token stay", async () => {
  const server = open();
  const [gone, stays] = [await tokenOf("read"), await tokenOf("read")];
  const [one, other] = [
    await new Client(server.url, { token: gone.secret }).welcomed(),
    await new Client(server.url, { token: stays.secret }).welcomed(),
  ];
  const { id } = await build.session();
  for (const client of [one, other]) await client.follow(sessionChannel(id));
  await revokeAccessToken(deps, { viewer: admin.user, id: gone.id });
  expect(await one.waitForClose()).toBe(1_000);
  expect(one.frames.at(-1)).toEqual({ type: "disconnect", reason: "remote", reconnect: true });
  expect(other.closed).toBeNull();
});

test("the periodic check finds a token that has expired, and the loss of the role closes its sockets", async () => {
  const server = open({ checkMs: 50 });
  const boss = await build.admin();
  const owner = await build.admin();
  const [expires, stays] = [
    await buildToken(deps, { userId: owner.id, scope: "read" }),
    await buildToken(deps, { userId: owner.id, scope: "run" }),
  ];
  const { id } = await build.session();
  const clients = await Promise.all(
    [expires, stays].map(async ({ secret }) => {
      const client = await new Client(server.url, { token: secret }).welcomed();
      await client.follow(sessionChannel(id));
      return client;
    }),
  );
  await set(accessTokens, expires.id, { expiresAt: sql`clock_timestamp()` });
  expect(await clients[0]?.waitForClose()).toBe(1_000);
  expect(clients[1]?.closed).toBeNull();
  await changeRoles(deps, { userId: owner.id, actor: boss, reason: null, roles: [] });
  expect(await clients[1]?.waitForClose()).toBe(1_000);
});

test("the reference's example prints what happens to the events of a session", async () => {
  const server = open();
  const session = await build.session();
  const { secret } = await tokenOf("read");
  const child = Bun.spawn([process.execPath, "run", "-"], {
    stdin: new Blob([guides.find(({ id }) => id === "following-a-session")?.example ?? ""]),
    env: { CALLED_IT: server.origin, CALLED_IT_TOKEN: secret, SESSION: session.slug },
    stdout: "pipe",
  });
  await waitFor("the example to follow the session", async () => {
    const [, count] = await deps.redis.pubsub("NUMSUB", sessionStream(session.id));
    return count === 1;
  });
  const text = JSON.stringify({
    sourceType: "Event",
    eventType: "open_event",
    detail: { event: { title: "Will it rain?" } },
  });
  await broadcast(deps.redis, [{ stream: sessionStream(session.id), text }]);
  const { value } = await child.stdout.getReader().read();
  expect(new TextDecoder().decode(value)).toBe("open_event Will it rain?\n");
  child.kill();
  await child.exited;
});
