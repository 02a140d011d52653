import type { LoaderFunctionArgs } from "react-router";
import { defer } from "#client/base/deferred/defer.ts";
import type { Deferred } from "#client/base/deferred/deferred.ts";
import { pageIn } from "#client/base/format/page-in.ts";
import { apiContext, pageContext } from "#client/base/page/context.ts";
import { loadTeams } from "#client/teams/load-teams.ts";
import type { ListMeta } from "#src/http/schemas.ts";
import type { ListedCall, ReceiptAnswer } from "#src/play/calls/schemas.ts";
import type { TeamsAnswer } from "#src/play/teams/schemas.ts";

export const historyFilters = ["all", "open", "won", "lost", "refunded"] as const;
export type HistoryFilter = (typeof historyFilters)[number];

export type CallsPage = { calls: ListedCall[]; meta: ListMeta };
export type HistoryData = {
  /** Null for guests: the history is for accounts, and a receipt is a part of the game. */
  page: Deferred<CallsPage> | null;
  filter: HistoryFilter;
  /** The opened call's receipt; null where none is open. */
  opened: ReceiptAnswer | null;
  /** The teams of the session; null where it has none, and for guests. */
  teams: Deferred<TeamsAnswer | null> | null;
};

/** The viewer's calls in this session, newest first (`?show=won&page=2`), and the receipt of the call in the path. */
export async function loadHistory(args: LoaderFunctionArgs): Promise<HistoryData> {
  const { context, params, request } = args;
  const search = new URL(request.url).searchParams;
  const filter = historyFilters.find((name) => name === search.get("show")) ?? "all";
  const api = context.get(apiContext);
  const { signal } = request;
  const callId = params["callId"];
  const guest = context.get(pageContext).viewer?.guest === true;
  const loadPage = () =>
    api.get("/api/v1/calls", {
      query: { sessionId: params["slug"], page: pageIn(search), ...queryOf(filter) },
      signal,
    });
  const [page, opened, teams] = await Promise.all([
    guest ? null : defer(args, loadPage, `/sessions/${params["slug"]}/history`),
    callId === undefined ? null : api.get(`/api/v1/calls/${encodeURIComponent(callId)}`, { signal }),
    guest ? null : defer(args, () => loadTeams(args)),
  ]);
  return { page, filter, opened, teams };
}

function queryOf(filter: HistoryFilter): { active?: boolean; outcome?: string } {
  if (filter === "all") return {};
  return filter === "open" ? { active: true } : { outcome: filter };
}
