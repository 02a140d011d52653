import type { Deps } from "#src/base/deps.ts";
import { noMetrics } from "#src/wallet/find-metrics.ts";
import { presentWallet } from "#src/wallet/present-wallet.ts";
import { placeInBatch } from "./place-in-batch.ts";
import { presentCall } from "./present-call.ts";
import { refusePlacement } from "./refuse-placement.ts";
import type { CallAnswer } from "./schemas.ts";

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
 * @returns the call's id, whether it had been placed before under the same key, and the call and its owner's wallet as both
 *   stand now.
 * @throws Refusal 422 as refuse-placement.ts lists them, 503 where too many wait to be placed; then nothing has changed.
 */
export async function placeCall(
  deps: Deps,
  { viewer, spotId, wagerCents, idempotencyKey }: Placement,
): Promise<{ callId: number; replayed: boolean; answer: CallAnswer }> {
  const call = { userId: viewer.id, spotId, wagerCents, idempotencyKey };
  const placed = await placeInBatch(deps, call);
  const { code, lateMs, shown } = placed;
  if (code !== "placed" && code !== "replayed") throw await refusePlacement(deps, call, { code, lateMs });
  if (shown === null) throw new Error("a placed call is shown");
  deps.notifyRelay();
  const { call: row, wallet, metrics } = shown;
  const answer = { call: presentCall(row, new Date()), wallet: presentWallet(wallet, metrics ?? noMetrics) };
  return { callId: row.id, replayed: code === "replayed", answer };
}
