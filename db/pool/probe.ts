import { SQL } from "bun";
import * as v from "valibot";

/** The timeout in parts: a process that was held up reads what has arrived between them. */
const STEP_MS = 250;
const SECOND_MS = 1_000;
/** SQLSTATE 53300: the server answers, but it takes no more connections. */
const TOO_MANY_CONNECTIONS = "53300";

const busyRows = v.tuple([v.object({ busy: v.number() })]);
const writableRows = v.tuple([v.object({ writable: v.boolean() })]);

/** What a new connection says. `busy`: see `countBusy`. */
export type Probe = { answers: true; busy: number | null } | { answers: false };

/** The connection options of one server. */
type Options = Bun.SQL.PostgresOrMySQLOptions;

/**
 * Asks the server, over a new connection and within `withinMs`, how many connections of an application are at work on a
 * statement for at least `sinceMs`, a whole number. Where there is no room for a new connection, it answers without the number.
 */
export async function probe(
  options: Options,
  { application, sinceMs, withinMs }: { application: string; sinceMs: number; withinMs: number },
): Promise<Probe> {
  const said = await askOnce(options, withinMs, (sql) => countBusy(sql, application, sinceMs));
  return said ?? { answers: false };
}

/** Asks a server, over a new connection and within `withinMs`, whether it takes writes: a replica and a fenced server take none. */
export async function takesWrites(options: Options, withinMs: number): Promise<boolean> {
  return (await askOnce(options, withinMs, readWritable)) === true;
}

async function readWritable(sql: SQL): Promise<boolean> {
  try {
    const rows: unknown = await sql`SELECT current_setting('transaction_read_only') = 'off' AS writable`;
    return v.parse(writableRows, Array.isArray(rows) ? [...rows] : rows)[0].writable;
  } catch {
    return false;
  }
}

/** Opens a connection for one question. @returns null if there is no answer in time. */
async function askOnce<Answer>(
  options: Options,
  withinMs: number,
  ask: (sql: SQL) => Promise<Answer>,
): Promise<Answer | null> {
  const sql = new SQL({ ...options, max: 1, connectionTimeout: Math.ceil(withinMs / SECOND_MS) });
  const asked = ask(sql);
  try {
    return await Promise.race([asked, timeout(withinMs)]);
  } finally {
    // What comes after the timeout is of no interest.
    asked.catch(() => undefined);
    void sql.close({ timeout: 0 }).catch(() => undefined);
  }
}

async function timeout(withinMs: number): Promise<null> {
  for (let waitedMs = 0; waitedMs < withinMs; waitedMs += STEP_MS) await Bun.sleep(STEP_MS);
  return null;
}

async function countBusy(sql: SQL, application: string, sinceMs: number): Promise<Probe> {
  try {
    const rows: unknown = await sql`
      SELECT count(*)::int AS busy FROM pg_stat_activity
      WHERE application_name = ${application} AND state = 'active'
        AND query_start < clock_timestamp() - ${sinceMs}::int * interval '1 ms'`;
    const [{ busy }] = v.parse(busyRows, Array.isArray(rows) ? [...rows] : rows);
    return { answers: true, busy };
  } catch (error) {
    if (error instanceof SQL.PostgresError && error.errno === TOO_MANY_CONNECTIONS) {
      return { answers: true, busy: null };
    }
    return { answers: false };
  }
}
