import { expect, test } from "bun:test";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { readEnv } from "#src/settings/env.ts";
import { listWarnings } from "#src/settings/refuse-unsafe.ts";
import { fallbackOf, settings, SettingsError } from "#src/settings/settings.ts";
import { makeFileFolder } from "#tests/support/after-file.ts";

const dataDir = makeFileFolder();

const refused: [name: string, value: string][] = [
  ["PORT", "three thousand"],
  ["PORT", "65536"],
  ["PORT", "-1"],
  ["HOST", "local host"],
  ["WEB_CONCURRENCY", "0"],
  ["WEB_CONCURRENCY", "65"],
  ["WEB_CONCURRENCY", "two"],
  ["DRAIN_SECONDS", "301"],
  ["DATABASE_URL", "mysql://localhost/called_it"],
  ["DATABASE_URL", "postgres://user:secret@one:5432,:5433/called_it"],
  ["DATABASE_URL", "postgres://user:%zz@host/called_it"],
  ["DATABASE_URL", "postgres://user@host/called_it?pgbouncer=yes"],
  ["MIGRATE_DATABASE_URL", "localhost"],
  ["DATABASE_REPLICA_URL", "postgres://called_it@one,two/called_it"],
  ["REDIS_URL", "localhost:6379"],
  ["SECRET_KEY", "short"],
  ["PUBLIC_URL", "called-it.example"],
  ["PUBLIC_URL", "https://called-it.example/play"],
  ["PUBLIC_URL", "https://called-it.example/?from=mail"],
  ["PUBLIC_URL", "https://ana:secret@called-it.example"],
  ["SMTP_URL", "mail.example.test:25"],
  ["MAIL_FROM", "Called It"],
  ["STORAGE", "ftp://uploads"],
  ["STORAGE", "s3://uploads"],
  ["VAPID_PRIVATE_KEY", "short"],
  ["VAPID_PRIVATE_KEY", "A".repeat(43)],
  ["PUSH_SERVICE_URL", "push.example.test"],
  ["FRAME_ORIGINS", "blog.example"],
  ["FRAME_ORIGINS", "https://blog.example/path"],
  ["FRAME_ORIGINS", "https://*.blog.test"],
  ["FRAME_ORIGINS", "https://blog.example; script-src *"],
  ["FRAME_ORIGINS", "https://blog.example, *"],
  ["LOG_LEVEL", "loud"],
  ["RATE_LIMITS", "maybe"],
  ["DEMO", "perhaps"],
  ["NODE_ENV", "staging"],
  ["METRICS_TOKEN", "short"],
  ["METRICS_PORT", "0"],
  ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318"],
  ["OTEL_TRACES_SAMPLER", "sometimes"],
  ["OTEL_TRACES_SAMPLER_ARG", "1.5"],
  ["GUESTS_PER_ADDRESS", "none"],
  ["GUEST_GRANT", "100.01"],
  ["GUEST_GRANT", "-1"],
  ["BACKUP_PASSPHRASE", "too short"],
  ["PAYMENTS_WEBHOOK_SECRET", "a-good-long-secret,a"],
  ["STRIPE_WEBHOOK_SECRET", "whsec_"],
  ["ALERTS_TO", "ops"],
  ["ALERTS_TO", "ops@example.com,http://chat.example.com/hook"],
  ["ALERTS_TO", "http://localhost.example.com/hook"],
  ["ALERTS_QUIET", "22:30"],
  ["ALERTS_QUIET", "23:00-24:30"],
  ["ALERTS_QUIET", "07:00-07:00"],
  ["ALERTS_QUIET", "23:00-07:00 Europe/Bielefeld"],
];

for (const [name, value] of refused) {
  test(`${name}=${value} is refused with its name and a hint, and without the value`, () => {
    const read = () => readEnv({ DATA_DIR: dataDir, [name]: value });
    expect(read).toThrow(SettingsError);
    expect(read).toThrow(new RegExp(`^${name} must be .*leave it out for the default`));
    expect(read).not.toThrow(new RegExp(value));
  });
}

