import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import path from "node:path";
import { buildClient } from "#client/build/build.ts";
import { isRoot, SERVER_UID } from "#db/embedded/data-folder.ts";
import { freePort } from "#tests/engines/free-port.ts";
import { giveToServer } from "#tests/engines/postgres.ts";
import { startNode } from "#tests/engines/redis-nodes.ts";
import { requireProgram } from "#tests/engines/require-program.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { testDeps } from "#tests/support/deps.ts";
import { childrenOf, makeDataFolder } from "#tests/support/product-process.ts";
import { testServers } from "#tests/support/servers.ts";
import { PROCESS_STARTS_WITHIN_MS, waitFor } from "#tests/support/wait-for.ts";

const TOP = path.join(import.meta.dir, "../../..");

const deps = await testDeps();
const { folder: servers } = await testServers();
const { dataDir, remove } = makeDataFolder();
giveToServer(dataDir);
// One that every user of the machine reaches.
const redis = await startNode(freePort(), []);
afterFile(() => redis.stop());
afterFile(remove);
// The image has a build.
await buildClient();

/** A process as in its container: not root, and everything but DATA_DIR and /tmp can only be read. */
function startConfined(file: string, variables: Record<string, string>) {
  const mounts =
    `--ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --ro-bind ${TOP} /tmp/app --ro-bind ${process.execPath} /tmp/bun ` +
    `--ro-bind ${servers} ${servers} --bind ${dataDir} ${dataDir} --chdir /tmp/app`;
  const asNobody =
    `--cap-add CAP_SETUID --cap-add CAP_SETGID ${requireProgram("setpriv", "util-linux")} ` +
    `--reuid=${SERVER_UID} --regid=${SERVER_UID} --clear-groups --no-new-privs`;
  const options = isRoot() ? `${mounts} ${asNobody}` : mounts;
  const bubblewrap = requireProgram("bwrap", "bubblewrap");
  const child = Bun.spawn([bubblewrap, ...options.split(" "), "/tmp/bun", file], {
    env: {
      PATH: "/usr/bin:/bin",
      NODE_ENV: "production",
      DRAIN_SECONDS: "0",
      DATA_DIR: dataDir,
      DATABASE_URL: deps.env.databaseUrl,
      REDIS_URL: `redis://127.0.0.1:${redis.port}/0`,
      SECRET_KEY: deps.env.secretKey,
      ...variables,
    },
    stdout: "pipe",
    stderr: "inherit",
  });
  return {
    output: new Response(child.stdout).text(),
    isRunning: () => child.exitCode === null,
    stop: async () => {
      for (const pid of childrenOf(child.pid)) process.kill(pid, "SIGTERM");
      return child.exited;
    },
  };
}

test("the web process and the worker serve without root on a file system that they can only read", async () => {
  const port = freePort();
  const web = startConfined("src/main.ts", { PORT: String(port) });
  const worker = startConfined("jobs/main.ts", {});
  const origin = `http://127.0.0.1:${port}`;
  await waitFor(
    "the web process",
    async () => {
      if (!web.isRunning()) throw new Error(await web.output);
      return (await fetch(`${origin}/ready`).catch(() => null))?.status === 200;
    },
    { withinMs: PROCESS_STARTS_WITHIN_MS },
  );
  const page = await fetch(`${origin}/users/sign_in`);
  expect(page.status).toBe(200);
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(await page.text())?.[1] ?? "";
  expect((await fetch(`${origin}${script}`)).status).toBe(200);
  expect(worker.isRunning()).toBe(true);
  expect([await web.stop(), await worker.stop()]).toEqual([0, 0]);
  expect(await worker.output).toContain("worker is ready");
  // What was tried at the start is removed: only the storage's folders stay.
  const left = readdirSync(dataDir, { recursive: true, withFileTypes: true });
  expect(left.filter((each) => !each.isDirectory())).toEqual([]);
});
