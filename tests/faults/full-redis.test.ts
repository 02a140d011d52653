import { expect, test } from "bun:test";
import { eq } from "drizzle-orm";
import * as v from "valibot";
import { sessions } from "#db/schema/sessions.ts";
import { writeFact } from "#src/base/outbox/write-fact.ts";
import { createRelay } from "#src/live/relay/relay-outbox.ts";
import { sessionMessage } from "#src/live/relay/schemas.ts";
import { createServer } from "#src/server.ts";
import { buildSignedIn, startCableServer } from "#tests/live/cable/cable-server.ts";
import { Client, sessionChannel } from "#tests/live/cable/client.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { buildSession } from "#tests/support/build.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";
import { startWebProcess } from "./worker-process.ts";

// Redis answers, and takes no writes: nothing can be broadcast, and a page that gets pings would say that it is in sync.
const TEST_WITHIN_MS = 180_000;
const PING_MS = 50;

const deps = await testDeps();
const relay = createRelay(deps);
const web = { ...deps, isRelayStuck: relay.isStuck };
const cable = startCableServer(web, { pingMs: PING_MS });
const server = createServer(web);
const ana = await buildSignedIn(deps);
const session = await buildSession(deps);
const client = await new Client(cable.url, { origin: cable.origin, cookie: ana.cookie }).welcomed();
await client.follow(sessionChannel(session.id));
afterFile(async () => {
  await relay.stop();
  await cable.stop();
});

async function change(): Promise<number> {
  session.version += 1;
  await deps.pool.db.update(sessions).set({ version: session.version }).where(eq(sessions.id, session.id));
  await writeFact(deps.pool.db, { kind: "session_changed", sessionId: session.id, change: "update" });
  relay.notify();
  return session.version;
}
const hasHeard = (version: number) =>
  client
    .messages(sessionChannel(session.id))
    .map((message) => v.parse(sessionMessage, message))
    .some(({ sourceType, detail }) => sourceType === "Session" && detail.version === version);
const pings = () => client.frames.filter(({ type }) => type === "ping").length;
const ready = v.object({ ready: v.boolean(), degraded: v.array(v.object({ what: v.string() })) });
async function readReady(asked: Response | Promise<Response>) {
  const { ready: isReady, degraded } = v.parse(ready, await (await asked).json());
  return { isReady, isNamed: degraded.some(({ what }) => what === "broadcasts stuck") };
}
const ownReady = () => readReady(server.handle(new Request("http://localhost:3000/ready")));

const command = ([name, ...rest]: readonly [string, ...string[]]) => deps.redis.call(name, ...rest);
const refusals = [
  {
    what: "its memory is full",
    begin: ["CONFIG", "SET", "maxmemory", "1"],
    end: ["CONFIG", "SET", "maxmemory", "0"],
  },
  { what: "it is a replica", begin: ["REPLICAOF", "127.0.0.1", "1"], end: ["REPLICAOF", "NO", "ONE"] },
] as const;
for (const { what, begin, end } of refusals) {
  test(
    `while Redis takes no writes because ${what}, sockets get no pings and /ready names it; then all is heard`,
    async () => {
      const before = pings();
      await waitFor("a ping", () => pings() > before);
      await command(begin);
      const missed = await change();
      await waitFor("the end of the pings", async () => {
        const had = pings();
        await Bun.sleep(PING_MS * 10);
        return pings() === had;
      });
      await waitFor("/ready to name it", async () => (await ownReady()).isNamed);
      expect((await ownReady()).isReady).toBe(true);
      expect(hasHeard(missed)).toBe(false);
      await waitFor("Redis to take writes", () =>
        command(end).then(
          () => true,
          () => false,
        ),
      );
      await waitFor("what was missed", () => hasHeard(missed));
      const had = pings();
      await waitFor("a ping", () => pings() > had);
      await waitFor("/ready to be content", async () => !(await ownReady()).isNamed);
    },
    TEST_WITHIN_MS,
  );
}

test(
  "a process is told by the thread of its relay that it is stuck, and that it is not any more",
  async () => {
    const part = await startWebProcess(deps);
    const isNamed = async () => (await readReady(fetch(`${part.origin}/ready`))).isNamed;
    expect(await isNamed()).toBe(false);
    await deps.redis.call("CONFIG", "SET", "maxmemory", "1");
    const missed = await change();
    await waitFor("the process to name it", isNamed);
    await deps.redis.call("CONFIG", "SET", "maxmemory", "0");
    await waitFor("what was missed", () => hasHeard(missed));
    await waitFor("the process to be content", async () => !(await isNamed()));
    await part.stop();
  },
  TEST_WITHIN_MS,
);
