import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import type { ChargebackCause } from "../lists/payments.ts";
import { queryRow } from "./query.ts";

/** A provider's message about a refund, or about a dispute with the player's bank. */
export type ChargebackNotice = {
  provider: string;
  /** The reference of the payment. */
  reference: string;
  /** The provider's id of the refund or dispute; unique for a payment. */
  chargebackRef: string;
  /** The id of the row if an admin requested it; null if the provider started it. */
  chargebackId: number | null;
  cause: ChargebackCause;
  /** Returned: the refund failed, or the dispute was won. */
  state: "taken" | "returned";
  amountCents: number;
  currency: string;
};

const outcomes = ["ignored", "charged_back", "never_taken", "reinstated"] as const;
export type AppliedChargeback = (typeof outcomes)[number];

/**
 * Takes a payment, or a part of it, back from its player's wallet, or returns it, each exactly once. The part that the wallet
 * cannot cover becomes a debt of the player.
 * @returns "ignored" if the message is a repetition, "never_taken" if it was returned before it was taken (no money moves).
 * @throws LedgerRefusal not_found for an unknown payment, wrong_state before the deposit, invalid_amount for more than is left
 *   of the payment, or for another amount than before.
 */
export async function applyChargeback(db: Queryable, notice: ChargebackNotice): Promise<AppliedChargeback> {
  const { provider, reference, chargebackRef, chargebackId, cause, state, amountCents, currency } = notice;
  const { applied } = await queryRow(
    db,
    v.object({ applied: v.picklist(outcomes) }),
    sql`SELECT apply_chargeback(${provider}, ${reference}, ${chargebackRef}, ${chargebackId}, ${cause}, ${state},
      ${amountCents}, ${currency}) AS applied`,
  );
  return applied;
}
