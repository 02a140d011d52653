import { beforeEach, expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import { sessionHosts } from "#db/schema/session-hosts.ts";
import { broadcast, broadcastControl, hostsStream, sessionStream } from "#src/base/streams/broadcast.ts";
import { removeSessionHost } from "#src/show/session-hosts/manage-session-hosts.ts";
import type { SessionRow } from "#src/show/sessions/with-session.ts";
import { afterTest } from "#tests/support/after-file.ts";
import { buildAdmin, buildRunningSession } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { buildSignedIn, type CableServer, type SignedIn, startCableServer } from "./cable-server.ts";
import { Client, sessionChannel } from "./client.ts";

const deps = await testDeps();
const { db } = deps.pool;
const admin = await buildAdmin(deps);
let server: CableServer;
let host: SignedIn;
let own: SessionRow;
let other: SessionRow;

beforeEach(async () => {
  host = await buildSignedIn(deps);
  own = await buildRunningSession(deps);
  other = await buildRunningSession(deps);
  await db.insert(sessionHosts).values({ sessionId: own.id, userId: host.user.id, madeById: admin.id });
});
afterTest(() => server.stop());

async function connect(): Promise<Client> {
  const client = await new Client(server.url, { origin: server.origin, cookie: host.cookie }).welcomed();
  for (const { id } of [own, other]) await client.follow(sessionChannel(id));
  return client;
}

/** What the hosts of both sessions tell each other. */
async function tell(what: string): Promise<void> {
  for (const { id } of [own, other])
    await broadcastControl(deps.redis, { stream: hostsStream(id), message: { what } });
}
/** Counts of players come too, when they are due. */
const heard = (client: Client, { id }: { id: number }) =>
  client.messages(sessionChannel(id)).flatMap(({ what }) => (what === undefined ? [] : [what]));

test("a host hears what the hosts of the own session tell each other, and of no other one", async () => {
  server = startCableServer(deps);
  const client = await connect();
  await tell("armed");
  await waitFor("the message to hosts", () => heard(client, own).includes("armed"));
  expect(heard(client, other)).not.toContain("armed");
});

test("who is removed as a host is disconnected at once, and comes back as a player", async () => {
  server = startCableServer(deps);
  const client = await connect();
  await removeSessionHost(deps, { sessionId: own.id, userId: host.user.id, actor: admin });
  expect(await client.waitForClose()).toBe(1_000);
  expect(client.frames.at(-1)).toEqual({ type: "disconnect", reason: "remote", reconnect: true });
  const again = await connect();
  await tell("armed");
  await broadcast(deps.redis, [{ stream: sessionStream(own.id), text: JSON.stringify({ what: "for all" }) }]);
  await waitFor("the message to all", () => heard(again, own).includes("for all"));
  expect([heard(again, own), heard(again, other)]).toEqual([["for all"], []]);
});

test("the same where Redis could not announce it", async () => {
  server = startCableServer(deps, { checkMs: 50 });
  const client = await connect();
  await db.delete(sessionHosts).where(eq(sessionHosts.userId, host.user.id));
  expect(await client.waitForClose()).toBe(1_000);
});
