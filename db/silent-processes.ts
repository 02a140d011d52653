import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "./client.ts";
import { readApplication } from "./pool/application-name.ts";

// Decision: a process that lives sends a statement each second from each of its threads. So Postgres knows by itself which one has
// frozen, without a table of signs of life, and forgets one that has ended, however it has ended.

const SILENT_AFTER_MS = 1_900;
/** The connections of web processes and workers, and not those of commands, which may have nothing to ask. */
const LONG_RUNNING = String.raw`^called-it \w{8} (web(-\d+)?|worker|relay) \d+ `;

/** A process that is connected and says nothing: "web-2 (process 4711 on host-a)". */
export type SilentProcess = { process: string; silentMs: number };

const row = v.object({ application: v.string(), silentMs: v.number() });

/**
 * The web processes and workers that are connected and have said nothing for some seconds, the longest first. One whose statement the
 * server works on is not among them. Says nothing behind a PgBouncer, which gives the connection of one process to another.
 */
export async function findSilentProcesses(db: Queryable): Promise<SilentProcess[]> {
  const rows = await db.execute(sql`
    SELECT min(application_name) AS application,
      (extract(epoch FROM clock_timestamp() - max(state_change)) * 1000)::float8 AS "silentMs"
    FROM pg_stat_activity
    WHERE datname = current_database() AND usename = current_user AND application_name ~ ${LONG_RUNNING}
    -- A pool that has replaced its dead connections has another name, and the dead ones may be there for long.
    GROUP BY substr(application_name, 20)
    HAVING max(state_change) < clock_timestamp() - ${SILENT_AFTER_MS} * interval '1 ms'
      AND NOT bool_or(state = 'active' AND wait_event_type IS DISTINCT FROM 'Client')
    ORDER BY 2 DESC`);
  const silent = v.parse(v.array(row), [...rows]).map(({ application, silentMs }) => ({
    process: readApplication(application) ?? application,
    silentMs,
  }));
  // A process that is frozen as a whole is named once, and not its relay too.
  const isWhole = (relay: string) =>
    silent.some(({ process }) => process !== relay && process.endsWith(relay.replace(/^relay/, "")));
  return silent.filter(({ process }) => !process.startsWith("relay") || !isWhole(process));
}
