import type { LoaderFunctionArgs } from "react-router";
import { defer } from "#client/base/deferred/defer.ts";
import type { Deferred } from "#client/base/deferred/deferred.ts";
import { pageIn } from "#client/base/format/page-in.ts";
import { apiContext } from "#client/base/page/context.ts";
import type { PaymentsAnswer } from "#src/money/payments/schemas.ts";

export type PaymentsData = { page: Deferred<PaymentsAnswer> };

/** A page of the viewer's payments, newest first. */
export async function loadPayments(args: LoaderFunctionArgs): Promise<PaymentsData> {
  const { context, request } = args;
  const page = pageIn(new URL(request.url).searchParams);
  const { signal } = request;
  const api = context.get(apiContext);
  return { page: await defer(args, () => api.get("/api/v1/payments", { query: { page }, signal })) };
}
