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
/** Gives and takes rights. */
const ROOT = "user root on >of-the-tests +@all";
const redis = await startNode(port, [...lines, WATCHER, ROOT]);
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

/** The commands of the program and of its queues, in their scripts too. The relays of BullMQ are not used. */
async function usedCommands(): Promise<string[]> {
  const known = new Set(deps.redis.getBuiltinCommands());
  const bullmq = "node_modules/bullmq/dist/esm/scripts/[!r]*.js";
  const files = ["src/!(run)/**/*.ts", "jobs/**/*.ts", bullmq].flatMap((glob) => [
    ...new Bun.Glob(glob).scanSync(),
  ]);
  const texts = await Promise.all(files.map((file) => Bun.file(file).text()));
  const found = texts.flatMap((text) => [
    ...text.matchAll(/(?:redis\.call|rcall)\(\s*["'](\w+)/g),
    ...text.matchAll(/\bredis\s*\.(\w+)\(/g),
  ]);
  const used = new Set(found.map(([, name = ""]) => name.toLowerCase()).filter((name) => known.has(name)));
  // Of connections and of clusters, and what only counts for commands.
  for (const name of ["ping", "cluster", "dbsize", "client", "unsubscribe"]) used.delete(name);
  for (const name of ["spublish", "ssubscribe", "sunsubscribe"]) used.delete(name);
  return [...used, "bzpopmin"];
}

test("each command that is used is tried, so a right that is missing is named", async () => {
  const admin = new Redis(`redis://root:of-the-tests@127.0.0.1:${port}/0`);
  const tried = { url, user: "called_it" };
  const said = [];
  const used = await usedCommands();
  for (const command of used) {
    await admin.acl("SETUSER", "called_it", `-${command}`);
    said.push(await tryRights(deps.redis, tried).then(() => `${command} is not tried`, String));
    await admin.acl("SETUSER", "called_it", `+${command}`);
  }
  admin.disconnect();
  expect(said.filter((text, index) => !text.includes(`ACL SETUSER called_it +${used[index]} `))).toEqual([]);
  await tryRights(deps.redis, tried);
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
