import { useCallback, useRef, useState } from "react";
import { useRevalidator } from "react-router";
import { type Api, ApiError } from "#client/base/api/api.ts";
import { Unreachable } from "#client/base/api/request-with-retry.ts";
import { useAfter } from "#client/base/browser/use-after.ts";
import { trueNow } from "#client/base/live/clock.ts";
import { readSync } from "#client/base/live/connection.ts";
import { useApi } from "#client/base/page/context.ts";
import { readForm } from "#client/ui/forms/read-form.ts";
import { troubleText } from "#client/ui/forms/refused-in-form.ts";
import { isTrouble, refusalText } from "#client/ui/forms/refused.ts";
import { GRACE_MAX_MS } from "#src/show/events/contract.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import { numberOf } from "./on-stage.ts";
import { performAct } from "./perform-act.ts";

/*
 * Decision: the settlement delay belongs to the host who decides, from the moment at which the page shows the result. Only the server
 * knows when it pays, so the page asks it for the time that its answer and a U take on their way: with the result, as long as the
 * last answers took; and once more where the answer came later than that. So `paysAt` is true for everybody at any moment.
 */

/** Enough for most connections: both ways of an answer and of a U. */
const GRACE_MIN_MS = 500;

const STALE_VERSION = "stale_version";
/** A refusal that is about a moment of one action goes after so long: by then it would be read under the next one. */
const REFUSAL_SHOWN_MS = 10_000;

export type Acting = {
  /** Keys of the acts that are being sent; see `keyOf`. */
  busy: ReadonlySet<string>;
  /** Why the last act was refused, and of which action; cleared by the next one, or after a time. */
  refusal: string | null;
  /** The last act got no answer, and nothing newer is known yet. */
  isUnanswered: boolean;
  /** The last act got no answer, and the page shows by now what became of it. */
  answersAgain: boolean;
  /** Performs the act of a form. An act that is being sent is not sent twice. Resolves to true on success. */
  act: (form: FormData) => Promise<boolean>;
};

type Room = {
  slug: string;
  events: readonly EventView[];
  /** The server's time at the latest fetch. */
  fetchedAt: string;
  refetch: () => void;
  learn: (event: EventView) => void;
};

/**
 * Why an act failed. `unansweredMs`: when it was given up without an answer, on the server's clock. `eventId`: the action of which a
 * moment was missed; null for what is filled in or tried again in the same place.
 */
type Failure = { text: string; unansweredMs: number | null; eventId: number | null };

/** Sends the forms of the Admin tab without leaving the page, and fetches the show again afterwards. */
export function useActing({ slug, events, fetchedAt, refetch, learn }: Room): Acting {
  const { revalidate } = useRevalidator();
  const [busy, setBusy] = useState<ReadonlySet<string>>(new Set());
  const [failure, setFailure] = useFailure();
  const sending = useRef(new Set<string>());
  const perform = usePerform(slug, learn);
  const act = useCallback(
    async (form: FormData) => {
      const key = keyOfForm(form);
      if (sending.current.has(key)) return false;
      sending.current.add(key);
      setBusy(new Set(sending.current));
      setFailure(null);
      try {
        await perform(form);
        return true;
      } catch (error) {
        setFailure(failureOf(error, form));
        if (error instanceof ApiError && error.status === 401) await revalidate();
        return false;
      } finally {
        sending.current.delete(key);
        setBusy(new Set(sending.current));
        refetch();
      }
    },
    [perform, refetch, revalidate, setFailure],
  );
  const unansweredMs = failure?.unansweredMs ?? null;
  const answersAgain = unansweredMs !== null && Date.parse(fetchedAt) > unansweredMs;
  const isUnanswered = unansweredMs !== null && !answersAgain;
  const refusal = failure === null || answersAgain ? null : refusalOf(failure, events);
  return { busy, refusal, isUnanswered, answersAgain, act };
}

/** The last failure. One that is about a moment of an action goes by itself. */
function useFailure() {
  const [failure, setFailure] = useState<Failure | null>(null);
  useAfter(REFUSAL_SHOWN_MS, failure?.eventId == null ? null : failure, () => setFailure(null));
  return [failure, setFailure] as const;
}

function refusalOf({ text, eventId }: Failure, events: readonly EventView[]): string {
  const number = eventId === null ? 0 : numberOf(events, { id: eventId });
  return number === 0 ? text : `Action ${number}: ${text}`;
}

