import { desc, eq, sql } from "drizzle-orm";
import { inTransaction, type Queryable, type Transaction } from "#db/client.ts";
import { type BookCheck, type DifferingRow, listDifferingRows } from "#db/ledger/list-book-checks.ts";
import { anyOf } from "#db/ledger/query.ts";
import { bookChecks } from "#db/schema/books.ts";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { madeRow, type MaybeKeyed, once, stillThere } from "#src/base/once.ts";
import { notifyStaff } from "#src/people/notifications/write-notifications.ts";
import { readFindings } from "./present-book-check.ts";
import { runChecks } from "./run-checks.ts";
import type { FindingRow, FindingView } from "./schemas.ts";

/** Differing rows that a finding lists. */
const ROWS_MAX = 10;
/** Key of the advisory lock under which checks are written one at a time, so that a difference notifies the staff once. */
const CHECKS_LOCK = 7_702;

export type BookCheckRow = typeof bookChecks.$inferSelect;

/**
 * Checks the books (ledger, scores, events, payments) and stores the findings as a row. The books page only reads that row.
 * Every difference is logged each time. The staff is notified of a difference when it appears, and not again before it has
 * disappeared.
 * @param actor who requested the check; null for the schedule.
 */
export async function checkBooks(
  { pool, log, notifyRelay }: Pick<Deps, "pool" | "log" | "notifyRelay">,
  actor: { id: number } | null,
  keyed: MaybeKeyed = null,
): Promise<BookCheckRow> {
  const start = performance.now();
  const checks = await runChecks(pool.db);
  const durationMs = Math.round(performance.now() - start);
  const findings = await Promise.all(
    checks.map(async (check): Promise<FindingView> => ({ ...check, rows: await rowsOf(pool, check) })),
  );
  const differences = checks.filter(({ bad }) => bad !== 0);
  if (differences.length > 0) log.fatal({ differences }, "the books do not agree");
  const row = await inTransaction(pool.db, async (tx) => {
    const { id } = await once(tx, keyed, madeRow, async () => {
      await tx.execute(sql`SELECT pg_advisory_xact_lock(${CHECKS_LOCK})`);
      await notifyOfNew(tx, differences);
      const values = {
        durationMs,
        findings,
        differencesCount: differences.length,
        actorId: actor?.id ?? null,
      };
      return stillThere(await tx.insert(bookChecks).values(values).returning({ id: bookChecks.id }));
    });
    return stillThere(await tx.select().from(bookChecks).where(eq(bookChecks.id, id)));
  });
  notifyRelay();
  return row;
}

async function rowsOf({ db }: Deps["pool"], { name, bad }: BookCheck): Promise<FindingRow[]> {
  return bad === 0 ? [] : addSessions(db, await listDifferingRows(db, name, { limit: ROWS_MAX }));
}

/** Notifies the staff of the differences that the previous check did not find. */
async function notifyOfNew(tx: Transaction, differences: readonly BookCheck[]): Promise<void> {
  const [previous] = await tx.select().from(bookChecks).orderBy(desc(bookChecks.id)).limit(1);
  const known = new Set(
    readFindings(previous?.findings ?? [])
      .filter(({ bad }) => bad !== 0)
      .map(({ name }) => name),
  );
  const newDifferences = differences.filter(({ name }) => !known.has(name));
  if (newDifferences.length === 0) return;
  await notifyStaff(tx, {
    title: "The books do not agree",
    body: newDifferences.map(({ name, bad }) => `${name}: ${bad}`).join("; "),
    url: "/admin/books",
  });
}

/** Adds to each row the session of its event, so that the page can link to it. */
async function addSessions(db: Queryable, rows: readonly DifferingRow[]): Promise<FindingRow[]> {
  const eventIds = rows.flatMap(({ eventId }) => eventId ?? []);
  const sessionsOfEvents = await db
    .select({ eventId: events.id, slug: sessions.slug })
    .from(events)
    .innerJoin(sessions, eq(sessions.id, events.sessionId))
    .where(anyOf(events.id, eventIds));
  const slugs = new Map(sessionsOfEvents.map(({ eventId, slug }) => [eventId, slug]));
  return rows.map((row) => ({ ...row, sessionSlug: slugs.get(row.eventId ?? 0) ?? null }));
}
