import { durationText, minutes } from "#client/base/format/countdown.ts";
import { formatClock, formatMoment } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import { BY_HAND } from "#client/blueprints/plan-times.ts";
import { startWords } from "#client/running-order/schedule.ts";
import { isBesideOrder } from "#db/lists/limits.ts";
import type { EventPlan, EventView } from "#src/show/events/schemas.ts";
import { payingText } from "../result-entry/paying-text.ts";
import { type Show, useShow } from "../show-context.ts";
import { awaitsResult, voidsItself } from "./on-stage.ts";

/** A sentence about the event's next planned transition, or about what it waits for. */
export function WhatNext({ event }: { event: EventView }) {
  return <span>{nextText(useShow(), event, useTimeZone())}</span>;
}

function nextText(show: Show, event: EventView, zone: string): string {
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
