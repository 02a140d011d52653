import { expect, test } from "bun:test";
import path from "node:path";
import { eq } from "drizzle-orm";
import { users } from "#db/schema/users.ts";
import { ownVariables } from "#src/settings/env.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { testDeps } from "#tests/support/deps.ts";
import { makeDataFolder, startProduct } from "#tests/support/product-process.ts";

const TOP = path.join(import.meta.dir, "../..");
const deps = await testDeps();

/** Runs the command. @param variables the settings of the product. */
async function admin(words: string[], variables: Record<string, string>) {
  const empty = { DATABASE_URL: "", REDIS_URL: "", SECRET_KEY: "", NODE_ENV: "development" };
  const child = Bun.spawn([process.execPath, "src/run/admin.ts", ...words], {
    cwd: TOP,
    env: { ...ownVariables(), ...empty, ...variables },
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [out, errors, code] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { code, output: `${out}${errors}` };
}

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

test("bun run admin beside a running product makes an admin, whose link opens", async () => {
  const { dataDir, remove } = makeDataFolder();
  afterFile(() => remove());
  const product = startProduct(dataDir, { DEMO: "off" });
  afterFile(async () => {
    product.kill("SIGTERM");
    await product.exited;
  });
  const url = await product.url;
  const { output } = await admin(["nora@example.com"], { DATA_DIR: dataDir, PUBLIC_URL: url });
  const [link = ""] = /http\S+/.exec(output) ?? [];
  expect((await fetch(link)).status).toBe(200);
});

test("bun run admin refuses bad input with the cure, and creates nobody", async () => {
  const usage = "Usage: bun run admin EMAIL. Example: bun run admin ana@example.com";
  for (const words of [[], ["--force"], ["ana@example.com", "ben@example.com"]]) {
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
});
