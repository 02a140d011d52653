import { type APIRequestContext, request } from "playwright";
import type { EventView } from "#src/show/events/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { type Api, apiOf } from "#tests/browser/show-host.ts";
import type { Visitor } from "./visitor.ts";

const PASSWORD = "called-it-demo";
const OPEN_FOR_S = 600;

type Show = { api: Api; session: SessionView; event: EventView };

/** Signs in as the demo player ana, calls the right side of an event of a session of its own, and reads the result and the history. */
export async function takeShortJourney(visitor: Visitor, url: string): Promise<void> {
  const contexts: APIRequestContext[] = [];
  const apiFor = async () => {
    const context = await request.newContext();
    contexts.push(context);
    return apiOf({ request: context }, url);
  };
  const { api, session, event } = await startShow(await apiFor());
  await visitor.open(`${url}/users/sign_in`);
  await visitor.fill("Email", "ana@example.test");
  await visitor.fill("Password", PASSWORD);
  await visitor.press("Sign in");
  await visitor.sees("In sync");
  await visitor.open(`${url}/sessions/${session.slug}`);
  await visitor.sees(event.title);
  await visitor.press("You think True");
  await visitor.sees("Placed ");
  await callOther(await apiFor(), event);
  await api("PATCH", `/api/v1/events/${event.id}/state`, { event: { state_event: "resolve", result: true } });
  await visitor.sees("You called it");
  await visitor.press("History");
  await visitor.sees(event.title);
  await visitor.sees("Won");
  await Promise.all(contexts.map((context) => context.dispose()));
}

/** A running session with one open event. */
async function startShow(api: Api): Promise<Show> {
  await api("POST", "/users/sign_in", { user: { email: "admin@example.test", password: PASSWORD } });
  const { session } = await api<{ session: SessionView }>("POST", "/api/v1/sessions", {
    session: { name: `Browsers ${crypto.randomUUID()}`, settings: { settlement_delay_seconds: 0 } },
  });
  const later = { session_id: session.id, title: "Much later?", start_mode: "offset", offset_seconds: 3_600 };
  await api("POST", "/api/v1/events", { event: later });
  const started = await api<{ session: SessionView }>("PUT", `/api/v1/sessions/${session.slug}/start`);
  // The active flag belongs to the demo's rehearsals.
  if (started.session.active) await api("PUT", `/api/v1/sessions/${session.slug}/deactivate`);
  const { event } = await api<{ event: EventView }>("POST", "/api/v1/events", {
    event: {
      session_id: session.id,
      title: "Does it work here too?",
      duration_seconds: OPEN_FOR_S,
      ask: true,
    },
  });
  return { api, session, event };
}

/** Another player calls the other side, so that there is something to win. */
async function callOther(api: Api, event: EventView): Promise<void> {
  await api("POST", "/users/guest");
  const spot = event.spots.find(({ side }) => side === "false");
  await api("POST", "/api/v1/calls", { call: { spot_id: spot?.id, wager: 5 } });
}
