import { sql } from "drizzle-orm";
import * as v from "valibot";
import type { Queryable } from "../client.ts";
import { queryRow } from "./query.ts";

/** How a payment ended, as its provider says. */
export type PaymentNotice = {
  provider: string;
  reference: string;
  type: "succeeded" | "failed";
  amountCents: number;
  currency: string;
  /** The provider's name for the money, which a refund names; null where it has none. */
  providerRef: string | null;
};

const outcomes = ["ignored", "failed", "deposited"] as const;
export type AppliedPayment = (typeof outcomes)[number];

/**
 * Books how a payment ended, exactly once.
 * @returns "ignored" where the payment had ended before: then nothing changes.
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
