import { and, eq, ne, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { allowTimeForCrowd } from "#db/ledger/allow-time.ts";
import { isCrowd } from "#db/ledger/is-crowd.ts";
import { listUnpaidSettlements } from "#db/ledger/list-unpaid-settlements.ts";
import { settleEvent } from "#db/ledger/settle-event.ts";
import { calls } from "#db/schema/calls.ts";
import { events } from "#db/schema/events.ts";
import type { Deps } from "#src/base/deps.ts";
import { conflict, invalid } from "#src/base/refusal.ts";
import { keepResults } from "#src/leaderboard/keep-results.ts";
import { correctionsOf } from "#src/settlements/conclude-part.ts";
import { notifyCorrections } from "#src/settlements/notify-players.ts";
import { stillPaying } from "#src/settlements/still-paying.ts";
import { resetSpots } from "#src/spots/reset-spots.ts";
import { moveEvent, requireTransition } from "./move-event.ts";
import { notPending } from "./note-result.ts";
import { refundCalls } from "./refund-calls.ts";
import { requireNoStake } from "./require-no-stake.ts";
import { type EventOrder, type EventRow, type LockedEvent, withEvent } from "./with-event.ts";

/** What the books say of a settlement that is taken back where nobody had called, and so nobody must say why. */
const EMPTY_REASON = "Reset.";

/**
 * Makes a draft of an event again, for a new round: its active calls are refunded, what was paid is taken back by
 * compensating entries, and its times are forgotten.
 * @throws Refusal 422 where the table says no or the reason is missing although money moves; 403 for whoever has a call
 *   on the event; 409 for a crowd whose money has not been given back in parts before.
 */
export function resetEvent(deps: Deps, order: EventOrder & { reason?: string | null }): Promise<EventRow> {
  return withEvent(deps, order, async (tx, locked) => {
    requireTransition(locked, "reset");
    await requireNoStake(tx, locked, "reset");
    const reason = order.reason || null;
    if (reason === null && (await movesMoney(tx, locked))) throw invalid({ reason: ["is required"] });
    await requirePaidBack(tx, locked);
    await takeBack(tx, locked, reason);
    await refundCalls(tx, locked, reason);
    await resetSpots(tx, locked.event.id);
    const draft = await moveEvent(tx, locked, "reset", {
      ...blank,
      nextTransition: null,
      dueAt: null,
      reason,
    });
    await keepResults(tx, draft.id);
    return draft;
  });
}

/** A void has given everything back already. */
async function movesMoney(tx: Transaction, { event }: LockedEvent): Promise<boolean> {
  if (event.result === "void") return false;
  const ofRound = and(eq(calls.eventId, event.id), eq(calls.round, event.round));
  return (await tx.$count(calls, and(ofRound, ne(calls.state, "soft_destroyed")))) > 0;
}

/** A new round begins when all money of the old one is back; a crowd's comes back in parts, by voiding the event. */
async function requirePaidBack(tx: Transaction, { event }: LockedEvent): Promise<void> {
  const [unpaid] = await listUnpaidSettlements(tx, [event.id]);
  if (unpaid !== undefined) throw stillPaying(unpaid, "Reset it afterwards.");
  if (!(await isCrowd(tx, event.id))) return;
  if (event.result !== "void") {
    throw conflict(
      "It has too many calls to be reset at once. Resolve it as void, and reset it when all are refunded.",
    );
  }
  // Its results are taken back from as many scores.
  await allowTimeForCrowd(tx);
}

async function takeBack(tx: Transaction, locked: LockedEvent, reason: string | null): Promise<void> {
  const { event, actor } = locked;
  if (event.result === null || event.result === "void") return;
  const { paid } = await settleEvent(tx, {
    eventId: event.id,
    result: "void",
    reason: reason ?? EMPTY_REASON,
    actorId: actor?.id ?? null,
  });
  await notifyCorrections(tx, locked, correctionsOf(paid ?? []), {
    now: "The result was taken back.",
    reason,
  });
}

const blank = {
  ...notPending,
  round: sql`${events.round} + 1`,
  result: null,
  resultReason: null,
  publishedAt: null,
  opensAt: null,
  openedAt: null,
  closesAt: null,
  closedAt: null,
  resolveBy: null,
  resolvedAt: null,
};
