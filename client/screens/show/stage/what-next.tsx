import { minutes } from "#client/base/format/countdown.ts";
import { formatClock } from "#client/base/format/time-format.ts";
import { useTimeZone } from "#client/base/format/time-zone.ts";
import { BY_HAND } from "#client/blueprints/plan-times.ts";
import { startWords } from "#client/running-order/schedule.ts";
import * as texts from "#client/running-order/show-texts.ts";
import type { EventPlan, EventView } from "#src/show/events/schemas.ts";
import { type Show, useShow } from "../show-context.ts";
import { payingText } from "../verdict/paying-text.ts";
import { awaitsResult, voidsItself } from "./on-stage.ts";

/** A sentence about the event's next planned transition, or about what it waits for. */
export function WhatNext({ event }: { event: EventView }) {
  return <span>{nextText(useShow(), event, useTimeZone())}</span>;
}

function nextText(show: Show, event: EventView, zone: string): string {
  const { plan } = event;
  if (awaitsResult(event, show.session) || event.pendingResult !== null) return closedText(event, zone);
  if (voidsItself(event, show.session)) return uncalledText(event, zone);
  const due = plan === null ? null : dueText(plan, zone);
  if (due !== null) return due;
  const paying = payingText(event);
  if (paying !== null) return texts.payingHint(paying);
  if (event.state === "resolved") return event.resultReason ?? "";
  if (event.state === "hidden") return texts.hiddenHint;
  return show.session.state === "stopped" ? "" : openingText(show, event);
}

/** When an event opens that is not due yet. */
function openingText(show: Show, event: EventView): string {
  const openFor = texts.forSeconds(event.durationSeconds);
  const slot = show.planned.get(event.id);
  if (show.session.state === "pending" && slot !== undefined) {
    return texts.opensAfterStart(minutes(slot.opensInMs), openFor);
  }
  const words = startWords(show, event);
  if (words === BY_HAND) return texts.opensByHand(openFor);
  if (words !== null) return texts.opensAsPlanned(words, openFor);
  return texts.notPlannedHint;
}

function uncalledText({ plan }: EventView, zone: string): string {
  const dueAt = plan?.dueAt ?? null;
  if (dueAt !== null) return texts.voidedUncalledAt(formatClock(dueAt, zone));
  return texts.voidedUncalledAfter(minutes(plan?.remainingMs ?? 0));
}

function dueText({ nextTransition, dueAt, remainingMs }: EventPlan, zone: string): string | null {
  if (nextTransition === null) return null;
  const verb = verbs[nextTransition];
  if (dueAt !== null) return texts.happensAt(verb, formatClock(dueAt, zone));
  return remainingMs === null ? null : texts.happensAfterResume(verb, minutes(remainingMs));
}

const verbs = {
  publish_event: texts.playersSeeIt,
  open_event: texts.opens,
  close_event: texts.closes,
  resolve: texts.resolvesByItself,
} as const;

function closedText({ pendingResult, paysAt, resolveBy, plan }: EventView, zone: string): string {
  if (pendingResult !== null) {
    return paysAt === null ? texts.paysAfterResume : texts.paysAt(formatClock(paysAt, zone));
  }
  // Without a result everything is refunded some time after the show's end.
  if (plan?.dueAt != null) return texts.waitsUntilRefundAt(formatClock(plan.dueAt, zone));
  return resolveBy === null ? texts.waitsForResult : texts.waitsForResultBy(formatClock(resolveBy, zone));
}
