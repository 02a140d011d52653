import { expect, test } from "bun:test";
import path from "node:path";
import { ownVariables } from "#src/settings/env.ts";
import { resultOf } from "#tests/run/command.ts";
import { databaseFaults } from "#tests/run/database-faults.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { testDatabase } from "#tests/support/database.ts";
import { testDeps } from "#tests/support/deps.ts";
import { makeDataFolder } from "#tests/support/product-process.ts";
import { PROCESS_STARTS_WITHIN_MS, waitFor } from "#tests/support/wait-for.ts";

const TOP = path.join(import.meta.dir, "../../..");
const deps = await testDeps();
const { dataDir: folder, remove } = makeDataFolder();
afterFile(remove);

const settings = (databaseUrl: string) => ({
  ...ownVariables(),
  NODE_ENV: "development",
  DATABASE_URL: databaseUrl,
  MIGRATE_DATABASE_URL: "",
  REDIS_URL: deps.env.redisUrl,
  SECRET_KEY: deps.env.secretKey,
  DATA_DIR: deps.env.dataDir,
  DATABASE_SILENT_SECONDS: "3",
  PORT: "0",
  DEMO: "off",
});

/** Each database here is another installation, and all of them use one Redis after the other. */
const leaveRedis = () => deps.redis.flushdb();

async function run(words: string[], databaseUrl: string) {
  await leaveRedis();
  const child = Bun.spawn([process.execPath, ...words], {
    cwd: TOP,
    env: settings(databaseUrl),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  return resultOf(child);
}

const backup = () => path.join(folder, `${crypto.randomUUID()}.backup`);
const commands: Record<string, () => string[]> = {
  admin: () => ["src/run/admin.ts", "nora@example.com"],
  backup: () => ["src/run/backup.ts", backup()],
  reconcile: () => ["src/run/reconcile.ts"],
  migrate: () => ["src/run/migrate.ts"],
  seed: () => ["jobs/demo/seed.ts"],
};

const faults = await databaseFaults(deps);

for (const [fault, { url, says, commands: met = ["reconcile"] }] of Object.entries(faults)) {
  test.each(Object.entries(commands).filter(([name]) => met === "all" || met.includes(name)))(
    `${fault}: %s says the cause and the cure, and no query`,
    async (_, words) => {
      const { code, output } = await run(words(), url);
      expect(code).toBe(1);
      for (const line of says) expect(output).toMatch(line);
      expect(output).not.toMatch(/Failed query|SELECT|LOCK TABLE|^\s+at /im);
      expect(output.length).toBeLessThan(1_000);
    },
  );
}

test.each(Object.entries(commands).filter(([name]) => name !== "migrate"))(
  "the database is empty: %s says that it has to be migrated",
  async (_, words) => {
    const { url } = await testDatabase({ empty: true });
    const { code, output } = await run(words(), url);
    expect(code).toBe(1);
    expect(output).toContain("bun run migrate");
    expect(output).not.toMatch(/Failed query|^\s+at /im);
  },
);

test("on an empty database a worker says what it waits for, and is ready once it is migrated", async () => {
  const { url } = await testDatabase({ empty: true });
  await leaveRedis();
  const child = Bun.spawn([process.execPath, "jobs/main.ts"], {
    cwd: TOP,
    env: settings(url),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "inherit",
  });
  afterFile(async () => {
    child.kill("SIGKILL");
    await child.exited;
  });
  let output = "";
  void (async () => {
    for await (const part of child.stdout.pipeThrough(new TextDecoderStream())) output += part;
  })();
  await waitFor("the reason", () => output.includes("bun run migrate"), {
    withinMs: PROCESS_STARTS_WITHIN_MS,
  });
  expect(output).not.toContain("worker is ready");
  expect((await run(["src/run/migrate.ts"], url)).code).toBe(0);
  await waitFor("the worker", () => output.includes("worker is ready"), {
    withinMs: PROCESS_STARTS_WITHIN_MS,
  });
  expect(output.match(/bun run migrate/g)).toHaveLength(1);
});
