import { and, desc, eq, gt, sql } from "drizzle-orm";
import { inTransaction, type Queryable } from "#db/client.ts";
import { asRefusal, LedgerRefusal } from "#db/ledger/refusal.ts";
import type { BreakPeriod } from "#db/lists/spending.ts";
import { breaks } from "#db/schema/spending.ts";
import { writeAudit } from "#src/base/audit.ts";
import type { Deps } from "#src/base/deps.ts";
import { breaksBegun } from "#src/base/instruments.ts";
import { conflict, invalid, type Refusal } from "#src/base/refusal.ts";
import { requireUser } from "#src/people/users/roles-of-user.ts";
import { inUtc } from "./contract.ts";

// Decision: a break is kept by the database (db/sql/triggers/breaks-triggers.sql). Calls are judged and checkouts are begun by statements
// that read it, and its rows can be neither changed nor deleted before they have ended: by nobody, so no button ends one.

export type BreakRow = typeof breaks.$inferSelect;

export async function findBreak(db: Queryable, userId: number): Promise<BreakRow | null> {
  const [found] = await db
    .select()
    .from(breaks)
    .where(and(eq(breaks.userId, userId), gt(breaks.endsAt, sql`game_now()`)))
    .orderBy(desc(breaks.endsAt))
    .limit(1);
  return found ?? null;
}

export function presentBreak({ period, beganAt, endsAt }: BreakRow) {
  return { period, beganAt: beganAt.toISOString(), endsAt: endsAt.toISOString() };
}

/** Begins the user's own break. @throws Refusal 422 where one lasts as long already. */
export async function beginBreak(
  { pool }: Pick<Deps, "pool">,
  { userId, period }: { userId: number; period: BreakPeriod },
): Promise<BreakRow> {
  const row = await insertBreak(pool.db, { userId, period });
  breaksBegun.inc({ period });
  return row;
}

export async function lengthenBreak(
  { pool }: Pick<Deps, "pool">,
  { actor, ...longer }: { actor: { id: number }; userId: number; period: BreakPeriod; reason: string },
): Promise<BreakRow> {
  await requireUser(pool.db, longer.userId);
  return inTransaction(pool.db, async (tx) => {
    const before = await findBreak(tx, longer.userId);
    if (before === null) throw conflict("This player is on no break. Only players begin one.");
    const row = await insertBreak(tx, { ...longer, actorId: actor.id });
    await writeAudit(tx, {
      actor,
      action: "lengthen_break",
      subject: { type: "user", id: longer.userId },
      sessionId: null,
      before: { endsAt: before.endsAt },
      after: { endsAt: row.endsAt },
      reason: longer.reason,
    });
    return row;
  });
}

async function insertBreak(db: Queryable, row: typeof breaks.$inferInsert): Promise<BreakRow> {
  const [inserted] = await db
    .insert(breaks)
    .values(row)
    .returning()
    .catch((thrown: unknown) => {
      const error = asRefusal(thrown);
      if (!(error instanceof LedgerRefusal && error.code === "wrong_state")) throw error;
      const detail = "A break that lasts longer goes on. It can be lengthened and not shortened.";
      throw invalid({ period: ["must be longer"] }, { code: "on_break", detail });
    });
  if (inserted === undefined) throw new Error("inserting a break returned no row");
  return inserted;
}

/** 422 for a deposit or call of a player on a break. */
export function onBreak(errors: Record<string, string[]>, { endsAt }: BreakRow): Refusal {
  const detail = `You are on a break until ${inUtc(endsAt)}. Until then you make no calls and no deposits.`;
  return invalid(errors, { code: "on_break", detail });
}
