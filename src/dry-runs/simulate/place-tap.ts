import { placeCall } from "#src/play/calls/place-call.ts";
import { outcomeOf } from "./outcome.ts";
import type { Play, PlannedTap } from "./play.ts";
import { spotOf } from "./show.ts";

/** A tap reaches the server: the call is placed or refused, as every player's. */
export async function placeTap({ show, players, taps }: Play, tap: PlannedTap): Promise<void> {
  const userId = players[tap.player] ?? 0;
  const spotId = spotOf(show, show.eventIds[tap.event] ?? 0, tap.side);
  const call = { userId, spotId, wagerCents: tap.wagerCents, key: `tap-${taps.length + 1}` };
  const outcome = await outcomeOf(
    placeCall(show.deps, {
      viewer: { id: userId },
      spotId,
      wagerCents: call.wagerCents,
      idempotencyKey: call.key,
    }),
  );
  if (!outcome.done) {
    taps.push({ ...tap, answer: outcome.refusal.code, callId: null });
    return;
  }
  const { callId } = outcome.value;
  show.calls.push({ ...call, callId });
  taps.push({ ...tap, answer: "placed", callId });
}
