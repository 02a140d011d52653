import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { connect } from "#db/client.ts";
import { APPLICATION_ROLE } from "#db/embedded/data-folder.ts";
import { connectRedis } from "#src/base/redis.ts";
import { type AtStart, lineOf, runChecks } from "#src/operate/checks/check.ts";
import { doctorChecks, START_WITHIN_MS, startChecks } from "#src/operate/checks/checks.ts";
import { describePostgresRights, describeRedisUser } from "#src/operate/checks/describe-rights.ts";
import { createStore } from "#src/people/storage/create-store.ts";
import { createSpanExporter } from "#src/run/tracer.ts";
import { freePort } from "#tests/engines/free-port.ts";
import { startStripeServer } from "#tests/money/payments/stripe-server.ts";
import { runProgram } from "#tests/run/command.ts";
import { asApplication } from "#tests/support/application.ts";
import { testDatabase } from "#tests/support/database.ts";
import { buildEnv, testDeps } from "#tests/support/deps.ts";
import { startS3Server } from "#tests/support/s3-server.ts";

const TOP = path.join(import.meta.dir, "../../..");
const documents: [file: string, block: string][] = [
  ["deploy/postgres.md", `\`\`\`sql\n${describePostgresRights("called_it")}\n\`\`\``],
  ["deploy/redis.md", `\`\`\`\n${describeRedisUser("called_it", "password")}\n\`\`\``],
];
test.each(documents)("%s lists the rights that are given and tried", async (file, block) => {
  expect(await Bun.file(path.join(TOP, file)).text()).toContain(block);
});

const owner = await testDeps();
const deps = asApplication(owner);

/** The lines about what is not well, of all checks or of one server. @param checks the doctor's, or those of a start. */
async function linesOf(changes: Partial<AtStart>, of = "", checks = doctorChecks): Promise<string[]> {
  const results = await runChecks({ ...deps, ...changes }, checks, START_WITHIN_MS);
  return results
    .filter((result) => result.severity !== null && lineOf(result).startsWith(of))
    .map((result) => `${result.severity} ${lineOf(result)}`);
}

test("nothing is said about servers, folders and settings as they should be", async () => {
  const site = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response("<!doctype html><title>Called It"),
  });
  const publicUrl = site.url.origin;
  const server = { production: true, smtpUrl: null, trustedProxies: ["127.0.0.1"], publicUrl };
  const env = { ...deps.env, ...server, alertsTo: [`${publicUrl}/chat`] };
  expect(await linesOf({})).toEqual([]);
  await site.stop(true);
  // The doctor tries what any process needs; a start what its own does, and not yet what a proxy does that follows it.
  const mail = expect.stringMatching(/^degraded Mail: SMTP_URL is not set/);
  const address = expect.stringMatching(/^advice Address: .*does not answer this machine/);
  const worker = { env, sendsMails: true } as const;
  expect(await linesOf(worker, "")).toEqual([mail, expect.stringMatching(/^advice Alerts/), address]);
  expect(
    await linesOf({ ...worker, env: { ...env, alertsTo: [], metricsToken: "a token" } }, "", startChecks),
  ).toEqual([mail]);
  const web = { ...env, alertsTo: ["you@example.com"] };
  expect(await linesOf({ env: web }, "", startChecks)).toEqual([
    expect.stringMatching(/^advice Alerts: ALERTS_TO has a mail address/),
  ]);
});

