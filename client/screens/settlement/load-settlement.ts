import type { LoaderFunctionArgs } from "react-router";
import type { Api } from "#client/base/api/api.ts";
import { apiContext } from "#client/base/page/context.ts";
import { refusedBy } from "#client/ui/forms/refused.ts";
import type { RecomputationView } from "#src/play/settlements/schemas.ts";
import type { SettlementAnswer } from "#src/show/events/schemas.ts";

/** The result of recomputing the payouts, or why it was refused. */
export type RecomputeResult = { recomputation: RecomputationView } | { refusal: string };
export type SettlementData = SettlementAnswer & {
  /** Null without `?recompute=1`. */
  recomputed: RecomputeResult | null;
};

/** How an event was settled. `?recompute=1` also recomputes its payouts. */
export async function loadSettlement({
  context,
  params,
  request,
}: LoaderFunctionArgs): Promise<SettlementData> {
  const api = context.get(apiContext);
  const path = `/api/v1/events/${encodeURIComponent(params["eventId"] ?? "")}` as const;
  const recomputes = new URL(request.url).searchParams.has("recompute");
  const { signal } = request;
  const answer = await api.get(`${path}/settlement`, { signal });
  return { ...answer, recomputed: recomputes ? await recompute(api, path, signal) : null };
}

async function recompute(
  api: Api,
  path: `/api/v1/events/${string}`,
  signal: AbortSignal,
): Promise<RecomputeResult> {
  try {
    return await api.get(`${path}/recomputation`, { signal });
  } catch (error) {
    return { refusal: refusedBy(error).refusal };
  }
}
