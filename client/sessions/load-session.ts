import { createContext, type LoaderFunctionArgs, type ShouldRevalidateFunctionArgs } from "react-router";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { apiContext } from "../base/page/context.ts";
import { stageKeyIn } from "../base/page/guard.ts";

export type SessionData = { session: SessionView };

/** The session that the server has read before the loaders run; null: the loader fetches it. */
export const startedSessionContext = createContext<SessionView | null>(null);

/** Loads the session for all screens below /sessions/:slug. */
export async function loadSession({ context, params, request }: LoaderFunctionArgs): Promise<SessionData> {
  const started = context.get(startedSessionContext);
  if (started !== null) return { session: started };
  const api = context.get(apiContext);
  const query = { key: stageKeyIn(request.url) };
  return api.get(sessionPath(params["slug"]), { query, signal: request.signal });
}

/** The session is loaded again when the address has another slug, besides the router's own reasons. */
export function sessionChanged(args: ShouldRevalidateFunctionArgs): boolean {
  return args.currentParams["slug"] !== args.nextParams["slug"] || args.defaultShouldRevalidate;
}

/** "/api/v1/sessions/friday-derby" */
export function sessionPath(slug: string | undefined): `/api/v1/sessions/${string}` {
  return `/api/v1/sessions/${encodeURIComponent(slug ?? "")}`;
}
