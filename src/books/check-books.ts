import { desc, eq, inArray, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { inTransaction, type Transaction } from "#db/client.ts";
import type { DifferingRow } from "#db/ledger/list-differing-rows.ts";
import { listDifferingRows } from "#db/ledger/list-differing-rows.ts";
import type { BookCheck } from "#db/ledger/reconcile.ts";
import { bookChecks } from "#db/schema/books.ts";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { notifyStaff } from "#src/notifications/notify-staff.ts";
import { readFindings } from "./present-book-check.ts";
import { runChecks } from "./run-checks.ts";
import type { FindingRow } from "./schemas.ts";
import type { FindingView } from "./schemas.ts";

const ROWS_MAX = 10;
/** Two checks that end together are written one after the other: a difference is told once. */
const WRITING_CHECKS = 7_702;

export type BookCheckRow = typeof bookChecks.$inferSelect;

/**
 * Checks the books and the scores, and writes down what was found. What the check before had not found is told to the staff;
 * every difference is logged, each time.
 * @param actor who asked for it; null for the schedule.
 */
export async function checkBooks(
  { pool, log, notifyRelay }: Pick<Deps, "pool" | "log" | "notifyRelay">,
  actor: { id: number } | null,
): Promise<BookCheckRow> {
  const start = performance.now();
  const checks = await runChecks(pool.db);
  const durationMs = Math.round(performance.now() - start);
  const findings = await Promise.all(
    checks.map(async (check): Promise<FindingView> => ({ ...check, rows: await rowsOf(pool, check) })),
  );
  const differences = checks.filter(({ bad }) => bad !== 0);
  if (differences.length > 0) log.fatal({ differences }, "the books do not agree");
  const written = await inTransaction(pool.db, async (tx) => {
    await tx.execute(sql`SELECT pg_advisory_xact_lock(${WRITING_CHECKS})`);
    await tellNew(tx, differences);
    const actorId = actor?.id ?? null;
    return tx
      .insert(bookChecks)
      .values({ durationMs, findings, differencesCount: differences.length, actorId })
      .returning();
  });
  notifyRelay();
  const [row] = written;
  if (row === undefined) throw new Error("an insert answers its row");
  return row;
}

async function rowsOf({ db }: Deps["pool"], { name, bad }: BookCheck): Promise<FindingRow[]> {
  return bad === 0 ? [] : nameSessions(db, await listDifferingRows(db, name, { limit: ROWS_MAX }));
}

/** A difference is told when it appears, and not again before it has gone. */
async function tellNew(tx: Transaction, differences: readonly BookCheck[]): Promise<void> {
  const [before] = await tx.select().from(bookChecks).orderBy(desc(bookChecks.id)).limit(1);
  const known = new Set(
    readFindings(before?.findings ?? [])
      .filter(({ bad }) => bad !== 0)
      .map(({ name }) => name),
  );
  const appeared = differences.filter(({ name }) => !known.has(name));
  if (appeared.length === 0) return;
  await notifyStaff(tx, {
    title: "The books do not agree",
    body: appeared.map(({ name, bad }) => `${name}: ${bad}`).join("; "),
    url: "/admin/books",
  });
}

/** Says of each row to which session its event belongs, so that a page can lead there. */
export async function nameSessions(db: Queryable, rows: readonly DifferingRow[]): Promise<FindingRow[]> {
  const eventIds = rows.flatMap(({ eventId }) => eventId ?? []);
  const found = await db
    .select({ eventId: events.id, slug: sessions.slug })
    .from(events)
    .innerJoin(sessions, eq(sessions.id, events.sessionId))
    .where(inArray(events.id, eventIds));
  const slugs = new Map(found.map(({ eventId, slug }) => [eventId, slug]));
  return rows.map((row) => ({ ...row, sessionSlug: slugs.get(row.eventId ?? 0) ?? null }));
}
