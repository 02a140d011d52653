import { findCallViews } from "#src/calls/find-call-views.ts";
import type { CallView } from "#src/calls/schemas.ts";
import { findEventViews } from "#src/events/find-event-views.ts";
import type { EventView } from "#src/events/schemas.ts";
import type { CallCursor } from "#src/outbox/write-fact.ts";
import type { Broadcast } from "#src/streams/broadcast.ts";
import { findWalletViews } from "#src/wallet/find-wallet-view.ts";
import type { WalletView } from "#src/wallet/schemas.ts";
import { forUser } from "./address-message.ts";
import { findCallsSlice } from "./find-calls-slice.ts";
import type { Messages, Telling } from "./messages.ts";

type Settled = {
  eventId: number;
  round: number;
  after?: CallCursor;
  fromUserId?: number | undefined;
  toUserId?: number | undefined;
};

/** The next players hear of every own call and then of the own wallet, player after player; the others hear later. */
export async function* tellSettlement(telling: Telling, settled: Settled): Messages {
  const { tx, serverTime } = telling;
  const { eventId, round, fromUserId = 0, toUserId } = settled;
  const now = new Date(serverTime);
  const [event] = await findEventViews(tx, {
    eventIds: [eventId],
    viewerId: null,
    publishedOnly: false,
    now,
  });
  if (event === undefined) return;
  if (event.sessionId !== null) telling.leaders.add(event.sessionId);
  const after = settled.after ?? { eventId, userId: fromUserId, callId: 0 };
  const wanted = { eventIds: [eventId], round, states: ["resolved" as const], after, toUserId };
  const { callIds, next } = await findCallsSlice(tx, wanted);
  if (next !== null) telling.rest.push({ kind: "rest_of_settlement", eventId, round, after: next, toUserId });
  const callViews = await findCallViews(tx, { callIds }, now);
  const wallets = await findWalletViews(tx, [...new Set(callViews.map(({ userId }) => userId))]);
  yield [...Map.groupBy(callViews, (call) => call.userId)].flatMap(([userId, own]) => {
    const wallet = wallets.get(userId);
    return wallet === undefined ? [] : tellPlayer(own, { event, wallet, serverTime });
  });
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
