import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { type AuditEntry, writeAudit } from "#src/base/audit.ts";

/** What the audit says of a process that has started. */
export const START_ACTION = "start_process";
/** Within 5 minutes. Releases and settings are not changed so often. */
const REPEATED_MIN = 5;
/** A process that cannot stay starts again within seconds, so it is among the newest entries. */
const ENTRIES_READ = 1_000;

type Done = Partial<Pick<AuditEntry, "before" | "after" | "reason">> & { id?: number };

/** Writes what a process has done, without an actor: the database proves what an actor's lines say, and queues are in Redis. */
export const auditProcess = (db: Queryable, action: string, { id = process.pid, ...entry }: Done) =>
  writeAudit(db, { actor: null, action, subject: { type: "process", id }, sessionId: null, ...entry });

const repeatedStarts = v.array(v.object({ said: v.string() }));

/** The processes that have lately started again and again, a sentence for each. */
export async function findRepeatedStarts(db: Queryable): Promise<string[]> {
  const rows = await db.execute(sql`
    SELECT format('%s on %s has started %s times within 5 minutes.', after->>'process', after->>'host', count(*)) AS said FROM audit
    WHERE id > (SELECT max(id) FROM audit) - ${ENTRIES_READ}::int AND action = ${START_ACTION}
      AND created_at > now() - interval '5 minutes'
    GROUP BY after->>'process', after->>'host' HAVING count(*) >= ${REPEATED_MIN} ORDER BY 1`);
  return v.parse(repeatedStarts, [...rows]).map(({ said }) => said);
}
