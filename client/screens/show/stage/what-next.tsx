import { durationText, minutes } from "#client/base/format/countdown.ts";
import { formatClock, formatMoment } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import { useServerTime } from "#client/base/live/clock.ts";
import { BY_HAND } from "#client/blueprints/plan-times.ts";
import { type CurrentEvent, UP_NEXT_MS } from "#client/events/current-event.ts";
import {
  leastMsOf,
  type Scene,
  sceneAt,
  stageEventAt,
  toldResults,
  wantsLeaders,
} from "#client/events/stage-scene.ts";
import { startWords } from "#client/running-order/schedule.ts";
import { results } from "#db/lists/events.ts";
import { isBesideOrder } from "#db/lists/limits.ts";
import type { EventPlan, EventView } from "#src/show/events/schemas.ts";
import type { AuditLineView, SessionView } from "#src/show/sessions/schemas.ts";
import type { StageDecision } from "#src/show/stage/schemas.ts";
import { Act } from "../running/act-form.tsx";
import type { DisabledReason } from "../running/disabled-reason.ts";
import { awaitsResult, payingText, voidsItself, isAhead, numberOf } from "../running/on-stage.ts";
import { type Show, useShow } from "../running/show-context.ts";

/** A sentence about the event's next planned transition, or about what it waits for. */
export function WhatNext({ event }: { event: EventView }) {
  return <span>{sentenceAbout(useShow(), event, useTimeZone())}</span>;
}

function sentenceAbout(show: Show, event: EventView, zone: string): string {
  const { plan } = event;
  if (awaitsResult(event, show.session) || event.pendingResult !== null) return closedText(event, zone);
  if (voidsItself(event, show.session)) return uncalledText(event, zone);
  const due = plan === null ? null : dueText(event, plan, zone);
  if (due !== null) return due;
  const paying = payingText(event);
  if (paying !== null) return `${paying} calls. Players are notified in turn.`;
  if (event.state === "resolved") return event.resultReason ?? "";
  if (event.state === "hidden") return "Players do not see it.";
  return show.session.state === "stopped" ? "" : openingText(show, event);
}

/** When an event opens that is not due yet. */
function openingText(show: Show, event: EventView): string {
  const openFor = `for ${durationText(event.durationSeconds)}`;
  const slot = show.planned.get(event.id);
  if (show.session.state === "pending" && slot !== undefined) {
    return `Opens ${minutes(slot.opensInMs)} after the start, ${openFor}.`;
  }
  const words = startWords(show, event);
  if (words === BY_HAND) return `Opens when you advance to it, ${openFor}.`;
  if (words !== null) return `Opens ${words}, ${openFor}.`;
  return "Nothing is planned for it: advance to it, or publish and open it by hand.";
}

function uncalledText({ plan }: EventView, zone: string): string {
  const dueAt = plan?.dueAt ?? null;
  if (dueAt !== null)
    return `Nobody has called it. It is voided at ${formatClock(dueAt, zone)}, unless you decide.`;
  return `Nobody has called it. It is voided ${minutes(plan?.remainingMs ?? 0)} after the show resumes, unless you decide.`;
}

function dueText(
  event: EventView,
  { nextTransition, dueAt, remainingMs }: EventPlan,
  zone: string,
): string | null {
  if (nextTransition === null) return null;
  const verb = verbs[nextTransition];
  const formatDue = isBesideOrder(event) ? formatMoment : formatClock;
  if (dueAt !== null) return `${verb} at ${formatDue(dueAt, zone)}.`;
  return remainingMs === null ? null : `${verb} ${minutes(remainingMs)} after the show resumes.`;
}

const verbs = {
  publish_event: "Players see it",
  open_event: "Opens",
  close_event: "Closes",
  resolve: "Resolves by itself",
} as const;

function closedText({ pendingResult, paysAt, resolveBy, plan }: EventView, zone: string): string {
  if (pendingResult !== null) {
    return paysAt === null ? "Pays after the show resumes." : `Pays at ${formatClock(paysAt, zone)}.`;
  }
  // Without a result everything is refunded some time after the show's end.
  if (plan?.dueAt != null)
    return `Waits for your result. At ${formatClock(plan.dueAt, zone)} all is refunded.`;
  return resolveBy === null
    ? 'Waits for your result. Players see "Calls are closed".'
    : `Waits for your result by ${formatClock(resolveBy, zone)}. Players see "Calls are closed".`;
}

/**
 * What the big screen shows now and next, as the screen itself finds it from the same events, and the leaders at a touch. It has the same
 * height whatever it says.
 */
