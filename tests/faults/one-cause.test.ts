import { expect, test } from "bun:test";
import path from "node:path";
import { sql } from "drizzle-orm";
import * as v from "valibot";
import { mails } from "#db/schema/mails.ts";
import { writeFact } from "#src/base/outbox/write-fact.ts";
import { operationsAnswer } from "#src/operate/operations/schemas.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { createTestRedis } from "#tests/support/redis.ts";
import { testServers } from "#tests/support/servers.ts";
import { createSilentProxy } from "#tests/support/silent-proxy.ts";
import { untilPasses } from "#tests/support/wait-for.ts";
import { testWorld } from "#tests/support/world.ts";
import { startWebProcess, startWorkerProcess } from "./worker-process.ts";

// Database, Redis and worker are taken from a product that runs, one after the other. Exactly one cause is told each time, in one row for all
// processes, and what follows from it stands beneath it: at the operators' home, at /ready, in the log and in the metrics.
const TEST_WITHIN_MS = 240_000;
/** Longer than a process that starts says nothing. */
const WITHIN_MS = 60_000;
const METRICS_TOKEN = "a token that only tests of causes use";

const { dataFolder } = await testServers();
const database = await createSilentProxy(path.join(dataFolder.socketFolder, ".s.PGSQL.5432"));
const redis = await createTestRedis();
const { deps, db, build, signIn } = await testWorld(
  { REDIS_URL: redis.url, METRICS_TOKEN },
  { checkBooks: false },
);
const address = new URL(deps.env.databaseUrl);
address.searchParams.set("host", path.dirname(database.socket));
const variables = { DATABASE_URL: address.toString(), DATABASE_SILENT_SECONDS: "3", METRICS_TOKEN };
const [web, other] = [await startWebProcess(deps, { variables }), await startWebProcess(deps, { variables })];
let worker = await startWorkerProcess(deps, { variables });
afterFile(() => Promise.all([web.kill(), other.kill(), worker.kill(), redis.stop()]));

const session = await build.session();
const admin = await signIn(await build.admin());
const get = (target: string, headers: Record<string, string>) => fetch(`${web.origin}${target}`, { headers });
const observer = { authorization: `Bearer ${METRICS_TOKEN}` };
const told = v.object({
  what: v.string(),
  process: v.optional(v.nullable(v.string()), null),
  follows: v.optional(v.array(v.object({ what: v.string() })), []),
});
const readySchema = v.object({ unready: v.array(told), degraded: v.array(told) });
const atReady = async () => {
  const { unready, degraded } = v.parse(readySchema, await (await get("/ready", observer)).json());
  return [...unready, ...degraded];
};
const atHome = async () => {
  const answer = await get("/api/v1/operations", { ...admin, accept: "application/json" });
  return v.parse(operationsAnswer, await answer.json()).operations.troubles ?? [];
};
const inMetrics = async () => {
  const text = await (await get("/metrics", observer)).text();
  return [...text.matchAll(/^called_it_degraded\{part="(\w+)"\} 1$/gm)].map(([, part]) => part);
};
/** The parts that the log calls wrong from now on. */
function listen() {
  const processes = [web, other, worker].map((process) => ({ process, from: process.printed().length }));
  return () =>
    processes.flatMap(({ process, from }) =>
      [
        ...process
          .printed()
          .slice(from)
          .matchAll(/ ERROR .*\{"part":"(\w+)"/g),
      ].map(([, part]) => part),
    );
}
const untilWell = () =>
  untilPasses(async () => expect([await atReady(), await atHome()]).toEqual([[], []]), {
    withinMs: WITHIN_MS,
  });

/** Mails wait that nobody sends meanwhile. */
const writeMail = () =>
  db.insert(mails).values({
    kind: "password_changed",
    recipient: "ana@example.test",
    attempts: 1,
    error: "connect ECONNREFUSED",
    dueAt: sql`clock_timestamp() + interval '1 hour'`,
  });

type Cause = {
  what: string;
  begin: () => unknown;
  end: () => unknown;
  /** What follows. Left out: only what was under way. */
  follows?: string;
  hasHome: boolean;
  seenBy: RegExp;
};
const causes: Cause[] = [
  {
    what: "database away",
    begin: () => database.freeze(),
    end: () => database.thaw(),
    // Nobody can be signed in meanwhile.
    hasHome: false,
    seenBy: /^web /,
  },
  {
    what: "redis away",
    begin: async () => {
      process.kill(redis.pid, "SIGSTOP");
      await writeFact(db, { kind: "session_changed", sessionId: session.id, change: "update" });
    },
    end: () => process.kill(redis.pid, "SIGCONT"),
    follows: "feed behind",
    hasHome: true,
    seenBy: /^web .*, web .*, worker /,
  },
  {
    what: "worker missing",
    begin: async () => {
      await worker.kill();
      await writeMail();
    },
    end: async () => {
      worker = await startWorkerProcess(deps, { variables });
      await db.delete(mails);
    },
    follows: "mails waiting",
    hasHome: true,
    seenBy: /^$/,
  },
];
test.each(causes)(
  "$what: one cause is told, and what follows from it stands beneath it",
  async ({ what, begin, end, follows, hasHome, seenBy }) => {
    await untilWell();
    const wrongInLog = listen();
    const [part = ""] = what.split(" ");
    await begin();
    try {
      const isTold = async (read: () => ReturnType<typeof atReady>) => {
        const [cause, ...more] = await read();
        expect([cause?.what, more]).toEqual([what, []]);
        if (follows !== undefined) expect(cause?.follows.map((effect) => effect.what)).toContain(follows);
        expect(cause?.process ?? "").toMatch(seenBy);
      };
      await untilPasses(() => isTold(atReady), { withinMs: WITHIN_MS });
      if (hasHome)
        await untilPasses(() => isTold(async () => v.parse(v.array(told), await atHome())), {
          withinMs: WITHIN_MS,
        });
      await untilPasses(async () => expect(await inMetrics()).toEqual([part]), { withinMs: WITHIN_MS });
    } finally {
      await end();
    }
    await untilWell();
    expect(wrongInLog().filter((each) => each !== part)).toEqual([]);
  },
  TEST_WITHIN_MS,
);
