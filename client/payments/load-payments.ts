import type { LoaderFunctionArgs } from "react-router";
import type { PaymentsAnswer } from "#src/payments/schemas.ts";
import { apiContext } from "../context.ts";
import { pageIn } from "../ui/page-in.ts";

/** A page of the viewer's payments, newest first. */
export function loadPayments({ context, request }: LoaderFunctionArgs): Promise<PaymentsAnswer> {
  const page = pageIn(new URL(request.url).searchParams);
  const { signal } = request;
  return context.get(apiContext).get("/api/v1/payments", { query: { page }, signal });
}
