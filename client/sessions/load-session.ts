import { createContext, type ShouldRevalidateFunctionArgs } from "react-router";
import type { LoaderArgs } from "#client/base/page/handle.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { stageKeyIn } from "../base/page/guard.ts";

export type SessionData = { session: SessionView };

/** The session that the server has read before the loaders run; null: the loader fetches it. */
export const startedSessionContext = createContext<SessionView | null>(null);

/** Loads the session for all screens below /sessions/:slug. */
export async function loadSession({ api, context, params, request }: LoaderArgs): Promise<SessionData> {
  const started = context.get(startedSessionContext);
  if (started !== null) return { session: started };
  const query = { key: stageKeyIn(request.url) };
  return api.get(sessionPath(params["slug"]), { query });
}

/** The session is loaded again when the address has another slug, besides the router's own reasons. */
export function sessionChanged(args: ShouldRevalidateFunctionArgs): boolean {
  return args.currentParams["slug"] !== args.nextParams["slug"] || args.defaultShouldRevalidate;
}

/** "/api/v1/sessions/friday-derby" */
export function sessionPath(slug: string | undefined): `/api/v1/sessions/${string}` {
  return `/api/v1/sessions/${encodeURIComponent(slug ?? "")}`;
}
