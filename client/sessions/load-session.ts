import type { LoaderFunctionArgs, ShouldRevalidateFunctionArgs } from "react-router";
import type { SessionView } from "#src/sessions/schemas.ts";
import { apiContext } from "../context.ts";

export type SessionData = { session: SessionView };

/** Loads the session for all screens below /sessions/:slug. */
export async function loadSession({ context, params, request }: LoaderFunctionArgs): Promise<SessionData> {
  const api = context.get(apiContext);
  return api.get(sessionPath(params["slug"]), { signal: request.signal });
}

/** The session is loaded again when the address has another slug, besides the router's own reasons. */
export function sessionChanged(args: ShouldRevalidateFunctionArgs): boolean {
  return args.currentParams["slug"] !== args.nextParams["slug"] || args.defaultShouldRevalidate;
}

/** "/api/v1/sessions/friday-derby" */
export function sessionPath(slug: string | undefined): `/api/v1/sessions/${string}` {
  return `/api/v1/sessions/${encodeURIComponent(slug ?? "")}`;
}
