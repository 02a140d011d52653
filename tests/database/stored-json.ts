import { eq, sql } from "drizzle-orm";
import { audit, auditPersonal } from "#db/schema/audit.ts";
import { dryRuns } from "#db/schema/dry-runs.ts";
import { idempotencyKeys } from "#db/schema/idempotency-keys.ts";
import { mails } from "#db/schema/mails.ts";
import { outbox } from "#db/schema/outbox.ts";
import { sessionLog } from "#db/schema/session-log.ts";
import { findUnsent, markSent } from "#src/base/outbox/outbox-rows.ts";
import { findDryRun } from "#src/dry-runs/find-dry-runs.ts";
import { listStoredLetters } from "#src/mail/stored-letters.ts";
import { writeMail } from "#src/mail/write-mail.ts";
import { listStarts } from "#src/operate/operations/what-happened.ts";
import { announce } from "#src/people/notifications/announce.ts";
import { readEntries } from "#src/replays/read-entries.ts";
import { readActs } from "#src/replays/read-steps.ts";
import { listAudit } from "#src/show/sessions/list-audit.ts";
import { buildAdmin, buildBlueprint, buildPlayer, buildSession, only } from "#tests/support/build.ts";
import type { TestDeps } from "#tests/support/deps.ts";

/*
 * Each function stores JSON in a row, as another release might have done, and reads it the way the product does.
 */

const firstPage = { page: 1, perPage: 25, offset: 0 };

type AuditValues = { before: unknown; after: unknown };

/** An entry of a session's audit log, as admins and replays read it. */
export async function readAudit(deps: TestDeps, values: AuditValues): Promise<unknown> {
  const { db } = deps.pool;
  const { id: sessionId, slug } = await buildSession(deps);
  const subject = { subjectType: "session", subjectId: sessionId, sessionId };
  await db.insert(audit).values({ action: "update_session", ...subject, ...values });
  await readActs(db, sessionId);
  const shown = await listAudit(db, { slugOrId: slug, page: firstPage }, new Date());
  return shown.audit[0];
}

/** The same for values that are personal. */
export async function readPersonalAudit(deps: TestDeps, values: AuditValues): Promise<unknown> {
  const { db } = deps.pool;
  const { id: userId } = await buildPlayer(deps);
  const { id: sessionId, slug } = await buildSession(deps);
  const subject = { subjectType: "user", subjectId: userId, sessionId };
  const entry = only(
    await db
      .insert(audit)
      .values({ action: "rename", ...subject })
      .returning(),
  );
  await db.insert(auditPersonal).values({ auditId: entry.id, userId, ...values });
  const shown = await listAudit(db, { slugOrId: slug, page: firstPage }, new Date());
  return shown.audit[0];
}

/** The start of a process, as operators read it. */
export async function readStart({ pool }: TestDeps, after: unknown): Promise<unknown> {
  const start = { action: "start_process", subjectType: "process", subjectId: 7, before: {}, after };
  await pool.db.insert(audit).values(start);
  return (await listStarts(pool.db))[0];
}

/** An entry of a session's log. */
export async function readLogEntry(
  deps: TestDeps,
  { kind, detail }: { kind: "session" | "event" | "exclusion" | "guest"; detail: unknown },
): Promise<unknown> {
  const { id: sessionId } = await buildSession(deps);
  await deps.pool.db.transaction(async (tx) => {
    // Only triggers may write the log.
    await tx.execute(sql`SET LOCAL session_replication_role = replica`);
    await tx.insert(sessionLog).values({ step: 2 ** 40, sessionId, kind, subjectId: 1, detail });
  });
  const steps = await Array.fromAsync(readEntries(deps.pool.db, sessionId));
  return steps.at(-1)?.entries[0];
}

/** A fact, as the relay reads it; null if it cannot be read. */
export async function readFact({ pool }: TestDeps, stored: { kind: string; payload: unknown }) {
  return pool.db.transaction(async (tx) => {
    await tx.insert(outbox).values(stored);
    const facts = await findUnsent(tx, "facts", 1_000);
    const followUps = await findUnsent(tx, "followUps", 1_000);
    await markSent(tx, [...facts, ...followUps]);
    return [...facts, ...followUps].toSorted((one, other) => one.id - other.id).at(-1)?.fact ?? null;
  });
}

/** A letter that was stored because there is no mail server. */
export async function readLetter({ pool }: TestDeps, kept: unknown): Promise<unknown> {
  const id = await writeMail(pool.db, { kind: "unlock", recipient: "ana@example.com" });
  await pool.db.update(mails).set({ kept }).where(eq(mails.id, id));
  return (await listStoredLetters(pool.db))[0];
}

/** The answer to a request that is repeated with its Idempotency-Key. */
export async function repeatRequest(deps: TestDeps, outcome: unknown): Promise<unknown> {
  const actor = await buildAdmin(deps);
  const announcement = { actor, title: "Hello", body: "" };
  const keyed = { actor, purpose: "announcement", key: crypto.randomUUID(), request: {} };
  await announce(deps, announcement, keyed);
  await deps.pool.db.update(idempotencyKeys).set({ outcome }).where(eq(idempotencyKeys.key, keyed.key));
  return announce(deps, announcement, keyed);
}

/** A dry run that is over, with its report if it has one. */
export async function readDryRun(
  deps: TestDeps,
  { plan, options, report }: { plan: unknown; options: unknown; report?: unknown },
): Promise<unknown> {
  const { db } = deps.pool;
  const { id: actorId } = await buildAdmin(deps);
  const blueprint = await buildBlueprint(deps);
  const end =
    report === undefined
      ? { state: "cancelled" as const }
      : { state: "done" as const, report: JSON.stringify(report) };
  const rows = await db
    .insert(dryRuns)
    .values({ blueprintId: blueprint.id, actorId, plan, options, endedAt: new Date(), ...end })
    .returning({ id: dryRuns.id });
  return (await findDryRun(db, only(rows).id)).dryRun;
}
