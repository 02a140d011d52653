import { expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { readEnv } from "#src/settings/env.ts";
import { settings, SettingsError } from "#src/settings/settings.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { makeDataFolder } from "#tests/support/product-process.ts";

const { dataDir, remove } = makeDataFolder();
afterFile(remove);

const refused: [name: string, value: string][] = [
  ["PORT", "three thousand"],
  ["PORT", "65536"],
  ["PORT", "-1"],
  ["HOST", "local host"],
  ["WEB_PROCESSES", "0"],
  ["WEB_PROCESSES", "65"],
  ["WEB_PROCESSES", "two"],
  ["DATABASE_URL", "mysql://localhost/called_it"],
  ["REDIS_URL", "localhost:6379"],
  ["SECRET_KEY", "short"],
  ["PUBLIC_URL", "called-it.example"],
  ["SMTP_URL", "mail.example.test:25"],
  ["MAIL_FROM", "Called It"],
  ["STORAGE", "ftp://uploads"],
  ["STORAGE", "s3://uploads"],
  ["LOG_LEVEL", "loud"],
  ["RATE_LIMITS", "maybe"],
  ["DEMO", "perhaps"],
  ["NODE_ENV", "staging"],
];

for (const [name, value] of refused) {
  test(`${name}=${value} is refused with its name and a hint, and without the value`, () => {
    const read = () => readEnv({ DATA_DIR: dataDir, [name]: value });
    expect(read).toThrow(SettingsError);
    expect(read).toThrow(new RegExp(`^${name} must be .*leave it out for the default`));
    expect(read).not.toThrow(new RegExp(value));
  });
}

test("without any settings everything is embedded in the data folder", () => {
  const env = readEnv({ DATA_DIR: dataDir });
  expect(env).toMatchObject({
    port: 3000,
    host: "127.0.0.1",
    publicUrl: "http://localhost:3000",
    demo: true,
  });
  expect(env.embedded).toEqual({ database: true, redis: true });
  expect(env.databaseUrl).toContain(encodeURIComponent(dataDir));
});

test("several web processes are refused where a system cannot share a port among them", () => {
  const read = (platform: NodeJS.Platform, count: string) =>
    readEnv({ DATA_DIR: dataDir, WEB_PROCESSES: count }, platform).webProcesses;
  expect(read("linux", "4")).toBe(4);
  expect(() => read("darwin", "2")).toThrow(/^WEB_PROCESSES above 1 needs Linux.*Leave it out/);
  expect(read("darwin", "1")).toBe(1);
});

test("a setting that is empty takes its default", () => {
  expect(readEnv({ DATA_DIR: dataDir, PORT: "", DATABASE_URL: " " }).port).toBe(3000);
});

test("all wrong settings are reported at once", () => {
  expect(() => readEnv({ DATA_DIR: dataDir, PORT: "x", DEMO: "x" })).toThrow(/^PORT must.*\nDEMO must/);
});

test("the secret is generated once, and only its owner can read it", () => {
  const first = readEnv({ DATA_DIR: dataDir }).secretKey;
  expect(first.length).toBeGreaterThanOrEqual(32);
  expect(readEnv({ DATA_DIR: dataDir }).secretKey).toBe(first);
  expect(statSync(path.join(dataDir, "secret-key")).mode & 0o077).toBe(0);
});

test("a data folder that cannot be written to is refused with a hint", () => {
  const file = path.join(dataDir, "a-file");
  writeFileSync(file, "");
  expect(() => readEnv({ DATA_DIR: path.join(file, "data") })).toThrow(
    /^DATA_DIR .* set DATA_DIR to another/,
  );
});

test("production requires a secret, keeps the rate limits on and the demo off", () => {
  const folder = path.join(dataDir, "production");
  const production = { NODE_ENV: "production", DATA_DIR: folder };
  expect(() => readEnv(production)).toThrow(/^SECRET_KEY is not set/);
  expect(existsSync(folder)).toBe(false);
  const secret = { SECRET_KEY: "0123456789abcdef0123456789abcdef" };
  expect(() => readEnv({ ...production, ...secret, RATE_LIMITS: "off" })).toThrow(
    /^RATE_LIMITS cannot be off/,
  );
  expect(readEnv({ ...production, ...secret })).toMatchObject({
    production: true,
    demo: false,
    rateLimits: true,
  });
});

test("Stripe takes payments if its key is set; the test provider only outside production", () => {
  const secrets = (env: Record<string, string>) => readEnv({ DATA_DIR: dataDir, ...env }).payments;
  expect(secrets({})).toEqual({ provider: "test", webhookSecrets: [expect.stringMatching(/^.{43}$/)] });
  expect(secrets({ PAYMENTS_WEBHOOK_SECRET: "new, old" })).toMatchObject({ webhookSecrets: ["new", "old"] });
  const production = { NODE_ENV: "production", SECRET_KEY: "0123456789abcdef0123456789abcdef" };
  expect(secrets(production)).toEqual({ provider: "none" });
  const stripe = { STRIPE_SECRET_KEY: "sk_test_1", STRIPE_WEBHOOK_SECRET: "whsec_1" };
  expect(secrets(stripe)).toEqual({
    provider: "stripe",
    secretKey: "sk_test_1",
    webhookSecrets: ["whsec_1"],
    apiUrl: null,
  });
  expect(() => secrets({ STRIPE_SECRET_KEY: "sk_test_1" })).toThrow(/^STRIPE_WEBHOOK_SECRET is not set/);
  expect(() => secrets({ STRIPE_SECRET_KEY: "pk_test_1" })).toThrow(/^STRIPE_SECRET_KEY must be/);
});

test("the table in README.md lists every setting with its default", () => {
  const readme = readFileSync("README.md", "utf8");
  const rows = Object.entries(settings).map(
    ([name, { fallback, about }]) => `| \`${name}\` | ${about} | ${fallback} |`,
  );
  expect(readme).toContain(rows.join("\n"));
});

test("the described default of a setting is the default of its schema", () => {
  for (const [name, { schema, fallback }] of Object.entries(settings)) {
    if (schema.default !== undefined) expect([name, fallback]).toEqual([name, schema.default]);
  }
});
