import type { LoaderFunctionArgs } from "react-router";
import type { SettlementAnswer } from "#src/events/schemas.ts";
import type { RecomputationView } from "#src/settlements/schemas.ts";
import type { Api } from "../api.ts";
import { apiContext } from "../context.ts";
import { refusedBy } from "../refused.ts";

/** What computing anew has brought, or why it was refused. */
export type Recomputed = { recomputation: RecomputationView } | { refusal: string };
export type SettlementData = SettlementAnswer & {
  /** Null where nobody asked. */
  recomputed: Recomputed | null;
};

/** How an event was settled; `?recompute=1` also computes its payouts anew. */
export async function loadSettlement({
  context,
  params,
  request,
}: LoaderFunctionArgs): Promise<SettlementData> {
  const api = context.get(apiContext);
  const path = `/api/v1/events/${encodeURIComponent(params["eventId"] ?? "")}` as const;
  const asked = new URL(request.url).searchParams.has("recompute");
  const { signal } = request;
  const answer = await api.get(`${path}/settlement`, { signal });
  return { ...answer, recomputed: asked ? await recompute(api, path, signal) : null };
}

async function recompute(
  api: Api,
  path: `/api/v1/events/${string}`,
  signal: AbortSignal,
): Promise<Recomputed> {
  try {
    return await api.get(`${path}/recomputation`, { signal });
  } catch (error) {
    return { refusal: refusedBy(error).refusal };
  }
}