test("who is told what is wrong is tried without a message: nobody, a mail address without a server, a server that is away", async () => {
  const production = { ...deps.env, production: true };
  const says = (env: Partial<typeof production>) => linesOf({ env: { ...production, ...env } }, "Alerts");
  expect(await says({})).toEqual([
    expect.stringMatching(/^advice Alerts: Nobody is told.*ALERTS_TO is not set.*`called-it alerts/),
  ]);
  // A program may watch.
  expect(await says({ metricsToken: "a token" })).toEqual([]);
  expect(await says({ alertsTo: ["you@example.com"], smtpUrl: null })).toEqual([
    expect.stringMatching(/^advice Alerts: ALERTS_TO has a mail address, and SMTP_URL is not set/),
  ]);
  expect(await says({ alertsTo: ["http://127.0.0.1:1/secret"] })).toEqual([
    expect.stringMatching(/^advice Alerts: (?!.*secret).*ECONNREFUSED.*Start the server/),
  ]);
  const asked: string[] = [];
  using chat = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: ({ url, method }) => {
      asked.push(`${method} ${new URL(url).pathname}`);
      return new Response(null, { status: 404 });
    },
  });
  expect(await says({ alertsTo: [`${chat.url.origin}/hook`] })).toEqual([]);
  expect(asked).toEqual(["HEAD /"]);
});

test("what could not be tried is waited for, and never a reason to refuse a start", async () => {
  const find = () => Promise.reject(new Error("the connection was lost"));
  const version = { part: "Postgres: version", at: ["start"], severity: "refused", find } as const;
  const [result] = await runChecks({}, [version], START_WITHIN_MS);
  expect(result).toMatchObject({ severity: "away", said: "the connection was lost" });
});

test("a public address that leads nowhere, or to something else, is named, and no start is refused for it", async () => {
  const other = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: () => new Response("Welcome to nginx!") });
  const env = { ...deps.env, production: true, publicUrl: other.url.origin };
  expect(await linesOf({ env }, "Address")).toEqual([
    expect.stringMatching(
      /^advice Address: http\S+ answers 200, and not with a page of Called It\. Correct PUBLIC_URL/,
    ),
  ]);
  await other.stop(true);
  expect(await linesOf({ env }, "Address")).toEqual([
    expect.stringMatching(/^advice Address: http\S+ does not answer this machine: .*Correct PUBLIC_URL/),
  ]);
});

test("a right that is taken away is named, with what gives it back", async () => {
  const { sql } = owner.pool;
  await sql.unsafe(`REVOKE SELECT ON calls FROM ${APPLICATION_ROLE};
    REVOKE UPDATE (title) ON events FROM ${APPLICATION_ROLE};
    REVOKE EXECUTE ON FUNCTION event_gate FROM ${APPLICATION_ROLE}`);
  const [line, ...more] = await linesOf({}, "Postgres");
  expect(more).toEqual([]);
  expect(line).toMatch(/^degraded Postgres: rights: It lacks /);
  for (const right of ["SELECT ON calls", "UPDATE (title) ON events", "EXECUTE ON FUNCTION event_gate"])
    expect(line).toContain(right);
  expect(line).toContain("`bun run migrate`");
  await sql.unsafe(describePostgresRights(APPLICATION_ROLE));
  expect(await linesOf({}, "Postgres")).toEqual([]);
});

const databases: [string, string, RegExp, has?: string][] = [
  [
    "with another encoding",
    "ENCODING 'LATIN1' LOCALE_PROVIDER libc LOCALE 'C'",
    /^refused .*LATIN1.*ENCODING 'UTF8'/,
  ],
  [
    "in a locale with two letters i",
    "ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR' LOCALE 'C'",
    /^refused Postgres: letters: .*\(tr-TR\).*two players could have one name.*LOCALE 'C.UTF-8'/,
  ],
  ["of another program", "", /already has tables.*Use an empty database/, "CREATE TABLE invoices (id int)"],
  ["that is not migrated", "", /^away Postgres: prepared: The database is not prepared .* `bun run migrate`/],
];
test.each(databases)("a database %s is named as that", async (_, options, says, has = "SELECT 1") => {
  const { url, pool: admin } = await testDatabase({ empty: true });
  const name = `tried_${crypto.randomUUID().slice(0, 8)}`;
  await admin.sql.unsafe(`CREATE DATABASE ${name} ${options} TEMPLATE template0`);
  const pool = connect(url.replace(/\/test_\w+/, `/${name}`), { poolSize: 2 });
  await pool.sql.unsafe(has);
  const [line] = await linesOf({ pool }, "Postgres");
  expect(line).toMatch(says);
  await pool.close();
  await admin.sql.unsafe(`DROP DATABASE ${name} WITH (FORCE)`);
});

test("a Postgres that is too old, and a role that owns the tables, are named", async () => {
  const role = `old_${crypto.randomUUID().slice(0, 8)}`;
  // A function of the same name is found before Postgres' own.
  await owner.pool.sql.unsafe(`CREATE ROLE ${role} LOGIN; CREATE SCHEMA ${role} AUTHORIZATION ${role};
    CREATE FUNCTION ${role}.current_setting(text) RETURNS text LANGUAGE sql AS
      $$ SELECT CASE $1 WHEN 'server_version' THEN '14.9' ELSE pg_catalog.current_setting($1) END $$;
    ALTER ROLE ${role} SET search_path = ${role}, pg_catalog, public`);
  const pool = connect(owner.env.databaseUrl.replace(/\/\/\w+@/, `//${role}@`), { poolSize: 1 });
  expect(await linesOf({ pool }, "Postgres: version")).toEqual([
    expect.stringMatching(/^refused .*Postgres is 14\.9\. Called It needs Postgres 15 or newer: upgrade it/),
  ]);
  await pool.close();
  await owner.pool.sql.unsafe(`DROP SCHEMA ${role} CASCADE; DROP ROLE ${role}`);
  expect(await linesOf({ pool: owner.pool }, "Postgres")).toEqual([
    expect.stringMatching(/^advice .*owns the tables.*Give the application a role of its own/),
  ]);
});

test("a role that Postgres does not know, and a Postgres that is away, are named, and nothing else of it is tried", async () => {
  const addresses: [string, RegExp][] = [
    [
      owner.env.databaseUrl.replace(/\/\/\w+@/, "//nobody_yet@"),
      /"nobody_yet" does not exist.*does not accept this role/,
    ],
    ["postgres://called_it@127.0.0.1:1/called_it", /Start it, or correct the host and the port/],
    ["postgres://called_it@nowhere.invalid/called_it", /the name nowhere\.invalid is not known\. Correct it/],
  ];
  for (const [url, says] of addresses) {
    const pool = connect(url, { poolSize: 1 });
    const [line, ...more] = await linesOf({ pool, redis: deps.redis }, "Postgres");
    expect(line).toMatch(says);
    expect(more).toEqual([]);
    await pool.close();
  }
});

test("a Redis that asks for another password, lacks a channel, or evicts says so, and its documented user is enough", async () => {
  const port = freePort();
  const run = (command: string) => deps.redis.call(...words(command));
  await run(`CONFIG SET port ${port}`);
  const linesFor = async (user: string, scheme = "redis") => {
    const redisUrl = `${scheme}://${user}@127.0.0.1:${port}/0`;
    const redis = connectRedis(redisUrl, "commands");
    const lines = await linesOf({ redis, env: { ...deps.env, redisUrl } }, "Redis");
    redis.disconnect();
    return lines.join("\n");
  };
  await run(describeRedisUser("documented", "secret"));
  await run("ACL SETUSER silent on >secret ~* +@all resetchannels");
  expect(await linesFor("documented:secret")).toBe("");
  expect(await linesFor("silent:secret")).toMatch(/^degraded Redis: rights: .*ACL SETUSER silent &\*/);
  expect(await linesFor("silent:other")).toMatch(
    /^away Redis: answers: .*Redis refuses the user or the password in REDIS_URL/,
  );
  expect(await linesFor("documented:secret", "rediss")).toMatch(/write redis:\/\/ instead of rediss:\/\//);
  await run("CONFIG SET maxmemory-policy allkeys-lru");
  expect(await linesFor("documented:secret")).toMatch(
    /^degraded Redis: eviction: .*allkeys-lru.*CONFIG SET maxmemory-policy noeviction/,
  );
  await run("CONFIG SET maxmemory-policy noeviction");
});

function words(command: string): [string, ...string[]] {
  const [name = "", ...rest] = command.split(" ");
  return [name, ...rest];
}
test("a mail server, a bucket, a payment provider, a collector and a folder that refuse are named, with what to change", async () => {
  const mail = Bun.listen({
    hostname: "127.0.0.1",
    port: 0,
    socket: { open: (socket) => void socket.end("554 5.7.1 no service for you\r\n"), data: () => undefined },
  });
  const [bucket, stripe] = [startS3Server(), startStripeServer()];
  const denied = "<Error><Code>AccessDenied</Code></Error>";
  bucket.refuse({ method: "PUT", answer: () => new Response(denied, { status: 403 }) });
  const dataDir = path.join(deps.env.dataDir, "..", `file-${crypto.randomUUID()}`);
  writeFileSync(dataDir, "");
  const addresses = { databaseUrl: owner.env.databaseUrl, redisUrl: owner.env.redisUrl };
  const env = await buildEnv(addresses, {
    SMTP_URL: `smtp://127.0.0.1:${mail.port}`,
    STORAGE: bucket.address,
    STRIPE_SECRET_KEY: "sk_test_another",
    STRIPE_WEBHOOK_SECRET: "whsec_of_tests_of_doctors",
    STRIPE_API_URL: stripe.url,
  });
  const lines = await linesOf({
    env: { ...env, dataDir: path.join(dataDir, "inside") },
    store: createStore(env.storage),
    collector: createSpanExporter({ url: "http://127.0.0.1:1" }),
  });
  expect(lines).toEqual([
    expect.stringMatching(/^degraded Mail: .*554.* Correct SMTP_URL/),
    expect.stringMatching(/^degraded Storage: The bucket answers 403 AccessDenied\. .*s3:PutObject/),
    expect.stringMatching(/^degraded Payments: Stripe does not know the key.* Correct STRIPE_SECRET_KEY/),
    expect.stringMatching(/^advice Traces: .*Nothing listens at this address/),
  ]);
  // Where uploads are in a bucket, and the servers are elsewhere, nothing is stored there.
  expect(await linesOf({ env: { ...deps.env, dataDir: path.join(dataDir, "inside") } }, "Data")).toEqual([
    expect.stringMatching(/^away Data folder: E\w+.* name another place/),
  ]);
  mail.stop(true);
  await Promise.all([bucket.stop(), stripe.stop()]);
});

test("a wrong setting is three lines, of a process and of the doctor, and the doctor prints its table", async () => {
  const { redisUrl, dataDir } = owner.env;
  const settings = {
    DATABASE_URL: deps.env.databaseUrl,
    REDIS_URL: redisUrl,
    DATA_DIR: dataDir,
    DEMO: "off",
  };
  const run = (file: string, variables: Record<string, string>) =>
    runProgram(file.split(" "), { ...settings, ...variables });
  const files = ["src/main.ts", "jobs/main.ts", "src/run/doctor.ts", "src/run/doctor.ts --settings"];
  for (const { code, errors } of await Promise.all(
    files.map((file) => run(file, { PUBLIC_URL: "https://a.example/b" })),
  )) {
    expect(errors.trim().split("\n")).toEqual([
      "The settings are wrong. Nothing was started.",
      "PUBLIC_URL must be http:// or https:// and a host, without a path. Correct it, or leave it out for the default (http://localhost:PORT).",
      "`bun run doctor` checks all settings, and what they lead to, without a start.",
    ]);
    expect(code).toBe(1);
  }
  // Also where no server answers yet.
  const nowhere = { DATABASE_URL: "postgres://nobody@127.0.0.1:1/none" };
  const fine = await run("src/run/doctor.ts --settings", nowhere);
  expect(fine).toEqual({ code: 0, out: "The settings can be used.\n", errors: "" });
  // The words are the names in the file of the settings.
  const unknown = await run("src/run/doctor.ts --settings PORT SMPT_URL", nowhere);
  expect([unknown.code, unknown.errors]).toEqual([
    1,
    expect.stringContaining("SMPT_URL is no setting: SMTP_URL is."),
  ]);
  const { code, out } = await run("src/run/doctor.ts", { WEB_CONCURENCY: "3" });
  expect(out).toMatch(/^advice +Settings .* WEB_CONCURENCY is no setting: WEB_CONCURRENCY is\./m);
  expect(out).toContain("A start would work.");
  expect(out).toMatch(/^ok +Postgres: version +server_version +1[78]/m);
  expect(code).toBe(0);
});
