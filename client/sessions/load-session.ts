import type { LoaderFunctionArgs, ShouldRevalidateFunctionArgs } from "react-router";
import type { SessionView } from "#src/sessions/schemas.ts";
import { apiContext } from "../context.ts";

export type SessionData = { session: SessionView };

/** The session that all screens below /sessions/:slug are about. */
export async function loadSession({ context, params, request }: LoaderFunctionArgs): Promise<SessionData> {
  const api = context.get(apiContext);
  return api.get(sessionPath(params["slug"]), { signal: request.signal });
}

/** Loaded again where the address names another session. */
export function sessionChanged(args: ShouldRevalidateFunctionArgs): boolean {
  return args.currentParams["slug"] !== args.nextParams["slug"] || args.defaultShouldRevalidate;
}

/** "/api/v1/sessions/friday-derby" */
export function sessionPath(slug: string | undefined): `/api/v1/sessions/${string}` {
  return `/api/v1/sessions/${encodeURIComponent(slug ?? "")}`;
}
