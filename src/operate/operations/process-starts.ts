import { hostname } from "node:os";
import { and, desc, eq, inArray, or } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "#db/client.ts";
import { audit } from "#db/schema/audit.ts";
import { webhooks } from "#db/schema/webhooks.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { readVersion } from "#src/base/read-version.ts";
import { START_ACTION } from "#src/operate/work/starts.ts";
import { PAUSE_ACTION, RESUME_ACTION, ROWS_SHOWN } from "./contract.ts";
import type { StartView, SwitchView } from "./schemas.ts";

const started = v.object({
  process: v.fallback(v.string(), ""),
  /** Earlier releases do not write it. */
  release: v.fallback(v.nullable(v.string()), null),
});
const text = v.fallback(v.nullable(v.string()), null);
const switched = v.fallback(v.object({ queue: text, name: text }), { queue: null, name: null });

/**
 * Records in the audit log that this process has started: no table of its own, and sealed like all other entries. Without it the
 * process works as well, so a failure is only logged.
 * @param name "web", "web-2", "worker"
 */
export async function recordStart(
  { env, pool, log }: Pick<Deps, "env" | "pool" | "log">,
  name: string,
): Promise<void> {
  try {
    await writeAudit(pool.db, {
      actor: null,
      action: START_ACTION,
      subject: { type: "process", id: process.pid },
      sessionId: null,
      before: {},
      after: { process: name, release: readVersion(env).release, host: hostname() },
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
    .where(and(eq(audit.subjectType, "process"), eq(audit.action, START_ACTION)))
    .orderBy(desc(audit.id))
    .limit(ROWS_SHOWN);
  return rows.map(({ pid, after, createdAt }) => {
    const { process: name, release } = v.parse(started, after);
    return { process: name, pid, release, startedAt: createdAt.toISOString() };
  });
}

/** What admins, or the product itself, have lately switched: queues and webhooks. The newest first. */
export async function listSwitches(db: Queryable): Promise<SwitchView[]> {
  const rows = await db
    .select({
      action: audit.action,
      before: audit.before,
      after: audit.after,
      name: webhooks.name,
      createdAt: audit.createdAt,
    })
    .from(audit)
    .leftJoin(webhooks, and(eq(audit.subjectType, "webhook"), eq(webhooks.id, audit.subjectId)))
    .where(
      or(
        eq(audit.subjectType, "webhook"),
        and(eq(audit.subjectType, "process"), inArray(audit.action, [PAUSE_ACTION, RESUME_ACTION])),
      ),
    )
    .orderBy(desc(audit.id))
    .limit(ROWS_SHOWN);
  return rows.map(({ action, before, after, name, createdAt }) => ({
    action,
    name: v.parse(switched, after).queue ?? name ?? v.parse(switched, before).name ?? "",
    at: createdAt.toISOString(),
  }));
}
