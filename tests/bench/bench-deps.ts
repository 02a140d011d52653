import { isNull } from "drizzle-orm";
import { connect } from "#db/client.ts";
import { APPLICATION_ROLE, dataFolderOf, makeDataDir } from "#db/embedded/data-folder.ts";
import { startPostgres } from "#db/embedded/postgres.ts";
import { startRedis } from "#db/embedded/redis.ts";
import { outbox } from "#db/schema/outbox.ts";
import { migrate } from "#db/upgrade/migrate.ts";
import type { Deps } from "#src/base/deps.ts";
import { readEnv } from "#src/settings/env.ts";
import { connectDeps } from "#tests/support/connect-deps.ts";
import { makeDataFolder } from "#tests/support/product-process.ts";
import { setForStart } from "#tests/support/servers.ts";
import { waitFor } from "#tests/support/wait-for.ts";

/** The deps of a product process, on durable servers as in production. */
export type BenchDeps = Deps & { close: () => Promise<void> };

/**
 * Starts a Postgres and a Redis for one bench, and connects to them. There is no relay.
 * @param options commitTimes: Postgres records when each transaction was committed. migrated: false leaves the database empty.
 */
export async function openBenchDeps({ commitTimes = false, migrated = true } = {}): Promise<BenchDeps> {
  const { dataDir, remove } = makeDataFolder();
  const dataFolder = dataFolderOf(dataDir);
  makeDataDir(dataDir);
  if (commitTimes) await setForStart(dataFolder, "track_commit_timestamp = on");
  const servers = [
    await startPostgres(dataFolder, { durable: true }),
    await startRedis(dataFolder, { prompt: true, print: () => undefined }),
  ];
  if (migrated) await migrate(dataFolder.ownerUrl, { applicationRole: APPLICATION_ROLE });
  const secret = "a secret that is only ever used in benches";
  const env = readEnv({
    DATA_DIR: dataDir,
    SECRET_KEY: secret,
    LOG_LEVEL: "error",
    DEMO: "off",
    RATE_LIMITS: "off",
  });
  const deps = await connectDeps(env, connect(env.ownerDatabaseUrl));
  return {
    ...deps,
    close: async () => {
      await deps.close();
      await deps.pool.close();
      await Promise.all(servers.map((server) => server.stop()));
      remove();
    },
  };
}

/** Waits until the web process has broadcast all facts, so that no broadcast runs during the next measurement. */
export async function waitForBroadcasts({ pool }: BenchDeps): Promise<void> {
  const allSent = async () => (await pool.db.$count(outbox, isNull(outbox.sentAt))) === 0;
  await waitFor("the facts to be broadcast", allSent, { withinMs: 300_000 });
}
