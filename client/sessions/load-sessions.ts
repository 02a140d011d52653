import type { LoaderFunctionArgs } from "react-router";
import type { SessionsAnswer } from "#src/sessions/contract.ts";
import { apiContext } from "../context.ts";

const SESSIONS_SHOWN = 100;

/** All sessions, for the list. */
export async function loadSessions({ context, request }: LoaderFunctionArgs): Promise<SessionsAnswer> {
  const api = context.get(apiContext);
  return api.get<SessionsAnswer>("/api/v1/sessions", {
    query: { perPage: SESSIONS_SHOWN },
    signal: request.signal,
  });
}
