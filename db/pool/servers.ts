import { SQL } from "bun";
import * as v from "valibot";
import type { ServerOptions } from "./connections.ts";

/** The time for an answer in parts: a process that was held up reads what has arrived between them. */
const STEP_MS = 250;
/** SQLSTATE 53300: the server answers, but it takes no more connections. */
const TOO_MANY_CONNECTIONS = "53300";

const saidRows = v.tuple([v.object({ writable: v.boolean(), timeline: v.number(), busy: v.number() })]);

/** `application`: of the connections that are asked about. */
type Question = { application: string; sinceMs: number; withinMs: number };
/**
 * What a server says. `writable`: it takes writes, which a replica and a fenced server do not. `timeline`: Postgres counts it up with each
 * promotion, so of two servers that take writes the lower one is a former primary; 0 for a replica. `busy`: how many of the connections
 * are at work on a statement for at least `sinceMs`, a whole number; null where there is no room for a new connection.
 */
type Said = { writable: boolean; timeline: number; busy: number | null };

/**
 * The servers of one database, of which one takes writes: a primary and its replicas. Which one it is can change. The program never
 * promotes a server; it uses the one that takes writes.
 */
export class Servers {
  readonly #all: readonly ServerOptions[];
  #at = 0;
  /** The highest timeline of a server that took writes. */
  #timeline = 0;

  /** @param all at least one. */
  constructor(all: readonly ServerOptions[]) {
    this.#all = all;
  }

  /** True if there is a choice. */
  get several(): boolean {
    return this.#all.length > 1;
  }

  /** The server that took writes last; before the first `find` the first one. */
  get current(): ServerOptions {
    const options = this.#all[this.#at];
    if (options === undefined) throw new Error("a database has at least one server");
    return options;
  }

  /** Asks the current server over a new connection. @returns null if it does not answer in time. */
  ask(question: Question): Promise<Said | null> {
    return ask(this.current, question);
  }

  /**
   * Finds the server that takes writes; a single one need only answer. Where several take writes, the one that was promoted last is
   * used, and a former primary that comes back by mistake never: no process uses an older timeline than one that it has seen.
   * @returns "none" if none answers so in time; "other" if it was not the current one.
   */
  async find(question: Question): Promise<"none" | "same" | "other"> {
    const said = await Promise.all(this.#all.map((options) => ask(options, question)));
    if (!this.several) return said[0] === null ? "none" : "same";
    const timelines = said.map((each) => (each?.writable === true ? each.timeline : 0));
    const newest = Math.max(...timelines);
    if (newest === 0 || newest < this.#timeline) return "none";
    this.#timeline = newest;
    if (timelines[this.#at] === newest) return "same";
    this.#at = timelines.indexOf(newest);
    return "other";
  }
}

async function ask(options: ServerOptions, question: Question): Promise<Said | null> {
  const { withinMs } = question;
  const sql = new SQL({ ...options, max: 1, connectionTimeout: Math.ceil(withinMs / 1_000) });
  try {
    // `answerOf` does not reject: what comes after the timeout is of no interest.
    return await Promise.race([answerOf(sql, question), timeout(withinMs)]);
  } finally {
    void sql.close({ timeout: 0 }).catch(() => undefined);
  }
}

async function answerOf(sql: SQL, { application, sinceMs }: Question): Promise<Said | null> {
  try {
    const rows: unknown = await sql`
      SELECT current_setting('transaction_read_only') = 'off' AS writable, count(*)::int AS busy,
        CASE WHEN pg_is_in_recovery() THEN 0
          ELSE ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::bigint::float8 END AS timeline
      FROM pg_stat_activity
      WHERE application_name = ${application} AND state = 'active'
        AND query_start < clock_timestamp() - ${sinceMs}::int * interval '1 ms'`;
    return v.parse(saidRows, Array.isArray(rows) ? [...rows] : rows)[0];
  } catch (error) {
    const isFull = error instanceof SQL.PostgresError && error.errno === TOO_MANY_CONNECTIONS;
    return isFull ? { writable: false, timeline: 0, busy: null } : null;
  }
}

async function timeout(withinMs: number): Promise<null> {
  for (let waitedMs = 0; waitedMs < withinMs; waitedMs += STEP_MS) await Bun.sleep(STEP_MS);
  return null;
}
