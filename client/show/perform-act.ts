import { data } from "react-router";
import { type EventTransition, eventTransitions } from "#src/events/contract.ts";
import type { SessionTransition, SessionFlagChange } from "#src/sessions/contract.ts";
import { sessionFlagChanges, sessionTransitions } from "#src/sessions/contract.ts";
import type { Api } from "../api.ts";
import { numberIn, textIn } from "../form-fields.ts";
import { sessionPath } from "../sessions/load-session.ts";
import { askedEvent, changedEvent } from "./event-fields.ts";
import { orderIn } from "./order-fields.ts";
import { verdictIn } from "./verdict-fields.ts";

/** Somebody's wish, as a form of the Admin tab carries it: its `intent`, and what that needs. */
type Act = { api: Api; slug: string; form: FormData };

/**
 * Does what a form of the Admin tab asks for. The same for forms that are sent without script and those that are not.
 * @throws ApiError for what the API refuses; 400 for what is no act.
 */
export async function performAct({ api, slug, form }: Act): Promise<unknown> {
  const intent = textIn(form, "intent");
  if (isOfSession(intent)) return api.put(`${sessionPath(slug)}/${intent}`);
  if (isMove(intent)) return changeState(api, form, { stateEvent: intent, reason: reasonIn(form) });
  const act = acts[intent];
  if (act === undefined) throw data(null, { status: 400 });
  return act({ api, slug, form });
}

const acts: Record<string, (act: Act) => Promise<unknown>> = {
  resolve: ({ api, form }) => changeState(api, form, { stateEvent: "resolve", ...verdictIn(form) }),
  destroy: ({ api, form }) => api.delete(eventPath(form)),
  advance: ({ api, form }) => api.put(`${eventPath(form)}/advance`, { event: {} }),
  skip: ({ api, form }) => api.put(`${eventPath(form)}/skip`, { event: { reason: reasonIn(form) } }),
  delay: ({ api, form }) =>
    api.put(`${eventPath(form)}/delay`, { event: { seconds: numberIn(form, "seconds") } }),
  ask: ({ api, form }) => api.post("/api/v1/events", { event: { ...askedEvent(form), ask: true } }),
  add: ({ api, form }) => api.post("/api/v1/events", { event: askedEvent(form) }),
  update: ({ api, form }) => api.patch(eventPath(form), { event: changedEvent(form) }),
  order: ({ api, slug, form }) =>
    api.post(`${sessionPath(slug)}/events/batch_update_positions`, { events: orderIn(form) }),
};

function changeState(api: Api, form: FormData, event: Record<string, unknown>): Promise<unknown> {
  return api.patch(`${eventPath(form)}/state`, { event });
}

function eventPath(form: FormData): `/api/v1/events/${string}` {
  return `/api/v1/events/${encodeURIComponent(textIn(form, "event_id"))}`;
}

/** Left out where nothing was written. */
function reasonIn(form: FormData): string | undefined {
  const reason = textIn(form, "reason").trim();
  return reason === "" ? undefined : reason;
}

function isOfSession(intent: string): intent is SessionTransition | SessionFlagChange {
  return Object.hasOwn(sessionTransitions, intent) || Object.hasOwn(sessionFlagChanges, intent);
}

/** A change of state that needs nothing but its name, and perhaps a reason. */
function isMove(intent: string): intent is Exclude<EventTransition, "resolve" | "destroy"> {
  return Object.hasOwn(eventTransitions, intent) && intent !== "resolve" && intent !== "destroy";
}
