import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryRow } from "./query.ts";

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
  const { applied } = await queryRow(
    db,
    v.object({ applied: v.picklist(outcomes) }),
    sql`SELECT apply_payment(${provider}, ${reference}, ${type}, ${amountCents}, ${currency}, ${providerRef}) AS applied`,
  );
  return applied;
}

/** A provider's message: the provider's id for it, and the SHA-256 of its bytes, in hex. */
export type ProviderMessage = { provider: string; messageId: string; sha256: string };

/** Stores a message in the transaction that applies it. Returns false if it was received before. */
export async function takeMessage(
  db: Queryable,
  { provider, messageId, sha256 }: ProviderMessage,
): Promise<boolean> {
  const { taken } = await queryRow(
    db,
    v.object({ taken: v.boolean() }),
    sql`SELECT take_message(${provider}, ${messageId}, ${sha256}) AS taken`,
  );
  return taken;
}
