import { data } from "react-router";
import type { Api, RequestOptions } from "#client/base/api/api.ts";
import { momentIn } from "#client/base/format/field-time.ts";
import { moveItem } from "#client/base/format/move-item.ts";
import { serverNow } from "#client/base/live/clock.ts";
import { pictureIn } from "#client/blueprints/picture-fields.tsx";
import { sessionPath } from "#client/sessions/load-session.ts";
import { readForm } from "#client/ui/forms/read-form.ts";
import { type EventTransition, eventTransitions } from "#src/show/events/contract.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import {
  type SessionFlagChange,
  sessionFlagChanges,
  type SessionTransition,
  sessionTransitions,
} from "#src/show/sessions/contract.ts";
import { isAhead } from "./on-stage.ts";

/** An act as a form of the Admin tab describes it: its `intent`, and the fields that the intent needs. */
type Act = { api: Api; slug: string; form: FormData };

/**
 * Performs the act of a form of the Admin tab, with and without JavaScript.
 * @returns the event after it; null for an act on something else.
 */
export async function performAct({ api, slug, form }: Act): Promise<EventView | null> {
  const { intent, reason } = readForm(form, { intent: "text", reason: "optional" });
  if (isEventTransition(intent)) return changeState(api, form, { stateEvent: intent, reason });
  const onEvent = eventActs[intent];
  if (onEvent !== undefined) return (await onEvent(api, form)).event;
  if (isSessionIntent(intent)) await api.put(`${sessionPath(slug)}/${intent}`);
  else await requireAct(intent)({ api, slug, form });
  return null;
}

function requireAct(intent: string): (act: Act) => Promise<unknown> {
  const act = acts[intent];
  if (act === undefined) throw data(null, { status: 400 });
  return act;
}

const eventActs: Record<string, (api: Api, form: FormData) => Promise<{ event: EventView }>> = {
  resolve: async (api, form) => ({
    event: await changeState(api, form, { stateEvent: "resolve", ...verdictIn(form) }),
  }),
  advance: (api, form) => api.put(`${eventPath(form)}/advance`, { event: {} }, asShown(form)),
  skip: (api, form) =>
    api.put(`${eventPath(form)}/skip`, { event: readForm(form, { reason: "optional" }) }, asShown(form)),
  delay: (api, form) => api.put(`${eventPath(form)}/delay`, { event: readForm(form, { seconds: "number" }) }),
  ask: (api, form) => api.post("/api/v1/events", { event: { ...newEventIn(form), ask: true } }),
  add: (api, form) => api.post("/api/v1/events", { event: newEventIn(form) }),
  update: (api, form) => api.patch(eventPath(form), { event: changedEventIn(form) }),
  picture: (api, form) =>
    api.patch(eventPath(form), { event: { ...pictureIn(form), ...readForm(form, { version: "number" }) } }),
};

const acts: Record<string, (act: Act) => Promise<unknown>> = {
  start: ({ api, slug, form }) =>
    api.put(`${sessionPath(slug)}/start`, {
      session: readForm(form, { inSeconds: "number", activate: "checkbox" }),
    }),
  destroy: ({ api, form }) => api.delete(eventPath(form)),
  fixPace,
  removePlayer: ({ api, slug, form }) => {
    const { userId, renewCode } = readForm(form, { userId: "number", renewCode: "checkbox" });
    return api.delete(`${sessionPath(slug)}/players/${userId ?? 0}`, { query: { renewCode } });
  },
  lock: ({ api, slug }) => api.patch(sessionPath(slug), { session: { settings: { locked: true } } }),
  unlock: ({ api, slug }) => api.patch(sessionPath(slug), { session: { settings: { locked: false } } }),
  removeWave: ({ api, slug, form }) => {
    const { wave, until } = readForm(form, { wave: "text", until: "text" });
    return api.delete(`${sessionPath(slug)}/waves/${encodeURIComponent(wave)}`, { query: { until } });
  },
  restoreWave: ({ api, slug, form }) => {
    const { wave } = readForm(form, { wave: "text" });
    return api.put(`${sessionPath(slug)}/waves/${encodeURIComponent(wave)}`);
  },
  renewJoinCode: ({ api, slug }) => api.put(`${sessionPath(slug)}/join_code`),
  leaders: ({ api, slug, form }) =>
    api.put(`${sessionPath(slug)}/stage_leaders`, { leaders: readForm(form, { shown: "checkbox" }) }),
  revokeDock: ({ api, slug, form }) =>
    api.delete(`${sessionPath(slug)}/docks/${readForm(form, { dockId: "number" }).dockId ?? 0}`),
  renewStageLink: ({ api, slug }) => api.put(`${sessionPath(slug)}/stage_link`),
  order: ({ api, slug, form }) =>
    api.post(`${sessionPath(slug)}/events/batch_update_positions`, { events: orderIn(form) }),
};

/** Each field `change` has an event's id, a field of its plan and the new number: "12 offsetSeconds 8". */
async function fixPace({ api, form }: Act): Promise<void> {
  const changes = new Map<string, Record<string, number>>();
  for (const text of readForm(form, { change: "list" }).change) {
    const [id = "", field = "", value = ""] = text.split(" ");
    changes.set(id, { ...changes.get(id), [field]: Number(value) });
  }
  for (const [id, event] of changes) await api.patch(`/api/v1/events/${encodeURIComponent(id)}`, { event });
}

async function changeState(api: Api, form: FormData, event: Record<string, unknown>): Promise<EventView> {
  return (await api.patch(`${eventPath(form)}/state`, { event }, asShown(form))).event;
}

