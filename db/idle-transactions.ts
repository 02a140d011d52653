import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "./client.ts";
import { IDLE_IN_TRANSACTION_MAX_MS } from "./connection-options.ts";
import { queryRows } from "./ledger/query.ts";
import { readApplication } from "./pool/application-name.ts";

// Decision: Postgres ends what is idle in a transaction by its own limit. It has none where a pooler has dropped the settings of a
// connection, and no limit holds for a process that stops reading in the middle of an answer. So processes look too. They end what a
// web process or a worker holds, and only name what others hold: a backup may wait, and an operator's psql is not ours to end.

/** A transaction that idles with locks for longer than this is named. The usual ones are idle for milliseconds. */
const NAMED_AFTER_MS = 2_000;
/** Postgres' own limit comes first. */
const ENDED_AFTER_MS = IDLE_IN_TRANSACTION_MAX_MS + 250;

/** A process that has said nothing in a transaction for so long is taken for lost, and its other statements wait in vain. */
const LOST_AFTER_MS = 2_900;

/** A transaction that keeps locks while its client says nothing, or one of another role that others wait for. */
export type IdleTransaction = {
  /** Of its server process: what `pg_terminate_backend` takes. */
  pid: number;
  /** Who holds it: "web-2 (process 4711 on host-a)", or a role with its program and address. */
  holder: string;
  since: Date;
  idleMs: number;
  /** The events whose gates it holds. */
  eventIds: number[];
  /** A web process or a worker holds it, and is taken for lost. */
  isLost: boolean;
  /** This look has ended it. */
  ended: boolean;
};

/** The number and host of a process in the name of its connections, which its pools share. */
const PROCESS = "^called-it .{8} [^ ]+ (.*)$";

const row = v.object({
  pid: v.number(),
  application: v.string(),
  role: v.string(),
  address: v.nullable(v.string()),
  since: v.date(),
  idleMs: v.number(),
  eventIds: v.array(v.pipe(v.string(), v.transform(Number))),
  isLost: v.boolean(),
  ended: v.boolean(),
});

/**
 * The transactions that idle with locks, the longest first. One that has only read is not among them: it holds nobody up. Those of
 * other roles are seen by who waits for them.
 * @param end ends those of web processes and workers that idle for longer than the server's own limit.
 */
export async function findIdleTransactions(db: Queryable, { end = false } = {}): Promise<IdleTransaction[]> {
  const rows = await queryRows(db, row)`
    WITH idle AS (
      SELECT a.pid, a.application_name AS application, a.usename::text AS role, host(a.client_addr) AS address,
        a.state_change AS since, a.usename = current_user AND a.application_name LIKE 'called-it ________ %' AS is_own
      FROM pg_stat_activity a
      WHERE a.datname = current_database() AND a.pid <> pg_backend_pid() AND a.xact_start IS NOT NULL
        AND a.wait_event_type = 'Client' AND a.state_change < clock_timestamp() - ${NAMED_AFTER_MS} * interval '1 ms'
        AND (a.backend_xid IS NOT NULL OR EXISTS (
          SELECT FROM pg_locks l WHERE l.pid = a.pid AND l.granted
            AND (l.locktype = 'advisory' OR l.mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
              AND l.locktype = 'relation')))
      UNION ALL
      SELECT b.pid, b.application_name, coalesce(b.usename, b.backend_type)::text, NULL, min(l.waitstart), false
      FROM pg_locks l CROSS JOIN LATERAL unnest(pg_blocking_pids(l.pid)) AS blocking (pid)
        JOIN pg_stat_activity b ON b.pid = blocking.pid
      WHERE NOT l.granted AND l.waitstart < clock_timestamp() - ${NAMED_AFTER_MS} * interval '1 ms'
        AND b.datname = current_database() AND b.state IS NULL
      GROUP BY 1, 2, 3
    ), timed AS (
      SELECT *, (extract(epoch FROM clock_timestamp() - since) * 1000)::float8 AS idle_ms FROM idle
    )
    SELECT pid, application, role, address, since, idle_ms AS "idleMs", ARRAY(
        SELECT (((l.classid::bigint >> 16) << 32) | l.objid::bigint)::text FROM pg_locks l
        WHERE l.pid = timed.pid AND l.granted AND l.locktype = 'advisory' AND l.objsubid = 2 AND l.classid::bigint & 65535 = 7701
        ORDER BY 1
      ) AS "eventIds",
      is_own AND idle_ms > ${LOST_AFTER_MS} AS "isLost",
      CASE WHEN ${end} AND is_own AND idle_ms > ${ENDED_AFTER_MS} THEN pg_terminate_backend(pid) ELSE false END AS ended
    FROM timed ORDER BY since`;
  return rows.map(({ application, role, address, ...idle }) => ({
    ...idle,
    idleMs: Math.round(idle.idleMs),
    holder:
      readApplication(application) ??
      `${role}, ${application || "a program"}${address === null ? "" : ` at ${address}`}`,
  }));
}

