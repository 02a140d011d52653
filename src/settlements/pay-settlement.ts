import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction, type Transaction } from "#db/client.ts";
import { paySettlementPart } from "#db/ledger/pay-settlement-part.ts";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { concludePart } from "./conclude-part.ts";
import type { SettledEvent } from "./notify-players.ts";

/** The class of the advisory lock that a process holds while it pays a part; other classes are in db/. */
const PAYER_LOCK_CLASS = 7_705;
/** A job or a sweep pays for this long, and then lets other work run. */
const BUDGET_MS = 1_000;

/** How a run ended: all calls are paid, its time was up, or another process is paying. */
export type PayProgress = "paid" | "unfinished" | "locked";

type PayDeps = Pick<Deps, "pool" | "notifyRelay">;
type UnpaidSettlement = { settlementId: number; eventId: number };

/**
 * Pays the parts of a large settlement for about a second, each part in a transaction of its own.
 *
 * A settlement of more than `settle_at_once_max` calls (5,000) is decided in the transaction that resolves the event, and then
 * paid here in parts of `settle_part_max` calls (500). Each part writes its journal entries, results, scores, notifications
 * and its fact of the outbox. The settlement row records the progress, so that a killed process has paid whole parts only,
 * and the next process continues. Of several processes one pays at a time: a worker's job, or the sweep of any process.
 *
 * A part consists of whole players, from the highest user id down. A request that waits for a wallet of this part while it
 * holds lower ones then finds the next players paid already. Money that a part has taken and not yet paid out is on the
 * account `clearing`, which is empty when no settlement is being paid.
 * @param options budgetMs: pays for this long, and at least one part.
 */
export async function paySettlement(
  deps: PayDeps,
  settlement: UnpaidSettlement,
  { budgetMs = BUDGET_MS }: { budgetMs?: number } = {},
): Promise<PayProgress> {
  const until = performance.now() + budgetMs;
  for (;;) {
    const progress = await inTransaction(deps.pool.db, (tx) => payPart(tx, settlement));
    if (progress !== "unfinished") return progress;
    deps.notifyRelay();
    if (performance.now() >= until) return "unfinished";
  }
}

async function payPart(tx: Transaction, { settlementId, eventId }: UnpaidSettlement): Promise<PayProgress> {
  if (!(await tryPayerLock(tx, settlementId))) return "locked";
  const players = await paySettlementPart(tx, settlementId);
  if (players.length === 0) return "paid";
  await concludePart(tx, await readEvent(tx, eventId), players);
  return "unfinished";
}

/** Takes the lock of the only payer until the transaction ends. */
async function tryPayerLock(tx: Transaction, settlementId: number): Promise<boolean> {
  const rows = await tx.execute(
    sql`SELECT pg_try_advisory_xact_lock(${PAYER_LOCK_CLASS}::int, ${settlementId}::int) AS free`,
  );
  return v.parse(v.tuple([v.object({ free: v.boolean() })]), [...rows])[0].free;
}

/** Reads the event behind its gate, which a change of the event would need too. */
async function readEvent(tx: Transaction, eventId: number): Promise<SettledEvent> {
  const [row] = await tx
    .select({ event: events, session: sessions })
    .from(events)
    .leftJoin(sessions, eq(sessions.id, events.sessionId))
    .where(eq(events.id, eventId));
  if (row === undefined) throw new Error(`event ${eventId} is missing although it is being paid`);
  return row;
}
