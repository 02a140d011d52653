import { and, asc, eq, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { queryValue, wholeNumber } from "#db/ledger/query.ts";
import { listUnusedDeposits, readDepositRoom, setDepositLimit } from "#db/ledger/spending.ts";
import { type LimitDays, limitDays } from "#db/lists/spending.ts";
import { depositLimits, statedAges } from "#db/schema/spending.ts";
import type { Deps } from "#src/base/deps.ts";
import { notFound } from "#src/base/refusal.ts";
import type { Env } from "#src/settings/env.ts";
import { findBreak, presentBreak } from "./break.ts";
import type { SpendingView } from "./schemas.ts";

/** @throws Refusal 404 where payments are off: nothing of this exists there. */
export function requirePayments({ payments }: Env): void {
  if (payments.provider === "none") throw notFound();
}

/** False where the proxy says a region without payments, or none. */
export function hasPaymentsAt({ spending: { regions } }: Env, request: Request): boolean {
  if (regions === null) return true;
  const region = request.headers.get(regions.header)?.trim().toUpperCase() ?? "";
  return region !== "" && !regions.without.includes(region);
}

/** What a player reads of the own spending. @throws Refusal 404 where payments are off. */
export async function findSpending(
  { env, pool: { db } }: Deps,
  { userId, request }: { userId: number; request: Request },
): Promise<SpendingView> {
  requirePayments(env);
  const { siteLimitCents: siteCents, helpLinks } = env.spending;
  const [limits, room, going, monthCents, unused, ageToConfirm] = await Promise.all([
    db.select().from(depositLimits).where(eq(depositLimits.userId, userId)).orderBy(asc(depositLimits.days)),
    readDepositRoom(db, { userId, siteCents }),
    findBreak(db, userId),
    readMonth(db, userId),
    listUnusedDeposits(db, userId),
    findAgeToConfirm(db, env, userId),
  ]);
  return {
    limits: limits.flatMap(({ amountCents, nextCents, nextAt, ...row }) => {
      const days = limitDays.find((known) => known === row.days);
      return days === undefined
        ? []
        : [{ days, amountCents, nextCents, nextAt: nextAt?.toISOString() ?? null }];
    }),
    room: room.map((row) => ({ ...row, freeAt: row.freeAt?.toISOString() ?? null })),
    break: going === null ? null : presentBreak(going),
    monthCents,
    unused: unused.map(({ reference, unusedCents, until }) => ({
      reference,
      amountCents: unusedCents,
      until: until.toISOString(),
    })),
    ageToConfirm,
    paymentsHere: hasPaymentsAt(env, request),
    helpLinks,
  };
}

/** Deposits that were booked in this month, without what was refunded of them. */
function readMonth(db: Queryable, userId: number): Promise<number> {
  return queryValue(db, wholeNumber)`
    SELECT coalesce(sum(p.amount_cents - p.refunded_cents), 0)
    FROM payments p JOIN journal j ON j.id = p.journal_id
    WHERE p.user_id = ${userId} AND j.created_at >= date_trunc('month', game_now(), 'UTC')`;
}

/** The age that a player has to confirm; null: none, or it was confirmed. */
export async function findAgeToConfirm(
  db: Queryable,
  { spending: { minAge } }: Env,
  userId: number,
): Promise<number | null> {
  if (minAge === null) return null;
  const stated = and(eq(statedAges.userId, userId), sql`${statedAges.years} >= ${minAge}`);
  return (await db.$count(statedAges, stated)) === 0 ? minAge : null;
}

/** Sets the viewer's own limit for deposits. @throws Refusal 404 for a period that there is not, and where payments are off. */
export async function changeLimit(
  { env, pool: { db } }: Pick<Deps, "env" | "pool">,
  { userId, days, amountCents }: { userId: number; days: string; amountCents: number | null },
): Promise<void> {
  requirePayments(env);
  const period = limitDays.find((known): known is LimitDays => String(known) === days);
  if (period === undefined) throw notFound();
  await setDepositLimit(db, { userId, days: period, amountCents });
}
