import { eq, sql } from "drizzle-orm";
import * as v from "valibot";
import { inTransaction, type Transaction } from "#db/client.ts";
import { paySettlementPart } from "#db/ledger/pay-settlement-part.ts";
import { events } from "#db/schema/events.ts";
import { sessions } from "#db/schema/sessions.ts";
import type { Deps } from "#src/base/deps.ts";
import { concludePart } from "./conclude-part.ts";
import type { SettledEvent } from "./notify-players.ts";

/** Who pays a settlement; beside the other classes of advisory locks. */
const PAYER = 7_705;
/** A job or a sweep pays for so long, and then lets others have their turn. */
const TURN_MS = 1_000;

/** How far a turn has come: to the end, until its time was up, or nowhere, because somebody else is paying. */
export type Turn = "paid" | "more" | "elsewhere";

type PayDeps = Pick<Deps, "pool" | "notifyRelay">;
type Wanted = { settlementId: number; eventId: number };

/**
 * Pays part after part of a settlement, each in a transaction of its own, for about a second. Whoever is cut off has paid
 * whole parts, and the next one goes on behind them; of several at once one pays.
 * @param turnMs for so long, and at least one part.
 */
export async function paySettlement(
  deps: PayDeps,
  wanted: Wanted,
  { turnMs = TURN_MS }: { turnMs?: number } = {},
): Promise<Turn> {
  const until = performance.now() + turnMs;
  for (;;) {
    const turn = await inTransaction(deps.pool.db, (tx) => payPart(tx, wanted));
    if (turn !== "more") return turn;
    deps.notifyRelay();
    if (performance.now() >= until) return "more";
  }
}

async function payPart(tx: Transaction, { settlementId, eventId }: Wanted): Promise<Turn> {
  if (!(await becomePayer(tx, settlementId))) return "elsewhere";
  const players = await paySettlementPart(tx, settlementId);
  if (players.length === 0) return "paid";
  await concludePart(tx, await readEvent(tx, eventId), players);
  return "more";
}

/** For as long as the transaction lasts. */
async function becomePayer(tx: Transaction, settlementId: number): Promise<boolean> {
  const rows = await tx.execute(
    sql`SELECT pg_try_advisory_xact_lock(${PAYER}::int, ${settlementId}::int) AS free`,
  );
  return v.parse(v.tuple([v.object({ free: v.boolean() })]), [...rows])[0].free;
}

/** As it stands behind the gate, which whoever changes it would have to own. */
async function readEvent(tx: Transaction, eventId: number): Promise<SettledEvent> {
  const [row] = await tx
    .select({ event: events, session: sessions })
    .from(events)
    .leftJoin(sessions, eq(sessions.id, events.sessionId))
    .where(eq(events.id, eventId));
  if (row === undefined) throw new Error(`event ${eventId} is gone although it is being paid`);
  return row;
}
