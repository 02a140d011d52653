import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { sessionHosts } from "#db/schema/session-hosts.ts";
import {
  broadcast,
  broadcastControl,
  hostsStream,
  sessionStream,
  userStream,
} from "#src/base/streams/broadcast.ts";
import { signOut } from "#src/people/sign-ins/end-sign-ins.ts";
import { countWrongOwnPassword, countWrongPassword } from "#src/people/sign-ins/lock-account.ts";
import { changeRoles } from "#src/people/users/manage-user.ts";
import { removeSessionHost } from "#src/show/session-hosts/manage-session-hosts.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { buildSignedIn, type CableServer, openCableServer, type SignedIn } from "./cable-server.ts";
import { Client, sessionChannel, userChannel } from "./client.ts";

const { deps, db, build } = await testWorld();
const ana = await buildSignedIn(deps);
const onHerPhone = await buildSignedIn(deps, ana.user);
const ben = await buildSignedIn(deps);

const open = (intervals = {}) => openCableServer(deps, intervals);
/** A connected client whose process is subscribed in Redis, so that it receives disconnects. */
async function connect(server: CableServer, who: SignedIn): Promise<Client> {
  const client = await server.connect(who);
  await client.follow(userChannel(who.gid));
  return client;
}
const lastFrame = (client: Client) => client.frames.at(-1);

test("when rights change: a sign-out closes only the sockets of that sign-in, and they cannot reconnect", async () => {
  const server = open();
  const here = await connect(server, ana);
  const elsewhere = await connect(server, onHerPhone);
  await signOut(deps, ana.signInId);
  expect(await here.waitForClose()).toBe(1_000);
  expect(elsewhere.closed).toBeNull();
  const again = new Client(server.url, { origin: server.origin, cookie: ana.cookie });
  await again.waitForClose();
  expect(again.frames).toEqual([{ type: "disconnect", reason: "unauthorized", reconnect: false }]);
});

test.each<[string, (who: SignedIn) => Promise<unknown>]>([
  [
    "a sign-out",
    ({ signInId }) => deps.pool.sql`UPDATE sign_ins SET ended_at = now() WHERE id = ${signInId}`,
  ],
  [
    "a sign-in that has expired",
    ({ signInId }) => deps.pool.sql`UPDATE sign_ins SET expires_at = now() WHERE id = ${signInId}`,
  ],
  [
    "an account that was deactivated",
    ({ user }) => deps.pool.sql`UPDATE users SET deactivated_at = now() WHERE id = ${user.id}`,
  ],
  [
    "an address that was not confirmed within its 24 hours",
    ({ user }) =>
      deps.pool.sql`UPDATE users SET confirmed_at = NULL, confirm_by = now() WHERE id = ${user.id}`,
  ],
])("the periodic check finds %s, and its socket cannot reconnect", async (_name, change) => {
  const server = open({ checkMs: 50 });
  const who = await buildSignedIn(deps);
  const [client, his] = [await connect(server, who), await connect(server, ben)];
  await change(who);
  expect(await client.waitForClose()).toBe(1_000);
  expect(lastFrame(client)).toEqual({ type: "disconnect", reason: "remote", reconnect: true });
  const again = new Client(server.url, { origin: server.origin, cookie: who.cookie });
  await again.waitForClose();
  expect(again.frames).toEqual([{ type: "disconnect", reason: "unauthorized", reconnect: false }]);
  expect(his.closed).toBeNull();
});

test("the sockets of a user are closed: after the loss of a role, at once and in every process", async () => {
  const [one, two] = [open(), open()];
  const [boss, staff] = [await build.admin(), await buildSignedIn(deps, await build.admin())];
  const onHerPhone = await buildSignedIn(deps, staff.user);
  const hers = [await connect(one, staff), await connect(two, staff), await connect(two, onHerPhone)];
  const his = await connect(one, ben);
  await changeRoles(deps, { userId: staff.user.id, actor: boss, reason: null, roles: [] });
  for (const client of hers) {
    expect(await client.waitForClose()).toBe(1_000);
    expect(lastFrame(client)).toEqual({ type: "disconnect", reason: "remote", reconnect: true });
  }
  await waitFor("her stream to be left", async () => {
    return (await deps.redis.pubsub("NUMSUB", userStream(staff.user.id)))[1] === 0;
  });
  expect(his.closed).toBeNull();
  expect(his.ofType("disconnect")).toEqual([]);
});

