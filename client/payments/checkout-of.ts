import type { PaymentView } from "#src/payments/schemas.ts";

/** Where a payment is paid. The test provider's checkout is a page of ours, under whatever name the visitor has come here by. */
export function checkoutOf({ provider, reference, checkoutUrl }: PaymentView): string {
  return provider === "test" || checkoutUrl === null ? `/checkout/${reference}` : checkoutUrl;
}
