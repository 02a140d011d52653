import type { EventPlan, EventView } from "#src/events/schemas.ts";
import { countOf } from "../ui/count.ts";
import { minutes } from "../ui/countdown.ts";
import { formatClock } from "../ui/time-format.ts";
import { useTimeZone } from "../ui/time-zone.ts";
import { awaitsResult } from "./on-stage.ts";
import { payingText } from "./paying-text.ts";
import { useShow } from "./show-context.ts";

/** A sentence about the event's next planned transition, or about what it waits for. */
export function WhatNext({ event }: { event: EventView }) {
  const { session, planned } = useShow();
  const zone = useTimeZone();
  const { plan } = event;
  if (awaitsResult(event) || event.pendingResult !== null) return closedText(event, zone);
  const due = plan === null ? null : dueText(plan, zone);
  if (due !== null) return due;
  const paying = payingText(event);
  if (paying !== null) return `${paying} calls. Players are told as their turn comes.`;
  if (event.state === "resolved") return event.resultReason ?? "";
  if (event.state === "hidden") return "Players do not see it.";
  if (session.state === "stopped") return "";
  const slot = planned.get(event.id);
  if (session.state === "pending" && slot !== undefined) {
    return `Opens ${minutes(slot.opensInMs)} after the start, for ${countOf(event.durationSeconds, "second")}.`;
  }
  return "Nothing is planned for it: advance to it, or publish and open it by hand.";
}

function dueText({ nextTransition, dueAt, remainingMs }: EventPlan, zone: string): string | null {
  if (nextTransition === null) return null;
  const verb = verbs[nextTransition];
  if (dueAt !== null) return `${verb} at ${formatClock(dueAt, zone)}.`;
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
  const by = resolveBy === null ? "" : ` by ${formatClock(resolveBy, zone)}`;
  return `Waits for your result${by}. Players see "Calls are closed".`;
}