test.each(["o'brien@example.com", "d&e@my--host.example", "show@xn--bcher-kva.example", "show@mailserver"])(
  "mails come from %s",
  (address) => {
    expect(readEnv({ DATA_DIR: dataDir, MAIL_FROM: address }).mailFrom).toBe(address);
  },
);

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

test("the application and the owner of the tables are two roles, unless only one address is given", () => {
  const read = (variables: Record<string, string>) => {
    const { databaseUrl, ownerDatabaseUrl, applicationRole } = readEnv({ DATA_DIR: dataDir, ...variables });
    return {
      served: new URL(databaseUrl).username,
      owned: new URL(ownerDatabaseUrl).username,
      applicationRole,
    };
  };
  const [served, owned] = ["postgres://play%20er:a@db/x", "postgres://owner:b@db/x"];
  expect(read({})).toEqual({ served: "called_it", owned: "app", applicationRole: "called_it" });
  expect(read({ DATABASE_URL: served, MIGRATE_DATABASE_URL: owned })).toEqual({
    served: "play%20er",
    owned: "owner",
    applicationRole: "play er",
  });
  const alone = { served: "owner", owned: "owner", applicationRole: null };
  expect(read({ DATABASE_URL: owned })).toEqual(alone);
  expect(read({ DATABASE_URL: owned, MIGRATE_DATABASE_URL: owned })).toEqual(alone);
  expect(() => readEnv({ DATA_DIR: dataDir, MIGRATE_DATABASE_URL: owned })).toThrow(/^MIGRATE_DATABASE_URL/);
});

test("a database behind PgBouncer needs a way past it, for migrations and for databases of dry runs", () => {
  const pooled = "postgres://player:a%40b@bouncer:6432/game?pgbouncer=true";
  const owner = "postgres://owner:c@one:5432,two:5433/game?sslmode=verify-full";
  const read = (variables: Record<string, string>) => readEnv({ DATA_DIR: dataDir, ...variables });
  expect(() => read({ DATABASE_URL: pooled })).toThrow(
    /^DATABASE_URL goes through PgBouncer.*set MIGRATE_DATABASE_URL/,
  );
  expect(read({ DATABASE_URL: pooled, MIGRATE_DATABASE_URL: owner })).toMatchObject({
    databaseUrl: pooled,
    ownerDatabaseUrl: owner,
    directDatabaseUrl: "postgres://player:a%40b@one:5432,two:5433/game?sslmode=verify-full",
    applicationRole: "player",
  });
  expect(() => read({ DATABASE_URL: pooled.replace("=true", "=prepared") })).toThrow(/PgBouncer/);
  expect(read({ DATABASE_URL: owner }).directDatabaseUrl).toBe(owner);
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
  expect(() => readEnv({ ...production, ...secret, DEMO: "on" })).toThrow(/^DEMO cannot be on in production/);
  expect(existsSync(folder)).toBe(false);
  expect(readEnv({ ...production, ...secret })).toMatchObject({
    production: true,
    demo: false,
    rateLimits: true,
  });
});

test("Stripe takes payments if its key is set; the test provider only outside production", () => {
  const secrets = (env: Record<string, string>) => readEnv({ DATA_DIR: dataDir, ...env }).payments;
  expect(secrets({})).toEqual({ provider: "test", webhookSecrets: [expect.stringMatching(/^.{43}$/)] });
  expect(secrets({ PAYMENTS_WEBHOOK_SECRET: "the-new-secret-1, the-old-secret-1" })).toMatchObject({
    webhookSecrets: ["the-new-secret-1", "the-old-secret-1"],
  });
  const production = { NODE_ENV: "production", SECRET_KEY: "0123456789abcdef0123456789abcdef" };
  expect(secrets(production)).toEqual({ provider: "none" });
  const stripe = { STRIPE_SECRET_KEY: "sk_test_1", STRIPE_WEBHOOK_SECRET: "whsec_1234567890" };
  expect(secrets(stripe)).toEqual({
    provider: "stripe",
    secretKey: "sk_test_1",
    webhookSecrets: ["whsec_1234567890"],
    apiUrl: null,
  });
  expect(() => secrets({ STRIPE_SECRET_KEY: "sk_test_1" })).toThrow(/^STRIPE_WEBHOOK_SECRET is not set/);
  expect(() => secrets({ STRIPE_SECRET_KEY: "pk_test_1" })).toThrow(/^STRIPE_SECRET_KEY must be/);
});

