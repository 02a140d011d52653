import type { LoaderFunctionArgs } from "react-router";
import type { EventView } from "#src/events/schemas.ts";
import type { AuditAnswer } from "#src/sessions/schemas.ts";
import type { Api } from "../api.ts";
import { apiContext } from "../context.ts";
import { sessionPath } from "../sessions/load-session.ts";

const EVENTS_PER_PAGE = 100;
const AUDIT_SHOWN = 20;

/** What the Admin tab shows besides the session itself. */
export type ShowData = {
  /** All events, including drafts and hidden ones, in the order of their positions. */
  events: EventView[];
  /** The newest lines, newest first. */
  audit: AuditAnswer["audit"];
  /** The server's time of the answer; the page computes all times from it until it is hydrated. */
  serverTime: string;
};

/** Loads a session's running order with its plan, and its audit. */
export async function loadShow({ context, params, request }: LoaderFunctionArgs): Promise<ShowData> {
  return fetchShow(context.get(apiContext), params["slug"] ?? "", request.signal);
}

/** The same for a page that is open already. */
export async function fetchShow(api: Api, slug: string, signal: AbortSignal): Promise<ShowData> {
  const fetchEvents = (page: number) =>
    api.get(`${sessionPath(slug)}/events`, {
      query: { page, perPage: EVENTS_PER_PAGE },
      signal,
    });
  const [{ events, meta }, audit] = await Promise.all([
    fetchEvents(1),
    fetchAudit(api, slug, { count: AUDIT_SHOWN, signal }),
  ]);
  const further = Array.from({ length: meta.totalPages - 1 }, (_, index) => fetchEvents(index + 2));
  const rest = (await Promise.all(further)).flatMap((page) => page.events);
  return { events: [...events, ...rest], audit, serverTime: meta.serverTime };
}

/** The newest lines of the session's audit. */
export async function fetchAudit(
  api: Api,
  slug: string,
  { count, signal }: { count: number; signal: AbortSignal },
): Promise<AuditAnswer["audit"]> {
  const query = { perPage: count };
  return (await api.get(`${sessionPath(slug)}/audit`, { query, signal })).audit;
}
