import type { EventView } from "#src/show/events/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { uniqueNumber } from "#tests/support/unique-number.ts";
import type { Api } from "../show-host.ts";

const OPEN_FOR_S = 1_200;

/** Plans a session of its own beside the demo's rehearsals, in which results are paid at once. An action that never comes keeps it open. */
export async function planSession(
  host: Api,
  name: string,
  settings: object = { settlement_delay_seconds: 0 },
): Promise<SessionView> {
  const { session } = await host<{ session: SessionView }>("POST", "/api/v1/sessions", {
    session: { name: `${name} ${uniqueNumber()}`, settings },
  });
  const later = { session_id: session.id, title: "Later?", start_mode: "offset", offset_seconds: 7_200 };
  await host("POST", "/api/v1/events", { event: later });
  return session;
}

/** Starts a session. The active flag belongs to the demo's rehearsals. */
export async function startSession(host: Api, { slug }: Pick<SessionView, "slug">): Promise<void> {
  const { session } = await host<{ session: SessionView }>("PUT", `/api/v1/sessions/${slug}/start`);
  if (session.active) await host("PUT", `/api/v1/sessions/${slug}/deactivate`);
}

/** Plans a session and starts it. */
export async function runSession(host: Api, name: string, settings?: object): Promise<SessionView> {
  const session = await planSession(host, name, settings);
  await startSession(host, session);
  return session;
}

/** Asks the players of a session a question, which stays open. */
export async function ask(
  host: Api,
  sessionId: number | null,
  title: string,
  fields: object = {},
): Promise<EventView> {
  const event = { session_id: sessionId, title, duration_seconds: OPEN_FOR_S, ask: true, ...fields };
  return (await host<{ event: EventView }>("POST", "/api/v1/events", { event })).event;
}

/** Changes the state of a question, as its host does. */
export async function change(host: Api, { id }: Pick<EventView, "id">, event: object): Promise<void> {
  await host("PATCH", `/api/v1/events/${id}/state`, { event });
}

/** Somebody with an account. */
export type Account = { email: string; username: string; password: string };

/** Registers a new player, who is signed in then. */
export async function register(api: Api, name: string): Promise<Account> {
  const username = `${name}_${uniqueNumber().slice(0, 8)}`;
  const account = { username, email: `${username}@example.test`, password: "nine lives and a day" };
  await api("POST", "/users/guest_registration", {
    user: { ...account, password_confirmation: account.password, terms: true },
  });
  return account;
}

/** Signs somebody in who has an account. */
export async function signIn(api: Api, { email, password }: Account): Promise<void> {
  await api("POST", "/users/sign_in", { user: { email, password } });
}