test("the sockets of a user are not closed by the wrong password that locks the account", async () => {
  const server = open();
  const who = await buildSignedIn(deps);
  const client = await connect(server, who);
  for (let wrong = 1; wrong <= 20; wrong += 1) await countWrongPassword(deps, who.user.id);
  await client.settled();
  expect(client.closed).toBeNull();
});

test("the sockets of a user are closed: of one sign-in, after too many wrong passwords behind it", async () => {
  const server = open();
  const who = await buildSignedIn(deps);
  const elsewhere = await connect(server, await buildSignedIn(deps, who.user));
  const client = await connect(server, who);
  const { signInId, user } = who;
  for (let wrong = 1; wrong <= 20; wrong += 1)
    await countWrongOwnPassword(deps, { userId: user.id, signInId });
  expect(await client.waitForClose()).toBe(1_000);
  expect(elsewhere.closed).toBeNull();
});

test("the sockets of a user are not closed by an invalid control message", async () => {
  const server = open();
  const client = await connect(server, onHerPhone);
  await deps.redis.publish("cable:disconnect", "nonsense");
  await deps.redis.publish("cable:disconnect", '{"userId":"1"}');
  await client.settled();
  expect(client.closed).toBeNull();
});

test("when the server stops: all clients get a disconnect with reconnect, and new connections are refused", async () => {
  const server = open();
  const clients = await Promise.all(Array.from({ length: 20 }, () => connect(server, onHerPhone)));
  const stopped = server.hub.stop();
  const late = await fetch(`${server.origin}/cable`, {
    headers: {
      cookie: onHerPhone.cookie,
      origin: server.origin,
      upgrade: "websocket",
      connection: "Upgrade",
    },
  }).catch(() => null);
  expect(late?.status).toBe(503);
  await stopped;
  for (const client of clients) {
    expect(await client.waitForClose()).toBe(1_000);
    expect(lastFrame(client)).toEqual({ type: "disconnect", reason: "server_restart", reconnect: true });
  }
});

/** A host of one of two sessions, and a client that follows both. */
async function buildHost() {
  const host = await buildSignedIn(deps);
  const [own, other] = [await build.runningSession(), await build.runningSession()];
  const admin = await build.admin();
  await db.insert(sessionHosts).values({ sessionId: own.id, userId: host.user.id, madeById: admin.id });
  const follow = async (server: CableServer) => {
    const client = await server.connect(host);
    for (const { id } of [own, other]) await client.follow(sessionChannel(id));
    return client;
  };
  /** What the hosts of both sessions tell each other. */
  const tell = async (what: string) => {
    for (const { id } of [own, other])
      await broadcastControl(deps.redis, { stream: hostsStream(id), message: { what } });
  };
  return { host, own, other, admin, follow, tell };
}

/** Counts of players come too, when they are due. */
const heard = (client: Client, { id }: { id: number }) =>
  client.messages(sessionChannel(id)).flatMap(({ what }) => (what === undefined ? [] : [what]));

test("a host hears what the hosts of the own session tell each other, and of no other one", async () => {
  const { own, other, follow, tell } = await buildHost();
  const client = await follow(open());
  await tell("armed");
  await waitFor("the message to hosts", () => heard(client, own).includes("armed"));
  expect(heard(client, other)).not.toContain("armed");
});

test("who is removed as a host is disconnected at once, and comes back as a player", async () => {
  const { host, own, other, admin, follow, tell } = await buildHost();
  const server = open();
  const client = await follow(server);
  await removeSessionHost(deps, { sessionId: own.id, userId: host.user.id, actor: admin });
  expect(await client.waitForClose()).toBe(1_000);
  expect(client.frames.at(-1)).toEqual({ type: "disconnect", reason: "remote", reconnect: true });
  const again = await follow(server);
  await tell("armed");
  await broadcast(deps.redis, [{ stream: sessionStream(own.id), text: JSON.stringify({ what: "for all" }) }]);
  await waitFor("the message to all", () => heard(again, own).includes("for all"));
  expect([heard(again, own), heard(again, other)]).toEqual([["for all"], []]);
});

test("the same where Redis could not announce it", async () => {
  const { host, follow } = await buildHost();
  const client = await follow(open({ checkMs: 50 }));
  await db.delete(sessionHosts).where(eq(sessionHosts.userId, host.user.id));
  expect(await client.waitForClose()).toBe(1_000);
});
