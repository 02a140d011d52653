import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryRow } from "./query.ts";

/** What a provider says of a payment. */
export type PaymentNotice = {
  provider: string;
  /** The provider's own name of the message: one that comes again has the same. */
  messageId: string;
  /** Of the message as it came, in hex. */
  sha256: string;
  reference: string;
  type: "succeeded" | "failed" | "refunded";
  amountCents: number;
  currency: string;
};

const outcomes = ["duplicate", "ignored", "failed", "deposited", "charged_back"] as const;
export type AppliedPayment = (typeof outcomes)[number];

/**
 * Books what a provider says of a payment, exactly once.
 * @returns "duplicate" for a message that came before, "ignored" for one that was overtaken: then nothing changes.
 * @throws LedgerRefusal not_found for an unknown payment, invalid_amount for another amount than the payment's, wrong_state for
 *   a refund before the deposit. The message then counts as never taken.
 */
export async function applyPayment(db: Queryable, notice: PaymentNotice): Promise<AppliedPayment> {
  const { provider, messageId, sha256, reference, type, amountCents, currency } = notice;
  const { applied } = await queryRow(
    db,
    v.object({ applied: v.picklist(outcomes) }),
    sql`SELECT apply_payment(${provider}, ${messageId}, ${sha256}, ${reference}, ${type}, ${amountCents},
      ${currency}) AS applied`,
  );
  return applied;
}
