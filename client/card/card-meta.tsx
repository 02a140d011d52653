import * as words from "#client/base/format/words.ts";
import { isRight, viewerCallsOn } from "#client/calls/viewer-calls.ts";
import * as texts from "#client/events/action-texts.ts";
import { resultLabel } from "#client/events/result-label.ts";
import { useView, type View } from "#client/events/view.ts";
import { say } from "#src/http/contract.ts";
import type { EventView } from "#src/show/events/schemas.ts";
import type { IconName } from "../ui/icon.tsx";
import { Pill, type PillTone } from "../ui/pill.tsx";

const closing = "Closing";

const waiting = "Waiting";

const PIPS_MAX = 20;
/** A longer label is shown without "Resolved:": the card says so as well. */
const LONG_LABEL = 15;

/** The event's number among all, a pip per event, and the state as a pill. */
export function CardMeta() {
  const view = useView();
  const { state, event } = view;
  const events = inOrder(state.events);
  // What is withdrawn has no number any more.
  const isNumbered = event !== null && view.phase !== "withdrawn";
  const title = !isNumbered ? state.session.name : `${numberOf(events, event)} of ${eventsCount(view)}`;
  const pips = !isNumbered || eventsCount(view) > PIPS_MAX ? null : pipsOf(events, event, eventsCount(view));
  return (
    <div className="card-meta">
      <span>{title}</span>
      {pips === null ? null : (
        <span className="pips" aria-hidden="true">
          {pips.map((name, index) => (
            // Pips have no identity besides their position.
            <i key={`pip-${index + 1}`} className={name} />
          ))}
        </span>
      )}
      <span className="push">
        <Pill {...pillOf(view)} />
      </span>
    </div>
  );
}

/** The classes of the pips. */
function pipsOf(events: readonly EventView[], event: EventView, count: number): string[] {
  const number = numberOf(events, event);
  return Array.from({ length: count }, (_, index) => {
    const known = events.at(index);
    if (index + 1 === number) return "now";
    if (known?.state === "closed") return "asked";
    if (known?.state !== "resolved") return "";
    return isRight(viewerCallsOn(known).outcome) ? "hit" : "done";
  });
}

function eventsCount({ state }: View): number {
  return Math.max(state.session.eventsCount, state.events.length);
}

/**
 * The published events in the order in which they are played. One that was asked in between has its number by when it opened.
 * The session counts the same events, and those that are still to come: what was skipped is in neither number.
 */
function inOrder(events: readonly EventView[]): readonly EventView[] {
  return events.toSorted((one, other) => {
    const [first, second] = [openingOf(one), openingOf(other)];
    if (first === second) return one.position - other.position;
    return first < second ? -1 : 1;
  });
}

/** In ISO 8601, so that times are in the order of their texts. One without a time comes last. */
function openingOf({ openedAt, opensAt }: EventView): string {
  return openedAt ?? opensAt ?? "without";
}

function numberOf(events: readonly EventView[], event: EventView): number {
  return events.findIndex(({ id }) => id === event.id) + 1;
}

type PillProps = { icon: IconName; tone: PillTone; text: string };

function pillOf(view: View): PillProps {
  if (view.offline) return { icon: "offline", tone: "bad", text: view.refused ? "Not live" : texts.offline };
  if (view.phase === "resolved" && view.event !== null) return resolvedPill(view, view.event);
  if (view.phase === "closed" && view.event !== null && view.event.pendingResult !== null) {
    return { icon: "clock", tone: "outline", text: "Paying soon" };
  }
  return pills[view.phase];
}

function resolvedPill({ viewerCalls, state }: View, event: EventView): PillProps {
  if (state.corrected.includes(event.id)) {
    return { icon: "warning", tone: "warn", text: texts.corrected(resultLabel(event)) };
  }
  if (event.voided) return { icon: "none", tone: "outline", text: words.calledOff };
  const label = resultLabel(event);
  const text = label.length > LONG_LABEL ? label : say`Resolved: ${label}`;
  if (isRight(viewerCalls?.outcome)) return { icon: "tick", tone: "plain", text };
  if (viewerCalls?.outcome?.kind === "lost") return { icon: "cross", tone: "outline", text };
  return { icon: "tick", tone: "outline", text };
}

const pills: Record<View["phase"], PillProps> = {
  pending: { icon: "clock", tone: "outline", text: waiting },
  waiting: { icon: "clock", tone: "outline", text: waiting },
  visible: { icon: "eye", tone: "outline", text: "Up next" },
  open: { icon: "true", tone: "live", text: words.open },
  closing: { icon: "clock", tone: "live", text: closing },
  locking: { icon: "clock", tone: "live", text: closing },
  closed: { icon: "lock", tone: "outline", text: texts.closed },
  paused: { icon: "pause", tone: "warn", text: words.paused },
  resolved: { icon: "tick", tone: "plain", text: "Resolved" },
  withdrawn: { icon: "none", tone: "outline", text: texts.doesNotCount },
  stopped: { icon: "trophy", tone: "plain", text: "Over" },
};
