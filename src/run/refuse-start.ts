import { connect, type DatabasePool } from "#db/client.ts";
import { recordRefusedStart } from "#src/operate/work/starts.ts";
import { type Env, ownVariables, readEnv } from "#src/settings/env.ts";
import { SettingsError } from "#src/settings/settings.ts";
import { startSite } from "#src/show/site/start-site.ts";
import { describeFailure } from "./command-line.ts";

const WAIT_MS = 2_000;
const TOLD_WITHIN_MS = 2_000;
let refusing: Promise<never> | null = null;

/** Waits for what a start looks at, at most 2 s: a server may be away. Does not return once the start is refused. */
export async function waitAtStart(look: Promise<void>, maxMs = WAIT_MS): Promise<void> {
  await Promise.race([look, Bun.sleep(maxMs)]);
  await refusing;
}

/**
 * Ends this process. Why is in its output, and, where the database takes it, with what the other processes say is wrong: nobody may read
 * the log of one that does not run.
 * @param name of the process. @param pool null: it is not known.
 */
export function refuseStart(said: string, name: string, pool: DatabasePool | null): Promise<never> {
  process.stderr.write(`\n${said}\n`);
  // A database that cannot be written to, or is of another program, stays as it is.
  const told = pool && recordRefusedStart(pool.db, name, said).catch(() => undefined);
  refusing = Promise.race([told, Bun.sleep(TOLD_WITHIN_MS)]).then(() => process.exit(1));
  return refusing;
}

/** The settings of this process, which gets the name and the look of the site by them. Where they are wrong it ends, and says in a few lines which and how to correct them. */
export function readEnvOrEnd(name: string): Env | Promise<never> {
  try {
    const env = readEnv();
    startSite(env.site);
    return env;
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    return refuseStart(describeFailure(error, "The start failed."), name, ownDatabase());
  }
}

/** The database of settings of which another one is wrong. */
function ownDatabase(): DatabasePool | null {
  try {
    return connect(ownVariables()["DATABASE_URL"]?.trim() ?? "", { poolSize: 1 });
  } catch {
    return null;
  }
}