/** A form that says which version of the event was shown is refused if the event has changed since. */
function asShown(form: FormData): RequestOptions {
  const { version } = readForm(form, { version: "optional" });
  return version === undefined ? {} : { headers: { "if-match": `"${version}"` } };
}

function eventPath(form: FormData): `/api/v1/events/${string}` {
  const { eventId } = readForm(form, { eventId: "text" });
  return `/api/v1/events/${encodeURIComponent(eventId)}`;
}

function isSessionIntent(intent: string): intent is Exclude<SessionTransition, "start"> | SessionFlagChange {
  if (intent === "start") return false;
  return Object.hasOwn(sessionTransitions, intent) || Object.hasOwn(sessionFlagChanges, intent);
}

/** True for transitions that need only their name and optionally a reason. */
function isEventTransition(intent: string): intent is Exclude<EventTransition, "resolve" | "destroy"> {
  return Object.hasOwn(eventTransitions, intent) && intent !== "resolve" && intent !== "destroy";
}

function newEventIn(form: FormData) {
  const [opensAt, closesAt] = [momentIn(form, "opens_at"), momentIn(form, "closes_at")];
  const dates = { opensAt: opensAt ?? undefined, closesAt: closesAt ?? undefined };
  const event = readForm(form, {
    sessionId: "number",
    title: "text",
    trueLabel: "optional",
    falseLabel: "optional",
    explanation: "optional",
    hostNote: "optional",
    startMode: "optional",
    offsetSeconds: "number",
    durationSeconds: "number",
  });
  return { ...event, ...dates };
}

/** Reads the form of an existing event. Fields that may not change any more are not in the form, and so not in the result. */
function changedEventIn(form: FormData) {
  const { title, description, explanation, hostNote, startMode, ...event } = readForm(form, {
    title: "text",
    description: "text",
    explanation: "text",
    hostNote: "text",
    trueLabel: "optional",
    falseLabel: "optional",
    startMode: "optional",
    offsetSeconds: "number",
    durationSeconds: "number",
    resolveWithinSeconds: "number",
    version: "number",
  });
  return {
    ...event,
    title: form.has("title") ? title : undefined,
    description: form.has("description") ? description : undefined,
    explanation: form.has("explanation") ? explanation : undefined,
    hostNote: form.has("host_note") ? hostNote : undefined,
    // Sent only if it was changed: an event that is outside the plan becomes part of it.
    startMode: form.get("start_mode") === form.get("start_mode_before") ? undefined : startMode,
    // The same: the field has whole seconds, and the planned time may have fractions.
    opensAt: changedMomentIn(form, "opens_at"),
    closesAt: changedMomentIn(form, "closes_at"),
  };
}

/** Undefined where the field is as it was, or not there. */
function changedMomentIn(form: FormData, name: string): string | undefined {
  return form.get(name) === form.get(`${name}_before`) ? undefined : (momentIn(form, name) ?? "");
}

type Choice = { value: string; label: string };
const moments: readonly Choice[] = [
  { value: "5", label: "-5 s" },
  { value: "10", label: "-10 s" },
  { value: "30", label: "-30 s" },
  { value: "exact", label: "Exact" },
];

type EffectiveProps = {
  closedAt: string | null;
  /** From when on calls are refunded by the decided result; null if there is none, or no such moment. */
  decidedAt: string | null;
};

/**
 * From when on calls are refunded: never, some seconds before the close, or from an exact moment. A result that replaces one
 * with such a moment keeps it by default.
 */
export function effectiveChoices({ closedAt, decidedAt }: EffectiveProps): readonly Choice[] {
  const never = closedAt === null ? "All calls" : "Close time";
  if (decidedAt === null) return [{ value: "", label: never }, ...moments];
  return [{ value: "", label: "As before" }, { value: "all", label: never }, ...moments];
}

/** Reads the form of a result. `effectiveAt` is undefined to keep the decided moment, and null for none. */
export function verdictIn(form: FormData) {
  const fields = { result: "text", reason: "optional", graceMs: "number" } as const;
  return { ...readForm(form, fields), effectiveAt: effectiveAtIn(form) };
}

/** Seconds count back from the close, which is in the form, or from now while the event is open. */
function effectiveAtIn(form: FormData): string | null | undefined {
  const fields = { effective: "text", closedAt: "text" } as const;
  const { effective: choice, closedAt } = readForm(form, fields);
  if (choice === "") return undefined;
  if (choice === "all") return null;
  if (choice === "exact") return momentIn(form, "effective_at") ?? "";
  const closedMs = closedAt === "" ? serverNow() : Date.parse(closedAt);
  return new Date(closedMs - Number(choice) * 1_000).toISOString();
}

/**
 * The form fields for a new order of the events that have not opened.
 * @param ids all of them, in the new order.
 */
export function orderFields(ids: readonly number[]): { intent: string; order: string } {
  return { intent: "order", order: ids.join(" ") };
}

/** The field `order` after moving one event by one position: earlier (-1) or later (1). Null if it is at the end already. */
export function orderMoved(events: readonly EventView[], id: number, by: -1 | 1): string | null {
  const ids = events.filter(isAhead).map((event) => event.id);
  const from = ids.indexOf(id);
  if (from < 0 || ids[from + by] === undefined) return null;
  return orderFields(moveItem(ids, from, from + by)).order;
}

/** Reads the field as the API expects it. Only the order of the positions matters. */
export function orderIn(form: FormData): { id: number; position: number }[] {
  const { order } = readForm(form, { order: "text" });
  return order.split(" ").map((id, index) => ({ id: Number(id), position: index + 1 }));
}
