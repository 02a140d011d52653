import { expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import path from "node:path";
import { APPLICATION_ROLE } from "#db/embedded/data-folder.ts";
import { describePostgresRights } from "#src/operate/checks/describe-rights.ts";
import { ownVariables } from "#src/settings/env.ts";
import { freePort } from "#tests/engines/free-port.ts";
import { startPostgresEngine } from "#tests/engines/postgres.ts";
import { startPgBouncer } from "#tests/proofs/engines/pgbouncer.ts";
import { figure } from "#tests/prove/figure.ts";
import { afterFile } from "#tests/support/after-file.ts";
import { testDatabase } from "#tests/support/database.ts";
import { testDeps } from "#tests/support/deps.ts";
import { waitFor } from "#tests/support/wait-for.ts";

// Whatever is wrong before a start: `bun run doctor` and the start itself say it within seconds, with what to do.
const TOP = path.join(import.meta.dir, "../../..");
const SAID_WITHIN_MS = 120_000;

const deps = await testDeps();
const { sql } = deps.pool;
const redisPort = freePort();
await deps.redis.config("SET", "port", String(redisPort));

/** The settings of a start with which all is well. */
function variablesOf(settings: Record<string, string>): Record<string, string> {
  const { env } = deps;
  const address = new URL(env.databaseUrl);
  address.username = APPLICATION_ROLE;
  return {
    ...ownVariables(),
    NODE_ENV: "development",
    DATABASE_URL: address.toString(),
    REDIS_URL: env.redisUrl,
    SECRET_KEY: env.secretKey,
    DATA_DIR: env.dataDir,
    PORT: "0",
    DEMO: "off",
    ...settings,
  };
}

/** Runs a program until it has said this, or has ended. */
async function run(file: string, settings: Record<string, string>, says: RegExp | null) {
  const startedAtMs = performance.now();
  const child = Bun.spawn([process.execPath, file], {
    cwd: TOP,
    env: variablesOf(settings),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  let output = "";
  const reading = [child.stdout, child.stderr].map(async (stream) => {
    for await (const part of stream.pipeThrough(new TextDecoderStream())) output += part;
  });
  const isSaid = () => says === null || says.test(output);
  await waitFor(`${file} to say ${says}`, () => (says !== null && isSaid()) || child.exitCode !== null, {
    withinMs: SAID_WITHIN_MS,
  }).catch(() => undefined);
  const seconds = (performance.now() - startedAtMs) / 1_000;
  if (says !== null && isSaid() && child.exitCode === null) await Bun.sleep(1_000);
  const code = child.exitCode;
  child.kill("SIGKILL");
  await child.exited;
  await Promise.all(reading);
  return { output, seconds, code };
}

/** Something that is wrong before a start. What the doctor says of other servers is in tests/operate/checks/doctor.test.ts. */
type StartFault = {
  name: string;
  /** @returns the settings that lead to it. */
  settings: () => Promise<Record<string, string>> | Record<string, string>;
  /** What the doctor and the start say: the cause, and in the same line or the next one the cure. */
  says: RegExp;
  /** "refused": the process ends. "waits": it waits for it. "goes on": it serves without it. */
  start: "refused" | "waits" | "goes on";
  end?: () => unknown;
};

/** Nothing listens there. */
const NOWHERE = "127.0.0.1:1";
const DISK_MB = 32;
const uniqueName = (start: string) => `${start}${crypto.randomUUID().slice(0, 8)}`;

/** The address of the database, changed. */
function address(change: (url: URL) => void): Record<string, string> {
  const url = new URL(deps.env.databaseUrl);
  url.username = APPLICATION_ROLE;
  change(url);
  return { DATABASE_URL: url.toString() };
}

/** The answers of another Postgres: a function of the same name is found before Postgres' own. */
async function olderPostgres(): Promise<Record<string, string>> {
  const role = uniqueName("old_");
  await sql.unsafe(`CREATE ROLE ${role} LOGIN; CREATE SCHEMA ${role} AUTHORIZATION ${role};
    CREATE FUNCTION ${role}.current_setting(text) RETURNS text LANGUAGE sql AS
      $$ SELECT CASE $1 WHEN 'server_version' THEN '14.9' ELSE pg_catalog.current_setting($1) END $$;
    ALTER ROLE ${role} SET search_path = ${role}, pg_catalog, public`);
  afterFile(() => sql.unsafe(`DROP SCHEMA ${role} CASCADE; DROP ROLE ${role}`));
  return address((url) => (url.username = role));
}

/** An empty database; with the statement, of another program. */
async function emptyDatabase(statement = "SELECT 1"): Promise<Record<string, string>> {
  const { url, pool } = await testDatabase({ empty: true });
  await pool.sql.unsafe(statement);
  return address((own) => (own.pathname = new URL(url).pathname));
}

let disk = "";
/** A folder on a disk that is nearly full. */
function fullDisk(): Record<string, string> {
  disk = path.join(deps.env.dataDir, "..", uniqueName("disk-"));
  mkdirSync(disk);
  Bun.spawnSync(["mount", "-t", "tmpfs", "-o", `size=${DISK_MB}m`, "tmpfs", disk]);
  return { DATA_DIR: disk };
}

const faults: readonly StartFault[] = [
  {
    name: "Postgres is stopped",
    settings: () => ({ DATABASE_URL: `postgres://called_it@${NOWHERE}/called_it` }),
    says: /Postgres does not answer there\. Start it/,
    start: "waits",
  },
  {
    name: "a PgBouncer that the address does not name",
    settings: async () => {
      const postgres = await startPostgresEngine();
      afterFile(() => postgres.remove());
      const bouncer = await startPgBouncer(postgres);
      afterFile(() => bouncer.stop());
      return { DATABASE_URL: bouncer.url.replace(/[?&]pgbouncer=\w+/, "") };
    },
    says: /add pgbouncer=true to DATABASE_URL/,
    start: "waits",
  },
  {
    name: "Postgres is too old",
    settings: olderPostgres,
    says: /Postgres is 14\.9\. Called It needs Postgres 15 or newer: upgrade it/,
    start: "refused",
  },
  {
    name: "the database is not migrated",
    settings: () => emptyDatabase(),
    says: /not prepared for this release\. Run `bun run migrate`/,
    start: "waits",
  },
  {
    name: "the database belongs to another program",
    settings: () => emptyDatabase("CREATE TABLE invoices (id int)"),
    says: /already has tables.*Use an empty database/,
    start: "refused",
  },
  {
    name: "the role lacks a right",
    settings: async () => {
      await sql.unsafe(`REVOKE SELECT ON reminders FROM ${APPLICATION_ROLE}`);
      return {};
    },
    says: /lacks SELECT ON reminders.*Run `bun run migrate`/,
    start: "goes on",
    end: () => sql.unsafe(describePostgresRights(APPLICATION_ROLE)),
  },
  {
    name: "the role owns the tables",
    settings: () => ({ DATABASE_URL: deps.env.databaseUrl }),
    says: /owns the tables.*Give the application a role of its own/,
    start: "goes on",
  },
  {
    name: "Redis is stopped",
    settings: () => ({ REDIS_URL: `redis://${NOWHERE}/0` }),
    says: /Redis is away.*Start Redis, or correct REDIS_URL/,
    start: "goes on",
  },
  {
    name: "Redis has no TLS, and its address has",
    settings: () => ({ REDIS_URL: `rediss://127.0.0.1:${redisPort}/0` }),
    says: /write redis:\/\/ instead of rediss:\/\//,
    start: "goes on",
  },
  {
    name: "production without a mail server",
    settings: () => ({
      NODE_ENV: "production",
      PUBLIC_URL: "https://127.0.0.1:1",
      SMTP_URL: "",
      TRUSTED_PROXIES: "127.0.0.1",
    }),
    says: /SMTP_URL is not set: no mail is sent.*Set it to the address of a mail server/,
    start: "goes on",
  },
  {
    name: "TRUSTED_PROXIES is no address",
    settings: () => ({ TRUSTED_PROXIES: "nonsense" }),
    says: /TRUSTED_PROXIES must be .*Correct it/,
    start: "refused",
  },
  {
    name: "the disk is full",
    settings: fullDisk,
    says: /Disk:? .*Less than 64 MB are free\. Make room/,
    start: "goes on",
    end: () => Bun.spawnSync(["umount", "-l", disk]),
  },
];

test("where all is well the doctor says so, and the start says nothing", async () => {
  const doctor = await run("src/run/doctor.ts", {}, null);
  expect(doctor.output).toContain("A start would work.");
  const web = await run("src/main.ts", {}, /listening/);
  expect(web.output.match(/ (WARN|ERROR) /gi) ?? []).toEqual([]);
});

test.each([...faults])(
  "$name: the doctor and the start say it, with what to do",
  async ({ name, settings, says, start, end }) => {
    const variables = await settings();
    try {
      const [doctor, web] = await Promise.all([
        run("src/run/doctor.ts", variables, null),
        run("src/main.ts", variables, says),
      ]);
      expect(doctor.output.replaceAll(/\n +-> /g, " ")).toMatch(says);
      // Redis may be away, and the start goes on without it.
      if (start !== "goes on") expect(doctor.code).toBe(1);
      expect(web.output).toMatch(says);
      expect(web.code).toBe(start === "refused" ? 1 : null);
      for (const { output } of [doctor, web]) expect(output).not.toMatch(/^IMPORTANT/m);
      for (const { output } of [doctor, web]) expect(output).not.toMatch(/Failed query|^\s+at /m);
      figure(
        `${name}: told by the doctor after ${doctor.seconds.toFixed(1)} s, by the start after ${web.seconds.toFixed(1)} s`,
      );
    } finally {
      await end?.();
    }
  },
);