test("the table of deploy/settings.md lists every setting with its default", () => {
  const table = readFileSync("deploy/settings.md", "utf8");
  const rows = Object.entries(settings).map(
    ([name, setting]) => `| \`${name}\` | ${setting.about} | ${fallbackOf(setting)} |`,
  );
  const missing = rows.filter((row) => !table.includes(`${row}\n`));
  const listed = [...table.matchAll(/^\| `([A-Z][A-Z_]+)` \|/gm)].map(([, name = ""]) => name);
  const gone = listed.filter((name) => !(name in settings));
  const howTo = "Correct the table in deploy/settings.md.";
  expect({ missing, gone, howTo }).toEqual({ missing: [], gone: [], howTo });
});

test("the keys of Web Push are the same at every start and on every machine with the same secret, or those of the setting", () => {
  const read = (variables: Record<string, string>) => readEnv({ DATA_DIR: dataDir, ...variables }).push;
  const secret = { SECRET_KEY: "0123456789abcdef0123456789abcdef" };
  const derived = read(secret);
  expect(read(secret)).toEqual(derived);
  expect(derived.serviceOrigin).toBeNull();
  expect(Buffer.from(derived.publicKey, "base64url").length).toBe(65);
  expect(read({ SECRET_KEY: "another secret of thirty-two letters" }).publicKey).not.toBe(derived.publicKey);
  const kept = { SECRET_KEY: "another secret of thirty-two letters", VAPID_PRIVATE_KEY: derived.privateKey };
  expect(read(kept)).toEqual(derived);
  expect(read({ ...secret, PUSH_SERVICE_URL: "http://push.internal:8080/send" }).serviceOrigin).toBe(
    "http://push.internal:8080",
  );
});

test("empty parts of a list of secrets are dropped", () => {
  const { payments } = readEnv({ DATA_DIR: dataDir, PAYMENTS_WEBHOOK_SECRET: "a-good-long-secret,, " });
  expect(payments).toMatchObject({ webhookSecrets: ["a-good-long-secret"] });
  // An empty secret would take every message that is signed with nothing.
  expect(() => readEnv({ DATA_DIR: dataDir, PAYMENTS_WEBHOOK_SECRET: " , " })).toThrow(
    /^PAYMENTS_WEBHOOK_SECRET must be/,
  );
});

test("a port for metrics is refused without a token, because nobody is signed in there", () => {
  const read = (variables: Record<string, string>) => readEnv({ DATA_DIR: dataDir, ...variables });
  expect(() => read({ METRICS_PORT: "9464" })).toThrow(/^METRICS_PORT needs METRICS_TOKEN/);
  const METRICS_TOKEN = "m".repeat(32);
  expect(read({ METRICS_PORT: "9464", METRICS_TOKEN })).toMatchObject({ metricsPort: 9464 });
});

test("nothing is traced without a collector, and the sampler is the standard's default with one", () => {
  const read = (variables: Record<string, string>) => readEnv({ DATA_DIR: dataDir, ...variables }).tracing;
  expect(read({})).toBeNull();
  const OTEL_EXPORTER_OTLP_ENDPOINT = "http://127.0.0.1:4318";
  expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT })).toEqual({ sampler: "parentbased_always_on", ratio: 1 });
  const some = { OTEL_TRACES_SAMPLER: "traceidratio", OTEL_TRACES_SAMPLER_ARG: "0.25" };
  expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT, ...some })).toEqual({ sampler: "traceidratio", ratio: 0.25 });
});

