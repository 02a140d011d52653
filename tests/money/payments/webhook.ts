import { WEBHOOKS_PATH } from "#src/money/payments/contract.ts";
import { SIGNATURE_HEADER, signWebhook } from "#src/money/payments/provider.ts";
import type { PaymentView } from "#src/money/payments/schemas.ts";
import type { Server } from "#tests/support/server.ts";

export type Said = {
  id?: string;
  type?: string;
  reference: string;
  amountCents: number;
  currency?: string;
  /** Names a refund or dispute if there are several. */
  chargeback?: string;
};

/** A message of the test provider. */
export function messageOf({
  id = `evt_${crypto.randomUUID()}`,
  type = "payment.succeeded",
  ...data
}: Said): string {
  const { amountCents, currency = "USD", ...named } = data;
  return JSON.stringify({ id, type, data: { ...named, amount_cents: amountCents, currency } });
}

export function about(payment: PaymentView, changes: Partial<Said> = {}): string {
  return messageOf({ reference: payment.reference, amountCents: payment.amountCents, ...changes });
}

/** Posts a message with these headers. */
export async function post(server: Server, body: string, headers: Record<string, string>): Promise<number> {
  const request = new Request(`http://localhost:3000${WEBHOOKS_PATH}`, { method: "POST", body, headers });
  return (await server.handle(request)).status;
}

/** Posts a message, signed now. */
export function postSigned(server: Server, body: string, secret: string): Promise<number> {
  return post(server, body, { [SIGNATURE_HEADER]: signWebhook(body, secret, new Date()) });
}
