import { eq, sql } from "drizzle-orm";
import type { Queryable } from "#db/client.ts";
import { earlierTextsOf, earlierTextsOfCall } from "#db/earlier-texts.ts";
import { listCallEntries } from "#db/ledger/list-entries.ts";
import { type CallSettlement, listCallSettlements } from "#db/ledger/list-settlements.ts";
import { pick } from "#db/pick.ts";
import { calls } from "#db/schema/calls.ts";
import { events, spots } from "#db/schema/events.ts";
import { notFound } from "#src/base/refusal.ts";
import { present } from "#src/http/present.ts";
import { presentTransaction } from "#src/money/wallet/list-transactions.ts";
import { requireOwn } from "#src/people/sign-ins/authorize.ts";
import type { Viewer } from "#src/people/sign-ins/viewer.ts";
import { poolOf } from "#src/play/spots/contract.ts";
import { shareOf } from "./compute-payouts.ts";
import { findCallViews } from "./find-call-views.ts";
import { presentSettlement } from "./present-settlement.ts";
import { paidSettlement, type PaidSettlementView, type ReceiptAnswer, type ReceiptView } from "./schemas.ts";

/**
 * A call with its receipt: when its event closed, each settlement with the numbers of its payout, and its transactions on the
 * wallet.
 * @throws Refusal 404 for an unknown call, and for another player's call unless the viewer is an admin.
 */
export async function showReceipt(
  db: Queryable,
  { viewer, callId }: { viewer: Viewer; callId: number },
  now: Date,
): Promise<ReceiptAnswer> {
  const [call] = await findCallViews(db, { callIds: [callId] }, now);
  if (call === undefined) throw notFound();
  requireOwn(viewer, call.userId);
  const [settlements, entries, closing] = await Promise.all([
    listCallSettlements(db, callId),
    listCallEntries(db, callId),
    findClosing(db, callId),
  ]);
  const paid = settlements.map((settlement, index) =>
    presentPaid(settlement, {
      wagerCents: call.wagerCents,
      beforeCents: settlements[index - 1]?.payoutCents ?? call.wagerCents,
    }),
  );
  return { call, receipt: { ...closing, settlements: paid, transactions: entries.map(presentTransaction) } };
}

function presentPaid(
  settlement: CallSettlement,
  { wagerCents, beforeCents }: { wagerCents: number; beforeCents: number },
): PaidSettlementView {
  const { payoutCents, outcome } = settlement;
  return present(paidSettlement, {
    ...settlement,
    ...presentSettlement(settlement),
    changeCents: payoutCents - beforeCents,
    formula: outcome === "won" ? formulaOf(settlement, wagerCents) : null,
  });
}

function formulaOf(settlement: CallSettlement, wagerCents: number): PaidSettlementView["formula"] {
  const { poolCents, winningPoolCents, payoutCents } = settlement;
  const { floorCents } = shareOf(wagerCents, { poolCents, winningPoolCents });
  return { poolCents, winningPoolCents, wagerCents, floorCents, extraCents: payoutCents - floorCents };
}

type Closing = Pick<ReceiptView, "cutOffAt" | "pool" | "labels" | "explained" | "explanation">;

/** When the call's event closed, and its pool. After a reset the event has those of the new round, and these are null. */
async function findClosing(db: Queryable, callId: number): Promise<Closing> {
  const rows = await selectClosing(db, callId);
  const [row] = rows;
  if (row === undefined) throw new Error(`call ${callId} has no event with spots`);
  const labels = { true: row.trueLabel, false: row.falseLabel };
  if (!row.sameRound) return { labels, cutOffAt: null, pool: null, explained: false };
  const centsOn = (side: "true" | "false") => rows.find((spot) => spot.side === side)?.poolCents ?? 0;
  return {
    labels,
    cutOffAt: earlier(row.closesAt, row.closedAt)?.toISOString() ?? null,
    pool: poolOf(centsOn("true"), centsOn("false")),
    explained: row.state === "resolved",
    ...(row.state === "resolved" && row.explanation !== "" && { explanation: row.explanation }),
  };
}

/** One row per side. */
function selectClosing(db: Queryable, callId: number) {
  return db
    .select({
      sameRound: sql`${calls.round} = ${events.round}`.mapWith(Boolean),
      ...pick(events, "state", "explanation", "closesAt", "closedAt"),
      trueLabel: earlierTextsOf.trueLabel,
      falseLabel: earlierTextsOf.falseLabel,
      side: spots.side,
      poolCents: spots.poolCents,
    })
    .from(calls)
    .innerJoin(events, eq(events.id, calls.eventId))
    .innerJoin(spots, eq(spots.eventId, events.id))
    .leftJoin(earlierTextsOfCall, sql`TRUE`)
    .where(eq(calls.id, callId));
}

/** The clock stops calls at `closesAt`, a moment before the timer closes the event. A host closes earlier. */
function earlier(one: Date | null, other: Date | null): Date | null {
  if (one === null || other === null) return one ?? other;
  return one < other ? one : other;
}