test("several web processes are refused where a system cannot share a port among them", () => {
  const read = (platform: NodeJS.Platform, count: string) =>
    readEnv({ DATA_DIR: dataDir, WEB_CONCURRENCY: count }, platform).webConcurrency;
  expect(read("linux", "4")).toBe(4);
  expect(() => read("darwin", "2")).toThrow(/^WEB_CONCURRENCY above 1 needs Linux.*Leave it out/);
  expect(read("darwin", "1")).toBe(1);
});

test("web processes drain in production only, unless it is set", () => {
  const read = (variables: Record<string, string>) => readEnv({ DATA_DIR: dataDir, ...variables }).drainMs;
  const production = { NODE_ENV: "production", SECRET_KEY: "abcdefgh".repeat(4) };
  expect([read({}), read(production), read({ ...production, DRAIN_SECONDS: "0" })]).toEqual([0, 5_000, 0]);
  expect(read({ DRAIN_SECONDS: "2" })).toBe(2_000);
});

test("a secret key that can be guessed is refused", () => {
  expect(() => readEnv({ DATA_DIR: dataDir, SECRET_KEY: "a".repeat(40) })).toThrow(
    /^SECRET_KEY can be guessed/,
  );
});

test("production is served over https, or on this machine only", () => {
  const folder = path.join(dataDir, "unsafe");
  const production = {
    NODE_ENV: "production",
    DATA_DIR: folder,
    SECRET_KEY: "0123456789abcdef0123456789abcdef",
  };
  const read = (variables: Record<string, string>) => () => readEnv({ ...production, ...variables });
  expect(read({ PUBLIC_URL: "http://called-it.example" })).toThrow(/^PUBLIC_URL must be https:/);
  expect(read({ HOST: "0.0.0.0" })).toThrow(/^PUBLIC_URL is not set, and HOST is 0\.0\.0\.0/);
  expect(existsSync(folder)).toBe(false);
  const good = [
    {},
    { PUBLIC_URL: "http://localhost:3000" },
    { HOST: "0.0.0.0", PUBLIC_URL: "https://called-it.example" },
  ];
  for (const variables of good) expect(read(variables)().production).toBe(true);
});

test("a start that others can reach is refused until NODE_ENV says what it is for", () => {
  const folder = path.join(dataDir, "unsaid");
  const read = (variables: Record<string, string>) => () => readEnv({ DATA_DIR: folder, ...variables });
  const open = [
    ...["0.0.0.0", "::", "203.0.113.8", "192.168.1.7", "my-laptop", "127.example.com"].map((HOST) => ({
      HOST,
    })),
    ...["https://called-it.example", "http://192.168.1.7:3000"].map((PUBLIC_URL) => ({ PUBLIC_URL })),
  ];
  for (const variables of open) {
    const [named = ""] = Object.values(variables);
    expect(read(variables)).toThrow(
      /^NODE_ENV is not set.*NODE_ENV=production\..*NODE_ENV=development.*demo's admin/,
    );
    expect(read(variables)).toThrow(named);
    expect(existsSync(folder)).toBe(false);
  }
  expect(read({ HOST: "0.0.0.0", DEMO: "off" })).not.toThrow("demo");
  const own = ["127.0.0.1", "::1", "127.9.9.9", "localhost", "::ffff:127.0.0.1"].map((HOST) => ({ HOST }));
  const said = open.map((variables) => ({ ...variables, NODE_ENV: "development" }));
  for (const variables of [...own, ...said]) expect(read(variables)().production).toBe(false);
});

test("a start outside of production that others can reach warns of the mails and the demo's admin", () => {
  const warningsOf = (variables: Record<string, string>) =>
    listWarnings(readEnv({ DATA_DIR: dataDir, NODE_ENV: "development", ...variables }));
  expect(warningsOf({})).toEqual([]);
  expect(warningsOf({ HOST: "0.0.0.0" })).toEqual([
    expect.stringMatching(/on 0\.0\.0\.0.*\/dev\/mail.*demo's admin/),
  ]);
  expect(warningsOf({ PUBLIC_URL: "https://called-it.example", DEMO: "off" })).toEqual([
    expect.stringMatching(/at https:\/\/called-it\.example.*NODE_ENV=production/),
  ]);
});
