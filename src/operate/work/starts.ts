import { hostname } from "node:os";
import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { queryColumn } from "#db/ledger/query.ts";
import { type AuditEntry, writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { hideValues } from "#src/base/describe-error.ts";
import { readVersion } from "#src/base/read-version.ts";

/** What the audit says of a process that has started, and of one that was told to stop. */
export const START_ACTION = "start_process";
const STOP_ACTION = "stop_process";
/** And of one that has refused to. */
const REFUSE_ACTION = "refuse_start";
const REASON_LENGTH_MAX = 500;
/** Within 5 minutes. */
const REPEATED_MIN = 5;
/** A process that cannot stay starts again within seconds, so it is among the newest entries. */
const ENTRIES_READ = 1_000;

type Done = Partial<Pick<AuditEntry, "before" | "after" | "reason">> & { id?: number };

/** Writes what a process has done, without an actor: the database proves what an actor's lines say, and queues are in Redis. */
export const auditProcess = (db: Queryable, action: string, { id = process.pid, ...entry }: Done) =>
  writeAudit(db, { actor: null, action, subject: { type: "process", id }, sessionId: null, ...entry });

/**
 * Records in the audit that this process has started, or was told to stop: it has no table of its own. A failure is only logged.
 * @param name "web", "web-2", "worker"
 */
export async function recordProcess(
  { env, pool, log }: Pick<Deps, "env" | "pool" | "log">,
  action: typeof START_ACTION | typeof STOP_ACTION,
  name: string,
): Promise<void> {
  try {
    const after = { process: name, release: readVersion(env).release, host: hostname() };
    await auditProcess(pool.db, action, { after });
  } catch (error) {
    log.warn({ err: error }, "what the process does could not be recorded");
  }
}

const isNew = sql`id > (SELECT max(id) FROM audit) - ${ENTRIES_READ}::int`;

/** The processes that have lately started again and again without being told to stop, a sentence for each. */
export function findRepeatedStarts(db: Queryable): Promise<string[]> {
  return queryColumn(db, v.string())`
    SELECT format('%s on %s has started %s times within 5 minutes, and nobody has stopped it.', after->>'process', after->>'host', count(*)) AS said
    FROM (
      SELECT action, after, created_at, lag(action) OVER (PARTITION BY after->>'process', after->>'host' ORDER BY id) AS earlier FROM audit
      WHERE ${isNew} AND action IN (${START_ACTION}, ${STOP_ACTION})
    ) AS lives
    WHERE action = ${START_ACTION} AND earlier IS DISTINCT FROM ${STOP_ACTION} AND created_at > now() - interval '5 minutes'
    GROUP BY after->>'process', after->>'host' HAVING count(*) >= ${REPEATED_MIN} ORDER BY 1`;
}

/**
 * The processes that have refused their start within the last hour, and have not started since: a sentence for each. One that was taken away
 * is not said for ever: a container has another host each time.
 */
export function findRefusedStarts(db: Queryable): Promise<string[]> {
  return queryColumn(db, v.string())`
    SELECT format('%s on %s: %s', after->>'process', after->>'host', reason) AS said FROM (
      SELECT DISTINCT ON (after->>'process', after->>'host') action, after, reason, created_at FROM audit
      WHERE ${isNew} AND action IN (${START_ACTION}, ${REFUSE_ACTION}) ORDER BY after->>'process', after->>'host', id DESC
    ) AS newest WHERE action = ${REFUSE_ACTION} AND created_at > now() - interval '1 hour' ORDER BY 1`;
}

/**
 * Records for the other processes that this one refuses its start. What is known already is not recorded again: it may be started each second.
 * @param name "web", "web-2", "worker"
 */
export async function recordRefusedStart(db: Queryable, name: string, said: string): Promise<void> {
  const [host, reason] = [hostname(), hideValues(said).slice(0, REASON_LENGTH_MAX)];
  if ((await findRefusedStarts(db)).includes(`${name} on ${host}: ${reason}`)) return;
  await auditProcess(db, REFUSE_ACTION, { after: { process: name, host }, reason });
}
