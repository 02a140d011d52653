import type { EventView } from "#src/show/events/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { callOther, endAllShows, type Host, PASSWORD } from "#tests/other-browsers/own-show.ts";
import { uniqueNumber } from "#tests/support/unique-number.ts";
import type { Visitor } from "./visitor.ts";

const HALF_AN_HOUR_MS = 1_800_000;
const OPEN_FOR_S = 1_200;

/** Signs in as the demo player ana, and leads a question from before its opening to its result. `look` is called in each phase. */
export async function playEachPhase(
  visitor: Visitor,
  url: string,
  { host, look }: { host: Host; look: (phase: string) => Promise<void> },
): Promise<void> {
  await endAllShows(host);
  const { api } = host;
  const { session } = await api<{ session: SessionView }>("POST", "/api/v1/sessions", {
    session: { name: `Phases ${uniqueNumber()}`, settings: { settlement_delay_seconds: 1 } },
  });
  const later = { session_id: session.id, title: "Much later?", start_mode: "offset", offset_seconds: 3_600 };
  await api("POST", "/api/v1/events", { event: later });
  await api("PUT", `/api/v1/sessions/${session.slug}/start`);
  await visitor.open(`${url}/users/sign_in`);
  await visitor.fill("Email", "ana@example.test");
  await visitor.fill("Password", PASSWORD);
  await visitor.press("Sign in");
  await visitor.sees("In sync");
  await visitor.open(`${url}/sessions/${session.slug}`);

  const { event } = await api<{ event: EventView }>("POST", "/api/v1/events", {
    event: { session_id: session.id, title: "Will it rain?", duration_seconds: OPEN_FOR_S },
  });
  const opensAt = new Date(Date.now() + HALF_AN_HOUR_MS).toISOString();
  const change = (state_event: string, more = {}) =>
    api("PATCH", `/api/v1/events/${event.id}/state`, { event: { state_event, ...more } });
  await api("PATCH", `/api/v1/events/${event.id}`, { event: { opens_at: opensAt } });
  await change("publish_event");
  await visitor.sees("Read it now");
  await look("before it opens");
  await api("PUT", `/api/v1/events/${event.id}/advance`, { event: {} });
  await visitor.sees("First call");
  await look("open");
  await visitor.press("You think True");
  await visitor.sees("Placed ");
  await callOther(host, event);
  await look("called");
  await api("PUT", `/api/v1/events/${event.id}/advance`, { event: {} });
  await visitor.sees("Calls are closed");
  await look("closed");
  // While the session is paused the result waits without end.
  await api("PUT", `/api/v1/sessions/${session.slug}/pause`);
  await change("resolve", { result: true });
  await visitor.sees("Paying soon");
  await look("paying");
  await api("PUT", `/api/v1/sessions/${session.slug}/resume`);
  await visitor.sees("You called it");
  await look("result");
}
