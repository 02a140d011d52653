import type { EventView } from "#src/show/events/schemas.ts";
import type { JoinCodeAnswer } from "#src/show/join-codes/schemas.ts";
import type { SessionView } from "#src/show/sessions/schemas.ts";
import { uniqueNumber } from "#tests/support/unique-number.ts";
import type { Api } from "../show-host.ts";

const OPEN_FOR_S = 1_200;

/** Creates a session whose name begins like this, without actions. */
export async function createSession(host: Api, name: string, settings: object = {}): Promise<SessionView> {
  const session = { name: `${name} ${uniqueNumber()}`, settings };
  return (await host<{ session: SessionView }>("POST", "/api/v1/sessions", { session })).session;
}

/** Plans a session of its own beside the demo's rehearsals, in which results are paid at once. An action that never comes keeps it open. */
export async function planSession(
  host: Api,
  name: string,
  settings: object = { settlement_delay_seconds: 0 },
): Promise<SessionView> {
  const session = await createSession(host, name, settings);
  await add(host, session.id, "Later?", { start_mode: "offset", offset_seconds: 7_200 });
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

/** Adds an action to a session. */
export async function add(
  host: Api,
  sessionId: number | null,
  title: string,
  fields: object = {},
): Promise<EventView> {
  const event = { session_id: sessionId, title, duration_seconds: OPEN_FOR_S, ...fields };
  return (await host<{ event: EventView }>("POST", "/api/v1/events", { event })).event;
}

/** Asks the players of a session a question, which stays open. */
export function ask(...[host, sessionId, title, fields]: Parameters<typeof add>): Promise<EventView> {
  return add(host, sessionId, title, { ask: true, ...fields });
}

/** The code by which players come into a session, and its address. */
export async function joinCodeOf(host: Api, { slug }: Pick<SessionView, "slug">) {
  return (await host<JoinCodeAnswer>("GET", `/api/v1/sessions/${slug}/join_code`)).joinCode;
}

/** Changes the state of a question, as its host does. */
export async function change(host: Api, { id }: Pick<EventView, "id">, event: object): Promise<void> {
  await host("PATCH", `/api/v1/events/${id}/state`, { event });
}

/** Somebody with an account. */
export type Account = { email: string; username: string; password: string };

/** Registers a new player, who is signed in then. */
export async function register(api: Api, name: string): Promise<Account> {
  const number = uniqueNumber();
  const username = `${name}_${number.slice(0, 8)}`;
  const account = { username, email: `${number}@example.test`, password: "nine lives and a day" };
  await api("POST", "/users/guest_registration", {
    user: { ...account, password_confirmation: account.password, terms: true },
  });
  return account;
}

/** Signs somebody in who has an account. */
export async function signIn(api: Api, { email, password }: Omit<Account, "username">): Promise<void> {
  await api("POST", "/users/sign_in", { user: { email, password } });
}
