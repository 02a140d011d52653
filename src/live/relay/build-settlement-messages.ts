import type { CallCursor } from "#src/base/outbox/write-fact.ts";
import type { Broadcast } from "#src/base/streams/broadcast.ts";
import { findWalletViews } from "#src/money/wallet/find-wallet-view.ts";
import type { WalletView } from "#src/money/wallet/schemas.ts";
import { findCallViews } from "#src/play/calls/find-call-views.ts";
import type { CallView } from "#src/play/calls/schemas.ts";
import { findEventViews } from "#src/show/events/find-event-views.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { forUser } from "./address-message.ts";
import { findCallsSlice } from "./find-calls-slice.ts";
import type { MessageContext, Messages } from "./message-context.ts";

type SettledCalls = {
  eventId: number;
  round: number;
  /** Continues behind this call. */
  after?: CallCursor;
  /** The players of a part of a large settlement, both ends included; without them all players. */
  fromUserId?: number | undefined;
  toUserId?: number | undefined;
};

/**
 * For each of the next players of a settled event: a message for each of the player's calls, then one with the wallet. A
 * follow-up fact carries the remaining players.
 */
export async function* buildSettlementMessages(context: MessageContext, settled: SettledCalls): Messages {
  const { tx, serverTime } = context;
  const { eventId, round, fromUserId = 0, toUserId } = settled;
  const now = new Date(serverTime);
  const [event] = await findEventViews(tx, {
    eventIds: [eventId],
    viewerId: null,
    publishedOnly: false,
    now,
  });
  if (event === undefined) return;
  const after = settled.after ?? { eventId, userId: fromUserId, callId: 0 };
  const { callIds, next } = await findCallsSlice(tx, {
    eventIds: [eventId],
    round,
    states: ["resolved"],
    after,
    toUserId,
  });
  if (next !== null)
    context.followUps.push({ kind: "rest_of_settlement", eventId, round, after: next, toUserId });
  const callViews = await findCallViews(tx, { callIds }, now);
  const wallets = await findWalletViews(tx, [...new Set(callViews.map(({ userId }) => userId))]);
  yield [...Map.groupBy(callViews, (call) => call.userId)].flatMap(([userId, ownCalls]) => {
    const wallet = wallets.get(userId);
    return wallet === undefined ? [] : playerMessages(ownCalls, { event, wallet, serverTime });
  });
}

function playerMessages(
  ownCalls: readonly CallView[],
  { event, wallet, serverTime }: { event: EventView; wallet: WalletView; serverTime: string },
): Broadcast[] {
  const results = ownCalls.map((call) =>
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
  const balances = ownCalls.slice(0, 1).map((call) =>
    forUser(call.userId, {
      sourceType: "Wallet",
      eventType: "balance_change",
      detail: { wallet, version: wallet.version, serverTime },
    }),
  );
  return [...results, ...balances];
}