/** Performs an act, and learns from its answer. A result gets the time that the way of its answer takes. */
function usePerform(slug: string, learn: (event: EventView) => void): (form: FormData) => Promise<void> {
  const api = useApi();
  const ownVersions = useRef<OwnVersions>(new Map());
  const lastAnswerMs = useRef(0);
  return useCallback(
    async (form: FormData) => {
      const graceMs = graceFor(lastAnswerMs.current);
      const { intent } = readForm(form, { intent: "text" });
      if (intent === "resolve") form.set("grace_ms", String(graceMs));
      keepUpWith(ownVersions.current, form);
      const learnFrom = (event: EventView | null, base: FormData) => {
        if (event === null) return;
        rememberVersion(ownVersions.current, base, event);
        learn(event);
      };
      const sentMs = performance.now();
      const event = await performAct({ api, slug, form }).catch((error: unknown) =>
        takeBackAgain(api, { error, slug, form }),
      );
      lastAnswerMs.current = performance.now() - sentMs;
      learnFrom(event, form);
      if (event === null || intent !== "resolve") return;
      const based = new FormData();
      based.set("version", String(event.version));
      void prolongDelay(api, event, graceMs).then((later) => learnFrom(later, based));
    },
    [api, slug, learn],
  );
}

/** A U may cross with the request for more time. It takes back the decision that the host has seen, in whichever version. */
async function takeBackAgain(
  api: Api,
  { error, slug, form }: { error: unknown; slug: string; form: FormData },
): Promise<EventView | null> {
  const { intent, eventId, decidedAt } = readForm(form, {
    intent: "text",
    eventId: "number",
    decidedAt: "text",
  });
  const isStale = error instanceof ApiError && error.body?.code === STALE_VERSION;
  if (!isStale || intent !== "withdraw" || eventId === undefined) throw error;
  const { event } = await api.get(`/api/v1/events/${eventId}`);
  if (event.pendingResult === null || event.plan?.decided?.at !== decidedAt) throw error;
  form.set("version", String(event.version));
  return performAct({ api, slug, form });
}

function keyOfForm(form: FormData): string {
  const { intent, eventId } = readForm(form, { intent: "text", eventId: "text" });
  return keyOf(intent, eventId);
}

/** Identifies an act by its intent and its event; "" for acts on the session. */
export function keyOf(intent: string, eventId: number | string): string {
  return `${intent}:${eventId}`;
}

function failureOf(error: unknown, form: FormData): Failure {
  if (error instanceof Unreachable)
    return { text: troubleText(error), unansweredMs: trueNow(), eventId: null };
  const { intent, eventId } = readForm(form, { intent: "text", eventId: "number" });
  const isOver = error instanceof ApiError && error.status !== 401 && intent !== "update";
  return { text: textOf(error), unansweredMs: null, eventId: isOver ? (eventId ?? null) : null };
}

function textOf(error: unknown): string {
  if (isTrouble(error)) return troubleText(error);
  if (!(error instanceof ApiError)) return "That did not work. Look whether it was done, then try again.";
  if (error.status === 401)
    return "Nothing was done: your sign-in here has ended. An admin may have ended it, or changed your roles. Sign in again.";
  return error.body?.code === STALE_VERSION
    ? "It changed at that moment. Look at it, then do it again."
    : refusalText(error);
}

/** How much longer a result is to wait. @param lastAnswerMs how long the last act waited for its answer. */
function graceFor(lastAnswerMs: number): number {
  if (readSync() !== "live") return GRACE_MAX_MS;
  return Math.min(GRACE_MAX_MS, Math.max(GRACE_MIN_MS, Math.round(2 * lastAnswerMs)));
}

/**
 * Asks for the delay to begin again where the answer with a pending result was late. Of two hosts the one who changes the event
 * meanwhile is right: the request is for this version only.
 * @returns the event with its later payment; null where nothing was asked for, or it was refused.
 */
async function prolongDelay(api: Api, event: EventView, graceMs: number): Promise<EventView | null> {
  const { id, pendingResult, paysAt, plan, version } = event;
  if (pendingResult === null || paysAt === null || plan?.decided == null) return null;
  const { at, effectiveAt } = plan.decided;
  if (trueNow() - Date.parse(at) < graceMs / 2) return null;
  const again = { stateEvent: "resolve", result: pendingResult, effectiveAt, graceMs };
  const options = { headers: { "if-match": `"${version}"` } };
  return api.patch(`/api/v1/events/${id}/state`, { event: again }, options).then(
    (answer) => answer.event,
    // It is paid as planned, and the page says when.
    () => null,
  );
}

/** Versions of events that the viewer's own acts have made, by event id: nobody else has changed them between the two. */
export type OwnVersions = Map<number, { from: number; to: number }>;

/** A form may still have the version before the viewer's own last acts: that is no change by somebody else. */
export function keepUpWith(own: OwnVersions, form: FormData): void {
  const { eventId, version } = readForm(form, { eventId: "number", version: "number" });
  const made = own.get(eventId ?? 0);
  if (version === undefined || made === undefined) return;
  if (version >= made.from && version < made.to) form.set("version", String(made.to));
}

/** An act that says which version it is based on was refused after any other change. Otherwise only its own step is known. */
export function rememberVersion(
  own: OwnVersions,
  form: FormData,
  { id, version: to }: Pick<EventView, "id" | "version">,
): void {
  const from = readForm(form, { version: "number" }).version ?? to - 1;
  const last = own.get(id);
  own.set(id, { from: last?.to === from ? last.from : from, to });
}
