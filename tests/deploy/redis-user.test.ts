import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import path from "node:path";
import { Redis } from "ioredis";
import { startWorkers } from "#jobs/workers.ts";
import { connectRedis } from "#src/base/redis.ts";
import { neededRules, tryRights } from "#src/base/watch-redis.ts";
import { freePort } from "#tests/engines/free-port.ts";
import { startNode } from "#tests/engines/redis-nodes.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";

const PASSWORD = "of-the-test-alone";
const port = freePort();
const conf = readFileSync(path.join(import.meta.dir, "../../deploy/redis/called-it.conf"), "utf8");
const lines = conf.replaceAll("PASSWORD", PASSWORD).split("\n");
/** Sees what was refused. */
const WATCHER = "user watcher on >watching -@all +info +acl|log";
const redis = await startNode(port, [...lines, WATCHER]);
afterFile(() => redis.stop());
const url = `redis://called_it:${PASSWORD}@127.0.0.1:${port}/0`;
const deps = await testDeps({ REDIS_URL: url });

test("the user of deploy/redis has the rules of the documents", () => {
  expect(lines.map((line) => line.trim())).toContain(`user called_it on >${PASSWORD} ${neededRules}`);
});

test("the user of deploy/redis may do all that the program and its queues need", async () => {
  await tryRights(deps.redis, { url, user: "called_it" });
  const connection = connectRedis(url, "worker");
  const workers = startWorkers(deps, connection);
  const { transitions, mails } = deps.queues.byName;
  await waitFor("the workers", async () => (await transitions.getWorkersCount()) > 0);
  await mails.getJobs(["waiting", "active", "delayed", "failed", "prioritized"]);
  await Promise.all(workers.map((worker) => worker.close()));
  connection.disconnect();
  const watcher = new Redis(`redis://watcher:watching@127.0.0.1:${port}/0`);
  const refused = JSON.stringify(await watcher.acl("LOG"));
  watcher.disconnect();
  expect(refused).not.toContain("called_it");
});

test("without the password nobody may do anything, and the user of the program changes no server", async () => {
  const stranger = new Redis(`redis://127.0.0.1:${port}/0`, { maxRetriesPerRequest: 1 });
  stranger.on("error", () => undefined);
  expect(stranger.ping()).rejects.toThrow("NOAUTH");
  await stranger.ping().catch(() => undefined);
  stranger.disconnect();
  const own = new Redis(url);
  await own.set("kept", "1");
  const commands = [
    ["flushall"],
    ["flushdb"],
    ["config", "set", "dir", "/"],
    ["keys", "*"],
    ["shutdown"],
  ] as const;
  const more = [["replicaof", "127.0.0.1", "1"], ["acl", "list"], ["module", "list"], ["save"]] as const;
  for (const [name, ...rest] of [...commands, ...more]) {
    const refusal = await own.call(name, ...rest).catch((error: Error) => error.message);
    expect([name, refusal]).toEqual([name, expect.stringContaining("NOPERM")]);
  }
  expect(await own.getdel("kept")).toBe("1");
  own.disconnect();
});
