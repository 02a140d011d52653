import type { Queryable } from "#db/client.ts";
import { findWalletView } from "#src/wallet/find-wallet-view.ts";
import type { CallAnswer } from "./contract.ts";
import { findCallViews } from "./find-call-views.ts";

/** A call that is there, and its owner's wallet beside it, as both stand now. */
export async function findCallAnswer(
  db: Queryable,
  { callId, viewer }: { callId: number; viewer: { id: number } },
  now: Date,
): Promise<CallAnswer> {
  const [[call], wallet] = await Promise.all([
    findCallViews(db, { callIds: [callId] }, now),
    findWalletView(db, viewer.id),
  ]);
  if (call === undefined) throw new Error("a call that was just placed is there");
  return { call, wallet };
}
