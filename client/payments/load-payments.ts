import type { LoaderFunctionArgs } from "react-router";
import type { PaymentsAnswer } from "#src/payments/schemas.ts";
import { apiContext } from "../context.ts";
import { defer } from "../deferred/defer.ts";
import type { Deferred } from "../deferred/deferred.ts";
import { pageIn } from "../ui/page-in.ts";

export type PaymentsData = { page: Deferred<PaymentsAnswer> };

/** A page of the viewer's payments, newest first. */
export async function loadPayments(args: LoaderFunctionArgs): Promise<PaymentsData> {
  const { context, request } = args;
  const page = pageIn(new URL(request.url).searchParams);
  const { signal } = request;
  const api = context.get(apiContext);
  return { page: await defer(args, () => api.get("/api/v1/payments", { query: { page }, signal })) };
}
