import * as v from "valibot";
import type { Queryable } from "../client.ts";
import type { ChargebackCause } from "../lists/payments.ts";
import { queryValue } from "./query.ts";

/** The provider's message that a payment succeeded or failed. */
export type PaymentNotice = {
  provider: string;
  reference: string;
  type: "succeeded" | "failed";
  amountCents: number;
  currency: string;
  /** The provider's id of the money, which a refund refers to; null if it has none. */
  providerRef: string | null;
};

const outcomes = ["ignored", "failed", "deposited"] as const;
export type AppliedPayment = (typeof outcomes)[number];

/**
 * Books the end of a payment, exactly once.
 * @returns "ignored" if the payment had ended before; nothing changes then.
 * @throws LedgerRefusal not_found for an unknown payment, invalid_amount for another amount than the payment's.
 */
export async function applyPayment(db: Queryable, notice: PaymentNotice): Promise<AppliedPayment> {
  const { provider, reference, type, amountCents, currency, providerRef } = notice;
  return queryValue(db, v.picklist(outcomes))`
    SELECT apply_payment(${provider}, ${reference}, ${type}, ${amountCents}, ${currency}, ${providerRef})`;
}

/** A provider's message: the provider's id for it, and the SHA-256 of its bytes, in hex. */
export type ProviderMessage = { provider: string; messageId: string; sha256: string };

/** Stores a message in the transaction that applies it. Returns false if it was received before. */
export function takeMessage(
  db: Queryable,
  { provider, messageId, sha256 }: ProviderMessage,
): Promise<boolean> {
  return queryValue(db, v.boolean())`SELECT take_message(${provider}, ${messageId}, ${sha256})`;
}

/** A provider's message about a refund, or about a dispute with the player's bank. */
export type ChargebackNotice = {
  provider: string;
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

const chargebackOutcomes = ["ignored", "charged_back", "never_taken", "reinstated"] as const;
export type AppliedChargeback = (typeof chargebackOutcomes)[number];

/**
 * Takes a payment, or a part of it, back from its player's wallet, or returns it, each exactly once. The part that the wallet
 * cannot cover becomes a debt of the player.
 * @returns "ignored" if the message is a repetition, "never_taken" if it was returned before it was taken (no money moves).
 * @throws LedgerRefusal not_found for an unknown payment, wrong_state before the deposit, invalid_amount for more than is left
 *   of the payment, or for another amount than before.
 */
export async function applyChargeback(db: Queryable, notice: ChargebackNotice): Promise<AppliedChargeback> {
  const { provider, reference, chargebackRef, chargebackId, cause, state, amountCents, currency } = notice;
  return queryValue(db, v.picklist(chargebackOutcomes))`
    SELECT apply_chargeback(${provider}, ${reference}, ${chargebackRef}, ${chargebackId}, ${cause}, ${state},
      ${amountCents}, ${currency})`;
}
