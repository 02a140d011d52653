import { expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { eq } from "drizzle-orm";
import { users } from "#db/schema/users.ts";
import { START_FILE } from "#src/run/claim-data-dir.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { testDeps } from "#tests/support/deps.ts";
import { makeDataFolder } from "#tests/support/product-process.ts";
import { runCommand } from "./command.ts";

const deps = await testDeps();

const admin = (words: string[], variables: Record<string, string>) =>
  runCommand(["admin", ...words], variables);

const external = () => ({
  DATABASE_URL: deps.env.databaseUrl,
  SECRET_KEY: deps.env.secretKey,
  DATA_DIR: deps.env.dataDir,
});

test("bun run admin creates the first admin of an external database, and prints the link for the password", async () => {
  const { code, output } = await admin(["nora@example.com"], external());
  expect(output).toMatch(
    /^Created the account nora for nora@example\.com\. It is an admin\.\nChoose its password here; the link works once, for 6 hours:\nhttp:\/\/localhost:\d+\/users\/password\/edit\?reset_password_token=\S+\n$/,
  );
  expect(code).toBe(0);
});

test("bun run admin refuses bad input with the cure, and creates nobody", async () => {
  const usage = "Usage: bun run admin EMAIL [NAME]. Example: bun run admin ana@example.com Ana";
  for (const words of [[], ["--force"], ["ana@example.com", "Ana", "Berg"]]) {
    expect(await admin(words, external())).toEqual({ code: 1, output: `\n${usage}\n` });
  }
  const nobody = await admin(["ana"], external());
  expect(nobody).toEqual({ code: 1, output: expect.stringContaining('"ana" is not an email address.') });
  expect(await deps.pool.db.$count(users, eq(users.email, "ana@example.com"))).toBe(0);
});

test("bun run admin without a database names the setting, and writes nothing", async () => {
  const { dataDir, remove } = makeDataFolder();
  afterFile(() => remove());
  const { code, output } = await admin(["ana@example.com"], { DATA_DIR: dataDir });
  expect(output).toContain(`There is no database in ${dataDir}. Set DATA_DIR`);
  expect(code).toBe(1);
  // As soon as the first start has begun.
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(path.join(dataDir, START_FILE), "{}");
  const early = await admin(["ana@example.com"], { DATA_DIR: dataDir });
  expect(early).toEqual({
    code: 1,
    output: expect.stringContaining("has not made the database yet. Try again"),
  });
  expect(readdirSync(dataDir)).toEqual([START_FILE]);
});
