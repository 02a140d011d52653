import { SQL } from "bun";
import * as v from "valibot";
import type { ServerOptions } from "./connections.ts";

/** The time for an answer in parts: a process that was held up reads what has arrived between them. */
const STEP_MS = 250;
const SECOND_MS = 1_000;
/** SQLSTATE 53300: the server answers, but it takes no more connections. */
const TOO_MANY_CONNECTIONS = "53300";

const saidRows = v.tuple([v.object({ writable: v.boolean(), busy: v.number() })]);

/** `application`: of the connections that are asked about. */
type Question = { application: string; sinceMs: number; withinMs: number };
/**
 * What a server says. `writable`: it takes writes, which a replica and a fenced server do not. `busy`: how many of the connections
 * are at work on a statement for at least `sinceMs`, a whole number; null where there is no room for a new connection.
 */
type Said = { writable: boolean; busy: number | null };

/**
 * The servers of one database, of which one takes writes: a primary and its replicas. Which one it is can change. The program never
 * promotes a server; it uses the one that takes writes.
 */
export class Servers {
  readonly #all: readonly ServerOptions[];
  #at = 0;

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
   * Finds the server that takes writes; a single one need only answer. Where several take writes, the current one stays: a former
   * primary that comes back by mistake is not used while the new one answers.
   * @returns "none" if none answers so in time; "other" if it was not the current one.
   */
  async find(question: Question): Promise<"none" | "same" | "other"> {
    const asked = this.#all.map(async (options) => {
      const said = await ask(options, question);
      return said !== null && (said.writable || !this.several);
    });
    if (await asked[this.#at]) return "same";
    const found = (await Promise.all(asked)).indexOf(true);
    if (found < 0) return "none";
    this.#at = found;
    return "other";
  }
}

async function ask(options: ServerOptions, question: Question): Promise<Said | null> {
  const { withinMs } = question;
  const sql = new SQL({ ...options, max: 1, connectionTimeout: Math.ceil(withinMs / SECOND_MS) });
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
      SELECT current_setting('transaction_read_only') = 'off' AS writable, count(*)::int AS busy
      FROM pg_stat_activity
      WHERE application_name = ${application} AND state = 'active'
        AND query_start < clock_timestamp() - ${sinceMs}::int * interval '1 ms'`;
    return v.parse(saidRows, Array.isArray(rows) ? [...rows] : rows)[0];
  } catch (error) {
    const isFull = error instanceof SQL.PostgresError && error.errno === TOO_MANY_CONNECTIONS;
    return isFull ? { writable: false, busy: null } : null;
  }
}

async function timeout(withinMs: number): Promise<null> {
  for (let waitedMs = 0; waitedMs < withinMs; waitedMs += STEP_MS) await Bun.sleep(STEP_MS);
  return null;
}
