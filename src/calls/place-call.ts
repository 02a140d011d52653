import type { Deps } from "#src/deps.ts";
import { placeInBatch } from "./place-in-batch.ts";
import { refusePlacement } from "./refuse-placement.ts";

export type Placement = {
  viewer: { id: number };
  spotId: number;
  wagerCents: number;
  /** Unique per player: the same key and call answer the first one again. */
  idempotencyKey: string;
};

/**
 * Places a call: holds the wager on the player's wallet, joins the spot's pool, and registers the player in the session
 * if this is the first call there.
 * @returns the call's id, and whether it had been placed before under the same key.
 * @throws Refusal 422 as refuse-placement.ts lists them, 503 where too many wait to be placed; then nothing has changed.
 */
export async function placeCall(
  deps: Deps,
  { viewer, spotId, wagerCents, idempotencyKey }: Placement,
): Promise<{ callId: number; replayed: boolean }> {
  const call = { userId: viewer.id, spotId, wagerCents, idempotencyKey };
  const placed = await placeInBatch(deps, call);
  const { code, callId, lateMs } = placed;
  if (code !== "placed" && code !== "replayed") throw await refusePlacement(deps, call, { code, lateMs });
  if (callId === null) throw new Error("a placed call has an id");
  deps.ringOutbox();
  return { callId, replayed: code === "replayed" };
}
