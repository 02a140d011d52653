import type { LoaderFunctionArgs } from "react-router";
import type { EventsAnswer } from "#src/events/contract.ts";
import { apiContext } from "../context.ts";
import { sessionPath } from "./load-session.ts";

/** The published events of the session, with the viewer's own calls. */
export async function loadAction({ context, params, request }: LoaderFunctionArgs): Promise<EventsAnswer> {
  const api = context.get(apiContext);
  return api.get<EventsAnswer>(`${sessionPath(params["slug"])}/events`, { signal: request.signal });
}
