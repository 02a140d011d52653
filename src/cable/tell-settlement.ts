import { and, asc, eq, inArray, sql } from "drizzle-orm";
import type { Transaction } from "#db/client.ts";
import { calls } from "#db/schema/calls.ts";
import { type Broadcast, forUser } from "#src/broadcast.ts";
import type { CallView } from "#src/calls/contract.ts";
import { findCallViews } from "#src/calls/find-call-views.ts";
import type { EventView } from "#src/events/contract.ts";
import { findEventViews } from "#src/events/find-event-views.ts";
import type { WalletView } from "#src/wallet/contract.ts";
import { findWalletViews } from "#src/wallet/find-wallet-view.ts";
import type { Messages, Telling } from "./telling.ts";

const CALLS_AT_ONCE = 500;

type Settled = { id: number; userId: number };

/** Each player hears of every own call and then of the own wallet, player after player, however many there are. */
export async function* tellSettlement(
  { tx, serverTime, leaders }: Telling,
  { eventId, round }: { eventId: number; round: number },
): Messages {
  const now = new Date(serverTime);
  const [event] = await findEventViews(tx, {
    eventIds: [eventId],
    viewerId: null,
    publishedOnly: false,
    now,
  });
  if (event === undefined) return;
  if (event.sessionId !== null) leaders.add(event.sessionId);
  let last: Settled = { id: 0, userId: 0 };
  for (;;) {
    const settled = await findSettled(tx, { eventId, round, last });
    const next = settled.at(-1);
    if (next === undefined) return;
    const callViews = await findCallViews(tx, { callIds: settled.map(({ id }) => id) }, now);
    const wallets = await findWalletViews(tx, [...new Set(settled.map(({ userId }) => userId))]);
    yield [...Map.groupBy(callViews, (call) => call.userId)].flatMap(([userId, own]) => {
      const wallet = wallets.get(userId);
      return wallet === undefined ? [] : tellPlayer(own, { event, wallet, serverTime });
    });
    last = next;
  }
}

function tellPlayer(
  own: readonly CallView[],
  { event, wallet, serverTime }: { event: EventView; wallet: WalletView; serverTime: string },
): Broadcast[] {
  const results = own.map((call) =>
    forUser(call.userId, {
      sourceType: "Call",
      eventType: "resolve_call",
      detail: {
        call,
        eventId: event.id,
        result: event.result,
        voided: event.voided,
        reason: event.resultReason,
        wallet,
        version: event.version,
        serverTime,
      },
    }),
  );
  const balances = own.slice(0, 1).map((call) =>
    forUser(call.userId, {
      sourceType: "Wallet",
      eventType: "balance_change",
      detail: { wallet, version: wallet.version, serverTime },
    }),
  );
  return [...results, ...balances];
}

/** The next settled calls, a player's together; they go by the index of (event, player). */
async function findSettled(
  tx: Transaction,
  { eventId, round, last }: { eventId: number; round: number; last: Settled },
): Promise<Settled[]> {
  return tx
    .select({ id: calls.id, userId: calls.userId })
    .from(calls)
    .where(
      and(
        eq(calls.eventId, eventId),
        eq(calls.round, round),
        // "resolved" alone would not be known to follow from the index's own condition.
        inArray(calls.state, ["resolved"]),
        sql`(${calls.userId}, ${calls.id}) > (${last.userId}, ${last.id})`,
      ),
    )
    .orderBy(asc(calls.userId), asc(calls.id))
    .limit(CALLS_AT_ONCE);
}