/**
 * Ends what the process of a lost transaction has waiting for locks. Each of these would get its lock in turn and keep it until it is
 * ended too, so ten of them would hold an event for ten times as long as one.
 */
export async function endWaitingStatements(db: Queryable, { pid }: IdleTransaction): Promise<void> {
  await db.execute(sql`SELECT pg_terminate_backend(b.pid) FROM pg_stat_activity a JOIN pg_stat_activity b
      ON b.datname = a.datname AND b.usename = a.usename
      AND substring(b.application_name FROM ${PROCESS}::text) = substring(a.application_name FROM ${PROCESS}::text)
    WHERE a.pid = ${pid} AND b.wait_event_type = 'Lock'
      AND b.query_start < clock_timestamp() - ${LOST_AFTER_MS} * interval '1 ms'`);
}

export function describeIdle({ holder, pid, since, eventIds }: IdleTransaction): string {
  const events = eventIds.length === 0 ? "" : `, with event ${eventIds.join(", ")}`;
  return `${holder} has held a transaction since ${since.toISOString()}${events} (server process ${pid})`;
}

// Decision: a process that lives sends a statement each second from each of its threads. So Postgres knows by itself which one has
// frozen, without a table of signs of life, and forgets one that has ended, however it has ended.

const SILENT_AFTER_MS = 1_900;
/** The connections of web processes and workers, and not those of commands, which may have nothing to ask. */
const LONG_RUNNING = String.raw`^called-it \w{8} (web(-\d+)?|worker|relay) \d+ `;

const WORKER = String.raw`^called-it \w{8} worker \d+ `;
/** By then a worker takes jobs. */
const STARTS_WITHIN_SECONDS = 10;

const workerRow = v.object({ application: v.string(), isStarting: v.boolean() });

/** The workers that are connected and say something. Behind a PgBouncer nobody knows: call it elsewhere. */
export async function findConnectedWorkers(
  db: Queryable,
): Promise<{ process: string; isStarting: boolean }[]> {
  const rows = await queryRows(db, workerRow)`
    SELECT min(application_name) AS application,
      min(backend_start) > clock_timestamp() - make_interval(secs => ${STARTS_WITHIN_SECONDS}) AS "isStarting"
    FROM pg_stat_activity
    WHERE datname = current_database() AND usename = current_user AND application_name ~ ${WORKER}
    GROUP BY substr(application_name, 20)
    HAVING max(state_change) > clock_timestamp() - ${SILENT_AFTER_MS} * interval '1 ms'`;
  return rows.map(({ application, isStarting }) => ({
    process: readApplication(application) ?? application,
    isStarting,
  }));
}

/** A process that is connected and says nothing: "web-2 (process 4711 on host-a)". */
type SilentProcess = { process: string; silentMs: number };

const silentRow = v.object({ application: v.string(), silentMs: v.number() });

/**
 * The web processes and workers that are connected and have said nothing for some seconds, the longest first. One whose statement the
 * server works on is not among them. Says nothing behind a PgBouncer, which gives the connection of one process to another.
 */
export async function findSilentProcesses(db: Queryable): Promise<SilentProcess[]> {
  const rows = await queryRows(db, silentRow)`
    SELECT min(application_name) AS application,
      (extract(epoch FROM clock_timestamp() - max(state_change)) * 1000)::float8 AS "silentMs"
    FROM pg_stat_activity
    WHERE datname = current_database() AND usename = current_user AND application_name ~ ${LONG_RUNNING}
    -- A pool that has replaced its dead connections has another name, and the dead ones may be there for long.
    GROUP BY substr(application_name, 20)
    HAVING max(state_change) < clock_timestamp() - ${SILENT_AFTER_MS} * interval '1 ms'
      AND NOT bool_or(state = 'active' AND wait_event_type IS DISTINCT FROM 'Client')
    ORDER BY 2 DESC`;
  const silent = rows.map(({ application, silentMs }) => ({
    process: readApplication(application) ?? application,
    silentMs,
  }));
  // A process that is frozen as a whole is named once, and not its relay too.
  const isWhole = (relay: string) =>
    silent.some(({ process }) => process !== relay && process.endsWith(relay.replace(/^relay/, "")));
  return silent.filter(({ process }) => !process.startsWith("relay") || !isWhole(process));
}
