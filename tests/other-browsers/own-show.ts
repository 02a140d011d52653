import { type APIRequestContext, request } from "playwright";
import type { EventView } from "#src/show/events/schemas.ts";
import type { SessionsAnswer, SessionView } from "#src/show/sessions/schemas.ts";
import { type Api, apiOf } from "#tests/browser/show-host.ts";
import { uniqueNumber } from "#tests/support/unique-number.ts";
import { waitFor } from "#tests/support/wait-for.ts";

export const PASSWORD = "called-it-demo";
const OPEN_FOR_S = 600;
const HOUR_MS = 3_600_000;

/** The API as the demo's admin, and as others who play. */
export type Host = { api: Api; apiFor: () => Promise<Api>; dispose: () => Promise<void> };
/** A live session with one open event. */
export type Show = { session: SessionView; event: EventView };

/** Signs in the admin, as soon as the demo has its people. */
export async function openHost(url: string): Promise<Host> {
  const contexts: APIRequestContext[] = [];
  const apiFor = async () => {
    const context = await request.newContext();
    contexts.push(context);
    return apiOf({ request: context }, url);
  };
  const api = await apiFor();
  await waitFor("the demo's admin", async () => {
    const user = { email: "admin@example.test", password: PASSWORD };
    return api("POST", "/users/sign_in", { user }).then(
      () => true,
      () => null,
    );
  });
  const dispose = async () => {
    await Promise.all(contexts.map((context) => context.dispose()));
  };
  return { api, apiFor, dispose };
}

/** Plans the session that starts next, before that of the demo. */
export async function planNext({ api }: Host): Promise<SessionView> {
  const starts_at = new Date(Date.now() + HOUR_MS * 2).toISOString();
  const plan = { session: { name: "Next in two hours", starts_at } };
  return (await api<{ session: SessionView }>("POST", "/api/v1/sessions", plan)).session;
}

/** Ends all sessions that run, so that nothing is live. */
export async function endAllShows({ api }: Host): Promise<void> {
  for (const state of ["running", "paused"]) {
    const { sessions } = await api<SessionsAnswer>("GET", `/api/v1/sessions?state=${state}&per_page=100`);
    for (const { slug } of sessions) await api("PUT", `/api/v1/sessions/${slug}/stop`);
  }
}

/** Starts a session with one open event. */
export async function startShow({ api }: Host): Promise<Show> {
  const { session } = await api<{ session: SessionView }>("POST", "/api/v1/sessions", {
    session: { name: `Browsers ${uniqueNumber()}`, settings: { settlement_delay_seconds: 0 } },
  });
  const later = { session_id: session.id, title: "Much later?", start_mode: "offset", offset_seconds: 3_600 };
  await api("POST", "/api/v1/events", { event: later });
  await api("PUT", `/api/v1/sessions/${session.slug}/start`);
  const { event } = await api<{ event: EventView }>("POST", "/api/v1/events", {
    event: {
      session_id: session.id,
      title: "Does it work here too?",
      duration_seconds: OPEN_FOR_S,
      ask: true,
    },
  });
  return { session, event };
}

/** Another player calls the other side, so that there is something to win. */
export async function callOther({ apiFor }: Host, event: EventView): Promise<void> {
  const api = await apiFor();
  await api("POST", "/users/guest");
  const spot = event.spots.find(({ side }) => side === "false");
  await api("POST", "/api/v1/calls", { call: { spot_id: spot?.id, wager: 5 } });
}
