import type { LoaderFunctionArgs } from "react-router";
import { apiContext } from "#client/base/page/context.ts";
import type { PaymentAnswer } from "#src/money/payments/schemas.ts";

/** One of the viewer's payments, by the reference in the path. */
export async function loadPayment({ context, params, request }: LoaderFunctionArgs): Promise<PaymentAnswer> {
  return context.get(apiContext).get(`/api/v1/payments/${encodeURIComponent(params["reference"] ?? "")}`, {
    signal: request.signal,
  });
}
