import { readBackupAddress, tryPlace } from "#src/backup/places.ts";
import { createLog } from "#src/base/log.ts";
import { openDatabase } from "#src/base/open-database.ts";
import { connectRedis } from "#src/base/redis.ts";
import { type Check, type Result, runChecks, tableOf, well } from "#src/operate/checks/check.ts";
import { doctorChecks, START_WITHIN_MS } from "#src/operate/checks/checks.ts";
import { describePostgresRights, describeRedisUser } from "#src/operate/checks/describe-rights.ts";
import { createStore } from "#src/people/storage/create-store.ts";
import { type Env, readBackupSettings, readEnv } from "#src/settings/env.ts";
import { refuseUnknown } from "#src/settings/unknown-names.ts";
import { runCommand } from "./command-line.ts";
import { startTracing } from "./start-tracing.ts";

/** Below the time that a check has: then the cause can be said. */
const SILENT_MS = 4_000;

/** Whether backups can go where the settings send them. The doctor alone tries it: processes have no such setting. */
const placeCheck: Check<unknown> = {
  part: "Backups",
  at: ["doctor"],
  severity: "degraded",
  how: "a small file is written, read, listed and removed in BACKUP_TO",
  silent: "failed",
  cure: "Correct BACKUP_TO, or let its key do s3:PutObject, s3:GetObject, s3:ListBucket and s3:DeleteObject there (deploy/backup.md).",
  find: async () => {
    const { to, keys } = readBackupSettings();
    return well(to === null ? "not set" : await tryPlace(readBackupAddress(to, keys, SILENT_MS)));
  },
};

// bun run doctor: tries what the product needs, with the settings of this shell, and prints it as a table, without a start. It ends with 1
// if a start would be refused or would have to wait.
// With --settings it only reads the settings, which needs no server. Words are the names in the file of the settings (deploy/called-it).
// With --backups it tries the place of backups alone. Who runs processes there is another user than who writes backups.
// With --rights it prints the rights that Postgres and Redis have to give, as in deploy/postgres.md and deploy/redis.md.
await runCommand(async ({ say }) => {
  if (process.argv.includes("--rights")) {
    say(`${describePostgresRights("called_it")}\n\n${describeRedisUser("called_it", "password")}`);
    return;
  }
  refuseUnknown(process.argv.slice(2).filter((word) => !word.startsWith("--")));
  const env = readEnv();
  if (process.argv.includes("--settings")) {
    say("The settings can be used.");
    return;
  }
  if (process.argv.includes("--backups")) {
    say(tableOf(await runChecks({}, [placeCheck], START_WITHIN_MS)));
    return;
  }
  const pool = openDatabase(env, createLog({ ...env, logLevel: "silent" }, "doctor"));
  const redis = connectRedis(env.redisUrl, "commands");
  const tracing = await startTracing(env, "doctor");
  const checks = readBackupSettings().to === null ? doctorChecks : [...doctorChecks, placeCheck];
  const needs = { env, pool, redis, store: createStore(env.storage), collector: tracing.collector };
  const results = (await runChecks({ ...needs, sendsMails: true }, checks, START_WITHIN_MS)).map((result) =>
    ownServer(env, result),
  );
  say(tableOf(results));
  const isStartable = results.every(({ severity }) => severity !== "refused" && severity !== "away");
  say(isStartable ? "\nA start would work." : "\nA start would not work: see the lines above.");
  if (!isStartable) process.exitCode = 1;
  redis.disconnect();
  await pool.close();
  await tracing.stop();
});

/** The product's own servers run only while it runs. */
function ownServer({ embedded }: Env, result: Result): Result {
  const [server = ""] = result.what.split(":");
  const isOwn = (server === "Postgres" && embedded.database) || (server === "Redis" && embedded.redis);
  if (!isOwn || result.severity !== "away") return result;
  return {
    ...result,
    state: "unknown",
    severity: null,
    said: "its own server: `bun run start` starts and prepares it",
    cure: "",
  };
}
