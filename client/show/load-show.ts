import type { LoaderFunctionArgs } from "react-router";
import type { EventView } from "#src/events/schemas.ts";
import type { AuditAnswer } from "#src/sessions/schemas.ts";
import type { Api } from "../api.ts";
import { apiContext } from "../context.ts";
import { sessionPath } from "../sessions/load-session.ts";

const EVENTS_AT_ONCE = 100;
const AUDIT_SHOWN = 20;

/** What the Admin tab shows of a session besides the session itself. */
export type ShowData = {
  /** All of them, drafts and hidden ones too, in the order of their positions. */
  events: EventView[];
  /** The newest lines, the newest first. */
  audit: AuditAnswer["audit"];
  /** When the server looked; everything on the page that depends on time starts from it. */
  serverTime: string;
};

/** A session's running order with its plan, and who did what. */
export async function loadShow({ context, params, request }: LoaderFunctionArgs): Promise<ShowData> {
  return lookUpShow(context.get(apiContext), params["slug"] ?? "", request.signal);
}

/** The same for a page that is open already. */
export async function lookUpShow(api: Api, slug: string, signal: AbortSignal): Promise<ShowData> {
  const eventsOn = (page: number) =>
    api.get(`${sessionPath(slug)}/events`, {
      query: { page, perPage: EVENTS_AT_ONCE },
      signal,
    });
  const [{ events, meta }, audit] = await Promise.all([
    eventsOn(1),
    lookUpAudit(api, slug, { count: AUDIT_SHOWN, signal }),
  ]);
  const further = Array.from({ length: meta.totalPages - 1 }, (_, index) => eventsOn(index + 2));
  const rest = (await Promise.all(further)).flatMap((page) => page.events);
  return { events: [...events, ...rest], audit, serverTime: meta.serverTime };
}

/** The newest lines of the session's audit. */
export async function lookUpAudit(
  api: Api,
  slug: string,
  { count, signal }: { count: number; signal: AbortSignal },
): Promise<AuditAnswer["audit"]> {
  const query = { perPage: count };
  return (await api.get(`${sessionPath(slug)}/audit`, { query, signal })).audit;
}