export function BigScreen() {
  const show = useShow();
  const { session, renderedAt } = show;
  const state = stagedOf(show);
  const onNow = useServerTime((nowMs) => nowText(show, screenAt(state, nowMs)), renderedAt);
  const next = useServerTime((nowMs) => nextText(show, state, nowMs), renderedAt);
  const isAsked = wantsLeaders(state);
  return (
    <section className="panel big-screen-strip" aria-label="Big screen">
      <dl className="num">
        <div>
          <dt className="small ink2">On the big screen</dt>
          <dd className="clip strong">{onNow}</dd>
        </div>
        <div>
          <dt className="small ink2">Next</dt>
          <dd className="clip">{next}</dd>
        </div>
      </dl>
      <Act
        intent="leaders"
        disabledReason={isAsked ? null : whyNoLeaders(session, state.events)}
        className="btn sm"
        fields={{ shown: isAsked ? "" : "1" }}
      >
        {isAsked ? "Back to the show" : "Show leaders now"}
      </Act>
    </section>
  );
}

function whyNoLeaders({ state }: SessionView, events: readonly EventView[]): DisabledReason {
  if (state === "pending") return "The session has not started.";
  if (state === "stopped") return "The session is over.";
  return events.some(({ state: name }) => name === "open") ? "An action is open." : null;
}

type Staged = Parameters<typeof sceneAt>[0];
type Screen = CurrentEvent & { scene: Scene };

/** The state of the big screen, as far as the control room knows it: it has the decisions from the plan and the audit. */
function stagedOf({ session, events, audit }: Show): Staged {
  const decisions = events.flatMap(({ id, plan }) =>
    plan?.decided == null
      ? []
      : [{ eventId: id, at: plan.decided.at, corrected: correctionOf(audit, id) } satisfies StageDecision],
  );
  const hasLeaders = events.some(
    ({ state, voided, callsCount }) => state === "resolved" && !voided && callsCount > 0,
  );
  return { session, events, withdrawn: null, decisions, leaders: hasLeaders ? [null] : [] };
}

/** Only the newest lines are here: an older correction was told long ago. */
function correctionOf(audit: readonly AuditLineView[], eventId: number): StageDecision["corrected"] {
  const line = audit.find(
    ({ action, subject, before }) =>
      action === "resolve" &&
      subject.type === "event" &&
      subject.id === eventId &&
      before["state"] === "resolved",
  );
  const was = results.find((result) => result === line?.before["result"]);
  return line === undefined || was === undefined ? null : { at: line.at, was };
}

function screenAt(state: Staged, nowMs: number): Screen {
  const current = stageEventAt(state, nowMs);
  return { ...current, scene: sceneAt(state, current, nowMs) };
}

const sceneNames: Record<Exclude<Scene, "question" | "result">, string> = {
  lobby: "Lobby",
  between: "Leaders",
  end: "The first three",
};

function nowText({ events }: Pick<Show, "events">, { scene, event }: Screen): string {
  if (scene !== "question" && scene !== "result") return sceneNames[scene];
  const number = event === null ? "" : numberOf(events, event);
  return scene === "result" ? `Result of ${number}` : `Action ${number}`;
}

/** What follows what is on, and when, as far as it is known. */
function nextText({ events }: Pick<Show, "events">, state: Staged, nowMs: number): string {
  const { scene, event } = screenAt(state, nowMs);
  if (scene === "end") return "Nothing more";
  const nameOf = (one: EventView) => numberOf(events, one);
  const later = toldResults(state).find(({ fromMs }) => fromMs > nowMs);
  if (later !== undefined) {
    const name = `Result of ${nameOf(later.event)}`;
    return Number.isFinite(later.fromMs)
      ? `${name}, ${inTime(later.fromMs - nowMs)}`
      : `${name}, after the close`;
  }
  if (scene === "question" && event?.state === "visible") return `Calls on ${nameOf(event)}`;
  const undecided =
    scene === "question"
      ? event
      : events.findLast(({ state: name, pendingResult }) => name === "closed" && pendingResult === null);
  if (undecided != null && scene !== "result") return `Result of ${nameOf(undecided)}`;
  return afterResult({ events, scene, event }, state, nowMs);
}

/** The next question, or the leaders where there is time for them before it. */
function afterResult(
  { events, scene, event }: Pick<Show, "events"> & Pick<Screen, "scene" | "event">,
  { session }: Staged,
  nowMs: number,
): string {
  const next = events.find(isAhead);
  const shownInMs = Date.parse(next?.opensAt ?? "") - UP_NEXT_MS - nowMs;
  if (scene === "result" && event !== null && !(shownInMs < leastMsOf(event))) return sceneNames.between;
  if (next === undefined) return "Nothing planned";
  const name = `Action ${numberOf(events, next)}`;
  const isTimed = session.state === "running" && !Number.isNaN(shownInMs);
  return isTimed ? `${name}, ${inTime(Math.max(0, shownInMs))}` : name;
}

const inTime = (ms: number) => `in ${minutes(ms)}`;
