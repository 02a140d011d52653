import type { SessionsAnswer } from "#src/sessions/contract.ts";
import { apiContext } from "../context.ts";
import type { LoaderArgs } from "../screen.ts";

const SESSIONS_SHOWN = 100;

/** All sessions, for the list. */
export async function loadSessions({ context, request }: LoaderArgs): Promise<SessionsAnswer> {
  const api = context.get(apiContext);
  return await api.get<SessionsAnswer>("/api/v1/sessions", {
    query: { perPage: SESSIONS_SHOWN },
    signal: request.signal,
  });
}
