import type { LoaderFunctionArgs } from "react-router";
import type { CallView } from "#src/calls/contract.ts";
import type { ListMeta } from "#src/http/contract.ts";
import { apiContext } from "../context.ts";
import { pageIn } from "../ui/page-in.ts";

export const historyFilters = ["all", "open", "won", "lost", "refunded"] as const;
export type HistoryFilter = (typeof historyFilters)[number];

type CallsPage = { calls: CallView[]; meta: ListMeta };
export type HistoryData = CallsPage & { filter: HistoryFilter };

/** The viewer's calls in this session, newest first: `?show=won&page=2`. */
export async function loadHistory({ context, params, request }: LoaderFunctionArgs): Promise<HistoryData> {
  const search = new URL(request.url).searchParams;
  const filter = historyFilters.find((name) => name === search.get("show")) ?? "all";
  const page = await context.get(apiContext).get<CallsPage>("/api/v1/calls", {
    query: { sessionId: params["slug"], page: pageIn(search), ...queryOf(filter) },
    signal: request.signal,
  });
  return { ...page, filter };
}

function queryOf(filter: HistoryFilter): { active?: boolean; outcome?: string } {
  if (filter === "all") return {};
  return filter === "open" ? { active: true } : { outcome: filter };
}
