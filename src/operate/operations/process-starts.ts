import { desc, eq } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { audit } from "#db/schema/audit.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { ROWS_SHOWN, START_ACTION } from "./contract.ts";
import type { StartView } from "./schemas.ts";

const started = v.object({ process: v.fallback(v.string(), "") });

/**
 * Records in the audit log that this process has started: no table of its own, and sealed like all other entries. Without it the
 * process works as well, so a failure is only logged.
 * @param name "web", "web-2", "worker"
 */
export async function recordStart({ pool, log }: Pick<Deps, "pool" | "log">, name: string): Promise<void> {
  try {
    await writeAudit(pool.db, {
      actor: null,
      action: START_ACTION,
      subject: { type: "process", id: process.pid },
      sessionId: null,
      before: {},
      after: { process: name },
    });
  } catch (error) {
    log.warn({ err: error }, "the start of the process could not be recorded");
  }
}

/** The last starts of processes, newest first. */
export async function listStarts(db: Queryable): Promise<StartView[]> {
  const rows = await db
    .select({ pid: audit.subjectId, after: audit.after, createdAt: audit.createdAt })
    .from(audit)
    .where(eq(audit.subjectType, "process"))
    .orderBy(desc(audit.id))
    .limit(ROWS_SHOWN);
  return rows.map(({ pid, after, createdAt }) => ({
    process: v.parse(started, after).process,
    pid,
    startedAt: createdAt.toISOString(),
  }));
}
