import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { sessions } from "#db/schema/sessions.ts";
import { startWorker } from "#jobs/workers.ts";
import { writeFact } from "#src/base/outbox/write-fact.ts";
import { connectRedis } from "#src/base/redis.ts";
import { createRelay } from "#src/live/relay/relay-outbox.ts";
import { sessionMessage } from "#src/live/relay/schemas.ts";
import { alarmOf } from "#tests/jobs/due-events.ts";
import { buildSignedIn, startCableServer } from "#tests/live/cable/cable-server.ts";
import { sessionChannel } from "#tests/live/cable/client.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { createTestRedis, readyConnection } from "#tests/support/redis.ts";
import { createSilentProxy } from "#tests/support/silent-proxy.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";

const PING_MS = 50;

const { deps, db, build } = await testWorld();
const proxy = await createSilentProxy(deps.env.redisUrl.slice("unix:".length));
const redisUrl = `unix:${proxy.socket}`;
// The relay has a connection of its own: what is tested is the process that listens.
const relay = createRelay(deps);
const web = { ...deps, env: { ...deps.env, redisUrl }, redis: await readyConnection(redisUrl) };
const server = startCableServer(web, { pingMs: PING_MS });
const ana = await buildSignedIn(deps);
const session = await build.session();
const client = await server.connect(ana);
await client.follow(sessionChannel(session.id));
afterFile(async () => {
  await relay.stop();
  await server.stop();
  web.redis.disconnect();
});

/** Changes the session and broadcasts it. @returns its version, which no other change has. */
async function change(): Promise<number> {
  const { version } = session;
  session.version = version + 1;
  await db.update(sessions).set({ version: session.version }).where(eq(sessions.id, session.id));
  await writeFact(db, { kind: "session_changed", sessionId: session.id, change: "update" });
  relay.notify();
  return session.version;
}
const heard = () =>
  client
    .messages(sessionChannel(session.id))
    .map((message) => v.parse(sessionMessage, message))
    .flatMap(({ sourceType, detail }) => (sourceType === "Session" ? [detail.version] : []));
const pings = () => client.frames.filter(({ type }) => type === "ping").length;
const pingsAgain = async () => {
  const before = pings();
  await waitFor("a ping", () => pings() > before);
};
const noPings = () =>
  waitFor("the end of the pings", async () => {
    const before = pings();
    await Bun.sleep(PING_MS * 10);
    return pings() === before;
  });

test("a subscriber whose connection dies without an error hears all messages, each once", async () => {
  await pingsAgain();
  const first = await change();
  await waitFor("the first change", () => heard().includes(first));
  proxy.dropPresent();
  await change();
  await change();
  await waitFor("what was missed", () => heard().includes(session.version));
  expect(heard()).toHaveLength(3);
  await pingsAgain();
});

test("sockets get no pings while the process is deaf, and all messages afterwards", async () => {
  const before = heard();
  proxy.freeze();
  await change();
  await change();
  await noPings();
  expect(heard()).toEqual(before);
  proxy.thaw();
  await waitFor("what was missed", () => heard().includes(session.version));
  expect(heard()).toHaveLength(before.length + 2);
  await pingsAgain();
});

test("a process whose connections are fine, and lead to another Redis, is deaf: its sockets get no pings", async () => {
  const other = await createTestRedis();
  const astray = { ...deps, env: { ...deps.env, redisUrl: other.url } };
  const lost = startCableServer(astray, { pingMs: PING_MS });
  const listener = await lost.connect(ana);
  const count = () => listener.frames.filter(({ type }) => type === "ping").length;
  // Its connections are open, and it has not been silent for long enough.
  await waitFor("a ping", () => count() > 0);
  await waitFor("the process to notice it", () => lost.hub.isDeaf);
  const had = count();
  await Bun.sleep(PING_MS * 10);
  expect([lost.hub.isDeaf, count()]).toEqual([true, had]);
  listener.close();
  await lost.stop();
  await other.stop();
});

test("commands work again after their connection has died without an error", async () => {
  const redis = await readyConnection(redisUrl);
  await redis.set("mark", "1");
  proxy.dropPresent();
  await waitFor("an answer", () => redis.get("mark").catch(() => null));
  redis.disconnect();
});

test("a worker whose connections have all died without an error does its next job on new ones", async () => {
  const connection = connectRedis(redisUrl, "worker");
  const worker = startWorker("setAlarm", deps, connection);
  worker.on("error", () => undefined);
  // It then waits for the time of a job that is due later.
  const event = await build.event("open");
  await deps.queues.setAlarm(alarmOf(event), 3_600_000);
  await worker.waitUntilReady();
  const commands = async () => String(await deps.redis.client("LIST"));
  await waitFor("the worker to wait", async () => (await commands()).includes("cmd=bzpopmin"));
  proxy.dropPresent();
  let isDone = false;
  worker.once("completed", () => (isDone = true));
  await deps.queues.setAlarm({ ...alarmOf(event), version: event.scheduleVersion + 1 }, 0);
  await waitFor("the job", () => isDone);
  await worker.close(true);
  connection.disconnect();
});
